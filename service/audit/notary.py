"""Who signs: receipts of single commands, and checkpoints of the tree over all matches that have ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct

from domain import history
from domain.kernel.game import Seat
from domain.match import events
from domain.match.envelope import log_head
from projections.audit import note, receipt
from projections.audit.leaf import AttemptsHead, Leaf, leaf_text
from projections.audit.merkle import Stretch, consistency, inclusion, leaf_hash, lies_in
from projections.audit.note import BadNote, Checkpoint, checkpoint_text, read_checkpoint
from projections.audit.receipt import Receipt, SignedReceipt
from projections.audit.transcript import InTree
from projections.catalogue import CATALOGUE
from projections.evidence import head_of, read_record, viewer_name
from service.audit import NoKey
from service.audit.keys import KeyRing, ring
from service.runtime import attempts
from service.runtime.book import BrokenLog, next_head
from service.store.engine import Store
from service.store.log import MAX_VERSION
from service.store.rows import AttemptRow, EventRow, LobbyRow, Unavailable
from service.store.tree import Before, BrokenTree, EndedMatch, SignedTree, Tree
from service.store.tree import Leaf as PlacedLeaf

_SEATS_CHANGE: Final = tuple(str(event.__struct_config__.tag) for event in (events.Seated, events.Left))
PAGE: Final = 500  # events read at once
EVERY: Final = 2.0  # seconds between looks whether a match has ended
log = structlog.get_logger()


class Inclusion(Struct, frozen=True):
    """That a leaf lies in the tree of the checkpoint: its text, its place, and the path upwards, hashes in hex."""

    leaf: str
    place: int
    path: tuple[str, ...]


class Consistency(Struct, frozen=True, kw_only=True):
    """That the tree of ``since`` leaves is the beginning of the checkpoint's."""

    since: int
    path: tuple[str, ...]


