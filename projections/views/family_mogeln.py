"""The family's Mogeln as its viewers are told it: the only place where its secrets are kept or told.

That a lay has more than one card must not be seen in anything: no number, no length, no time. So others are told no
card of it, not even from behind, and every public number counts it as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.family_mogeln import FAMILY_MOGELN
from domain.games.family_mogeln.events import (
    Accepted,
    ControlBegan,
    Controlled,
    Counted,
    Dealt,
    Event,
    Laid,
    Leaving,
    Left,
    MatchOver,
    PileTaken,
    RoundAccepted,
    RoundOver,
    SatOut,
    Stood,
)
from domain.games.family_mogeln.state import Ended, InTurn, LastTurn, State, ToCount, ToDeal, ToEnd
from domain.games.family_mogeln.windows import closes_at, lying, may_doubt
from domain.kernel.cards import Cards, face_down, sort
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.windows import Window, unanswered, waits_until
from projections.narration.family_mogeln import narrate
from projections.narration.family_mogeln_reasons import CONFLICTS, REASONS
from projections.views.seam import GameView, Sees, Viewer

_ALL, _OWN_ONLY, _ACTOR_ONLY, _NOBODY = Sees.ALL, Sees.OWN_ONLY, Sees.ACTOR_ONLY, Sees.NOBODY

FIELDS: Final[Mapping[str, Mapping[str, Sees]]] = {
    "family_mogeln.dealt": {
        "round": _ALL,
        "dealer": _ALL,
        "hands": _OWN_ONLY,
        "sizes": _ALL,
        "aside": _NOBODY,
        "packs": _ALL,
        "draw": _ALL,
        "turn": _ALL,
    },
    "family_mogeln.control_began": {},
    "family_mogeln.laid": {
        "claim_id": _ALL,
        "seat": _ALL,
        "rank": _ALL,
        "cards": _ACTOR_ONLY,
        "not_before": _ALL,
        "turn": _ALL,
        "closes_at": _ALL,
    },
    "family_mogeln.sat_out": {"seat": _ALL, "turn": _ALL},
    "family_mogeln.accepted": {"claim_id": _ALL, "seat": _ALL},
    "family_mogeln.controlled": {
        "claim_id": _ALL,
        "seat": _ALL,
        "controller": _ALL,
        "rank": _ALL,
        "card": _ALL,
        "stands": _ALL,
    },
    "family_mogeln.counted": {"claim_id": _ALL, "seat": _ALL, "controller": _ALL, "count": _ALL, "stands": _ALL},
    "family_mogeln.pile_taken": {"seat": _ALL, "cards": _ACTOR_ONLY, "size": _ALL, "turn": _ALL},
    "family_mogeln.stood": {"claim_id": _ALL, "seat": _ALL},
    "family_mogeln.round_over": {
        "round": _ALL,
        "winners": _ALL,
        "because": _ALL,
        "sizes": _ALL,
        "pile": _ALL,
        "wins": _ALL,
        "points": _ALL,
        "deal_at": _ALL,
    },
    "family_mogeln.round_accepted": {"seat": _ALL},
    "family_mogeln.leaving": {"seat": _ALL},
    "family_mogeln.left": {"seat": _ALL, "starter": _ALL, "turn": _ALL},
    "family_mogeln.match_over": {"winners": _ALL, "scores": _ALL},
}


def redact(event: Event, viewer: Viewer) -> Event:
    """The event as seen from across the table: all are told that it happened, one is told the cards."""
    match event:
        case Dealt(hands=hands, aside=aside):
            seen = tuple(hand if seat == viewer else () for seat, hand in enumerate(hands))
            return replace(event, hands=seen, aside=face_down(aside))
        case Laid(seat=seat) | PileTaken(seat=seat) if seat != viewer:
            return replace(event, cards=())
        case (
            Laid()
            | PileTaken()
            | ControlBegan()
            | SatOut()
            | Accepted()
            | Controlled()
            | Counted()
            | Stood()
            | RoundOver()
            | RoundAccepted()
            | Leaving()
            | Left()
            | MatchOver()
        ):
            return event  # every field of these is in the table above as told to this viewer
        case _:
            assert_never(event)


class OpenLay(Struct, frozen=True):
    """A lay that can still be controlled."""

    claim_id: Annotated[int, Meta(description="Its number; a control names it.")]
    seat: Annotated[Seat, Meta(description="Who laid it.")]
    rank: Annotated[str, Meta(description="What it is said to be.")]
    not_before: Annotated[datetime, Meta(description="From when the next turn can be taken, if not all accept before.")]
    closes_at: Annotated[datetime | None, Meta(description="When the House ends its window; null: it does not.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Who has no objection for now.")]
    waits_for: Annotated[tuple[Seat, ...], Meta(description="Who could answer it and has not accepted.")]


class PileLay(Struct, frozen=True, omit_defaults=True):
    """A lay in the pile."""

    claim_id: Annotated[int, Meta(description="Its number.")]
    seat: Annotated[Seat, Meta(description="Who laid it.")]
    rank: Annotated[str, Meta(description="What it was said to be.")]
    cards: Annotated[Cards | None, Meta(description="What you laid; left out, unless it was you.")] = None


class AtDeal(Struct, frozen=True, tag="family_mogeln.to_deal"):
    """Before the first deal."""


class AtTurn(Struct, frozen=True, tag="family_mogeln.in_turn"):
    """Somebody may lay."""

    seat: Annotated[Seat, Meta(description="Who has the turn.")]
    rank: Annotated[str | None, Meta(description="What must be said; null: any rank.")]
    not_before: Annotated[datetime | None, Meta(description="From when the turn can be taken; null: now.")]
    until: Annotated[datetime | None, Meta(description="Then the House lays for the seat; null: never.")]
    sat_out: Annotated[tuple[Seat, ...], Meta(description="Who sat out while this rank was due.")]


class AtLastTurn(Struct, frozen=True, tag="family_mogeln.last_turn"):
    """No turn is left: the round is counted when this lay is settled."""

    seat: Annotated[Seat, Meta(description="Who laid it.")]
    claim_id: Annotated[int, Meta(description="Its number.")]
    closes_at: Annotated[datetime, Meta(description="When its window closes.")]


class AtCount(Struct, frozen=True, tag="family_mogeln.to_count"):
    """The round is played out and not yet counted."""


class AtPause(Struct, frozen=True, tag="family_mogeln.pause"):
    """Between rounds."""

    deal_at: Annotated[datetime, Meta(description="When the next round is dealt.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Who is ready for it.")]


class AtEnd(Struct, frozen=True, tag="family_mogeln.over"):
    """The match is over."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won; several share it.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: rounds won, or penalty points where these count.")]


