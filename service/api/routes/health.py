"""For those who run this: does it live, can it play?"""

from __future__ import annotations

from typing import Literal

from litestar import get
from litestar.response.base import ASGIResponse
from msgspec import Struct

from service.api.answers import problems
from service.api.answers.language import Text
from service.api.answers.problems import Problem
from service.api.answers.replies import reply_with
from service.api.answers.told import Reply, told
from service.api.requests.failures import AGAIN
from service.api.requests.parts import AnyRequest, parts


class Alive(Struct, frozen=True):
    status: Literal["live"] = "live"


class Ready(Struct, frozen=True):
    """`postgres`: it can be written to. `fanout`: what this process tells comes back to it through Redis. `open`: it is
    not about to stop."""

    checks: dict[str, bool]
    status: Literal["ready"] = "ready"


@get(
    "/health/live",
    operation_id="isLive",
    summary="Does it live?",
    tags=["Health"],
    opt=told(Reply(200, "This process answers.", Alive)),
)
async def live(request: AnyRequest) -> ASGIResponse:
    """Says nothing of Postgres and Redis: who does not answer here should be started again."""
    return reply_with(Alive())


@get(
    "/health/ready",
    operation_id="isReady",
    summary="Can it play?",
    tags=["Health"],
    opt=told(
        Reply(200, "Postgres can be written to, and news comes back through the fan-out.", Ready),
        problems=(problems.NOT_READY,),
    ),
)
async def ready(request: AnyRequest) -> ASGIResponse:
    """Within two seconds. Who is not ready should be sent nobody; matches on other processes go on."""
    here = parts(request)
    checks = await here.readiness.checks(here.runtime, here.closing)
    if all(checks.values()):
        return reply_with(Ready(checks))
    missing = ", ".join(name for name, well in checks.items() if not well)
    raise Problem(
        problems.NOT_READY, {"what": Text(missing, missing)}, checks=checks, headers={"retry-after": str(AGAIN)}
    )
