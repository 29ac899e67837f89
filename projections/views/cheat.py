"""Cheat as its viewers are told it: the only place where its secrets are kept or told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.cheat import CHEAT
from domain.games.cheat.events import (
    Accepted,
    CardsOwed,
    Challenged,
    Claimed,
    Dealt,
    Drawn,
    Event,
    ForfeitGiven,
    Leaving,
    Left,
    MatchOver,
    PassConsented,
    PassDenied,
    Passed,
    PassProposed,
    PileTaken,
    RoundAccepted,
    RoundOver,
    Stood,
)
from domain.games.cheat.state import Ended, InTurn, LastPlay, State, ToCount, ToDeal, ToDraw, ToEnd
from domain.games.cheat.windows import closes_at, lying, may_doubt
from domain.kernel.cards import Cards, face_down, sort
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.windows import Window, unanswered, waits_until
from projections.narration.cheat import narrate
from projections.narration.cheat_reasons import CONFLICTS, REASONS
from projections.views.seam import GameView, Sees, Viewer

_ALL, _OWN, _ACTOR, _NOBODY = Sees.ALL, Sees.OWN, Sees.ACTOR, Sees.NOBODY

FIELDS: Final[Mapping[str, Mapping[str, Sees]]] = {
    "cheat.dealt": {
        "round": _ALL,
        "dealer": _ALL,
        "hands": _OWN,
        "stock": _NOBODY,
        "away": _NOBODY,
        "packs": _ALL,
        "draw": _ALL,
        "turn": _ALL,
    },
    "cheat.claimed": {
        "claim_id": _ALL,
        "seat": _ALL,
        "rank": _ALL,
        "cards": _ACTOR,
        "locks": _ALL,
        "not_before": _ALL,
        "turn": _ALL,
        "closes_at": _ALL,
    },
    "cheat.accepted": {"claim_id": _ALL, "seat": _ALL},
    "cheat.challenged": {
        "claim_id": _ALL,
        "seat": _ALL,
        "challenger": _ALL,
        "rank": _ALL,
        "cards": _ALL,
        "stands": _ALL,
    },
    "cheat.pile_taken": {"seat": _ALL, "cards": _ACTOR, "voids": _ALL, "turn": _ALL},
    "cheat.forfeit_given": {
        "seat": _ALL,
        "forfeits": _ALL,
        "back": _ALL,
        "out": _ALL,
        "locks": _ALL,
        "turn": _ALL,
    },
    "cheat.cards_owed": {"seat": _ALL, "count": _ALL, "back": _ALL, "turn": _ALL},
    "cheat.drawn": {"seat": _ALL, "cards": _ACTOR, "from_pile": _NOBODY, "draw": _ALL},
    "cheat.passed": {"seat": _ALL, "locks": _ALL, "draws": _ALL, "turn": _ALL},
    "cheat.pass_proposed": {"proposal_id": _ALL, "seat": _ALL, "since": _ALL, "until": _ALL},
    "cheat.pass_consented": {"proposal_id": _ALL, "seat": _ALL},
    "cheat.pass_denied": {"proposal_id": _ALL, "seat": _ALL, "turn": _ALL},
    "cheat.stood": {"claim_id": _ALL, "seat": _ALL},
    "cheat.round_over": {
        "round": _ALL,
        "winners": _ALL,
        "because": _ALL,
        "penalties": _ALL,
        "wins": _ALL,
        "points": _ALL,
        "deal_at": _ALL,
    },
    "cheat.round_accepted": {"seat": _ALL},
    "cheat.leaving": {"seat": _ALL},
    "cheat.left": {"seat": _ALL, "locks": _ALL, "turn": _ALL},
    "cheat.match_over": {"winners": _ALL, "scores": _ALL},
}


def redact(event: Event, viewer: Viewer) -> Event:
    """The event as seen from across the table: all are told that it happened, few are told the cards."""
    match event:
        case Dealt(_, _, hands, stock, away):
            seen = tuple(hand if seat == viewer else face_down(hand) for seat, hand in enumerate(hands))
            return replace(event, hands=seen, stock=face_down(stock), away=face_down(away))
        case Claimed(_, seat, _, cards) | PileTaken(seat, cards) if seat != viewer:
            return replace(event, cards=face_down(cards))
        case Drawn(seat, cards, from_pile):
            shown = cards if seat == viewer else face_down(cards)
            return replace(event, cards=shown, from_pile=face_down(from_pile))
        case (
            Claimed()
            | PileTaken()
            | Accepted()
            | Challenged()
            | ForfeitGiven()
            | CardsOwed()
            | Passed()
            | PassProposed()
            | PassConsented()
            | PassDenied()
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


class CheatOpenClaim(Struct, frozen=True):
    """A claim that can still be doubted."""

    claim_id: Annotated[int, Meta(description="A challenge names it.")]
    seat: Annotated[Seat, Meta(description="Who made it.")]
    rank: Annotated[str, Meta(description="What the cards are said to be.")]
    count: Annotated[int, Meta(description="How many were laid.")]
    not_before: Annotated[datetime, Meta(description="From when the next turn can be taken, if not all accept before.")]
    closes_at: Annotated[
        datetime | None, Meta(description="When it is too late to doubt; null: when the next turn is taken.")
    ]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Seats that have no objection.")]
    waits_for: Annotated[tuple[Seat, ...], Meta(description="Seats that could still answer and have not accepted.")]


class CheatPileClaim(Struct, frozen=True, omit_defaults=True):
    """A claim whose cards lie in the pile."""

    claim_id: Annotated[int, Meta(description="Its number.")]
    seat: Annotated[Seat, Meta(description="Who made it.")]
    rank: Annotated[str, Meta(description="What the cards are said to be.")]
    count: Annotated[int, Meta(description="How many were laid.")]
    cards: Annotated[Cards | None, Meta(description="Only if they are your own.")] = None


class CheatProposal(Struct, frozen=True):
    """The one in turn has asked to pass."""

    proposal_id: Annotated[int, Meta(description="Answers name it.")]
    until: Annotated[datetime, Meta(description="Until when all others must have consented.")]
    consented: Annotated[tuple[Seat, ...], Meta(description="Seats that have.")]


class CheatToDeal(Struct, frozen=True, tag="cheat.to_deal"):
    """Before the first deal."""


class CheatInTurn(Struct, frozen=True, tag="cheat.in_turn"):
    """Somebody has the turn, while others may still doubt what was laid before."""

    seat: Annotated[Seat, Meta(description="Who has the turn.")]
    rank: Annotated[str | None, Meta(description="What must be named; null: any rank.")]
    not_before: Annotated[datetime | None, Meta(description="From when the turn may be taken; null: now.")]
    until: Annotated[datetime | None, Meta(description="Then the House plays for the seat; null: never.")]
    proposal: Annotated[
        CheatProposal | None, Meta(description="To pass, which the others are asked about; null: none.")
    ]


class CheatToDraw(Struct, frozen=True, tag="cheat.to_draw"):
    """Somebody owes drawing, which the House does at once."""

    seat: Annotated[Seat, Meta(description="Who must draw.")]
    count: Annotated[int, Meta(description="How many.")]


class CheatLastPlay(Struct, frozen=True, tag="cheat.last_play"):
    """Nobody plays before this claim is settled."""

    seat: Annotated[Seat, Meta(description="Who has made it.")]
    claim_id: Annotated[int, Meta(description="The claim.")]
    closes_at: Annotated[datetime, Meta(description="When it stands if nobody doubts it.")]


class CheatToCount(Struct, frozen=True, tag="cheat.to_count"):
    """The round is played out and not yet counted."""


class CheatPause(Struct, frozen=True, tag="cheat.pause"):
    """Between rounds."""

    deal_at: Annotated[datetime, Meta(description="When the next deal comes, if not all accept before.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Seats that need not wait.")]


class CheatOver(Struct, frozen=True, tag="cheat.over"):
    """Nothing more is played."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: round wins, or penalty points where these count.")]


