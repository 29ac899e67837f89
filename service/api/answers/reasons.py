"""Why the rules refuse, in words. What a match and its game say of acts stands beside their narration; the rest is
here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from domain.kernel import rulebook
from domain.kernel.game import BadDeal, DealFault
from projections.catalogue import CATALOGUE
from projections.narration.match_reasons import REASONS
from projections.views.seam import AnyView
from service.api.answers.language import Text

AROUND_ANY_GAME: Final[Mapping[str, Text]] = {
    **{reason: Text(words["en"], words["de"]) for reason, words in REASONS.items()},
    "another_game": Text("Another game is played in this match.", "In dieser Partie wird ein anderes Spiel gespielt."),
    "no_such_bot": Text("The game has no such bot.", "Einen solchen Bot hat das Spiel nicht."),
    # disputes
    "not_paused": Text("The match does not stand still.", "Die Partie steht nicht still."),
    "no_such_frame": Text(
        "The seat that asks for a referee has been told no such frame.",
        "Eine solche Nachricht hat der Platz nicht bekommen, der nach einem Schiedsrichter fragt.",
    ),
    "dispute_open": Text(
        "Nobody has ruled yet on what you asked before.", "Über deine letzte Beschwerde ist noch nicht entschieden."
    ),
    "too_many_disputes": Text(
        "Your seat has called for a referee often enough in this match.",
        "Dein Platz hat in dieser Partie oft genug nach einem Schiedsrichter gerufen.",
    ),
    "dispute_closed": Text("This has been ruled on already.", "Darüber ist schon entschieden."),
    "no_rule_cited": Text("A ruling cites rules.", "Eine Entscheidung nennt Regeln."),
    "no_such_rule": Text(
        "The game has no rule of such a number; GET /v1/games/{game} has them all.",
        "Eine Regel mit dieser Nummer hat das Spiel nicht; GET /v1/games/{game} nennt alle.",
    ),
    "no_branch_point": Text(
        "There is no point so early from which the match could go on.",
        "So früh gibt es keinen Punkt, von dem an die Partie weitergehen könnte.",
    ),
    "secrets_out": Text(
        "The secrets of the match are out: it can go on only from before a deal, with a new deal.",
        "Das Verdeckte ist bekannt: Die Partie kann nur von vor einem Geben an weitergehen, mit neuen Karten.",
    ),
    "seal_broken": Text("You have broken the seal already.", "Du hast das Siegel schon gebrochen."),
    "sat_here": Text(
        "Who sits in a match or sat there rules nothing in it, and breaks no seal.",
        "Wer an einer Partie sitzt oder saß, entscheidet dort nichts und bricht kein Siegel.",
    ),
    "already_assigned": Text("A referee has it already.", "Ein Schiedsrichter hat das schon übernommen."),
    "not_assigned": Text("You have not taken this dispute.", "Diesen Streit hast nicht du übernommen."),
    # who asks
    "not_seated": Text("You hold no seat in this match.", "Du sitzt nicht an dieser Partie."),
    "may_not_see": Text(
        "This match is not public: only its host and who sits in it see it.",
        "Diese Partie ist nicht öffentlich: Es sehen sie nur ihr Gastgeber und wer daran sitzt.",
    ),
    "not_over": Text(
        "The match is not over: until then everybody sees what he was told himself, and nobody more.",
        "Die Partie ist nicht zu Ende: Bis dahin sieht jeder, was ihm selbst gesagt wurde, und niemand mehr.",
    ),
    # this server
    "sandbox_off": Text(
        "There are no sandbox matches on this server.", "Auf diesem Server gibt es keine Sandkasten-Partien."
    ),
    "too_many_sandboxes": Text(
        "You have too many sandbox matches running.", "Du hast zu viele laufende Sandkasten-Partien."
    ),
}

# What `not_over` says to whoever may break a match's seal.
SEALED: Final = Text(
    "The match is not over: what others see lies sealed. To break the seal opens it to you, and every seat is told "
    "so: POST /v1/matches/{match}/seal.",
    "Die Partie ist nicht zu Ende: Was andere sehen, ist versiegelt. Dir öffnet es sich, wenn du das Siegel brichst, "
    "was jedem Platz gesagt wird: POST /v1/matches/{match}/seal.",
)

# And of a match that goes on as a branch, whose seal nobody can break any more.
SEALED_IN_BRANCH: Final = Text(
    "The match goes on as another one, {branch}: until that is over, what others see lies sealed here.",
    "Die Partie geht als eine andere weiter, {branch}: Bis die zu Ende ist, bleibt hier versiegelt, was andere sehen.",
)

# Reasons that speak of whoever asks and not of the rules: answered 403.
NOT_YOURS: Final = frozenset(
    {"not_host", "not_your_seat", "not_seated", "may_not_see", "not_over", "sat_here", "not_assigned"}
)


def of(view: AnyView) -> dict[str, Text]:
    """A game's own reasons."""
    return {reason: Text(words["en"], words["de"]) for reason, words in view.reasons.items()}


