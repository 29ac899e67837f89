"""What a viewer is told of a match around its game, and the whole of what he sees now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, assert_never

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.kernel.game import Answers, Pace, Seat
from domain.kernel.offers import Offer, Preimage
from domain.match import decider, events
from domain.match.decider import AnyState
from domain.match.events import PauseReason
from domain.match.state import Chair, Finished, Playing, Revealing, Superseded, Void
from projections.views.seam import AnyView, Sees, Viewer

FIELDS: Final[Mapping[str, Mapping[str, Sees]]] = {
    "match.opened": {
        "match": Sees.ALL,
        "game": Sees.ALL,
        "rules_version": Sees.ALL,
        "seats": Sees.ALL,
        "options": Sees.ALL,
        "pace": Sees.ALL,
        "leaving": Sees.ALL,
        "fill": Sees.ALL,
        "access": Sees.ALL,
        "sandbox": Sees.ALL,
        "stacked": Sees.ALL,
        "deal": Sees.NOBODY,
        "seed_commitment": Sees.ALL,
        "host": Sees.ALL,
        "open_until": Sees.ALL,
        "pause_on_dispute": Sees.ALL,
        "branch_of": Sees.ALL,
    },
    "match.seated": {
        "seat": Sees.ALL,
        "player": Sees.ALL,
        "bot": Sees.ALL,
        "name_digest": Sees.ALL,
        "entropy_commitment": Sees.ALL,
    },
    "match.left": {"seat": Sees.ALL, "bot": Sees.ALL},
    "match.host_changed": {"host": Sees.ALL},
    "match.started": {"reveal_until": Sees.ALL},
    "match.entropy_revealed": {"seat": Sees.ALL, "entropy": Sees.ALL},
    "match.entropy_settled": {"digest": Sees.ALL, "missing": Sees.ALL},
    "match.stood_still": {"began": Sees.ALL, "ended": Sees.ALL, "reason": Sees.ALL, "referee": Sees.ALL},
    "match.clock_turned": {"now": Sees.ALL},
    "match.timed_out": {"seat": Sees.ALL},
    "match.ended": {"winners": Sees.ALL, "scores": Sees.ALL, "reason": Sees.ALL},
    "match.seed_revealed": {"seed": Sees.ALL},
    "match.voided": {"reason": Sees.ALL},
    "match.dispute_raised": {
        "dispute": Sees.ALL,
        "seat": Sees.ALL,
        "seq": Sees.ACTOR_ONLY,
        "reason": Sees.ALL,
        "text_digest": Sees.ALL,
    },
    "match.paused": {"began": Sees.ALL, "reason": Sees.ALL},
    "match.referee_assigned": {"dispute": Sees.ALL, "referee": Sees.ALL},
    "match.seal_broken": {"by": Sees.ALL, "reason": Sees.ALL},
    "match.ruled": {
        "dispute": Sees.ALL,
        "referee": Sees.ALL,
        "ruling": Sees.ALL,
        "rules": Sees.ALL,
        "text_digest": Sees.ALL,
        "branch": Sees.ALL,
    },
    "match.superseded": {"branch": Sees.ALL},
    "match.branched": {"of": Sees.ALL, "log_head": Sees.NOBODY, "referee": Sees.ALL, "began": Sees.ALL},
}


def redact(view: AnyView, event: Any, viewer: Viewer) -> Any | None:
    """Any event of a match as this viewer is told it; None where he is not told."""
    if type(event) not in events.KINDS:
        return view.redact(event, viewer)
    kind: events.Event = event
    match kind:
        case events.Opened():
            return replace(kind, deal=events.NO_DEAL)
        case events.DisputeRaised(seat=seat):
            return kind if seat is not None and seat == viewer else replace(kind, seq=None)
        case events.Branched():
            return replace(kind, log_head=None)
        case (
            events.Seated()
            | events.Left()
            | events.HostChanged()
            | events.Started()
            | events.EntropyRevealed()
            | events.EntropySettled()
            | events.StoodStill()
            | events.ClockTurned()
            | events.TimedOut()
            | events.Ended()
            | events.SeedRevealed()
            | events.Voided()
            | events.Paused()
            | events.RefereeAssigned()
            | events.SealBroken()
            | events.Ruled()
            | events.Superseded()
        ):
            return kind
        case _:
            assert_never(kind)


class SeatInfo(Struct, frozen=True):
    """A seat as everybody sees it."""

    seat: Annotated[Seat, Meta(description="Its number; the first is 0.")]
    player: Annotated[str | None, Meta(description="The player's id; null for a bot and a free seat.")]
    name: Annotated[str | None, Meta(description="What the player is called; null for a bot and a free seat.")]
    bot: Annotated[str | None, Meta(description="Its kind; null for a player and a free seat.")]
    left: Annotated[bool, Meta(description="Whether it is out of the match for good.")]


class AwaitsInfo(Struct, frozen=True):
    """Whose answer the match waits for, as this viewer may know it."""

    seats: Annotated[tuple[Seat, ...], Meta(description="Whose answer is waited for.")]
    until: Annotated[
        datetime | None, Meta(description="Match time, when the House acts for whoever has not; null: never.")
    ]


class ResultInfo(Struct, frozen=True):
    """How it ended."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Seats; several share.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat, in the game's own unit.")]
    reason: Annotated[str, Meta(description="`won`, `abandoned`, `never_started`, or `ruled` (void).")]
    seed: Annotated[str | None, Meta(description="The luck's seed, in hex; null while it is not published.")]


