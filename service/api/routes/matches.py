"""Matches: opened, listed, looked at, started, and in the sandbox their clock."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal, Union
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Raw, Struct, defstruct

from domain.kernel.bot import STANDS_IN
from domain.kernel.game import AnyGame, BadDeal, OptionsConflict
from domain.match.events import Access, Leaving
from domain.match.state import Status
from projections.catalogue import CATALOGUE
from service.api.answers import problems, reasons
from service.api.answers.language import Text
from service.api.answers.problems import Problem, bad_parameter
from service.api.answers.replies import nothing, reply, reply_with
from service.api.answers.schemas import pascal
from service.api.answers.shapes import Clock, Commitment, Hex32, MatchId
from service.api.answers.told import Reply, told
from service.api.requests.decoding import Body
from service.api.requests.guards import Limit, Needs, being_told
from service.api.requests.parts import (
    AnyRequest,
    about,
    asked,
    bearer,
    bearer_text,
    etag,
    none_match,
    not_ahead,
    parts,
    unauthorized,
)
from service.auth.scopes import Scope
from service.dialogue import MatchWish
from service.fanout.streams import wait_for
from service.store.cursors import BadCursor
from service.store.lobby import Listed

PATH: Final = "/v1/matches"
LONGEST_WAIT: Final = 60


def new_match_type(game: AnyGame) -> type[Struct]:
    """What a match of this game can be asked for with: its options and its deal are of the game's own types."""
    fewest, most = game.seats
    bots = Literal[tuple(game.bots)]  # type: ignore[valid-type]  # the game's own list
    fields: list[tuple[str, Any, Any]] = [
        ("seats", Annotated[int, Meta(ge=fewest, le=most, description="How many play.")], msgspec.NODEFAULT),
        ("options", game.options, msgspec.field(default_factory=game.options)),
        ("clock", Clock, Clock()),
        (
            "access",
            Annotated[
                Access,
                Meta(
                    description="`public`: the lobby shows it, and anybody may look on who knows its id. `code`: only "
                    "who knows the code sits down, and only who sits or is the host sees it."
                ),
            ],
            "public",
        ),
        (
            "fill",
            Annotated[
                Union[bots, bool, None],  # noqa: UP007
                Meta(
                    description="Bots for seats that are empty at the start: a kind of bot, or true for the usual one."
                ),
            ],
            None,
        ),
        (
            "leaving",
            Annotated[
                Leaving, Meta(description="What becomes of whoever leaves: a bot plays on, or the cards leave play.")
            ],
            "bot",
        ),
        (
            "pause_on_dispute",
            Annotated[bool, Meta(description="Whether its clock stands still while a dispute is open.")],
            False,
        ),
        ("sit", Annotated[bool, Meta(description="Whether you take seat 0.")], True),
        ("entropy_commitment", Commitment | None, None),
        (
            "sandbox",
            Annotated[bool, Meta(description="For trying things out: you turn its clock, and may stack its luck.")],
            False,
        ),
        ("seed", Annotated[Hex32 | None, Meta(description="Sandbox only: the seed of the match's luck.")], None),
    ]
    if game.deal is not None:
        fields.append(("deal", Annotated[game.deal | None, Meta(description="Sandbox only: the first deal.")], None))
    made: type[Struct] = defstruct(
        f"New{pascal(game.id)}Match",
        fields,
        tag_field="game",
        tag=game.id,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        module=__name__,
    )
    made.__doc__ = f"A match of {game.names['en']} to be opened."
    return made


NEW_MATCHES: Final = {name: new_match_type(view.game) for name, view in CATALOGUE.items()}
NEW_MATCH: Final = Body[Any](
    Union[tuple(NEW_MATCHES.values())],  # noqa: UP007
    tag_field="game",
    no_such=problems.NO_SUCH_GAME,
)


class OpenedMatch(Struct, frozen=True):
    """`code`: by it others sit down with `POST /v1/joins`."""

    match: UUID
    code: str


class ListedMatch(Struct, frozen=True):
    """A match as the lobby shows it. `taken`: of its seats. `code`: only to its host, while it is open."""

    match: UUID
    game: str
    status: Status
    access: Access
    sandbox: bool
    opened_at: datetime
    seats: int
    taken: int
    code: str | None


class MatchPage(Struct, frozen=True):
    """`cursor` leads to the next page; null: there is none."""

    matches: tuple[ListedMatch, ...]
    cursor: str | None


class TurnClock(Struct, frozen=True, forbid_unknown_fields=True):
    """By how much to turn the clock of a sandbox match."""

    advance_ms: Annotated[int, Meta(ge=1, le=86_400_000, description="Milliseconds.")]


TURN_CLOCK: Final = Body[TurnClock](TurnClock)


