"""What was refused, and what had been first."""

from __future__ import annotations

import re
from typing import Annotated, Final

from litestar import get
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Struct

from domain.kernel.game import Seat
from service.api.answers import problems
from service.api.answers.language import Text
from service.api.answers.problems import bad_parameter
from service.api.answers.replies import reply_with
from service.api.answers.shapes import MatchId
from service.api.answers.told import Reply, told
from service.api.requests.guards import Needs
from service.api.requests.parts import AnyRequest, about, bearer, parts
from service.api.routes.replay import none_such
from service.audit.refusals import MOST, Attempt, BadCursor
from service.auth.scopes import Scope

_CURSOR: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})*")
_BAD_CURSOR: Final = Text("expected is one from the page before", "erwartet wird einer von der Seite davor")


class AttemptPage(Struct, frozen=True):
    """In the order in which they met the match. `cursor` leads to the next page; null: there is none."""

    attempts: tuple[Attempt, ...]
    cursor: str | None


@get(
    "/v1/matches/{match:str}/attempts",
    before_request=Needs(Scope.READ),
    operation_id="getAttempts",
    summary="What was refused",
    tags=["Audit"],
    opt=told(Reply(200, "A page of what was tried and refused.", AttemptPage), problems=(problems.NOT_IN_THIS_MATCH,)),
)
async def attempts(
    request: AnyRequest,
    match: MatchId,
    seat: Annotated[
        int | None, Parameter(ge=0, le=99, description="Only this seat's. Left out: all that you may see.")
    ] = None,
    cursor: Annotated[str | None, Parameter(max_length=200, description="From the page before.")] = None,
    limit: Annotated[int, Parameter(ge=1, le=MOST, description="How many at most.")] = 50,
) -> ASGIResponse:
    """What you tried yourself, at any time: when it arrived, to the millisecond and finer, why it was refused, and what
    had been first, if you were told of that. Once the match is over everybody's, for whoever sees the match.

    Auditors and referees see everybody's before that, too, but only when and that it came to nothing: what was asked
    for, and why not, only when the match is over or its seal is broken. At most 20 refused ones a seat and minute are
    on record; of more, how many.
    """
    caller, refusals = bearer(request), parts(request).refusals
    of, may = await refusals.seats(about(request, match), caller.player.id, caller.token.scopes)
    if seat is not None and seat >= may.seats:
        raise none_such("seat", may.seats - 1)
    try:
        page = await refusals.page(match, of, None if seat is None else Seat(seat), _read(cursor), limit)
    except BadCursor:
        raise bad_parameter("cursor", _BAD_CURSOR) from None
    content = "" if of.content else ", without content"
    await parts(request).access.note(caller, match, f"attempts of {'all' if seat is None else f'seat {seat}'}{content}")
    following = None if page.cursor is None else ".".join(map(str, page.cursor))
    return reply_with(AttemptPage(page.attempts, following))


def _read(cursor: str | None) -> tuple[int, ...] | None:
    if cursor is None:
        return None
    if not _CURSOR.fullmatch(cursor):
        raise bad_parameter("cursor", _BAD_CURSOR)
    return tuple(map(int, cursor.split(".")))
