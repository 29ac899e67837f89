"""The worked example of how-it-works.md, recomputed from its own text, and from the code."""

from __future__ import annotations

import hashlib
import hmac
import importlib.util
import json
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest

from domain import history
from domain.kernel.cards import PACK
from domain.kernel.chance import Chance, entropy_of
from domain.kernel.game import Seat
from domain.match.envelope import encode, log_head, next_log_head
from projections import evidence
from projections.catalogue import CATALOGUE
from projections.views.match import redact
from tests.api.serving import Served
from tests.docs.blocks import ADDRESS, ROOT, blocks, goes_as_written

PAGE = ROOT / "docs" / "how-it-works.md"


def values(kind: str) -> dict[str, str]:
    (block,) = (block for block in blocks(PAGE) if block.kind == kind)
    return dict(line.split(": ", 1) for line in block.text.splitlines())


def sha256(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_the_chains_are_what_the_page_says() -> None:
    it = values("chain")
    match = it["match"].encode()
    assert sha256(b"mogelwerk/log/1", match) == it["log_head_0"]
    for n in (1, 2):
        before, salt = bytes.fromhex(it[f"log_head_{n - 1}"]), bytes.fromhex(it[f"salt_{n}"])
        assert sha256(before, salt, it[f"envelope_{n}"].encode()) == it[f"log_head_{n}"]
    opened = it["envelope_1"].partition('"event":')[2].removesuffix("}")
    told_1 = f'{{"seq":1,"at":"2026-01-01T12:00:00Z","event":{opened}}}'
    assert sha256(b"mogelwerk/view/1", match, it["viewer"].encode()) == it["view_head_0"]
    first = sha256(bytes.fromhex(it["view_head_0"]), told_1.encode())
    assert sha256(bytes.fromhex(first), it["told_2"].encode()) == it["view_head_2"]


def test_the_code_makes_the_same_bytes() -> None:
    it = values("chain")
    view = CATALOGUE["cheat"]
    head, mine = log_head(it["match"]), evidence.viewer_head(it["match"], it["viewer"])
    for n in (1, 2):
        envelope = history.read(view.game, it[f"envelope_{n}"])
        assert encode(envelope).decode() == it[f"envelope_{n}"]
        head = next_log_head(head, bytes.fromhex(it[f"salt_{n}"]), encode(envelope))
        assert head.hex() == it[f"log_head_{n}"]
        told = evidence.encode(evidence.Told(n, envelope.at, redact(view, envelope.event, Seat(0))))
        mine = evidence.next_viewer_head(mine, told)
    assert told.decode() == it["told_2"]
    assert mine.hex() == it["view_head_2"]


def test_the_luck_is_what_the_page_says() -> None:
    it = values("luck")
    seed, entropy = bytes.fromhex(it["seed"]), bytes.fromhex(it["entropy"])
    opened = json.loads(values("chain")["envelope_1"])["event"]
    assert sha256(seed) == it["seed_commitment"] == opened["seed_commitment"]
    assert sha256(b"") == it["entropy"] == entropy_of(()).hex()
    prefix = b"mogelwerk/draw/1" + it["match"].encode() + entropy + bytes(8)
    assert hmac.digest(seed, prefix + bytes(8), "sha256").hex() == it["block_0"]
    for draw in (Chance(seed, it["match"], entropy).draw(0), checker().Draw(seed, it["match"], entropy, 0)):
        assert str(draw.below(3)) == it["below_3"]
        assert " ".join(draw.shuffled(PACK)[:6]) == it["then_shuffled"]


def test_one_checks_a_match_of_ones_own_as_it_is_written(server: Served, home: dict[str, str], tmp_path: Path) -> None:
    assert goes_as_written(PAGE, {ADDRESS: server.url}, tmp_path, home) == 1


def test_the_checker_finds_what_is_missing_or_changed() -> None:
    it = values("chain")
    opened = json.loads(it["envelope_1"])["event"]
    at = datetime.fromisoformat("2026-01-01T12:00:00+00:00")
    head, texts = evidence.viewer_head(it["match"], "seat:0"), []
    for seq in (1, 2, 3):
        told = evidence.encode(evidence.Told(seq, at, opened))
        head = evidence.next_viewer_head(head, told)
        texts.append(evidence.frame(told, head, bytes(32)).decode())
    check = checker().chained
    assert check(it["match"], "seat:0", texts) == head.hex()
    changed = texts[1].replace('"seats":3', '"seats":4')
    for bad in (texts[1:], [texts[0], texts[2]], [texts[0], changed, texts[2]], texts[::-1]):
        with pytest.raises(ValueError, match="is not what the chain says"):
            check(it["match"], "seat:0", bad)
    with pytest.raises(ValueError, match="frame 1"):
        check(it["match"], "seat:1", texts)


def checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check", ROOT / "docs" / "examples" / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
