"""A match of any game, played by seats that know what they were told and what they are offered, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Final, TypeAlias, get_args

import msgspec
from msgspec import Struct, inspect

from domain.kernel.bot import Bot, fill_all
from domain.kernel.chance import Chance, Draw
from domain.kernel.game import (
    HOUSE,
    Answers,
    AnyGame,
    Command,
    HouseNow,
    OptionsConflict,
    Over,
    Pace,
    Refused,
    Seat,
    fold,
)
from domain.kernel.offers import Offer
from projections.views.seam import AnyView, Viewer

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
ENDLESS: Final = 20_000  # commands
A_MOMENT: Final = timedelta(microseconds=1)


class Step(Struct, frozen=True):
    """A command, what came of it, and the table before and after: as it is, and as each viewer sees it."""

    command: Command[Any]
    events: tuple[Any, ...]
    before: Any
    after: Any
    seen: Mapping[Viewer, Any]  # after


def luck_of(seed: int) -> Draw:
    return Chance(seed.to_bytes(32, "big"), "luck", b"").bot(0, 0)


def some_options(game: AnyGame, seats: int, luck: Draw) -> Any:
    """Any options that do not contradict each other, with few turns where their number can be chosen."""
    while True:
        try:
            options = any_options(game, luck)
            game.check(options)
        except (OptionsConflict, msgspec.ValidationError):
            continue
        return options


def any_options(game: AnyGame, luck: Draw) -> Any:
    """Some options, which may contradict each other. Raises ValidationError."""
    info = inspect.type_info(game.options)
    assert isinstance(info, inspect.StructType)
    chosen: dict[str, Any] = {field.encode_name: _any(field.type, luck) for field in info.fields if luck.below(2)}
    if any(field.encode_name == "max_turns" for field in info.fields):
        chosen["max_turns"] = 10 + luck.below(60)
    return msgspec.convert({name: value for name, value in chosen.items() if value is not ...}, game.options)


def _any(kind: inspect.Type, luck: Draw) -> Any:
    match kind:
        case inspect.Metadata(inner):
            return _any(inner, luck)
        case inspect.LiteralType(values):
            return luck.pick(values)
        case inspect.EnumType(cls):
            members: list[Enum] = list(cls)
            return luck.pick(members).value
        case inspect.BoolType():
            return bool(luck.below(2))
        case inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            return low + luck.below(min(5, high - low + 1))
        case inspect.UnionType(types):
            return _any(luck.pick(types), luck)
        case inspect.NoneType():
            return None
        case _:
            return ...


def eyes(seats: int) -> tuple[Viewer, ...]:
    return (*map(Seat, range(seats)), None)


def told(view: AnyView, events: tuple[Any, ...], viewer: Viewer) -> tuple[Any, ...]:
    redacted = (view.redact(event, viewer) for event in events)
    return tuple(event for event in redacted if event is not None)


def walk(
    view: AnyView,
    seats: int,
    seed: int,
    *,
    options: Any = None,
    pace: Pace | None = None,
    deal: Any | None = None,
    leavers: bool = False,
    doubt: int = 6,
    seldom: Mapping[str, int] = {},
    sleep: int = 15,
) -> Iterator[Step]:
    """From before the first deal to the end. One in ``doubt`` of what is a doubt is wanted, and of each type in
    ``seldom`` one in so many; one time in ``sleep`` everybody sleeps until the House must act; ``leavers``: now and
    then somebody goes for good."""
    game, luck = view.game, luck_of(seed)
    options = some_options(game, seats, luck) if options is None else options
    chance = Chance(seed.to_bytes(32, "big"), f"{seed:036d}", b"")
    pace = pace or Pace()
    state, at = game.begin(options, pace, seats, deal), NOON
    seen: dict[Viewer, Any] = {viewer: game.begin(options, pace, seats, None) for viewer in eyes(seats)}
    here = list(map(Seat, range(seats)))
    for _ in range(ENDLESS):
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            return
        if isinstance(awaited, HouseNow):
            command: Command[Any] = Command(HOUSE, at, game.house(state, chance).action)
        elif leavers and len(here) > 1 and luck.below(120) == 0:
            here.remove(leaver := luck.pick(here))
            command = Command(HOUSE, at, game.vacate(leaver))
        else:
            wanted = None
            if awaited.until is None or luck.below(sleep):
                wanted = _somebody(game, seen, here, luck, at, doubt, seldom, must=awaited.until is None)
            if wanted is None:
                assert awaited.until is not None, "nobody is left to act"
                wanted = Command(HOUSE, max(at, awaited.until), game.house(state, chance).action)
            command = wanted
        at = command.at
        events = game.decide(state, command)
        after = fold(game.evolve, state, events)
        seen = {viewer: fold(game.evolve, own, told(view, events, viewer)) for viewer, own in seen.items()}
        yield Step(command, events, state, after, seen)
        state = after
    raise AssertionError("nobody finishes")


def _somebody(
    game: AnyGame,
    seen: Mapping[Viewer, Any],
    here: list[Seat],
    luck: Draw,
    at: datetime,
    doubt: int,
    seldom: Mapping[str, int],
    *,
    must: bool,
) -> Command[Any] | None:
    """``must``: no clock runs, so something has to be wanted."""
    offered = [(seat, offer) for seat in here for offer in game.offers(seen[seat], seat)]
    rare = {offer.type: seldom.get(offer.type, doubt if is_doubt(offer.type) else 1) for _, offer in offered}
    wanted = [one for one in offered if rare[one[1].type] == 1 or luck.below(rare[one[1].type]) == 0]
    if must and not wanted:
        wanted = offered
    if not wanted:
        return None
    seat, offer = luck.pick(wanted)
    first = max(at, offer.not_before or at)
    moment = first + timedelta(milliseconds=luck.below(4000)) * luck.below(2)
    if offer.until is not None and (luck.below(8) == 0 or moment >= offer.until):
        moment = offer.until - A_MOMENT
    return Command(seat, moment, said(game, offer, luck)) if moment >= first else None


def texts_in(thing: Any) -> frozenset[str]:
    """Every text that can be read in it, however deep; names of fields are none."""
    return frozenset(_texts(msgspec.to_builtins(thing)))


def _texts(thing: Any) -> Iterator[str]:
    match thing:
        case str():
            yield thing
        case dict():
            yield from _texts(list(thing.values()))
        case list() | tuple():
            for each in thing:
                yield from _texts(each)


def is_doubt(kind: str) -> bool:
    """What a table should not do all the time, or nothing else would ever happen."""
    return any(word in kind for word in ("challenge", "control", "doubt", "accuse"))


def said(game: AnyGame, offer: Offer, luck: Draw) -> Any:
    """An action that fits, by way of what a client would send."""
    return msgspec.json.decode(msgspec.json.encode(fill_all(offer, luck)), type=game.player_action)


def answer(game: AnyGame, state: Any, command: Command[Any]) -> tuple[Any, ...] | None:
    """Why it is refused, with the times told; None: it is accepted."""
    try:
        game.decide(state, command)
    except Refused as refusal:
        return refusal.reason, refusal.not_before, refusal.closes_at
    return None


def action_types(game: AnyGame) -> tuple[type, ...]:
    return get_args(game.player_action) or (game.player_action,)


def event_types(game: AnyGame) -> tuple[type, ...]:
    return get_args(game.event) or (game.event,)


def tag(of: Any) -> str:
    return str(of.__struct_config__.tag)


AnyBot: TypeAlias = Bot[Any, Any, Any, Any]


def play_out(view: AnyView, bots: Sequence[AnyBot], options: Any, seed: int) -> Over:
    """The end of a match that nobody but bots plays, each from what its seat was told and is offered at that moment."""
    game, seats = view.game, len(bots)
    chance = Chance(seed.to_bytes(32, "big"), f"{seed:036d}", b"")
    state, at, seq = game.begin(options, Pace(), seats, None), NOON, 0
    seen: dict[Viewer, Any] = dict.fromkeys(eyes(seats), state)
    memories = [bot.begin(seat, seats) for seat, bot in enumerate(bots)]
    for _ in range(ENDLESS):
        awaited = game.awaits(state)
        if isinstance(awaited, Over):
            return awaited
        command = (
            None if isinstance(awaited, HouseNow) else _first_who_wants(game, bots, memories, seen, at, chance, seq)
        )
        if command is None and isinstance(awaited, Answers):
            at = _next_moment(game, seen, awaited, at)
            if awaited.until is None or at < awaited.until:
                continue
        command = command or Command(HOUSE, at, game.house(state, chance).action)
        for event in game.decide(state, command):
            for viewer, own in seen.items():
                if (heard := view.redact(event, viewer)) is not None:
                    if viewer is not None:
                        memories[viewer] = bots[viewer].remember(memories[viewer], own, heard)
                    seen[viewer] = game.evolve(own, heard)
            state = game.evolve(state, event)
            seq += 1
        at += timedelta(milliseconds=50)
    raise AssertionError("nobody finishes")


def _first_who_wants(
    game: AnyGame,
    bots: Sequence[AnyBot],
    memories: Sequence[Any],
    seen: Mapping[Viewer, Any],
    at: datetime,
    chance: Chance,
    seq: int,
) -> Command[Any] | None:
    for seat, bot in enumerate(bots):
        of_seat = game.offers(seen[Seat(seat)], Seat(seat))
        now = [o for o in of_seat if (o.not_before or at) <= at and (o.until is None or at < o.until)]
        action = bot.choose(memories[seat], seen[Seat(seat)], now, chance.bot(seat, seq)) if now else None
        if action is not None:
            return Command(Seat(seat), at, action)
    return None


def _next_moment(game: AnyGame, seen: Mapping[Viewer, Any], awaited: Answers, at: datetime) -> datetime:
    """When something more may be done, or the House acts."""
    opens = [o.not_before for seat in seen if seat is not None for o in game.offers(seen[seat], seat)]
    return min([moment for moment in (*opens, awaited.until) if moment is not None and moment > at], default=at)
