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
from domain.match.envelope import log_head, next_log_head
from projections import evidence
from projections.audit import transcript
from projections.audit.deeds import Deeds
from projections.audit.fault import CannotVerify, Fault, Part
from projections.audit.kept import Kept
from projections.catalogue import CATALOGUE
from projections.evidence import attempts_head, next_attempts_head, viewer_head, viewer_name
from projections.views.match import redact
from projections.views.seam import AnyView, Viewer


class Summary(Struct, frozen=True, kw_only=True):
    """What was found whole. ``viewer``: of a viewer's transcript. ``played``: the rules were executed again, and draws
    recomputed; ``told``: so were all viewers' frames."""

    match: str
    game: str
    rules_version: int
    viewer: str | None
    status: str
    events: int
    attempts: int
    played: bool
    told: bool
    kept: int


class Verifier:
    """``feed`` it each line, then ``finish``. Raises Fault at the first thing that is wrong, CannotVerify where this
    build knows too little.

    ``chain_only``: no rules, just the chains of the log and of the attempts, and that no number is missing. ``kept``:
    what should be found in it.
    """

    def __init__(
        self,
        *,
        chain_only: bool = False,
        kept: Kept | None = None,
        catalogue: Mapping[str, AnyView] = CATALOGUE,
    ) -> None:
        self._chain_only: Final = chain_only
        self._kept: Final = kept
        self._catalogue: Final = catalogue
        self._header: transcript.Header | None = None
        self._complete: _Complete | None = None
        self._own: _Own | None = None
        self._status: str | None = None

    @property
    def version(self) -> int:
        """Up to where all is well."""
        reading = self._complete or self._own
        return 0 if reading is None else reading.version

    @property
    def state(self) -> AnyState | None:
        """Where the match stands by the events so far; None: a viewer's transcript, or chains only."""
        deeds = None if self._complete is None else self._complete.deeds
        return None if deeds is None else deeds.state

    def feed(self, raw: bytes) -> None:
        line = self._read(raw)
        if self._status is not None:
            self._fault("there is more behind its end")
        try:
            self._take(line)
        except (Fault, CannotVerify):
            raise
        except Exception as odd:  # rules that were led where no match leads: it cannot have happened
            raise Fault(self.version + 1, Part.RULES, f"the rules cannot take it: {odd!r}") from odd

    def finish(self) -> Summary:
        """After the last line."""
        header, reading = self._header, self._complete or self._own
        if header is None or reading is None:
            raise CannotVerify("it is no transcript: there is no header")
        if self._status is None:
            self._fault("it ends here, in the middle")
        return Summary(
            match=header.match,
            game=header.game,
            rules_version=header.rules_version,
            viewer=header.viewer,
            status=self._status,
            events=reading.version,
            attempts=0 if self._complete is None else sum(self._complete.tried),
            played=self._complete is not None and self._complete.played,
            told=self._complete is not None and self._complete.eyes is not None,
            kept=0 if self._kept is None else len(self._kept),
        )

    def _read(self, raw: bytes) -> transcript.Line:
        try:
            line = transcript.read(raw)
        except (msgspec.MsgspecError, RecursionError) as why:
            if self._header is None:
                raise CannotVerify(f"it is no transcript: {why}") from None
            self._fault(f"the line is none of a transcript: {why}")
        if transcript.write(line) != raw:
            self._fault("the line is not written as a transcript is")
        return line

    def _take(self, line: transcript.Line) -> None:
        complete, own = self._complete, self._own
        match line:
            case transcript.Header() if self._header is None:
                self._begin(line)
            case transcript.Fault():
                raise Fault(line.version, Part.FORM, f"the server says: {line.what}")
            case transcript.Event() if complete is not None:
                complete.event(line)
            case transcript.Attempt() if complete is not None:
                complete.attempt(line)
            case transcript.Ending() if complete is not None:
                complete.end(line)
                self._status = line.status
            case transcript.Frame() if own is not None:
                own.frame(line)
            case transcript.Until() if own is not None:
                own.end(line)
                self._status = line.status
            case _:
                self._fault("such a line does not belong here")

    def _begin(self, header: transcript.Header) -> None:
        self._header = header
        if header.viewer is not None:
            self._own = _Own(header)
            return
        view = self._catalogue.get(header.game)
        if view is None and not self._chain_only:
            raise CannotVerify(f"this build does not know the game {header.game!r}")
        if view is not None and not self._chain_only:
            if header.rules_version > view.game.rules_version:
                raise CannotVerify(f"this build does not know rules version {header.rules_version} of {header.game}")
            if header.rules_version == view.game.rules_version and header.data != view.game.data:
                raise Fault(1, Part.FORM, "the game's data is not that of its rules version")
        self._complete = _Complete(header, None if self._chain_only else view, self._kept)

    def _fault(self, what: str) -> NoReturn:
        raise Fault(self.version + 1, Part.FORM, what)


