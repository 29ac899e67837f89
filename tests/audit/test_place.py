"""A transcript says where the match lies in the tree over all that have ended, and cannot say it falsely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from projections.audit import note, signed, transcript
from projections.audit.fault import Fault, Part
from projections.audit.kept import NothingKept
from projections.audit.note import Checkpoint
from projections.audit.transcript import Ending, InTree
from projections.audit.verify import Summary, verify
from service.audit.keys import PrivateKey, check
from tests.audit.paper import Paper, Story
from tests.audit.trees import KEY, ORIGIN, PLACE, SIZE, in_tree, placed

OTHER = PrivateKey(bytes(range(32)))
A_MATCH = Story(game="liars-dice", luck=3, seats=3, wild=30)


@cache
def lines() -> list[bytes]:
    """A match among others that have ended."""
    return placed(Paper(A_MATCH))


def changed(change: Callable[[InTree], InTree]) -> list[bytes]:
    *before, last = lines()
    ending = transcript.read(last)
    assert isinstance(ending, Ending)
    assert ending.tree is not None
    return [*before, transcript.write(replace(ending, tree=change(ending.tree)))]


def opened(text: str) -> Checkpoint:
    told = signed.Keys((signed._Key(KEY.id, KEY.public.hex()),))
    return signed.checkpoint(text, told, check)


def summaries(match: list[bytes]) -> Iterator[Summary]:
    yield verify(match)
    yield verify(match, chain_only=True)


def test_it_is_found_there() -> None:
    for summary in summaries(lines()):
        assert (summary.tree, summary.signed) == (SIZE, False)
    summary = verify(lines(), opened=opened)
    assert (summary.tree, summary.signed) == (SIZE, True)


def test_who_is_in_no_tree_says_nothing() -> None:
    *_, last = Paper(A_MATCH).lines()
    assert b'"tree"' not in last
    assert {summary.tree for summary in summaries(Paper(A_MATCH).lines())} == {None}


FALSE: dict[str, Callable[[InTree], InTree]] = {
    "another place": lambda tree: replace(tree, place=PLACE + 1),
    "a place beyond": lambda tree: replace(tree, place=SIZE),
    "a hash less": lambda tree: replace(tree, path=tree.path[:-1]),
    "a hash more": lambda tree: replace(tree, path=(*tree.path, tree.path[0])),
    "another hash": lambda tree: replace(tree, path=("00" * 32, *tree.path[1:])),
    "a hash in capitals": lambda tree: replace(tree, path=(tree.path[0].upper(), *tree.path[1:])),
    "a hash with blanks": lambda tree: replace(tree, path=(tree.path[0] + " ", *tree.path[1:])),
    "another match's leaf": lambda tree: replace(tree, leaf=tree.leaf.replace('"match":"', '"match":"0', 1)),
    "an earlier version's leaf": lambda tree: replace(tree, leaf=tree.leaf.replace('"version":', '"version":1', 1)),
    "another root": lambda tree: in_tree("another leaf"),
    "no note": lambda tree: replace(tree, checkpoint="signed by nobody"),
    "no checkpoint": lambda tree: replace(tree, checkpoint=note.signed("hello\n", ORIGIN, KEY.public, KEY.sign)),
}


@pytest.mark.parametrize("change", FALSE)
def test_it_cannot_be_said_falsely(change: str) -> None:
    for chain_only in (False, True):
        with pytest.raises(Fault) as found:
            verify(changed(FALSE[change]), chain_only=chain_only)
        assert found.value.part is Part.TREE


def test_a_tree_that_none_of_the_kept_keys_has_signed() -> None:
    with pytest.raises(NothingKept, match="none of these keys"):
        verify(changed(lambda tree: in_tree(tree.leaf, OTHER)), opened=opened)
