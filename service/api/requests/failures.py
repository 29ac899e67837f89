"""Whatever went wrong, as a problem: ours, the Referee's, the store's, Litestar's, and what nobody foresaw."""

from __future__ import annotations

from typing import Any, Final

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers import BaseRouteHandler
from msgspec import Raw

from service import dialogue
from service.api.answers import problems, reasons
from service.api.answers.choices import choices
from service.api.answers.language import Text, preferred
from service.api.answers.problems import Problem, bad_parameter
from service.api.answers.words import words
from service.api.requests.decoding import expected, header
from service.runtime.book import BrokenLog
from service.store.rows import OutcomeUnknown, Unavailable

AGAIN: Final = 1  # seconds after which a 503 says it is worth trying again

_EXPECTED: Final = Text("expected {what}", "erwartet wird {what}")


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Litestar's exception handler, for everything."""
    problem = problem_of(error, request.scope.get("route_handler"))
    state: dict[str, Any] = request.scope["state"]
    state["problem"] = problem.kind.slug
    if problem.kind is problems.INTERNAL:
        structlog.get_logger().error("failed", exc_info=error)
    language = preferred(header(request, "accept-language"))
    return Response(
        problem.body(language, state.get("request_id")),
        status_code=problem.kind.status,
        media_type=problems.MEDIA_TYPE,
        headers={**problem.headers, "content-language": language, "vary": "accept-language"},
    )


def problem_of(error: Exception, handler: BaseRouteHandler | None = None) -> Problem:
    """``handler``: who was asked; what his parameters may be is told by their types."""
    match error:
        case Problem():
            return error
        case dialogue.RefereeError():
            return _of_the_referee(error)
        case OutcomeUnknown():
            return try_again(known=False)
        case Unavailable():
            return try_again(known=True)
        case BrokenLog():
            return Problem(problems.BROKEN_LOG)
        case ValidationException():
            return _of_parameters(error, handler)
        case HTTPException():
            return _of_litestar(error)
        case _:
            return Problem(problems.INTERNAL)


def _of_the_referee(error: dialogue.RefereeError) -> Problem:
    match error:
        case dialogue.Refusal(reason=reason) if reason in reasons.NOT_YOURS:
            return Problem(problems.NOT_YOURS, {"what": reasons.text(reason)}, reason=reason, seq=error.seq)
        case dialogue.Refusal(reason=reason):
            return Problem(
                problems.REFUSED,
                {"what": reasons.text(reason, error.game)},
                reason=reason,
                seq=error.seq,
                not_before=error.not_before,
                closes_at=error.closes_at,
                beaten_by=error.beaten_by,
            )
        case dialogue.NoSuchMatch():
            return Problem(problems.NO_SUCH_MATCH)
        case dialogue.NoSuchDispute():
            return Problem(problems.NO_SUCH_DISPUTE)
        case dialogue.NotSeated():
            return Problem(problems.NOT_YOURS, {"what": reasons.text("not_seated")}, reason="not_seated")
        case dialogue.NoSuchBot():
            return Problem(problems.REFUSED, {"what": reasons.no_such_bot(error.game)}, reason="no_such_bot")
        case dialogue.MayNotSee():
            return Problem(problems.NOT_YOURS, {"what": reasons.text("may_not_see")}, reason="may_not_see")
        case dialogue.NotOver():
            return Problem(problems.NOT_YOURS, {"what": reasons.text("not_over")}, reason="not_over")
        case dialogue.WrongCode():
            return Problem(problems.WRONG_CODE)
        case dialogue.NotOffered(reason=reason):
            return Problem(problems.NOT_OFFERED, {"what": reasons.text(reason)}, reason=reason)
        case dialogue.Behind():
            return Problem(problems.BEHIND, {"seq": error.seq}, seq=error.seq, frames=Raw(error.frames))
        case dialogue.KeyReused():
            return Problem(problems.KEY_REUSED)
        case dialogue.OfNewerBuild():
            return try_again(known=True)  # perhaps of another server, which is upgraded already
        case dialogue.TryAgain(known=known):
            return try_again(known=known)
        case _:
            return Problem(problems.INTERNAL)


def try_again(*, known: bool) -> Problem:
    kind = problems.UNAVAILABLE if known else problems.OUTCOME_UNKNOWN
    return Problem(kind, {"retry_after": AGAIN}, headers={"retry-after": str(AGAIN)}, retry_after=float(AGAIN))


def _of_parameters(error: ValidationException, handler: BaseRouteHandler | None) -> Problem:
    """Of what Litestar reads for us: parts of the path, of the query."""
    found = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    field = str(found.get("key", ""))
    known = {} if handler is None else handler.parsed_fn_signature.parameters
    can_be = choices(known[field].annotation, (), None) if field in known else ()
    what = words(expected(str(found.get("message", ""))), {}, [one for one in can_be if one != "null"])
    if found.get("source") == "path":
        return Problem(problems.BAD_ID, {"field": field, "what": what}, field=field)
    if not field:
        return Problem(problems.BAD_REQUEST)
    return bad_parameter(field, _EXPECTED.filled(what=what))


def _of_litestar(error: HTTPException) -> Problem:
    match error.status_code:
        case 404:
            return Problem(problems.NOT_FOUND)
        case 405:
            allow = (error.headers or {}).get("allow", "")
            return Problem(problems.METHOD_NOT_ALLOWED, {"allow": allow}, headers={"allow": allow})
        case status if status < 500:
            return Problem(problems.BAD_REQUEST)
        case _:
            return Problem(problems.INTERNAL)
