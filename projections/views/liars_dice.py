"""Liar's Dice as its viewers are told it: the only place where its secrets are kept or told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, TypeAlias, assert_never

from msgspec import Struct
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
from domain.games.liars_dice.windows import can_be_beaten, may_doubt
from domain.kernel.cards import face_down
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from domain.kernel.windows import unanswered, waits_until
from projections.narration.liars_dice import narrate
from projections.narration.liars_dice_reasons import REASONS
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
    """The House is about to throw for this seat: five dice, or those that it put back into the cup."""

    seat: Seat
    beats: Claim | None
    count: int


class LiarsDiceToClaim(Struct, frozen=True, tag="liars_dice.to_claim"):
    """``beats``: the claim that must be beaten; None: any will do. ``may_reroll``: some dice may be thrown anew."""

    seat: Seat
    beats: Claim | None
    until: datetime | None
    may_reroll: bool


class LiarsDiceToAnswer(Struct, frozen=True, tag="liars_dice.to_answer"):
    """A claim can be doubted until ``closes_at``. ``waits_for``: who could answer it and has not accepted.

    ``follows``: who may take the dice, from ``not_before`` on (None: at once); None: nobody may, because no turn is
    left or nothing beats the claim.
    """

    claim_id: int
    seat: Seat
    claim: Claim
    follows: Seat | None
    not_before: datetime | None
    closes_at: datetime
    accepted: tuple[Seat, ...]
    waits_for: tuple[Seat, ...]


class LiarsDiceToCount(Struct, frozen=True, tag="liars_dice.to_count"):
    """The round is played out and not yet counted."""


class LiarsDicePause(Struct, frozen=True, tag="liars_dice.pause"):
    """Between rounds."""

    begins_at: datetime
    accepted: tuple[Seat, ...]


class LiarsDiceOver(Struct, frozen=True, tag="liars_dice.over"):
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


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
    """What one viewer sees of the table now. By seat: ``tokens``, ``wins``, ``points`` (penalty points).

    ``dice``: under the cup of who is to claim or has claimed, ``thrown`` of them in this turn; ``??`` is a die that
    the viewer does not see. ``playing``: who has tokens. ``last_challenge`` stays until the next one.
    """

    round: int
    starter: Seat | None
    phase: LiarsDicePhase
    turns_left: int
    dice: Dice
    thrown: int
    playing: tuple[Seat, ...]
    tokens: tuple[int, ...]
    wins: tuple[int, ...]
    points: tuple[int, ...]
    last_challenge: Challenged | None


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
    window, among = phase.window, may_doubt(seen)
    follows = phase.follows if can_be_beaten(phase) else None
    return LiarsDiceToAnswer(
        claim_id=window.claim_id,
        seat=window.seat,
        claim=phase.claim,
        follows=follows,
        not_before=None if follows is None else waits_until(follows, (window,), among),
        closes_at=phase.closes_at,
        accepted=window.accepted,
        waits_for=unanswered(window, among),
    )


LIARS_DICE_VIEW: Final[GameView[State, Event, LiarsDiceView]] = GameView(
    game=LIARS_DICE,
    redact=redact,
    view=view,
    view_type=LiarsDiceView,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
)
