"""What a game's view is to everything around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from domain.kernel.game import Game, Seat

S = TypeVar("S")
E = TypeVar("E")
V = TypeVar("V")

Viewer: TypeAlias = Seat | None  # None looks on without a seat
Language: TypeAlias = Literal["en", "de"]


class Sees(StrEnum):
    """Who is told a field of an event."""

    ALL = "all"
    OWN = "own"  # one entry a seat; every seat sees its own, others its backs
    OWN_ONLY = "own_only"  # one entry a seat; every seat sees its own, others are not even told how many
    ACTOR = "actor"  # the seat that the event is about sees faces, others backs
    ACTOR_ONLY = "actor_only"  # the seat that the event is about sees it; others are not even told how many
    WATCHERS = "watchers"  # the acting seat, and who looked where it could be seen; others perhaps not of the event
    PARTIES = "parties"  # the two whom it concerns; others where they made it public
    NOBODY = "nobody"


class GameView(Struct, Generic[S, E, V], frozen=True, kw_only=True):
    """A game as its viewers are told it.

    ``redact(event, viewer)``: the event as told, or None where it is not told at all.
    ``view(seen, viewer)``: what the viewer sees now, from the fold of what he was told.
    ``fields``: tag → field → who sees it; complete, or the build fails.
    ``narrate(event, language, name)``: one sentence about an event as told; ``name`` gives a seat's name.
    ``reasons``: each of the game's own reasons of refusal, in words.
    ``conflicts``: of each two options that exclude each other, by their names: what would do, in words.
    """

    game: Game[S, Any, E, Any]
    redact: Callable[[E, Viewer], E | None]
    view: Callable[[S, Viewer], V]
    view_type: type[V]
    fields: Mapping[str, Mapping[str, Sees]]
    narrate: Callable[[E, Language, Callable[[Seat], str]], str]
    reasons: Mapping[str, Mapping[Language, str]]
    conflicts: Mapping[tuple[str, str], Mapping[Language, str]] = {}


AnyView: TypeAlias = GameView[Any, Any, Any]
