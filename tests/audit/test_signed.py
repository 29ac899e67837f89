"""What a server has signed is found in the history, or it is no history: receipts, and the leaf in the signed tree."""

from __future__ import annotations

import json
import random
from functools import cache, partial
from itertools import cycle, islice
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from domain.kernel.game import Seat
from projections.audit import note, receipt, signed, transcript
from projections.audit.fault import CannotVerify, Fault, Part
from projections.audit.kept import Kept, NothingKept, kept
from projections.audit.leaf import AttemptsHead, Leaf, leaf_text
from projections.audit.merkle import Stretch, consistency, grown, leaf_hash, stretch_hash
from projections.audit.note import Checkpoint
from projections.audit.original import Original
from projections.audit.receipt import BadReceipt, Receipt
from projections.audit.signed import Held, Keys, Placed, Together
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from projections.evidence import Record, attempts_head, next_viewer_head, viewer_head
from service.audit import verifying
from service.audit.keys import PrivateKey, check
from tests.audit.forger import change_attempt, rehash, renumber_attempts
from tests.audit.paper import Paper, Story
from tests.audit.test_tampering import CLEVER, paper

OURS, THEIRS = PrivateKey(bytes(32)), PrivateKey(bytes(range(32)))
ORIGIN = "mogelwerk.example/tree"
MUTATIONS = 60


def keys(*known: PrivateKey) -> Keys:
    told = [
        {"id": key.id, "public": key.public.hex(), "note_key": note.verifier_key(ORIGIN, key.public)} for key in known
    ]
    return signed.read_keys(json.dumps({"keys": told}).encode())


def answers(it: Paper, seat: int, key: PrivateKey = OURS) -> list[bytes]:
    """To all that this seat tried, each with its receipt."""
    told = []
    for row in it.attempts:
        if row.seat != seat or row.outcome == "uncounted":
            continue
        tried = msgspec.json.decode(row.record, type=Record)
        after = max([one.version for one in it.rows if one.command == row.command], default=tried.version)
        last = next(one for one in it.rows[after - 1 :: -1] if one.seqs[seat])
        it_says = Receipt(
            match=str(it.match),
            viewer=f"seat:{seat}",
            seq=last.seqs[seat],
            head=last.heads[32 * seat : 32 * seat + 32].hex(),
            log_head=last.head.hex(),
            attempt=row.n,
            attempts_head=row.head.hex(),
            action=receipt.action_digest(bytes(tried.action)),
            outcome="refused" if row.outcome == "refused" else "accepted",
            reason=tried.reason,
            received_at=row.received_at,
            sandbox=False,
            key=key.id,
        )
        told.append(msgspec.json.encode({"receipt": receipt.signed(it_says, key.sign)}) + b"\n")
    return told


def receipts(it: Paper, seat: int) -> Together:
    return Together(signed.receipts(answers(it, seat), str(it.match), keys(OURS), check))


def verification(it: Paper, key: PrivateKey = OURS) -> bytes:
    """The answer that the server gave when the match had just been taken into the tree."""
    tries = {row.seat: AttemptsHead(row.n, row.head.hex()) for row in it.attempts}
    ending = [tries.get(seat) or AttemptsHead(0, head) for seat, head in enumerate(_first_heads(it))]
    leaf = leaf_text(Leaf(match=str(it.match), version=len(it.rows), head=it.book.head.hex(), attempts=tuple(ending)))
    text = note.checkpoint_text(Checkpoint(ORIGIN, 1, leaf_hash(leaf.encode())))
    told = {
        "checkpoint": note.signed(text, ORIGIN, key.public, key.sign),
        "inclusion": {"leaf": leaf, "place": 0, "path": []},
    }
    return json.dumps(told).encode()


def _first_heads(it: Paper) -> list[str]:
    return [attempts_head(str(it.match), Seat(seat)).hex() for seat in range(it.story.seats)]


@cache
def leaf(game: str) -> Placed:
    it = paper(game)
    return signed.placed(verification(it), str(it.match), keys(OURS), check)


def fault(lines: list[bytes], kept: Held) -> Fault | None:
    try:
        verify(lines, kept=kept)
    except Fault as found:
        return found
    return None


def test_keys_kept_before_there_was_a_checkpoint_will_do() -> None:
    """The tree had no name then."""
    it = paper("cheat")

    def early(key: PrivateKey) -> Keys:
        told = [{"id": key.id, "public": key.public.hex(), "note_key": None}]
        return signed.read_keys(json.dumps({"keys": told}).encode())

    assert fault(it.log.lines(), signed.placed(verification(it), str(it.match), early(OURS), check)) is None
    with pytest.raises(NothingKept, match="none of these keys"):
        signed.placed(verification(it), str(it.match), early(THEIRS), check)


@pytest.mark.parametrize("text", ["", "{}", '{"keys": [{"id": "a", "public": "no hex"}]}', '{"keys": [{"id": "a"}]}'])
def test_what_is_no_list_of_keys_is_said_so(text: str) -> None:
    with pytest.raises(NothingKept, match="no keys"):
        signed.read_keys(text.encode())


