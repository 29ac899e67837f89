"""Two bots: what they may know, what they may do, and that a table of them comes to an end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.family_mogeln.actions import Accept, Control, ControlMulti, Lay, SitOut
from domain.games.family_mogeln.bots import BOTS, CAREFUL, RANDOM
from domain.games.family_mogeln.careful import Weighing, begin, crowd, doubt, remember
from domain.games.family_mogeln.events import Controlled, Counted, Dealt, Event
from domain.games.family_mogeln.evolve import evolve
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.options import Options
from domain.games.family_mogeln.state import InTurn, State
from domain.games.family_mogeln.state import begin as before_the_deal
from domain.kernel.cards import cards
from domain.kernel.chance import Chance
from domain.kernel.game import Seat
from projections.views.family_mogeln import FAMILY_MOGELN_VIEW, redact
from tests.any_game import walk
from tests.bench.bots import share
from tests.domain.at_table import later
from tests.domain.family_mogeln.table import (
    ANNA,
    BEN,
    CARA,
    PACE,
    accepts,
    after,
    controls,
    dealt,
    lays,
    sits_out,
    told,
    underway,
)

HANDS = ("QS 7H 5C 9H", "KD 9C 4D", "4S 4H 6D")


def luck(n: int = 0) -> Any:
    return Chance(b"", "", b"").bot(0, n)


def test_the_random_bot_controls_one_lay_in_twice_the_seats_one_way_or_the_other() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"))
    offered = offers(given, CARA)

    chosen = [RANDOM.choose(RANDOM.begin(CARA, 3), given, offered, luck(n)) for n in range(6000)]

    assert set(chosen) == {Control(3), ControlMulti(3), Accept(3)}
    assert 900 < chosen.count(Control(3)) + chosen.count(ControlMulti(3)) < 1100


def test_the_random_bot_lays_more_often_than_it_sits_out() -> None:
    given = underway(*HANDS)

    chosen = [RANDOM.choose(RANDOM.begin(ANNA, 3), given, offers(given, ANNA), luck(n)) for n in range(600)]

    assert 60 < chosen.count(SitOut()) < 140
    assert {len(action.cards) for action in chosen if isinstance(action, Lay)} == {1, 2, 3}


def test_who_has_accepted_is_not_asked_again() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"), accepts(CARA, 3))

    for bot in BOTS.values():
        assert bot.choose(bot.begin(CARA, 3), given, offers(given, CARA), luck()) is None


# ── the careful one ─────────────────────────────────────────────────────────────────────────────


def careful(seat: Seat, given: State, memory: Weighing | None = None) -> Any:
    """What the careful bot does in this seat."""
    return CAREFUL.choose(memory or begin(seat, given.seats), given, offers(given, seat), luck())


def test_where_nothing_can_be_controlled_it_lays_what_it_needs_last() -> None:
    """Three at the table: after a nine it says Q, 2, 5, 8, J, A, 4, 7, T, K, 3 and only then 6."""
    given = after(dealt("QS 6C ** 2S", "7H 8H", "4S 5S"), sits_out(ANNA), lays(BEN, "7H", "7"), lays(CARA, "4S"))

    assert careful(ANNA, given) == Lay(cards("6C"), "9")


def test_it_begins_with_a_rank_that_lets_it_tell_the_truth_soon() -> None:
    """Three at the table: after an ace it says 4, 7, T."""
    lay = careful(ANNA, dealt("4C 7C TC 6H", "7H 8H", "4S 5S"))

    assert lay in (Lay(cards("6H"), "A"), Lay(cards("6H"), "4"))


def test_it_puts_the_truth_on_top_of_what_it_wants_to_be_rid_of() -> None:
    lay = careful(ANNA, underway("9H 6C 3C 2S QS", *HANDS[1:]))

    assert lay.cards[-1] == "9H"
    assert len(lay.cards) == 3


def test_its_last_card_it_lays_whatever_it_is() -> None:
    assert careful(ANNA, underway("6C", *HANDS[1:])) == Lay(cards("6C"), "9")


def test_it_does_not_lay_several_where_counting_is_usual() -> None:
    memory = msgspec.structs.replace(begin(ANNA, 3), lays=40, counted=36)

    assert careful(ANNA, underway("9H 6C 3C 2S QS", *HANDS[1:]), memory) == Lay(cards("9H"), "9")


def test_it_sits_out_rather_than_lie_where_every_card_is_turned_up() -> None:
    memory = msgspec.structs.replace(begin(ANNA, 3), lays=40, turned=36)

    assert careful(ANNA, underway("6C 3C QS", *HANDS[1:]), memory) == SitOut()


def test_it_counts_where_piles_turned_out_too_large() -> None:
    memory = msgspec.structs.replace(begin(CARA, 3), extra=30, in_piles=20, truths=(9, 0, 0))
    given = after(underway(*HANDS), lays(ANNA, "QS"))

    assert careful(CARA, given, memory) == ControlMulti(3)


def test_it_doubts_who_was_caught_and_believes_who_was_not() -> None:
    given = after(underway(*HANDS), lays(ANNA, "QS"))
    liar, honest = (msgspec.structs.replace(begin(CARA, 3), **{kind: (6, 0, 0)}) for kind in ("lies", "truths"))

    assert careful(CARA, given, liar) == Control(3)
    assert careful(CARA, given, honest) == Accept(3)


def test_it_doubts_what_cannot_be_true() -> None:
    """It holds all nines and all jokers itself."""
    given = dealt("QS 7H", "KD 4D", "9C 9D 9H 9S ** ** **")

    assert doubt(begin(CARA, 3), given, ANNA, "9") == 1.0
    assert doubt(begin(BEN, 3), given, ANNA, "9") < 1.0


def seen_by(seat: Seat, given: State, happened: tuple[Event, ...]) -> tuple[Weighing, State]:
    """The careful bot's memory and view, from the deal on; three are at the table."""
    assert isinstance(given.phase, InTurn)
    sizes = tuple(map(len, given.hands))
    deal = Dealt(1, CARA, given.hands, sizes, given.aside, 1, 0, given.phase.turn)
    memory, seen = begin(seat, 3), before_the_deal(given.options, PACE, 3, None)
    for event in (deal, *happened):
        heard = redact(event, seat)
        memory, seen = remember(memory, seen, heard), evolve(seen, heard)
    return memory, seen


