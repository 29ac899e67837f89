"""Two bots: what they may know, what they may do, and that a table of them comes to an end."""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogelei.actions import Call, ContinueRound, Doubt, EndRound, KeepHidden, Lay, Reveal
from domain.games.mogelei.bots import BOTS, CAREFUL, RANDOM
from domain.games.mogelei.careful import MogeleiCounting, begin, remember
from domain.games.mogelei.decider import decide
from domain.games.mogelei.deck import pack
from domain.games.mogelei.events import Event
from domain.games.mogelei.evolve import evolve
from domain.games.mogelei.house import awaits, house
from domain.games.mogelei.offers import offers
from domain.games.mogelei.options import MogeleiOptions
from domain.games.mogelei.state import MogeleiDeal, State, ToControl
from domain.games.mogelei.state import begin as before_the_deal
from domain.kernel.cards import cards
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, Over, Seat
from domain.kernel.offers import OneOf
from projections.views.mogelei import MOGELEI_VIEW, redact
from tests.any_game import NOON
from tests.bench.bots import share
from tests.domain.at_table import CHANCE
from tests.domain.mogelei.bot_table import Chosen, table_of
from tests.domain.mogelei.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    after,
    all_lay,
    calls,
    dealt,
    doubts,
    ends,
    hides,
    shows,
    told,
)
from tests.domain.mogelei.walks import COMBINATIONS, walk

HANDS = ("red8 red1 blue2", "red7 blue5 black4", "black1 yellow3 yellow9")
LUCK = Chance(b"", "", b"").bot(0, 0)


def match(kind: str, options: MogeleiOptions, seats: int = 4, seed: int = 1) -> list[Chosen]:
    return list(table_of([BOTS[kind]] * seats, options, seed))


@pytest.mark.parametrize("kind, seats", list(product(BOTS, range(3, 9))))
def test_a_table_of_bots_ends_without_anybody_waiting_for_the_clock(kind: str, seats: int) -> None:
    """What breaks 15: no bot leaves the table waiting; the House deals and counts, but stands in for nobody."""
    steps = match(kind, COMBINATIONS[seats % 4], seats)

    assert isinstance(awaits(steps[-1].after), Over)
    by_house = {event.__struct_config__.tag for step in steps if step.seat == HOUSE for event in step.events}
    assert by_house == {"mogelei.dealt", "mogelei.hand_over", "mogelei.match_over"}


@pytest.mark.parametrize("kind, options", list(product(BOTS, COMBINATIONS)))
def test_a_bot_does_only_what_it_is_offered(kind: str, options: MogeleiOptions) -> None:
    for step in match(kind, options, seats=5, seed=2):
        if step.action is not None:
            said = msgspec.to_builtins(step.action)
            assert any(_fits(said, offer.type, offer.fields) for offer in step.offered), step.action


def _fits(said: dict[str, Any], tag: str, fields: dict[str, Any]) -> bool:
    given = {name: value for name, value in said.items() if name != "type"}
    if said["type"] != tag or set(given) != set(fields):
        return False
    return all(isinstance(bound, OneOf) and given[name] in bound.one_of for name, bound in fields.items())


@pytest.mark.parametrize("kind", BOTS)
def test_a_bot_does_the_same_again_with_the_same_luck(kind: str) -> None:
    assert match(kind, COMBINATIONS[3]) == match(kind, COMBINATIONS[3])


def test_what_is_not_ones_own_business_is_waited_for() -> None:
    for bot in BOTS.values():
        assert bot.choose(bot.begin(CARA, 3), dealt(*HANDS), (), LUCK) is None


def test_the_random_bot_does_all_that_it_may() -> None:
    given = ben_in_control()

    lucks = (Chance(b"", "", b"").bot(1, n) for n in range(99))
    chosen = {RANDOM.choose(RANDOM.begin(BEN, 3), given, offers(given, BEN), luck) for luck in lucks}

    assert chosen == {ContinueRound(), EndRound(), Doubt(0, ANNA), Doubt(0, CARA)}


# ── the careful one ─────────────────────────────────────────────────────────────────────────────


