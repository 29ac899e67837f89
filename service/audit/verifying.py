"""`mogelwerk verify`: no server, no network, no database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar, overload

import msgspec
from msgspec import Struct
from rich.console import Console

from projections.audit import signed, transcript
from projections.audit.earlier import frames_or_all
from projections.audit.fault import CannotVerify, Fault
from projections.audit.kept import Kept, NothingKept
from projections.audit.original import NoOriginal, Original
from projections.audit.receipt import BadReceipt
from projections.audit.signed import Held, Keys, Together
from projections.audit.verify import Summary, Verifier
from service.audit.files import failed, lines, shown
from service.audit.keys import check

T = TypeVar("T")
WRONG = 1  # exit codes
UNKNOWN = 2


class Beside(Struct, frozen=True):
    """Files with what somebody has kept beside the transcript. ``of``: the transcript of the match from which a branch
    goes on."""

    frames: Path | None = None
    receipts: Path | None = None
    tree: Path | None = None
    checkpoint: Path | None = None
    keys: Path | None = None
    of: Path | None = None


def verify(path: Path, beside: Beside, *, chain_only: bool, out: Console, err: Console) -> int:
    """Says what was found; the exit code."""
    try:
        keys = _read(beside.keys, signed.read_keys)
        things, holds = _held(path, beside, keys)
        if chain_only and (things or beside.of):
            raise NothingKept("--chain-only looks at the chains alone, and at nothing that was kept")
        with shown(path, err) as of_file, _original(beside.of) as original:
            verifier = Verifier(
                chain_only=chain_only,
                kept=Together(things) if things else None,
                original=original,
                opened=None if keys is None else lambda text: signed.checkpoint(text, keys, check),
            )
            for line in of_file:
                verifier.feed(line)
            found = verifier.finish()
    except Fault as fault:
        out.print(f"✗ version {fault.version} · {fault.part}: {fault.what}", style="red", markup=False)
        return WRONG
    except OSError as why:
        err.print(failed(why, path), style="red", markup=False)
        return UNKNOWN
    except BadReceipt as why:
        out.print(f"✗ {beside.receipts}: {why}", style="red", markup=False)
        return WRONG
    except NoOriginal as why:
        err.print(f"{beside.of}: {why}", style="red", markup=False)
        return UNKNOWN
    except NothingKept as why:
        err.print(str(why), style="red", markup=False)
        return UNKNOWN
    except CannotVerify as why:
        err.print(f"{path.name}: {why}", style="red", markup=False)
        return UNKNOWN
    for line_ in (*_said(found), *holds):
        out.print(line_, markup=False)
    if keys is not None and found.viewer is None and found.tree is None:
        which = "one so far" if found.so_far else "a sandbox's, or one exported at once after its end,"
        out.print(f"· it names no place in the tree: {which} has none")
    return 0


def _held(path: Path, beside: Beside, keys: Keys | None) -> tuple[list[Held], list[str]]:
    """What the history is held against, and what can be said of it if it holds."""
    things: list[Held] = []
    said: list[str] = []
    if beside.checkpoint is not None and beside.tree is None:
        raise NothingKept("a kept checkpoint is held against the tree of --tree, asked for since it")
    if (beside.frames, beside.receipts, beside.tree) == (None, None, None):
        return things, said
    match = _match(path)
    if beside.frames is not None:
        found = _read(beside.frames, lambda text: frames_or_all(text.splitlines(keepends=True), match))
        things.append(found)
        what = "frames" if isinstance(found, Kept) else "events"
        said.append(f"✓ {len(found):,} {what} that you kept lie in it")
    if beside.receipts is None and beside.tree is None:
        return things, said
    if keys is None:
        given = {"--receipts": beside.receipts, "--tree": beside.tree}
        flags = [flag for flag, file in given.items() if file is not None]
        raise NothingKept(
            f"{' and '.join(flags)} {'are' if len(flags) > 1 else 'is'} checked with --keys, a kept "
            "/.well-known/mogelwerk-keys"
        )
    if beside.receipts is not None:
        signatures = _read(
            beside.receipts, lambda text: signed.receipts(text.splitlines(keepends=True), match, keys, check)
        )
        things += signatures
        said.append(f"✓ {sum(map(len, signatures)):,} places that signed receipts name lie in it")
    if beside.tree is not None:
        if _sandbox(path):
            raise NothingKept("--tree: it is a sandbox's match, which lies in no tree and never will")
        things.append(_read(beside.tree, lambda text: signed.placed(text, match, keys, check)))
        said.append("✓ it is the match of the leaf in the signed tree")
        if beside.checkpoint is not None:
            old = _read(beside.checkpoint, lambda text: signed.tree(text, keys, check))
            now = _read(beside.tree, lambda text: signed.grown(old, text, keys, check))
            said.append(f"✓ that tree, of {now:,} matches, goes on from the one of {old.size:,} that you kept")
    return things, said


@overload
def _read(path: Path, read: Callable[[bytes], T]) -> T: ...
@overload
def _read(path: Path | None, read: Callable[[bytes], T]) -> T | None: ...
def _read(path: Path | None, read: Callable[[bytes], T]) -> T | None:
    """What is in a file that somebody kept; NothingKept names it."""
    if path is None:
        return None
    try:
        return read(path.read_bytes())
    except (NothingKept, RecursionError) as why:
        raise NothingKept(f"{path.name}: {why}") from None


def _match(path: Path) -> str:
    with path.open("rb") as file:
        try:
            first = transcript.read(next(lines(file), b""))
        except (msgspec.MsgspecError, RecursionError):
            first = None
    if not isinstance(first, transcript.Header):
        raise CannotVerify("it is no transcript: there is no header")
    return first.match


class _Opening(Struct):
    sandbox: bool = False


class _First(Struct):
    """An envelope, or what a viewer was told, of event 1."""

    event: _Opening


def _sandbox(path: Path) -> bool:
    """As event 1 says, the second line; where it cannot be read, what is wrong with it is said elsewhere."""
    with path.open("rb") as file:
        _, second = next(of_file := lines(file), b""), next(of_file, b"")
    try:
        match transcript.read(second):
            case transcript.Event(envelope=text) | transcript.Frame(told=text):
                return msgspec.json.decode(text, type=_First).event.sandbox
            case _:
                return False
    except (msgspec.MsgspecError, RecursionError):
        return False


@contextmanager
def _original(path: Path | None) -> Iterator[Original | None]:
    if path is None:
        yield None
        return
    with path.open("rb") as file:
        yield Original(lines(file))


def _said(found: Summary) -> list[str]:
    if found.viewer is not None:
        return [
            f"✓ {found.game}, what {found.viewer} was told: {found.events:,} frames, none missing, none changed "
            f"({found.status})"
        ]
    stands = f"{found.status}, so far" if found.so_far else found.status
    said = [
        f"✓ {found.game}, rules version {found.rules_version}: {found.events:,} events, {found.attempts:,} attempts "
        f"({stands}); none missing, none changed"
    ]
    if found.told:
        said.append("✓ every viewer's frames made again, to the heads that were told")
    if found.drawn:
        said.append("✓ played again by the rules: every act was allowed and in time, every draw is what the seed gives")
    elif found.played:
        said.append("✓ played again by the rules: every act was allowed and in time, every draw is one that can be")
    elif found.told:
        said.append("· not played again: this build's rules are newer")
    if found.so_far and found.played and not found.drawn:
        said.append(
            "· the seed is not published yet: what it gives is seen when the match is over, and with --frames and this "
            "file that nothing was changed until then"
        )
    if found.compared:
        said.append(f"✓ its first {found.copied:,} events are those of the match that it goes on from")
    elif found.copied:
        said.append(
            f"· its first {found.copied:,} events are copied from match {found.branch_of}: whether they are the same, "
            "--of shows, and whether they were allowed, that match's own transcript"
        )
    if found.tree is not None and found.signed:
        said.append(f"✓ it lies in the tree over the first {found.tree:,} matches that ended, which the keys signed")
    elif found.tree is not None:
        said.append(
            f"✓ it lies in the tree over the first {found.tree:,} matches that ended; whether the server signed that, "
            "--keys shows"
        )
    return said
