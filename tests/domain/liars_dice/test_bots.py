"""Two bots: what they may know, what they may do, and that the careful one is worth its name."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.liars_dice.actions import Accept, AcceptRound, Action, Challenge, Reroll, Say, TakeDice
from domain.games.liars_dice.bots import BOTS, CAREFUL, RANDOM
from domain.games.liars_dice.careful import Watching, begin, lie, remember
from domain.games.liars_dice.events import Event
from domain.games.liars_dice.evolve import evolve
from domain.games.liars_dice.offers import offers
from domain.games.liars_dice.options import LiarsDiceOptions
from domain.games.liars_dice.state import State, ToAnswer
from domain.kernel.chance import Chance
from domain.kernel.game import Command, Over, Seat
from domain.kernel.scoring import Mode
from projections.views.liars_dice import LIARS_DICE_VIEW, redact
from tests.any_game import play_out
from tests.bench.bots import share
from tests.domain.at_table import later
from tests.domain.liars_dice.table import (
    ANNA,
    BEN,
    CARA,
    LIES,
    accepts,
    after,
    as_seen,
    dice,
    doubts,
    says,
    table,
    takes,
    throws_anew,
    told,
    wins_a_round,
)

LUCK = Chance(b"", "", b"")


def seen_by(seat: Seat, given: State, *commands: Command[Action]) -> tuple[Watching, State]:
    """The careful bot's memory and view of all that it was told of these commands, from the given table on."""
    memory, seen = begin(seat, given.seats), as_seen(given, seat)
    for event in told(given, *commands):
        heard: Event = redact(event, seat)
        memory, seen = remember(memory, seen, heard), evolve(seen, heard)
    return memory, seen


def careful(seat: Seat, given: State, *commands: Command[Action]) -> Any:
    memory, seen = seen_by(seat, given, *commands)
    return CAREFUL.choose(memory, seen, offers(seen, seat), LUCK.bot(seat, 0))


@pytest.mark.parametrize("dice_pass", [False, True])
@pytest.mark.parametrize("kind", BOTS)
def test_a_table_of_bots_ends(kind: str, dice_pass: bool) -> None:
    """With no limit of turns that would help"""
    for seats in (2, 3, 10):
        over = play_out(LIARS_DICE_VIEW, [BOTS[kind]] * seats, LiarsDiceOptions(dice_pass=dice_pass), seats)
        assert isinstance(over, Over)
        assert len(over.winners) == 1


@pytest.mark.parametrize("kind", BOTS)
def test_a_bot_does_the_same_again_with_the_same_luck(kind: str) -> None:
    options = LiarsDiceOptions(mode=Mode.MOST_WINS)
    once, again = (play_out(LIARS_DICE_VIEW, [BOTS[kind]] * 4, options, 7) for _ in range(2))

    assert once == again


def test_the_random_bot_doubts_one_claim_in_twice_the_seats() -> None:
    given = after(table(LIES), says(ANNA, "pair:4"))
    offered = offers(given, CARA)

    chosen = [RANDOM.choose(RANDOM.begin(CARA, 3), given, offered, LUCK.bot(2, n)) for n in range(6000)]

    assert set(chosen) == {Challenge(0), Accept(0)}
    assert 900 < chosen.count(Challenge(0)) < 1100


def test_who_has_accepted_is_not_asked_again() -> None:
    given = after(table(LIES), says(ANNA, "pair:1"), accepts(CARA, 0))

    for bot in BOTS.values():
        assert bot.choose(bot.begin(CARA, 3), given, offers(given, CARA), LUCK.bot(2, 0)) is None
        assert bot.choose(bot.begin(CARA, 3), given, (), LUCK.bot(2, 0)) is None


def test_between_rounds_both_are_ready() -> None:
    given = wins_a_round(table(LIES, mode="most_wins"), ANNA)

    for bot in BOTS.values():
        assert bot.choose(bot.begin(CARA, 3), given, offers(given, CARA), LUCK.bot(2, 0)) == AcceptRound()


# ── the careful one ─────────────────────────────────────────────────────────────────────────────


def test_it_says_the_truth_where_that_is_enough() -> None:
    assert careful(ANNA, table("44412")) == Say("three:4")


def test_it_lies_with_one_of_the_lowest_claims() -> None:
    given = table("44412 12346")
    lies = {
        CAREFUL.choose(memory, seen, offers(seen, BEN), LUCK.bot(1, n))
        for memory, seen in [seen_by(BEN, given, says(ANNA, "three:4"), takes(BEN, 0, at=later(6)))]
        for n in range(40)
    }

    assert lies == {Say("three:5"), Say("three:6"), Say("straight:5")}