def verify(
    lines: Iterable[bytes],
    *,
    chain_only: bool = False,
    kept: Kept | None = None,
    catalogue: Mapping[str, AnyView] = CATALOGUE,
) -> Summary:
    """The whole of a transcript at once; see Verifier."""
    verifier = Verifier(chain_only=chain_only, kept=kept, catalogue=catalogue)
    for line in lines:
        verifier.feed(line)
    return verifier.finish()


class _Complete:
    """A complete transcript. ``eyes``, ``deeds``: what checks frames and what plays again; None: chains only."""

    def __init__(self, header: transcript.Header, view: AnyView | None, kept: Kept | None) -> None:
        seats = header.seats
        self._header: Final = header
        self._kept: Final = kept
        self.version = 0
        self._head = log_head(header.match)
        self._heads = [attempts_head(header.match, Seat(seat)) for seat in range(seats)]
        self.tried = [0] * seats
        self._points: list[tuple[int, str]] = [
            (0, viewer_head(header.match, viewer_name(n, seats)).hex()) for n in range(seats + 1)
        ]
        if header.seed is None or _sha256(header.seed) != header.seed_commitment:
            raise Fault(1, Part.LUCK, "the seed is not the one that was committed to")
        self.played = view is not None and header.rules_version >= view.game.decides_since
        self.deeds: Deeds | _Read | None = None
        self.eyes: _Eyes | None = None
        if view is not None:
            self.deeds = (Deeds if self.played else _Read)(view, header.match, bytes.fromhex(header.seed))
            self.eyes = _Eyes(view, header)

    def event(self, line: transcript.Event) -> None:
        version, salt = self.version + 1, bytes.fromhex(line.salt)
        text = line.envelope
        self._head = next_log_head(self._head, salt, text.encode())
        if self._head.hex() != line.head:
            if text.startswith(_beginning(self._header.match, version)):
                raise Fault(version, Part.LOG, "its head is not what head, salt and envelope give")
            raise Fault(version, Part.LOG, "here another event should follow")
        if not text.startswith(_beginning(self._header.match, version)):
            raise Fault(version, Part.LOG, "it is another match's, or has another number")
        if len(line.told) != self._header.seats + 1:
            raise Fault(version, Part.FORM, "there are not as many viewers as the match has")
        for viewer, told in enumerate(line.told):
            if told is not None and told.seq != self._points[viewer][0] + 1:
                who = viewer_name(viewer, self._header.seats)
                raise Fault(version, Part.FRAMES, f"{who} is told it as frame {told.seq}")
        texts: Sequence[bytes | None] = (None,) * len(line.told)
        if self.deeds is not None:
            event, at = self.deeds.event(line.command, salt, text)
            if version == 1:
                self._opened(event)
            assert self.eyes is not None
            texts = self.eyes.told(version, event, at, line.told)
            state = self.deeds.state
            assert state is not None
            self._balanced(version, state)
        for viewer, told in enumerate(line.told):
            if told is not None:
                self._points[viewer] = (told.seq, told.head)
        self.version = version
        if self._kept is not None:
            points = [None if told is None else (told.seq, bytes.fromhex(told.head)) for told in line.told]
            self._kept.event(version, self._head, points, texts)

    def attempt(self, line: transcript.Attempt) -> None:
        seat = line.seat
        if seat >= len(self._heads):
            raise Fault(self.version, Part.ATTEMPTS, f"there is no seat {seat}")
        if line.n != self.tried[seat] + 1:
            raise Fault(self.version, Part.ATTEMPTS, f"attempt {line.n} of seat {seat} follows on {self.tried[seat]}")
        self._heads[seat] = next_attempts_head(self._heads[seat], line.record.encode())
        if self._heads[seat].hex() != line.head:
            raise Fault(self.version, Part.ATTEMPTS, f"the head of attempt {line.n} of seat {seat} is not its record's")
        if not line.record.startswith(f'{{"match":"{self._header.match}","seat":{seat},"n":{line.n},'):
            raise Fault(self.version, Part.ATTEMPTS, f"attempt {line.n} of seat {seat} is another's")
        self.tried[seat] = line.n
        if self.deeds is not None:
            self.deeds.attempt(line.record)
        if self._kept is not None:
            self._kept.attempt(self.version, seat, line.n, self._heads[seat])

    def end(self, line: transcript.Ending) -> None:
        version = self.version
        if self.deeds is not None:
            self.deeds.end()
            state = self.deeds.state
            if state is None or state.status != line.status:
                raise Fault(version + 1, Part.FORM, "the match ends here, and is not over")
            if line.entropy != state.entropy.hex():
                raise Fault(version, Part.LUCK, "the entropy is not that which the seats revealed")
        if (line.version, line.head) != (version, self._head.hex()):
            raise Fault(version + 1, Part.LOG, f"the log's end should be version {line.version}")
        if line.seed != self._header.seed:
            raise Fault(version, Part.LUCK, "the seed is not the one that was committed to")
        for viewer, point in enumerate(self._points):
            if len(line.viewers) != len(self._points) or point != (line.viewers[viewer].seq, line.viewers[viewer].head):
                raise Fault(
                    version, Part.FRAMES, f"{viewer_name(viewer, self._header.seats)}'s chain does not end where it is"
                )
        for seat, (n, head) in enumerate(zip(self.tried, self._heads, strict=True)):
            tried = line.attempts[seat] if len(line.attempts) == len(self.tried) else None
            if tried is None or (tried.n, tried.head) != (n, head.hex()):
                raise Fault(version, Part.ATTEMPTS, f"seat {seat}'s attempts do not end with number {n}")
        if self._kept is not None:
            points = [(seq, bytes.fromhex(head)) for seq, head in self._points]
            self._kept.end(version, points, self.tried)

    def _opened(self, event: events.Opened) -> None:
        header = self._header
        same = {
            "match": event.match,
            "game": event.game,
            "rules_version": event.rules_version,
            "seats": event.seats,
            "options": event.options,
            "seed_commitment": event.seed_commitment,
        }
        for name, value in same.items():
            if getattr(header, name) != value:
                raise Fault(1, Part.FORM, f"{name} is not what the header says")

    def _balanced(self, version: int, state: AnyState) -> None:
        assert self.eyes is not None
        balance = self.eyes.view.game.balance
        if balance is not None and state.game is not None and (what := balance(state.game)) is not None:
            raise Fault(version, Part.LEDGER, what)


