"""Two languages: what a person reads comes in the one he asked for."""

from __future__ import annotations

from msgspec import Struct

from projections.views.seam import Language


class Text(Struct, frozen=True):
    """The same in both; ``{name}`` is filled in."""

    en: str
    de: str

    def in_(self, language: Language) -> str:
        return self.de if language == "de" else self.en

    def filled(self, **says: str | Text) -> Text:
        """With these in place of the braces, each in its language."""
        en = {name: said.en if isinstance(said, Text) else said for name, said in says.items()}
        de = {name: said.de if isinstance(said, Text) else said for name, said in says.items()}
        return Text(self.en.format(**en), self.de.format(**de))


def preferred(accept_language: str | None) -> Language:
    """From ``Accept-Language`` (RFC 9110, 12.5.4); English where nothing else is asked for."""
    best: dict[Language, float] = {"en": 0.0, "de": 0.0}
    for part in (accept_language or "").split(","):
        name, *parameters = part.strip().lower().split(";")
        weight = next((_weight(p.strip()[2:]) for p in parameters if p.strip().startswith("q=")), 1.0)
        match name.partition("-")[0].strip():
            case "en" | "*":
                best["en"] = max(best["en"], weight)
            case "de":
                best["de"] = max(best["de"], weight)
    return "de" if best["de"] > best["en"] else "en"


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
