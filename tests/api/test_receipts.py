"""Receipts and checkpoints over HTTP: what a player keeps, to hold it against the server later."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest

from projections.audit import note, receipt, signed
from projections.audit.merkle import goes_on, leaf_hash, lies_in
from projections.audit.note import Checkpoint
from projections.audit.receipt import Receipt, SignedReceipt
from projections.audit.verify import verify
from projections.evidence import attempts_head
from service.audit.keys import check
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served
from tests.api.tables import BEN, Table

ASKED = {"prefer": "receipt"}


def keys(server: Served) -> dict[str, bytes]:
    told = httpx.get(f"{server.url}/.well-known/mogelwerk-keys")
    assert told.status_code == 200
    return {key["id"]: bytes.fromhex(key["public"]) for key in told.json()["keys"]}


def opened(server: Served, told: Any) -> Receipt:
    return receipt.opened(msgspec.convert(told, SignedReceipt), keys(server).get, check)


def test_an_accepted_action_has_a_receipt_at_once(table: Table, server: Served) -> None:
    play = {"type": "cheat.play", "cards": ["KD"]}
    told = table.ben.try_("POST", table.actions, play, **ASKED)

    assert told.status_code == 201
    assert told.headers["preference-applied"] == "receipt"
    body = told.json()
    proof = opened(server, body["receipt"])
    assert (proof.match, proof.viewer, proof.seq) == (table.match, f"seat:{BEN}", body["seq"])
    assert (proof.head, proof.log_head) == (body["frames"][-1]["head"], body["frames"][-1]["log_head"])
    assert (proof.outcome, proof.reason, proof.attempt, proof.sandbox) == ("accepted", None, 1, True)
    assert proof.attempts_head != attempts_head(table.match, BEN).hex()  # type: ignore[arg-type]


def test_a_refusal_has_one_too(table: Table, server: Served) -> None:
    """The refused “I called in time” is what gets disputed."""
    told = table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4S"]}, **ASKED)

    body = problem(told, 409, "refused", reason="not_your_turn")
    assert told.headers["preference-applied"] == "receipt"
    proof = opened(server, body["receipt"])
    assert (proof.outcome, proof.reason, proof.seq) == ("refused", "not_your_turn", body["seq"])


def test_who_does_not_ask_gets_none(table: Table) -> None:
    told = table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["KD"]})
    refused = table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["AS"]}, prefer="respond-async")

    assert "receipt" not in told.json()
    assert "receipt" not in refused.json()
    assert "preference-applied" not in refused.headers


def test_receipts_can_be_had_later_by_the_seq_of_the_answer(table: Table, server: Served) -> None:
    before = table.ben.sees(table.match)["seq"]
    table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["QS"]})
    at_once = table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["KD"]}, **ASKED).json()

    refused = table.ben.do("GET", f"{table.path}/receipts/{before}")["receipts"]
    accepted = table.ben.do("GET", f"{table.path}/receipts/{at_once['seq']}")["receipts"]

    assert [opened(server, it).reason for it in refused] == ["not_your_cards"]
    assert accepted == [at_once["receipt"]]
    assert table.cara.do("GET", f"{table.path}/receipts/{at_once['seq']}")["receipts"] == []


def test_the_same_key_gives_the_same_receipt(table: Table) -> None:
    play = {"type": "cheat.play", "cards": ["KD"]}
    first = table.ben.try_("POST", table.actions, play, idempotency_key="once", **ASKED).json()
    table.cara.acts(table.match, type="cheat.accept", claim_id=0)
    early = {"type": "cheat.play", "cards": ["4S"]}
    refused = table.cara.try_("POST", table.actions, early, idempotency_key="early", **ASKED).json()

    assert (
        table.ben.try_("POST", table.actions, play, idempotency_key="once", **ASKED).json()["receipt"]
        == first["receipt"]
    )
    again = table.cara.try_("POST", table.actions, early, idempotency_key="early", **ASKED).json()
    assert again["receipt"] == refused["receipt"]


def test_what_is_only_counted_has_none(table: Table) -> None:
    told = [table.cara.try_("POST", table.actions, {"type": "cheat.play", "cards": ["4S"]}, **ASKED) for _ in range(45)]

    assert {answer.status_code for answer in told} == {409}
    with_one = sum("receipt" in answer.json() for answer in told)
    assert 20 <= with_one <= 40  # a new minute may have begun


def test_receipts_are_a_seats_own(table: Table, newcomer: Any) -> None:
    stranger = newcomer("Dora")

    problem(stranger.try_("GET", f"{table.path}/receipts/1"), 403, "not_yours", reason="not_seated")
    told = problem(table.ben.try_("GET", f"{table.path}/receipts/999"), 404, "not_in_this_match", field="seq")
    assert told["detail"] == f"“seq”: Your last frame is {told['seq']}."
    assert table.ben.try_("GET", f"{table.path}/receipts/x").status_code in (400, 404)


def test_a_seats_receipts_are_those_of_who_held_it_then(
    anna: Person, ben: Person, cara: Person, server: Served
) -> None:
    match = anna.opens(fill="random")
    ben.sits(match, seat=1)
    seq = ben.sees(match)["seq"]
    path, early = f"/v1/matches/{match}/receipts/{seq}", {"type": "cheat.challenge", "claim_id": 7}
    ben.try_("POST", f"/v1/matches/{match}/actions", early)
    of_ben = ben.do("GET", path)["receipts"]
    ben.do("DELETE", f"/v1/matches/{match}/seats/1")
    cara.sits(match, seat=1)

    assert cara.do("GET", path)["receipts"] == []
    cara.do("DELETE", f"/v1/matches/{match}/seats/1")
    ben.sits(match, seat=1)
    assert ben.do("GET", path)["receipts"] == of_ben
    assert [opened(server, it).reason for it in of_ben] == ["not_started"]


class Asked:
    """A log, and what it was asked for."""

    def __init__(self, log: Any) -> None:
        self.log = log
        self.names: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.names.append(name)
        return getattr(self.log, name)


def test_what_receipts_cost_does_not_grow_with_what_was_tried(
    table: Table, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    notary = server.app.state.parts.notary
    store, asked = notary._store, Asked(notary._store.log)
    monkeypatch.setattr(notary, "_store", SimpleNamespace(log=asked, lobby=store.lobby, tree=store.tree))

    def after(tries: int) -> list[str]:
        seq = table.ben.sees(table.match)["seq"]
        for _ in range(tries):
            table.ben.try_("POST", table.actions, {"type": "cheat.play", "cards": ["QS"]})
        asked.names.clear()
        assert len(table.ben.do("GET", f"{table.path}/receipts/{seq}")["receipts"]) == tries
        return list(asked.names)

    few = after(1)
    table.ben.acts(table.match, type="cheat.play", cards=["KD"])
    table.anna.turns_clock(table.match, 30)

    assert 0 < len(after(10)) == len(few) < 6


# ── the tree ────────────────────────────────────────────────────────────────────────────────────


def tree(server: Served, told: dict[str, Any]) -> Checkpoint:
    """A checkpoint whose signature holds."""
    published = httpx.get(f"{server.url}/.well-known/mogelwerk-keys").json()["keys"]
    name, public = note.read_verifier_key(published[-1]["note_key"])
    found = note.read_checkpoint(note.opened(told["checkpoint"], name, public, check))
    assert found.size == told["size"]
    return found


FAST = {"turn_time": 5, "min_open": 0.1, "max_open": 1, "round_pause": 0, "bot_think": 0.05}


@pytest.fixture
def match(anna: Person) -> str:
    made: str = anna.do(
        "POST",
        "/v1/matches",
        {"game": "cheat", "seats": 3, "fill": "random", "options": {"max_turns": 6}, "clock": FAST, "sit": False},
    )["match"]
    anna.starts(made)
    while (seen := anna.sees(made))["status"] == "playing":
        anna.try_("GET", f"/v1/matches/{made}?after={seen['seq']}&wait=5")
    return made


def test_a_match_that_is_over_lies_in_the_tree(anna: Person, match: str, server: Served) -> None:
    told = anna.do("GET", f"/v1/matches/{match}/verification")

    signed, found = tree(server, told), told["inclusion"]
    path = [bytes.fromhex(each) for each in found["path"]]
    assert lies_in(leaf_hash(found["leaf"].encode()), found["place"], signed.size, path, signed.root)
    leaf = msgspec.json.decode(found["leaf"])
    frames = anna.do("GET", f"/v1/matches/{match}/events?limit=500")["frames"]
    assert leaf["match"] == match
    assert leaf["head"] == frames[-1]["log_head"]
    assert sum(chain["n"] for chain in leaf["attempts"]) >= 6  # what bots do is on record too


def test_its_transcript_says_so_too_and_always_in_the_same_bytes(
    anna: Person, match: str, server: Served, newcomer: Any
) -> None:
    def exported() -> list[bytes]:
        return anna.http.get(f"/v1/matches/{match}/history").content.splitlines(keepends=True)

    published = httpx.get(f"{server.url}/.well-known/mogelwerk-keys").content
    before = exported()
    found = verify(before, opened=lambda text: signed.checkpoint(text, signed.read_keys(published), check))
    assert found.signed
    assert found.tree is not None

    other = anna.opens(sandbox=False)
    anna.do("DELETE", f"/v1/matches/{other}/seats/0")
    size = anna.do("GET", f"/v1/matches/{match}/verification")["size"]
    ended = anna.do("POST", "/v1/matches", {"game": "liars-dice", "seats": 2, "clock": FAST})
    second = newcomer("Dora")
    second.do("POST", "/v1/joins", {"code": ended["code"]})
    anna.starts(ended["match"])
    second.do("DELETE", f"/v1/matches/{ended['match']}/seats/1")
    while anna.sees(ended["match"])["status"] == "playing":
        anna.try_("GET", f"/v1/matches/{ended['match']}?after={anna.sees(ended['match'])['seq']}&wait=2")
    assert anna.do("GET", f"/v1/matches/{ended['match']}/verification")["size"] > size
    assert exported() == before


def test_who_kept_a_checkpoint_sees_that_nothing_of_it_changed(anna: Person, match: str, server: Served) -> None:
    kept = tree(server, httpx.get(f"{server.url}/v1/checkpoint").json()) if _has_tree(server) else None
    anna.do("GET", f"/v1/matches/{match}/verification")
    kept = kept or tree(server, httpx.get(f"{server.url}/v1/checkpoint").json())

    told = httpx.get(f"{server.url}/v1/checkpoint?since={kept.size}").json()

    now = tree(server, told)
    path = [bytes.fromhex(each) for each in told["consistency"]["path"]]
    assert goes_on(kept.size, now.size, path, kept.root, now.root)


def _has_tree(server: Served) -> bool:
    return httpx.get(f"{server.url}/v1/checkpoint").json()["checkpoint"] is not None


def test_nothing_of_a_running_match_and_no_sandbox_is_in_the_tree(table: Table, anna: Person) -> None:
    running = anna.opens(sandbox=False)
    never = anna.opens()
    while anna.sees(never)["status"] == "open":
        anna.turns_clock(never, seconds=86_400)
    assert b'"tree"' not in anna.http.get(f"/v1/matches/{never}/history").content

    assert table.anna.do("GET", f"{table.path}/verification")["inclusion"] is None
    assert anna.do("GET", f"/v1/matches/{running}/verification")["inclusion"] is None


def test_a_stranger_learns_nothing_of_a_match_behind_a_code(anna: Person, newcomer: Any) -> None:
    hidden = anna.opens(access="code", sandbox=False)

    problem(newcomer("Dora").try_("GET", f"/v1/matches/{hidden}/verification"), 403, "not_yours", reason="may_not_see")


def test_a_checkpoint_that_there_never_was(server: Served) -> None:
    problem(httpx.get(f"{server.url}/v1/checkpoint?since=9999999"), 409, "reset", field="since")