class _Read:
    """In place of Deeds where this build's rules are others than the match's: what happened is only read."""

    def __init__(self, view: AnyView, match: str, seed: bytes) -> None:
        self._view: Final = view
        self.state: AnyState | None = None

    def attempt(self, text: str) -> None:
        """Nothing can be said of it."""

    def event(self, command: str, salt: bytes, text: str) -> tuple[Any, datetime]:
        envelope = history.read(self._view.game, text)
        self.state = decider.step(self._view.game, self.state, envelope.by, envelope.event, envelope.at)
        return envelope.event, envelope.at

    def end(self) -> None:
        """Nothing is awaited."""


class _Eyes:
    """What each viewer was told, made again."""

    def __init__(self, view: AnyView, header: transcript.Header) -> None:
        self.view: Final = view
        self._seats: Final = header.seats
        self._rules: Final = header.rules_version
        self._viewers: Final[tuple[Viewer, ...]] = (*map(Seat, range(header.seats)), None)
        self._heads = [viewer_head(header.match, viewer_name(n, header.seats)) for n in range(header.seats + 1)]

    def told(
        self, version: int, event: Any, at: datetime, line: Sequence[transcript.Told | None]
    ) -> Sequence[bytes | None]:
        """The texts, by viewer. Raises Fault where a head is another one, or somebody else was told."""
        texts: list[bytes | None] = []
        last: Any = None
        last_seq, text = 0, b""
        for viewer, was in enumerate(line):
            told = redact(self.view, event, self._viewers[viewer])
            if told is None or was is None:
                if told is not None or was is not None:
                    who = viewer_name(viewer, self._seats)
                    raise Fault(version, Part.FRAMES, f"{who} {'is' if told is None else 'is not'} told of it")
                texts.append(None)
                continue
            if was.seq != last_seq or (told is not last and told != last):
                shape = history.shaped(self.view.game, self._rules, told)
                text = evidence.encode(evidence.Told(was.seq, at, shape))
                last, last_seq = told, was.seq
            head = evidence.next_viewer_head(self._heads[viewer], text)
            if head.hex() != was.head:
                raise Fault(version, Part.FRAMES, f"{viewer_name(viewer, self._seats)} was told something else")
            self._heads[viewer] = head
            texts.append(text)
        return texts


