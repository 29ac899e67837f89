"""What happened in a match, one sentence an event, in the words of whoever was told it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, assert_never

from domain.kernel.game import Seat
from domain.match import events
from domain.match.state import Chair
from projections.views.seam import AnyView, Language

Name = Callable[[Seat], str]


def narrate(view: AnyView, event: Any, language: Language, name: Name) -> str:
    """A sentence about any event of a match, as it was told; ``name`` gives a seat's name."""
    if type(event) not in events.KINDS:
        return view.narrate(event, language, name)
    return _german(view, event, name) if language == "de" else _english(view, event, name)


def called(chairs: Sequence[Chair], names: Mapping[str, str], language: Language) -> Name:
    """What seats are called: ``names`` by player id, from outside the log; who has none there, by his place."""

    def name(seat: Seat) -> str:
        chair = chairs[seat]
        known = names.get(chair.player or chair.held_by or "")
        word = "Bot" if chair.bot is not None else "Platz" if language == "de" else "Seat"
        return known or f"{word} {seat + 1}"

    return name


def _english(view: AnyView, event: events.Event, name: Name) -> str:
    match event:
        case events.Opened(seats=seats, sandbox=sandbox):
            table = "A sandbox table" if sandbox else "A table"
            return f"{table} for {seats} is open for {view.game.names['en']}."
        case events.Seated(seat=seat, bot=None):
            return f"{name(seat)} sits down."
        case events.Seated():
            return "A bot sits down."
        case events.Left(seat=seat, bot=None):
            return f"{name(seat)} leaves."
        case events.Left(seat=seat):
            return f"{name(seat)} leaves; a bot plays on."
        case events.HostChanged():
            return "The table has a new host."
        case events.Started(None):
            return "The match begins."
        case events.Started():
            return "The match begins; whoever promised luck shows it now."
        case events.EntropyRevealed(seat):
            return f"{name(seat)} adds to the luck of the match."
        case events.EntropySettled(missing=()):
            return "The luck of the match is settled."
        case events.EntropySettled(missing=missing):
            return f"The luck of the match is settled without {_all(missing, name, 'and')}."
        case events.StoodStill(began, ended) if began == ended:
            return "The clock goes on."
        case events.StoodStill(began, ended):
            return f"The clock stood still for {(ended - began).total_seconds():.1f} seconds."
        case events.ClockTurned(now):
            return f"The clock is turned to {_hands(now)}."
        case events.TimedOut(seat):
            return f"{name(seat)}'s time is up; the House acts instead."
        case events.Ended((), _, "abandoned"):
            return "Nobody plays any more: the match is abandoned."
        case events.Ended(winners):
            return f"The match is over. It goes to {_all(winners, name, 'and')}."
        case events.SeedRevealed():
            return "The seed is published: every deal can be checked now."
        case events.Voided("never_started"):
            return "The match never began and is void."
        case events.Voided():
            return "The match does not count: it is void."
        case events.DisputeRaised(seat=None):
            return "The House asks for a referee."
        case events.DisputeRaised(seat=seat):
            assert seat is not None
            return f"{name(seat)} asks for a referee."
        case events.Paused():
            return "The clock stands still."
        case events.RefereeAssigned():
            return "A referee looks into it."
        case events.SealBroken():
            return "The seal is broken: somebody who does not play sees what is hidden."
        case events.Ruled(ruling=ruling, rules=rules):
            return f"The referee rules, by {_listed(rules, 'and')}: {_RULINGS[ruling][0]}."
        case events.Superseded():
            return "The match ends here and goes on from an earlier point, as another match."
        case events.Branched():
            return "From here on the match goes on anew, with other luck."
        case _:
            assert_never(event)


