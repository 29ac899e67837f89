"""Mogler as its viewers are told it: the only place where its secrets are kept or told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.mogler import MOGLER
from domain.games.mogler.deck import Stop, Suit
from domain.games.mogler.events import (
    Caught,
    Dealt,
    Drawn,
    Event,
    Left,
    MatchOver,
    OpeningLaid,
    OpeningTurned,
    Played,
    RoundAccepted,
    RoundOver,
    SDeclined,
    SDiscarded,
    StopTurned,
    SUsed,
    TrickCard,
    TrickTaken,
)
from domain.games.mogler.state import (
    Ended,
    InTrick,
    Opening,
    State,
    ToCollect,
    ToCount,
    ToDeal,
    ToDiscard,
    ToDraw,
    ToEnd,
    ToStop,
    ToSwap,
)
from domain.games.mogler.tricks import SUITS, locked, outcome
from domain.kernel.cards import Card, Cards, face_down, sort
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.seating import everybody
from projections.narration.mogler import narrate
from projections.narration.mogler_reasons import REASONS
from projections.views.seam import GameView, Sees, Viewer

_ALL, _OWN, _ACTOR, _ACTOR_ONLY, _NOBODY = Sees.ALL, Sees.OWN, Sees.ACTOR, Sees.ACTOR_ONLY, Sees.NOBODY

FIELDS: Final[Mapping[str, Mapping[str, Sees]]] = {
    "mogler.dealt": {"round": _ALL, "hands": _OWN, "stock": _NOBODY, "draw": _ALL, "until": _ALL},
    "mogler.opening_laid": {"seat": _ACTOR_ONLY, "cards": _ACTOR_ONLY, "timed_out": _ACTOR_ONLY},
    "mogler.opening_turned": {"lays": _ALL, "leader": _ALL},
    "mogler.stop_turned": {"trick": _ALL, "seat": _ALL, "stop": _ALL, "draw": _ALL, "turn": _ALL},
    "mogler.s_declined": {"seat": _ALL, "turn": _ALL},
    "mogler.s_used": {"seat": _ALL},
    "mogler.drawn": {"seat": _ALL, "cards": _ACTOR, "draw": _ALL, "turn": _ALL},
    "mogler.s_discarded": {"seat": _ALL, "card": _ALL, "turn": _ALL},
    "mogler.played": {"seat": _ALL, "card": _ALL, "turn": _ALL},
    "mogler.caught": {"seat": _ALL, "card": _ALL, "hand": _ALL, "turn": _ALL, "ends": _ALL},
    "mogler.trick_taken": {"trick": _ALL, "seat": _ALL, "plays": _ALL, "trump": _ALL, "leader": _ALL},
    "mogler.round_over": {
        "round": _ALL,
        "early": _ALL,
        "scores": _ALL,
        "shown": _ALL,
        "stars": _ALL,
        "deal_at": _ALL,
    },
    "mogler.round_accepted": {"seat": _ALL},
    "mogler.left": {"seat": _ALL, "turn": _ALL, "ends": _ALL},
    "mogler.match_over": {"winners": _ALL, "scores": _ALL},
}


def redact(event: Event, viewer: Viewer) -> Event | None:
    """The event as seen from across the table. Of a lay for the lead only its seat is told at all."""
    match event:
        case Dealt(_, hands, stock):
            seen = tuple([hand if seat == viewer else face_down(hand) for seat, hand in enumerate(hands)])
            return replace(event, hands=seen, stock=face_down(stock))
        case OpeningLaid(seat):
            return event if seat == viewer else None
        case Drawn(seat, cards) if seat != viewer:
            return replace(event, cards=face_down(cards))
        case (
            Drawn()
            | OpeningTurned()
            | StopTurned()
            | SDeclined()
            | SUsed()
            | SDiscarded()
            | Played()
            | Caught()
            | TrickTaken()
            | RoundOver()
            | RoundAccepted()
            | Left()
            | MatchOver()
        ):
            return event  # every field of these is in the table above as told to this viewer
        case _:
            assert_never(event)


class MoglerOpening(Struct, frozen=True, tag="mogler.opening"):
    """Everybody lays a card for the lead."""

    laid: Annotated[Card | None, Meta(description="Yours; null: you have not laid. Of the others nothing is told.")]
    until: Annotated[datetime | None, Meta(description="Then the House lays for whoever has not; null: never.")]


class MoglerToSwap(Struct, frozen=True, tag="mogler.to_swap"):
    """An S lies there: its leader may draw a card."""

    seat: Annotated[Seat, Meta(description="Who.")]
    until: Annotated[datetime | None, Meta(description="Then the House declines; null: never.")]


class MoglerToDiscard(Struct, frozen=True, tag="mogler.to_discard"):
    """A card was drawn for an S, and one must be discarded."""

    seat: Annotated[Seat, Meta(description="Who has to.")]
    until: Annotated[datetime | None, Meta(description="Then the House discards what was drawn; null: never.")]
    drawn: Annotated[Card | None, Meta(description="What was drawn; null, unless it was you.")]


class MoglerInTrick(Struct, frozen=True, tag="mogler.in_trick"):
    """A trick is played."""

    seat: Annotated[Seat, Meta(description="Whose turn it is.")]
    until: Annotated[datetime | None, Meta(description="Then the House plays for the seat; null: never.")]
    plays: Annotated[
        tuple[TrickCard, ...], Meta(description="What lies there, the led card first; empty: nobody has led.")
    ]
    trump: Annotated[Suit | None, Meta(description="The trump so far; null: all is of the led suit.")]


class MoglerHouse(Struct, frozen=True, tag="mogler.house"):
    """The House is about to act. Only a replay stops here, for it acts at once."""

    does: Annotated[Literal["deal", "turn_stop", "draw", "collect", "count", "end"], Meta(description="What it does.")]


class MoglerPause(Struct, frozen=True, tag="mogler.pause"):
    """Between rounds."""

    deal_at: Annotated[datetime, Meta(description="When the next deal comes, if not all accept before.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Seats that need not wait.")]


class MoglerOver(Struct, frozen=True, tag="mogler.over"):
    """The match is over."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won it; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: all stars.")]


