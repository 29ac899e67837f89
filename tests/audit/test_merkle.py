"""The tree of RFC 9162, against the example of its section 2.1.5, public vectors, and its definition."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest

from projections.audit.merkle import (
    EMPTY_ROOT,
    Stretch,
    consistency,
    goes_on,
    grown,
    inclusion,
    leaf_hash,
    lies_in,
    node_hash,
    stretch_hash,
)

INPUTS = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
"""The leaves of the vectors that implementations of RFC 6962 and 9162 share."""

ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [leaf_hash(data) for data in INPUTS]
MANY = [leaf_hash(str(n).encode()) for n in range(40)]


def tree_hash(leaves: Sequence[bytes]) -> bytes:
    """2.1.1 as it is defined, word for word in code."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return node_hash(tree_hash(leaves[:half]), tree_hash(leaves[half:]))


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_are_those_that_others_compute(size: int) -> None:
    assert stretch_hash(Stretch(0, size), grown(LEAVES[:size])).hex() == ROOTS[size - 1]


def test_the_empty_tree_has_a_root() -> None:
    assert stretch_hash(Stretch(0, 0), {}) == EMPTY_ROOT == tree_hash([])


@pytest.mark.parametrize("size", range(1, 41))
def test_a_root_is_what_the_definition_says(size: int) -> None:
    assert stretch_hash(Stretch(0, size), grown(MANY)) == tree_hash(MANY[:size])


def path(stretches: Sequence[Stretch]) -> list[bytes]:
    nodes = grown(MANY)
    return [stretch_hash(stretch, nodes) for stretch in stretches]


def test_the_example_of_the_rfc() -> None:
    """2.1.5, seven leaves d0 … d6, and the names of its picture: a … f leaves' hashes, g h i k l above them."""
    a, b, c, d, e, f, j = (Stretch(n, n + 1) for n in range(7))
    g, h, i, k, l = Stretch(0, 2), Stretch(2, 4), Stretch(4, 6), Stretch(0, 4), Stretch(4, 7)  # noqa: E741

    assert inclusion(0, 7) == (b, h, l)
    assert inclusion(3, 7) == (c, g, l)
    assert inclusion(4, 7) == (f, j, k)
    assert inclusion(6, 7) == (i, k)
    assert consistency(3, 7) == (c, d, g, l)
    assert consistency(4, 7) == (l,)
    assert consistency(6, 7) == (i, j, k)
    assert {a, e}.isdisjoint(inclusion(3, 7))


@pytest.mark.parametrize("size", range(1, 41))
def test_every_leaf_lies_where_it_lies_and_nowhere_else(size: int) -> None:
    root = tree_hash(MANY[:size])
    for index in range(size):
        proof = path(inclusion(index, size))
        assert lies_in(MANY[index], index, size, proof, root)
        assert not lies_in(MANY[(index + 1) % len(MANY)], index, size, proof, root)
        assert not any(lies_in(MANY[index], other, size, proof, root) for other in range(size) if other != index)
        assert not lies_in(MANY[index], index, size, [*proof, root], root)
        assert not lies_in(MANY[index], index, size, proof[:-1], root) or not proof
        assert not lies_in(MANY[index], size, size, proof, root)


@pytest.mark.parametrize("size", range(1, 41))
def test_every_beginning_is_one_and_nothing_else_is(size: int) -> None:
    root = tree_hash(MANY[:size])
    for old in range(1, size + 1):
        proof, before = path(consistency(old, size)), tree_hash(MANY[:old])
        assert goes_on(old, size, proof, before, root)
        rewritten = tree_hash([leaf_hash(b"other"), *MANY[1:old]])
        assert not goes_on(old, size, proof, rewritten, root)
        assert not goes_on(old, size, proof, before, tree_hash([*MANY[1:size], MANY[0]])) or size == 1
        assert not goes_on(old, size, [*proof, root], before, root)
        assert not proof or not goes_on(old, size, proof[:-1], before, root)
        assert not goes_on(size + 1, size, proof, before, root)
    assert goes_on(0, size, [], EMPTY_ROOT, root)
    assert not goes_on(0, size, [], root, root)


def test_what_was_complete_never_changes() -> None:
    nodes = grown(MANY)

    for size in range(len(MANY)):
        assert grown(MANY[:size]).items() <= nodes.items()
