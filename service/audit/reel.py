"""A transcript as a film: step by step, forwards and backwards, through the eyes of whoever is in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct

from projections.audit import transcript
from projections.audit.fault import LED_ASTRAY
from projections.audit.replay import NO_NAMES, Eyes, Step, Whole, of_lines
from projections.catalogue import CATALOGUE
from projections.evidence import read_record, viewer_name
from projections.narration.match_reasons import why
from projections.views.seam import AnyView, Language

ALL: Final = "all"
_LAST: Final = tuple(line for line in transcript.LAST if line is not transcript.Fault)  # which stands for the rest
_DOUBTS: Final = ("challeng", "doubt", "accus", "control", "caught", "dispute_raised")  # in the tag of what happened


class CannotReplay(Exception):
    """It is no transcript that this build could show."""


class Refused(Struct, frozen=True):
    """``received_at``: wall clock. ``action``: the kind of what was asked for; None: ``count`` that nobody kept."""

    seat: int
    received_at: datetime
    action: str | None
    reason: str | None
    count: int


class Moment(Struct, frozen=True):
    """A step. ``received_at``: the wall clock's, of what happened; None: the viewer was not told. ``versions``: the
    first and last of the log or, in a viewer's own transcript, of his frames."""

    at: datetime
    received_at: datetime | None
    versions: tuple[int, int]
    doubted: bool
    refused: tuple[Refused, ...]


class _Typed(Struct, frozen=True):
    type: str = "?"


class Reel:
    """``eyes``: through which it can be seen, ``all`` with nothing hidden. In memory as long as it is shown. ``whole``:
    its last line was there; that it is true, nobody has looked at."""

    def __init__(
        self, header: transcript.Header, moments: Sequence[Moment], steps: Sequence[Sequence[Step | None]], whole: bool
    ) -> None:
        self.match: Final = header.match
        self.game: Final = header.game
        self.seats: Final = header.seats
        self.moments: Final = moments
        self.whole: Final = whole
        self.eyes: Final = (
            (ALL, *(viewer_name(n, header.seats) for n in range(header.seats + 1)))
            if header.viewer is None
            else (header.viewer,)
        )
        self._steps: Final = steps  # by viewer, or of the only one
        self._wholes: Sequence[Whole] = ()

    def show(self, wholes: Sequence[Whole]) -> None:
        """With nothing hidden, too."""
        self._wholes = wholes

    def message(self, place: int, eyes: str, language: Language) -> bytes | None:
        """The last that was told up to there; None: nothing yet. With nothing hidden it is that of who looks on."""
        told = self._told(eyes)
        step = next((step for step in reversed(told[: place + 1]) if step is not None), None)
        return None if step is None else step.message(NO_NAMES, language)

    def sentences(self, place: int, eyes: str, language: Language) -> tuple[str, ...]:
        """What happened there, in words; nothing where these eyes were told of nothing."""
        if eyes == ALL:
            return self._wholes[place].sentences(NO_NAMES, language)
        step = self._told(eyes)[place]
        return () if step is None else step.sentences(NO_NAMES, language)

    def refused(self, place: int, eyes: str) -> tuple[Refused, ...]:
        """Of everybody with nothing hidden, else a seat's own."""
        found = self.moments[place].refused
        return found if eyes == ALL else tuple(one for one in found if f"seat:{one.seat}" == eyes)

    def why(self, reason: str, language: Language) -> str:
        """What whoever was refused was told, in words."""
        return why(CATALOGUE[self.game], reason, language)

    def next_doubt(self, place: int, step: int) -> int | None:
        """Where the next doubt is (``step`` 1), or the last (-1): one that was taken, or that was refused."""
        places = range(place + step, len(self.moments) if step > 0 else -1, step)
        return next((at for at in places if self.moments[at].doubted), None)

    def _told(self, eyes: str) -> Sequence[Step | None]:
        if len(self._steps) == 1:
            return self._steps[0]
        names = self.eyes[1:]
        return self._steps[names.index("spectator" if eyes == ALL else eyes)]


def reel(lines: Iterable[bytes]) -> Reel:
    """Raises CannotReplay."""
    read = _Read(lines)
    header = next(iter(read), None)
    if not isinstance(header, transcript.Header):
        raise CannotReplay("it is no transcript: there is no header")
    view = CATALOGUE.get(header.game)
    if view is None or header.rules_version > view.game.rules_version:
        raise CannotReplay(f"this build does not know rules version {header.rules_version} of {header.game}")
    try:
        return _complete(header, view, read) if header.viewer is None else _own(header, view, read)
    except LED_ASTRAY as why:
        raise CannotReplay(f"it is no match of {header.game}: {why!r}") from None


def _complete(header: transcript.Header, view: AnyView, lines: _Read) -> Reel:
    wholes = list(of_lines(iter(lines), view, header.seats))
    found = Reel(
        header, [_moment(one) for one in wholes], list(zip(*(one.told for one in wholes), strict=True)), lines.whole
    )
    if not wholes:
        raise CannotReplay("nothing happens in it")
    found.show(wholes)
    return found


def _own(header: transcript.Header, view: AnyView, lines: _Read) -> Reel:
    names = [viewer_name(n, header.seats) for n in range(header.seats + 1)]
    if header.viewer not in names:
        raise CannotReplay(f"there is no viewer {header.viewer!r}")
    eyes = Eyes(view, header.seats, names.index(header.viewer))
    steps = [eyes.frame(line) for line in lines if isinstance(line, transcript.Frame)]
    if not steps:
        raise CannotReplay("nothing happens in it")
    moments = [
        Moment(step.at, None, (step.first, step.last), any(_is_doubt(event) for _, event in step.frames), ())
        for step in steps
    ]
    return Reel(header, moments, [steps], lines.whole)


def _moment(one: Whole) -> Moment:
    refused = tuple(_refused(attempt) for attempt in one.refused)
    doubted = any(_is_doubt(happened.envelope.event) for happened in one.happened)
    doubted |= any(_says_doubt(each.action or "") for each in refused)
    last = one.happened[-1].envelope
    return Moment(last.at, last.received_at, (one.first, one.last), doubted, refused)


def _refused(attempt: transcript.Attempt) -> Refused:
    record = read_record(attempt.record)
    action = None
    if record.outcome == "refused":
        action = msgspec.json.decode(record.action, type=_Typed).type
    return Refused(record.seat, record.received_at, action, record.reason, record.count)


def _is_doubt(event: object) -> bool:
    return _says_doubt(str(event.__struct_config__.tag))  # type: ignore[attr-defined]  # every event has a tag


def _says_doubt(tag: str) -> bool:
    return any(word in tag for word in _DOUBTS)


class _Read:
    """The lines of a transcript, once. ``whole``: the last one was there. Of a line that is cut off in the middle,
    nothing is read. Raises CannotReplay where a line is none."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.whole = False
        self._read: Final = self._all(lines)

    def __iter__(self) -> Iterator[transcript.Line]:
        return self._read

    def _all(self, lines: Iterable[bytes]) -> Iterator[transcript.Line]:
        broken: CannotReplay | None = None
        for number, line in enumerate(lines, 1):
            if broken is not None:
                raise broken
            try:
                read = transcript.read(line)
            except (msgspec.MsgspecError, RecursionError) as why:
                broken = CannotReplay(f"line {number} is none of a transcript: {why}")
                if line.endswith(b"\n"):
                    raise broken from None
            else:
                self.whole = isinstance(read, _LAST)
                yield read