class Notary:
    """One per process. ``folder``: where its private keys lie; ``public_url`` names the tree when it begins.

    ``look(match)`` sees what has ended before it is taken in; it may raise BrokenLog and Unavailable. ``on_broken`` is
    told of each match that is not as it was written, and, with None, of a tree that is not as it was signed.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        now: Callable[[], datetime],
        *,
        public_url: str | None = None,
        look: Callable[[UUID], Awaitable[None]] | None = None,
        on_broken: Callable[[UUID | None, Exception], None] = lambda match, broken: None,
    ) -> None:
        self._store: Final = store
        self._folder: Final = folder
        self._now: Final = now
        self._public_url: Final = public_url
        self._look: Final = look
        self._on_broken: Final = on_broken
        self._ring: KeyRing | None = None
        self._opening: Final = asyncio.Lock()

    async def keys(self) -> KeyRing:
        """Read when something is signed for the first time, and made public before that. NoKey, Unavailable."""
        async with self._opening:
            if self._ring is None:
                found = await asyncio.to_thread(ring, self._folder)
                for key in found.keys:
                    await self._store.tree.add_key(key.id, key.public, self._now())
                self._ring = found
        return self._ring

    async def receipt(self, match: UUID, command: UUID) -> SignedReceipt | None:
        """Of a command that was answered; None where nothing is on record: it was only counted. Unavailable."""
        row = await self._store.log.attempted(match, command)
        if row is not None:
            await self._whole(match, row.seat, row.n, row.n)
        after = None if row is None else await self._after(match, row)
        told = None if row is None or after is None else await self._store.log.last_told(match, row.seat, after)
        about = None if told is None else await self._store.lobby.row(match)
        return None if row is None or told is None or about is None else await self._of(match, row, told, about)

    async def receipts(self, match: UUID, seat: Seat, seq: int, player: UUID) -> list[SignedReceipt]:
        """Of all that this player tried while he held this seat, and that was answered with this ``seq``, the oldest
        first. Unavailable.

        The log is asked as often for many as for one, and nobody is waited for: it is final where it has answered.
        """
        around = await self._store.log.told(match, seat, seq - 1, 2) if seq else []
        about = await self._store.lobby.row(match) if around else None
        if not around or about is None:
            return []
        last = around[1].version - 1 if len(around) > 1 else MAX_VERSION - 1
        rows = await self._store.log.answered(match, seat, around[0].version, last)
        if not rows:
            return []
        await self._whole(match, seat, rows[0].n, rows[-1].n)
        holder = await self._holder(match, about.game, seat)
        mine = [row for row in rows if holder(read_record(row.record).version) == str(player)]
        return [await self._of(match, row, around[0], about) for row in mine]

    async def _whole(self, match: UUID, seat: int, first: int, last: int) -> None:
        """What the seat tried from one number to another is as it was written, between its neighbours. BrokenLog."""
        stream = await self._store.log.stream(match)  # before what it is held against, which goes on
        if stream is not None:
            chain = attempts.read(stream.tries, match, len(stream.seqs) - 1)[seat]
            after = max(first - 2, 0)
            rows = await self._store.log.attempts(match, seat, after, last - after + 1)
            attempts.check(rows, match, Seat(seat), after, chain)

    async def _holder(self, match: UUID, game: str, seat: Seat) -> Callable[[int], str | None]:
        """Which player held this seat at a version."""
        changes = await self._store.log.tagged(match, _SEATS_CHANGE)
        told = [(row.version, history.read(CATALOGUE[game].game, row.envelope).event) for row in changes]
        held = [(version, getattr(event, "player", None)) for version, event in told if event.seat == seat]
        return lambda version: next((player for since, player in reversed(held) if since <= version), None)

    async def _after(self, match: UUID, row: AttemptRow) -> int | None:
        """The version at which the attempt was answered."""
        if row.outcome == "refused":
            return read_record(row.record).version
        span = await self._store.log.happened(match, row.command)
        return None if span is None else span[1]

    async def _of(self, match: UUID, row: AttemptRow, told: EventRow, about: LobbyRow) -> SignedReceipt:
        """``told``: the last frame that the seat had when it was answered."""
        tried = read_record(row.record)
        signer = (await self.keys()).signing
        return receipt.signed(
            Receipt(
                match=str(match),
                viewer=viewer_name(row.seat, len(told.seqs) - 1),
                seq=told.seqs[row.seat],
                head=head_of(told.heads, row.seat).hex(),
                log_head=told.head.hex(),
                attempt=row.n,
                attempts_head=row.head.hex(),
                action=receipt.action_digest(bytes(tried.action)),
                outcome="refused" if row.outcome == "refused" else "accepted",
                reason=tried.reason,
                received_at=row.received_at,
                sandbox=about.sandbox,
                key=signer.id,
            ),
            signer.sign,
        )

    async def run(self) -> None:
        """Takes in what ends, for as long as the process lives."""
        while True:
            try:
                await self.keys()  # public before any match is opened, if it can be
                while await self.grow():
                    pass
            except Unavailable:
                pass  # Postgres is away: what has ended waits
            except BrokenTree as broken:
                self._on_broken(None, broken)
            except Exception:
                log.exception("the tree did not grow")
            await asyncio.sleep(EVERY)  # nothing tells that a match has ended elsewhere

    async def grow(self) -> int:
        """Takes in some of what has ended; says how many. NoKey, Unavailable."""
        signer = (await self.keys()).signing
        at = self._now()
        waiting = await self._store.tree.waiting()
        if not waiting:
            return 0  # as nearly always: no lock, no transaction
        if self._look is not None:
            for match in waiting:
                try:
                    await self._look(match)
                except Unavailable:
                    raise
                except Exception as broken:  # one match does not stand in the way of the others
                    self._on_broken(match, broken)

        def sign(size: int, root: bytes, before: Before | None) -> str:
            if before is None:
                origin = self._origin(signer.id)
            else:
                last = _read(before.size, before.note)
                if (last.size, last.root) != (before.size, before.root):
                    raise BrokenTree(f"the tree is not the one that was signed at {last.size} leaves")
                origin = last.origin
            text = checkpoint_text(Checkpoint(origin, size, root))
            return note.signed(text, origin, signer.public, signer.sign)

        return await self._store.tree.grow(self._leaf, sign, at)

    async def _leaf(self, ended: EndedMatch) -> str | None:
        """None where the match's log, or what was tried in it, does not lead to where its stream says that it ends."""
        try:
            chains = attempts.read(ended.tries, ended.match, ended.seats)
            await self._check(ended)
            for seat, chain in enumerate(chains):
                tried = await self._store.log.attempts(ended.match, seat)
                attempts.check(tried, ended.match, Seat(seat), 0, chain)
                if len(tried) != chain.n:
                    raise BrokenLog(f"attempts of seat {seat} in {ended.match} are missing")
        except (BrokenLog, msgspec.MsgspecError) as broken:
            self._on_broken(ended.match, broken)
            return None
        heads = tuple(AttemptsHead(chain.n, chain.head) for chain in chains)
        return leaf_text(Leaf(match=str(ended.match), version=ended.version, head=ended.head.hex(), attempts=heads))

    async def _check(self, ended: EndedMatch) -> None:
        version, head = 0, log_head(str(ended.match))
        while rows := await self._store.log.events(ended.match, version, version + PAGE):
            for row in rows:
                version, head = version + 1, next_head(ended.match, head, row)
        if (version, head) != (ended.version, ended.head):
            raise BrokenLog(f"{ended.match} ends otherwise than its stream says")

    async def includes(self, match: UUID) -> bool:
        """Whether a match lies in the tree as it is; what has just ended is taken in for that. Unavailable."""
        while await self._store.tree.waits(match):
            await self.grow()
        return await self._store.tree.leaf_of(match) is not None

    async def origin(self) -> str | None:
        """What the tree's checkpoints are called by; None before the first."""
        latest = await self._store.tree.latest()
        return None if latest is None else latest.note.partition("\n")[0]

    async def latest(self) -> SignedTree | None:
        return await self._store.tree.latest()

    async def inclusion(self, match: UUID, size: int) -> Inclusion | None:
        """That the match lies in the tree of this size; None where it does not."""
        leaf = await self._store.tree.leaf_of(match, size)
        return None if leaf is None else Inclusion(leaf.data, leaf.place, await _path(self._store.tree, leaf, size))

    async def in_tree(self, match: UUID, version: int) -> InTree | None:
        """Where the match lies that ends at this version, as the first checkpoint with it says; what has just ended is
        taken in for that. None: it is a sandbox, nobody can sign here, or the tree is broken. Unavailable."""
        try:
            with suppress(NoKey):
                await self.includes(match)
            return await in_tree(self._store.tree, match, version)
        except BrokenTree as broken:
            self._on_broken(None, broken)
            return None

    async def consistency(self, since: int, size: int) -> Consistency:
        """Of 0 ≤ since ≤ size."""
        path = await self._store.tree.hashes(consistency(since, size)) if since else []
        return Consistency(since=since, path=tuple(each.hex() for each in path))

    def _origin(self, key: str) -> str:
        host = urlsplit(self._public_url or "").netloc
        return f"{host or key}/mogelwerk"


