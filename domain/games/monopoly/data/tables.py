"""The data files as tables, for the rules text: what a client or a player would look up on board and cards."""

from __future__ import annotations

from collections.abc import Iterable

from domain.games.monopoly.data import Data, Deed


def as_text(data: Data) -> str:
    """Markdown: the board with its deeds, both decks, the cheat cards."""
    return "\n\n".join(
        (
            "## 14 The board",
            f"From the data files `{data.hash}`. A deed is base / full group / hotel, and what a hotel costs.",
            _table(("square", "name", "US", "UK", "street", "group", "price", "edition", "classic"), _board(data)),
            "## 15 The decks",
            _table(("deck", "card", "kind", "text", "Text"), _decks(data)),
            "## 16 The cheat cards",
            _table(("card", "name", "what is done", "if caught", "reward", "penalty"), _cheats(data)),
            "",
        )
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _board(data: Data) -> Iterable[tuple[str, ...]]:
    for place, square in enumerate(data.board):
        names = (square.names.de, square.names.us, square.names.uk)
        if square.street is None:
            yield (str(place), *names, "", square.kind, "", "", "")
            continue
        edition, classic = (data.by_street[profile][square.street] for profile in ("edition", "classic"))
        yield (str(place), *names, square.street, edition.group, str(edition.price), _rents(edition), _rents(classic))


def _rents(deed: Deed) -> str:
    return f"{deed.base} / {deed.full_group} / {deed.hotel}, {deed.hotel_price}"


def _decks(data: Data) -> Iterable[tuple[str, ...]]:
    for name, deck in data.decks.items():
        for card in deck:
            yield name, card.id, card.kind, card.text.en, card.text.de


def _cheats(data: Data) -> Iterable[tuple[str, ...]]:
    for card in data.cheats:
        name = f"{card.names.en} ({card.names.de})"
        yield card.id, name, card.task.en, card.undo.en, card.reward.text.en, card.penalty.text.en
