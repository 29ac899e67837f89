"""Receipts: what this server signs of the commands that it answered, and the keys that it signs with."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
import structlog
from litestar import get
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from projections.audit.note import verifier_key
from projections.audit.receipt import SignedReceipt
from service.api.answers import problems
from service.api.answers.language import Text
from service.api.answers.problems import Problem
from service.api.answers.replies import reply_with
from service.api.answers.shapes import MatchId
from service.api.answers.told import Reply, told
from service.api.requests.decoding import header
from service.api.requests.guards import Needs, Public
from service.api.requests.parts import AnyRequest, about, bearer, parts
from service.audit import NoKey
from service.auth.scopes import Scope
from service.store.rows import Unavailable

APPLIED: Final = {"preference-applied": "receipt"}
_WANTED: Final = re.compile(r"(?:^|[,;\s])receipt(?:$|[,;\s])", re.IGNORECASE)
log = structlog.get_logger()


class ReceiptPage(Struct, frozen=True):
    """Of what you tried and were answered at this `seq`, the oldest first."""

    receipts: tuple[SignedReceipt, ...]


class SigningKeyInfo(Struct, frozen=True):
    """A key that signs, or once did. `public`: 32 bytes in hex. `since`: when this server first made it known.
    `note_key`: the same, as programs for signed notes take it; null before the first checkpoint, which gives the tree
    its name. `public` is enough for `mogelwerk verify`."""

    id: str
    algorithm: str
    public: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    since: datetime
    note_key: str | None


class SigningKeys(Struct, frozen=True):
    """All keys that ever signed, the oldest first."""

    keys: tuple[SigningKeyInfo, ...]


def wants_receipt(request: AnyRequest) -> bool:
    """``Prefer: receipt``."""
    return bool(_WANTED.search(header(request, "prefer") or ""))


async def signed_receipt(request: AnyRequest, match: UUID, command: UUID) -> SignedReceipt | None:
    """Of a command that has been answered. None where it cannot be had now: the command is done all the same."""
    try:
        return await parts(request).notary.receipt(match, command)
    except Unavailable:
        return None
    except NoKey as why:
        log.error("receipts cannot be signed", why=str(why))
        return None


_NOT_YET: Final = Text("Your last frame is {head}.", "Deine letzte Nachricht ist {head}.")


@get(
    "/v1/matches/{match:str}/receipts/{seq:int}",
    before_request=Needs(Scope.READ),
    operation_id="getReceipts",
    summary="Receipts",
    tags=["Audit"],
    opt=told(
        Reply(200, "What you tried when this was your last frame, signed.", ReceiptPage),
        problems=(problems.NOT_YOURS, problems.NOT_IN_THIS_MATCH),
    ),
)
async def receipts(
    request: AnyRequest,
    match: MatchId,
    seq: Annotated[int, Parameter(ge=0, le=2**31 - 1, description="The `seq` of the answer.")],
) -> ASGIResponse:
    """Of every action of yours that was answered with this `seq`: accepted ones, and refused ones too. What was
    refused beyond twenty times a minute is only counted, and has none. Who held the seat before you has his own."""
    here, caller = parts(request), bearer(request)
    seat = await here.runtime.reader.seat(about(request, match), caller.player.id)
    if seq > (head := await here.runtime.reader.head(match, seat)):
        what = _NOT_YET.filled(head=str(head))
        raise Problem(problems.NOT_IN_THIS_MATCH, {"field": "seq", "what": what}, field="seq", seq=head)
    return reply_with(ReceiptPage(tuple(await here.notary.receipts(match, seat, seq, caller.player.id))))


@get(
    "/.well-known/mogelwerk-keys",
    before_request=Public(),
    operation_id="getSigningKeys",
    summary="The keys that sign",
    tags=["Audit"],
    opt=told(Reply(200, "Public keys, Ed25519.", SigningKeys)),
)
async def signing_keys(request: AnyRequest) -> ASGIResponse:
    """Keep them: a receipt is worth as much as your knowledge of who signed it. Keys come, and old ones stay."""
    here = parts(request)
    await here.notary.keys()
    origin = await here.notary.origin()
    keys = tuple(
        SigningKeyInfo(key, "Ed25519", public.hex(), since, None if origin is None else verifier_key(origin, public))
        for key, public, since in await here.runtime.store.tree.keys()
    )
    return reply_with(SigningKeys(keys), headers={"cache-control": "public, max-age=60"})


def with_receipt(problem: Problem, receipt: SignedReceipt | None) -> Problem:
    """A refusal, with the proof that it was one."""
    if receipt is None:
        return problem
    return Problem(
        problem.kind,
        problem.says,
        detail=problem.detail,
        headers={**problem.headers, **APPLIED},
        **{**problem.members, "receipt": receipt},
    )


def inside(body: bytes, receipt: SignedReceipt) -> bytes:
    """An answer with its receipt."""
    return b'%b,"receipt":%b}' % (body[:-1], msgspec.json.encode(receipt))
