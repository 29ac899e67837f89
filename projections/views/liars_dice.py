"""Liar's Dice as its viewers are told it: the only place where its secrets are kept or told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.liars_dice import LIARS_DICE
from domain.games.liars_dice.events import (
    Accepted,
    Challenged,
    Claimed,
    DiceTaken,
    Event,
    Leaving,
    Left,
    MatchOver,
    RerollAsked,
    Rerolled,
    Rolled,
    RoundAccepted,
    RoundBegan,
    RoundOver,
    Stood,
    TokenLost,
)
from domain.games.liars_dice.ladder import Claim, Dice
from domain.games.liars_dice.state import (
    Ended,
    State,
    ToAnswer,
    ToBegin,
    ToClaim,
    ToCount,
    ToEnd,
    ToReroll,
    ToRoll,
)
from domain.games.liars_dice.windows import takes_dice
from domain.kernel.cards import face_down
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered, waits_until
from projections.narration.liars_dice import narrate
from projections.narration.liars_dice_reasons import CONFLICTS, REASONS
from projections.views.seam import GameView, Sees, Viewer

_ALL, _ACTOR = Sees.ALL, Sees.ACTOR

FIELDS: Final[Mapping[str, Mapping[str, Sees]]] = {
    "liars_dice.round_began": {"round": _ALL, "starter": _ALL, "tokens": _ALL, "turns": _ALL, "draw": _ALL},
    "liars_dice.rolled": {"seat": _ALL, "dice": _ACTOR, "draw": _ALL, "turn": _ALL},
    "liars_dice.dice_taken": {"seat": _ALL, "dice": _ACTOR, "turn": _ALL},
    "liars_dice.reroll_asked": {"seat": _ALL, "dice": _ACTOR},
    "liars_dice.rerolled": {"seat": _ALL, "dice": _ACTOR, "thrown": _ALL, "draw": _ALL},
    "liars_dice.claimed": {
        "claim_id": _ALL,
        "seat": _ALL,
        "claim": _ALL,
        "not_before": _ALL,
        "closes_at": _ALL,
        "follows": _ALL,
    },
    "liars_dice.accepted": {"claim_id": _ALL, "seat": _ALL},
    "liars_dice.stood": {"claim_id": _ALL, "seat": _ALL, "follows": _ALL},
    "liars_dice.challenged": {
        "claim_id": _ALL,
        "seat": _ALL,
        "challenger": _ALL,
        "claim": _ALL,
        "dice": _ALL,
        "actual": _ALL,
        "stands": _ALL,
        "held": _ALL,
    },
    "liars_dice.token_lost": {"seat": _ALL, "tokens": _ALL, "follows": _ALL, "left": _ALL},
    "liars_dice.round_over": {
        "round": _ALL,
        "winners": _ALL,
        "because": _ALL,
        "penalties": _ALL,
        "wins": _ALL,
        "points": _ALL,
        "begins_at": _ALL,
    },
    "liars_dice.round_accepted": {"seat": _ALL},
    "liars_dice.leaving": {"seat": _ALL},
    "liars_dice.left": {"seat": _ALL, "follows": _ALL},
    "liars_dice.match_over": {"winners": _ALL, "scores": _ALL},
}


def redact(event: Event, viewer: Viewer) -> Event:
    """The event as seen from across the table: all are told that it happened, few are told the dice."""
    match event:
        case Rolled(seat, dice) | DiceTaken(seat, dice) | RerollAsked(seat, dice) | Rerolled(seat, dice) if (
            seat != viewer
        ):
            return replace(event, dice=face_down(dice))
        case (
            Rolled()
            | DiceTaken()
            | RerollAsked()
            | Rerolled()
            | RoundBegan()
            | Claimed()
            | Accepted()
            | Stood()
            | Challenged()
            | TokenLost()
            | RoundOver()
            | RoundAccepted()
            | Leaving()
            | Left()
            | MatchOver()
        ):
            return event  # every field of these is in the table above as told to this viewer
        case _:
            assert_never(event)


class LiarsDiceToBegin(Struct, frozen=True, tag="liars_dice.to_begin"):
    """Before the first round."""


class LiarsDiceToRoll(Struct, frozen=True, tag="liars_dice.to_roll"):
    """The House is about to throw."""

    seat: Annotated[Seat, Meta(description="For whom.")]
    beats: Annotated[Claim | None, Meta(description="The claim that must be beaten; null: any will do.")]
    count: Annotated[int, Meta(description="How many dice: five, or those that were put back into the cup.")]


class LiarsDiceToClaim(Struct, frozen=True, tag="liars_dice.to_claim"):
    """Somebody is to claim."""

    seat: Annotated[Seat, Meta(description="Who has the turn.")]
    beats: Annotated[Claim | None, Meta(description="The claim that must be beaten; null: any will do.")]
    until: Annotated[datetime | None, Meta(description="Then the House claims for the seat; null: never.")]
    may_reroll: Annotated[bool, Meta(description="Whether some of the dice may be thrown anew.")]


class LiarsDiceToAnswer(Struct, frozen=True, tag="liars_dice.to_answer"):
    """A claim can be doubted."""

    claim_id: Annotated[int, Meta(description="A challenge names it.")]
    seat: Annotated[Seat, Meta(description="Who made it.")]
    claim: Annotated[Claim, Meta(description="What the dice are said to make.")]
    follows: Annotated[
        Seat | None,
        Meta(description="Who may take the dice; null: nobody, for no turn is left or nothing beats the claim."),
    ]
    not_before: Annotated[datetime | None, Meta(description="From when they may be taken; null: now.")]
    closes_at: Annotated[datetime, Meta(description="When it is too late to doubt, if nobody takes the dice before.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Seats that have no objection.")]
    waits_for: Annotated[tuple[Seat, ...], Meta(description="Seats that could still answer and have not accepted.")]


class LiarsDiceToCount(Struct, frozen=True, tag="liars_dice.to_count"):
    """The round is played out and not yet counted."""


class LiarsDicePause(Struct, frozen=True, tag="liars_dice.pause"):
    """Between rounds."""

    begins_at: Annotated[datetime, Meta(description="When the next round begins, if not all accept before.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Seats that need not wait.")]


class LiarsDiceOver(Struct, frozen=True, tag="liars_dice.over"):
    """Nothing more is played."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: round wins, or penalty points where these count.")]


