"""Trees over matches that have ended, in which a match on paper lies."""

from __future__ import annotations

from uuid import UUID

from projections.audit import note, transcript
from projections.audit.leaf import AttemptsHead, Leaf, leaf_text
from projections.audit.merkle import Stretch, grown, inclusion, leaf_hash, stretch_hash
from projections.audit.note import Checkpoint
from projections.audit.transcript import Ending, InTree
from service.audit.keys import PrivateKey
from tests.audit.paper import Paper

KEY = PrivateKey(bytes(32))
ORIGIN = "mogelwerk.example/mogelwerk"
PLACE, SIZE = 5, 11


def in_tree(leaf: str, key: PrivateKey = KEY) -> InTree:
    """A leaf among others."""
    nodes = grown(leaf_hash(leaf.encode() if n == PLACE else b"%d" % n) for n in range(SIZE))
    text = note.checkpoint_text(Checkpoint(ORIGIN, SIZE, stretch_hash(Stretch(0, SIZE), nodes)))
    path = tuple(stretch_hash(stretch, nodes).hex() for stretch in inclusion(PLACE, SIZE))
    return InTree(checkpoint=note.signed(text, ORIGIN, key.public, key.sign), leaf=leaf, place=PLACE, path=path)


def placed(it: Paper) -> list[bytes]:
    """The transcript of a match that lies in such a tree."""

    async def place(match: UUID, version: int) -> InTree:
        ending = transcript.read(it.lines()[-1])
        assert isinstance(ending, Ending)
        tries = tuple(AttemptsHead(tried.n, tried.head) for tried in ending.attempts)
        return in_tree(leaf_text(Leaf(match=str(match), version=version, head=ending.head, attempts=tries)))

    return it.log.lines(place)
