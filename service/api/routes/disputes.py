"""Disputes: a seat asks, a referee takes it, looks, and rules."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias
from uuid import UUID

from litestar import get, post
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct

from domain.match.events import Complaint, Ruling, SealReason
from domain.match.reasons import Reason
from service.api.answers import problems, reasons
from service.api.answers.language import Text
from service.api.answers.problems import Problem, bad_parameter
from service.api.answers.replies import reply, reply_with
from service.api.answers.shapes import MatchId
from service.api.answers.told import Reply, told
from service.api.requests.decoding import Body
from service.api.requests.guards import Needs
from service.api.requests.parts import AnyRequest, about, asked, bearer, etag, parts
from service.auth.names import END
from service.auth.scopes import Scope
from service.dialogue import Refusal
from service.runtime.disputes import Judgement
from service.store.cursors import BadCursor
from service.store.rows import DisputeRow

PATH: Final = "/v1/disputes"
DisputeId: TypeAlias = Annotated[UUID, Parameter(description="The dispute.")]
Words: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2000,
        pattern=f"^[^\\x00-\\x08\\x0b-\\x1f\\x7f]+{END}",
        description="1 to 2000 characters, without control characters but tabs and new lines",
        extra={"de": "1 bis 2000 Zeichen, ohne Steuerzeichen außer Tabulatoren und Zeilenumbrüchen"},
    ),
]
RuleNumber: TypeAlias = Annotated[
    str,
    Meta(
        pattern=f"^[0-9]{{1,3}}(\\.[0-9]{{1,3}}){{1,3}}{END}",
        description="the number of a rule, like 7.2",
        examples=["7.2"],
        extra={"de": "die Nummer einer Regel, wie 7.2"},
    ),
]


class RaiseDispute(Struct, frozen=True, forbid_unknown_fields=True):
    """`reason`: something went against the rules (`rule`), you were in time (`timing`), this server is at fault
    (`fault`), somebody behaves badly (`conduct`), or something else. `seq`: the frame of yours that it is about, where
    it is about one. `text`: what you want to say to the referee; nobody else reads it."""

    reason: Complaint
    seq: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    text: Words | None = None


class TakeDispute(Struct, frozen=True, forbid_unknown_fields=True):
    """`instead`: also where another referee has it."""

    instead: bool = False


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """`ruling`: all stays as it is (`dismissed`); the complaint is right and changes nothing (`upheld`); the match does
    not count (`void`); it goes on from an earlier point as another match (`branch`). `rules`: numbers of the game's
    rules, on which the ruling stands. `text`: your reasons; whoever sees the match reads them. `told`: of a branch, how
    many frames the seat that raised the dispute has been told when it goes on; left out, all before the disputed one.
    A match that was over goes on only from just before a deal: left out, from before the last one.
    """

    ruling: Ruling
    rules: Annotated[tuple[RuleNumber, ...], Meta(min_length=1, max_length=20)]
    text: Words | None = None
    told: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None


class BreakSeal(Struct, frozen=True, forbid_unknown_fields=True):
    """Why you must see what is hidden: for a `dispute`, an `anomaly`, or a `complaint`. Every seat is told."""

    reason: SealReason


class RulingInfo(Struct, frozen=True):
    """What a referee decided. `text`: his reasons; null: none, or erased. `branch`: the match that goes on instead."""

    ruling: Ruling
    rules: tuple[str, ...]
    text: str | None
    ruled_at: datetime
    branch: UUID | None


class Dispute(Struct, frozen=True):
    """A dispute. `seat`: who raised it (null: the House), on frame `seq` of his own. `seq` and `text` are for him and
    for referees, and null to others. Times are the wall clock's."""

    dispute: UUID
    match: UUID
    game: str
    status: Literal["open", "ruled"]
    seat: int | None
    seq: int | None
    reason: str
    text: str | None
    raised_at: datetime
    referee: UUID | None
    ruling: RulingInfo | None


class DisputePage(Struct, frozen=True):
    """`cursor` leads to the next page; null: there is none."""

    disputes: tuple[Dispute, ...]
    cursor: str | None


RAISE: Final = Body[RaiseDispute](RaiseDispute)
TAKE: Final = Body[TakeDispute](TakeDispute)
RULE: Final = Body[Rule](Rule)
SEAL: Final = Body[BreakSeal](BreakSeal)
_RULED: Final = (problems.REFUSED, problems.NOT_YOURS, problems.KEY_REUSED)


