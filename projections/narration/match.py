"""What happened in a match, one sentence an event, in the words of who was told it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, assert_never

from domain.kernel.game import Seat
from domain.match import events
from projections.views.seam import AnyView, Language

Name = Callable[[Seat], str]


def narrate(view: AnyView, event: Any, language: Language, name: Name) -> str:
    """A sentence about any event of a match, as it was told; ``name`` gives a seat's name."""
    if type(event) not in events.KINDS:
        return view.narrate(event, language, name)
    return _german(view, event, name) if language == "de" else _english(view, event, name)


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
        case events.Voided():
            return "The match never began and is void."
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
        case events.Voided():
            return "Das Spiel hat nie begonnen und ist nichtig."
        case _:
            assert_never(event)


def _hands(now: datetime) -> str:
    """What the clock shows, with as much of a second as there is."""
    whole, _, rest = f"{now:%H:%M:%S.%f}".partition(".")
    return f"{whole}.{rest.rstrip('0')}".rstrip(".")


def _all(seats: Sequence[Seat], name: Name, conjunction: str) -> str:
    *others, last = (name(seat) for seat in seats)
    return f"{', '.join(others)} {conjunction} {last}" if others else last
