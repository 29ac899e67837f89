"""What was signed of a match, to be held against its transcript: receipts, and its leaf in the tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Protocol

import msgspec
from msgspec import Meta, Struct

from projections.audit import note, receipt
from projections.audit.fault import Fault, Part
from projections.audit.kept import Kept, NothingKept, Point, Points, Try
from projections.audit.leaf import Leaf, read_leaf
from projections.audit.merkle import goes_on, leaf_hash, lies_in
from projections.audit.receipt import Hash, Receipt, SignedReceipt

Check = note.Check


class Held(Protocol):
    """Something that a history is held against while it is read; each raises Fault. ``alone``, before all others, says
    that it is one viewer's: then versions are his numbers, and it raises NothingKept where that will not do."""

    def __len__(self) -> int: ...
    def alone(self, viewer: int, name: str) -> None: ...
    def event(self, version: int, log_head: bytes, points: Points, texts: Sequence[bytes | None]) -> None: ...
    def attempt(self, version: int, seat: int, n: int, head: bytes) -> None: ...
    def end(self, version: int, points: Points, tried: Sequence[int]) -> None: ...


class Together:
    """Several things at once."""

    def __init__(self, things: Iterable[Held]) -> None:
        self._things: Final = tuple(things)

    def __len__(self) -> int:
        return sum(map(len, self._things))

    def alone(self, viewer: int, name: str) -> None:
        for thing in self._things:
            thing.alone(viewer, name)

    def event(self, version: int, log_head: bytes, points: Points, texts: Sequence[bytes | None]) -> None:
        for thing in self._things:
            thing.event(version, log_head, points, texts)

    def attempt(self, version: int, seat: int, n: int, head: bytes) -> None:
        for thing in self._things:
            thing.attempt(version, seat, n, head)

    def end(self, version: int, points: Points, tried: Sequence[int]) -> None:
        for thing in self._things:
            thing.end(version, points, tried)


class Placed:
    """A leaf: log and attempts stood so when the match was taken into the tree. The log may go on, by disputes."""

    def __init__(self, leaf: Leaf) -> None:
        self._leaf: Final = leaf

    def __len__(self) -> int:
        return 0

    def alone(self, viewer: int, name: str) -> None:
        raise NothingKept("a place in the tree is that of the whole match, and the transcript is only one viewer's")

    def event(self, version: int, log_head: bytes, points: Points, texts: Sequence[bytes | None]) -> None:
        if version == self._leaf.version and log_head.hex() != self._leaf.head:
            raise Fault(version, Part.KEPT, "the log's head is not the one in the tree")

    def attempt(self, version: int, seat: int, n: int, head: bytes) -> None:
        placed = self._leaf.attempts[seat] if seat < len(self._leaf.attempts) else None
        if placed is None or (placed.n == n and placed.head != head.hex()):
            raise Fault(version, Part.KEPT, f"attempt {n} of seat {seat} is not the one in the tree")

    def end(self, version: int, points: Points, tried: Sequence[int]) -> None:
        if version < self._leaf.version or len(self._leaf.attempts) != len(tried):
            raise Fault(version + 1, Part.KEPT, "in the tree it goes on beyond this history")
        for seat, (placed, n) in enumerate(zip(self._leaf.attempts, tried, strict=True)):
            if placed.n != n:  # of what is tried after the end nothing is recorded
                what = f"in the tree seat {seat} has tried {placed.n} times, and here {n}"
                raise Fault(self._leaf.version, Part.KEPT, what)


class _Key(Struct, frozen=True):
    id: str
    public: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    note_key: str | None = None


class Keys(Struct, frozen=True):
    """The answer of ``/.well-known/mogelwerk-keys``, as it was kept."""

    keys: tuple[_Key, ...]

    def public(self) -> Mapping[str, bytes]:
        return {key.id: bytes.fromhex(key.public) for key in self.keys}


class _Inclusion(Struct, frozen=True):
    leaf: str
    place: int
    path: tuple[Hash, ...]


class _Consistency(Struct, frozen=True):
    since: int
    path: tuple[Hash, ...]


class _Told(Struct, frozen=True):
    """What ``/checkpoint`` answers, or ``/verification``."""

    checkpoint: str | None
    inclusion: _Inclusion | None = None
    consistency: _Consistency | None = None


class _Line(Struct, frozen=True):
    """Whatever holds a receipt: itself, an answer with one, a page of them."""

    receipt: str | SignedReceipt | None = None
    signature: str | None = None
    receipts: tuple[SignedReceipt, ...] = ()


def read_keys(text: bytes) -> Keys:
    """Raises NothingKept."""
    keys: Keys = _read(text, Keys, "no keys")
    return keys