def ben_in_control() -> State:
    given = after(dealt(*HANDS), calls(ANNA, "red"), *all_lay("red8", "red7", "black1"))
    return after(given, hides(ANNA), shows(BEN), hides(CARA))


def played(*commands: Command[Any], hands: tuple[str, ...] = HANDS) -> tuple[Event, ...]:
    """A first hand of these cards, from the deal on; Anna calls."""
    before = before_the_deal(MogeleiOptions(), PACE, 3, MogeleiDeal(tuple(map(cards, hands)), dealer=CARA))
    return told(before, Command(HOUSE, NOON, house(before, CHANCE).action), *commands)


def seen_by(seat: Seat, *happened: Event) -> tuple[MogeleiCounting, State]:
    """The careful bot's memory and view, from the deal on."""
    memory, seen = begin(seat, 3), before_the_deal(MogeleiOptions(), PACE, 3, None)
    for event in happened:
        if (seen_event := redact(event, seat)) is not None:
            memory, seen = remember(memory, seen, seen_event), evolve(seen, seen_event)
    return memory, seen


def careful(seat: Seat, *happened: Event) -> Any:
    memory, seen = seen_by(seat, *happened)
    return CAREFUL.choose(memory, seen, offers(seen, seat), LUCK)


def twelve_each(seat: Seat, *held: str) -> tuple[str, ...]:
    """A whole first deal in which this seat holds these and then black, and the others share the rest."""
    black = [card for card in pack(3) if card not in held]
    hand = [*held, *black[: 12 - len(held)]]
    rest = [card for card in pack(3) if card not in hand]
    others = iter((rest[::2], rest[1::2]))
    return tuple(" ".join(hand if place == seat else next(others)) for place in range(3))


def test_it_calls_the_colour_of_which_it_holds_the_highest() -> None:
    assert careful(ANNA, *played(hands=twelve_each(ANNA, "blue9", "red1", "red2", "red3"))) == Call("blue")


def test_it_lays_high_to_lie_and_low_where_others_hold_higher_ones() -> None:
    high, low = twelve_each(ANNA, "red9", "red1"), twelve_each(ANNA, "red3", "red1")

    assert careful(ANNA, *played(calls(ANNA, "red"), hands=high)) == Lay("red9")
    assert careful(ANNA, *played(calls(ANNA, "red"), hands=low)) == Lay("red1")


def test_it_hides_what_may_be_the_biggest_lie() -> None:
    assert careful(ANNA, *played(calls(ANNA, "red"), *all_lay("red8", "red7", "black1"))) == KeepHidden()


def test_it_shows_a_low_card_below_one_that_is_shown() -> None:
    """It cannot win control with it, nor hide the biggest lie, but hidden it could be doubted."""
    hands = twelve_each(BEN, "red1")
    anna, cara = (next(card for card in hands[seat].split() if card.startswith("red")) for seat in (ANNA, CARA))
    happened = played(calls(ANNA, "red"), *all_lay(anna, "red1", cara), shows(ANNA), hands=hands)

    assert careful(BEN, *happened) == Reveal()


def test_without_the_colour_it_gives_fried_eggs_away() -> None:
    assert careful(CARA, *played(calls(ANNA, "red"), hands=("red8 red1", "red7 red2", "black1 yellow4"))) == Lay(
        "black1"
    )
    assert careful(CARA, *played(calls(ANNA, "red"))) == Lay("yellow3")


def test_it_ends_the_round_where_the_egg_is_its_own() -> None:
    hands = ("red9 red1", "blue7 blue5", "black1 yellow4")
    happened = played(
        calls(ANNA, "red"), *all_lay("red9", "blue7", "black1"), hides(ANNA), hides(BEN), hides(CARA), hands=hands
    )

    assert careful(ANNA, *happened) == EndRound()


