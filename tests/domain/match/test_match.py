"""What happens around any game: who sits, when it begins, whose time ran out, when it is over."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Raw, structs
from msgspec.structs import replace

from domain import history
from domain.games.cheat import CHEAT
from domain.games.cheat.actions import Play, TimeOut
from domain.kernel.game import HOUSE, Answers, Command, HouseNow, Over, Pace, Refused, Seat
from domain.match import actions, events
from domain.match.clock import SANDBOX_START, Clock
from domain.match.decider import AnyState, awaits, decide, evolve, house, open_match, step
from domain.match.envelope import Envelope, encode
from domain.match.state import Finished, Lobby, Void

ANNA, BEN, CARA = map(Seat, range(3))
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SEED = bytes(32)
DICE = b"anna's dice"
STACKED = Raw(b'{"dealer":2,"hands":[["AS","7H"],["2D"],["3C"]]}')


def opened(**other: Any) -> AnyState:
    opening = actions.Open(
        match="8347bdbf-9a48-47ab-a57c-1cdf79bfecc5",
        game="cheat",
        rules_version=1,
        seats=3,
        options=Raw(b"{}"),
        pace=Pace(),
        leaving="bot",
        fill=None,
        access="public",
        sandbox=False,
        deal=STACKED,
        seed_commitment=hashlib.sha256(SEED).hexdigest(),
        host="anna",
        open_until=NOON + timedelta(hours=24),
    )
    return evolve(CHEAT, None, open_match(replace(opening, **other))[0])


def sit(player: str, **other: Any) -> actions.Sit:
    return actions.Sit(**{"player": player, "asked_by": player, **other})


def after(state: AnyState, *acts: Any, by: Seat = HOUSE, at: datetime = NOON) -> AnyState:
    """Whatever these make happen, and what the House owes the table at once."""
    for act in acts:
        for event in decide(CHEAT, state, Command(by, at, act)):
            state = step(CHEAT, state, by, event)
        while isinstance(awaits(CHEAT, state), HouseNow):
            for event in decide(CHEAT, state, Command(HOUSE, at, house(CHEAT, state, SEED))):
                state = step(CHEAT, state, HOUSE, event)
    return state


def seated(**other: Any) -> AnyState:
    return after(opened(**other), sit("anna"), sit("ben"), sit("cara"))


def dealt_round(table: AnyState) -> int:
    assert table.game is not None
    number: int = table.game.round
    return number


def refused(state: AnyState, act: Any, by: Seat = HOUSE, at: datetime = NOON) -> str:
    with pytest.raises(Refused) as no:
        decide(CHEAT, state, Command(by, at, act))
    return str(no.value.reason)


def test_everybody_gets_the_first_free_seat_or_the_one_he_names() -> None:
    table = after(opened(), sit("anna"), sit("ben", seat=CARA), sit("cara"))

    assert [chair.player for chair in table.chairs] == ["anna", "cara", "ben"]


@pytest.mark.parametrize(
    "act, reason",
    [
        (sit("anna"), "already_seated"),
        (sit("dan", seat=ANNA), "seat_taken"),
        (sit("dan", seat=Seat(7)), "no_such_seat"),
        (sit("dan", bot="careful"), "not_host"),
        (actions.Start("ben"), "not_host"),
        (actions.Start("anna"), "seats_empty"),
        (actions.Leave("anna", BEN), "not_your_seat"),
        (actions.Leave("anna", Seat(9)), "no_such_seat"),
        (actions.RevealEntropy("00"), "not_started"),
        (actions.TurnClock("anna", 5), "not_sandbox"),
        (actions.Expire(), "too_early"),
        (Play(("AS",)), "not_started"),
    ],
)
def test_what_is_refused_while_the_table_is_open(act: Any, reason: str) -> None:
    table = after(opened(), sit("anna"), sit("ben"))

    assert refused(table, act, by=ANNA if isinstance(act, Play) else HOUSE) == reason


def test_a_full_table_has_no_seat_and_a_running_match_takes_nobody() -> None:
    assert refused(seated(), sit("dan")) == "no_seat_free"
    assert refused(after(seated(), actions.Start("anna")), sit("dan")) == "not_open"


def test_empty_seats_are_played_by_bots_if_the_match_says_so() -> None:
    table = after(opened(fill="careful"), sit("anna"), actions.Start("anna"))

    assert [chair.bot for chair in table.chairs] == [None, "careful", "careful"]
    assert table.status == "playing"


def test_the_host_who_leaves_the_open_table_hands_it_on() -> None:
    table = after(opened(), sit("anna"), sit("ben"), actions.Leave("anna", ANNA))

    assert table.host == "ben"
    assert table.chairs[ANNA].free


def test_who_leaves_is_played_for_by_a_bot_and_may_come_back_to_that_seat_only() -> None:
    gone = after(after(seated(), actions.Start("anna")), actions.Leave("ben", BEN), by=BEN)

    assert gone.chairs[BEN].bot is not None
    assert refused(gone, sit("ben", seat=CARA)) == "only_your_old_seat"
    back = after(gone, sit("ben"))
    assert (back.chairs[BEN].player, back.chairs[BEN].bot) == ("ben", None)


def test_where_cards_leave_play_who_left_is_gone() -> None:
    gone = after(after(seated(leaving="cards_leave"), actions.Start("anna")), actions.Leave("cara", CARA), by=CARA)

    assert gone.chairs[CARA].gone
    assert refused(gone, sit("cara")) == "seat_gone"


def test_nobody_committed_and_the_deal_comes_at_once() -> None:
    assert dealt_round(after(seated(), actions.Start("anna"))) == 1


def test_committed_entropy_is_waited_for_and_then_mixed_into_the_luck() -> None:
    commitment = hashlib.sha256(DICE).hexdigest()
    table = after(opened(), sit("anna", entropy_commitment=commitment), sit("ben"), sit("cara"), actions.Start("anna"))

    assert awaits(CHEAT, table) == Answers((ANNA,), NOON + timedelta(seconds=10))
    assert refused(table, actions.RevealEntropy("00"), by=ANNA) == "wrong_entropy"
    assert refused(table, actions.RevealEntropy("00"), by=BEN) == "nothing_committed"
    late = NOON + timedelta(seconds=10)
    assert refused(table, actions.RevealEntropy(DICE.hex()), by=ANNA, at=late) == "too_late"
    assert refused(table, actions.SettleEntropy()) == "too_early"
    played = after(table, actions.RevealEntropy(DICE.hex()), by=ANNA)
    assert played.entropy == hashlib.sha256(DICE).digest()
    assert dealt_round(played) == 1


def test_who_does_not_reveal_in_time_is_left_out() -> None:
    commitment = hashlib.sha256(DICE).hexdigest()
    table = after(opened(), sit("anna", entropy_commitment=commitment), sit("ben"), sit("cara"), actions.Start("anna"))

    late = after(table, actions.SettleEntropy(), at=NOON + timedelta(seconds=10))

    assert late.entropy == hashlib.sha256(b"").digest()


def test_the_match_is_void_if_nobody_starts_it() -> None:
    table = after(opened(), actions.Expire(), at=NOON + timedelta(hours=24))

    assert table.phase == Void("never_started")
    assert refused(table, sit("anna")) == "match_over"


def test_the_house_acts_for_who_ran_out_of_time_and_the_log_says_so() -> None:
    table = after(seated(), actions.Start("anna"))

    happened = decide(CHEAT, table, Command(HOUSE, NOON + timedelta(seconds=60), actions.ActFor(ANNA, TimeOut(ANNA))))

    assert happened[0] == events.TimedOut(ANNA)
    assert len(happened) == 2


def test_the_match_is_abandoned_when_the_house_has_acted_three_times_for_each() -> None:
    table, at = after(seated(deal=events.NO_DEAL), actions.Start("anna")), NOON
    for _ in range(9):
        assert table.status == "playing"
        waited = awaits(CHEAT, table)
        assert isinstance(waited, Answers)
        assert waited.until is not None
        at = waited.until
        table = after(table, house(CHEAT, table, SEED), at=at)

    assert isinstance(table.phase, Finished)
    assert (table.phase.reason, table.phase.winners, table.phase.seed) == ("abandoned", (), SEED.hex())


def test_a_seat_that_plays_itself_starts_the_count_anew() -> None:
    table = after(seated(), actions.Start("anna"))
    idle = step(CHEAT, table, HOUSE, events.TimedOut(ANNA))

    assert idle.idle == 1
    played = decide(CHEAT, idle, Command(ANNA, NOON, Play(("AS",))))
    assert step(CHEAT, idle, ANNA, played[0]).idle == 0
    assert step(CHEAT, idle, ANNA, events.ClockTurned(NOON)).idle == 1


def test_what_not_everybody_hears_of_interrupts_no_count() -> None:
    """When a match is abandoned, that tells of no act that was silent."""
    silent = structs.replace(CHEAT, unheard=lambda event: True)
    table = after(seated(), actions.Start("anna"))
    idle = step(silent, table, HOUSE, events.TimedOut(ANNA))

    played = decide(silent, idle, Command(ANNA, NOON, Play(("AS",))))

    assert step(silent, idle, ANNA, played[0]).idle == 1


def test_the_seed_is_published_when_the_match_is_over_and_fits_its_commitment() -> None:
    table = after(seated(deal=Raw(b'{"dealer":2,"hands":[["AS"],["2D"],["3C"]]}')), actions.Start("anna"))
    table = after(table, Play(("AS",)), by=ANNA)
    over = after(table, house(CHEAT, table, SEED), at=NOON + timedelta(seconds=30))

    assert isinstance(over.phase, Finished)
    assert (over.phase.winners, over.phase.reason) == ((ANNA,), "won")
    assert hashlib.sha256(bytes.fromhex(over.phase.seed or "")).hexdigest() == over.seed_commitment
    assert awaits(CHEAT, over) == Over((ANNA,), over.phase.scores)
    assert house(CHEAT, over, SEED) is None


def test_a_sandbox_clock_stands_until_its_host_turns_it() -> None:
    table = seated(sandbox=True)

    assert table.clock.match_time(NOON) == SANDBOX_START
    assert refused(table, actions.TurnClock("ben", 5)) == "not_host"
    turned = after(table, actions.TurnClock("anna", 1500), at=SANDBOX_START)
    assert turned.clock.match_time(NOON) == SANDBOX_START + timedelta(seconds=1.5)
    assert turned.clock.wall_time(NOON) is None


def test_match_time_is_wall_time_less_what_the_match_stood_still() -> None:
    second = timedelta(seconds=1)
    clock = Clock().stand_still(NOON, NOON + 10 * second)

    assert clock.match_time(NOON - second) == NOON - second
    assert clock.match_time(NOON + 5 * second) == NOON  # received while it stood
    assert clock.match_time(NOON + 12 * second) == NOON + 2 * second
    assert clock.wall_time(NOON + 2 * second) == NOON + 12 * second
    twice = clock.stand_still(NOON + 20 * second, NOON + 25 * second)
    assert twice.match_time(NOON + 30 * second) == NOON + 15 * second
    assert twice.match_time(NOON + 22 * second) == NOON + 10 * second


def test_only_a_match_that_plays_stands_still() -> None:
    still = actions.StandStill(NOON, NOON + timedelta(seconds=9))

    assert refused(opened(), still) == "not_now"
    table = after(after(seated(), actions.Start("anna")), still)
    assert table.clock.lag == timedelta(seconds=9)


EXAMPLES: tuple[events.Event, ...] = (
    open_match(
        actions.Open(
            match="m",
            game="cheat",
            rules_version=1,
            seats=3,
            options=Raw(b"{}"),
            pace=Pace(),
            leaving="bot",
            fill=None,
            access="code",
            sandbox=True,
            deal=STACKED,
            seed_commitment="00",
            host="anna",
            open_until=NOON,
        )
    )[0],
    events.Seated(seat=ANNA, player="anna", bot=None, name_digest="00", entropy_commitment=None),
    events.Left(seat=ANNA, bot="careful"),
    events.HostChanged("ben"),
    events.Started(NOON),
    events.EntropyRevealed(ANNA, "00"),
    events.EntropySettled("00", (BEN,)),
    events.StoodStill(NOON, NOON, "outage"),
    events.ClockTurned(NOON),
    events.TimedOut(ANNA),
    events.Ended((ANNA,), (1, 0, 0), "won"),
    events.SeedRevealed("00"),
    events.Voided("never_started"),
    events.DisputeRaised(dispute="d", seat=ANNA, seq=7, reason="timing", text_digest="00"),
    events.Paused(NOON, "dispute"),
    events.RefereeAssigned("d", "rita"),
    events.SealBroken(by="rita", reason="dispute"),
    events.Ruled(dispute="d", referee="rita", ruling="branch", rules=("7.2",), text_digest=None, branch="n"),
    events.Superseded("n"),
    events.Branched(of="m", log_head="00", referee="rita", began=NOON),
)


def test_every_event_survives_being_stored() -> None:
    assert {type(event) for event in EXAMPLES} == set(get_args(events.Event))
    for event in EXAMPLES:
        stored = encode(Envelope("m", 1, NOON, NOON, ANNA, event))
        assert encode(history.read(CHEAT, stored)) == stored


def test_an_unknown_event_is_not_read_as_something_else() -> None:
    stored = encode(Envelope("m", 1, NOON, NOON, ANNA, events.TimedOut(ANNA))).replace(b"timed_out", b"timed_in")

    with pytest.raises(msgspec.ValidationError):
        history.read(CHEAT, stored)


def test_a_lobby_waits_for_nobody_in_particular() -> None:
    table = opened()

    assert isinstance(table.phase, Lobby)
    assert awaits(CHEAT, table) == Answers((), NOON + timedelta(hours=24))