@post(
    "/v1/matches/{match:str}/disputes",
    before_request=Needs(Scope.PLAY),
    operation_id="raiseDispute",
    summary="Ask a referee",
    tags=["Disputes"],
    opt=told(
        Reply(201, "A referee will look at it.", Dispute, headers=("Location",)),
        problems=_RULED,
        body=RaiseDispute,
        body_example={"reason": "timing", "seq": 41, "text": "I challenged before Ben played on."},
        keyed=True,
    ),
)
async def raise_dispute(request: AnyRequest, match: MatchId) -> ASGIResponse:
    """Whoever sits in a match may, while it is played and for seven days after its end: one dispute at a time, three in
    all. All are told that you did, and of which kind; which frame and in which words, only a referee. If the match was
    opened with `pause_on_dispute`, its clock stands until a referee lets it go on."""
    wish = RAISE.read(request)
    row = await parts(request).runtime.disputes.raise_(
        asked(request), about(request, match), reason=wish.reason, seq=wish.seq, text=wish.text
    )
    return reply_with(_dispute(row, whole=True), 201, {"location": f"{PATH}/{row.id}"})


@get(
    PATH,
    before_request=Needs(Scope.READ),
    operation_id="listDisputes",
    summary="Disputes",
    tags=["Disputes"],
    opt=told(Reply(200, "A page, the newest first.", DisputePage)),
)
async def disputes(
    request: AnyRequest,
    status: Annotated[Literal["open", "ruled"] | None, Parameter(description="Only these.")] = None,
    cursor: Annotated[str | None, Parameter(description="From the page before.", max_length=100)] = None,
    limit: Annotated[int, Parameter(ge=1, le=100, description="How many at most.")] = 50,
) -> ASGIResponse:
    """Those that you raised; for a referee (scope `referee`) all, and in matches where he sits or ever sat, without
    others' frames and words."""
    caller, here = bearer(request), parts(request).runtime
    try:
        rows, following = await here.disputes.page(
            raised_by=None if caller.may(Scope.REFEREE) else caller.player.id,
            undecided=None if status is None else status == "open",
            cursor=cursor,
            limit=limit,
        )
    except BadCursor:
        raise bad_parameter("cursor", _BAD_CURSOR) from None
    others = {row.match for row in rows if row.player != caller.player.id}
    sat = await here.store.log.sat_in(caller.player.id, others) if others else set()
    shown = tuple(_dispute(row, whole=row.player == caller.player.id or row.match not in sat) for row in rows)
    return reply_with(DisputePage(shown, following))


@get(
    f"{PATH}/{{dispute:str}}",
    before_request=Needs(Scope.READ),
    operation_id="getDispute",
    summary="A dispute",
    tags=["Disputes"],
    opt=told(
        Reply(200, "The dispute, and the ruling if there is one.", Dispute),
        problems=(problems.NO_SUCH_DISPUTE, problems.NOT_YOURS),
    ),
)
async def dispute(request: AnyRequest, dispute: DisputeId) -> ASGIResponse:
    """For referees who never sat in the match, for whoever raised it, and, without his frame and his words, for whoever
    may see the match."""
    here, caller = parts(request), bearer(request)
    row = await here.runtime.disputes.get(dispute)
    about(request, row.match)
    mine = row.player == caller.player.id
    whole = mine or (caller.may(Scope.REFEREE) and str(caller.player.id) not in await here.runtime.disputes.sat(row))
    if not whole:
        await here.runtime.reader.viewer(row.match, caller.player.id)
    return reply_with(_dispute(row, whole=whole))


@post(
    f"{PATH}/{{dispute:str}}/assign",
    before_request=Needs(Scope.REFEREE),
    status_code=200,
    operation_id="takeDispute",
    summary="Take a dispute",
    tags=["Disputes"],
    opt=told(
        Reply(200, "It is yours to rule on.", Dispute),
        problems=(problems.NO_SUCH_DISPUTE, *_RULED),
        body=TakeDispute,
        body_example={},
        keyed=True,
    ),
)
async def take_dispute(request: AnyRequest, dispute: DisputeId) -> ASGIResponse:
    """Whoever sits in the match, or ever sat there, cannot. From now on you see the match as who looks on sees it, also
    where it is behind a code."""
    wish = TAKE.read(request)
    row = await parts(request).runtime.disputes.assign(asked(request), dispute, instead=wish.instead)
    about(request, row.match)
    return reply_with(_dispute(row, whole=True))