@post(
    PATH,
    before_request=Needs(Scope.PLAY, Limit.MATCHES),
    operation_id="openMatch",
    summary="Open a match",
    tags=["Matches"],
    opt=told(
        Reply(201, "It is open.", OpenedMatch, headers=("Location",)),
        problems=(
            problems.NO_SUCH_GAME,
            problems.OPTIONS_CONFLICT,
            problems.BAD_DEAL,
            problems.NOT_OFFERED,
            problems.KEY_REUSED,
        ),
        body="NewMatch",
        body_example={"game": "cheat", "seats": 4, "fill": True},
        keyed=True,
    ),
)
async def open_match(request: AnyRequest) -> ASGIResponse:
    """You sit at seat 0 unless you say `"sit": false`, and are its host: you start it. Its options are checked now;
    what is not said is as the game usually has it."""
    wish = NEW_MATCH.read(request)
    opened = await parts(request).runtime.referee.open(asked(request), _wish(wish))
    about(request, opened.match)
    where = f"{PATH}/{opened.match}"
    return reply_with(OpenedMatch(opened.match, opened.code), 201, {"location": where})


@get(
    PATH,
    before_request=Needs(Scope.READ),
    operation_id="listMatches",
    summary="The lobby",
    tags=["Matches"],
    opt=told(Reply(200, "A page, the newest matches first.", MatchPage), problems=(problems.NO_SUCH_GAME,)),
)
async def lobby(
    request: AnyRequest,
    status: Annotated[Status | None, Parameter(description="Only these.")] = None,
    game: Annotated[str | None, Parameter(description="Only of this game.", max_length=64)] = None,
    mine: Annotated[
        bool,
        Parameter(description="Yours: where you sit, may come back, or are the host; sandbox and coded ones too."),
    ] = False,
    cursor: Annotated[str | None, Parameter(description="From the page before.", max_length=100)] = None,
    limit: Annotated[int, Parameter(ge=1, le=100, description="How many at most.")] = 50,
) -> ASGIResponse:
    """Public matches, or yours. Sitting down, starting and ending show here; nothing else that happens in them does."""
    me = bearer(request).player.id
    if game is not None and game not in CATALOGUE:
        raise Problem(problems.NO_SUCH_GAME, field="game")
    try:
        page = await parts(request).runtime.store.lobby.page(
            status=status, game=game, mine=me if mine else None, cursor=cursor, limit=limit
        )
    except BadCursor:
        raise bad_parameter("cursor", _BAD_CURSOR) from None
    return reply_with(MatchPage(tuple(_listed(one, me) for one in page.matches), page.cursor))


@get(
    f"{PATH}/{{match:str}}",
    before_request=Needs(Scope.READ),
    operation_id="getMatch",
    summary="What you see of a match",
    tags=["Matches"],
    opt=told(
        Reply(200, "The match through your eyes.", "Match", headers=("ETag",)),
        Reply(304, "Nothing has happened since the frame that you named.", headers=("ETag",)),
        problems=(problems.RESET,),
        headers=("If-None-Match",),
    ),
)
async def see(
    request: AnyRequest,
    match: MatchId,
    after: Annotated[
        int | None, Parameter(ge=0, le=2**31 - 1, description="With `wait`: the last frame that you have.")
    ] = None,
    wait: Annotated[
        int, Parameter(ge=0, le=LONGEST_WAIT, description="Seconds to wait for a frame after that one.")
    ] = 0,
) -> ASGIResponse:
    """The match as you see it now: the table, who is awaited until when, and everything that you may do.

    With `wait` the answer comes as soon as there is a frame after `after` (left out: after the present one), at the
    latest after so many seconds, and at once where the match is over, void or superseded. Spectators see public
    matches.
    """
    here = parts(request)
    runtime, player = here.runtime, bearer(request).player.id
    about(request, match)
    if wait:
        viewer = await runtime.reader.viewer(match, player)
        request.scope["state"]["waited"] = True
        head = await runtime.reader.head(match, viewer)
        start = head if after is None else not_ahead(after, head)
        if not await runtime.reader.has_ended(match):
            ear = runtime.fanout.subscribe(match, viewer)
            with being_told(here, bearer(request)):
                await wait_for(runtime.reader, ear, match, viewer, start, wait, here.closing)
        if await here.bearers.find(bearer_text(request)) is None:  # it may have been revoked meanwhile
            raise unauthorized("")
    seen = await runtime.reader.sees(match, player)  # whose eyes he has, a wait may have changed
    if none_match(request, seen.seq):
        return nothing(304, {"etag": etag(seen.seq)})
    return reply(seen.body, headers={"etag": etag(seen.seq)})


