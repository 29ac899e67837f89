"""Accounts of guests, and their tokens."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Final
from uuid import UUID, uuid4

from litestar import delete, get, post
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from service.api.answers import problems
from service.api.answers.problems import Problem
from service.api.answers.replies import nothing, reply_with
from service.api.answers.shapes import TokenInfo
from service.api.answers.told import Reply, told
from service.api.requests.decoding import Body
from service.api.requests.guards import Limit, Needs, Public
from service.api.requests.parts import AnyRequest, bearer, bearer_text, fingerprint, idempotency_key, must, parts
from service.auth.names import Name
from service.auth.scopes import GUEST, Scope
from service.auth.secrets import digest, first_token, further_token
from service.dialogue import KeyReused
from service.store.accounts import nobody
from service.store.rows import KeyRow, Player, Token

PATH: Final = "/v1/players"


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who wants to play: a name is enough."""

    name: Name


class CreatedPlayer(Struct, frozen=True):
    """You, and your token. It is told only this once: keep it. ``player`` is your id, as in every match."""

    player: UUID
    name: str
    created_at: datetime
    token: str


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A further token of yours, for another device or for a program.

    `scopes`: some of those that the token you ask with has, each counted once; left out, `play` and `read`.
    `expires_in`: seconds; no token outlives the one that made it.
    """

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=5)] | None = None
    expires_in: Annotated[int, Meta(ge=60, le=366 * 86400)] | None = None


class CreatedToken(Struct, frozen=True):
    """A token. `token` is told only this once."""

    id: UUID
    token: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None


class Me(Struct, frozen=True):
    """Who you are: your account, the token that you asked with, and all your tokens that are good."""

    player: UUID
    name: str
    created_at: datetime
    token: TokenInfo
    tokens: tuple[TokenInfo, ...]


NEW_PLAYER: Final = Body[NewPlayer](NewPlayer)
NEW_TOKEN: Final = Body[NewToken](NewToken)


@post(
    PATH,
    before_request=Public(Limit.ACCOUNTS),
    operation_id="createPlayer",
    summary="Become a player",
    tags=["Players"],
    opt=told(
        Reply(201, "You have an account.", CreatedPlayer, headers=("Location",)),
        problems=(problems.KEY_REUSED,),
        body=NewPlayer,
        body_example={"name": "Anna"},
        keyed=True,
    ),
)
async def create_player(request: AnyRequest) -> ASGIResponse:
    """A guest account at once: no e-mail, no password.

    With an `Idempotency-Key` a repeated request gives the same account and the same token. Here the key is as good as
    a password, so it has at least 16 characters: take 32 random ones.
    """
    here, wish = parts(request), NEW_PLAYER.read(request)
    key, now = idempotency_key(request, secret=True), request.scope["state"]["received_at"]
    player = Player(uuid4(), wish.name, now)
    text = first_token(key, player.id)
    token = Token(uuid4(), player.id, tuple(GUEST), now, None, None)
    accounts = here.runtime.store.accounts
    owner, scope, said = nobody(key or "")
    row = _key_row(owner, scope, said, fingerprint(request), player.id, now) if key else None
    if (used := await accounts.create(player, token, digest(text), row)) is not None:
        _same(used, request)
        text = first_token(key, used.command)
        known = await accounts.player(used.command)
        assert known is not None
        player = known
    return reply_with(CreatedPlayer(player.id, player.name, player.created_at, text), 201, {"location": f"{PATH}/me"})


@get(
    f"{PATH}/me",
    before_request=Needs(),
    operation_id="getMe",
    summary="Who am I?",
    tags=["Players"],
    opt=told(Reply(200, "Your account, and your tokens.", Me)),
)
async def me(request: AnyRequest) -> ASGIResponse:
    """Your account, the token that you ask with, and all your tokens that are good."""
    here, caller = parts(request), bearer(request)
    now = here.runtime.clock.now()
    tokens = await here.runtime.store.accounts.tokens(caller.player.id)
    good = tuple(
        TokenInfo.of(token)
        for token in tokens
        if token.revoked_at is None and (token.expires_at is None or now < token.expires_at)
    )
    you = caller.player
    return reply_with(Me(you.id, you.name, you.created_at, TokenInfo.of(caller.token), good))


@post(
    f"{PATH}/me/tokens",
    before_request=Needs(),
    operation_id="createToken",
    summary="One more token",
    tags=["Players"],
    opt=told(
        Reply(201, "The token. It is told only this once.", CreatedToken),
        problems=(problems.MISSING_SCOPE, problems.KEY_REUSED),
        body=NewToken,
        body_example={"scopes": ["read"], "expires_in": 86400},
        keyed=True,
    ),
)
async def create_token(request: AnyRequest) -> ASGIResponse:
    """A further token, with no more scopes than yours. With an `Idempotency-Key` a repeated request gives the same."""
    here, caller, wish = parts(request), bearer(request), NEW_TOKEN.read(request)
    scopes = wish.scopes or tuple(scope for scope in GUEST if caller.may(scope))
    for scope in scopes:
        must(caller, scope)
    key, now = idempotency_key(request), request.scope["state"]["received_at"]
    ends = None if wish.expires_in is None else now + timedelta(seconds=wish.expires_in)
    if caller.token.expires_at is not None:
        ends = min(ends or caller.token.expires_at, caller.token.expires_at)
    token = Token(uuid4(), caller.player.id, tuple(dict.fromkeys(scopes)), now, ends, None)
    own = bearer_text(request)
    text = further_token(key, token.id, own)
    asked = digest(fingerprint(request).hex() + own)  # from another bearer the same is something else
    row = _key_row(caller.player.id, "", key, asked, token.id, now) if key else None
    if (used := await here.runtime.store.accounts.add_token(token, digest(text), row)) is not None:
        if used.fingerprint != asked:
            raise KeyReused
        text = further_token(key, used.command, own)
        known = await here.runtime.store.accounts.by_hash(digest(text))
        assert known is not None
        token = known
    info = TokenInfo.of(token)
    return reply_with(CreatedToken(info.id, text, info.scopes, info.created_at, info.expires_at), 201)


@delete(
    f"{PATH}/me/tokens/{{token:str}}",
    before_request=Needs(),
    status_code=200,  # for Litestar, which lets no handler with 204 answer for itself
    operation_id="revokeToken",
    summary="Revoke a token",
    tags=["Players"],
    opt=told(Reply(204, "It lets nobody in any more."), problems=(problems.MISSING_SCOPE, problems.NO_SUCH_TOKEN)),
)
async def revoke(
    request: AnyRequest, token: Annotated[UUID, Parameter(description="The token's id, not its text.")]
) -> ASGIResponse:
    """From now on it lets nobody in; streams opened with it end within 2 seconds. You can revoke the one that you ask
    with, and those that may no more than it may."""
    here, caller = parts(request), bearer(request)
    accounts = here.runtime.store.accounts
    found = next((one for one in await accounts.tokens(caller.player.id) if one.id == token), None)
    if found is None:
        raise Problem(problems.NO_SUCH_TOKEN)
    for scope in found.scopes:
        must(caller, Scope(scope))
    await accounts.revoke(caller.player.id, token)
    here.bearers.forget(token)
    return nothing()


def _key_row(player: UUID, scope: str, key: str, asked: bytes, made: UUID, now: datetime) -> KeyRow:
    return KeyRow(
        player=player,
        scope=scope,
        key=key,
        fingerprint=asked,
        command=made,
        match=None,
        seat=None,
        received_at=now,
        before=0,
        after=0,
    )


def _same(used: KeyRow, request: AnyRequest) -> None:
    if used.fingerprint != fingerprint(request):
        raise KeyReused