MoglerPhase: TypeAlias = (
    MoglerOpening | MoglerToSwap | MoglerToDiscard | MoglerInTrick | MoglerHouse | MoglerPause | MoglerOver
)


class MoglerView(Struct, frozen=True, kw_only=True):
    """What one viewer sees of the table now."""

    round: Annotated[int, Meta(description="Its number; 0: none was dealt.")]
    phase: Annotated[MoglerPhase, Meta(description="What the table waits for.")]
    trick: Annotated[int, Meta(description="The number of the one that is played, or was last; 0: none was.")]
    row: Annotated[tuple[Stop, ...], Meta(description="The STOP cards that lie there.")]
    hand: Annotated[Cards, Meta(description="Yours; none, if you look on.")]
    hand_sizes: Annotated[tuple[int, ...], Meta(description="By seat: cards in hand.")]
    suit_tricks: Annotated[tuple[int, ...], Meta(description="By seat: how many were taken; they show nothing.")]
    shows: Annotated[tuple[Cards, ...], Meta(description="By seat: the led card of each trump trick taken.")]
    locked: Annotated[tuple[tuple[Suit, ...], ...], Meta(description="By seat: suits that it may not play any more.")]
    players: Annotated[
        int, Meta(description="How many were at the table when the round began: what an empty round is worth.")
    ]
    playing: Annotated[tuple[Seat, ...], Meta(description="Seats that are in the round.")]
    caught: Annotated[tuple[bool, ...], Meta(description="By seat: whether it was caught in this round.")]
    stock_size: Annotated[int, Meta(description="Cards in the draw pile.")]
    removed: Annotated[Cards, Meta(description="What left the game face up in this round.")]
    stars: Annotated[tuple[int, ...], Meta(description="By seat: all stars so far.")]
    last_trick: Annotated[TrickTaken | None, Meta(description="The last trick of this round; null: none was taken.")]
    last_round: Annotated[RoundOver | None, Meta(description="The count of the last round; null: none was counted.")]


def view(seen: State, viewer: Viewer) -> MoglerView:
    """From the fold of what the viewer was told, so it cannot show what he never saw."""
    return MoglerView(
        round=seen.round,
        phase=_phase(seen, viewer),
        trick=seen.trick,
        row=seen.row,
        hand=() if viewer is None else sort(seen.hands[viewer]),
        hand_sizes=tuple([len(hand) for hand in seen.hands]),
        suit_tricks=tuple([sum(trick.shows is None for trick in taken) for taken in seen.tricks]),
        shows=tuple([_shows(seen, seat) for seat in everybody(seen.seats)]),
        locked=tuple([_locked(seen, seat) for seat in everybody(seen.seats)]),
        players=seen.players,
        playing=seen.playing,
        caught=tuple([seat in seen.caught for seat in everybody(seen.seats)]),
        stock_size=len(seen.stock),
        removed=sort(seen.out),
        stars=seen.stars,
        last_trick=seen.last_trick,
        last_round=seen.last_round,
    )


def _shows(seen: State, seat: Seat) -> Cards:
    return tuple([trick.shows for trick in seen.tricks[seat] if trick.shows is not None])


def _locked(seen: State, seat: Seat) -> tuple[Suit, ...]:
    dead = locked(seen.tricks[seat])
    return tuple([suit for suit in SUITS if suit in dead])


def _phase(seen: State, viewer: Viewer) -> MoglerPhase:
    match seen.phase:
        case Opening(until, laid):
            own = () if viewer is None else laid[viewer]
            return MoglerOpening(own[0] if own else None, until)
        case ToSwap(turn):
            return MoglerToSwap(turn.seat, turn.until)
        case ToDiscard(turn, drawn):
            return MoglerToDiscard(turn.seat, turn.until, drawn if turn.seat == viewer else None)
        case InTrick(turn, plays):
            trump = outcome(plays, ())[0] if plays else None
            return MoglerInTrick(turn.seat, turn.until, plays, trump)
        case ToDeal():
            return MoglerHouse("deal")
        case ToStop():
            return MoglerHouse("turn_stop")
        case ToDraw():
            return MoglerHouse("draw")
        case ToCollect():
            return MoglerHouse("collect")
        case ToCount():
            return MoglerHouse("count")
        case ToEnd():
            return MoglerHouse("end")
        case Pause(deal_at, accepted):
            return MoglerPause(deal_at, accepted)
        case Ended(winners, scores):
            return MoglerOver(winners, scores)
        case _:
            assert_never(seen.phase)


MOGLER_VIEW: Final[GameView[State, Event, MoglerView]] = GameView(
    game=MOGLER,
    redact=redact,
    view=view,
    view_type=MoglerView,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
)
