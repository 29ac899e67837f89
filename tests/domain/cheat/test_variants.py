"""RULES.md 8.2–8.6: free choice, extended window, jokers, forfeits, fixed hand."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.cheat.actions import Accept, Draw, Pass
from domain.games.cheat.dealing import draw
from domain.games.cheat.decider import decide
from domain.games.cheat.events import (
    CardsOwed,
    Challenged,
    CheatEnding,
    CheatTurn,
    Claimed,
    Drawn,
    ForfeitGiven,
    Passed,
    PileTaken,
    RoundOver,
)
from domain.games.cheat.evolve import evolve
from domain.games.cheat.house import awaits, house
from domain.games.cheat.reasons import CheatReason
from domain.games.cheat.state import InTurn, LastPlay, State, begin
from domain.kernel.cards import PACK, cards
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, Pace, fold
from domain.kernel.reasons import Reason
from tests.domain.at_table import later, refused
from tests.domain.cheat.table import (
    ANNA,
    BEN,
    CARA,
    DAN,
    PACE,
    accepts,
    after,
    by,
    dealt,
    doubts,
    due,
    in_turn,
    lays,
    options,
    settled,
    told,
)

HANDS = ("QS 7H 2C", "KD 9C 2H", "4S 4H 2S")


# 8.2 free choice


def test_where_ranks_are_free_any_of_them_may_be_named_and_one_must_be() -> None:
    """8.2.1"""
    given = dealt(*HANDS, rank_mode="free")

    (claim,) = decide(given, lays(ANNA, "QS", "K"))
    assert isinstance(claim, Claimed)
    assert claim.rank == "K"
    assert due(after(given, lays(ANNA, "QS", "K"))) is None
    with refused(CheatReason.RANK_MISSING):
        decide(given, lays(ANNA, "QS"))


# 8.3 extended window


def two_open(*hands: str, **chosen: Any) -> State:
    """Anna has laid, and Ben on her; Cara is next, six seconds after noon."""
    given = dealt(*(hands or HANDS), window="extended", **chosen)
    return after(given, lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)))


def test_two_claims_are_open_in_the_extended_window() -> None:
    """8.3.1"""
    for claim_id in (0, 1):
        assert isinstance(told(two_open(), doubts(CARA, claim_id, at=later(7)))[0], Challenged)


def test_a_claim_closes_when_the_turn_after_the_next_is_taken() -> None:
    """8.3.1"""
    given = after(two_open(*HANDS, "3C 3D"), lays(CARA, "4S", at=later(12)))

    assert [window.claim_id for window in given.windows] == [1, 2]
    with refused(Reason.CLAIM_CLOSED):
        decide(given, doubts(DAN, 0, at=later(12)))


def test_the_next_play_waits_for_the_newest_claim() -> None:
    """5.2, 8.3.1"""
    with refused(Reason.TOO_EARLY, not_before=later(11)):
        decide(two_open(*HANDS, "3C 3D"), lays(CARA, "4S", at=later(10)))


def test_who_laid_on_a_claim_may_not_doubt_it_any_more() -> None:
    """8.3.2"""
    with refused(CheatReason.LAID_ON_IT):
        decide(two_open(), doubts(BEN, 0, at=later(7)))
    with refused(CheatReason.LAID_ON_IT):
        decide(two_open(), by(BEN, Accept(0), at=later(7)))


def test_an_older_claim_costs_the_whole_pile_and_voids_the_newer_one() -> None:
    """8.3.3: only the doubted cards are shown."""
    shown, taken = told(two_open(), doubts(CARA, 0, at=later(7)))

    caras = CheatTurn(CARA, "3", until=later(67), left=598)
    assert shown == Challenged(0, ANNA, CARA, "A", cards("QS"), stands=False)
    assert taken == PileTaken(ANNA, cards("9C QS"), voids=(1,), turn=caras)
    with refused(Reason.CLAIM_CLOSED):
        decide(after(two_open(), doubts(CARA, 0, at=later(7))), doubts(ANNA, 1, at=later(8)))


def test_the_clock_after_a_doubt_waits_for_no_claim_that_went_with_the_pile() -> None:
    """4.5, 6.2, 8.3.3; but for one that is still open, where the pile stays."""
    quick = Pace(turn_time=5, min_open=5)
    pile = after(two_open(*HANDS, "3C 3D", pace=quick), doubts(CARA, 0, at=later(7)))
    stays = after(
        two_open(*HANDS, "3C 3D", pace=quick, penalty="forfeit", adults_only=True), doubts(CARA, 0, at=later(7))
    )

    assert awaits(pile) == Answers((CARA,), until=later(12))
    assert awaits(stays) == Answers((ANNA, CARA, DAN), until=later(16))


def test_the_clock_closes_only_the_older_claim() -> None:
    """5.4, 8.3.1: the play that the House makes for Cara locks Anna's, not Ben's."""
    given = two_open()

    with refused(Reason.TOO_LATE, closes_at=later(66)):
        decide(given, doubts(CARA, 0, at=later(66)))
    assert decide(given, doubts(ANNA, 1, at=later(66)))


def test_a_last_play_locks_the_older_claim() -> None:
    """7.4"""
    given = after(dealt("QS 7H", "9C", "4S 4H", window="extended"), lays(ANNA, "QS"))

    (claim,) = decide(given, lays(BEN, "9C", at=later(6)))
    assert isinstance(claim, Claimed)
    assert claim.locks == (0,)
    state = after(given, lays(BEN, "9C", at=later(6)))

    assert isinstance(state.phase, LastPlay)
    assert [window.claim_id for window in state.windows] == [1]
    with refused(Reason.CLAIM_CLOSED):
        decide(state, doubts(CARA, 0, at=later(7)))


def test_a_passed_turn_closes_claims_as_a_play_does() -> None:
    """8.1.4, 8.3.1: Ben passes, Anna's claim is still open; Cara plays, and it is not."""
    given = after(dealt(*HANDS, window="extended", hand="fixed7", stock="5C 5D"), lays(ANNA, "QS"))
    bens_pass = after(given, by(BEN, Pass(), at=later(6)))

    assert [window.claim_id for window in bens_pass.windows] == [0]
    assert decide(bens_pass, doubts(BEN, 0, at=later(7)))  # to pass is not to lay on it
    assert [w.claim_id for w in after(bens_pass, lays(CARA, "4S", at=later(7))).windows] == [1]


