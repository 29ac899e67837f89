"""Mogelei as its viewers are told it: the only place where its secrets are kept or told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, TypeAlias, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.mogelei import MOGELEI
from domain.games.mogelei.deck import fried, sort
from domain.games.mogelei.events import (
    AllLaid,
    ColourCalled,
    ControlTaken,
    Dealt,
    Doubted,
    Event,
    HandAccepted,
    HandOver,
    KeptHidden,
    Laid,
    Left,
    MatchOver,
    PileKept,
    Revealed,
    RoundContinued,
    RoundEnded,
)
from domain.games.mogelei.state import (
    Ended,
    Lying,
    MogeleiLastRound,
    State,
    ToCall,
    ToControl,
    ToCount,
    ToDeal,
    ToEnd,
    ToLay,
    ToReveal,
)
from domain.kernel.cards import Card, Cards, face_down, without
from domain.kernel.game import Seat
from domain.kernel.rounds import Pause
from projections.narration.mogelei import narrate
from projections.narration.mogelei_reasons import REASONS
from projections.views.seam import GameView, Sees, Viewer

_ALL, _OWN, _ACTOR, _NOBODY = Sees.ALL, Sees.OWN, Sees.ACTOR, Sees.NOBODY

FIELDS: Final[Mapping[str, Mapping[str, Sees]]] = {
    "mogelei.dealt": {"hand": _ALL, "dealer": _ALL, "hands": _OWN, "away": _NOBODY, "draw": _ALL, "turn": _ALL},
    "mogelei.colour_called": {"round": _ALL, "pass_id": _ALL, "seat": _ALL, "colour": _ALL, "until": _ALL},
    "mogelei.laid": {"pass_id": _ACTOR, "seat": _ACTOR, "card": _ACTOR, "late": _ACTOR},
    "mogelei.all_laid": {"pass_id": _ALL, "cards": _OWN, "turn": _ALL, "waiting": _ALL},
    "mogelei.revealed": {"pass_id": _ALL, "seat": _ALL, "card": _ALL, "turn": _ALL},
    "mogelei.kept_hidden": {"pass_id": _ALL, "seat": _ALL, "turn": _ALL},
    "mogelei.control_taken": {"pass_id": _ALL, "turn": _ALL},
    "mogelei.round_continued": {"pass_id": _ALL, "seat": _ALL, "until": _ALL},
    "mogelei.doubted": {"pass_id": _ALL, "seat": _ALL, "doubted": _ALL, "card": _ALL, "right": _ALL},
    "mogelei.round_ended": {"seat": _ALL, "hidden": _ALL, "liar": _ALL},
    "mogelei.pile_kept": {"seat": _ALL, "cards": _ACTOR, "egg": _ALL, "turn": _ALL},
    "mogelei.hand_over": {
        "hand": _ALL,
        "eggs": _ALL,
        "fried": _ALL,
        "gained": _ALL,
        "points": _ALL,
        "deal_at": _ALL,
    },
    "mogelei.hand_accepted": {"seat": _ALL},
    "mogelei.left": {"seat": _ALL, "turn": _ALL},
    "mogelei.match_over": {"winners": _ALL, "scores": _ALL},
}


def redact(event: Event, viewer: Viewer) -> Event | None:
    """The event as seen from across the table; None: that another seat has laid is not told before all have."""
    match event:
        case Laid(_, seat):
            return event if seat == viewer else None
        case Dealt(hands=hands, away=away):
            return replace(event, hands=_own(hands, viewer), away=face_down(away))
        case AllLaid(_, cards):
            return replace(event, cards=_own(cards, viewer))
        case PileKept(seat, cards) if seat != viewer:
            return replace(event, cards=face_down(cards))
        case (
            ColourCalled()
            | Revealed()
            | KeptHidden()
            | ControlTaken()
            | RoundContinued()
            | Doubted()
            | RoundEnded()
            | PileKept()
            | HandOver()
            | HandAccepted()
            | Left()
            | MatchOver()
        ):
            return event  # every field of these is in the table above as told to this viewer
        case _:
            assert_never(event)


def _own(by_seat: tuple[Cards, ...], viewer: Viewer) -> tuple[Cards, ...]:
    return tuple(held if seat == viewer else face_down(held) for seat, held in enumerate(by_seat))


class MogeleiPlayed(Struct, frozen=True, omit_defaults=True):
    """A card on the table."""

    pass_id: Annotated[int, Meta(description="In which pass it was laid.")]
    seat: Annotated[Seat, Meta(description="By whom.")]
    shown: Annotated[bool, Meta(description="Whether all have seen it.")]
    card: Annotated[Card | None, Meta(description="Only if all have seen it, or if it is your own.")] = None


class MogeleiToDeal(Struct, frozen=True, tag="mogelei.to_deal"):
    """Before the first deal."""


class MogeleiToCall(Struct, frozen=True, tag="mogelei.to_call"):
    """Somebody must call a colour."""

    seat: Annotated[Seat, Meta(description="Who.")]
    until: Annotated[datetime | None, Meta(description="Then the House calls; null: never.")]


class MogeleiToLay(Struct, frozen=True, tag="mogelei.to_lay"):
    """All lay a card, and nobody is told who has."""

    caller: Annotated[Seat, Meta(description="Whose pass it is; shows a card first, or keeps it hidden.")]
    until: Annotated[datetime | None, Meta(description="Then the House lays for all who have not; null: never.")]
    card: Annotated[Card | None, Meta(description="What you have laid; null: nothing.")]


class MogeleiToReveal(Struct, frozen=True, tag="mogelei.to_reveal"):
    """One after the other shows a card or keeps it hidden."""

    caller: Annotated[Seat, Meta(description="Who has control if nobody shows a card.")]
    seat: Annotated[Seat, Meta(description="Who must answer now.")]
    until: Annotated[datetime | None, Meta(description="Then the card stays hidden; null: never.")]
    waiting: Annotated[tuple[Seat, ...], Meta(description="Who answers after that, in this order.")]


class MogeleiToControl(Struct, frozen=True, tag="mogelei.to_control"):
    """Somebody continues, ends the round, or doubts a hidden card."""

    seat: Annotated[Seat, Meta(description="Who.")]
    until: Annotated[datetime | None, Meta(description="Then the House ends the round; null: never.")]
    pass_id: Annotated[int, Meta(description="The pass whose cards can be doubted; a doubt names it.")]


class MogeleiToCount(Struct, frozen=True, tag="mogelei.to_count"):
    """The hand is played out and not yet counted."""


class MogeleiPause(Struct, frozen=True, tag="mogelei.pause"):
    """Between hands."""

    deal_at: Annotated[datetime, Meta(description="When the next deal comes, if not all accept before.")]
    accepted: Annotated[tuple[Seat, ...], Meta(description="Seats that need not wait.")]


class MogeleiOver(Struct, frozen=True, tag="mogelei.over"):
    """Nothing more is played."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Who won; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat: points.")]


