"""What the handlers of one process work with, and what a request brings with it."""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Any, Final, TypeAlias
from uuid import UUID

from litestar import Request
from litestar.connection import ASGIConnection
from msgspec import Struct

from service.api.answers.language import Text
from service.api.answers.problems import MISSING_SCOPE, RESET, UNAUTHORIZED, Problem, bad_parameter
from service.api.requests.decoding import header, raw
from service.api.requests.limits import AllBuckets
from service.api.requests.readiness import Readiness
from service.audit.access import AccessLog
from service.audit.exporting import Histories
from service.audit.notary import Notary
from service.audit.refusals import Refusals
from service.audit.replaying import Replays
from service.auth.bearers import Bearer, Bearers
from service.auth.scopes import Scope
from service.auth.secrets import LEAST_KEY
from service.dialogue import Asked, Key
from service.runtime.runtime import Runtime
from service.settings import Settings

AnyRequest: TypeAlias = Request[Any, Any, Any]

_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_BAD_KEY: Final = Text(
    "1 to 255 visible ASCII characters are expected.", "Erwartet werden 1 bis 255 sichtbare ASCII-Zeichen."
)
_SHORT_KEY: Final = Text(
    f"Here the key is as good as a password: at least {LEAST_KEY} characters, which nobody can guess.",
    f"Hier ist der Schlüssel so gut wie ein Passwort: mindestens {LEAST_KEY} Zeichen, die niemand erraten kann.",
)
_BAD_TAG: Final = Text(
    'Expected is a seq in quotes, like "41".', 'Erwartet wird eine seq in Anführungszeichen, wie "41".'
)


class Parts(Struct, frozen=True, kw_only=True):
    """One of each per process."""

    settings: Settings
    runtime: Runtime
    bearers: Bearers
    buckets: AllBuckets
    readiness: Readiness
    notary: Notary
    histories: Histories
    replays: Replays
    refusals: Refusals
    access: AccessLog
    closing: asyncio.Event


def parts(connection: ASGIConnection[Any, Any, Any, Any]) -> Parts:
    found: Parts = connection.app.state.parts
    return found


def bearer(request: AnyRequest) -> Bearer:
    """Who calls; his guard has let him in."""
    found: Bearer = request.scope["auth"]
    return found


def bearer_text(request: AnyRequest) -> str:
    """His token itself."""
    return token_in(request) or ""


def token_in(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The text after ``Authorization: Bearer``; None where there is no such header."""
    scheme, _, text = (header(connection, "authorization") or "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def unauthorized(token: str | None) -> Problem:
    """``token``: what was sent for one."""
    error = "" if token is None else ', error="invalid_token"'
    return Problem(UNAUTHORIZED, headers={"www-authenticate": f'Bearer realm="mogelwerk"{error}'})


def must(caller: Bearer, scope: Scope) -> None:
    """Raises Problem where his token does not reach that far."""
    if not caller.may(scope):
        raise Problem(MISSING_SCOPE, {"scope": scope}, scope=scope)


def asked(request: AnyRequest) -> Asked:
    key = idempotency_key(request)
    return Asked(
        player=bearer(request).player.id,
        received_at=request.scope["state"]["received_at"],
        key=None if key is None else Key(key, fingerprint(request)),
    )


def idempotency_key(request: AnyRequest, *, secret: bool = False) -> str | None:
    """``secret``: an account comes of it."""
    key = header(request, "idempotency-key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise bad_parameter("Idempotency-Key", _BAD_KEY)
    if secret and len(key) < LEAST_KEY:
        raise bad_parameter("Idempotency-Key", _SHORT_KEY)
    return key


def fingerprint(request: AnyRequest) -> bytes:
    """Of what is asked under a key."""
    return hashlib.sha256(b"%b %b\n%b" % (request.method.encode(), request.url.path.encode(), raw(request))).digest()


def if_match(request: AnyRequest) -> int | None:
    """The seq that the caller takes for his last; None: any."""
    given = header(request, "if-match")
    if given is None or given == "*":
        return None
    seq = tag_seq(given)
    if seq is None:
        raise bad_parameter("If-Match", _BAD_TAG)
    return seq


def none_match(request: AnyRequest, seq: int) -> bool:
    """Whether the caller has it already (``If-None-Match``)."""
    given = header(request, "if-none-match") or ""
    return any(tag_seq(part.strip().removeprefix("W/")) == seq for part in given.split(","))


def tag_seq(tag: str) -> int | None:
    """The seq in an entity tag; without its quotes too, which shells like to eat."""
    found = re.fullmatch(r'("?)(0|[1-9]\d{0,8})\1', tag, re.ASCII)
    return int(found[2]) if found else None


def not_ahead(after: int, head: int) -> int:
    """A cursor, which the caller has been told; Problem where he cannot have been: ``head`` is his last."""
    if after > head:
        raise Problem(RESET, {"seq": head, "field": "after"}, field="after", seq=head)
    return after


def etag(seq: int) -> str:
    return f'"{seq}"'


def about(request: AnyRequest, match: UUID) -> UUID:
    """For the log's line: which match this request is about."""
    request.scope["state"]["match"] = match
    return match
