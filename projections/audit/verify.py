"""Whether a transcript holds: alone, without a server, line by line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NoReturn

import msgspec
from msgspec import Struct

from domain import history
from domain.kernel.game import Seat
from domain.match import decider, events
from domain.match.decider import AnyState
from projections import evidence
from projections.audit import transcript
from projections.audit.chains import Chains
from projections.audit.deeds import Deeds
from projections.audit.fault import LED_ASTRAY, CannotVerify, Fault, Part
from projections.audit.kept import NothingKept
from projections.audit.original import Original
from projections.audit.own import OPENED, Own
from projections.audit.place import Open, size_of_tree, unsigned
from projections.audit.signed import Held
from projections.catalogue import CATALOGUE
from projections.evidence import viewer_head, viewer_name
from projections.views.match import redact
from projections.views.seam import AnyView, Viewer

_EVENT: Final = b'{"line":"event",'
_ATTEMPT: Final = b'{"line":"attempt",'


class Summary(Struct, frozen=True, kw_only=True):
    """What was found whole. ``viewer``: of a viewer's transcript. ``so_far``: the match, or a branch of it, goes on.
    ``played``: the rules were executed again; ``drawn``: and draws recomputed, as the seed is published; ``told``: so
    were all viewers' frames. ``branch_of``: the match from which it goes on, and of whose events so many are its
    beginning (``copied``); ``compared``: with that match's own transcript. ``tree``: of how many matches the tree was
    into which it was taken; ``signed``: as one of the given keys says."""

    match: str
    game: str
    rules_version: int
    viewer: str | None
    status: str
    events: int
    attempts: int
    so_far: bool
    played: bool
    drawn: bool
    told: bool
    kept: int
    branch_of: str | None = None
    copied: int = 0
    compared: bool = False
    tree: int | None = None
    signed: bool = False


class Verifier:
    """``feed`` it each line, then ``finish``. Raises Fault at the first thing that is wrong, CannotVerify where this
    build knows too little.

    ``chain_only``: no rules and no frames, just the chains of the log and of the attempts, and that no number is
    missing. ``kept``: what should be found in it, NothingKept where that cannot be; ``original``: of a branch, the
    match that it goes on from. Neither is looked at with ``chain_only``. ``opened`` reads the checkpoint in it, and
    raises where nobody trustworthy signed it; None: that is not asked.
    """

    def __init__(
        self,
        *,
        chain_only: bool = False,
        kept: Held | None = None,
        original: Original | None = None,
        opened: Open | None = None,
        catalogue: Mapping[str, AnyView] = CATALOGUE,
    ) -> None:
        self._checkpoint: Final = opened or unsigned
        self._by_keys: Final = opened is not None
        self._tree: int | None = None
        self._chain_only: Final = chain_only
        self._kept: Final = kept
        self._original: Final = original
        self._catalogue: Final = catalogue
        self._header: transcript.Header | None = None
        self._complete: _Complete | None = None
        self._quick: _ChainOnly | None = None
        self._own: Own | None = None
        self._status: str | None = None
        self._so_far = False

    @property
    def version(self) -> int:
        """Up to where all is well."""
        if self._own is not None:
            return self._own.version
        return 0 if self._chains is None else self._chains.version

    @property
    def _chains(self) -> Chains | None:
        reading = self._complete or self._quick
        return None if reading is None else reading.chains

    @property
    def state(self) -> AnyState | None:
        """Where the match stands by the events so far; None: a viewer's transcript, or chains only."""
        return None if self._complete is None else self._complete.deeds.state

    def feed(self, raw: bytes) -> None:
        if self._status is not None:
            self._fault("there is more behind its end")
        if self._quick is not None and self._quickly(self._quick, raw):
            return
        line, version = self._read(raw), self.version + 1
        try:
            self._take(line)
        except NothingKept:
            raise
        except LED_ASTRAY as odd:  # rules that were led where no match leads: it cannot have happened
            raise Fault(version, Part.RULES, f"the rules cannot take it: {odd!r}") from odd

    def finish(self) -> Summary:
        """After the last line."""
        header, chains = self._header, self._chains
        if header is None:
            raise CannotVerify("it is no transcript: there is no header")
        if self._status is None:
            self._fault("it ends here, in the middle")
        return Summary(
            match=header.match,
            game=header.game,
            rules_version=header.rules_version,
            viewer=header.viewer,
            status=self._status,
            events=self.version,
            attempts=0 if chains is None else sum(chains.tried),
            so_far=self._so_far,
            played=self._complete is not None and self._complete.played,
            drawn=self._complete is not None and self._complete.played and header.seed is not None,
            told=self._complete is not None,
            kept=0 if self._kept is None else len(self._kept),
            branch_of=None if self._complete is None else self._complete.branch_of,
            copied=0 if self._complete is None else self._complete.copied,
            compared=self._complete is not None and self._original is not None,
            tree=self._tree,
            signed=self._tree is not None and self._by_keys,
        )

    def _quickly(self, quick: _ChainOnly, raw: bytes) -> bool:
        """Whether it was a line of which only a chain is to be looked at."""
        try:
            if raw.startswith(_EVENT):
                quick.event(raw)
            elif raw.startswith(_ATTEMPT):
                quick.attempt(raw)
            else:
                return False
        except (msgspec.MsgspecError, ValueError, RecursionError) as why:
            self._fault(f"the line is none of a transcript: {why}")
        return True

    def _read(self, raw: bytes) -> transcript.Line:
        try:
            line = transcript.read(raw)
        except (msgspec.MsgspecError, RecursionError) as why:
            if self._header is None:
                raise CannotVerify(f"it is no transcript: {why}") from None
            self._fault(f"the line is none of a transcript: {why}")
        if (written := transcript.write(line)) != raw:
            same = raw.rstrip(b"\r\n") + b"\n" == written
            self._fault(
                "a line ends with a newline alone, and this one otherwise"
                if same
                else "the line is not written as a transcript is"
            )
        return line

    def _take(self, line: transcript.Line) -> None:
        complete, own = self._complete, self._own
        match line:
            case transcript.Event() if complete is not None:
                complete.event(line)
            case transcript.Attempt() if complete is not None:
                complete.attempt(line)
            case transcript.Header() if self._header is None:
                self._begin(line)
            case transcript.Fault():
                raise Fault(line.version, Part.FORM, f"the server says: {line.what}")
            case transcript.Ending() | transcript.SoFar() if complete is not None:
                complete.end(line)
                self._end(line)
            case transcript.Ending() | transcript.SoFar() if self._quick is not None:
                self._quick.chains.end(line)
                self._end(line)
            case transcript.Frame() if own is not None:
                own.frame(line)
            case transcript.Until() if own is not None:
                own.end(line)
                self._status = line.status
            case _:
                self._fault("such a line does not belong here")

    def _end(self, line: transcript.End) -> None:
        self._status = line.status
        if isinstance(line, transcript.SoFar):
            self._so_far = True
        elif line.tree is not None:
            assert self._header is not None
            self._tree = size_of_tree(self._header.match, line, line.tree, self._checkpoint)

    def _begin(self, header: transcript.Header) -> None:
        self._header = header
        if header.viewer is not None:
            if self._original is not None:
                raise CannotVerify("it is what one viewer was told: only the whole match can be held against another")
            self._own = Own(header, self._kept)
            return
        if self._chain_only:
            self._quick = _ChainOnly(header)
            return
        view = self._catalogue.get(header.game)
        if view is None:
            raise CannotVerify(f"this build does not know the game {header.game!r}")
        if header.rules_version > view.game.rules_version:
            raise CannotVerify(f"this build does not know rules version {header.rules_version} of {header.game}")
        if header.data != view.game.edition(header.rules_version).data:
            raise Fault(1, Part.FORM, "the game's data is not that of its rules version")
        self._complete = _Complete(header, view, self._kept, self._original)

    def _fault(self, what: str) -> NoReturn:
        raise Fault(self.version + 1, Part.FORM, what)


