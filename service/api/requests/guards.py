"""What stands before a handler: who calls, whether he may, and whether he may so soon again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, Final, TypeAlias, get_args
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import ParameterKwarg
from litestar.typing import FieldDefinition

from service.api.answers.language import Text
from service.api.answers.problems import RATE_LIMITED, TOO_LARGE, Problem, bad_parameter
from service.api.requests.limits import Allowance, Buckets
from service.api.requests.parts import Parts, must, parts, token_in, unauthorized
from service.auth.address import address
from service.auth.bearers import Bearer
from service.auth.scopes import Scope
from service.auth.secrets import TOKEN
from service.dialogue import MayNotSee, NoSuchMatch, NotSeated, WrongCode

Connection: TypeAlias = ASGIConnection[Any, Any, Any, Any]

_NULL: Final = Text("leave it out instead", "lass es stattdessen weg")
_UNKNOWN: Final = Text("no such parameter here", "einen solchen Parameter gibt es hier nicht")
_TWICE: Final = Text("it is said more than once", "er steht mehr als einmal da")


class Limit(StrEnum):
    """Which bucket a call is taken from; each is configured by its name."""

    USUAL = "usual"  # of the token or, without one, of the address
    ACTIONS = "actions"  # of a seat: refills faster than the fastest human
    ACCOUNTS = "accounts"
    MATCHES = "matches"


class Guard:
    """Called before the handler. Not as one of Litestar's guards: for each of those it copies the whole handler."""

    async def __call__(self, request: Connection) -> None:
        if request.scope["state"].get("too_large"):
            raise Problem(TOO_LARGE, {"most": parts(request).settings.max_body})
        await self.admit(request)
        if request.scope["query_string"]:
            _only_what_is_known(request)

    async def admit(self, request: Connection) -> None:
        """Raises Problem."""


class Public(Guard):
    """Anybody may, from one address only so often."""

    def __init__(self, limit: Limit = Limit.USUAL) -> None:
        self.limit: Final = limit

    async def admit(self, request: Connection) -> None:
        here = parts(request)
        buckets = here.buckets.accounts if self.limit is Limit.ACCOUNTS else here.buckets.address
        take(request, buckets, caller_address(request))


class Needs(Guard):
    """Only with a token of this scope; None: with any token. ``or_``: another scope that will do as well."""

    def __init__(self, scope: Scope | None = None, limit: Limit = Limit.USUAL, *, or_: Scope | None = None) -> None:
        self.scope: Final = scope
        self.or_: Final = or_
        self.limit: Final = limit

    async def admit(self, request: Connection) -> None:
        here = parts(request)
        request.scope["auth"] = bearer = await _bearer(request, here)
        match self.limit:
            case Limit.ACTIONS:
                if not (strayed := here.buckets.strays.look(bearer.player.id)).granted:
                    raise too_fast(strayed)
                take(request, here.buckets.actions, (bearer.player.id, _match_in(request)))
            case Limit.MATCHES:
                take(request, here.buckets.matches, bearer.player.id)
            case Limit.USUAL:
                take(request, here.buckets.token, bearer.token.id)
            case Limit.ACCOUNTS:
                raise ValueError("who has a token has an account")
        if self.scope is not None and not (self.or_ is not None and bearer.may(self.or_)):
            must(bearer, self.scope)


def guard_of(handler: BaseRouteHandler) -> Guard | None:
    found = getattr(handler, "before_request", None)
    return found if isinstance(found, Guard) else None


def _only_what_is_known(request: Connection) -> None:
    """A misspelt parameter is no parameter left out, and of one said twice Litestar would take the last; the word
    `null` it takes for one left out."""
    known = {query_name(field): field for field in request.route_handler.parsed_fn_signature.parameters.values()}
    said: set[str] = set()
    for name, value in request.query_params.multi_items():
        if name in said:
            raise bad_parameter(name, _TWICE)
        said.add(name)
        field = known.get(name)
        if field is None or name in request.path_params or name == "request":
            raise bad_parameter(name, _UNKNOWN)
        if value.lower() == "null" and str not in (field.annotation, *get_args(field.annotation)):
            raise bad_parameter(name, _NULL)


def query_name(field: FieldDefinition) -> str:
    """What a parameter is called in an address; some words are none of Python's to give."""
    said = field.kwarg_definition
    return (said.name if isinstance(said, ParameterKwarg) else None) or field.name


def _match_in(request: Connection) -> UUID | None:
    """The same for every way to write it."""
    try:
        return UUID(request.path_params["match"])
    except ValueError:
        return None


@contextmanager
def straying(request: Connection) -> Iterator[None]:
    """Around an action. Who acts where he does not sit has a limit over all matches, or each would have its own."""
    try:
        yield
    except (MayNotSee, NoSuchMatch, NotSeated):
        parts(request).buckets.strays.take(request.scope["auth"].player.id)
        raise


def take(connection: Connection, buckets: Buckets, caller: object) -> None:
    """Takes one; raises Problem 429 where there is none. What is left is told in the answer's headers."""
    connection.scope["state"]["allowance"] = allowance = buckets.take(caller)
    if not allowance.granted:
        raise too_fast(allowance)


def too_fast(allowance: Allowance) -> Problem:
    wait = math.ceil(allowance.wait * 100) / 100
    return Problem(
        RATE_LIMITED,
        {"policy": allowance.policy, "retry_after": Text(f"{wait:g}", f"{wait:g}".replace(".", ","))},
        headers={"retry-after": str(math.ceil(wait))},  # HTTP has whole seconds
        retry_after=wait,
    )


@contextmanager
def being_told(here: Parts, caller: Bearer) -> Iterator[None]:
    """Around a stream or a long poll: each token has so many. Problem 429 where all are open."""
    if here.bearers.watched(caller.token.id) >= here.settings.streams:
        raise Problem(
            RATE_LIMITED,
            {"policy": "streams", "retry_after": 1},
            headers={"retry-after": "1"},  # nobody knows when one of them ends
            retry_after=1.0,
        )
    with here.bearers.watching(caller.token.id):
        yield


def caller_address(connection: Connection) -> str:
    client = connection.scope["client"]
    forwarded = connection.headers.getall("x-forwarded-for", [])
    return address(client[0] if client else None, forwarded, parts(connection).settings.trusted_proxies)


async def _bearer(connection: Connection, here: Parts) -> Bearer:
    text = token_in(connection)
    if text is not None and TOKEN.fullmatch(text):
        if (known := here.bearers.remembered(text)) is not None:
            return known
        # Whoever tries tokens from this address has used up what an address may, before the store is asked.
        if not (left := here.buckets.address.look(caller_address(connection))).granted:
            raise too_fast(left)
        if (found := await here.bearers.find(text)) is not None:
            return found
    take(connection, here.buckets.address, caller_address(connection))
    raise unauthorized(text)


@contextmanager
def tries(connection: Connection, *, counted: bool = True) -> Iterator[None]:
    """Around a try of a code: each account and each address has few. A code that is right was no try."""
    if not counted:
        yield
        return
    codes = parts(connection).buckets.codes
    callers = (connection.scope["auth"].player.id, caller_address(connection))
    for caller in callers:
        take(connection, codes, caller)
    try:
        yield
    except WrongCode:
        raise
    except BaseException:
        for caller in callers:
            codes.give_back(caller)
        raise
    else:
        for caller in callers:
            codes.give_back(caller)
