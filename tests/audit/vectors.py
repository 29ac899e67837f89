"""The test vectors in openapi/vectors: worked examples, whole transcripts, and broken ones.

`python -m tests.audit.vectors` writes those that are not there. What is there stays: others have built on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.cards import PACK, sort
from domain.kernel.chance import Chance, Draw, entropy_of
from domain.kernel.game import Seat
from domain.match.envelope import command_of
from projections.audit import transcript
from projections.evidence import attempts_head, viewer_name
from tests.audit.forger import change, change_attempt, event_of, find, rehash, renumber, renumber_attempts
from tests.audit.paper import Kept, Paper, Story
from tests.audit.trees import in_tree, placed

FOLDER: Final = Path(__file__).parents[2] / "openapi" / "vectors"
CHAINS: Final = "chains.json"
MANIFEST: Final = "transcripts.json"
A_MATCH: Final = Story(game="cheat", luck=52, seats=3, commit=True, wild=45, options={"max_turns": 4})
WITH_BOTS: Final = Story(game="cheat", luck=2, seats=3, bots=2, sandbox=True, options={"max_turns": 3})


class Case(Struct, frozen=True):
    """``fault``: the first one, version and part, None where all is well; ``chains``: the version that a verifier
    without rules must name."""

    file: str
    about: str
    fault: tuple[int, str] | None
    chains: int | None
    lines: list[bytes]


def cases() -> Iterator[Case]:
    paper = Paper(A_MATCH)
    yield Case("good-players.ndjson", "three players, refusals, entropy", None, None, paper.lines())
    yield Case("good-bots.ndjson", "a player and two bots in the sandbox", None, None, Paper(WITH_BOTS).lines())
    for viewer in (1, 3):
        name = viewer_name(viewer, 3)
        file = f"good-{name.replace(':', '-')}.ndjson"
        yield Case(file, f"what {name} was told of good-players.ndjson", None, None, paper.told(viewer))
    yield from _torn(paper)
    yield from _forged(paper)
    yield from _placed(paper)
    yield from _so_far(paper)


def _so_far(paper: Paper) -> Iterator[Case]:
    """Of a match that goes on, without its seed."""
    book = next(book for book in reversed(paper.books) if book.open_state().status == "playing")
    lines = paper.so_far(book)
    yield Case("good-so-far.ndjson", "good-players.ndjson before it was over, without the seed", None, None, lines)
    *before, last = lines
    so_far = transcript.read(last)
    assert isinstance(so_far, transcript.SoFar)
    viewers = (replace(so_far.viewers[0], head="0" * 64), *so_far.viewers[1:])
    at, beyond = book.version, book.version + 1
    for name, about, fault, changed in (
        ("head", "another head at the end", (beyond, "log"), _written(so_far, head="0" * 64)),
        ("viewer", "a viewer stands elsewhere at the end", (at, "frames"), _written(so_far, viewers=viewers)),
    ):
        yield Case(f"broken-so-far-{name}.ndjson", about, fault, fault[0], [*before, changed])
    opened, *rest = paper.lines()
    seedless = _written(transcript.read(opened), seed=None)
    revealed, end = find(paper.log, "match.seed_revealed"), paper.book.version
    about = "the match is over, and the seed is left out"
    yield Case("broken-no-seed.ndjson", about, (revealed, "luck"), end, [seedless, *rest])
    version, happened, tries = _dealt_twice(paper)
    row = next(row for row in happened.rows if row.version == version)
    lines = happened.lines()
    points = transcript.points(row.seqs, row.heads)
    stand = _written(so_far, version=version, head=row.head.hex(), viewers=points, attempts=tries)
    about = "a card was dealt twice, which no seed gives"
    lines = [seedless, *lines[1 : _line(lines, version) + 1], stand]
    yield Case("forged-so-far-deal.ndjson", about, (version, "luck"), None, lines)


def _dealt_twice(paper: Paper) -> tuple[int, Kept, tuple[transcript.Tried, ...]]:
    """The first deal, by somebody who made all chains fit again; and where the attempts before it end."""
    kept = paper.log
    version = find(kept, "cheat.dealt")
    dealt = event_of(kept, version)
    first, second, *others = dealt.hands
    change(kept, version, replace(dealt, hands=(first, sort((first[0], *second[1:])), *others)))
    rehash(kept)
    tries = {seat: transcript.Tried(0, attempts_head(str(paper.match), Seat(seat)).hex()) for seat in range(3)}
    for line in map(transcript.read, kept.lines()[: _line(kept.lines(), version)]):
        if isinstance(line, transcript.Attempt):
            tries[line.seat] = transcript.Tried(line.n, line.head)
    return version, kept, tuple(tries.values())


def _placed(paper: Paper) -> Iterator[Case]:
    """With a place in a tree."""
    *lines, last = placed(paper)
    ending = transcript.read(last)
    assert isinstance(ending, transcript.Ending)
    assert ending.tree is not None
    tree, version = ending.tree, ending.version
    yield Case("good-tree.ndjson", "a match in a tree of 11", None, None, [*lines, last])
    for name, about, other in (
        ("place", "another place in the tree", replace(tree, place=tree.place + 1)),
        ("path", "another hash on the way to the root", replace(tree, path=("00" * 32, *tree.path[1:]))),
        ("leaf", "the leaf of an earlier version, which lies in the tree", _in_tree_before(tree, version)),
    ):
        changed = [*lines, _written(ending, tree=other)]
        yield Case(f"broken-tree-{name}.ndjson", about, (version, "tree"), version, changed)


def _in_tree_before(tree: transcript.InTree, version: int) -> transcript.InTree:
    return in_tree(tree.leaf.replace(f'"version":{version}', f'"version":{version - 1}'))


def _torn(paper: Paper) -> Iterator[Case]:
    """Changed without making the chains fit."""
    lines = paper.lines()
    claim = find(paper.log, "cheat.claimed")
    at = _line(lines, claim)

    def case(name: str, about: str, part: str, lines: list[bytes], version: int = claim) -> Case:
        return Case(f"broken-{name}.ndjson", about, (version, part), version, lines)

    def with_line(line: bytes) -> list[bytes]:
        return [*lines[:at], line, *lines[at + 1 :]]

    event = transcript.read(lines[at])
    assert isinstance(event, transcript.Event)
    envelope = event.envelope.replace('"by":', '"by":1', 1)
    yield case("envelope", "a digit more in an envelope", "log", with_line(_written(event, envelope=envelope)))
    yield case("salt", "another salt", "log", with_line(_written(event, salt="0" * 32)))
    yield case("head", "another head", "log", with_line(_written(event, head="0" * 64)))
    yield case("blank", "a blank in a line", "form", with_line(lines[at].replace(b",", b", ", 1)))
    yield case("missing", "an event is missing", "rules", [*lines[:at], *lines[at + 1 :]])
    after = next(n for n in range(at + 1, len(lines)) if lines[n].startswith(b'{"line":"event"'))
    swapped = [*lines[:at], lines[after], *lines[at + 1 : after], lines[at], *lines[after + 1 :]]
    yield case("swapped", "two events have changed places", "log", swapped)
    yield case("cut", "the file ends in the middle", "form", lines[:at])
    yield case("command", "another command", "rules", with_line(_written(event, command=str(UUID(int=7)))))
    seqs = tuple(None if told is None else replace(told, seq=told.seq + 1) for told in event.told)
    yield case("seq", "frames are numbered with a hole", "frames", with_line(_written(event, told=seqs)))
    assert event.told[0] is not None
    heads = (replace(event.told[0], head="0" * 64), *event.told[1:])
    told = with_line(_written(event, told=heads))
    yield Case("broken-told.ndjson", "another frame's head: only the rules tell", (claim, "frames"), None, told)
    kept = paper.log
    kept.secret = bytes(32)
    yield case("seed", "another seed than was committed to", "luck", kept.lines(), 1)
    refused = next(n for n, line in enumerate(lines) if b'\\"refused\\"' in line)
    missing = transcript.read(lines[refused])
    assert isinstance(missing, transcript.Attempt)
    noticed = next(n for n in range(refused + 1, len(lines)) if b'"attempt","seat":%d,' % missing.seat in lines[n])
    version = sum(line.startswith(b'{"line":"event"') for line in lines[:noticed])  # when the seat's next one comes
    less = [*lines[:refused], *lines[refused + 1 :]]
    yield case("attempt", "a refused attempt is missing", "attempts", less, version)
    ending = transcript.read(lines[-1])
    assert isinstance(ending, transcript.Ending)
    viewers = (replace(ending.viewers[0], head="0" * 64), *ending.viewers[1:])
    last = ending.version
    other = _written(ending, viewers=viewers)
    yield case("viewer-end", "a viewer ends elsewhere", "frames", [*lines[:-1], other], last)
    other = _written(ending, entropy="0" * 64)
    yield case("entropy-end", "another entropy at the end", "luck", [*lines[:-1], other], last)
    own = paper.told(1)
    frame = transcript.read(own[3])
    assert isinstance(frame, transcript.Frame)
    changed = _written(frame, told=frame.told.replace('"type"', '"kind"'))
    yield case("frame", "what seat 1 was told was changed", "frames", [*own[:3], changed, *own[4:]], 3)


def _forged(paper: Paper) -> Iterator[Case]:
    """Changed by somebody who made all chains fit again."""

    def case(name: str, about: str, forge: Callable[[Kept], tuple[int, str]], chains: bool = False) -> Case:
        kept = paper.log
        version, part = forge(kept)
        return Case(f"forged-{name}.ndjson", about, (version, part), version if chains else None, kept.lines())

    def card(kept: Kept) -> tuple[int, str]:
        version = find(kept, "cheat.claimed")
        claim = event_of(kept, version)
        change(kept, version, replace(claim, cards=("AS",) if claim.cards != ("AS",) else ("KD",)))
        rehash(kept)
        return version, "rules"

    def deal(kept: Kept) -> tuple[int, str]:
        version = find(kept, "cheat.dealt")
        dealt = event_of(kept, version)
        one, other, *rest = dealt.hands
        change(kept, version, replace(dealt, hands=(other, one, *rest)))
        rehash(kept)
        return version, "luck"

    def time(kept: Kept) -> tuple[int, str]:
        version = find(kept, "cheat.claimed")
        at = next(row.at for row in kept.rows if row.version == version)
        change(kept, version, at=at + timedelta(milliseconds=1))
        rehash(kept)
        return version, "time"

    def entropy(kept: Kept) -> tuple[int, str]:
        version = find(kept, "match.entropy_settled")
        change(kept, version, replace(event_of(kept, version), digest="0" * 64))
        rehash(kept)
        return version, "luck"

    def torn(kept: Kept) -> tuple[int, str]:
        version = next(
            row.version for row, before in zip(kept.rows[1:], kept.rows, strict=False) if row.command == before.command
        )
        change(kept, version, command=UUID(int=7))
        rehash(kept)
        return version, "rules" if version > 2 else "log"

    def lost(kept: Kept) -> tuple[int, str]:
        version = find(kept, "cheat.pile_taken")
        kept.rows = [row for row in kept.rows if row.version != version]
        renumber(kept)
        rehash(kept)
        return version, "rules"

    def refusal(kept: Kept) -> tuple[int, str]:
        place = next(n for n, row in enumerate(kept.tried) if row.outcome == "refused")
        change_attempt(kept, place, reason="too_late")
        renumber_attempts(kept)
        rehash(kept)
        return msgspec.json.decode(kept.tried[place].record, type=dict[str, Any])["version"], "rules"

    yield case("card", "another card was laid than was asked for", card)
    yield case("deal", "two hands were dealt the other way round", deal)
    yield case("time", "a claim is dated later", time)
    yield case("entropy", "the luck has other entropy than was revealed", entropy, chains=True)
    yield case("lost", "who lost a challenge takes no pile", lost)
    yield case("refusal", "a refusal has another reason", refusal)
    yield case("torn", "an event says that it came of another command", torn, chains=True)


def chains() -> dict[str, Any]:
    """Worked examples of every chain and every kind of draw."""
    paper = Paper(A_MATCH)
    lines = [transcript.read(line) for line in paper.lines()]
    events = [line for line in lines if isinstance(line, transcript.Event)][:4]
    tries = [line for line in lines if isinstance(line, transcript.Attempt) and line.seat == 0][:3]
    frames = [line for line in map(transcript.read, paper.told(2)) if isinstance(line, transcript.Frame)][:4]
    match = str(paper.match)

    def head(*of: str) -> str:
        return sha256("".join(of).encode()).hexdigest()

    return {
        "chains": [
            {
                "name": "log",
                "kind": "log",
                "of": [match],
                "head_0": head("mogelwerk/log/1", match),
                "links": [{"salt": line.salt, "text": line.envelope, "head": line.head} for line in events],
            },
            {
                "name": "what seat 2 was told",
                "kind": "view",
                "of": [match, "seat:2"],
                "head_0": head("mogelwerk/view/1", match, "seat:2"),
                "links": [{"text": line.told, "head": line.head} for line in frames],
            },
            {
                "name": "what seat 0 tried",
                "kind": "attempts",
                "of": [match, "0"],
                "head_0": head("mogelwerk/attempts/1", match, "0"),
                "links": [{"text": line.record, "head": line.head} for line in tries],
            },
        ],
        "commands": [
            {"salt": salt.hex(), "command": str(UUID(bytes=command_of(salt)))} for salt in (bytes(16), bytes(range(16)))
        ],
        "entropy": [
            {"seats": seats, "entropy": entropy_of(map(bytes.fromhex, seats)).hex()} for seats in ([], ["00ff", "07"])
        ],
        "draws": list(_draws()),
    }


def _draws() -> Iterator[dict[str, Any]]:
    seed, match = bytes(range(32)), "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
    chance = Chance(seed, match, entropy_of([b"\x00\xff", b"\x07"]))
    of = {"seed": seed.hex(), "match": match}
    for k in (0, 1, 300):
        yield {**of, "entropy": chance.entropy.hex(), "k": k, **_drawn(*(chance.draw(k) for _ in range(3)))}
    yield {**of, "bot": {"seat": 2, "seq": 41}, **_drawn(*(chance.bot(2, 41) for _ in range(3)))}


def _drawn(numbers: Draw, below: Draw, shuffled: Draw) -> dict[str, Any]:
    """From three times the same draw."""
    return {
        "numbers": [f"{next(numbers._numbers):016x}" for _ in range(6)],
        "below": [[n, below.below(n)] for n in (2, 3, 6, 52, 2**32 + 1)],
        "things": list(PACK),
        "shuffled": list(shuffled.shuffled(PACK)),
    }


def _line(lines: list[bytes], version: int) -> int:
    places = [n for n, line in enumerate(lines) if line.startswith(b'{"line":"event"')]
    return places[version - 1]


def _written(line: Any, **fields: Any) -> bytes:
    return transcript.write(replace(line, **fields))


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    manifest = FOLDER / MANIFEST
    known = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else []
    for case in cases():
        if not (FOLDER / case.file).exists():
            known.append({"file": case.file, "about": case.about, "fault": case.fault, "chains": case.chains})
            (FOLDER / case.file).write_bytes(b"".join(case.lines))
    _write(manifest, known)
    if not (FOLDER / CHAINS).exists():
        _write(FOLDER / CHAINS, chains())


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