def test_who_passes_counts_as_having_accepted_what_stays_open() -> None:
    """5.2: Dan waits for Cara, who has not, but not for Ben."""
    given = after(dealt(*HANDS, "3C 3D", window="extended", hand="fixed7", stock="5C 5D"), lays(ANNA, "QS"))
    given = after(given, accepts(CARA, 0, at=later(1)), accepts(DAN, 0, at=later(1)), by(BEN, Pass(), at=later(2)))

    assert [window.accepted for window in given.windows] == [(CARA, DAN, BEN)]
    assert in_turn(after(given, lays(CARA, "4S", at=later(2)))) == DAN


# 8.4 jokers


@pytest.mark.parametrize(
    "mode, laid, stands",
    [
        ("shield", "** 9C", True),
        ("shield", "9C 9D", False),
        ("card", "** 9C", False),
        ("card", "** AC", True),
        ("card", "** **", True),
    ],
)
def test_a_joker_makes_a_play_true_or_only_itself(mode: str, laid: str, stands: bool) -> None:
    """8.4.2, 8.4.3: what breaks 32."""
    given = after(dealt(f"{laid} 7H", *HANDS[1:], jokers=2, joker_mode=mode), lays(ANNA, laid, "A"))

    shown, taken = told(given, doubts(CARA, 0))

    assert isinstance(shown, Challenged)
    assert isinstance(taken, PileTaken)
    assert shown.stands is stands
    assert taken.seat == (CARA if stands else ANNA)


# 8.5 forfeits


def forfeits(*hands: str, **chosen: Any) -> State:
    return dealt(*(hands or HANDS), penalty="forfeit", adults_only=True, **chosen)


