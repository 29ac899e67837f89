"""What is signed: checkpoints as notes, receipts as text. Without a server."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from projections.audit import note, receipt
from projections.audit.note import BadNote, Checkpoint
from projections.audit.receipt import BadReceipt, Receipt, SignedReceipt
from service.audit import NoKey
from service.audit.keys import KeyRing, PrivateKey, check, key_id, ring, rotate

KEY = PrivateKey(bytes(range(32)))
OTHER = PrivateKey(bytes(32))
TREE = Checkpoint("games.example/mogelwerk", 7, bytes(range(32)))


def signed(checkpoint: Checkpoint = TREE, key: PrivateKey = KEY) -> str:
    return note.signed(note.checkpoint_text(checkpoint), checkpoint.origin, key.public, key.sign)


# ── notes ───────────────────────────────────────────────────────────────────────────────────────


def test_a_known_note_of_the_go_community_opens_with_its_key() -> None:
    """The example of golang.org/x/mod/sumdb/note: a format that others read."""
    name, public = note.read_verifier_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
        "\n"
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    )

    assert note.opened(text, name, public, check).startswith("If you think")
    with pytest.raises(BadNote):
        note.opened(text.replace("answer", "anwser"), name, public, check)


def test_a_checkpoint_is_three_lines_and_a_signature() -> None:
    lines = signed().split("\n")

    assert lines[:3] == [TREE.origin, "7", b64encode(TREE.root).decode()]
    assert lines[3] == ""
    assert lines[4].startswith(f"— {TREE.origin} ")
    assert lines[5:] == [""]
    assert note.read_checkpoint(note.opened(signed(), TREE.origin, KEY.public, check)) == TREE


def test_a_note_opens_with_the_key_that_signed_it_and_no_other() -> None:
    for name, public in ((TREE.origin, OTHER.public), ("games.example/other", KEY.public)):
        with pytest.raises(BadNote):
            note.opened(signed(), name, public, check)


def test_every_letter_of_a_note_counts() -> None:
    whole = signed()
    for place in range(len(whole)):
        changed = whole[:place] + ("x" if whole[place] != "x" else "y") + whole[place + 1 :]
        with pytest.raises(BadNote):
            note.opened(changed, TREE.origin, KEY.public, check)


def test_signatures_of_others_stand_beside() -> None:
    """A witness adds his own line."""
    witnessed = signed() + "— witness.example " + b64encode(b"1234" + b"s" * 64).decode() + "\n"

    assert note.opened(witnessed, TREE.origin, KEY.public, check) == note.checkpoint_text(TREE)


@pytest.mark.parametrize(
    "text", ["", "\n\n\n", "o\n-1\nAAAA\n", "o\n07\n" + b64encode(bytes(32)).decode() + "\n", "o\n7\nAA\n"]
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(BadNote):
        note.read_checkpoint(text)


def test_a_verifier_key_is_read_as_it_is_written() -> None:
    written = note.verifier_key(TREE.origin, KEY.public)

    assert note.read_verifier_key(written) == (TREE.origin, KEY.public)
    for broken in ("", written[:-4], written.replace("+", "-"), written.replace("games", "gamez")):
        with pytest.raises(BadNote):
            note.read_verifier_key(broken)


# ── receipts ────────────────────────────────────────────────────────────────────────────────────

RECEIPT = Receipt(
    match="8347bdbf-9a48-47ab-a57c-1cdf79bfecc5",
    viewer="seat:1",
    seq=12,
    head="ab" * 32,
    log_head="cd" * 32,
    attempt=3,
    attempts_head="ef" * 32,
    action=receipt.action_digest(b"{}"),
    outcome="refused",
    reason="too_late",
    received_at=datetime(2026, 1, 1, 12, tzinfo=UTC),
    sandbox=False,
    key=KEY.id,
)


def knows(*keys: PrivateKey) -> dict[str, bytes]:
    return {key.id: key.public for key in keys}


def test_a_receipt_opens_with_the_key_that_it_names() -> None:
    given = receipt.signed(RECEIPT, KEY.sign)

    assert receipt.opened(given, knows(OTHER, KEY).get, check) == RECEIPT
    with pytest.raises(BadReceipt, match="nobody knows"):
        receipt.opened(given, knows(OTHER).get, check)
    with pytest.raises(BadReceipt, match="does not fit"):
        receipt.opened(given, {KEY.id: OTHER.public}.get, check)


def test_every_letter_of_a_receipt_counts() -> None:
    given = receipt.signed(RECEIPT, KEY.sign)
    for place in range(len(given.receipt)):
        text = given.receipt
        changed = text[:place] + ("1" if text[place] != "1" else "2") + text[place + 1 :]
        with pytest.raises(BadReceipt):
            receipt.opened(replace(given, receipt=changed), knows(KEY).get, check)
    with pytest.raises(BadReceipt):
        receipt.opened(SignedReceipt(given.receipt, "00" * 64), knows(KEY).get, check)


# ── keys ────────────────────────────────────────────────────────────────────────────────────────


def test_a_first_key_is_made_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    first = ring(folder)

    assert ring(folder).signing.public == first.signing.public
    assert [path.name for path in folder.iterdir()] == ["0001.key"]
    assert (folder / "0001.key").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_new_key_signs_and_old_ones_stay_known(tmp_path: Path) -> None:
    old = ring(tmp_path).signing
    given = receipt.signed(replace(RECEIPT, key=old.id), old.sign)

    new = rotate(tmp_path)

    now = ring(tmp_path)
    assert now.signing.id == new.id != old.id
    assert receipt.opened(given, now.public.get, check).key == old.id


def test_a_key_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    ring(tmp_path)
    (tmp_path / "0001.key").chmod(0o644)

    with pytest.raises(NoKey, match=r"chmod 600"):
        ring(tmp_path)


def test_a_broken_key_is_told_and_not_shown(tmp_path: Path) -> None:
    ring(tmp_path)
    (tmp_path / "0001.key").write_text("7d" * 31)

    with pytest.raises(NoKey) as told:
        ring(tmp_path)
    assert "7d7d" not in str(told.value)


def test_what_is_not_a_key_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("keys")

    assert len(ring(tmp_path).keys) == 1


def test_nothing_private_is_in_a_repr() -> None:
    seed = bytes(range(32)).hex()

    assert seed not in repr(KEY)
    assert seed not in repr(KeyRing((KEY,)))
    assert key_id(KEY.public) in repr(KEY)