def test_who_was_seen_to_hold_none_of_a_colour_is_believed_from_then_on() -> None:
    """Anna was doubted wrongly on red; in the next red round it can only be Cara who lies."""
    hands = ("black1 yellow3 yellow9", "red7 red2 black4", "red8 red1 blue2")
    first = (*all_lay("black1", "red7", "red8"), hides(ANNA), shows(BEN), hides(CARA), doubts(BEN, ANNA))
    second = (calls(BEN, "red"), *all_lay("yellow3", "red2", "red1"), shows(BEN), hides(CARA), hides(ANNA))
    happened = played(calls(ANNA, "red"), *first, *second, hands=hands)

    assert seen_by(BEN, *happened)[0].void == (frozenset({"red"}), frozenset(), frozenset())
    assert careful(BEN, *happened) == Doubt(1, CARA)


def test_it_remembers_who_lies_and_who_does_not() -> None:
    happened = played(
        calls(ANNA, "red"), *all_lay("red8", "red7", "black1"), hides(ANNA), shows(BEN), hides(CARA), ends(BEN)
    )
    memory, _ = seen_by(CARA, *happened)

    assert (memory.lies, memory.truths) == ((1, 0, 0), (0, 1, 0))
    assert memory.shown == {"red8", "red7", "black1"}


def test_it_knows_no_more_than_its_seat() -> None:
    """Two tables that differ only in what others laid and hold: it remembers and does the same."""
    one = ("red8 red1 blue2", "red7 blue5 black4", "black1 yellow3 yellow9")
    other = ("red2 red4 blue4", "red7 blue5 black4", "red1 black9 yellow1")
    choices = []
    for hands, laid in ((one, ("red8", "red7", "black1")), (other, ("red2", "red7", "red1"))):
        happened = played(calls(ANNA, "red"), *all_lay(*laid), hides(ANNA), shows(BEN), hides(CARA), hands=hands)
        memory, seen = seen_by(BEN, *happened)
        choices.append((memory, CAREFUL.choose(memory, seen, offers(seen, BEN), LUCK)))

    assert choices[0] == choices[1]


def test_it_plays_as_the_options_of_the_match_have_it() -> None:
    """What breaks 26: each option changes now and then what it does in control."""
    changed = dict.fromkeys(("round_pile", "false_doubt_egg"), 0)
    for step in walk(MogeleiOptions(), 4, 1):
        if isinstance(step.after.phase, ToControl):
            seat = step.after.phase.turn.seat
            usual, *others = (
                CAREFUL.choose(begin(seat, 4), state, offers(state, seat), LUCK)
                for state in (
                    step.after,
                    replace(step.after, options=MogeleiOptions(round_pile="liar")),
                    replace(step.after, options=MogeleiOptions(false_doubt_egg=True)),
                )
            )
            for option, choice in zip(changed, others, strict=True):
                changed[option] += choice != usual

    assert all(changed.values()), changed


@pytest.mark.parametrize("number", range(8))
def test_it_can_take_a_seat_over_at_any_moment(number: int) -> None:
    """Having seen nothing of how it came to that, and with leavers at the table."""
    for step in walk(COMBINATIONS[number % 4], 3 + number % 6, number, leavers=True):
        state = step.after
        for seat in state.present:
            if offered := offers(state, seat):
                action = CAREFUL.choose(begin(seat, state.seats), state, offered, LUCK)
                assert action is not None
                assert decide(state, Command(seat, step.command.at, action))


def test_its_memory_does_not_grow_with_the_match() -> None:
    memory, seen, largest = begin(BEN, 4), before_the_deal(MogeleiOptions(), PACE, 4, None), 0
    for step in table_of([RANDOM] * 4, MogeleiOptions(), 3):
        for event in step.events:
            if (seen_event := redact(event, BEN)) is not None:
                memory, seen = remember(memory, seen, seen_event), evolve(seen, seen_event)
            largest = max(largest, len(msgspec.json.encode(memory)))

    assert largest < 1200


@pytest.mark.parametrize("options", COMBINATIONS)
def test_it_beats_the_random_one(options: MogeleiOptions) -> None:
    """How clearly is a figure of tests/bench/bots.py; here only that it does, on a seeded half dozen."""
    assert share(MOGELEI_VIEW, options, seats=4, careful=2, matches=6) > 0.8