def test_it_doubts_what_hardly_ever_comes_and_believes_what_mostly_does() -> None:
    assert careful(CARA, table(LIES), says(ANNA, "four:2")) == Challenge(0)
    assert careful(CARA, table(LIES), says(ANNA, "pair:1")) == Accept(0)


def test_it_takes_the_dice_as_soon_as_it_may() -> None:
    """What is offered for later it does not ask for now: who calls it leaves that out."""
    assert careful(BEN, table(LIES), says(ANNA, "pair:1")) == TakeDice(0)
    memory, seen = seen_by(BEN, table(LIES), says(ANNA, "pair:1"))
    now = [offer for offer in offers(seen, BEN) if offer.not_before is None]
    assert CAREFUL.choose(memory, seen, now, LUCK.bot(1, 0)) == Accept(0)


def test_it_doubts_five_sixes_if_it_is_held_to_have_done_so_anyway() -> None:
    given = table("66666", dice_pass=True)
    assert careful(BEN, given, says(ANNA, "five:6")) == Challenge(0)


def test_it_remembers_who_lies() -> None:
    """Anna is caught, and the same claim is believed of Ben and not of her."""
    given = table(LIES, 3)
    memory, seen = seen_by(CARA, given, says(ANNA, "three:1"), doubts(BEN, 0))
    assert (memory.lies, memory.truths) == ((1, 0, 0), (0, 0, 0))
    assert isinstance((claimed := after(given, says(ANNA, "three:1"))).phase, ToAnswer)

    fresh = begin(CARA, 3)
    assert lie(memory, claimed, claimed.phase) > lie(fresh, claimed, claimed.phase)
    told_truth = seen_by(CARA, given, says(ANNA, "nothing"), doubts(BEN, 0))[0]
    assert lie(told_truth, claimed, claimed.phase) < lie(fresh, claimed, claimed.phase)
    assert seen.last is not None


def test_dice_that_it_handed_on_it_knows() -> None:
    """Anna gave a pair of ones; Ben, who threw nothing anew, says two pairs."""
    given = table("11346", dice_pass=True)
    handed = (says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))

    assert careful(ANNA, given, *handed, says(BEN, "pair:2", at=later(7))) == Challenge(1)
    assert seen_by(ANNA, given, *handed)[0].handed == dice("11346")
    assert seen_by(CARA, given, *handed)[0].handed == ()
    true = table("22346", dice_pass=True)
    claim = says(BEN, "pair:2", at=later(7))
    assert careful(ANNA, true, *handed, claim) == Accept(1)


def test_and_of_those_thrown_anew_it_knows_the_rest() -> None:
    """One new die makes no three fours of one four."""
    given = table("11246", dice_pass=True)
    handed = (says(ANNA, "pair:1"), takes(BEN, 0, at=later(6)))
    anew = (*handed, throws_anew(BEN, "6", at=later(7)))

    memory, seen = seen_by(ANNA, given, *anew, says(BEN, "three:4", at=later(8)))
    assert isinstance(seen.phase, ToAnswer)
    assert lie(memory, seen, seen.phase) == 1.0
    memory, seen = seen_by(ANNA, given, *anew, says(BEN, "three:1", at=later(8)))
    assert isinstance(seen.phase, ToAnswer)
    assert lie(memory, seen, seen.phase) < 1.0


def test_it_throws_anew_what_does_not_help() -> None:
    given = table("44126", dice_pass=True)

    asked = careful(BEN, given, says(ANNA, "pair:4"), takes(BEN, 0, at=later(6)))

    assert asked == Reroll(dice("126"))


def test_it_knows_no_more_than_its_seat() -> None:
    """Two tables that differ only in others' dice: it does and remembers the same."""
    one, other = table("44126 55555"), table("66666 55555")

    for seat, commands in ((BEN, ()), (CARA, (takes(BEN, 0, at=later(6)),))):
        assert seen_by(seat, one, says(ANNA, "pair:4"), *commands) == seen_by(
            seat, other, says(ANNA, "pair:4"), *commands
        )


def test_it_beats_the_random_one() -> None:
    """How clearly is a figure of tests/bench/bots.py; here only that it does, on seeded matches."""
    for dice_pass in (False, True):
        assert share(LIARS_DICE_VIEW, LiarsDiceOptions(dice_pass=dice_pass), seats=2, careful=1, matches=20) > 0.6