CheatPhase: TypeAlias = CheatToDeal | CheatInTurn | CheatToDraw | CheatLastPlay | CheatToCount | CheatPause | CheatOver


class CheatView(Struct, frozen=True, kw_only=True):
    """What one viewer sees of the table now."""

    round: Annotated[int, Meta(description="Its number; 0 before the first deal.")]
    dealer: Annotated[Seat | None, Meta(description="Who dealt; null before the first deal.")]
    phase: Annotated[CheatPhase, Meta(description="What the match stands at.")]
    turns_left: Annotated[int, Meta(description="In this round, the present one counted; 0 between rounds.")]
    hand: Annotated[Cards, Meta(description="Your cards, sorted; empty for whoever looks on.")]
    hand_sizes: Annotated[tuple[int, ...], Meta(description="By seat.")]
    open_claims: Annotated[tuple[CheatOpenClaim, ...], Meta(description="Claims that can be doubted, the newest last.")]
    pile_size: Annotated[int, Meta(description="How many cards lie in the middle.")]
    pile: Annotated[tuple[CheatPileClaim, ...], Meta(description="The claims that they came of, the newest last.")]
    stock_size: Annotated[int, Meta(description="How many cards are left to draw from.")]
    playing: Annotated[tuple[Seat, ...], Meta(description="Seats that are in the round.")]
    forfeits: Annotated[tuple[int, ...], Meta(description="By seat, in this round.")]
    wins: Annotated[tuple[int, ...], Meta(description="By seat: rounds won.")]
    points: Annotated[tuple[int, ...], Meta(description="By seat: penalty points.")]
    last_challenge: Annotated[Challenged | None, Meta(description="Until the next one; null: there was none.")]