def receipts(lines: Iterable[bytes], match: str, keys: Keys, check: Check) -> list[Kept]:
    """What the receipts of this match bind, by viewer. Raises NothingKept, and BadReceipt for a forged one."""
    known = keys.public()
    opened = [receipt.opened(one, known.get, check) for line in lines if line.strip() for one in _signed(line)]
    mine = [one for one in opened if one.match == match]
    if not mine:
        raise NothingKept("there is no receipt of this match in it")
    viewers = dict.fromkeys(one.viewer for one in mine)
    return [_kept(viewer, [one for one in mine if one.viewer == viewer]) for viewer in viewers]


def tree(text: bytes, keys: Keys, check: Check) -> note.Checkpoint:
    """The signed tree of an answer of ``/checkpoint`` or ``/verification`` that somebody has kept. Raises
    NothingKept."""
    return _tree(_read(text, _Told, "no checkpoint"), keys, check)


def grown(old: note.Checkpoint, text: bytes, keys: Keys, check: Check) -> int:
    """The size of the tree in an answer of ``/verification`` or ``/checkpoint`` to ``since`` the size of an old one,
    from which it goes on. Raises NothingKept."""
    told = _read(text, _Told, "no checkpoint")
    now = _tree(told, keys, check)
    if old.size > now.size:
        raise NothingKept(f"the tree that was kept has {old.size} leaves, and this one {now.size}")
    if told.consistency is None or told.consistency.since != old.size:
        raise NothingKept(f"the answer has to be asked for with since={old.size}")
    if not goes_on(old.size, now.size, [bytes.fromhex(each) for each in told.consistency.path], old.root, now.root):
        raise NothingKept(f"its tree of {now.size} leaves does not go on from the one of {old.size} that was kept")
    return now.size


def _tree(told: _Told, keys: Keys, check: Check) -> note.Checkpoint:
    if told.checkpoint is None:
        raise NothingKept("there was no tree yet")
    return checkpoint(told.checkpoint, keys, check)


def placed(text: bytes, match: str, keys: Keys, check: Check) -> Placed:
    """The match's leaf, from the answer of ``/verification``: signed, and in the tree. Raises NothingKept."""
    told = _read(text, _Told, "no answer of /verification")
    if told.checkpoint is None or told.inclusion is None:
        raise NothingKept("the match was in no tree yet")
    within = checkpoint(told.checkpoint, keys, check)
    leaf, path = told.inclusion.leaf, [bytes.fromhex(each) for each in told.inclusion.path]
    if not lies_in(leaf_hash(leaf.encode()), told.inclusion.place, within.size, path, within.root):
        raise NothingKept("the proof does not show that the leaf lies in the tree")
    try:
        read = read_leaf(leaf)
    except msgspec.MsgspecError as why:
        raise NothingKept(f"the leaf is none: {why}") from None
    if read.match != match:
        raise NothingKept(f"the leaf is of another match, {read.match}")
    return Placed(read)


def checkpoint(text: str, keys: Keys, check: Check) -> note.Checkpoint:
    """A checkpoint that one of these keys has signed. Those that were kept before the first one have no name for notes
    yet: its own will do. Raises NothingKept."""
    origin = text.partition("\n")[0]
    for key in keys.keys:
        try:
            name, public = note.read_verifier_key(key.note_key) if key.note_key else (origin, bytes.fromhex(key.public))
            return note.read_checkpoint(note.opened(text, name, public, check))
        except note.BadNote:
            continue
    raise NothingKept("none of these keys has signed the checkpoint")


def _signed(line: bytes) -> Iterator[SignedReceipt]:
    found = _read(line, _Line, "no receipt")
    if isinstance(found.receipt, SignedReceipt):
        yield found.receipt
    elif found.receipt is not None and found.signature is not None:
        yield SignedReceipt(found.receipt, found.signature)
    yield from found.receipts


def _kept(viewer: str, of: Sequence[Receipt]) -> Kept:
    points = [Point(one.seq, bytes.fromhex(one.head), bytes.fromhex(one.log_head)) for one in of]
    tries: dict[int, Try] = {}
    for one in of:
        tried = Try(one.attempt, bytes.fromhex(one.attempts_head), one.seq)
        if tries.setdefault(one.attempt, tried).head != tried.head:
            raise NothingKept(f"there are two receipts of attempt {one.attempt}, which differ: both are signed")
    heads: dict[int, bytes] = {}
    for point in points:
        if heads.setdefault(point.seq, point.head) != point.head:
            raise NothingKept(f"there are two receipts of frame {point.seq}, which differ: both are signed")
    return Kept(points, viewer, tries.values())


def _read(text: bytes, kind: Any, what: str) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as why:
        raise NothingKept(f"there is {what} in it: {why}") from None
