"""The catalogue: what a client that knows no game needs to open one, and to build forms for its actions."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Final, Union, get_args

import msgspec
from litestar import get
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.match.actions import PlayerAction
from domain.match.events import Event
from projections.catalogue import CATALOGUE
from projections.views.seam import AnyView
from service.api.answers import problems, reasons
from service.api.answers.problems import Problem
from service.api.answers.replies import nothing, reply
from service.api.answers.schemas import alone
from service.api.answers.told import Reply, told
from service.api.requests.decoding import Body, header
from service.api.requests.guards import Public
from service.api.requests.parts import AnyRequest


class Seats(Struct, frozen=True):
    """How many may play."""

    fewest: int
    most: int


class GameInfo(Struct, frozen=True):
    """A game. `options`, `deal` and each of `actions` (by type) are JSON Schemas (2020-12) that stand alone: forms can
    be built from them. `deal`: how a sandbox match may be dealt; null where it cannot. `bots`: who may fill seats.
    `reasons`: why its rules refuse, in words, by language."""

    id: str
    names: dict[str, str]
    seats: Seats
    rules_version: int
    bots: tuple[str, ...]
    options: dict[str, Any]
    deal: dict[str, Any] | None
    actions: dict[str, dict[str, Any]]
    reasons: dict[str, dict[str, str]]


class GameWithRules(GameInfo, frozen=True):
    """A game, with all that a client can be told of it. `view`: what stands in a match's `view`; `events`, by type:
    what can stand in a frame, of this game and of the match around it. They are JSON Schemas, too, in which each field
    is explained. `rules`: numbered, as Markdown."""

    view: dict[str, Any]
    events: dict[str, dict[str, Any]]
    rules: str


class GameList(Struct, frozen=True):
    games: tuple[GameInfo, ...]


def action_types(game: AnyGame) -> tuple[type[Struct], ...]:
    """All that a seat can say in a match of this game."""
    return (*(get_args(game.player_action) or (game.player_action,)), *(get_args(PlayerAction) or (PlayerAction,)))


def event_types(game: AnyGame) -> tuple[type[Struct], ...]:
    """All that can happen in a match of this game."""
    return (*get_args(game.event), *get_args(Event))


def tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


ACTIONS: Final[dict[str, Body[Struct]]] = {
    name: Body(Union[action_types(view.game)])  # noqa: UP007
    for name, view in CATALOGUE.items()
}


def _described(view: AnyView) -> dict[str, Any]:
    game = view.game
    return {
        "id": game.id,
        "names": dict(game.names),
        "seats": Seats(*game.seats),
        "rules_version": game.rules_version,
        "bots": tuple(game.bots),
        "options": alone(game.options),
        "deal": None if game.deal is None else alone(game.deal),
        "actions": {tag(kind): alone(kind) for kind in action_types(game)},
        "reasons": {
            reason: {"en": text.en, "de": text.de}
            for reason, text in {**reasons.AROUND_ANY_GAME, **reasons.of(view)}.items()
        },
    }


def _whole(view: AnyView) -> GameWithRules:
    return GameWithRules(
        **_described(view),
        view=alone(view.view_type),
        events={tag(kind): alone(kind) for kind in event_types(view.game)},
        rules=view.game.rules,
    )


_ALL: Final = msgspec.json.encode(GameList(tuple(GameInfo(**_described(view)) for view in CATALOGUE.values())))
_EACH: Final = {name: msgspec.json.encode(_whole(view)) for name, view in CATALOGUE.items()}


@get(
    "/v1/games",
    before_request=Public(),
    operation_id="listGames",
    summary="What can be played",
    tags=["Games"],
    opt=told(
        Reply(200, "All games.", GameList, headers=("ETag",)),
        Reply(304, "What you have is current."),
        headers=("If-None-Match",),
    ),
)
async def games(request: AnyRequest) -> ASGIResponse:
    """All games, with JSON Schemas of their options and actions, without their rules' text."""
    return _unless_known(request, _ALL)


@get(
    "/v1/games/{game:str}",
    before_request=Public(),
    operation_id="getGame",
    summary="One game, with its rules and its words",
    tags=["Games"],
    opt=told(
        Reply(200, "The game.", GameWithRules, headers=("ETag",)),
        Reply(304, "What you have is current."),
        problems=(problems.NO_SUCH_GAME,),
        headers=("If-None-Match",),
    ),
)
async def game(
    request: AnyRequest, game: Annotated[str, Parameter(description="Its id, like `cheat`.")]
) -> ASGIResponse:
    """One game, with its numbered rules (what a refusal or a ruling means by *rule 4.2*), and every field of its views
    and events explained."""
    if game not in _EACH:
        raise Problem(problems.NO_SUCH_GAME)
    return _unless_known(request, _EACH[game])


def _unless_known(request: AnyRequest, body: bytes) -> ASGIResponse:
    """The same for everybody, until this server is another."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"etag": tag, "cache-control": "public, no-cache"}
    if tag in (header(request, "if-none-match") or ""):
        return nothing(304, headers)
    return reply(body, headers=headers)