def view(seen: State, viewer: Viewer) -> CheatView:
    """From the fold of what the viewer was told, so it cannot show what he never saw."""
    return CheatView(
        round=seen.round,
        dealer=seen.dealer,
        phase=_phase(seen),
        turns_left=seen.phase.turn.left if isinstance(seen.phase, InTurn | LastPlay) else 0,
        hand=() if viewer is None else sort(seen.hands[viewer]),
        hand_sizes=tuple(len(hand) for hand in seen.hands),
        open_claims=tuple(_open_claim(seen, window) for window in seen.windows),
        pile_size=sum(len(claim.cards) for claim in seen.pile),
        pile=tuple(
            CheatPileClaim(
                claim.claim_id,
                claim.seat,
                claim.rank,
                len(claim.cards),
                claim.cards if claim.seat == viewer else None,
            )
            for claim in seen.pile
        ),
        stock_size=len(seen.stock),
        playing=seen.playing,
        forfeits=seen.forfeits,
        wins=seen.wins,
        points=seen.points,
        last_challenge=seen.last,
    )


def _open_claim(seen: State, window: Window) -> CheatOpenClaim:
    claim = lying(seen, window.claim_id)
    return CheatOpenClaim(
        claim_id=window.claim_id,
        seat=window.seat,
        rank=claim.rank,
        count=len(claim.cards),
        not_before=window.not_before,
        closes_at=closes_at(seen, window),
        accepted=window.accepted,
        waits_for=unanswered(window, may_doubt(seen)),
    )


def _phase(seen: State) -> CheatPhase:
    match seen.phase:
        case ToDeal():
            return CheatToDeal()
        case InTurn(turn, windows, asked):
            proposal = CheatProposal(asked.proposal_id, asked.until, asked.consented) if asked else None
            return CheatInTurn(
                turn.seat, turn.rank, waits_until(turn.seat, windows, may_doubt(seen)), turn.until, proposal
            )
        case ToDraw(seat, count):
            return CheatToDraw(seat, count)
        case LastPlay(window, _, closes):
            return CheatLastPlay(window.seat, window.claim_id, closes)
        case ToCount() | ToEnd():
            return CheatToCount()
        case Pause(deal_at, accepted):
            return CheatPause(deal_at, accepted)
        case Ended(winners, scores):
            return CheatOver(winners, scores)
        case _:
            assert_never(seen.phase)


CHEAT_VIEW: Final[GameView[State, Event, CheatView]] = GameView(
    game=CHEAT,
    redact=redact,
    view=view,
    view_type=CheatView,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
    conflicts=CONFLICTS,
)
