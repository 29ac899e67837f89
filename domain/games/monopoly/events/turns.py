"""Turns: the set-up, throws and moves, the jail, and the tray going on."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.monopoly.phases import MonopolyTurn, Phase
from domain.games.monopoly.things import How, MonopolyLanding, MonopolySlip, Moved_, Witnesses
from domain.kernel.game import Seat


class SetUpDone(Struct, frozen=True, tag="monopoly_cheaters.set_up_done"):
    """`data`: hash of the data files that hold in this match for good."""

    data: Annotated[str, Meta(description="SHA-256 of the data files that hold in this match, in hex.")]
    throws: Annotated[
        tuple[tuple[int, ...], ...], Meta(description="For the first turn, round after round; 0: he does not throw.")
    ]
    cheats: Annotated[tuple[str, ...], Meta(description="The cards that lie open.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is.")]
    phase: Annotated[Phase, Meta(description="What the table waits for now.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]


class CameTo(Struct, frozen=True, tag="monopoly_cheaters.came_to"):
    """What the table waits for now, and until when."""

    phase: Annotated[Phase, Meta(description="What the table waits for now.")]


class Accepted(Struct, frozen=True, tag="monopoly_cheaters.accepted"):
    """Somebody has no objection."""

    boundary_id: Annotated[int, Meta(description="The number of the turn that is to begin.")]
    seat: Annotated[Seat, Meta(description="Who it is about.")]


class RollCalled(Struct, frozen=True, tag="monopoly_cheaters.roll_called"):
    """`first`: the turn before is over now; `lapsed`: debts and demands of rent that were never made or paid."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    first: Annotated[bool, Meta(description="Whether it is the first of the turn, which ends the turn before.")]
    in_jail: Annotated[bool, Meta(description="Whether it is a prisoner's try for a double.")]
    lapsed: Annotated[tuple[int, ...], Meta(description="Debts and demands that are void now.")]


class Threw(Struct, frozen=True, tag="monopoly_cheaters.threw"):
    """The dice were thrown."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    dice: Annotated[tuple[int, ...], Meta(description="What they show; empty, if you did not watch them.")]
    double: Annotated[bool, Meta(description="Whether both dice show the same.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is.")]
    draw: Annotated[int, Meta(description="Which draw of the match's luck it was; the first is 0.")]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class Moved(Struct, frozen=True, tag="monopoly_cheaters.moved"):
    """A token was moved, as announced."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    square: Annotated[int, Meta(description="0 is LOS, up to 35.")]
    how: Annotated[How, Meta(description="What moved it.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    parks: Annotated[bool, Meta(description="Whether it stays on LOS for good.")]
    slip: Annotated[
        MonopolySlip | None, Meta(description="What was done silently along with it, if you did or saw it; else null.")
    ]
    witnesses: Annotated[Witnesses, Meta(description="Yourself, if you watched; nobody hears of others.")]


class Landed(Struct, frozen=True, tag="monopoly_cheaters.landed"):
    """Somebody stands on another's street."""

    landing: Annotated[MonopolyLanding, Meta(description="Who stands where, and what can be demanded.")]


class Jailed(Struct, frozen=True, tag="monopoly_cheaters.jailed"):
    """`freed`: who had the handcuff before."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    freed: Annotated[Seat | None, Meta(description="Who had the handcuff before; null: nobody.")]
    square: Annotated[int, Meta(description="0 is LOS, up to 35.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is; a throw that was due is lost.")]


class Freed(Struct, frozen=True, tag="monopoly_cheaters.freed"):
    """A prisoner is free."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    moved: Annotated[Moved_, Meta(description="Money as it was moved on the announced board.")]
    purse: Annotated[int | None, Meta(description="What you truly have left; null: it is not yours.")]


class JailTried(Struct, frozen=True, tag="monopoly_cheaters.jail_tried"):
    """A prisoner threw no double."""

    seat: Annotated[Seat, Meta(description="Who it is about.")]
    tries: Annotated[int, Meta(description="Failed tries for a double.")]


class TrayPassed(Struct, frozen=True, tag="monopoly_cheaters.tray_passed"):
    """Dice and bank pot go on."""

    seat: Annotated[Seat, Meta(description="Who hands it on.")]
    turn: Annotated[MonopolyTurn, Meta(description="Whose turn it is.")]
    phase: Annotated[Phase, Meta(description="What the table waits for now.")]
