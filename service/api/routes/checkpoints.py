"""The tree over all matches that have ended, as it is signed, and proofs about it."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from service.api.answers import problems
from service.api.answers.language import Text
from service.api.answers.problems import RESET, Problem
from service.api.answers.replies import reply_with
from service.api.answers.shapes import MatchId
from service.api.answers.told import Reply, told
from service.api.requests.guards import Needs, Public
from service.api.requests.parts import AnyRequest, about, bearer, parts
from service.audit.notary import Consistency, Inclusion
from service.auth.scopes import Scope

Since = Annotated[
    int | None,
    Parameter(ge=0, le=2**53, description="The size in a checkpoint that you kept: proves that nothing of it changed."),
]
_AHEAD = Text(
    "The tree has {seq} leaves, and never had more: the checkpoint that you kept is of another one.",
    "Der Baum hat {seq} Blätter und hatte nie mehr: Der Prüfpunkt, den du hast, ist von einem anderen.",
)


class CheckpointInfo(Struct, frozen=True):
    """`checkpoint`: a signed note (C2SP tlog-checkpoint): the tree's origin, its size, its root in base64; null before
    any match has ended. `consistency`: where `since` was asked for, RFC 9162 section 2.1.4.2."""

    checkpoint: str | None
    size: int
    consistency: Consistency | None


class VerificationInfo(Struct, frozen=True):
    """As the checkpoint, with the place of this match in its tree (RFC 9162 section 2.1.3.2): null while the match is
    not over, and of a sandbox match for ever."""

    checkpoint: str | None
    size: Annotated[int, Meta(ge=0)]
    inclusion: Inclusion | None
    consistency: Consistency | None


@get(
    "/v1/checkpoint",
    before_request=Public(),
    operation_id="getCheckpoint",
    summary="The latest checkpoint",
    tags=["Audit"],
    opt=told(
        Reply(200, "The tree over all matches that have ended, signed.", CheckpointInfo), problems=(problems.RESET,)
    ),
)
async def checkpoint(request: AnyRequest, since: Since = None) -> ASGIResponse:
    """Who keeps one sees later whether any old match was rewritten or dropped."""
    note, size, consistent = await _checkpoint(request, since)
    return reply_with(CheckpointInfo(note, size, consistent))


@get(
    "/v1/matches/{match:str}/verification",
    before_request=Needs(Scope.READ),
    operation_id="getVerification",
    summary="Proof that a match is in the tree",
    tags=["Audit"],
    opt=told(
        Reply(200, "Where the match lies in the tree, and the tree, signed.", VerificationInfo),
        problems=(problems.RESET,),
    ),
)
async def verification(request: AnyRequest, match: MatchId, since: Since = None) -> ASGIResponse:
    """A leaf holds a match's id, version and log head, and the heads of its attempts. For whoever may see the match."""
    here, caller = parts(request), bearer(request)
    if not caller.may(Scope.AUDIT):
        await here.runtime.reader.viewer(about(request, match), caller.player.id)
    await here.notary.includes(match)
    note, size, consistent = await _checkpoint(request, since)
    return reply_with(VerificationInfo(note, size, await here.notary.inclusion(match, size), consistent))


async def _checkpoint(request: AnyRequest, since: int | None) -> tuple[str | None, int, Consistency | None]:
    notary = parts(request).notary
    latest = await notary.latest()
    size = 0 if latest is None else latest.size
    if since is not None and since > size:
        raise Problem(RESET, {"field": "since", "seq": size}, detail=_AHEAD, field="since")
    consistent = None if since is None else await notary.consistency(since, size)
    return (None if latest is None else latest.note), size, consistent
