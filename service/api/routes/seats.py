"""Seats: taken, given to a bot, given up."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from litestar import delete, post
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from domain.match.reasons import Reason
from projections.catalogue import CATALOGUE
from service.api.answers import problems, reasons
from service.api.answers.problems import Problem
from service.api.answers.replies import reply
from service.api.answers.shapes import Code, Commitment, MatchId, SeatNumber
from service.api.answers.told import Reply, told
from service.api.requests.decoding import Body
from service.api.requests.guards import Needs, tries
from service.api.requests.parts import AnyRequest, about, asked, etag, parts
from service.auth.scopes import Scope
from service.dialogue import Refusal

PATH: Final = "/v1/matches/{match:str}/seats"


_BOTS: Final = sorted({kind for view in CATALOGUE.values() for kind in view.game.bots})
BotKind: TypeAlias = Annotated[
    str, Meta(description="A kind of bot that the game has, see its catalogue.", extra_json_schema={"enum": _BOTS})
]


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """`seat`: left out, the first that is free. `code`: where the match wants one. `bot`: not you but a bot of this
    kind sits there; only the host may say so."""

    seat: SeatNumber | None = None
    code: Code | None = None
    bot: BotKind | None = None
    entropy_commitment: Commitment | None = None


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """A code is all that one needs to sit down."""

    code: Code
    entropy_commitment: Commitment | None = None


TAKE_SEAT: Final = Body[TakeSeat](TakeSeat)
JOIN: Final = Body[Join](Join)
_PROBLEMS: Final = (problems.REFUSED, problems.NOT_YOURS, problems.WRONG_CODE, problems.KEY_REUSED)


@post(
    PATH,
    before_request=Needs(Scope.PLAY),
    operation_id="takeSeat",
    summary="Sit down",
    tags=["Matches"],
    opt=told(
        Reply(201, "You sit, or the bot does.", "Match", headers=("ETag",)),
        problems=_PROBLEMS,
        body=TakeSeat,
        body_example={"seat": 1},
        keyed=True,
    ),
)
async def sit(request: AnyRequest, match: MatchId) -> ASGIResponse:
    """Before the start anybody may take a free seat; after it only who held a seat may come back, to that seat, where a
    bot has played on."""
    wish = TAKE_SEAT.read(request)
    with tries(request, counted=wish.code is not None):
        done = await parts(request).runtime.referee.sit(
            asked(request),
            about(request, match),
            seat=wish.seat,
            code=wish.code,
            bot=wish.bot,
            entropy_commitment=wish.entropy_commitment,
        )
    return reply(done.body, 201, {"etag": etag(done.seq)})


@delete(
    f"{PATH}/{{seat:str}}",
    before_request=Needs(Scope.PLAY),
    status_code=200,
    operation_id="leaveSeat",
    summary="Leave",
    tags=["Matches"],
    opt=told(
        Reply(200, "The seat is given up.", "Match", headers=("ETag",)),
        problems=(problems.REFUSED, problems.NOT_YOURS, problems.NOT_IN_THIS_MATCH),
    ),
)
async def leave(
    request: AnyRequest,
    match: MatchId,
    seat: Annotated[int, Parameter(ge=0, le=99, description="The seat; 0 is the first.")],
) -> ASGIResponse:
    """Your own seat; the host may also send a bot away before the start. `leaving` said when the match was
    opened what becomes of the seat of whoever leaves it once it has begun."""
    try:
        done = await parts(request).runtime.referee.leave(asked(request), about(request, match), seat)
    except Refusal as no:
        if no.reason != Reason.NO_SUCH_SEAT:
            raise
        what = reasons.text(no.reason)  # of what stands in the path: it is not there
        raise Problem(problems.NOT_IN_THIS_MATCH, {"field": "seat", "what": what}, field="seat") from None
    return reply(done.body, headers={"etag": etag(done.seq)})


@post(
    "/v1/joins",
    before_request=Needs(Scope.PLAY),
    operation_id="joinMatch",
    summary="Sit down by code alone",
    tags=["Matches"],
    opt=told(
        Reply(201, "You sit.", "Match", headers=("ETag", "Location")),
        problems=_PROBLEMS,
        body=Join,
        body_example={"code": "7KQ2M9XA"},
        keyed=True,
    ),
)
async def join(request: AnyRequest) -> ASGIResponse:
    """The first free seat of the open match that has this code."""
    wish = JOIN.read(request)
    with tries(request):
        match, done = await parts(request).runtime.referee.join(
            asked(request), wish.code, entropy_commitment=wish.entropy_commitment
        )
    about(request, match)
    return reply(done.body, 201, {"etag": etag(done.seq), "location": f"/v1/matches/{match}"})