LiarsDicePhase: TypeAlias = (
    LiarsDiceToBegin
    | LiarsDiceToRoll
    | LiarsDiceToClaim
    | LiarsDiceToAnswer
    | LiarsDiceToCount
    | LiarsDicePause
    | LiarsDiceOver
)


class LiarsDiceView(Struct, frozen=True, kw_only=True):
    """What one viewer sees of the table now."""

    round: Annotated[int, Meta(description="Its number; 0 before the first.")]
    starter: Annotated[Seat | None, Meta(description="Who began the round; null before the first.")]
    phase: Annotated[LiarsDicePhase, Meta(description="What the match stands at.")]
    turns_left: Annotated[int, Meta(description="In this round, the present one counted; 0 between rounds.")]
    dice: Annotated[
        Dice,
        Meta(description="Under the cup of whoever claims or has claimed, sorted; `??` is a die that you do not see."),
    ]
    thrown: Annotated[int, Meta(description="How many of them were thrown in this turn.")]
    playing: Annotated[tuple[Seat, ...], Meta(description="Seats that have tokens.")]
    tokens: Annotated[tuple[int, ...], Meta(description="By seat.")]
    wins: Annotated[tuple[int, ...], Meta(description="By seat: rounds won.")]
    points: Annotated[tuple[int, ...], Meta(description="By seat: penalty points.")]
    last_challenge: Annotated[Challenged | None, Meta(description="Until the next one; null: there was none.")]


def view(seen: State, viewer: Viewer) -> LiarsDiceView:
    """From the fold of what the viewer was told, so it cannot show what he never saw."""
    return LiarsDiceView(
        round=seen.round,
        starter=seen.starter,
        phase=_phase(seen),
        turns_left=_turns_left(seen),
        dice=seen.dice,
        thrown=seen.thrown,
        playing=seen.playing,
        tokens=seen.tokens,
        wins=seen.wins,
        points=seen.points,
        last_challenge=seen.last,
    )


def _turns_left(seen: State) -> int:
    match seen.phase:
        case ToRoll(_, _, left):
            return left
        case ToClaim(turn) | ToReroll(turn):
            return turn.left
        case ToAnswer(window):
            return window.left
        case _:
            return 0


def _phase(seen: State) -> LiarsDicePhase:
    match seen.phase:
        case ToBegin():
            return LiarsDiceToBegin()
        case ToRoll(seat, beats):
            return LiarsDiceToRoll(seat, beats, 5)
        case ToReroll(turn, dice):
            return LiarsDiceToRoll(turn.seat, turn.beats, len(dice))
        case ToClaim(turn):
            return LiarsDiceToClaim(turn.seat, turn.beats, turn.until, may_reroll=not seen.thrown)
        case ToAnswer() as phase:
            return _to_answer(seen, phase)
        case ToCount() | ToEnd():
            return LiarsDiceToCount()
        case Pause(begins_at, accepted):
            return LiarsDicePause(begins_at, accepted)
        case Ended(winners, scores):
            return LiarsDiceOver(winners, scores)
        case _:
            assert_never(seen.phase)


def _to_answer(seen: State, phase: ToAnswer) -> LiarsDiceToAnswer:
    window = phase.window
    follows = takes_dice(phase)
    return LiarsDiceToAnswer(
        claim_id=window.claim_id,
        seat=window.seat,
        claim=phase.claim,
        follows=follows,
        not_before=None if follows is None else waits_until(follows, (window,), seen.playing),
        closes_at=phase.closes_at,
        accepted=window.accepted,
        waits_for=unanswered(window, seen.playing),
    )


LIARS_DICE_VIEW: Final[GameView[State, Event, LiarsDiceView]] = GameView(
    game=LIARS_DICE,
    redact=redact,
    view=view,
    view_type=LiarsDiceView,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
    conflicts=CONFLICTS,
)
