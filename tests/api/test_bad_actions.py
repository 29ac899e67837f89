"""An action that the rules do not allow, or not now, or not to this seat, is refused with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.people import Person
from tests.api.problems import acts, problem, seq
from tests.api.tables import Table, lie


@pytest.mark.parametrize(
    "house",
    [
        {"type": "cheat.deal", "dealer": 0, "hands": [], "stock": [], "away": [], "packs": 1, "draw": 0},
        {"type": "cheat.close_window", "claim_id": 0},
        {"type": "cheat.time_out", "seat": 0},
        {"type": "cheat.vacate", "seat": 0},
        {"type": "Open"},
        {"type": "End", "seed": "00"},
        {"type": "TurnClock", "advance_ms": 1},
    ],
)
def test_what_only_the_house_says_cannot_be_said(table: Table, house: dict[str, Any]) -> None:
    told = problem(acts(table, table.ben, house), 400, "malformed", field="/type")

    assert "cheat.play" in told["detail"]
    assert "cheat.deal" not in told["detail"]


def test_an_action_of_another_game(table: Table) -> None:
    problem(acts(table, table.ben, {"type": "mogler.pass"}), 400, "malformed", field="/type")  # there is none such
    answer = acts(table, table.ben, {"type": "family_mogeln.accept_round"})

    problem(answer, 409, "refused", reason="another_game")


def test_a_card_one_does_not_hold(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["QS"]})

    problem(answer, 409, "refused", reason="not_your_cards", seq=seq(table))


def test_a_card_one_holds_once_is_not_laid_twice(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["KD", "KD"]})

    told = problem(answer, 409, "refused", reason="not_your_cards")
    assert told["detail"] == "You do not hold these cards, or not so often."


def test_whose_turn_it_is_is_asked_before_what_he_holds(table: Table) -> None:
    answer = acts(table, table.anna, {"type": "cheat.play", "cards": ["KD"]})

    problem(answer, 409, "refused", reason="not_your_turn")


def test_five_cards(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["AS", "KD", "9C", "9D", "9D"]})

    problem(answer, 400, "malformed", field="/cards")


def test_a_rank_that_is_not_due(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.play", "cards": ["KD"], "rank": "K"})

    problem(answer, 409, "refused", reason="wrong_rank")


def test_an_action_out_of_turn(table: Table) -> None:
    answer = acts(table, table.anna, {"type": "cheat.play", "cards": ["QS"]})

    problem(answer, 409, "refused", reason="not_your_turn")


def test_an_action_too_early(table: Table) -> None:
    lie(table)

    answer = acts(table, table.cara, {"type": "cheat.play", "cards": ["2D"]})

    problem(answer, 409, "refused", reason="too_early", not_before="2000-01-01T00:00:05Z")


def test_an_action_too_late(table: Table) -> None:
    table.ben.acts(table.match, type="cheat.play", cards=["AS", "KD", "9C", "9D"], rank="A")
    turned = table.anna.turns_clock(table.match, seconds=30)
    assert turned["stopped_at_deadline"] is False

    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": 0})

    assert problem(answer, 409, "refused")["reason"] in ("match_over", "too_late", "claim_closed")


def test_a_challenge_of_ones_own_claim(table: Table) -> None:
    answer = acts(table, table.ben, {"type": "cheat.challenge", "claim_id": lie(table)})

    problem(answer, 409, "refused", reason="own_claim")


def test_a_challenge_of_a_claim_that_is_closed(table: Table) -> None:
    claim = lie(table)
    table.anna.turns_clock(table.match, seconds=5)
    table.cara.acts(table.match, type="cheat.play", cards=["2D"])

    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": claim})

    problem(answer, 409, "refused", reason="claim_closed")


def test_a_second_challenge(table: Table) -> None:
    claim = lie(table)
    table.cara.acts(table.match, type="cheat.challenge", claim_id=claim)

    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": claim})

    told = problem(answer, 409, "refused", reason="already_challenged")
    frames = table.anna.do("GET", f"{table.path}/events")["frames"]
    beaten = next(frame for frame in frames if frame["seq"] == told["beaten_by"])
    assert beaten["event"]["type"] == "cheat.challenged"


def test_a_challenge_of_nothing(table: Table) -> None:
    answer = acts(table, table.anna, {"type": "cheat.challenge", "claim_id": 99})

    problem(answer, 409, "refused", reason="no_such_claim")


def test_who_was_first_is_never_oneself(table: Table) -> None:
    play = {"type": "cheat.play", "cards": ["AS"]}
    assert acts(table, table.ben, play).status_code == 201

    told = problem(acts(table, table.ben, {**play, "cards": ["KD"]}), 409, "refused", reason="not_your_turn")

    assert "beaten_by" not in told


def test_who_holds_no_seat_cannot_act(table: Table, newcomer: Callable[[str], Person]) -> None:
    dora = newcomer("Dora")

    answer = acts(table, dora, {"type": "cheat.challenge", "claim_id": 0})

    problem(answer, 403, "not_yours", reason="not_seated")


def test_only_the_host_starts(table: Table, ben: Person) -> None:
    match = table.anna.opens(fill=True)
    ben.sits(match)

    problem(ben.try_("POST", f"/v1/matches/{match}/start"), 403, "not_yours", reason="not_host")


@pytest.mark.parametrize("bot", ["deep-thought", "", "\x00", "Random"])
def test_a_bot_that_there_is_not(anna: Person, bot: str) -> None:
    answer = anna.try_("POST", f"/v1/matches/{anna.opens()}/seats", {"bot": bot})

    problem(answer, 409, "refused", reason="no_such_bot", detail="The game has no such bot, but: careful, random.")
    answer = anna.try_("POST", f"/v1/matches/{anna.opens()}/seats", {"bot": bot}, accept_language="de")
    assert answer.json()["detail"] == "Einen solchen Bot hat das Spiel nicht, aber: careful, random."
