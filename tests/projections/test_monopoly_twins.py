"""Who did not look cannot tell a match from its twin, in which one silent act more was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from domain.games.monopoly.decider import decide
from domain.games.monopoly.events import Caught, Event, Slipped, Succeeded, Undone, Watched
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.house import awaits
from domain.games.monopoly.offers import offers
from domain.games.monopoly.state import State
from domain.kernel.chance import Chance
from domain.kernel.game import Command, Refused, fold
from projections.catalogue import CATALOGUE
from projections.views.monopoly.redacting import redact
from projections.views.seam import Viewer
from tests.any_game import Step, said
from tests.projections.monopoly_eyes import SOME, frames, match, saw
from tests.projections.monopoly_mutants import MUTANTS
from tests.projections.secrecy import Redact


class Twin(Struct, frozen=True):
    """The same moment with and without the act. ``fresh``: who has not seen it yet."""

    mine: State
    twins: State
    my_events: tuple[Event, ...]
    twins_events: tuple[Event, ...]
    fresh: frozenset[Viewer]


def twins(steps: tuple[Step, ...], luck: Random, at: int) -> Iterator[Twin]:
    """The match once more, with one silent act put in before step ``at``, until something public comes of it."""
    state = steps[at].before
    moment = steps[at - 1].command.at
    who = luck.choice(state.playing)
    tried = [offer for offer in offers(state, who) if offer.type.endswith("cheat") and _silent(offer)]
    if not tried or isinstance(awaits(state), type(None)):
        return
    draw = Chance(b"", "twins", b"").bot(who, at)
    action = said(CATALOGUE["monopoly-cheaters"].game, luck.choice(tried), draw)
    try:
        events = decide(state, Command(who, moment, action))
    except Refused:
        return
    twin = fold(evolve, state, events)
    if twin.attempts.keys() == state.attempts.keys():
        return
    effect = twin.attempts[who].slip.effect
    (slipped,) = events
    assert isinstance(slipped, Slipped)
    fresh: frozenset[Viewer] = frozenset(
        viewer for viewer in steps[0].seen if viewer != who and not saw(slipped.witnesses, viewer)
    )
    yield Twin(state, twin, (), events, fresh)
    for step in steps[at:]:
        if step.command.by == who and type(step.command.action).__name__ in ("Cheat", "FreeCheat"):
            return  # one at a time
        try:
            again = decide(twin, step.command)
        except Refused:
            return
        if _kinds(again) != _kinds(step.events) or _announced(again) != _announced(step.events):
            return  # it is out, or the truth stood in somebody's way, and everybody sees what came of it
        for event in step.events:
            if isinstance(event, Watched) or getattr(event, "purse", None) is not None:
                fresh -= {event.seat}
            if isinstance(event, Slipped) and event not in again:  # another thief found it gone
                fresh -= {event.seat, *event.witnesses}
        twin = fold(evolve, twin, again)
        yield Twin(step.after, twin, step.events, again, fresh)
        if effect != twin.attempts[who].slip.effect if who in twin.attempts else True:
            return


def _kinds(events: tuple[Event, ...]) -> list[type[Event]]:
    """What becomes public, in order."""
    return [type(event) for event in events if not isinstance(event, Undone)]


def _announced(events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if isinstance(event, Succeeded | Caught)]


def _silent(offer: Any) -> bool:
    card = (offer.fields.get("card") or offer.fields["kind"]).one_of[0]
    return card in (
        "bank_heist",
        "pickpocket",
        "extra_go",
        "escape",
        "deed_theft",
        "deed_swap",
        "demolition",
        "free_hotel",
        "take_tray",
        "take_player",
        "hotel_on",
        "hotel_off",
        "take_deed",
    )


def leak(tell: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """Where somebody who did not look could tell a match from its twin; None: nowhere."""
    luck, compared = Random(3), 0
    for number in numbers:
        steps = match(number)
        if steps[0].before.options.attention == "open":
            continue
        for at in range(9, len(steps) - 1, 7):
            for twin in twins(steps, luck, at):
                for viewer in twin.fresh:
                    mine, others = (frames(tell, events, viewer) for events in (twin.my_events, twin.twins_events))
                    compared += 1
                    if mine != others:
                        return f"{number} {at} {viewer} {mine!r} {others!r}"
    assert compared > 2_000, "the twins were hardly compared"
    return None


def test_who_did_not_look_cannot_tell_a_theft_from_an_honest_table() -> None:
    """12.3, 6.1"""
    assert leak(redact) is None


def test_nor_by_what_he_is_offered_refused_or_waited_for() -> None:
    """12.3: also where the log itself is asked in his place."""
    luck, compared = Random(4), 0
    for number in SOME:
        steps = match(number)
        if steps[0].before.options.attention == "open":
            continue
        for at in range(6, len(steps) - 1, 7):
            for twin in twins(steps, luck, at):
                assert awaits(twin.mine) == awaits(twin.twins)
                for viewer in twin.fresh:
                    if viewer is None:
                        continue
                    compared += 1
                    assert offers(twin.mine, viewer) == offers(twin.twins, viewer)
    assert compared > 1_000


@pytest.mark.parametrize("mutant", ["tells everything", "tells of silent acts", "tells of silent acts to spectators"])
def test_a_theft_that_is_told_is_caught_by_the_twins(mutant: str) -> None:
    assert leak(MUTANTS[mutant], range(4)) is not None