MogeleiPhase: TypeAlias = (
    MogeleiToDeal
    | MogeleiToCall
    | MogeleiToLay
    | MogeleiToReveal
    | MogeleiToControl
    | MogeleiToCount
    | MogeleiPause
    | MogeleiOver
)


class MogeleiView(Struct, frozen=True, kw_only=True):
    """What one viewer sees of the table now."""

    hand_number: Annotated[int, Meta(description="Of the hand that is played, 1 to 5; 0 before the first deal.")]
    round: Annotated[int, Meta(description="Its number in the hand; 0 before the first call.")]
    dealer: Annotated[Seat | None, Meta(description="Who dealt; null before the first deal.")]
    colour: Annotated[str | None, Meta(description="What was called; null between rounds.")]
    phase: Annotated[MogeleiPhase, Meta(description="What the match stands at.")]
    hand: Annotated[
        Cards,
        Meta(description="Your cards, sorted, without the one that you have just laid; empty for whoever looks on."),
    ]
    hand_sizes: Annotated[tuple[int, ...], Meta(description="By seat; they go down only when all have laid.")]
    table: Annotated[tuple[MogeleiPlayed, ...], Meta(description="The cards of the round, the newest pass last.")]
    own_pile: Annotated[Cards, Meta(description="What you have kept in this hand, sorted.")]
    own_fried: Annotated[int, Meta(description="How many fried eggs are on it.")]
    kept_sizes: Annotated[tuple[int, ...], Meta(description="By seat: how many cards were kept in this hand.")]
    eggs: Annotated[tuple[int, ...], Meta(description="By seat: egg cards of this hand.")]
    points: Annotated[tuple[int, ...], Meta(description="By seat: points of the hands that are counted.")]
    playing: Annotated[tuple[Seat, ...], Meta(description="Seats that have not left.")]
    last_round: Annotated[
        MogeleiLastRound | None, Meta(description="How the last round of this hand ended; null: none has.")
    ]
    last_hand: Annotated[HandOver | None, Meta(description="What the last hand brought; null: none is over.")]