class DisputeInfo(Struct, frozen=True):
    """A dispute that nobody has ruled on."""

    dispute: Annotated[str, Meta(description="Its id.")]
    seat: Annotated[Seat | None, Meta(description="Who raised it; null: the House.")]
    seq: Annotated[int | None, Meta(description="Your frame that it is about; null where it is another's.")]
    reason: Annotated[str, Meta(description="`rule`, `timing`, `fault`, `conduct`, `other`, or `anomaly`.")]
    referee: Annotated[str | None, Meta(description="Who will rule, an opaque id; null: nobody has taken it.")]


class MatchView(Struct, frozen=True, kw_only=True):
    """All that a viewer sees of a match. Times are match time, ``server_time`` too."""

    match: Annotated[str, Meta(description="Its id.")]
    game: Annotated[str, Meta(description="Which game.")]
    status: Annotated[str, Meta(description="`open`, `playing`, `over`, `void`, `superseded`.")]
    sandbox: Annotated[bool, Meta(description="Whether it is one for trying things out.")]
    seq: Annotated[int, Meta(description="The last frame that you were told: your cursor.")]
    seat: Annotated[Seat | None, Meta(description="Yours; null: you look on.")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(description="Who sits where.")]
    host: Annotated[str, Meta(description="The player who may start it, and turn a sandbox clock.")]
    pace: Annotated[Pace, Meta(description="Its time rules, in seconds: the `clock` that was asked for, completed.")]
    view: Annotated[
        Any, Meta(description="The table through your eyes, in the game's own words; null before the start.")
    ]
    awaits: Annotated[AwaitsInfo, Meta(description="Whose answer is waited for.")]
    actions: Annotated[tuple[Offer, ...], Meta(description="All that your seat may do.")]
    result: Annotated[ResultInfo | None, Meta(description="How it ended; null before.")]
    paused: Annotated[
        PauseReason | None, Meta(description="Why the match's clock stands still and nobody can act; null: it runs.")
    ]
    disputes: Annotated[tuple[DisputeInfo, ...], Meta(description="On which nobody has ruled yet.")]
    branch_of: Annotated[str | None, Meta(description="The match from which this one goes on; null: none.")]
    branched_to: Annotated[str | None, Meta(description="The match that goes on instead of this one; null: none.")]
    server_time: Annotated[datetime, Meta(description="What the match's clock shows: match time, as all times are.")]


def match_view(
    view: AnyView, seen: AnyState, viewer: Viewer, *, seq: int, now: datetime, names: Mapping[str, str]
) -> MatchView:
    """From the fold of what he was told, and the time; ``names`` by player id, from outside the log."""
    awaited = decider.awaits(view.game, seen)
    return MatchView(
        match=seen.match,
        game=seen.game_id,
        status=seen.status,
        sandbox=seen.sandbox,
        seq=seq,
        seat=viewer,
        seats=tuple(_seat_info(Seat(n), chair, names) for n, chair in enumerate(seen.chairs)),
        host=seen.host,
        pace=seen.pace,
        view=None if seen.game is None else view.view(seen.game, viewer),
        awaits=AwaitsInfo(awaited.seats, awaited.until) if isinstance(awaited, Answers) else AwaitsInfo((), None),
        actions=() if viewer is None else offers(view, seen, viewer, now),
        result=_result(seen),
        paused=seen.paused,
        disputes=tuple(DisputeInfo(d.dispute, d.seat, d.seq, d.reason, d.referee) for d in seen.disputes),
        branch_of=seen.branch_of,
        branched_to=seen.phase.branch if isinstance(seen.phase, Superseded) else None,
        server_time=now,
    )


def offers(view: AnyView, seen: AnyState, seat: Seat, now: datetime) -> tuple[Offer, ...]:
    """What this seat may do, from its own view; what its time has run out for is left out."""
    if seen.paused is not None:
        return ()
    match seen.phase:
        case Revealing(until) if (chair := seen.chairs[seat]).commitment and chair.entropy is None:
            all_of: Sequence[Offer] = (
                Offer("match.reveal_entropy", {"entropy": Preimage(chair.commitment)}, until=until),
            )
        case Playing() if seen.game is not None:
            all_of = view.game.offers(seen.game, seat)
        case _:
            return ()
    return tuple(offer for offer in all_of if offer.until is None or now < offer.until)


def _seat_info(seat: Seat, chair: Chair, names: Mapping[str, str]) -> SeatInfo:
    name = None if chair.player is None else names.get(chair.player)
    return SeatInfo(seat, chair.player, name, chair.bot, chair.gone)


def _result(seen: AnyState) -> ResultInfo | None:
    match seen.phase:
        case Finished(winners, scores, reason, seed):
            return ResultInfo(winners, scores, reason, seed)
        case Void(reason, seed):
            return ResultInfo((), (), reason, seed)
        case _:
            return None
