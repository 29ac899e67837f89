"""A match again, as each viewer was told it then: message for message, from the log or from a transcript.

What happened at once is told at once: the events of one command are one step. A viewer's own transcript does not say
which of his frames came together, so there each is a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from domain import history
from domain.kernel.game import Seat
from domain.match import decider
from domain.match.decider import AnyState
from domain.match.envelope import Envelope
from projections import evidence
from projections.audit import transcript
from projections.narration.match import called, narrate
from projections.views.match import match_view, redact
from projections.views.seam import AnyView, Language, Viewer

Names = Mapping[str, str]  # of players, by id, from outside the log
NO_NAMES: Final[Names] = {}


class Append(Struct, frozen=True):
    """What one command put into the log, and what was refused between it and the next."""

    events: tuple[transcript.Event, ...]
    refused: tuple[transcript.Attempt, ...] = ()


class Appends:
    """Lines of a complete transcript, joined to appends. ``feed`` gives the one that a line shows to be whole."""

    def __init__(self) -> None:
        self._events: list[transcript.Event] = []
        self._refused: list[transcript.Attempt] = []

    def feed(self, line: transcript.Line) -> Append | None:
        match line:
            case transcript.Event():
                whole = None
                if self._events and self._events[-1].command != line.command:
                    whole = self.rest()
                self._events.append(line)
                return whole
            case transcript.Attempt() if _outcome(line.record).outcome != "accepted":
                self._refused.append(line)
        return None

    def rest(self) -> Append | None:
        """The last one, when nothing comes any more."""
        if not self._events:
            return None
        whole = Append(tuple(self._events), tuple(self._refused))
        self._events, self._refused = [], []
        return whole


class Happened(Struct, frozen=True):
    """A stored event, read."""

    line: transcript.Event
    envelope: Envelope


def read(view: AnyView, append: Append) -> tuple[Happened, ...]:
    return tuple(Happened(line, history.read(view.game, line.envelope)) for line in append.events)


class Step(Struct, frozen=True):
    """What one viewer was told at once. ``first``, ``last``: its frames in his numbering; ``at``: match time.

    ``frames``: each with its event as it was told. ``seen``: the fold of all that he had been told then.
    """

    view: AnyView
    viewer: Viewer
    first: int
    last: int
    at: datetime
    frames: tuple[tuple[bytes, Any], ...]
    seen: AnyState

    def message(self, names: Names, language: Language | None = None) -> bytes:
        """The stream's message, byte for byte: all that he sees after it, and its frames."""
        told = match_view(self.view, self.seen, self.viewer, seq=self.last, now=self.at, names=names)
        if language is None:
            return evidence.with_frames(msgspec.json.encode(told), [frame for frame, _ in self.frames])
        sentences = self.sentences(names, language)
        frames = [
            b'%b,"narration":%b}' % (frame[:-1], msgspec.json.encode(sentence))
            for (frame, _), sentence in zip(self.frames, sentences, strict=True)
        ]
        return evidence.with_frames(msgspec.json.encode(told), frames)

    def sentences(self, names: Names, language: Language) -> tuple[str, ...]:
        name = called(self.seen.chairs, names, language)
        return tuple(narrate(self.view, event, language, name) for _, event in self.frames)


class Eyes:
    """One viewer's, from the first event on. ``index``: the seat, or the number of seats for whoever looks on."""

    def __init__(self, view: AnyView, seats: int, index: int) -> None:
        self.index: Final = index
        self._view: Final = view
        self._viewer: Final[Viewer] = None if index == seats else Seat(index)
        self._seen: AnyState | None = None

    def see(self, happened: Sequence[Happened]) -> Step | None:
        """What he was told of it; None: nothing."""
        frames: list[tuple[bytes, Any]] = []
        seqs: list[int] = []
        for one in happened:
            point, at = one.line.told[self.index], one.envelope.at
            told = None if point is None else redact(self._view, one.envelope.event, self._viewer)
            if point is None or told is None:
                continue
            seen = self._evolve(told)
            text = evidence.told_text(self._view.game, seen.rules_version, point.seq, at, told)
            frames.append((evidence.frame(text, bytes.fromhex(point.head), bytes.fromhex(one.line.head)), told))
            seqs.append(point.seq)
        return self._step(seqs, happened[-1].envelope.at, frames) if frames else None

    def frame(self, line: transcript.Frame) -> Step:
        """A frame of a viewer's own transcript."""
        envelope = history.read(self._view.game, _as_stored(line.told))
        frame = evidence.frame(line.told.encode(), bytes.fromhex(line.head), bytes.fromhex(line.log_head))
        self._evolve(envelope.event)
        return self._step([line.seq], envelope.at, [(frame, envelope.event)])

    def _evolve(self, told: Any) -> AnyState:
        self._seen = decider.evolve(self._view.game, self._seen, told)
        return self._seen

    def _step(self, seqs: Sequence[int], at: datetime, frames: Sequence[tuple[bytes, Any]]) -> Step:
        assert self._seen is not None
        return Step(self._view, self._viewer, seqs[0], seqs[-1], at, tuple(frames), self._seen)


