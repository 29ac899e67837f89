"""A match at any point, through any viewer's eyes."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import Annotated, Final

from litestar import get
from litestar.params import Parameter, QueryParameter
from litestar.response.base import ASGIResponse

from projections.views.seam import Language
from service.api.answers import problems, reasons
from service.api.answers.language import Text
from service.api.answers.problems import Problem, bad_parameter
from service.api.answers.replies import Live, reply
from service.api.answers.shapes import MatchId
from service.api.answers.told import JSON, NDJSON, Reply, told
from service.api.requests.guards import Needs
from service.api.requests.parts import AnyRequest, about, bearer, parts
from service.api.routes.history import gathered
from service.audit.replaying import NoSuchPlace, Place, Span
from service.audit.rights import Rights
from service.auth.scopes import Scope
from service.dialogue import NotOver

_EYES: Final = re.compile(r"seat:(0|[1-9][0-9]?)|spectator|all")
_PLACE: Final = re.compile(r"(version:)?([1-9][0-9]{0,8})")
_NO_EYES: Final = Text(
    "expected is a seat like seat:1, spectator, or all", "erwartet wird ein Platz wie seat:1, spectator oder all"
)
_NO_PLACE: Final = Text(
    "expected is a seq like 41, or a version like version:57",
    "erwartet wird eine seq wie 41 oder eine Version wie version:57",
)
_BEYOND: Final = Text("the last is {last}", "die letzte ist {last}")
_BOTH: Final = Text("either one step or a span of them", "entweder ein Schritt oder eine Spanne davon")

_BEFORE: Final = Text("it lies before “from”", "es liegt vor „from“")

_PLACES: Final = {"pattern": f"^{_PLACE.pattern}$"}
_HOW: Final = "A `seq` of that viewer (with `all`: a version), or once the match is over `version:57`."


@get(
    "/v1/matches/{match:str}/replay",
    before_request=Needs(Scope.READ),
    operation_id="getReplay",
    summary="A match at any point",
    tags=["Audit"],
    opt=told(
        Reply(
            200,
            "With `at` one step, else lines of them. Through a viewer's eyes a step is the stream's message, byte for "
            "byte; with `as=all` a `WholeStep`.",
            "ReplayStep",
            media_types=(JSON, NDJSON),
        ),
        problems=(problems.NOT_IN_THIS_MATCH,),
    ),
)
async def replay(
    request: AnyRequest,
    match: MatchId,
    as_: Annotated[
        str | None,
        QueryParameter(
            name="as",
            schema_extra={"pattern": f"^({_EYES.pattern})$"},
            description="Whose eyes: `seat:1`, `spectator`, or `all`: nothing hidden. Left out: your own.",
        ),
    ] = None,
    at: Annotated[
        str | None, Parameter(schema_extra=_PLACES, description=f"The step in which this was told. {_HOW}")
    ] = None,
    from_: Annotated[
        str | None, QueryParameter(name="from", schema_extra=_PLACES, description=f"From this one on. {_HOW}")
    ] = None,
    to: Annotated[str | None, Parameter(schema_extra=_PLACES, description=f"Up to this one. {_HOW}")] = None,
    narrate: Annotated[
        Language | None, Parameter(description="Adds to each frame a sentence for people, in this language.")
    ] = None,
) -> ASGIResponse:
    """What a viewer was told then, and what he saw after it: view, offered actions, open windows with their times, and
    for whom was waited. So `as=seat:1` at a version says what that seat could know then: exactly what was sent to it.

    What happened at once is one step. Your own seat's you may read at any time, and what those see who look on; others'
    eyes, `all`, and versions instead of `seq` only once the match is over, and every branch of it, or if you broke its
    seal (auditors and referees too). `all` has the stored envelopes, what was refused (`refused`), and every viewer's
    message (`told`; null: he was told nothing).
    """
    caller, replays = bearer(request), parts(request).replays
    if at is not None and (from_ is not None or to is not None):
        raise bad_parameter("at", _BOTH)
    one, span = _place("at", at), Span(_place("from", from_), _place("to", to))
    may = await replays.rights(about(request, match), caller.player.id, caller.token.scopes)
    viewer = _viewer(as_, may)
    if span.is_backwards(by_version=viewer is None):
        raise bad_parameter("to", _BEFORE)
    versions = span.versions() or (one is not None and one.version)
    try:
        through = await replays.through(match, may, viewer, narrate, versions=versions)
    except NotOver:
        if not may.official:
            raise
        sealed = reasons.SEALED.filled(match=str(match))
        what = sealed if may.branch is None else reasons.SEALED_IN_BRANCH.filled(branch=may.branch)
        raise Problem(problems.NOT_YOURS, {"what": what}, reason="not_over") from None
    asked = {"as": as_, "at": at, "from": from_, "to": to, "narrate": narrate}
    said = "&".join(f"{name}={value}" for name, value in asked.items() if value is not None)
    await parts(request).access.note(caller, match, f"replay {said}".strip())
    if one is None:
        return Live(gathered(through.steps(span)), NDJSON, during=nullcontext())
    try:
        return reply(await through.at(one))
    except NoSuchPlace as no:
        raise none_such("at", no.last) from None


def _viewer(text: str | None, may: Rights) -> int | None:
    """Whose eyes; None: everybody's."""
    if text is None:
        return may.seats if may.own is None else may.own
    found = _EYES.fullmatch(text)
    if found is None:
        raise bad_parameter("as", _NO_EYES)
    if found[1] is not None:
        if int(found[1]) >= may.seats:
            raise none_such("as", may.seats - 1)
        return int(found[1])
    return may.seats if text == "spectator" else None


def _place(field: str, text: str | None) -> Place | None:
    if text is None:
        return None
    found = _PLACE.fullmatch(text)
    if found is None:
        raise bad_parameter(field, _NO_PLACE)
    return Place(int(found[2]), version=found[1] is not None)


def none_such(field: str, last: int) -> Problem:
    return Problem(problems.NOT_IN_THIS_MATCH, {"field": field, "what": _BEYOND.filled(last=str(last))}, field=field)
