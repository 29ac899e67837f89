"""Old shapes of events → today's. Every reader of stored events goes through here."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from domain.kernel.game import AnyGame
from domain.match import events
from domain.match.envelope import Envelope


def read(game: AnyGame, envelope: str | bytes) -> Envelope:
    """A stored envelope with its event as today's type."""
    return _decoder(game.id, game.event).decode(envelope)


@cache
def _decoder(_: str, game_event: Any) -> msgspec.json.Decoder[Envelope]:
    stored = msgspec.defstruct("StoredEnvelope", [("event", events.Event | game_event)], bases=(Envelope,), frozen=True)
    return msgspec.json.Decoder(stored)
