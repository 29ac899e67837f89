"""The public API as a program asks it: accounts, matches, actions, and a stream that survives a broken connection.

Nothing here knows a game, or anything of the server but its documented answers.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final, Literal, TypeVar

import httpx
import msgspec
from msgspec import Struct

Language = Literal["en", "de"]
T = TypeVar("T")

PAUSES: Final = (0.1, 0.3, 0.6, 1.0, 2.0)  # seconds before a request is tried again
LONGEST_PAUSE: Final = 5.0  # seconds: what is refused for longer is told to the person
SILENCE: Final = 25.0  # seconds; a stream has a heartbeat every 10


_STEERING: Final = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)))


class Bound(Struct, frozen=True):
    """What a field may hold: one of the four bounds, by which of its members are there."""

    one_of: tuple[str | int | bool, ...] | None = None
    choose: tuple[str, ...] | None = None
    min: int = 0
    max: int = 0
    step: int | None = None
    sha256: str | None = None
    optional: bool = False


class Offer(Struct, frozen=True):
    type: str
    fields: dict[str, Bound]
    not_before: datetime | None = None
    until: datetime | None = None


class Chair(Struct, frozen=True):
    seat: int
    player: str | None
    name: str | None
    bot: str | None
    left: bool


class Awaits(Struct, frozen=True):
    seats: tuple[int, ...]
    until: datetime | None


class Result(Struct, frozen=True):
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    seed: str | None = None


class Frame(Struct, frozen=True):
    seq: int
    at: datetime
    event: dict[str, Any]
    narration: str = ""


class Match(Struct, frozen=True, kw_only=True):
    """A match through one's own eyes; ``view`` is the game's, and is only shown."""

    match: str
    game: str
    status: Literal["open", "playing", "over", "void", "superseded"]
    sandbox: bool
    seq: int
    seat: int | None
    seats: tuple[Chair, ...]
    host: str
    view: dict[str, Any] | None
    awaits: Awaits
    actions: tuple[Offer, ...]
    result: Result | None
    server_time: datetime
    branched_to: str | None = None
    frames: tuple[Frame, ...] = ()

    @property
    def finished(self) -> bool:
        return self.status in ("over", "void", "superseded")


class Heartbeat(Struct, frozen=True):
    seq: int
    server_time: datetime | None = None


class Bye(Struct, frozen=True):
    """The stream is over and does not come back: ``revoked``, ``seat_changed`` or ``gone``."""

    reason: str
    seq: int


class _Kind(Struct, frozen=True):
    event: str


class Lost(Struct, frozen=True):
    """The connection broke; it is made anew until it stands."""


Message = Match | Heartbeat | Bye | Lost


class Opened(Struct, frozen=True):
    match: str
    code: str


class GameInfo(Struct, frozen=True):
    id: str
    names: dict[str, str]
    bots: tuple[str, ...]


class Account(Struct, frozen=True):
    name: str
    token: str


class Problem(Exception):
    """An answer that is no success: ``title`` and ``detail`` are in the language that was asked for."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status: Final = status
        self.kind: Final = str(body.get("type", "")).rpartition("/")[2]
        self.title: Final = str(body.get("title", f"HTTP {status}"))
        self.detail: Final = str(body.get("detail", ""))
        self.reason: Final = body.get("reason")
        self.retry_after: Final = body.get("retry_after")
        super().__init__(f"{self.title}: {self.detail}" if self.detail else self.title)


