"""What can happen around any game. A tag is stored for good."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Raw, Struct

from domain.kernel.game import Pace, Seat

NO_DEAL: Final = Raw(b"null")
Access: TypeAlias = Literal["public", "code"]
Leaving: TypeAlias = Literal["bot", "cards_leave"]
Ending: TypeAlias = Literal["won", "abandoned"]
Ruling: TypeAlias = Literal["dismissed", "upheld", "void", "branch"]
PauseReason: TypeAlias = Literal["dispute", "branch"]
SealReason: TypeAlias = Literal["dispute", "anomaly", "complaint"]
Complaint: TypeAlias = Literal["rule", "timing", "fault", "conduct", "other"]


class Opened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="match.opened"):
    """The match exists, with all that stays as it is: rules version, options, pace, the commitment to its seed.

    ``options`` and ``deal`` are JSON of the game's own types; ``deal`` is null where luck deals. A stacked one is told
    to nobody, only that there is one.
    """

    match: Annotated[str, Meta(description="Its id.")]
    game: Annotated[str, Meta(description="Which game.")]
    rules_version: Annotated[int, Meta(description="By which rules, with which data, and as what it is told.")]
    seats: Annotated[int, Meta(description="How many.")]
    options: Annotated[Raw, Meta(description="The game's variants.")]
    pace: Annotated[Pace, Meta(description="Its time rules.")]
    leaving: Annotated[Leaving, Meta(description="What becomes of whoever leaves.")]
    fill: Annotated[str | None, Meta(description="Which bots take seats that are empty at the start; null: none.")]
    access: Annotated[Access, Meta(description="Who may sit down and look on: anybody, or who knows the code.")]
    sandbox: Annotated[bool, Meta(description="Whether it is one for trying things out.")]
    stacked: Annotated[bool, Meta(description="Whether its first deal was given.")]
    deal: Annotated[Raw, Meta(description="null, always: nobody is told.")]
    seed_commitment: Annotated[str, Meta(description="SHA-256 of the luck's seed, in hex.")]
    host: Annotated[str, Meta(description="The player who may start it.")]
    open_until: Annotated[datetime, Meta(description="When it is void if nobody has started it.")]
    pause_on_dispute: Annotated[bool, Meta(description="Whether its clock stands while a dispute is open.")] = False
    branch_of: Annotated[str | None, Meta(description="Of which match it is a branch; left out: of none.")] = None


class Seated(Struct, frozen=True, kw_only=True, tag="match.seated"):
    """A player (an opaque id) or a bot holds this seat from now on.

    The player's name lies outside the log; ``name_digest`` is SHA-256 of a salt and that name.
    """

    seat: Annotated[Seat, Meta(description="Which.")]
    player: Annotated[str | None, Meta(description="The player's id; null: a bot.")]
    bot: Annotated[str | None, Meta(description="Its kind; null: a player.")]
    name_digest: Annotated[str | None, Meta(description="SHA-256, in hex, of a salt and the name.")]
    entropy_commitment: Annotated[
        str | None, Meta(description="SHA-256, in hex, of what the seat will add to the luck; null: nothing.")
    ]


class Left(Struct, frozen=True, kw_only=True, tag="match.left"):
    """A seat was given up."""

    seat: Annotated[Seat, Meta(description="Which.")]
    bot: Annotated[
        str | None, Meta(description="The kind that plays on; null before the start, and where cards leave play.")
    ]


class HostChanged(Struct, frozen=True, tag="match.host_changed"):
    """The host left before the start: another starts the match, and turns a sandbox clock."""

    host: Annotated[str, Meta(description="The player who may start it now.")]


class Started(Struct, frozen=True, tag="match.started"):
    """Nobody sits down any more."""

    reveal_until: Annotated[
        datetime | None, Meta(description="Until when seats reveal what they committed to; null: nobody did.")
    ]


class EntropyRevealed(Struct, frozen=True, tag="match.entropy_revealed"):
    """A seat says the bytes that it committed to."""

    seat: Annotated[Seat, Meta(description="Which.")]
    entropy: Annotated[str, Meta(description="Its bytes, in hex.")]


class EntropySettled(Struct, frozen=True, tag="match.entropy_settled"):
    """What the seats add to the luck is known: the first deal follows."""

    digest: Annotated[str, Meta(description="What the seats add to the luck: SHA-256, in hex.")]
    missing: Annotated[tuple[Seat, ...], Meta(description="Seats that did not reveal theirs and are left out.")]


class StoodStill(Struct, frozen=True, omit_defaults=True, tag="match.stood_still"):
    """The match's clock stood still, as nobody could write, or for a dispute, or as a branch waited for its referee;
    every deadline is later by that."""

    began: Annotated[datetime, Meta(description="Wall clock; in the sandbox, what its own clock showed.")]
    ended: Annotated[datetime, Meta(description="Wall clock; in the sandbox, whose clock does not run, as `began`.")]
    reason: Annotated[Literal["outage"] | PauseReason, Meta(description="Why.")]
    referee: Annotated[str | None, Meta(description="Who let it go on; left out: nobody had to.")] = None


class ClockTurned(Struct, frozen=True, tag="match.clock_turned"):
    """Sandbox: the manual clock was turned."""

    now: Annotated[datetime, Meta(description="What the clock shows.")]


class TimedOut(Struct, frozen=True, tag="match.timed_out"):
    """This seat's time ran out; what follows in the same append the House did in its place."""

    seat: Annotated[Seat, Meta(description="Whose time ran out.")]