def test_the_loser_of_a_challenge_gives_a_forfeit_and_takes_no_cards() -> None:
    """8.5.1, 8.5.2"""
    given = after(forfeits(), lays(ANNA, "QS"))

    _, given_up = told(given, doubts(CARA, 0, at=later(1)))

    bens = CheatTurn(BEN, "2", until=later(61), left=599)
    assert given_up == ForfeitGiven(ANNA, 1, back=None, out=False, locks=(), turn=bens)
    state = after(given, doubts(CARA, 0, at=later(1)))
    assert state.forfeits == (1, 0, 0)
    assert [claim.cards for claim in state.pile] == [cards("QS")]  # turned down again


def test_a_doubter_who_was_wrong_gives_the_forfeit() -> None:
    """8.5.1"""
    given = after(forfeits("AS 7H", *HANDS[1:]), lays(ANNA, "AS"))

    assert after(given, doubts(CARA, 0)).forfeits == (0, 0, 1)


def test_a_caught_last_play_is_taken_back_just_those_cards() -> None:
    """8.5.2"""
    given = after(forfeits("QS", *HANDS[1:]), lays(ANNA, "QS"))

    _, given_up = told(given, doubts(CARA, 0, at=later(1)))

    assert isinstance(given_up, ForfeitGiven)
    assert given_up.back == 0
    state = after(given, doubts(CARA, 0, at=later(1)))
    assert (state.hands[ANNA], state.pile, in_turn(state)) == (cards("QS"), (), BEN)


def test_other_claims_stay_open_where_the_pile_stays() -> None:
    """8.5.2, 8.6.2"""
    given = after(forfeits(*HANDS, "3C 3D", window="extended"), lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)))

    state = after(given, doubts(CARA, 0, at=later(7)))

    assert [window.claim_id for window in state.windows] == [1]
    assert isinstance(told(state, doubts(DAN, 1, at=later(8)))[0], Challenged)
    with refused(Reason.ALREADY_CHALLENGED):
        decide(state, doubts(DAN, 0, at=later(8)))


def test_one_forfeit_too_many_and_the_seat_is_out_of_the_round() -> None:
    """8.5.3"""
    given = after(forfeits(*HANDS, "3C 3D 3S", forfeit_limit=1), lays(ANNA, "QS"))

    state = after(given, doubts(CARA, 0, at=later(1)))

    assert state.playing == (BEN, CARA, DAN)
    assert state.hands[ANNA] == ()
    with refused(Reason.OUT_OF_ROUND):
        decide(after(state, lays(BEN, "9C", at=later(6))), doubts(ANNA, 1, at=later(6)))


def test_the_turn_of_who_is_out_is_taken_by_the_next_with_the_same_rank() -> None:
    """8.5.3: Ben is next, doubts wrongly, and is out."""
    given = after(forfeits("AS 7H 8H", *HANDS[1:], "3C 3D 3S", forfeit_limit=1), lays(ANNA, "AS"))

    state = after(given, doubts(BEN, 0, at=later(1)))

    assert (in_turn(state), due(state)) == (CARA, "2")


def test_the_open_claims_of_who_is_out_lock() -> None:
    """8.5.3: Anna doubts Ben, who has laid on her claim, and is wrong."""
    given = forfeits(*HANDS, "3C 3D 3S", window="extended", forfeit_limit=1)
    given = after(given, lays(ANNA, "QS"), lays(BEN, "2H", at=later(6)))

    _, given_up = told(given, doubts(ANNA, 1, at=later(7)))

    assert isinstance(given_up, ForfeitGiven)
    assert (given_up.seat, given_up.out, given_up.locks) == (ANNA, True, (0,))
    assert after(given, doubts(ANNA, 1, at=later(7))).windows == ()


def test_the_last_one_in_wins() -> None:
    """7.5, 8.5.3"""
    given = after(forfeits(forfeit_limit=1), lays(ANNA, "QS"), doubts(CARA, 0))
    given = after(given, lays(BEN, "9C", at=later(1)))

    _, given_up, over, _ = told(given, doubts(CARA, 1, at=later(2)))

    assert isinstance(given_up, ForfeitGiven)
    assert given_up.turn is None
    assert over == RoundOver(1, (CARA,), CheatEnding.LAST_IN, (2, 2, 0), (0, 0, 1), (2, 2, 0), deal_at=None)