async def in_tree(tree: Tree, match: UUID, version: int) -> InTree | None:
    """Where the match lies that ends at this version, as the first checkpoint with it says. Unavailable, BrokenTree."""
    leaf = await tree.leaf_of(match)
    signed = None if leaf is None or leaf.version != version else await tree.first_with(leaf.place)
    if leaf is None or signed is None:
        return None
    path = await _path(tree, leaf, signed.size)
    made, steps = leaf_hash(leaf.data.encode()), [bytes.fromhex(each) for each in path]
    if not lies_in(made, leaf.place, signed.size, steps, _read(signed.size, signed.note).root):
        raise BrokenTree(f"leaf {leaf.place} does not lie in the tree that was signed at {signed.size} leaves")
    return InTree(checkpoint=signed.note, leaf=leaf.data, place=leaf.place, path=path)


def _read(size: int, checkpoint: str) -> Checkpoint:
    try:
        return read_checkpoint(note.unsigned(checkpoint))
    except BadNote as bad:
        raise BrokenTree(f"the checkpoint of {size} leaves is none: {bad}") from None


async def _path(tree: Tree, leaf: PlacedLeaf, size: int) -> tuple[str, ...]:
    """Hashes, in hex, from the leaf to the root of the tree of this size."""
    own, *path = await tree.hashes([Stretch(leaf.place, leaf.place + 1), *inclusion(leaf.place, size)])
    if own != leaf_hash(leaf.data.encode()):
        raise BrokenTree(f"leaf {leaf.place} is not the one that was signed")
    return tuple(each.hex() for each in path)