class _Own:
    """A viewer's transcript: his chain, and what it says of itself."""

    def __init__(self, header: transcript.Header) -> None:
        if header.viewer not in [viewer_name(n, header.seats) for n in range(header.seats + 1)]:
            raise Fault(1, Part.FORM, f"there is no viewer {header.viewer!r}")
        self._header: Final = header
        self._head = viewer_head(header.match, header.viewer)
        self._log_head = log_head(header.match).hex()
        self.version = 0

    def frame(self, line: transcript.Frame) -> None:
        seq = self.version + 1
        if line.seq != seq or not line.told.startswith(f'{{"seq":{seq},"at":"'):
            raise Fault(seq, Part.FRAMES, f"here stands frame {line.seq}")
        self._head = evidence.next_viewer_head(self._head, line.told.encode())
        if self._head.hex() != line.head:
            raise Fault(seq, Part.FRAMES, "its head is not what was told")
        self._log_head = line.log_head
        event = msgspec.json.decode(line.told, type=_Told).event
        if seq == 1 and (
            event.type != "match.opened"
            or event.match != self._header.match
            or event.seed_commitment != self._header.seed_commitment
        ):
            raise Fault(seq, Part.FORM, "what it opens is not what the header says")
        if event.type == "match.seed_revealed" and _sha256(event.seed) != self._header.seed_commitment:
            raise Fault(seq, Part.LUCK, "the seed is not the one that was committed to")
        self.version = seq

    def end(self, line: transcript.Until) -> None:
        if (line.seq, line.head, line.log_head) != (self.version, self._head.hex(), self._log_head):
            raise Fault(self.version + 1, Part.FRAMES, f"it should end with frame {line.seq}")


class _Known(Struct, frozen=True):
    """What of any event counts here."""

    type: str
    match: str = ""
    seed_commitment: str = ""
    seed: str = ""


class _Told(Struct, frozen=True):
    event: _Known


def _beginning(match: str, version: int) -> str:
    return f'{{"match":"{match}","version":{version},'


def _sha256(hexed: str) -> str:
    return hashlib.sha256(bytes.fromhex(hexed)).hexdigest()
