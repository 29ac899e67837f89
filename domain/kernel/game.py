"""What a game is to everything around it: a record of pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import reduce
from typing import Annotated, Any, Final, Generic, Literal, NewType, TypeAlias, TypeVar

from msgspec import Meta, Struct

from domain.kernel.bot import Bot
from domain.kernel.chance import Luck
from domain.kernel.offers import Offer

Seat = NewType("Seat", int)
HOUSE: Final = Seat(-1)  # deals, rolls, closes windows; never a player

S = TypeVar("S")
E = TypeVar("E")
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741  # the options of a game, as S, E and A are its state, event and action


class Command(Struct, Generic[A], frozen=True):
    """Who does what, when. A client sends only the action; the service adds the other two.

    ``at`` is match time: the moment of receipt, less what the match has stood still.
    """

    by: Seat
    at: datetime
    action: A


class Refused(Exception):
    """Not possible here and now. Nothing happened.

    ``not_before``: the match time from which the same action will be taken (too early).
    ``closes_at``: the match time at which the answered window closed (too late).
    """

    def __init__(
        self, reason: StrEnum, *, not_before: datetime | None = None, closes_at: datetime | None = None
    ) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        self.not_before: Final = not_before
        self.closes_at: Final = closes_at


class HouseNow(Struct, frozen=True):
    """The House must act before anybody else can: deal, roll."""


class Answers(Struct, frozen=True):
    """Seats that are waited for; at ``until`` (match time; None: never) the House acts.

    Other seats may still have something to offer (a challenge after an ``accept``): offers say so.
    """

    seats: tuple[Seat, ...]
    until: datetime | None


class Over(Struct, frozen=True):
    """Nothing is awaited any more. ``winners`` share the match; ``scores`` is by seat, in the game's own unit."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...] = ()


Awaits: TypeAlias = HouseNow | Answers | Over


class HouseAct(Struct, Generic[A], frozen=True):
    """What the House does. ``for_seat``: it acts in place of this seat, whose time ran out."""

    action: A
    for_seat: Seat | None = None


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """The time rules of a match, in seconds: what was asked for as `clock`, and the usual where nothing was."""

    turn_time: Annotated[float | None, Meta(description="For a turn; null: as long as one likes.")] = 60.0
    min_open: Annotated[float, Meta(description="For so long nobody can close a window by playing on.")] = 5.0
    max_open: Annotated[float, Meta(description="After so long a window that no turn closes is closed.")] = 30.0
    round_pause: Annotated[float, Meta(description="Between two rounds.")] = 5.0
    bot_think: Annotated[float, Meta(description="For which bots pretend to think.")] = 0.5


def seconds(amount: float) -> timedelta:
    return timedelta(seconds=amount)


class OptionsConflict(Exception):
    """Two options that exclude each other; ``first`` and ``second`` are their names."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} excludes {second}")
        self.first: Final = first
        self.second: Final = second


DealFault: TypeAlias = Literal[
    "hands_for_seats",
    "hand_empty",
    "hand_size",
    "hands_differ",
    "no_such_seat",
    "not_in_the_pack",
    "not_so_often",
    "not_among",
    "too_many",
]


class BadDeal(Exception):
    """A stacked deal (sandbox) that the game could not have dealt; ``says`` is what words about the fault fill in,
    among it the ``field`` of the deal that it is about, where it is one."""

    def __init__(self, fault: DealFault, **says: object) -> None:
        super().__init__(fault, says)
        self.fault: Final = fault
        self.says: Final = says


class OldShape(Struct, frozen=True):
    """An event as it was stored, and told, in matches of a rules version up to ``until``, under a tag of its own.

    ``read`` makes today's event of it; ``write`` makes it of today's again, as it is or as somebody is told it.
    """

    until: int
    stored: type
    today: type
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


class Edition(Struct, Generic[S, O], frozen=True, kw_only=True):
    """What was otherwise in matches of a rules version up to ``until``: with which state they begin, with which data
    files they are played. What ``decide`` must know of that stands in the state."""

    until: int
    begin: Callable[[O, Pace, int, Any | None], S]
    data: Mapping[str, str] = {}


class Game(Struct, Generic[S, A, E, O], frozen=True, kw_only=True):
    """All that the service knows of a game.

    The types name what can be decoded: ``player_action`` is all that a request can say,
    ``event`` all that the log can hold, ``deal`` what a sandbox match may be given in place of luck.

    ``drawn`` says what luck gave, in the order in which ``house`` asks for it, by the state before an act of the House
    and the first event that came of it, whichever that is; nothing where it drew nothing. So that event tells all that
    was drawn (or, with the state, all that matters of it), and an act makes one draw.
    """

    id: str
    names: Mapping[str, str]  # language → name
    seats: tuple[int, int]  # fewest, most
    rules_version: int
    rules: str  # RULES.md
    options: type[O]
    player_action: Any  # a union of tagged Structs: a type form, which has no type of its own
    event: Any  # likewise
    deal: Any | None
    check: Callable[[O], None] = lambda _: None  # raises OptionsConflict
    begin: Callable[[O, Pace, int, Any | None], S]  # options, pace, seats, stacked deal → before the first deal
    check_deal: Callable[[O, int, Any], None]  # options, seats, deal; raises BadDeal
    decide: Callable[[S, Command[A]], tuple[E, ...]]
    evolve: Callable[[S, E], S]
    awaits: Callable[[S], Awaits]
    house: Callable[[S, Luck], HouseAct[A]]  # what the House does now, or at the deadline
    drawn: Callable[[S, E], Sequence[object]]
    vacate: Callable[[Seat], A]  # a seat is left for good and no bot takes it over
    offers: Callable[[S, Seat], tuple[Offer, ...]]  # from a seat's own view
    bots: Mapping[str, Bot[Any, S, A, E]]
    data: Mapping[str, str] = {}  # the game's data files, by name: SHA-256 in hex; other data is another rules version
    balance: Callable[[S], str | None] | None = None  # of a game with a ledger: what does not add up; None: all does
    old: tuple[OldShape, ...] = ()
    editions: tuple[Edition[S, O], ...] = ()  # of earlier rules versions, the oldest first
    deals: tuple[type, ...] = ()  # events before which nothing that is still hidden matters any more: all is dealt anew
    unheard: Callable[[E], bool] = lambda _: False  # not everybody is told of it: nothing around the game may show it
    decides_since: int = 1  # the first rules version whose matches ``decide`` still plays as they were played

    def edition(self, rules_version: int) -> Edition[S, O]:
        """With which a match of this rules version is played to its end."""
        today = Edition(until=self.rules_version, begin=self.begin, data=self.data)
        return next((old for old in self.editions if rules_version <= old.until), today)


AnyGame: TypeAlias = Game[Any, Any, Any, Any]  # the catalogue holds games of all kinds


def fold(evolve: Callable[[S, E], S], state: S, events: Iterable[E]) -> S:
    return reduce(evolve, events, state)