def view(seen: State, viewer: Viewer) -> MogeleiView:
    """From the fold of what the viewer was told, so it cannot show what he never saw."""
    own_pile = () if viewer is None else sort(seen.kept[viewer])
    return MogeleiView(
        hand_number=seen.hand,
        round=seen.round,
        dealer=seen.dealer,
        colour=seen.colour,
        phase=_phase(seen, viewer),
        hand=() if viewer is None else sort(without(seen.hands[viewer], _laid(seen, viewer))),
        hand_sizes=tuple(len(hand) for hand in seen.hands),
        table=tuple(_played(card, viewer) for card in seen.played),
        own_pile=own_pile,
        own_fried=fried(own_pile),
        kept_sizes=tuple(len(pile) for pile in seen.kept),
        eggs=seen.eggs,
        points=seen.points,
        playing=seen.present,
        last_round=seen.last_round,
        last_hand=seen.last_hand,
    )


def _laid(seen: State, viewer: Viewer) -> Cards:
    """What the viewer has laid while others may still be laying; a leaver's hand is gone with it."""
    if viewer is None or viewer in seen.left or not isinstance(seen.phase, ToLay):
        return ()
    return seen.phase.laid[viewer]


def _played(lying: Lying, viewer: Viewer) -> MogeleiPlayed:
    card = lying.card if lying.shown or lying.seat == viewer else None
    return MogeleiPlayed(lying.pass_id, lying.seat, lying.shown, card)


def _phase(seen: State, viewer: Viewer) -> MogeleiPhase:
    match seen.phase:
        case ToDeal():
            return MogeleiToDeal()
        case ToCall(turn):
            return MogeleiToCall(turn.seat, turn.until)
        case ToLay(caller, until):
            return MogeleiToLay(seen.heir(caller), until, next(iter(_laid(seen, viewer)), None))
        case ToReveal(caller, turn, waiting):
            return MogeleiToReveal(seen.heir(caller), turn.seat, turn.until, waiting)
        case ToControl(turn):
            return MogeleiToControl(turn.seat, turn.until, seen.last_pass)
        case ToCount() | ToEnd():
            return MogeleiToCount()
        case Pause(deal_at, accepted):
            return MogeleiPause(deal_at, accepted)
        case Ended(winners, scores):
            return MogeleiOver(winners, scores)
        case _:
            assert_never(seen.phase)


MOGELEI_VIEW: Final[GameView[State, Event, MogeleiView]] = GameView(
    game=MOGELEI,
    redact=redact,
    view=view,
    view_type=MogeleiView,
    fields=FIELDS,
    narrate=narrate,
    reasons=REASONS,
)
