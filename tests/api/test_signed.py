"""What was signed, held against the transcript on one's own machine: receipts and the tree find what was changed."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console

from projections.audit import receipt
from projections.audit.receipt import Receipt, SignedReceipt
from service.audit.keys import ring
from service.audit.verifying import Beside, verify
from service.settings import Settings
from tests.api.people import Person
from tests.api.serving import Served
from tests.service.runtime.table import fitting

QUICK = {"turn_time": 30, "min_open": 0.1, "max_open": 1, "round_pause": 0, "bot_think": 0.05}


class Files(Struct, frozen=True):
    """What Anna has saved of a match that is over."""

    transcript: Path
    beside: Beside

    def checked(self, **other: Path) -> tuple[int, str]:
        said = io.StringIO()
        console = Console(file=said, width=200)
        code = verify(self.transcript, replace(self.beside, **other), chain_only=False, out=console, err=console)
        return code, said.getvalue()


def played(anna: Person) -> tuple[str, list[Any]]:
    """A match against bots, and Anna's receipts: of what was taken, and of one refusal."""
    wish = {"game": "cheat", "seats": 3, "fill": "random", "options": {"max_turns": 8}, "clock": QUICK}
    match: str = anna.do("POST", "/v1/matches", wish)["match"]
    anna.starts(match)
    luck, receipts = random.Random(3), []
    path = f"/v1/matches/{match}/actions"
    refused = anna.try_("POST", path, {"type": "cheat.challenge", "claim_id": 99}, prefer="receipt")
    receipts.append(refused.json()["receipt"])
    while (seen := anna.sees(match))["status"] == "playing":
        now = seen["server_time"]
        if may := [offer for offer in seen["actions"] if offer.get("not_before", now) <= now]:
            told = anna.try_("POST", path, fitting(luck.choice(may), luck), prefer="receipt").json()
            receipts += [told["receipt"]] if "receipt" in told else []  # a bot may have ended it a moment before
        else:
            anna.try_("GET", f"/v1/matches/{match}?after={seen['seq']}&wait=2")
    return match, receipts


@pytest.fixture
def files(anna: Person, server: Served, tmp_path: Path) -> Files:
    match, receipts = played(anna)
    beside = Beside(receipts=tmp_path / "receipts", tree=tmp_path / "tree", keys=tmp_path / "keys")
    transcript = tmp_path / "transcript"
    transcript.write_bytes(anna.try_("GET", f"/v1/matches/{match}/history").content)
    for path, content in (
        (beside.receipts, b"\n".join(map(msgspec.json.encode, receipts))),
        (beside.tree, anna.try_("GET", f"/v1/matches/{match}/verification").content),
        (beside.keys, httpx.get(f"{server.url}/.well-known/mogelwerk-keys").content),
    ):
        assert path is not None
        path.write_bytes(content)
    return Files(transcript, beside)


def again(files: Files, settings: Settings, **change: Any) -> Path:
    """Her first receipt, signed by the server's own key, but saying something else."""
    assert files.beside.receipts is not None
    assert settings.keys is not None
    kept = msgspec.json.decode(files.beside.receipts.read_bytes().splitlines()[0], type=SignedReceipt)
    told = replace(msgspec.json.decode(kept.receipt, type=Receipt), **change)
    other = files.transcript.with_name("other")
    other.write_bytes(msgspec.json.encode(receipt.signed(told, ring(settings.keys).signing.sign)))
    return other


def test_what_was_signed_lies_in_the_history_and_what_was_not_does_not(
    files: Files, settings: Settings, anna: Person
) -> None:
    assert files.checked()[0] == 0, files.checked()[1]

    for change in ({"head": "ab" * 32}, {"log_head": "ab" * 32}, {"attempts_head": "ab" * 32}, {"attempt": 999}):
        code, said = files.checked(receipts=again(files, settings, **change))
        assert (code, "kept" in said) == (1, True), (change, said)

    forged = files.transcript.with_name("forged")
    assert files.beside.receipts is not None
    forged.write_bytes(files.beside.receipts.read_bytes().replace(b"refused", b"accepted", 1))
    assert files.checked(receipts=forged)[0] == 1

    other, _ = played(anna)
    elsewhere = files.transcript.with_name("elsewhere")
    elsewhere.write_bytes(anna.try_("GET", f"/v1/matches/{other}/verification").content)
    code, said = files.checked(tree=elsewhere)
    assert (code, "another match" in said) == (2, True), said


def test_a_checkpoint_is_believed_only_with_its_signature_and_its_proof(files: Files) -> None:
    assert files.beside.tree is not None
    told = msgspec.json.decode(files.beside.tree.read_bytes())
    broken = files.transcript.with_name("broken")
    for change in (
        {"checkpoint": told["checkpoint"].replace("/mogelwerk\n", "/mogelwerl\n", 1)},
        {"inclusion": {**told["inclusion"], "leaf": told["inclusion"]["leaf"].replace('"version":', '"version":1')}},
        {"inclusion": {**told["inclusion"], "place": told["inclusion"]["place"] + 1}},
        {"inclusion": None},
    ):
        broken.write_bytes(msgspec.json.encode({**told, **change}))
        assert files.checked(tree=broken)[0] == 2, change


def test_a_transcript_names_the_keys_that_there_were_when_it_was_opened(files: Files, settings: Settings) -> None:
    assert settings.keys is not None
    header = msgspec.json.decode(files.transcript.read_bytes().splitlines()[0])

    assert header["keys"] == [{"id": key.id, "public": key.public.hex()} for key in ring(settings.keys).keys]
