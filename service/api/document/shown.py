"""Shapes that only the document knows: what the Referee answers is bytes, and these are their types."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Union, get_args

from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType, defstruct, structs

from domain.kernel.offers import Between, Choose, OneOf, Preimage
from domain.match.state import Status
from projections.audit.transcript import LINES
from projections.catalogue import CATALOGUE
from projections.views.match import MatchView
from projections.views.seam import AnyView
from service.api.answers.schemas import REF, pascal
from service.api.routes.games import action_types, event_types
from service.api.routes.matches import NEW_MATCHES
from service.fanout.streams import Bye, Heartbeat, Reset


class Offer(Struct, frozen=True):
    """Something that your seat may do: an action of this `type`, each field within its bound. It is taken from
    `not_before` on (left out: now) and before `until` (left out: as long as nothing happens). Whatever fits is accepted
    if nothing that you can see happens in between."""

    type: str
    fields: dict[str, Any]
    not_before: datetime | UnsetType = UNSET
    until: datetime | UnsetType = UNSET


class Frame(Struct, frozen=True):
    """An event as you were told it. `seq`: your own numbering, without holes. `at`: match time. `head` chains your
    frames: SHA-256(head before ‖ `{"seq":…,"at":…,"event":…}` as it stands here); `log_head` is the log's at this
    event. `narration` only where it was asked for."""

    seq: int
    at: datetime
    event: Any
    head: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    log_head: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    narration: str | UnsetType = UNSET


class FramePage(Struct, frozen=True):
    """`last`: the `seq` of the last of these frames, or what you asked for where there are none."""

    frames: tuple[Frame, ...]
    last: int


class WholeStep(Struct, frozen=True):
    """A step of a replay with nothing hidden: all that one command put into the log.

    `version`: of the last of its events; `events`: the stored envelopes (with `narration` where it was asked for);
    `told`: by viewer (`seat:0` …, `spectator`) the message that he was told then, null where he was told nothing;
    `refused`: the records of what was refused between it and the next step, by their arrival."""

    version: int
    at: datetime
    events: tuple[dict[str, Any], ...]
    told: dict[str, Any]
    refused: tuple[dict[str, Any], ...]


BOUNDS: Final = (OneOf, Choose, Between, Preimage)


def match_type(view: AnyView) -> type[Struct]:
    """A match of this game, as a viewer sees it."""
    told: dict[str, Any] = {
        "status": Status,
        "view": view.view_type | None,
        "actions": tuple[Offer, ...],
    }
    fields: list[tuple[str, Any, Any]] = [
        (field.name, _narrowed(field.type, told.get(field.name)), NODEFAULT)
        for field in structs.fields(MatchView)
        if field.name != "game"
    ]
    frames = Annotated[tuple[Frame, ...] | UnsetType, Meta(description="In answers to commands: what it told you.")]
    fields.append(("frames", frames, UNSET))
    made: type[Struct] = defstruct(
        f"{pascal(view.game.id)}Match", fields, tag_field="game", tag=view.game.id, kw_only=True, module=__name__
    )
    made.__doc__ = f"A match of {view.game.names['en']} through your eyes."
    return made


def _narrowed(said: Any, kind: Any | None) -> Any:
    """The field's type with another in its place, described as it was."""
    return said if kind is None else Annotated[(kind, *get_args(said)[1:])]


MATCHES: Final = {name: match_type(view) for name, view in CATALOGUE.items()}

_ALL_ACTIONS: Final = tuple(dict.fromkeys(kind for view in CATALOGUE.values() for kind in action_types(view.game)))
_ALL_EVENTS: Final = tuple(dict.fromkeys(kind for view in CATALOGUE.values() for kind in event_types(view.game)))
UNIONS: Final[dict[str, Any]] = {"Action": Union[_ALL_ACTIONS], "Event": Union[_ALL_EVENTS]}  # noqa: UP007
TYPES: Final = (*NEW_MATCHES.values(), *MATCHES.values(), *BOUNDS, FramePage, Heartbeat, Bye, Reset, WholeStep)


def finish(components: dict[str, Any]) -> None:
    """What msgspec cannot say: unions that no tag tells apart, and those that may have one member only."""
    components["NewMatch"] = _by_game(
        "A match to be opened.", {name: kind.__name__ for name, kind in NEW_MATCHES.items()}
    )
    components["Match"] = _by_game(
        "A match through your eyes.", {name: kind.__name__ for name, kind in MATCHES.items()}
    )
    components["Bound"] = {
        "title": "Bound",
        "description": "What a field of an action may hold.",
        "oneOf": [{"$ref": REF + kind.__name__} for kind in BOUNDS],
    }
    components["TurnedMatch"] = {
        "title": "TurnedMatch",
        "description": "The match after its clock was turned.",
        "allOf": [{"$ref": REF + "Match"}],
        "type": "object",
        "properties": {
            "advanced_ms": {"type": "integer", "minimum": 0},
            "stopped_at_deadline": {"type": "boolean"},
        },
        "required": ["advanced_ms", "stopped_at_deadline"],
    }
    components["Offer"]["properties"]["fields"]["additionalProperties"] = {"$ref": REF + "Bound"}
    components["Frame"]["properties"]["event"] = {"$ref": REF + "Event"}
    components["Problem"]["properties"]["frames"] = {"type": "array", "items": {"$ref": REF + "Frame"}}
    components["TranscriptLine"] = {
        "title": "TranscriptLine",
        "description": "A line of a transcript, whose kind `line` says. transcript.schema.json describes each.",
        "type": "object",
        "properties": {"line": {"enum": [str(kind.__struct_config__.tag) for kind in LINES]}},
        "required": ["line"],
    }
    components["WholeStep"]["properties"]["told"]["additionalProperties"] = {
        "oneOf": [{"$ref": REF + "Match"}, {"type": "null"}]
    }
    components["ReplayStep"] = {
        "title": "ReplayStep",
        "description": "A step of a replay: a `Match` with the `frames` that were told at once, or with `as=all` a "
        "`WholeStep`.",
        "oneOf": [{"$ref": REF + "Match"}, {"$ref": REF + "WholeStep"}],
    }
    components["StreamMessage"] = {
        "title": "StreamMessage",
        "description": "A line of an NDJSON stream. An SSE event's data is the same object without `event`.",
        "oneOf": [
            {
                "allOf": [{"$ref": REF + shape}],
                "type": "object",
                "properties": {"event": {"const": kind}},
                "required": need,
            }
            for kind, shape, need in (
                ("frames", "Match", ["event", "frames"]),
                ("heartbeat", "Heartbeat", ["event"]),
                ("bye", "Bye", ["event"]),
                ("reset", "Reset", ["event"]),
            )
        ],
    }


def _by_game(about: str, names: dict[str, str]) -> dict[str, Any]:
    refs = {game: REF + name for game, name in names.items()}
    return {
        "description": about,
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "game", "mapping": refs},
    }