@pytest.mark.parametrize("game", CATALOGUE)
def test_what_was_signed_lies_in_the_history(game: str) -> None:
    it = paper(game)
    for seat in {row.seat for row in it.attempts}:
        assert verify(it.lines(), kept=Together([receipts(it, seat), leaf(game)])).played


@pytest.mark.parametrize("game", CATALOGUE)
def test_who_has_kept_a_checkpoint_finds_every_forgery(game: str) -> None:
    """All chains fit again, and no player has kept a frame."""
    it, luck = paper(game), random.Random(f"{game} is in the tree")
    order = [mutation for mutation, often in CLEVER.items() for _ in range(often)]
    for mutation in islice(cycle(order), MUTATIONS if len(it.rows) < 300 else len(order)):
        kept, forged = it.log, None
        while forged is None:
            kept = it.log
            forged = mutation(kept, luck)
        found = fault(kept.lines(), leaf(game))
        assert found is not None, mutation.__name__
        earliest = forged.version if forged.earliest is None else forged.earliest
        assert found.version >= earliest, (mutation, forged, found)


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_refusal_that_somebody_has_a_receipt_of_cannot_be_dropped_or_changed(game: str) -> None:
    it = paper(game)
    place = next(n for n, row in enumerate(it.attempts) if row.outcome == "refused")
    seat, dropped, changed = it.attempts[place].seat, it.log, it.log
    del dropped.tried[place]
    renumber_attempts(dropped)
    command = UUID("6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
    change_attempt(changed, place, command=str(command))
    changed.tried[place] = replace(changed.tried[place], command=command)
    for stored in (dropped, changed):
        rehash(stored)
        found = fault(stored.lines(), receipts(it, seat))
        assert found is not None
        assert found.part == Part.KEPT


def test_a_server_that_has_replaced_its_key_proves_nothing_to_who_has_kept_the_old_one() -> None:
    it = paper("cheat")
    with pytest.raises(BadReceipt, match="nobody knows the key"):
        signed.receipts(answers(it, 0, THEIRS), str(it.match), keys(OURS), check)
    with pytest.raises(NothingKept, match="none of these keys has signed"):
        signed.placed(verification(it, THEIRS), str(it.match), keys(OURS), check)
    assert signed.receipts(answers(it, 0, THEIRS), str(it.match), keys(OURS, THEIRS), check)


def test_a_receipt_of_which_a_letter_was_changed_is_none() -> None:
    it = paper("cheat")
    told = [line.replace(b'\\"outcome\\":\\"accepted\\"', b'\\"outcome\\":\\"refused\\"') for line in answers(it, 0)]
    with pytest.raises(BadReceipt, match="the signature does not fit"):
        signed.receipts(told, str(it.match), keys(OURS), check)


def test_two_receipts_that_contradict_each_other_prove_it_without_a_transcript() -> None:
    """Signed twice, for one place, with different heads: the server has told two histories."""
    it = paper("cheat")
    other = Paper(replace(it.story, wild=60))
    assert other.match == it.match
    told = [*answers(it, 0), *answers(other, 0)]
    with pytest.raises(NothingKept, match="which differ: both are signed"):
        signed.receipts(told, str(it.match), keys(OURS), check)


def test_receipts_and_leaves_of_other_matches_are_not_held_against_this_one() -> None:
    it, other = paper("cheat"), "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
    with pytest.raises(NothingKept, match="no receipt of this match"):
        signed.receipts(answers(it, 0), other, keys(OURS), check)
    with pytest.raises(NothingKept, match="of another match"):
        signed.placed(verification(it), other, keys(OURS), check)


def test_a_leaf_that_does_not_lie_in_the_tree_is_not_believed() -> None:
    it = paper("cheat")
    told = json.loads(verification(it))
    told["inclusion"]["leaf"] = told["inclusion"]["leaf"].replace(it.book.head.hex(), "00" * 32)
    with pytest.raises(NothingKept, match="does not show"):
        signed.placed(json.dumps(told).encode(), str(it.match), keys(OURS), check)
    assert isinstance(signed.receipts(answers(it, 0), str(it.match), keys(OURS), check)[0], Kept)


@pytest.mark.parametrize("game", ["cheat", "monopoly-cheaters"])
def test_what_one_viewer_was_told_is_held_against_his_receipts_and_frames(game: str) -> None:
    it, seat = paper(game), 1
    own, frames = it.told(seat), it.told(seat)
    for held in (kept(frames), receipts(it, seat), Together([kept(frames), receipts(it, seat)])):
        assert fault(own, held) is None

    changed = _told_otherwise(own, 3)  # who sat down under which name
    assert fault(changed, Together([])) is None, "nothing shows it but what was kept"
    for held in (kept(frames), receipts(it, seat)):
        found = fault(changed, held)
        assert found is not None
        assert (found.part, found.version >= 3) == (Part.KEPT, True)
    for other in (kept(it.told(0)), receipts(it, 0)):
        with pytest.raises(NothingKept, match="it is of seat:0"):
            verify(own, kept=other)
    with pytest.raises(NothingKept, match="only one viewer's"):
        verify(own, kept=leaf(game))
    with pytest.raises(CannotVerify, match="only the whole match"):
        verify(own, original=Original(it.log.lines()))


def _told_otherwise(own: list[bytes], seq: int) -> list[bytes]:
    """All of a viewer's chain from this frame on made again, after what it says was changed."""
    lines = list(map(transcript.read, own))
    head, changed = b"", []
    for line in lines:
        match line:
            case transcript.Frame():
                told = line.told.replace('"name_digest":"0', '"name_digest":"1') if line.seq == seq else line.told
                before = head or viewer_head(_header(lines).match, str(_header(lines).viewer))
                head = next_viewer_head(before, told.encode())
                changed.append(transcript.write(replace(line, told=told, head=head.hex())))
            case transcript.Until():
                changed.append(transcript.write(replace(line, head=head.hex())))
            case _:
                changed.append(transcript.write(line))
    return changed


def _header(lines: list[transcript.Line]) -> transcript.Header:
    assert isinstance(lines[0], transcript.Header)
    return lines[0]


def test_a_tree_goes_on_from_the_one_that_was_kept() -> None:
    leaves = [leaf_hash(b"%d" % n) for n in range(13)]

    def answer(size: int, since: int | None = None, key: PrivateKey = OURS, other: bytes = b"") -> bytes:
        nodes = grown([other or leaves[0], *leaves[1:size]])
        text = note.checkpoint_text(Checkpoint(ORIGIN, size, stretch_hash(Stretch(0, size), nodes)))
        path = [] if since is None else [stretch_hash(each, nodes).hex() for each in consistency(since, size)]
        return json.dumps(
            {
                "checkpoint": note.signed(text, ORIGIN, key.public, key.sign),
                "size": size,
                "consistency": None if since is None else {"since": since, "path": path},
            }
        ).encode()

    def grows(before: bytes, after: bytes) -> int:
        return signed.grown(signed.tree(before, keys(OURS), check), after, keys(OURS), check)

    assert grows(answer(5), answer(13, 5)) == 13
    for before, after, why in (
        (answer(5), answer(13, 4), "since=5"),
        (answer(5), answer(13), "since=5"),
        (answer(13), answer(5, 5), "13 leaves"),
        (answer(5), answer(13, 5, other=leaf_hash(b"changed")), "does not go on"),
        (answer(5), answer(13, 5, key=THEIRS), "none of these keys"),
        (answer(5, key=THEIRS), answer(13, 5), "none of these keys"),
        (b'{"checkpoint":null}', answer(13, 5), "no tree yet"),
        (b"nothing", answer(13, 5), "no checkpoint"),
    ):
        with pytest.raises(NothingKept, match=why):
            grows(before, after)


def test_what_is_wrong_with_what_was_kept_is_said_of_the_right_file(tmp_path: Path) -> None:
    it, sandbox = paper("cheat"), Paper(Story(game="cheat", luck=2, seats=3, bots=2, sandbox=True))
    by_us = {"id": OURS.id, "public": OURS.public.hex(), "note_key": note.verifier_key(ORIGIN, OURS.public)}
    files = {
        "match": b"".join(it.log.lines()),
        "sandbox": b"".join(sandbox.lines()),
        "seat": b"".join(sandbox.told(0)),
        "tree": verification(it),
        "kept": verification(it, THEIRS),
        "receipts": b"".join(answers(it, 0)),
        "keys": json.dumps({"keys": [by_us]}).encode(),
        "no-tree": b'{"checkpoint":null,"inclusion":null}',
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(text)
    err = Console(stderr=True, record=True, width=400)
    check_it = partial(verifying.verify, chain_only=False, out=Console(), err=err)

    def says(of: str, **beside: str) -> str:
        kept = verifying.Beside(**{flag: tmp_path / name for flag, name in beside.items()})
        assert check_it(tmp_path / of, kept) == verifying.UNKNOWN
        return err.export_text()

    both = says("match", tree="tree", checkpoint="kept", keys="keys")
    assert both == "kept: none of these keys has signed the checkpoint\n"
    assert says("match", tree="tree", checkpoint="tree", keys="keys").startswith("tree: the answer has to be asked for")
    assert says("match", tree="tree").startswith("--tree is checked with --keys")
    assert says("match", receipts="receipts").startswith("--receipts is checked with --keys")
    assert says("match", receipts="receipts", tree="tree").startswith("--receipts and --tree are checked with --keys")
    assert says("match", tree="no-tree", keys="keys") == "no-tree: the match was in no tree yet\n"
    for of in ("sandbox", "seat"):
        assert "a sandbox's match, which lies in no tree and never will" in says(of, tree="no-tree", keys="keys")