DEALS: Final[Mapping[DealFault, Text]] = {
    "hands_for_seats": Text("{hands} hands for {seats} seats.", "{hands} Hände für {seats} Plätze."),
    "hand_empty": Text("Every hand needs a card.", "Jede Hand braucht eine Karte."),
    "hand_size": Text(
        "Seat {seat} has {held} cards and not {wanted}.", "Platz {seat} hat {held} Karten und nicht {wanted}."
    ),
    "hands_differ": Text(
        "Every hand needs as many cards as the others, 1 to {most}.",
        "Jede Hand braucht so viele Karten wie die anderen, 1 bis {most}.",
    ),
    "no_such_seat": Text("There is no seat {seat}.", "Einen Platz {seat} gibt es nicht."),
    "not_in_the_pack": Text("Not among its cards: {cards}.", "Nicht unter seinen Karten: {cards}."),
    "not_so_often": Text("Not there so often: {cards}.", "Nicht so oft da: {cards}."),
    "not_among": Text("Not in “{field}”: {cards}.", "Nicht in „{field}“: {cards}."),
    "too_many": Text(
        "With these options “{field}” has {most} entries at most.",
        "Mit diesen Optionen hat „{field}“ höchstens {most} Einträge.",
    ),
}

_NO_BOT: Final = Text("The game has no such bot, but: {bots}.", "Einen solchen Bot hat das Spiel nicht, aber: {bots}.")
_NO_RULE: Final = Text(
    "The game has no rule of this number: {rules}. GET /v1/games/{{game}} has them all.",
    "Eine Regel mit dieser Nummer hat das Spiel nicht: {rules}. GET /v1/games/{{game}} nennt alle.",
)
_OF_GAMES: Final = {name: of(view) for name, view in CATALOGUE.items()}
SERVER: Final = frozenset({"sandbox_off", "too_many_sandboxes"})


def by_kind(slug: str) -> dict[str, Text]:
    """What the ``reason`` of this kind of problem can say; where games mean different things by it, what each means."""
    kinds = {
        "not_yours": NOT_YOURS,
        "not_offered": SERVER,
        "refused": (AROUND_ANY_GAME.keys() - NOT_YOURS - SERVER).union(*_OF_GAMES.values()),
    }
    return {reason: AROUND_ANY_GAME.get(reason) or _of_any_game(reason) for reason in sorted(kinds.get(slug, ()))}


def text(reason: str, game: str | None = None) -> Text:
    """In the words of this game, where it has its own."""
    known = _OF_GAMES.get(game or "", {}).get(reason) or AROUND_ANY_GAME.get(reason)
    if known is not None:
        return known
    plain = reason.replace("_", " ")
    return Text(f"The rules refuse this: {plain}.", f"Die Regeln lassen das nicht zu: {plain}.")


def no_such_bot(game: str) -> Text:
    """With those that it has."""
    return _NO_BOT.filled(bots=", ".join(CATALOGUE[game].game.bots))


def no_such_rule(game: str, cited: Iterable[str]) -> tuple[int, Text]:
    """Those among them that the game does not have, and the place of the first. Some is none."""
    known = rulebook.numbers(CATALOGUE[game].game.rules)
    unknown = {place: number for place, number in enumerate(cited) if number not in known}
    return min(unknown), _NO_RULE.filled(rules=", ".join(unknown.values()))


def conflict(game: str, first: str, second: str) -> Text:
    """What would do instead of these two options as they were set."""
    words = CATALOGUE[game].conflicts[first, second]
    return Text(words["en"], words["de"])


def deal(bad: BadDeal) -> Text:
    """What is wrong with it."""
    return DEALS[bad.fault].filled(**{name: str(said) for name, said in bad.says.items()})


def _of_any_game(reason: str) -> Text:
    said = [(CATALOGUE[game].game.names, texts[reason]) for game, texts in _OF_GAMES.items() if reason in texts]
    if len({text for _, text in said}) == 1:
        return said[0][1]
    return Text(
        " ".join(f"{names['en']}: {text.en}" for names, text in said),
        " ".join(f"{names['de']}: {text.de}" for names, text in said),
    )