class Ended(Struct, frozen=True, tag="match.ended"):
    """The match is over."""

    winners: Annotated[tuple[Seat, ...], Meta(description="Seats; several share, nobody wins what was abandoned.")]
    scores: Annotated[tuple[int, ...], Meta(description="By seat, in the game's own unit.")]
    reason: Annotated[Ending, Meta(description="`won`, or `abandoned` when the House alone has played for long.")]


class SeedRevealed(Struct, frozen=True, tag="match.seed_revealed"):
    """The seed to which the opening event committed, in hex: every deal and throw can be recomputed."""

    seed: Annotated[str, Meta(description="In hex.")]


class Voided(Struct, frozen=True, tag="match.voided"):
    """The match never began, or a referee ruled that it does not count, and is over."""

    reason: Annotated[Literal["never_started", "ruled"], Meta(description="Why.")]


class DisputeRaised(Struct, frozen=True, kw_only=True, tag="match.dispute_raised"):
    """A seat, or the House, asks a referee about something that happened.

    What it says in its own words lies outside the log; ``text_digest`` is SHA-256 of a salt and that text.
    """

    dispute: Annotated[str, Meta(description="Its id.")]
    seat: Annotated[Seat | None, Meta(description="Whose; null: the House's.")]
    seq: Annotated[
        int | None, Meta(description="Your frame that it is about; null where it is another's, or about none.")
    ]
    reason: Annotated[Complaint | Literal["anomaly"], Meta(description="What it is about, in a word.")]
    text_digest: Annotated[str | None, Meta(description="SHA-256, in hex, of a salt and the text; null: no text.")]


class Paused(Struct, frozen=True, tag="match.paused"):
    """The match's clock stands still from now on, and nobody can act, until `match.stood_still` says for how long."""

    began: Annotated[datetime, Meta(description="Wall clock.")]
    reason: Annotated[PauseReason, Meta(description="Why.")]


class RefereeAssigned(Struct, frozen=True, tag="match.referee_assigned"):
    """Who rules in this dispute, or does instead of another."""

    dispute: Annotated[str, Meta(description="Which.")]
    referee: Annotated[str, Meta(description="An opaque id.")]


class SealBroken(Struct, frozen=True, kw_only=True, tag="match.seal_broken"):
    """From now on a referee or an auditor, who does not sit here and never did, sees what is hidden."""

    by: Annotated[str, Meta(description="An opaque id.")]
    reason: Annotated[SealReason, Meta(description="Why.")]


class Ruled(Struct, frozen=True, kw_only=True, tag="match.ruled"):
    """A referee has ruled in a dispute: it is closed. What follows from it are further events."""

    dispute: Annotated[str, Meta(description="Which.")]
    referee: Annotated[str, Meta(description="An opaque id.")]
    ruling: Annotated[
        Ruling,
        Meta(description="`dismissed`; `upheld`, without effect; `void`: the match does not count; `branch`."),
    ]
    rules: Annotated[tuple[str, ...], Meta(description="Numbers of the game's rules, on which it stands.")]
    text_digest: Annotated[str | None, Meta(description="SHA-256, in hex, of a salt and the text; null: no text.")]
    branch: Annotated[str | None, Meta(description="The match that goes on instead; null: none.")]


class Superseded(Struct, frozen=True, tag="match.superseded"):
    """The match ends here, and goes on from an earlier point as another one. Its secrets stay sealed until that is
    over."""

    branch: Annotated[str, Meta(description="The other match.")]


class Branched(Struct, frozen=True, kw_only=True, tag="match.branched"):
    """What stands before this happened in another match; from here on it goes on in this one, with luck of its own.
    The clock stands at this moment until a referee lets it go on."""

    of: Annotated[str, Meta(description="The other match.")]
    log_head: Annotated[str | None, Meta(description="null, always: nobody is told.")]
    referee: Annotated[str, Meta(description="Who ruled it: an opaque id.")]
    began: Annotated[datetime, Meta(description="Wall clock: since when the clock stands.")]


Event: TypeAlias = (
    Opened
    | Seated
    | Left
    | HostChanged
    | Started
    | EntropyRevealed
    | EntropySettled
    | StoodStill
    | ClockTurned
    | TimedOut
    | Ended
    | SeedRevealed
    | Voided
    | DisputeRaised
    | Paused
    | RefereeAssigned
    | SealBroken
    | Ruled
    | Superseded
    | Branched
)
KINDS = frozenset(Event.__args__)