def test_who_is_out_does_not_win_with_an_empty_hand() -> None:
    """8.5.3"""
    given = forfeits(*HANDS[:2], "4S", forfeit_limit=1)
    given = after(given, lays(ANNA, "QS"), doubts(CARA, 0), lays(BEN, "9C", at=later(1)))
    given = after(given, lays(CARA, "4S", at=later(6)))

    over = told(given, accepts(BEN, 2, at=later(7)))[2]

    assert isinstance(over, RoundOver)
    assert over.winners == (CARA,)


def test_the_cards_with_which_one_went_out_count() -> None:
    """8.5.4: nobody gets rid of a bad hand by losing."""
    given = after(
        forfeits(*HANDS[:2], "4S 4H 2S 5C", forfeit_limit=1, mode="penalty_points"),
        lays(ANNA, "QS"),
        doubts(CARA, 0),
        lays(BEN, "9C", at=later(1)),
        doubts(CARA, 1, at=later(1)),
    )

    assert given.points == (2, 2, 0)


# 8.6 fixed hand


def fixed(*hands: str, stock: str, **chosen: Any) -> State:
    return dealt(*(hands or HANDS), stock=stock, hand="fixed7", **chosen)


def test_seven_cards_each_and_the_rest_is_the_stock() -> None:
    """8.6.1"""
    state = settled(begin(options(hand="fixed7"), PACE, 3, None))

    assert [len(hand) for hand in state.hands] == [7, 7, 7]
    assert sorted((*sum(state.hands, ()), *state.stock)) == sorted(PACK)


def test_the_loser_of_a_challenge_draws_and_nobody_takes_the_pile() -> None:
    """8.6.2"""
    given = after(fixed(stock="5C 5D 5H 5S"), lays(ANNA, "QS"))

    _, owed, drawn = told(given, doubts(CARA, 0, at=later(1)))

    bens = CheatTurn(BEN, "2", until=later(61), left=599)
    assert owed == CardsOwed(ANNA, 3, back=None, turn=bens)
    assert isinstance(drawn, Drawn)
    assert (drawn.seat, len(drawn.cards), drawn.from_pile) == (ANNA, 3, ())
    state = after(given, doubts(CARA, 0, at=later(1)))
    assert (len(state.hands[ANNA]), len(state.stock), len(state.pile), in_turn(state)) == (5, 1, 1, BEN)


def test_who_passes_draws_a_card() -> None:
    """8.6.3"""
    given = fixed(stock="5C 5D")

    passed, drawn = told(given, by(ANNA, Pass()))

    assert passed == Passed(ANNA, (), 1, CheatTurn(BEN, "2", until=later(60), left=599))
    assert isinstance(drawn, Drawn)
    assert len(drawn.cards) == 1


def test_where_nothing_can_be_drawn_nobody_passes() -> None:
    """8.6.3: an open claim's cards do not count, but those that passing locks do."""
    with refused(CheatReason.NOTHING_TO_DRAW):
        decide(fixed(stock=""), by(ANNA, Pass()))
    locks_annas = after(fixed(stock=""), lays(ANNA, "QS"))
    assert told(locks_annas, by(BEN, Pass(), at=later(6)))[1] == Drawn(BEN, cards("QS"), cards("QS"), draw=1)
    keeps_annas = after(fixed(stock="", window="extended"), lays(ANNA, "QS"))
    with refused(CheatReason.NOTHING_TO_DRAW):
        decide(keeps_annas, by(BEN, Pass(), at=later(6)))


def test_a_short_stock_is_filled_up_with_the_pile_but_its_open_claims() -> None:
    """8.6.4: what breaks 21: the claim stays judged by its own cards."""
    given = after(fixed(*HANDS, "3C 3D", stock="5C", window="extended"), lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)))

    _, _, drawn = told(given, doubts(DAN, 1, at=later(7)))

    assert isinstance(drawn, Drawn)
    assert drawn.cards == cards("5C 9C")  # the stock, then what came under it; and then there is no more
    assert drawn.from_pile == cards("9C")
    state = after(given, doubts(DAN, 1, at=later(7)))
    assert [claim.cards for claim in state.pile] == [cards("QS")]
    assert isinstance(told(state, doubts(CARA, 0, at=later(8)))[0], Challenged)