class Unreachable(Exception):
    """Nobody answers at this address, or nothing that makes sense."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(why)
        self.url: Final = url


class Client:
    """One account at one server. Every ``POST`` has an idempotency key, so that what got no answer is asked again."""

    def __init__(self, url: str, token: str | None = None, language: Language = "en") -> None:
        self.url: Final = url.rstrip("/")
        try:
            self._http: Final = httpx.Client(
                base_url=self.url,
                headers={"accept-language": language, "user-agent": "mogelwerk"},
                timeout=httpx.Timeout(10, read=30),
            )
        except (httpx.InvalidURL, ValueError) as wrong:
            raise Unreachable(url, str(wrong)) from None
        self._language: Final = language
        self._met = False  # whether there ever was an answer: if not, nobody waits for one for long
        if token is not None:
            self.is_now(token)

    def close(self) -> None:
        self._http.close()

    def is_now(self, token: str) -> None:
        self._http.headers["authorization"] = f"Bearer {token}"

    def register(self, name: str) -> Account:
        """A guest account, and from now on it is this one that asks."""
        made = self._ask("POST", "/v1/players", dict[str, Any], {"name": name})
        account = Account(name, str(made["token"]))
        self.is_now(account.token)
        return account

    def is_known(self) -> bool:
        """Whether the server knows our token."""
        try:
            self._ask("GET", "/v1/players/me", dict[str, Any])
        except Problem as problem:
            if problem.status == 401:
                return False
            raise
        return True

    def games(self) -> tuple[GameInfo, ...]:
        return self._ask("GET", "/v1/games", dict[str, tuple[GameInfo, ...]])["games"]

    def open(self, game: str, seats: int, **wish: Any) -> Opened:
        return self._ask("POST", "/v1/matches", Opened, {"game": game, "seats": seats, **wish})

    def join(self, code: str, **how: Any) -> Match:
        return self._ask("POST", "/v1/joins", Match, {"code": code, **how})

    def sit(self, match: str, **how: Any) -> Match:
        return self._ask("POST", f"/v1/matches/{match}/seats", Match, how)

    def leave(self, match: str, seat: int) -> Match:
        return self._ask("DELETE", f"/v1/matches/{match}/seats/{seat}", Match)

    def start(self, match: str) -> Match:
        return self._ask("POST", f"/v1/matches/{match}/start", Match)

    def see(self, match: str) -> Match:
        return self._ask("GET", f"/v1/matches/{match}", Match)

    def act(self, match: str, action: dict[str, Any]) -> Match:
        return self._ask("POST", f"/v1/matches/{match}/actions", Match, action)

    def turn_clock(self, match: str, milliseconds: int) -> Match:
        """Sandbox: to the next deadline at most."""
        return self._ask("POST", f"/v1/matches/{match}/clock", Match, {"advance_ms": milliseconds})

    def stream(self, match: str, after: int = 0, pause: Callable[[float], object] = time.sleep) -> Iterator[Message]:
        """Everything after the frame ``after``, each once and in order, with sentences; until a `Bye`.

        A connection that breaks is made anew with the cursor. Raises Problem where the server says no.
        """
        tries = 0
        while not self._http.is_closed:
            try:
                for message in self._connected(match, after):
                    tries = 0
                    match message:
                        case Match(seq=seq):
                            after = seq
                        case Heartbeat():
                            pass
                        case Bye():
                            yield message
                            return
                        case int():  # a cursor that was none of ours
                            after = message
                            continue
                    yield message
            except httpx.TransportError:
                pass
            except Problem as problem:
                if problem.status not in (429, 502, 503, 504):
                    raise
            if self._http.is_closed:
                return
            yield Lost()
            pause(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    def history(self, match: str, *, own: bool) -> Iterator[bytes]:
        """The transcript's lines; the caller looks whether the last one is there. Raises Problem and Unreachable."""
        try:
            with self._http.stream("GET", f"/v1/matches/{match}/history", params={"own": own}) as answer:
                if answer.status_code != 200:
                    answer.read()
                    raise _problem(answer)
                rest = b""
                for piece in answer.iter_bytes():
                    *whole, rest = (rest + piece).split(b"\n")
                    yield from (line + b"\n" for line in whole)
                if rest:
                    yield rest
        except httpx.TransportError as broken:
            raise Unreachable(self.url, str(broken) or type(broken).__name__) from None

    def _connected(self, match: str, after: int) -> Iterator[Match | Heartbeat | Bye | int]:
        """One connection's messages; it ends when the server closes."""
        with self._http.stream(
            "GET",
            f"/v1/matches/{match}/stream",
            params={"after": after, "narrate": self._language},
            headers={"accept": "application/x-ndjson"},
            timeout=httpx.Timeout(10, read=SILENCE),
        ) as answer:
            if answer.status_code != 200:
                answer.read()
                raise _problem(answer)
            for line in answer.iter_lines():
                match decoded(line, _Kind).event:
                    case "frames":
                        yield decoded(line, Match)
                    case "heartbeat":
                        yield decoded(line, Heartbeat)
                    case "reset":
                        yield decoded(line, Heartbeat).seq
                    case "bye":
                        bye = decoded(line, Bye)
                        if bye.reason in ("closing", "unavailable"):
                            return
                        yield bye
                        return

    def _ask(self, method: str, path: str, kind: type[T], body: Any = None) -> T:
        headers = {"idempotency-key": secrets.token_hex(16)} if method == "POST" else {}
        for pause in (*PAUSES, None):
            try:
                answer = self._http.request(method, path, json=body, headers=headers)
            except httpx.TransportError as broken:
                if pause is None or not self._met or method == "DELETE":
                    raise Unreachable(self.url, str(broken) or type(broken).__name__) from None
            else:
                self._met = True
                if answer.is_success:
                    return self._decoded(answer, kind)
                problem = _problem(answer)
                wait = problem.retry_after if isinstance(problem.retry_after, float | int) else None
                if problem.status not in (429, 503) or wait is None or wait > LONGEST_PAUSE or pause is None:
                    raise problem
                pause = max(pause, float(wait))
            time.sleep(pause)
        raise AssertionError

    def _decoded(self, answer: httpx.Response, kind: type[T]) -> T:
        try:
            return decoded(answer.content, kind)
        except msgspec.MsgspecError as strange:
            raise Unreachable(self.url, f"{answer.request.url.path}: {strange}") from None


def decoded(text: bytes | str, kind: type[T]) -> T:
    """JSON as a value, without the signs in its texts by which a terminal is steered."""
    return msgspec.convert(_shown(msgspec.json.decode(text)), kind)


def _shown(value: Any) -> Any:
    match value:
        case str():
            return value.translate(_STEERING)
        case list():
            return [_shown(one) for one in value]
        case dict():
            return {name: _shown(one) for name, one in value.items()}
        case _:
            return value


def _problem(answer: httpx.Response) -> Problem:
    try:
        return Problem(answer.status_code, decoded(answer.content, dict[str, Any]))
    except msgspec.MsgspecError:
        return Problem(answer.status_code, {})
