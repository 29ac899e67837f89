"""RULES.md 3 and 4: the STOP card before a trick, and the trick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import factorial, prod

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.mogler.actions import Action, Draw, PlayerAction, TurnStop
from domain.games.mogler.dealing import stops_left, turn_stop
from domain.games.mogler.decider import decide
from domain.games.mogler.deck import Stop
from domain.games.mogler.events import (
    Drawn,
    Played,
    RoundOver,
    SDeclined,
    SDiscarded,
    StopTurned,
    SUsed,
    TrickTaken,
)
from domain.games.mogler.evolve import evolve
from domain.games.mogler.house import awaits, house
from domain.games.mogler.offers import offers
from domain.games.mogler.options import MoglerOptions
from domain.games.mogler.state import State, ToCount, ToStop, begin
from domain.games.mogler.tricks import STOPS
from domain.kernel.cards import cards, sort
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, HouseNow, Over, Seat, fold
from domain.kernel.offers import Offer, OneOf
from domain.kernel.reasons import Reason
from tests.any_game import NOON
from tests.domain.at_table import CHANCE, later, refused
from tests.domain.mogler.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    EMIL,
    PACE,
    after,
    by,
    declines,
    discards,
    draws,
    in_turn,
    lying,
    one,
    plays,
    settled,
    told,
    took,
    trick,
)

# ── the STOP card ───────────────────────────────────────────────────────────────────────────────


def test_a_stop_card_is_turned_before_each_trick_for_who_leads_it() -> None:
    """3.1"""
    given = trick("2C 3C", "4C 5C", row="T")

    happened = told(given, plays(ANNA, "2C"), plays(BEN, "4C"))

    turned = one(StopTurned, happened)
    assert (turned.trick, turned.seat) == (2, BEN)
    assert happened.index(turned) == len(happened) - 1


def test_at_another_card_than_s_there_is_nothing_to_choose() -> None:
    """3.2"""
    for row in "TOP":
        given = trick("2C 3C", "4C 5C", row=row)
        assert [offer.type for offer in offers(given, ANNA)] == ["mogler.play"]
        with refused(Reason.NOT_NOW):
            decide(given, draws(ANNA))


def test_at_an_s_the_leader_may_draw_and_nobody_else() -> None:
    """3.2"""
    given = trick("2C 3C", "4C 5C", row="S")

    assert offers(given, ANNA) == (
        Offer("mogler.s_draw", {}, until=later(60)),
        Offer("mogler.s_decline", {}, until=later(60)),
    )
    assert offers(given, BEN) == ()
    for command in (draws(BEN), declines(BEN)):
        with refused(Reason.NOT_YOUR_TURN):
            decide(given, command)
    with refused(Reason.NOT_NOW):
        decide(given, plays(ANNA, "2C"))


def test_who_declines_leads_with_the_hand_he_has() -> None:
    """3.2"""
    given = trick("2C 3C", "4C 5C", row="S")

    assert told(given, declines(ANNA))[0].__class__ is SDeclined
    state = after(given, declines(ANNA))
    assert (in_turn(state), state.hands[ANNA], len(state.stock)) == (ANNA, cards("2C 3C"), 48)


@pytest.mark.parametrize("discarded", ["2C", "3C", "the one just drawn"])
def test_who_draws_discards_any_card_and_holds_as_many_as_before(discarded: str) -> None:
    """3.2, 3.3"""
    given = trick("2C 3C", "4C 5C", row="S")

    used, drawn = told(given, draws(ANNA))

    assert used == SUsed(ANNA)
    assert isinstance(drawn, Drawn)
    new = drawn.cards[0]
    assert new in given.stock
    holding = after(given, draws(ANNA))
    assert offers(holding, ANNA) == (
        Offer("mogler.s_discard", {"card": OneOf(sort((*cards("2C 3C"), new)))}, until=later(60)),
    )
    card = new if discarded == "the one just drawn" else discarded
    state = after(holding, discards(ANNA, card))
    assert state.out == (card,)
    assert sorted(state.hands[ANNA]) == sorted({"2C", "3C", new} - {card})
    assert in_turn(state) == ANNA


def test_having_drawn_one_discards_before_anything_else() -> None:
    """3.2"""
    given = after(trick("2C 3C", "4C 5C", row="S"), draws(ANNA))

    for command in (plays(ANNA, "2C"), draws(ANNA), declines(ANNA)):
        with refused(Reason.NOT_NOW):
            decide(given, command)
    with refused(Reason.NOT_YOUR_CARDS):
        decide(given, discards(ANNA, "4C"))
    with refused(Reason.NOT_YOUR_TURN):
        decide(given, discards(BEN, "4C"))


def test_which_card_comes_is_not_settled_before_it_is_drawn() -> None:
    """3.3: the House picks from a set, and may pick any of it; of each draw anew."""
    given = trick("2C 3C", "4C 5C", row="S")
    wants = fold(evolve, given, decide(given, draws(ANNA)))

    for card in ("AS", "6D"):
        (drawn,) = decide(wants, by(HOUSE, Draw(card, wants.draws)))
        assert isinstance(drawn, Drawn)
        assert drawn.cards == (card,)
    assert {turn_stop(_with_row((), k), CHANCE).stop for k in range(60)} == {"S", "T", "O", "P"}


@pytest.mark.parametrize("row", ["TOS", "SOT", "SPTSO", "PPOSS"])
def test_the_round_goes_on_while_a_letter_is_missing(row: str) -> None:
    """3.4"""
    given = trick("2C 3C", "4C 5C", row=row)

    state = after(given, declines(ANNA)) if row[-1] == "S" else given
    assert [offer.type for offer in offers(state, ANNA)] == ["mogler.play"]


@pytest.mark.parametrize("row, last", [("STO", "P"), ("PSST", "O"), ("SSSPO", "T")])
def test_the_round_ends_before_the_trick_as_soon_as_stop_lies_there(row: str, last: Stop) -> None:
    """3.4"""
    state = _about_to_turn(trick("2C 3C", "4C 5C", row=row))

    happened = decide(state, by(HOUSE, TurnStop(last, state.draws)))

    (turned,) = happened
    assert isinstance(turned, StopTurned)
    assert turned.turn is None
    assert fold(evolve, state, happened).phase == ToCount(early=True)


def _about_to_turn(state: State) -> State:
    return replace(state, phase=ToStop(ANNA))


def test_an_s_that_completes_the_row_can_still_be_used() -> None:
    """3.5"""
    given = trick("2C 3C", "4C 5C", row="TOPS")

    declined = told(given, declines(ANNA))
    assert isinstance(declined[0], SDeclined)
    assert declined[0].turn is None
    swapped = told(after(given, draws(ANNA)), discards(ANNA, "2C"))
    assert isinstance(swapped[0], SDiscarded)
    assert swapped[0].turn is None
    for happened in (declined, swapped):
        assert one(RoundOver, happened).early


def test_after_six_tricks_no_seventh_card_is_turned() -> None:
    """3.6"""
    given = trick("2C", "4C", row="SSSTTO")

    happened = told(given, plays(ANNA, "2C"), plays(BEN, "4C"))

    assert [type(event) for event in happened] == [Played, Played, TrickTaken, RoundOver]
    assert not one(RoundOver, happened).early
    assert one(TrickTaken, happened).leader is None


# How often a round has three, four, five or six tricks, over all orders of the nine cards.
LENGTHS = {3: Fraction(4, 21), 4: Fraction(6, 21), 5: Fraction(11, 42), 6: Fraction(11, 42)}


def test_how_long_a_round_lasts_over_all_orders_of_the_stop_cards() -> None:
    """3.4, 3.6: every order is played out, as far as it matters, with the rules of the match themselves."""
    given = _about_to_turn(trick("2C 3C 4C 5C 6C 7C", "2D 3D 4D 5D 6D 7D", row=""))
    frequencies: Counter[int] = Counter()
    for tricks, orders in _rounds(given):
        frequencies[tricks] += orders

    every_order = factorial(9) // prod(factorial(n) for n in Counter(STOPS).values())
    assert frequencies.total() == every_order == 7560
    assert {tricks: Fraction(n, every_order) for tricks, n in frequencies.items()} == LENGTHS


def _rounds(state: State) -> Iterator[tuple[int, int]]:
    """How many tricks were played, and how many orders of what was not turned lead to that."""
    if isinstance(state.phase, ToStop):
        for stop in sorted(set(stops_left(state))):
            turned = fold(evolve, state, decide(state, by(HOUSE, TurnStop(stop, state.draws))))
            yield from _rounds(turned)
        return
    if isinstance(state.phase, ToCount):
        left = Counter(stops_left(state))
        yield state.trick - state.phase.early, factorial(left.total()) // prod(factorial(n) for n in left.values())
        return
    if isinstance(awaits(state), HouseNow):
        yield from _rounds(fold(evolve, state, decide(state, _collect(state))))
        return
    seat = in_turn(state)
    command = declines(seat) if offers(state, seat)[0].type == "mogler.s_draw" else plays(seat, state.hands[seat][0])
    yield from _rounds(fold(evolve, state, decide(state, command)))


def _collect(state: State) -> Command[Action]:
    return Command(HOUSE, NOON, house(state, CHANCE).action)


def test_the_house_turns_stop_cards_as_often_as_chance_has_it() -> None:
    """3.3: 2,000 rounds by the committed luck; a fair pile lands that near to the exact figures."""
    luck = Chance(b"\x07" * 32, "0192f0c1-2a6e-7000-8000-000000000000", b"")
    lengths: Counter[int] = Counter()
    k = 0
    for _ in range(2000):
        row: tuple[Stop, ...] = ()
        while set(row) != set(STOPS) and len(row) < 6:
            state = _with_row(row, k)
            row, k = (*row, turn_stop(state, luck).stop), k + 1
        lengths[len(row) - (set(row) == set(STOPS))] += 1

    chi_square = sum(
        (lengths[tricks] - 2000 * float(expected)) ** 2 / (2000 * float(expected))
        for tricks, expected in LENGTHS.items()
    )
    assert chi_square < 11.34  # three degrees of freedom, one in a hundred


def _with_row(row: tuple[Stop, ...], k: int) -> State:
    return replace(begin(MoglerOptions(), PACE, 2, None), row=row, draws=k, phase=ToStop(ANNA))


def test_the_draw_pile_does_not_run_out() -> None:
    """3.7: five at the table, and a card is drawn at every S."""
    state = settled(begin(MoglerOptions(), PACE, 5, None))
    drawn = 0
    while not isinstance(awaits(state), Over):
        assert len(state.stock) >= 14 or state.round == 0
        for seat in (ANNA, BEN, CARA, DAN, EMIL):
            if of_seat := offers(state, seat):
                state, drawn = _does(state, seat, of_seat[0]), drawn + (of_seat[0].type == "mogler.s_draw")
                break
    assert drawn > 3


def _does(state: State, seat: Seat, offer: Offer) -> State:
    said = {"type": offer.type} | {
        name: bound.one_of[0] for name, bound in offer.fields.items() if isinstance(bound, OneOf)
    }
    return after(state, by(seat, msgspec.convert(said, PlayerAction)))


# ── the trick ───────────────────────────────────────────────────────────────────────────────────


def test_any_card_may_be_led_and_any_card_added_clockwise() -> None:
    """4.1"""
    given = trick("2C 3D", "4C 5H", "6C 7S", leader=BEN)

    assert in_turn(given) == BEN
    for card in ("4C", "5H"):
        state = after(given, plays(BEN, card))
        assert (in_turn(state), lying(state)) == (CARA, (card,))
    assert in_turn(after(given, plays(BEN, "4C"), plays(CARA, "7S"))) == ANNA
    assert offers(given, BEN) == (Offer("mogler.play", {"card": OneOf(cards("4C 5H"))}, until=later(60)),)


def test_one_plays_in_turn_and_from_ones_own_hand() -> None:
    """4.1"""
    given = trick("2C 3D", "4C 5H", "6C 7S")

    with refused(Reason.NOT_YOUR_TURN):
        decide(given, plays(CARA, "6C"))
    with refused(Reason.NOT_YOUR_CARDS):
        decide(given, plays(ANNA, "4C"))


@pytest.mark.parametrize(
    "lies, trump, winner, why",
    [
        ("9H 2H AH", None, CARA, "all hearts: the highest takes it"),
        ("AH 2H KH", None, ANNA, "the leader may take a suit trick"),
        ("AH 2S 3H", "S", BEN, "the one spade is trump"),
        ("AH 2S 3S", "S", CARA, "the higher of two trumps"),
        ("AH 2S KD", "S", BEN, "diamonds are a third suit, thrown away"),
        ("2H AH 3D", "D", CARA, "the first off suit comes last"),
        ("AH KC QC", "C", BEN, "an ace that is led and trumped is lost"),
    ],
)
def test_who_takes_a_trick(lies: str, trump: str | None, winner: Seat, why: str) -> None:
    """4.2, 4.3, 4.4"""
    three = cards(lies)
    given = trick(*(f"{card} {other}" for card, other in zip(three, ("2C", "3C", "4C"), strict=True)))

    happened = told(given, *(plays(Seat(seat), card) for seat, card in enumerate(three)))

    taken = one(TrickTaken, happened)
    assert (taken.trump, taken.seat) == (trump, winner), why


def test_a_suit_trick_shows_nothing_and_a_trump_trick_the_led_card() -> None:
    """4.2, 4.3"""
    given = trick("9H 2C", "2H 3C", "AH 4C")
    hearts = after(given, plays(ANNA, "9H"), plays(BEN, "2H"), plays(CARA, "AH"))
    trumped = after(given, plays(ANNA, "9H"), plays(BEN, "3C"), plays(CARA, "AH"))

    assert [taken.shows for taken in hearts.tricks[CARA]] == [None]
    assert [taken.shows for taken in trumped.tricks[BEN]] == ["9H"]


def test_who_takes_a_trick_leads_the_next() -> None:
    """4.5"""
    given = trick("9H 2C 5D", "2H 3C 6D", "AH 4C 7D")

    happened = told(given, plays(ANNA, "9H"), plays(BEN, "2H"), plays(CARA, "AH"))

    assert one(TrickTaken, happened).leader == CARA
    assert one(StopTurned, happened).seat == CARA


def test_a_leader_who_was_trumped_cannot_win() -> None:
    """4.4: whatever else is played, over all cards of three."""
    given = trick("AH 2C", "2S 3C", "3D 4C")
    led = after(given, plays(ANNA, "AH"), plays(BEN, "2S"))
    for card in ("3D", "4C"):
        assert one(TrickTaken, told(led, plays(CARA, card))).seat != ANNA


def test_what_was_taken_before_does_not_change_who_takes_the_next() -> None:
    """4.2"""
    given = took(trick("9H 2C", "2H 3C"), BEN, "5C 6S", "6D 7D")

    assert one(TrickTaken, told(given, plays(ANNA, "9H"), plays(BEN, "2H"))).seat == ANNA