def verify(
    lines: Iterable[bytes],
    *,
    chain_only: bool = False,
    kept: Held | None = None,
    original: Original | None = None,
    opened: Open | None = None,
    catalogue: Mapping[str, AnyView] = CATALOGUE,
) -> Summary:
    """The whole of a transcript at once; see Verifier."""
    verifier = Verifier(chain_only=chain_only, kept=kept, original=original, opened=opened, catalogue=catalogue)
    for line in lines:
        verifier.feed(line)
    return verifier.finish()


class _ChainOnly:
    """A complete transcript, of which nothing but its chains is looked at."""

    def __init__(self, header: transcript.Header) -> None:
        self.chains: Final = Chains(header)

    def event(self, raw: bytes) -> None:
        line = _quick_event(raw)
        self.chains.event(line.salt, line.head, line.envelope)

    def attempt(self, raw: bytes) -> None:
        line = _quick_attempt(raw)
        self.chains.attempt(line.seat, line.n, line.head, line.record)


class _QuickEvent(Struct, frozen=True, gc=False):
    salt: str
    head: str
    envelope: str


class _QuickAttempt(Struct, frozen=True, gc=False):
    seat: int
    n: int
    head: str
    record: str


_quick_event: Final = msgspec.json.Decoder(_QuickEvent).decode
_quick_attempt: Final = msgspec.json.Decoder(_QuickAttempt).decode