@post(
    f"{PATH}/{{match:str}}/start",
    before_request=Needs(Scope.PLAY),
    status_code=200,
    operation_id="startMatch",
    summary="Start a match",
    tags=["Matches"],
    opt=told(
        Reply(200, "It has begun.", "Match", headers=("ETag",)),
        problems=(problems.REFUSED, problems.NOT_YOURS, problems.KEY_REUSED),
        keyed=True,
    ),
)
async def start(request: AnyRequest, match: MatchId) -> ASGIResponse:
    """Only its host can. Bots take the empty seats if the match was opened with `fill`."""
    done = await parts(request).runtime.referee.start(asked(request), about(request, match))
    return reply(done.body, headers={"etag": etag(done.seq)})


@post(
    f"{PATH}/{{match:str}}/clock",
    before_request=Needs(Scope.PLAY),
    status_code=200,
    operation_id="turnClock",
    summary="Turn a sandbox match's clock",
    tags=["Sandbox"],
    opt=told(
        Reply(200, "It is turned, and what was due has happened.", "TurnedMatch", headers=("ETag",)),
        problems=(problems.REFUSED, problems.NOT_YOURS, problems.KEY_REUSED),
        body=TurnClock,
        body_example={"advance_ms": 5000},
        keyed=True,
    ),
)
async def turn_clock(request: AnyRequest, match: MatchId) -> ASGIResponse:
    """Forward, to the next deadline at most: `stopped_at_deadline` says whether that was nearer. Only its host can."""
    wish = TURN_CLOCK.read(request)
    done = await parts(request).runtime.referee.turn_clock(asked(request), about(request, match), wish.advance_ms)
    return reply(done.body, headers={"etag": etag(done.seq)})


_SANDBOX: Final = Text(
    "Luck is set only in a match with sandbox: true.", "Den Zufall stellt man nur in einer Partie mit sandbox: true."
)
_SITS: Final = Text(
    "Only who sits adds to the luck: with sit: true, the usual.",
    "Zum Zufall trägt nur bei, wer sitzt: mit sit: true, dem Üblichen.",
)
_OPEN: Final = Text(
    "A window is open for min_open at least and max_open at most, so min_open is not the larger one.",
    "Ein Fenster ist mindestens min_open und höchstens max_open lang offen, also ist min_open nicht größer.",
)
_BAD_CURSOR: Final = Text("The lobby did not give out this one.", "Den hat die Lobby nicht ausgegeben.")


def _wish(wish: Any) -> MatchWish:
    """Raises Problem where what was asked for does not go together."""
    game = CATALOGUE[wish.__struct_config__.tag].game
    deal = getattr(wish, "deal", None)
    pace = wish.clock.pace()
    for clash, first, second, instead in (
        (wish.seed is not None and not wish.sandbox, "seed", "sandbox", _SANDBOX),
        (deal is not None and not wish.sandbox, "deal", "sandbox", _SANDBOX),
        (wish.entropy_commitment is not None and not wish.sit, "entropy_commitment", "sit", _SITS),
        (pace.min_open > pace.max_open, "clock.min_open", "clock.max_open", _OPEN),
    ):
        if clash:
            raise problems.conflict(first, second, instead)
    try:
        game.check(wish.options)
        if deal is not None:
            game.check_deal(wish.options, wish.seats, deal)
    except OptionsConflict as clash:
        instead = reasons.conflict(game.id, clash.first, clash.second)
        raise problems.conflict(f"options.{clash.first}", f"options.{clash.second}", instead) from None
    except BadDeal as bad:
        field = f"/deal/{bad.says['field']}" if "field" in bad.says else "/deal"
        raise Problem(problems.BAD_DEAL, {"what": reasons.deal(bad)}, field=field) from None
    return MatchWish(
        game=game.id,
        seats=wish.seats,
        options=_raw(wish.options),
        pace=pace,
        access=wish.access,
        leaving=wish.leaving,
        fill=_bot(wish.fill),
        sandbox=wish.sandbox,
        seed=None if wish.seed is None else bytes.fromhex(wish.seed),
        deal=None if deal is None else _raw(deal),
        sit=wish.sit,
        pause_on_dispute=wish.pause_on_dispute,
        entropy_commitment=wish.entropy_commitment,
    )


def _bot(fill: str | bool | None) -> str | None:
    if isinstance(fill, str):
        return fill
    return STANDS_IN if fill else None


def _raw(value: Any) -> Raw:
    return Raw(msgspec.json.encode(value))


def _listed(one: Listed, me: UUID) -> ListedMatch:
    row = one.row
    return ListedMatch(
        match=one.match,
        game=row.game,
        status=row.status,  # type: ignore[arg-type]  # the store keeps it as text
        access=row.access.value,
        sandbox=row.sandbox,
        opened_at=row.opened_at,
        seats=row.seats,
        taken=row.taken,
        code=row.code if row.host == me else None,
    )
