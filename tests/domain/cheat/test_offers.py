"""What a client is told that it may do: enough to play without knowing a rule."""

from __future__ import annotations

import msgspec

from domain.games.cheat.actions import ProposePass
from domain.games.cheat.offers import offers
from domain.kernel.cards import RANKS, cards
from domain.kernel.game import Seat
from domain.kernel.offers import Bound, Choose, Offer, OneOf
from tests.domain.at_table import later
from tests.domain.cheat.table import (
    ANNA,
    BEN,
    CARA,
    accepts,
    after,
    by,
    dealt,
    lays,
    ready,
)

HANDS = ("QS 7H", "KD 9C 2H 3H 4H", "4S 4C 2S")
CLAIM: dict[str, Bound] = {"claim_id": OneOf((0,))}


def test_the_first_play() -> None:
    play = Offer(
        "cheat.play",
        {"cards": Choose(cards("7H QS"), 1, 2), "rank": OneOf(("A",), optional=True)},
        until=later(60),
    )

    assert offers(dealt(*HANDS), ANNA) == (play,)
    assert offers(dealt(*HANDS), BEN) == ()


def test_who_is_next_may_play_later_and_doubt_now() -> None:
    """Four cards at most, and from when on; the newest claim can be doubted until his own clock ends."""
    given = after(dealt(*HANDS), lays(ANNA, "7H"))

    assert offers(given, BEN) == (
        Offer(
            "cheat.play",
            {"cards": Choose(cards("2H 3H 4H 9C KD"), 1, 4), "rank": OneOf(("2",), optional=True)},
            not_before=later(5),
            until=later(60),
        ),
        Offer("cheat.challenge", CLAIM, until=later(60)),
        Offer("cheat.accept", CLAIM, until=later(60)),
    )


def test_who_has_accepted_may_still_doubt() -> None:
    given = after(dealt(*HANDS), lays(ANNA, "7H"), accepts(CARA, 0))

    assert offers(given, CARA) == (Offer("cheat.challenge", CLAIM, until=later(60)),)


def test_where_ranks_are_free_all_are_offered_and_one_must_be_named() -> None:
    (play,) = offers(dealt(*HANDS, rank_mode="free"), ANNA)

    assert play.fields["rank"] == OneOf(RANKS)


def test_passing_is_offered_where_it_is_allowed() -> None:
    fixed = dealt(*HANDS, hand="fixed7", stock="5C")
    asking = dealt(*HANDS, pass_rule="unanimous")
    asked = after(asking, by(ANNA, ProposePass()))

    assert Offer("cheat.pass", {}, until=later(60)) in offers(fixed, ANNA)
    assert Offer("cheat.propose_pass", {}, until=later(60)) in offers(asking, ANNA)
    proposal: dict[str, Bound] = {"proposal_id": OneOf((0,))}
    assert offers(asked, ANNA) == ()
    assert offers(asked, BEN) == (
        Offer("cheat.consent_pass", proposal, until=later(10)),
        Offer("cheat.refuse_pass", proposal, until=later(10)),
    )


def test_between_rounds_one_may_say_that_one_is_ready() -> None:
    given = after(dealt("QS", *HANDS[1:], mode="first_to"), lays(ANNA, "QS"), accepts(BEN, 0), accepts(CARA, 0))
    given = after(given, ready(BEN, at=later(1)))

    assert [offers(given, Seat(seat)) for seat in range(3)] == [
        (Offer("cheat.accept_round", {}, until=later(5)),),
        (),
        (Offer("cheat.accept_round", {}, until=later(5)),),
    ]


def test_an_offer_goes_over_the_wire_as_the_design_says() -> None:
    (play,) = offers(dealt(*HANDS), ANNA)

    assert msgspec.json.decode(msgspec.json.encode(play)) == {
        "type": "cheat.play",
        "until": "2026-01-01T12:01:00Z",
        "fields": {
            "cards": {"choose": ["7H", "QS"], "min": 1, "max": 2},
            "rank": {"one_of": ["A"], "optional": True},
        },
    }