def test_a_caught_last_play_is_taken_back_and_then_one_draws() -> None:
    """8.6.5"""
    given = after(fixed("QS", *HANDS[1:], stock="5C 5D 5H"), lays(ANNA, "QS"))

    state = after(given, doubts(CARA, 0, at=later(1)))

    assert state.hands[ANNA] == cards("QS 5C 5D 5H")
    assert in_turn(state) == BEN


def test_a_true_last_play_wins_after_its_doubter_has_drawn() -> None:
    """7.3, 8.6.2"""
    given = after(fixed("AS", *HANDS[1:], stock="5C 5D 5H"), lays(ANNA, "AS"))

    _, owed, drawn, over, _ = told(given, doubts(CARA, 0, at=later(1)))

    assert owed == CardsOwed(CARA, 3, back=None, turn=None)
    assert isinstance(drawn, Drawn)
    assert isinstance(over, RoundOver)
    assert (over.winners, over.penalties) == ((ANNA,), (0, 3, 6))


def test_which_card_is_drawn_is_not_known_before() -> None:
    """8.6.6: a stock is a set; the same table with another draw gives another card."""
    given = fixed(stock=" ".join(card for card in PACK if card not in " ".join(HANDS)))
    owing = fold(evolve, given, decide(given, by(ANNA, Pass())))

    drawn = {draw(owing, Chance(bytes([n]) * 32, "0" * 36, b"")).cards for n in range(20)}
    assert len(drawn) > 5


def test_what_comes_from_under_the_stock_is_shuffled_too() -> None:
    """8.6.4, 8.6.6"""
    given = fixed("QS 7H 2C", *HANDS[1:], stock="")
    given = after(given, lays(ANNA, "QS 7H"), lays(BEN, "9C KD", at=later(6)), lays(CARA, "4S 4H", at=later(12)))
    owing = fold(evolve, given, decide(given, by(ANNA, Pass(), at=later(18))))

    drawn = {draw(owing, Chance(bytes([n]) * 32, "0" * 36, b"")).cards for n in range(20)}
    assert len(drawn) > 3


def test_nobody_but_the_house_draws_and_only_when_it_is_due() -> None:
    """8.6.6"""
    given = fixed(stock="5C")
    owing = fold(evolve, given, decide(given, by(ANNA, Pass())))

    for who, when in ((ANNA, given), (HOUSE, given), (ANNA, owing)):
        with refused(Reason.NOT_NOW):
            decide(when, by(who, Draw(cards("5C"), (), 1)))
    assert decide(owing, by(HOUSE, Draw(cards("5C"), (), 1)))


def test_nobody_comes_in_between_a_lost_challenge_and_its_price() -> None:
    """8.6.2: the House draws at once."""
    given = after(fixed(*HANDS, "3C 3D", stock="5C", window="extended"), lays(ANNA, "QS"), lays(BEN, "9C", at=later(6)))
    owing = fold(evolve, given, decide(given, doubts(DAN, 1, at=later(7))))

    with refused(Reason.NOT_NOW):
        decide(owing, doubts(CARA, 0, at=later(7)))


def test_accepting_goes_on_after_a_draw() -> None:
    """5.3, 8.6.2: Anna's claim is still open after Ben's was doubted."""
    given = after(
        fixed(*HANDS, stock="5C 5D 5H", window="extended"),
        lays(ANNA, "QS"),
        lays(BEN, "9C", at=later(6)),
        doubts(ANNA, 1, at=later(7)),
    )

    assert isinstance(given.phase, InTurn)
    assert awaits(after(given, accepts(CARA, 0, at=later(8)))) == Answers((CARA,), until=later(67))
    assert house(given, Chance(b"", "", b"")).for_seat == CARA