Phase: TypeAlias = AtDeal | AtTurn | AtLastTurn | AtCount | AtPause | AtEnd


class View(Struct, frozen=True, kw_only=True):
    """What one viewer sees of the table now. Between rounds all numbers are true."""

    round: Annotated[int, Meta(description="Its number; 0 before the first deal.")]
    dealer: Annotated[Seat | None, Meta(description="Who dealt.")]
    starter: Annotated[Seat | None, Meta(description="With whose second lay control begins.")]
    controls: Annotated[bool, Meta(description="Whether control has begun.")]
    phase: Annotated[Phase, Meta(description="What the table waits for.")]
    turns_left: Annotated[int, Meta(description="In this round; 0 where no turn follows.")]
    hand: Annotated[Cards, Meta(description="Your cards.")]
    hand_sizes: Annotated[
        tuple[int, ...],
        Meta(description="By seat, as the table counts: each lay was one card; nobody holds more."),
    ]
    open_lay: Annotated[OpenLay | None, Meta(description="What can be controlled now.")]
    pile: Annotated[tuple[PileLay, ...], Meta(description="What lies there, the newest last.")]
    pile_size: Annotated[int, Meta(description="As the table counts: each lay is one card; no fewer lie there.")]
    aside_size: Annotated[int, Meta(description="Cards left over at the deal.")]
    packs: Annotated[int, Meta(description="Packs of 52 cards in play, with three jokers each.")]
    playing: Annotated[tuple[Seat, ...], Meta(description="Who has not left.")]
    wins: Annotated[tuple[int, ...], Meta(description="By seat, rounds won.")]
    points: Annotated[tuple[int, ...], Meta(description="By seat, penalty points.")]
    last_control: Annotated[Controlled | Counted | None, Meta(description="The latest, until the next one.")]


def view(seen: State, viewer: Viewer) -> View:
    """From the fold of what the viewer was told, so it cannot show what he never saw."""
    return View(
        round=seen.round,
        dealer=seen.dealer,
        starter=seen.starter,
        controls=seen.controls,
        phase=_phase(seen),
        turns_left=seen.phase.turn.left if isinstance(seen.phase, InTurn) else 0,
        hand=() if viewer is None else sort(seen.hands[viewer]),
        hand_sizes=seen.sizes,
        open_lay=next((_open_lay(seen, window) for window in seen.windows), None),
        pile=tuple(
            PileLay(lay.claim_id, lay.seat, lay.rank, lay.cards if lay.seat == viewer else None) for lay in seen.pile
        ),
        pile_size=seen.pile_size,
        aside_size=seen.aside_size,
        packs=seen.packs,
        playing=seen.present,
        wins=seen.wins,
        points=seen.points,
        last_control=seen.last,
    )


def _open_lay(seen: State, window: Window) -> OpenLay:
    return OpenLay(
        claim_id=window.claim_id,
        seat=window.seat,
        rank=lying(seen, window.claim_id).rank,
        not_before=window.not_before,
        closes_at=closes_at(seen),
        accepted=window.accepted,
        waits_for=unanswered(window, may_doubt(seen)),
    )


def _phase(seen: State) -> Phase:
    match seen.phase:
        case ToDeal():
            return AtDeal()
        case InTurn(turn):
            not_before = waits_until(turn.seat, seen.windows, may_doubt(seen))
            return AtTurn(turn.seat, turn.rank, not_before, turn.until, turn.sat_out)
        case LastTurn(window, closes):
            return AtLastTurn(window.seat, window.claim_id, closes)
        case ToCount() | ToEnd():
            return AtCount()
        case Pause(deal_at, accepted):
            return AtPause(deal_at, accepted)
        case Ended(winners, scores):
            return AtEnd(winners, scores)
        case _:
            assert_never(seen.phase)


FAMILY_MOGELN_VIEW: Final[GameView[State, Event, View]] = GameView(
    game=FAMILY_MOGELN,
    redact=redact,
    view=view,
    view_type=View,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
    conflicts=CONFLICTS,
)
