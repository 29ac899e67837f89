"""Old shapes of events → today's, and back. Every reader and every writer of stored events goes through here.

A new field has a default, and its event leaves defaults out: then an old event is read as it is, and encoded as it was.
Whatever else changes is a new event under a new tag; the old one becomes an ``OldShape`` of its game.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel.game import AnyGame
from domain.match import events
from domain.match.envelope import Envelope


def read(game: AnyGame, envelope: str | bytes) -> Envelope:
    """A stored envelope with its event as today's type."""
    stored = _decoder(game.event, tuple(shape.stored for shape in game.old)).decode(envelope)
    for shape in game.old:
        if type(stored.event) is shape.stored:
            return replace(stored, event=shape.read(stored.event))
    return stored


def shaped(game: AnyGame, rules_version: int, event: Any) -> Any:
    """An event, whole or as somebody is told it, in the shape that a match of this rules version has."""
    for shape in game.old:
        if rules_version <= shape.until and type(event) is shape.today:
            return shape.write(event)
    return event


@cache
def _decoder(game_event: Any, old: tuple[type, ...]) -> msgspec.json.Decoder[Envelope]:
    kinds = reduce(or_, old, events.Event | game_event)
    stored = msgspec.defstruct("StoredEnvelope", [("event", kinds)], bases=(Envelope,), frozen=True)
    return msgspec.json.Decoder(stored)