class _Complete:
    """A complete transcript. ``played``: its rules are this build's, so that it is played again."""

    def __init__(self, header: transcript.Header, view: AnyView, kept: Held | None, original: Original | None) -> None:
        self.chains: Final = Chains(header)
        self.original: Final = original
        self.branch_of: str | None = None
        self.copied = 0
        self._copying = False
        self.played: Final = header.rules_version >= view.game.decides_since
        self.deeds: Final = (Deeds if self.played else _Read)(view, header.match, self.chains.seed)
        self._header: Final = header
        self._eyes: Final = _Eyes(view, header)
        self._kept: Final = kept
        self._balance: Final = view.game.balance

    def event(self, line: transcript.Event) -> None:
        chains = self.chains
        chains.event(line.salt, line.head, line.envelope)
        version = chains.version
        event, at = self.deeds.event(line.command, bytes.fromhex(line.salt), line.envelope)
        if version == 1:
            self._opened(event)
        if self._copying:
            self._copy(line, event)
        texts = self._eyes.told(version, event, at, line.told)
        if self._balance is not None:
            self._balanced(version)
        if self._kept is not None:
            points = [None if told is None else (told.seq, bytes.fromhex(told.head)) for told in line.told]
            self._kept.event(version, chains.head, points, texts)

    def attempt(self, line: transcript.Attempt) -> None:
        chains = self.chains
        chains.attempt(line.seat, line.n, line.head, line.record)
        self.deeds.attempt(line.record)
        if self._kept is not None:
            self._kept.attempt(chains.version, line.seat, line.n, chains.tries[line.seat])

    def end(self, line: transcript.End) -> None:
        self.deeds.end()
        chains, state = self.chains, self.deeds.state
        if state is None or state.status != line.status:
            over = isinstance(line, transcript.Ending)
            what = "the match ends here, and is not over" if over else f"the match is not {line.status} here"
            raise Fault(chains.version + 1, Part.FORM, what)
        chains.end(line)
        if isinstance(line, transcript.Ending) and line.entropy != state.entropy.hex():
            raise Fault(chains.version, Part.LUCK, "the entropy is not that which the seats revealed")
        points = self._eyes.points
        if [(told.seq, told.head) for told in line.viewers] != [(seq, head.hex()) for seq, head in points]:
            raise Fault(chains.version, Part.FRAMES, "a viewer's chain should end elsewhere")
        if self._kept is not None:
            self._kept.end(chains.version, points, chains.tried)

    def _opened(self, event: events.Opened) -> None:
        for name in OPENED:
            if getattr(self._header, name) != getattr(event, name):
                raise Fault(1, Part.FORM, f"{name} is not what the header says")

        self.branch_of, self._copying = event.branch_of, event.branch_of is not None
        if self.original is not None and not self._copying:
            raise CannotVerify("it is a branch of no match, so it cannot be held against another one")

    def _copy(self, line: transcript.Event, event: Any) -> None:
        """What a branch begins with, up to where it says that it is one."""
        if isinstance(event, events.Branched) and event.of == self.branch_of:
            self._copying = False
            if self.original is not None:
                self.original.ends(event)
            return
        self.copied += 1
        if self.original is not None:
            self.original.event(line, event)

    def _balanced(self, version: int) -> None:
        state = self.deeds.state
        assert self._balance is not None
        if state is not None and state.game is not None and (what := self._balance(state.game)) is not None:
            raise Fault(version, Part.LEDGER, what)


