"""What a transcript says of its place in the tree over all matches that have ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from projections.audit import note
from projections.audit.fault import Fault, Part
from projections.audit.leaf import AttemptsHead, Leaf, leaf_text
from projections.audit.merkle import leaf_hash, lies_in
from projections.audit.note import BadNote, Checkpoint
from projections.audit.transcript import Ending, InTree

Open: TypeAlias = Callable[[str], Checkpoint]


def unsigned(text: str) -> Checkpoint:
    """A checkpoint, whoever signed it. Raises BadNote."""
    return note.read_checkpoint(note.unsigned(text))


def size_of_tree(match: str, ending: Ending, tree: InTree, opened: Open) -> int:
    """How many leaves the tree has in which the match lies, as it ends here. Raises Fault, and what ``opened`` does."""
    tries = tuple(AttemptsHead(tried.n, tried.head) for tried in ending.attempts)
    if tree.leaf != leaf_text(Leaf(match=match, version=ending.version, head=ending.head, attempts=tries)):
        raise Fault(ending.version, Part.TREE, "the leaf is not that of this match, as it ends here")
    try:
        checkpoint = opened(tree.checkpoint)
    except BadNote as bad:
        raise Fault(ending.version, Part.TREE, f"the checkpoint is none: {bad}") from None
    path = [bytes.fromhex(each) for each in tree.path]
    if tree.path != tuple(each.hex() for each in path):
        raise Fault(ending.version, Part.TREE, "the path is not written in hex as a transcript is")
    if not lies_in(leaf_hash(tree.leaf.encode()), tree.place, checkpoint.size, path, checkpoint.root):
        raise Fault(ending.version, Part.TREE, "the path does not lead from the leaf to the tree's root")
    return checkpoint.size