@post(
    f"{PATH}/{{dispute:str}}/ruling",
    before_request=Needs(Scope.REFEREE),
    status_code=200,
    operation_id="ruleOnDispute",
    summary="Rule",
    tags=["Disputes"],
    opt=told(
        Reply(200, "It is ruled, and every seat is told.", Dispute),
        problems=(problems.NO_SUCH_DISPUTE, problems.OPTIONS_CONFLICT, *_RULED),
        body=Rule,
        body_example={"ruling": "branch", "rules": ["5.3"], "text": "The challenge came in time."},
        keyed=True,
    ),
)
async def rule(request: AnyRequest, dispute: DisputeId) -> ASGIResponse:
    """The referee who took the dispute, once. Nothing that happened is changed: after `branch` the match is
    `superseded`, and goes on as the match in `branch`, with the same seats and players, everybody knowing what he knew
    then, and with other luck; its clock stands until you let it go on (`resume`). Until that one is over, what was
    hidden in this one stays so. Where it is known already, a match can go on only from before a deal."""
    wish = RULE.read(request)
    if wish.told is not None and wish.ruling != "branch":
        raise problems.conflict("told", "ruling", _ONLY_A_BRANCH)
    judgement = Judgement(ruling=wish.ruling, rules=wish.rules, text=wish.text, told=wish.told)
    disputes = parts(request).runtime.disputes
    try:
        row = await disputes.rule(asked(request), dispute, judgement)
    except Refusal as no:
        if no.reason != Reason.NO_SUCH_RULE:
            raise
        place, what = reasons.no_such_rule((await disputes.get(dispute)).game, wish.rules)
        raise Problem(problems.REFUSED, {"what": what}, reason=no.reason, field=f"/rules/{place}", seq=no.seq) from None
    about(request, row.match)
    return reply_with(_dispute(row, whole=True))


@post(
    "/v1/matches/{match:str}/resume",
    before_request=Needs(Scope.REFEREE),
    status_code=200,
    operation_id="resumeMatch",
    summary="Let a match go on that stands still",
    tags=["Disputes"],
    opt=told(Reply(200, "Its clock runs.", "Match", headers=("ETag",)), problems=_RULED, keyed=True),
)
async def resume(request: AnyRequest, match: MatchId) -> ASGIResponse:
    """A branch, when its players are back, or a match that stands still for a dispute, before that is ruled on.
    Everybody has the time that he had left."""
    done = await parts(request).runtime.disputes.resume(asked(request), about(request, match))
    return reply(done.body, headers={"etag": etag(done.seq)})


@post(
    "/v1/matches/{match:str}/seal",
    before_request=Needs(Scope.REFEREE, or_=Scope.AUDIT),
    status_code=200,
    operation_id="breakSeal",
    summary="Break the seal",
    tags=["Disputes"],
    opt=told(
        Reply(200, "You may see what is hidden, and every seat knows that.", "Match", headers=("ETag",)),
        problems=_RULED,
        body=BreakSeal,
        body_example={"reason": "dispute"},
        keyed=True,
    ),
)
async def break_seal(request: AnyRequest, match: MatchId) -> ASGIResponse:
    """For a referee or an auditor who does not sit in the match and never did, from its start until it is over or goes
    on as another one. Every seat is told at once: who (an opaque id) and why."""
    wish = SEAL.read(request)
    done = await parts(request).runtime.disputes.break_seal(asked(request), about(request, match), wish.reason)
    return reply(done.body, headers={"etag": etag(done.seq)})


_ONLY_A_BRANCH: Final = Text(
    "From where it goes on is said of a branch only.", "Von wo an es weitergeht, wird nur von einem Zweig gesagt."
)
_BAD_CURSOR: Final = Text("This list did not give out this one.", "Den hat diese Liste nicht ausgegeben.")


def _dispute(row: DisputeRow, *, whole: bool) -> Dispute:
    ruling = None
    if row.ruling is not None and row.ruled_at is not None:
        ruling = RulingInfo(row.ruling, row.rules or (), row.note, row.ruled_at, row.branch)  # type: ignore[arg-type]
    return Dispute(
        dispute=row.id,
        match=row.match,
        game=row.game,
        status="open" if ruling is None else "ruled",
        seat=row.seat,
        seq=row.seq if whole else None,
        reason=row.reason,
        text=row.text if whole else None,
        raised_at=row.raised_at,
        referee=row.referee,
        ruling=ruling,
    )
