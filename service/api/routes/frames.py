"""What a viewer was told: page by page, or live."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from litestar import get
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Raw
from msgspec.structs import replace

from domain.match import events
from projections.views.seam import Language
from service.api.answers import problems
from service.api.answers.language import Text
from service.api.answers.problems import Problem, bad_parameter
from service.api.answers.replies import Live, reply
from service.api.answers.shapes import After, MatchId
from service.api.answers.told import NDJSON, Reply, told
from service.api.requests.decoding import header
from service.api.requests.guards import Needs, being_told
from service.api.requests.parts import AnyRequest, Parts, about, bearer, not_ahead, parts
from service.auth.bearers import Bearer
from service.auth.scopes import Scope
from service.dialogue import MayNotSee, NoSuchMatch
from service.fanout.news import Look, News
from service.fanout.streams import RETRY, Ear, Form, Source, stream
from service.runtime.reader import Reader
from service.store.rows import Unavailable
from service.telemetry import metrics

SSE: Final = "text/event-stream"
CHECK: Final = 0.75  # seconds between looks whether somebody may still read on
LOOK: Final = 10.0  # seconds between looks at who sits where, while nobody sits down or leaves
_SEATS_CHANGE: Final = re.compile(
    b"|".join(b'"%b"' % str(event.__struct_config__.tag).encode() for event in (events.Seated, events.Left))
)

Narrate = Annotated[
    Language | None,
    Parameter(description="Adds to each frame a sentence for people, `narration`, in this language."),
]
_BAD_CURSOR: Final = Text("expected is a seq, like 41", "erwartet wird eine seq, wie 41")


@get(
    "/v1/matches/{match:str}/events",
    before_request=Needs(Scope.READ),
    operation_id="getFrames",
    summary="What you were told",
    tags=["Play"],
    opt=told(
        Reply(200, "A page of your frames. `last` is the cursor of the next.", "FramePage"), problems=(problems.RESET,)
    ),
)
async def page(
    request: AnyRequest,
    match: MatchId,
    after: After = 0,
    limit: Annotated[int, Parameter(ge=1, le=500, description="How many at most.")] = 100,
    narrate: Narrate = None,
) -> ASGIResponse:
    """Your own frames, in your own numbering, which has no holes; each is chained to the one before (`head`)."""
    reader = parts(request).runtime.reader
    me = bearer(request).player.id
    frames, last, head = await reader.page(about(request, match), me, after, limit, narrate)
    not_ahead(after, head)
    return reply(b'{"frames":%b,"last":%d}' % (frames, last))


@get(
    "/v1/matches/{match:str}/stream",
    before_request=Needs(Scope.READ),
    operation_id="streamMatch",
    summary="What you are told, live",
    tags=["Play"],
    opt=told(
        Reply(
            200,
            "Messages without end. With `Accept: text/event-stream` each is an SSE event, its `id` the last `seq`, its "
            "`event` the kind and its `data` the object. With `application/x-ndjson` each is a line: the same object "
            "with `event` in it. Kinds: `frames`, `heartbeat`, `bye`, `reset`.",
            "StreamMessage",
            media_types=(SSE, NDJSON),
        ),
        problems=(problems.NOT_ACCEPTABLE,),
        headers=("Last-Event-ID",),
    ),
)
async def live(request: AnyRequest, match: MatchId, after: After = 0, narrate: Narrate = None) -> ASGIResponse:
    """Everything after the frame that you have (`Last-Event-ID`, else `after`), from the log, and then what happens,
    as it happens: each frame once, in order. One message holds the frames of one append and what you see after them.

    A heartbeat comes at least every 10 s, with your `seq` and the match's time. `bye` says why the stream ends
    (`revoked`, `seat_changed`, `closing`, …): come back with the `seq` in it. `reset`: your cursor was none of ours.
    """
    here, caller, form = parts(request), bearer(request), _form(request)
    after = _last_event_id(request, after)
    viewer = await here.runtime.reader.viewer(about(request, match), caller.player.id)
    request.scope["state"]["waited"] = True
    messages = _messages(here, caller, match, viewer, after, form, narrate)
    media_type, first = (SSE, RETRY) if form == "sse" else (NDJSON, b"")
    return Live(messages, media_type, first=first, during=_open(here, caller))


@contextmanager
def _open(here: Parts, caller: Bearer) -> Iterator[None]:
    with being_told(here, caller):
        metrics.streams(1)
        try:
            yield
        finally:
            metrics.streams(-1)


def _messages(
    here: Parts, caller: Bearer, match: UUID, viewer: int, after: int, form: Form, language: Language | None
) -> AsyncGenerator[bytes, None]:
    reader, now = here.runtime.reader, asyncio.get_running_loop().time
    look_at = 0.0  # when to look who sits where: not more often, because each look asks the store

    async def still_allowed() -> str | None:
        nonlocal look_at
        if not here.bearers.still_good(caller.token.id):
            return "revoked"
        if now() < look_at:
            return None
        try:
            seen_by = await reader.viewer(match, caller.player.id)
        except (MayNotSee, NoSuchMatch):
            return "gone"
        look_at = now() + LOOK
        return None if seen_by == viewer else "seat_changed"

    def look_again(body: bytes) -> bool:
        """Where seats change hands, what follows may be the next holder's to see."""
        nonlocal look_at
        frames = body.rfind(b',"frames":[')
        changed = b'"match.' in body[frames:] and _SEATS_CHANGE.search(body, frames) is not None  # everybody is told
        if changed:
            look_at = 0.0
        return changed

    ear: Ear = here.runtime.fanout.subscribe(match, viewer)
    source: Source = reader
    if language is not None:
        ear, source = _Narrating(ear, reader, match, viewer, language), _Narrated(reader, language)
    return stream(
        source,
        ear,
        match=match,
        viewer=viewer,
        after=after,
        form=form,
        still_allowed=still_allowed,
        now=lambda: reader.server_time(match),
        closing=here.closing,
        check=CHECK,
        may_end=look_again,
    )


