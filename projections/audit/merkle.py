"""The Merkle tree over matches that have ended: RFC 9162, section 2.1, with SHA-256.

The hash of every complete subtree that starts at a multiple of its size is kept as a node; ``Spot`` names it. A proof
is a row of stretches of leaves, each put together from at most log₂ of those nodes, so nobody reads the whole tree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

EMPTY_ROOT = hashlib.sha256(b"").digest()


class Spot(NamedTuple):
    """The complete subtree over leaves ``place · 2^level`` up to the next one of its size."""

    level: int
    place: int


class Stretch(NamedTuple):
    """Leaves ``begin`` ≤ n < ``end``, with a subtree of their own in the tree."""

    begin: int
    end: int


Nodes = Mapping[Spot, bytes]


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def completed(place: int) -> Iterator[tuple[Spot, Spot]]:
    """Which nodes come to be when leaf ``place`` does, the lowest first, and each one's left half."""
    level = 0
    while place >> level & 1:
        yield Spot(level + 1, place >> level + 1), Spot(level, (place >> level) - 1)
        level += 1


def spots(stretch: Stretch) -> tuple[Spot, ...]:
    """The nodes of which a stretch is put together, from left to right."""
    found, begin = [], stretch.begin
    while begin < stretch.end:
        level = (stretch.end - begin).bit_length() - 1
        found.append(Spot(level, begin >> level))
        begin += 1 << level
    return tuple(found)


def stretch_hash(stretch: Stretch, nodes: Nodes) -> bytes:
    if stretch.begin == stretch.end:
        return EMPTY_ROOT
    hashes = [nodes[spot] for spot in reversed(spots(stretch))]
    return reduce(lambda right, left: node_hash(left, right), hashes)


def _halves(stretch: Stretch) -> tuple[Stretch, Stretch]:
    size = stretch.end - stretch.begin
    half = stretch.begin + (1 << (size - 1).bit_length() - 1)
    return Stretch(stretch.begin, half), Stretch(half, stretch.end)


def inclusion(index: int, size: int) -> tuple[Stretch, ...]:
    """What proves that leaf ``index`` lies in the tree of ``size`` leaves: 2.1.3.1, from the leaf upwards."""
    path, stretch = [], Stretch(0, size)
    while stretch.end - stretch.begin > 1:
        left, right = _halves(stretch)
        stretch, other = (left, right) if index < left.end else (right, left)
        path.append(other)
    return tuple(reversed(path))


def consistency(old: int, size: int) -> tuple[Stretch, ...]:
    """What proves that the tree of ``old`` leaves is the beginning of that of ``size``: 2.1.4.1. Of 0 < old ≤ size."""
    path, stretch, whole = [], Stretch(0, size), True
    while stretch.end != old:
        left, right = _halves(stretch)
        if old <= left.end:
            stretch, other = left, right
        else:
            stretch, other, whole = right, left, False
        path.append(other)
    return (() if whole else (stretch,)) + tuple(reversed(path))


def lies_in(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows that this leaf's hash has this place: 2.1.3.2."""
    if not 0 <= index < size:
        return False
    place, last, made = index, size - 1, leaf
    for other in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            made = node_hash(other, made)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            made = node_hash(made, other)
        place, last = place >> 1, last >> 1
    return last == 0 and made == root


def goes_on(old: int, size: int, path: Sequence[bytes], old_root: bytes, root: bytes) -> bool:
    """Whether the proof shows that one tree is the beginning of the other: 2.1.4.2. All begin empty."""
    if not 0 <= old <= size:
        return False
    if old in (0, size):
        return not path and (old_root == root if old else old_root == EMPTY_ROOT)
    path = list(path) if old & (old - 1) else [old_root, *path]
    if not path:
        return False
    place, last = old - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    begun = made = path[0]
    for other in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            begun, made = node_hash(other, begun), node_hash(other, made)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            made = node_hash(made, other)
        place, last = place >> 1, last >> 1
    return last == 0 and begun == old_root and made == root


def grown(leaves: Iterable[bytes]) -> dict[Spot, bytes]:
    """All nodes of a tree of these leaf hashes."""
    nodes: dict[Spot, bytes] = {}
    for place, leaf in enumerate(leaves):
        made = nodes[Spot(0, place)] = leaf
        for spot, left in completed(place):
            made = nodes[spot] = node_hash(nodes[left], made)
    return nodes