class _Read:
    """In place of Deeds where this build's rules are others than the match's: what happened is only read."""

    def __init__(self, view: AnyView, match: str, seed: bytes | None) -> None:
        self._view: Final = view
        self._seed: Final = seed
        self.state: AnyState | None = None

    def attempt(self, text: str) -> None:
        """Nothing can be said of it."""

    def event(self, command: str, salt: bytes, text: str) -> tuple[Any, datetime]:
        envelope = history.read(self._view.game, text)
        published = envelope.event.seed if isinstance(envelope.event, events.SeedRevealed) else None
        if published is not None and (self._seed is None or published != self._seed.hex()):
            raise Fault(envelope.version, Part.LUCK, "the seed that is published is not the one in the header")
        self.state = decider.step(self._view.game, self.state, envelope.by, envelope.event, envelope.at)
        return envelope.event, envelope.at

    def end(self) -> None:
        """Nothing is awaited."""


class _Eyes:
    """What each viewer was told, made again. ``points``: by viewer number and head of the last frame."""

    def __init__(self, view: AnyView, header: transcript.Header) -> None:
        self._view: Final = view
        self._seats: Final = header.seats
        self._rules: Final = header.rules_version
        self._viewers: Final[tuple[Viewer, ...]] = (*map(Seat, range(header.seats)), None)
        self.points: Final[list[tuple[int, bytes]]] = [
            (0, viewer_head(header.match, viewer_name(n, header.seats))) for n in range(header.seats + 1)
        ]

    def told(
        self, version: int, event: Any, at: datetime, line: Sequence[transcript.Told | None]
    ) -> Sequence[bytes | None]:
        """The texts, by viewer. Raises Fault where a head is another one, or somebody else was told."""
        if len(line) != len(self.points):
            raise Fault(version, Part.FORM, "there are not as many viewers as the match has")
        texts: list[bytes | None] = []
        view, points = self._view, self.points
        last: Any = None
        last_seq, text = 0, b""
        for viewer, was, (seq, head) in zip(self._viewers, line, points, strict=True):
            told = redact(view, event, viewer)
            if told is None or was is None:
                if told is not was:
                    self._fault(version, texts, "is told of it, and should not be" if told is None else "is not told")
                texts.append(None)
                continue
            seq += 1
            if seq != last_seq or (told is not last and told != last):  # most are told the same under the same number
                text = evidence.told_text(view.game, self._rules, seq, at, told)
                last, last_seq = told, seq
            now = hashlib.sha256(head + text)
            if was.seq != seq or was.head != now.hexdigest():
                self._fault(version, texts, "was told something else, or under another number")
            points[len(texts)] = seq, now.digest()
            texts.append(text)
        return texts

    def _fault(self, version: int, before: Sequence[bytes | None], what: str) -> NoReturn:
        raise Fault(version, Part.FRAMES, f"{viewer_name(len(before), self._seats)} {what}")