def _form(request: AnyRequest) -> Literal["sse", "ndjson"]:
    accept = (header(request, "accept") or "*/*").lower()
    for part in accept.split(","):
        match part.split(";")[0].strip():
            case "text/event-stream" | "text/*" | "*/*" | "":
                return "sse"
            case "application/x-ndjson" | "application/ndjson" | "application/*":
                return "ndjson"
    raise Problem(problems.NOT_ACCEPTABLE)


def _last_event_id(request: AnyRequest, after: int) -> int:
    """What an SSE client sends by itself when it comes back; newer than what its address says."""
    given = header(request, "last-event-id")
    if not given:
        return after
    if not (given.isascii() and given.isdecimal() and len(given) < 10):
        raise bad_parameter("Last-Event-ID", _BAD_CURSOR)
    return int(given)


class _Narrated:
    """The log, each frame with its sentence."""

    def __init__(self, reader: Reader, language: Language) -> None:
        self._reader: Final = reader
        self._language: Final[Language] = language

    def replay(self, match: UUID, viewer: int, after: int) -> AsyncIterator[News]:
        return self._reader.replay(match, viewer, after, self._language)

    async def head(self, match: UUID, viewer: int) -> int:
        return await self._reader.head(match, viewer)


class _Narrating:
    """What comes through the fan-out has no sentences: its frames are read again, with theirs."""

    def __init__(self, ear: Ear, reader: Reader, match: UUID, viewer: int, language: Language) -> None:
        self._ear: Final = ear
        self._reader: Final = reader
        self._match: Final = match
        self._viewer: Final = viewer
        self._language: Final[Language] = language

    async def __aenter__(self) -> object:
        return await self._ear.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._ear.__aexit__(kind, error, trace)

    def wake(self) -> None:
        self._ear.wake()

    async def next(self, timeout: float | None = None) -> News | Look | None:
        news = await self._ear.next(timeout)
        if not isinstance(news, News) or not news.body:
            return news
        count = news.last - news.first + 1
        try:
            frames, _ = await self._reader.frames(self._match, self._viewer, news.first - 1, count, self._language)
        except Unavailable:
            return replace(news, body=b"")  # a hint: the log will have it
        told = msgspec.json.decode(news.body, type=dict[str, Raw])
        return replace(news, body=msgspec.json.encode({**told, "frames": Raw(frames)}))
