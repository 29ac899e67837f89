"""Somebody asks a referee: who may, what it does to the clock, who may rule, and what follows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from domain.games.cheat import CHEAT
from domain.games.cheat.actions import Play
from domain.kernel import rulebook
from domain.kernel.game import HOUSE, Answers, Command, Seat
from domain.match import actions, events
from domain.match.branching import Happened, branch_point, branched, opened_again
from domain.match.decider import AnyState, awaits, decide, evolve, house, open_match, step
from domain.match.disputes import OFFICIAL, OPEN_TO_DISPUTES
from domain.match.state import Superseded, Void
from tests.domain.match.test_match import ANNA, BEN, CARA, NOON, SEED, STACKED, after, opened, refused, seated, sit

LATER = NOON + timedelta(seconds=20)
HOUR = timedelta(hours=1)


def playing(**other: Any) -> AnyState:
    return after(seated(**other), actions.Start("anna"))


def raises(reason: Any = "timing", dispute: str = "d1", **more: Any) -> actions.RaiseDispute:
    return actions.RaiseDispute(dispute=dispute, reason=reason, **more)


def disputed(**other: Any) -> AnyState:
    """Anna has asked, and Rita has taken it."""
    table = after(playing(**other), raises(seq=5), by=ANNA, at=LATER)
    return after(table, actions.Assign(dispute="d1", referee="rita"), by=OFFICIAL, at=LATER)


def rules(ruling: Any, **more: Any) -> actions.Rule:
    said = {"dispute": "d1", "referee": "rita", "rules": ("4.1",), "now": LATER + HOUR, "seed": SEED.hex(), **more}
    return actions.Rule(ruling=ruling, **said)


def happened(state: AnyState, act: Any, by: Seat = OFFICIAL, at: Any = LATER) -> list[type]:
    return [type(event) for event in decide(CHEAT, state, Command(by, at, act))]


def over() -> AnyState:
    """Anna has won, one minute after it began."""
    table = playing(deal=Raw(b'{"dealer":2,"hands":[["AS"],["2D"],["3C"]]}'))
    table = after(table, Play(("AS",)), by=ANNA)
    end = NOON + timedelta(minutes=1)
    while (act := house(CHEAT, table, SEED)) is not None:
        for event in decide(CHEAT, table, Command(HOUSE, end, act)):
            table = step(CHEAT, table, HOUSE, event, end)
    return table


def test_a_seat_asks_a_referee_and_the_match_goes_on() -> None:
    table = after(playing(), raises(seq=5, text_digest="00"), by=BEN)

    (dispute,) = table.disputes
    assert (dispute.seat, dispute.seq, dispute.reason, dispute.referee) == (BEN, 5, "timing", None)
    assert table.paused is None
    assert happened(table, Play(("AS",)), by=ANNA)


def test_a_match_that_was_opened_so_stands_still_for_a_dispute() -> None:
    table = after(playing(pause_on_dispute=True), raises(), by=BEN, at=LATER)

    assert table.paused == "dispute"
    assert table.clock.match_time(LATER + HOUR) == LATER
    assert table.clock.wall_time(LATER) is None
    assert refused(table, Play(("AS",)), by=ANNA, at=LATER) == "match_paused"
    assert refused(table, actions.Leave("ben", BEN), by=BEN, at=LATER) == "match_paused"
    assert isinstance(waits := awaits(CHEAT, table), Answers)
    assert waits.until == NOON + timedelta(seconds=60)


def test_nobody_is_owed_anything_by_the_house_while_the_clock_stands() -> None:
    begun = evolve(CHEAT, evolve(CHEAT, seated(), events.Started(None)), events.Paused(NOON, "branch"))

    assert awaits(CHEAT, begun) == Answers((), None)


def test_after_the_ruling_everybody_has_the_time_that_was_left() -> None:
    table = after(disputed(pause_on_dispute=True), rules("dismissed"), by=OFFICIAL, at=LATER)

    assert (table.paused, table.disputes) == (None, ())
    assert table.clock.match_time(LATER + HOUR) == LATER
    assert table.clock.wall_time(NOON + timedelta(seconds=60)) == NOON + HOUR + timedelta(seconds=60)
    assert happened(table, Play(("AS",)), by=ANNA)


def test_a_sandbox_clock_cannot_be_turned_while_it_stands() -> None:
    table = after(playing(sandbox=True, pause_on_dispute=True), raises(), by=BEN)

    assert refused(table, actions.TurnClock("anna", 5)) == "match_paused"
    going = after(table, actions.Resume(referee="rita", now=LATER), by=OFFICIAL)
    assert happened(going, actions.TurnClock("anna", 5)) == [events.ClockTurned]


def test_a_sandbox_stands_still_for_no_time() -> None:
    paused = disputed(sandbox=True, pause_on_dispute=True)
    branch = evolve(CHEAT, paused, branched(paused, of="m", log_head="00", referee="rita", at=LATER))
    resume = Command(OFFICIAL, LATER, actions.Resume(referee="rita", now=LATER + HOUR))

    assert decide(CHEAT, paused, resume) == (events.StoodStill(LATER, LATER, "dispute", "rita"),)
    assert decide(CHEAT, branch, resume) == (events.StoodStill(LATER, LATER, "branch", "rita"),)
    _, goes_on = decide(CHEAT, paused, Command(OFFICIAL, LATER, rules("dismissed")))
    assert goes_on == events.StoodStill(LATER, LATER, "dispute")


def test_while_two_have_asked_the_clock_stands_until_both_are_answered() -> None:
    table = after(playing(pause_on_dispute=True), raises(), by=BEN, at=LATER)
    table = after(table, raises(dispute="d2"), by=CARA, at=LATER)
    for dispute in ("d1", "d2"):
        table = after(table, actions.Assign(dispute=dispute, referee="rita"), by=OFFICIAL, at=LATER)

    once = after(table, rules("upheld"), by=OFFICIAL, at=LATER)
    assert once.paused == "dispute"
    twice = after(once, rules("dismissed", dispute="d2"), by=OFFICIAL, at=LATER)
    assert twice.paused is None


def test_a_referee_may_let_the_clock_go_on_before_he_rules() -> None:
    table = after(disputed(pause_on_dispute=True), actions.Resume(referee="rita", now=LATER + HOUR), by=OFFICIAL)

    assert table.paused is None
    assert len(table.disputes) == 1
    assert refused(table, actions.Resume(referee="rita", now=LATER + HOUR), by=OFFICIAL) == "not_paused"
    assert events.StoodStill not in happened(table, rules("dismissed"))


def test_who_sits_has_one_open_dispute_and_three_in_all() -> None:
    table = playing()
    for number in range(3):
        name = f"d{number}"
        table = after(table, raises(dispute=name), by=BEN)
        assert refused(table, raises(dispute="more"), by=BEN) == "dispute_open"
        table = after(table, actions.Assign(dispute=name, referee="rita"), by=OFFICIAL)
        table = after(table, rules("dismissed", dispute=name), by=OFFICIAL)

    assert refused(table, raises(dispute="d3"), by=BEN) == "too_many_disputes"
    assert happened(table, raises(dispute="d3"), by=CARA)


def test_the_house_may_ask_as_well() -> None:
    (dispute,) = after(playing(), raises("anomaly")).disputes

    assert dispute.seat is None


def test_a_match_is_open_to_disputes_until_a_week_after_its_end() -> None:
    table = over()
    end = NOON + timedelta(minutes=1)

    assert happened(table, raises(), by=BEN, at=end + OPEN_TO_DISPUTES - timedelta(microseconds=1))
    assert refused(table, raises(), by=BEN, at=end + OPEN_TO_DISPUTES) == "too_late"
    assert refused(seated(), raises(), by=BEN) == "not_started"
    never = after(opened(), actions.Expire(), at=NOON + timedelta(hours=24))
    assert refused(never, raises(), by=BEN) == "not_started"


def test_who_sits_or_sat_here_is_no_referee_and_breaks_no_seal() -> None:
    """Cara left before the match began: she still sat here."""
    table = after(opened(), sit("anna"), sit("ben"), sit("cara"), actions.Leave("cara", CARA), sit("dan"))
    table = after(after(table, actions.Start("anna")), raises(), by=BEN)

    for player in ("anna", "cara", "dan"):
        assert refused(table, actions.Assign(dispute="d1", referee=player), by=OFFICIAL) == "sat_here"
        assert refused(table, actions.BreakSeal(by=player, reason="dispute"), by=OFFICIAL) == "sat_here"
        assert refused(table, actions.Resume(referee=player, now=LATER), by=OFFICIAL) == "sat_here"


def test_a_dispute_has_one_referee_until_another_takes_it_instead() -> None:
    table = disputed()

    assert refused(table, actions.Assign(dispute="d1", referee="rudi"), by=OFFICIAL) == "already_assigned"
    assert refused(table, actions.Assign(dispute="d1", referee="rita", instead=True), by=OFFICIAL) == "already_assigned"
    instead = after(table, actions.Assign(dispute="d1", referee="rudi", instead=True), by=OFFICIAL)
    assert refused(instead, rules("dismissed"), by=OFFICIAL) == "not_assigned"
    assert happened(instead, rules("dismissed", referee="rudi")) == [events.Ruled]


def test_of_two_rulings_the_first_counts() -> None:
    assert refused(after(disputed(), rules("dismissed"), by=OFFICIAL), rules("void"), by=OFFICIAL) == "dispute_closed"


@pytest.mark.parametrize("cited, reason", [((), "no_rule_cited"), (("4.1", "99.9"), "no_such_rule")])
def test_a_ruling_stands_on_rules_that_there_are(cited: tuple[str, ...], reason: str) -> None:
    assert refused(disputed(), rules("dismissed", rules=cited), by=OFFICIAL) == reason
    assert {"4.1", "8.1.1"} <= rulebook.numbers(CHEAT.rules)
    assert "4" not in rulebook.numbers(CHEAT.rules)


def test_a_match_that_is_void_publishes_its_seed_and_ends_the_pause() -> None:
    table = disputed(pause_on_dispute=True)

    assert happened(table, rules("void")) == [events.Ruled, events.StoodStill, events.Voided, events.SeedRevealed]
    void = after(table, rules("void"), by=OFFICIAL, at=LATER)
    assert void.phase == Void("ruled", SEED.hex())
    assert void.status == "void"
    assert house(CHEAT, void, SEED) is None
    assert refused(void, Play(("AS",)), by=ANNA) == "match_over"


def test_a_match_that_was_won_can_be_void_afterwards() -> None:
    table = after(over(), raises(), by=BEN, at=LATER)
    table = after(table, actions.Assign(dispute="d1", referee="rita"), by=OFFICIAL)

    assert happened(table, rules("void")) == [events.Ruled, events.Voided]
    assert after(table, rules("void"), by=OFFICIAL).phase == Void("ruled", SEED.hex())


def test_who_breaks_the_seal_does_it_once_and_before_the_end() -> None:
    table = after(playing(), actions.BreakSeal(by="rita", reason="dispute"), by=OFFICIAL)

    assert table.seal_broken_by == ("rita",)
    assert refused(table, actions.BreakSeal(by="rita", reason="complaint"), by=OFFICIAL) == "seal_broken"
    assert refused(over(), actions.BreakSeal(by="rita", reason="complaint"), by=OFFICIAL) == "match_over"


def test_no_seal_is_broken_while_one_can_still_sit_down() -> None:
    """Rita would know what lies there, and sit down to play."""
    assert refused(after(opened()), actions.BreakSeal(by="rita", reason="dispute"), by=OFFICIAL) == "not_started"


def test_the_seal_of_a_match_that_goes_on_as_a_branch_stays_whole() -> None:
    """Who plays the branch, with the same cards, would not be told that somebody sees them."""
    ended = after(disputed(), rules("branch", branch="n"), by=OFFICIAL)

    assert refused(ended, actions.BreakSeal(by="rudi", reason="dispute"), by=OFFICIAL) == "superseded"


def test_a_match_that_is_branched_ends_without_its_seed() -> None:
    table = disputed(pause_on_dispute=True)

    assert happened(table, rules("branch", branch="n")) == [events.Ruled, events.StoodStill, events.Superseded]
    ended = after(table, rules("branch", branch="n"), by=OFFICIAL, at=LATER)
    assert (ended.phase, ended.status) == (Superseded("n"), "superseded")
    for action in (Play(("AS",)), actions.Leave("anna", ANNA), actions.Start("anna"), sit("anna")):
        assert refused(ended, action, by=ANNA) == "superseded"
    assert refused(ended, raises(), by=BEN) == "superseded"
    assert refused(table, rules("branch"), by=OFFICIAL) == "no_branch_point"


def test_what_else_is_open_in_a_match_that_is_branched_can_only_be_closed() -> None:
    table = after(disputed(), raises(dispute="d2"), by=CARA)
    table = after(table, actions.Assign(dispute="d2", referee="rita"), by=OFFICIAL)
    ended = after(table, rules("branch", branch="n"), by=OFFICIAL)

    for ruling in ("void", "branch"):
        assert refused(ended, rules(ruling, dispute="d2", branch="n"), by=OFFICIAL) == "superseded"
    assert happened(ended, rules("dismissed", dispute="d2")) == [events.Ruled]


def test_a_match_whose_secrets_are_out_is_branched_at_a_deal_or_not_at_all() -> None:
    table = after(over(), raises(), by=BEN, at=LATER)
    table = after(table, actions.Assign(dispute="d1", referee="rita"), by=OFFICIAL)

    assert refused(table, rules("branch", branch="n"), by=OFFICIAL) == "secrets_out"
    assert happened(table, rules("branch", branch="n", at_deal=True)) == [events.Ruled, events.Superseded]


# ── from where a branch goes on ─────────────────────────────────────────────


def story() -> list[Happened]:
    """Anna, Ben and Cara sit down, Anna starts and lays a card; who looks on is told all of it."""
    told: list[Happened] = []
    opening = open_match(
        actions.Open(
            match="m",
            game="cheat",
            rules_version=1,
            seats=3,
            options=Raw(b"{}"),
            pace=opened().pace,
            leaving="bot",
            fill=None,
            access="public",
            sandbox=True,
            deal=STACKED,
            seed_commitment="00",
            host="anna",
            open_until=NOON,
        )
    )
    state = evolve(CHEAT, None, opening[0])
    told.append(Happened(0, HOUSE, NOON, opening[0], 1, open=True))
    for command, (by, act) in enumerate(
        [
            (HOUSE, sit("anna")),
            (HOUSE, sit("ben")),
            (HOUSE, sit("cara")),
            (HOUSE, actions.Start("anna")),
            (ANNA, Play(("AS",))),
        ]
    ):
        happens = list(decide(CHEAT, state, Command(by, NOON, act)))
        while happens:
            event = happens.pop(0)
            told.append(Happened(command, by, NOON + timedelta(seconds=command), event, len(told) + 1, open=True))
            state = step(CHEAT, state, by, event)
            if not happens and isinstance(act, actions.Start) and state.game is not None and not state.game.round:
                happens += decide(CHEAT, state, Command(HOUSE, NOON, house(CHEAT, state, SEED)))
    return told


def tags(told: list[Happened]) -> list[str]:
    return [one.event.__struct_config__.tag for one in told]


def test_a_branch_goes_on_from_before_the_frame_that_is_disputed() -> None:
    told = story()
    assert tags(told)[-3:] == ["match.started", "cheat.dealt", "cheat.claimed"]

    assert branch_point(CHEAT, told, len(told) - 1, at_deal=False) == len(told) - 1
    assert branch_point(CHEAT, told, 99, at_deal=False) == len(told)


def test_what_happens_at_once_is_not_torn_apart_but_for_a_new_deal() -> None:
    told = story()
    deal = tags(told).index("cheat.dealt")

    assert branch_point(CHEAT, told, deal, at_deal=False) == deal  # just before the deal
    assert branch_point(CHEAT, told, 99, at_deal=True) == deal
    assert branch_point(CHEAT, told, deal - 1, at_deal=False) is None  # the match had not begun


def unseen(told: list[Happened], command: str = "unseen", seq: int = 0) -> Happened:
    """Something that nobody was told, or the one alone whose frames count."""
    return Happened(command, ANNA, told[-1].at + HOUR, events.RefereeAssigned("d1", "rita"), seq, open=False)


def test_what_somebody_did_unseen_since_all_were_told_something_is_his_to_do_again() -> None:
    """Else the clock of the branch would stand at that moment, and tell everybody when it was."""
    told = story()

    for seq in (0, len(told) + 1):
        assert branch_point(CHEAT, [*told, unseen(told, seq=seq)], 99, at_deal=False) == len(told)
    asked = replace(unseen(told, "asked", seq=len(told) + 2), open=True)
    longer = [*told, unseen(told, seq=len(told) + 1), asked]
    assert branch_point(CHEAT, longer, len(told) + 1, at_deal=False) == len(told)
    assert branch_point(CHEAT, longer, 99, at_deal=False) == len(longer)


def test_what_somebody_did_unseen_is_part_of_what_happened_at_once() -> None:
    told = story()
    together = [*told, replace(unseen(told), open=True), unseen(told)]

    assert branch_point(CHEAT, together, 99, at_deal=False) == len(together)


def test_a_branch_goes_on_from_just_before_a_deal_if_all_know_when_that_was() -> None:
    told = story()
    deal = tags(told).index("cheat.dealt")
    late = [replace(one, command="late", at=one.at + HOUR) for one in told[deal:]]

    assert branch_point(CHEAT, [*told[:deal], *late], 99, at_deal=True) == deal
    assert branch_point(CHEAT, [*told[:deal], unseen(told), *late], 99, at_deal=True) is None
    assert branch_point(CHEAT, [*told[:deal], unseen(told, "late"), *late], 99, at_deal=True) == deal + 1


def test_a_branch_is_opened_as_the_match_was_with_luck_of_its_own() -> None:
    first = story()[0].event
    again = opened_again(first, match="n", seed_commitment="11", dealt=True)

    assert (again.match, again.branch_of, again.seed_commitment) == ("n", "m", "11")
    assert (again.options, again.pace, again.host, again.sandbox) == (first.options, first.pace, "anna", True)
    assert (again.deal, again.stacked) == (events.NO_DEAL, True)
    assert not opened_again(first, match="n", seed_commitment="11", dealt=False).stacked


def test_the_clock_of_a_branch_stands_at_the_moment_from_which_it_goes_on() -> None:
    still = actions.StandStill(NOON, NOON + HOUR)
    table = after(playing(), still)
    branch = evolve(CHEAT, table, branched(table, of="m", log_head="00", referee="rita", at=NOON))

    assert branch.paused == "branch"
    assert branch.clock.match_time(NOON + 9 * HOUR) == NOON
    going = after(branch, actions.Resume(referee="rita", now=NOON + 9 * HOUR), by=OFFICIAL)
    assert going.clock.match_time(NOON + 10 * HOUR) == NOON + HOUR
    assert happened(going, Play(("AS",)), by=ANNA, at=NOON)


def test_a_branch_waits_for_its_referee_also_where_somebody_asks_meanwhile() -> None:
    branch = evolve(CHEAT, playing(), branched(playing(), of="m", log_head="00", referee="rita", at=NOON))
    asked = after(branch, raises(), by=BEN, at=NOON)
    asked = after(asked, actions.Assign(dispute="d1", referee="rita"), by=OFFICIAL, at=NOON)

    assert happened(asked, rules("dismissed"), at=NOON) == [events.Ruled]
    assert after(asked, rules("dismissed"), by=OFFICIAL, at=NOON).paused == "branch"


def test_disputes_of_the_old_match_are_not_open_in_its_branch() -> None:
    table = disputed(pause_on_dispute=True)
    branch = evolve(CHEAT, table, branched(table, of="m", log_head="00", referee="rita", at=LATER))

    assert branch.disputes == ()
    assert branch.clock.match_time(LATER + HOUR) == LATER
    assert branch.chairs[ANNA].raised == 1
