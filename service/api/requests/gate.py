"""The outermost layer: what holds for every request, whatever answers it.

The body is read here, at most so many bytes of it, and the moment at which its last byte was in is stamped before
anything else looks at the request: that moment is what deadlines are compared with.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Final, TypeAlias
from uuid import uuid4

import structlog
from litestar.types import ASGIApp

from service.api.requests.limits import Allowance
from service.settings import Settings
from service.telemetry import metrics

# ASGI's own dicts and callables. Litestar's types for them speak of WebSockets too, of which there are none here.
Scope: TypeAlias = Any
Message: TypeAlias = Any
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]

NOWHERE: Final = "none"  # the route of a request that no route takes
GONE: Final = 499  # the status of a request whose sender did not wait for the answer
# Seconds for which what a refused body still sends is thrown away, so that its sender gets to read the answer.
DRAIN: Final = 1.0
DRAIN_BYTES: Final = 1024 * 1024

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_BODILESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_KNOWN: Final = _BODILESS | {"DELETE", "PATCH", "POST", "PUT"}
_SECURITY: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"cross-origin"),
)
_DEFAULTS: Final = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
}
_EXPOSED: Final = (
    b"etag, location, preference-applied, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id"
)
_ASKED: Final = (
    b"accept-language, authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, "
    b"prefer, x-request-id"
)
_METHODS: Final = b"DELETE, GET, POST"


class Gate:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app: Final = app
        self._log: Final = structlog.get_logger()
        self._max_body: Final = settings.max_body
        self._origins: Final = frozenset(origin.encode() for origin in settings.cors_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        headers = dict(scope["headers"])
        state: dict[str, Any] = scope["state"]
        state["headers"] = headers
        state["request_id"] = request_id = _request_id(headers.get(b"x-request-id"))
        structlog.contextvars.bind_contextvars(request_id=request_id)
        state["straight"] = send
        answer = _Answer(scope, send, receive, self._cors(headers.get(b"origin")))
        try:
            if self._is_preflight(scope, headers):
                await answer.send({"type": "http.response.start", "status": 204, "headers": self._preflight(headers)})
                await answer.send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            if scope["method"] not in _BODILESS:
                body = await self._read(receive, headers)
                if body is None:
                    return  # he has gone
                state["received_at"] = scope["litestar_app"].state.clock.now()
                state["too_large"] = len(body) > self._max_body
                state["body"] = b"" if state["too_large"] else body
            await self._app(scope, receive, answer.send)
        finally:
            self._tell(scope, answer.status, time.perf_counter() - began)

    def _tell(self, scope: Scope, status: int | None, seconds: float) -> None:
        """One line a request: never what was in it, nor its path, which may hold anything."""
        state: dict[str, Any] = scope["state"]
        route, status = route_of(scope), status or GONE
        method = scope["method"] if scope["method"] in _KNOWN else "other"
        metrics.request(method, route, status, None if state.get("waited") else seconds)
        told: dict[str, Any] = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 2)}
        if (match := state.get("match")) is not None:
            told["match"] = str(match)
        if (problem := state.get("problem")) is not None:
            told["problem"] = problem
        if route.startswith("/health"):
            self._log.debug("request", **told)
        else:
            self._log.info("request", **told)

    async def _read(self, receive: Receive, headers: Mapping[bytes, bytes]) -> bytes | None:
        """The body; where it is too large, something that is too large."""
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > self._max_body:
            return bytes(self._max_body + 1)
        chunks, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            chunk = message.get("body", b"")
            size += len(chunk)
            chunks.append(chunk)
            if size > self._max_body or not message.get("more_body", False):
                return b"".join(chunks)

    def _allows(self, origin: bytes | None) -> bool:
        return origin is not None and (b"*" in self._origins or origin in self._origins)

    def _cors(self, origin: bytes | None) -> list[tuple[bytes, bytes]]:
        if not self._origins:
            return []
        told = [(b"vary", b"origin")]
        if origin is not None and self._allows(origin):
            told += [(b"access-control-allow-origin", origin), (b"access-control-expose-headers", _EXPOSED)]
        return told

    def _is_preflight(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        return (
            bool(self._origins)
            and scope["method"] == "OPTIONS"
            and b"origin" in headers
            and b"access-control-request-method" in headers
        )

    def _preflight(self, headers: Mapping[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        if not self._allows(headers.get(b"origin")):
            return []
        return [
            (b"access-control-allow-methods", _METHODS),
            (b"access-control-allow-headers", _ASKED),
            (b"access-control-max-age", b"600"),
        ]


class _Answer:
    """What goes back: with the headers that every answer has, and its status remembered."""

    def __init__(self, scope: Scope, send: Send, receive: Receive, cors: list[tuple[bytes, bytes]]) -> None:
        self._state: Final[dict[str, Any]] = scope["state"]
        self._send: Final = send
        self._receive: Final = receive
        self._cors: Final = cors
        self.status: int | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = self._headers(list(message["headers"]))
        elif self._state.get("too_large") and message["type"] == "http.response.body" and not message["more_body"]:
            await self._send({**message, "more_body": True})
            await self._drain()
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await self._send(message)

    def _headers(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        given = {name for name, _ in headers}
        headers += _SECURITY
        headers += [(name, value) for name, value in _DEFAULTS.items() if name not in given]
        headers.append((b"x-request-id", self._state["request_id"].encode()))
        headers += self._cors
        allowance: Allowance | None = self._state.get("allowance")
        if allowance is not None:
            headers += allowance.headers
        if self._state.get("too_large"):
            headers.append((b"connection", b"close"))
        return headers

    async def _drain(self) -> None:
        size = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN):
                while size < DRAIN_BYTES:
                    message = await self._receive()
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        return
                    size += len(message["body"])


def _request_id(given: bytes | None) -> str:
    return given.decode() if given is not None and _REQUEST_ID.fullmatch(given) else uuid4().hex


def route_of(scope: Scope) -> str:
    """``/v1/matches/{match}``: never the path itself."""
    return _without_types(scope.get("path_template") or NOWHERE)


@cache
def _without_types(template: str) -> str:
    return re.sub(r":\w+}", "}", template)