class Whole(Struct, frozen=True):
    """An append with nothing hidden, and what came of it for each viewer (the seats in order, then who looks on)."""

    view: AnyView
    happened: tuple[Happened, ...]
    refused: tuple[transcript.Attempt, ...]
    told: tuple[Step | None, ...]

    @property
    def first(self) -> int:
        return self.happened[0].envelope.version

    @property
    def last(self) -> int:
        return self.happened[-1].envelope.version

    def message(self, names: Names, language: Language | None = None) -> bytes:
        """``{version, at, events, told, refused}``: envelopes and records as they are stored, in ``told`` each viewer's
        message, null for whoever was told nothing."""
        sentences = [] if language is None else self.sentences(names, language)
        events = [one.line.envelope.encode() for one in self.happened]
        if sentences:
            events = [
                b'%b,"narration":%b}' % (event[:-1], msgspec.json.encode(sentence))
                for event, sentence in zip(events, sentences, strict=True)
            ]
        seats = len(self.told) - 1
        told = [
            b'"%b":%b'
            % (
                evidence.viewer_name(viewer, seats).encode(),
                b"null" if step is None else step.message(names, language),
            )
            for viewer, step in enumerate(self.told)
        ]
        refused = [attempt.record.encode() for attempt in self.refused]
        at = msgspec.json.encode(self.happened[-1].envelope.at)
        return b'{"version":%d,"at":%b,"events":[%b],"told":{%b},"refused":[%b]}' % (
            self.last,
            at,
            b",".join(events),
            b",".join(told),
            b",".join(refused),
        )

    def sentences(self, names: Names, language: Language) -> tuple[str, ...]:
        step = next(step for step in reversed(self.told) if step is not None)
        name = called(step.seen.chairs, names, language)
        return tuple(narrate(self.view, one.envelope.event, language, name) for one in self.happened)


class AllEyes:
    """Everybody's, from the first append on."""

    def __init__(self, view: AnyView, seats: int) -> None:
        self._view: Final = view
        self._eyes: Final = [Eyes(view, seats, index) for index in range(seats + 1)]

    def see(self, append: Append) -> Whole:
        happened = read(self._view, append)
        return Whole(self._view, happened, append.refused, tuple(eyes.see(happened) for eyes in self._eyes))


class _Outcome(Struct, frozen=True):
    outcome: str


class _ToldText(Struct, frozen=True):
    seq: int
    at: Raw
    event: Raw


class _AsStored(Struct, frozen=True):
    match: str
    version: int
    at: Raw
    received_at: Raw
    by: int
    event: Raw


_outcome: Final[Callable[[str], _Outcome]] = msgspec.json.Decoder(_Outcome).decode
_told_text: Final[Callable[[str], _ToldText]] = msgspec.json.Decoder(_ToldText).decode


def _as_stored(told: str) -> bytes:
    """A told text where an envelope is expected: so old shapes of events are read there, too."""
    text = _told_text(told)
    return msgspec.json.encode(_AsStored("", text.seq, text.at, text.at, -1, text.event))


def of_lines(lines: Iterator[transcript.Line], view: AnyView, seats: int) -> Iterator[Whole]:
    """The steps of a complete transcript, after its header."""
    eyes, appends = AllEyes(view, seats), Appends()
    for line in lines:
        if (append := appends.feed(line)) is not None:
            yield eyes.see(append)
    if (append := appends.rest()) is not None:
        yield eyes.see(append)
