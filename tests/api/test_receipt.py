"""The moment of receipt: when the last byte is in, and before anything else looks at the request."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from service.api.requests.gate import Gate
from service.settings import Settings

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SMALL = replace(Settings(), max_body=10)


class Story:
    """What happened, in order: a part of the body came, the clock was read, the application was called."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = list(parts)
        self.told: list[str] = []
        self.scope: dict[str, Any] = {}

    def now(self) -> datetime:
        self.told.append("clock")
        return NOON + timedelta(seconds=len(self.told))

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.told.append("app")
        self.scope = scope
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def receive(self) -> Any:
        if not self.parts:
            self.told.append("gone")
            return {"type": "http.disconnect"}
        self.told.append("part")
        return {"type": "http.request", "body": self.parts.pop(0), "more_body": bool(self.parts)}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.told.append("answer")

    async def is_told(self, settings: Settings = SMALL, method: str = "POST", **headers: str) -> list[str]:
        scope = {
            "type": "http",
            "method": method,
            "path": "/",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "state": {},
            "litestar_app": SimpleNamespace(state=SimpleNamespace(clock=SimpleNamespace(now=self.now))),
        }
        await Gate(self.app, settings)(scope, self.receive, self.send)
        return self.told


async def test_the_clock_is_read_after_the_last_byte_and_before_all_else() -> None:
    story = Story(b"one", b"two", b"end")

    assert await story.is_told() == ["part", "part", "part", "clock", "app", "answer"]
    assert story.scope["state"]["body"] == b"onetwoend"
    assert story.scope["state"]["received_at"] == NOON + timedelta(seconds=4)


async def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    story = Story(*[b"x" * 5] * 1000)

    told = await story.is_told(content_length="5000")

    assert told[:3] == ["clock", "app", "answer"]
    assert story.scope["state"]["too_large"]
    assert story.scope["state"]["body"] == b""


async def test_a_body_that_turns_out_too_large_is_read_no_further() -> None:
    story = Story(*[b"x" * 5] * 1000)

    told = await story.is_told()

    assert told[: told.index("app")] == ["part", "part", "part", "clock"]
    assert story.scope["state"]["too_large"]


async def test_what_a_refused_body_still_sends_is_thrown_away_up_to_a_bound() -> None:
    story = Story(*[b"x" * 65536] * 1000)

    told = await story.is_told()

    assert told.count("part") < 20


async def test_who_goes_before_his_last_byte_has_asked_nothing() -> None:
    story = Story(b"one", b"two")
    story.parts.append(b"")
    first = story.receive

    async def receive() -> Any:
        return {"type": "http.disconnect"} if len(story.parts) == 1 else await first()

    story.receive = receive  # type: ignore[method-assign]

    assert await story.is_told() == ["part", "part"]


async def test_a_look_waits_for_no_body() -> None:
    assert await Story().is_told(method="GET") == ["app", "answer"]