def test_it_learns_from_what_a_pile_truly_was_how_many_lie_too_many() -> None:
    """Anna's two too many are no news to Anna herself."""
    given = dealt("QS 7H 5C 9H 2C", "KD 9C 4D", "4S 4H 6D")
    happened = told(
        given,
        lays(ANNA, "2C", "9"),
        sits_out(BEN),
        sits_out(CARA),
        lays(ANNA, "QS 7H 5C"),
        lays(BEN, "KD 9C", at=later(6)),
        controls(CARA, 2, later(7)),
    )

    of_cara, of_anna = (seen_by(seat, given, happened)[0] for seat in (CARA, ANNA))

    assert (of_cara.extra, of_cara.in_piles) == (3, 3)
    assert (of_anna.extra, of_anna.in_piles) == (1, 1)
    assert crowd(of_cara, BEN) > crowd(begin(CARA, 3), BEN)


@pytest.mark.parametrize("stands", [True, False])
def test_it_remembers_what_controls_showed(stands: bool) -> None:
    given, memory = underway(*HANDS), begin(CARA, 3)

    turned = remember(memory, given, Controlled(3, ANNA, BEN, "9", "9H", stands))
    counted = remember(memory, given, Counted(3, BEN, ANNA, 1 if stands else 2, stands))

    assert (turned.truths if stands else turned.lies) == (1, 0, 0)
    assert (counted.single if stands else counted.several) == (0, 1, 0)
    assert (turned.turned, counted.counted) == (1, 1)


def test_it_knows_no_more_than_its_seat() -> None:
    """Two tables that differ only in others' cards and in how many were laid: it does the same."""
    one = dealt("2S 3S 4S 5S", "AS AC 7D", "KD KH 8D")
    other = dealt("AH AD 6S 5S", "AS AC 7D", "9D 9H 8C")
    choices = []
    for given, first, second in ((one, "2S", "3S"), (other, "AH", "AD 6S")):
        happened = told(given, lays(ANNA, first, "9"), sits_out(BEN), sits_out(CARA), lays(ANNA, second))
        memory, seen = seen_by(BEN, given, happened)
        choices.append((memory, CAREFUL.choose(memory, seen, offers(seen, BEN), luck())))

    assert choices[0] == choices[1]


def test_its_memory_does_not_grow_with_the_match() -> None:
    options = msgspec.convert({"max_turns": 300, "mode": "most_wins", "rounds": 3}, Options)
    memory, sizes = begin(BEN, 4), []
    for step in walk(FAMILY_MOGELN_VIEW, 4, 3, options=options):
        for event in step.events:
            memory = remember(memory, step.seen[BEN], redact(event, BEN))
            sizes.append(len(msgspec.json.encode(memory)))

    assert max(sizes) < 400


def test_it_beats_the_random_one() -> None:
    """How clearly is a figure of tests/bench/bots.py; here only that it does, on one seeded score."""
    assert share(FAMILY_MOGELN_VIEW, Options(), seats=4, careful=2, matches=20) > 0.75