def _german(view: AnyView, event: events.Event, name: Name) -> str:
    match event:
        case events.Opened(seats=seats, sandbox=sandbox):
            table = "Ein Sandkasten-Tisch" if sandbox else "Ein Tisch"
            return f"{table} für {seats} ist eröffnet: {view.game.names['de']}."
        case events.Seated(seat=seat, bot=None):
            return f"{name(seat)} setzt sich."
        case events.Seated():
            return "Ein Bot setzt sich."
        case events.Left(seat=seat, bot=None):
            return f"{name(seat)} geht."
        case events.Left(seat=seat):
            return f"{name(seat)} geht; ein Bot spielt weiter."
        case events.HostChanged():
            return "Der Tisch hat einen neuen Gastgeber."
        case events.Started(None):
            return "Das Spiel beginnt."
        case events.Started():
            return "Das Spiel beginnt; wer Zufall versprochen hat, zeigt ihn jetzt."
        case events.EntropyRevealed(seat):
            return f"{name(seat)} trägt zum Zufall dieses Spiels bei."
        case events.EntropySettled(missing=()):
            return "Der Zufall dieses Spiels steht fest."
        case events.EntropySettled(missing=missing):
            return f"Der Zufall dieses Spiels steht fest, ohne {_all(missing, name, 'und')}."
        case events.StoodStill(began, ended) if began == ended:
            return "Die Uhr geht weiter."
        case events.StoodStill(began, ended):
            return f"Die Uhr stand {(ended - began).total_seconds():.1f} Sekunden still.".replace(".", ",", 1)
        case events.ClockTurned(now):
            return f"Die Uhr wird auf {_hands(now).replace('.', ',')} gestellt."
        case events.TimedOut(seat):
            return f"Die Zeit von {name(seat)} ist um; das Haus handelt."
        case events.Ended((), _, "abandoned"):
            return "Niemand spielt mehr: Das Spiel ist abgebrochen."
        case events.Ended(winners):
            return f"Das Spiel ist aus. Es geht an {_all(winners, name, 'und')}."
        case events.SeedRevealed():
            return "Der Startwert ist veröffentlicht: Jedes Austeilen lässt sich jetzt nachprüfen."
        case events.Voided("never_started"):
            return "Das Spiel hat nie begonnen und ist nichtig."
        case events.Voided():
            return "Das Spiel zählt nicht: Es ist nichtig."
        case events.DisputeRaised(seat=None):
            return "Das Haus ruft nach einem Schiedsrichter."
        case events.DisputeRaised(seat=seat):
            assert seat is not None
            return f"{name(seat)} ruft nach einem Schiedsrichter."
        case events.Paused():
            return "Die Uhr steht still."
        case events.RefereeAssigned():
            return "Ein Schiedsrichter sieht es sich an."
        case events.SealBroken():
            return "Das Siegel ist gebrochen: Jemand, der nicht mitspielt, sieht das Verdeckte."
        case events.Ruled(ruling=ruling, rules=rules):
            return f"Der Schiedsrichter entscheidet nach {_listed(rules, 'und')}: {_RULINGS[ruling][1]}."
        case events.Superseded():
            return "Das Spiel endet hier und geht von einem früheren Punkt an als ein anderes weiter."
        case events.Branched():
            return "Von hier an geht das Spiel neu weiter, mit anderem Zufall."
        case _:
            assert_never(event)


_RULINGS: Final[Mapping[events.Ruling, tuple[str, str]]] = {
    "dismissed": ("all stays as it is", "alles bleibt, wie es ist"),
    "upheld": ("the complaint is right, and changes nothing", "die Beschwerde ist berechtigt und ändert nichts"),
    "void": ("the match does not count", "das Spiel zählt nicht"),
    "branch": ("it goes on from an earlier point", "es geht von einem früheren Punkt an weiter"),
}


def _listed(things: Sequence[str], conjunction: str) -> str:
    *others, last = things
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def _hands(now: datetime) -> str:
    """What the clock shows, with as much of a second as there is."""
    whole, _, rest = f"{now:%H:%M:%S.%f}".partition(".")
    return f"{whole}.{rest.rstrip('0')}".rstrip(".")


def _all(seats: Sequence[Seat], name: Name, conjunction: str) -> str:
    return _listed([name(seat) for seat in seats], conjunction)
