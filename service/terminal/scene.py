"""The table as a person sees it, made from what any match's view has in it, whatever its game.

A game's view is shown by its shape alone: lists with an entry for each seat become columns, the cards in ``hand`` are
the person's own, times count down, and everything else stands under its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from service.terminal.choosing import Choice, is_seat, numbers, values
from service.terminal.client import Bound, Frame, Match, Offer
from service.terminal.labels import A_SEAT, SEATS
from service.terminal.words import Words

NEWEST: Final = 3  # of a list of things, so many are shown
_CARD: Final = re.compile(r"[A2-9TJQK][CDHS]|\*\*|\?\?")
_RED: Final = "DH"
_ENDINGS: Final = ("match.ended", "match.voided")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_HASH: Final = re.compile(r"[0-9a-f]{64}")  # for programs
_SEAT: Final = re.compile(r"seat:(\d{1,2})")


class Scene:
    """A match at a moment of its own time."""

    def __init__(self, match: Match, now: datetime, words: Words) -> None:
        self.match: Final = match
        self.now: Final = now
        self.words: Final = words

    def table(self) -> RenderableType:
        view = self.match.view or {}
        parts: list[RenderableType] = [self._seats(view)]
        parts += self._facts(view)
        if isinstance(cards := view.get("hand"), list) and cards:
            parts.append(Text.assemble((f"{self.words.hand}: ", "bold"), _cards(cards)))
        parts.append(self.awaited())
        return Group(*parts)

    def awaited(self) -> Text:
        """Who is waited for, and for how long."""
        awaits, words = self.match.awaits, self.words
        if self.match.finished:
            return Text()
        if not awaits.seats:
            taken = sum(chair.player is not None or chair.bot is not None for chair in self.match.seats)
            open_ = words.lobby.format(taken=taken, seats=len(self.match.seats))
            return Text(open_ if self.match.status == "open" else "")
        who = ", ".join(self.name(seat) for seat in awaits.seats)
        said = words.waiting_for.format(who=who)
        if self.match.sandbox:
            return Text(f"{said} · {words.stands_still}", style="dim")
        left = "" if awaits.until is None else f" · {words.seconds.format(count=self.seconds_to(awaits.until))}"
        return Text(said + left, style="bold yellow" if self.match.seat in awaits.seats else "dim")

    def name(self, seat: int) -> str:
        chair = next((chair for chair in self.match.seats if chair.seat == seat), None)
        if chair is None:
            return str(seat)
        if seat == self.match.seat:
            return f"{chair.name} ({self.words.you})" if chair.name else self.words.you
        if chair.bot is not None:
            return f"{self.words.bot} {seat + 1}"
        return chair.name or f"{self.words.seat} {seat + 1}"

    def seconds_to(self, moment: datetime) -> int:
        return max(0, -((self.now - moment) // timedelta(seconds=1)))

    def _seats(self, view: Mapping[str, Any]) -> Table:
        seats = self.match.seats
        columns = {name: value for name, value in view.items() if _by_seat(name, value, len(seats))}
        table = Table(box=None, pad_edge=False, show_header=bool(columns), header_style="dim", padding=(0, 2, 0, 0))
        table.add_column("")
        table.add_column("", justify="right")
        table.add_column("")
        for name in columns:
            table.add_column(self.words.label(name), justify="right")
        for place, chair in enumerate(seats):
            awaited = chair.seat in self.match.awaits.seats
            who = self.name(chair.seat) if chair.player or chair.bot else f"({self.words.free})"
            gone = f" ({self.words.left})" if chair.left else ""
            style = "bold" if chair.seat == self.match.seat else ""
            cells = [self._said(name, value[place]) for name, value in columns.items()]
            number = Text(str(chair.seat + 1), style="dim")
            table.add_row("▶" if awaited else " ", number, who + gone, *cells, style=style)
        return table

    def _facts(self, view: Mapping[str, Any]) -> Iterator[Text]:
        """What is no column: short things on one line, then a line for each that has parts."""
        short, long = self._sorted(view)
        if short:
            yield Text(" · ".join(short))
        for name, things in long:
            newest = things[-NEWEST:]
            told = [f"({self._said('', one)})" for one in newest]
            if more := len(things) - len(newest):
                told.insert(0, self.words.more.format(count=more))
            yield Text(f"{self.words.label(name)}: {' '.join(told)}")

    def whole(self) -> Iterator[Table]:
        """The lists of which the table shows only the newest, with a line for each thing."""
        for name, things in self._sorted(self.match.view or {})[1]:
            if len(things) <= NEWEST:
                continue
            table = Table(title=self.words.label(name), title_justify="left", box=None, pad_edge=False)
            columns = dict.fromkeys(key for thing in things for key in thing if key != "type")
            for key in columns:
                table.add_column(self.words.label(key), header_style="dim")
            for thing in things:
                table.add_row(*(self._said(key, thing.get(key)) for key in columns))
            yield table

    def _sorted(self, view: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, list[Any]]]]:
        """What is no column: short things in words, and by their names those that have parts."""
        flat = dict(view)
        if isinstance(phase := flat.pop("phase", None), dict):  # whom it waits for, and until when, is shown anyway
            flat |= {name: value for name, value in phase.items() if name not in ("type", "seat", "until")}
        short: list[str] = []
        long: list[tuple[str, list[Any]]] = []
        for name, value in flat.items():
            if (name == "hand" and isinstance(value, list)) or _by_seat(name, value, len(self.match.seats)):
                continue
            things = [value] if isinstance(value, dict) else value
            if isinstance(things, list) and things and all(isinstance(one, dict) for one in things):
                long.append((name, things))
            elif name in SEATS and isinstance(value, list) and len(value) == len(self.match.seats):
                continue  # all of them
            elif said := self._said(name, value):
                short.append(f"{self.words.label(name)} {said}")
        return short, long

    def _said(self, name: str, value: Any) -> str:
        """In a few words; nothing where there is nothing to say."""
        match value:
            case None | [] | "":
                return ""
            case bool():
                return self.words.yes if value else self.words.no
            case int() if name in A_SEAT:
                return self.name(value)
            case str() if seat := _SEAT.fullmatch(value):
                return self.name(int(seat[1]))
            case str() if _MOMENT.match(value):
                left = self.seconds_to(datetime.fromisoformat(value))
                return self.words.from_in.format(count=left) if left else ""
            case [*numbers] if name in SEATS:
                return ", ".join(self.name(seat) for seat in numbers if isinstance(seat, int))
            case [*things]:
                return " ".join(self._said("", thing) for thing in things)
            case dict():
                parts = ((self.words.label(key), self._said(key, one)) for key, one in value.items() if key != "type")
                return ", ".join(f"{label} {said}" for label, said in parts if said)
            case str() if _HASH.fullmatch(value):
                return ""
            case str():
                return self.words.value(value)
            case _:
                return str(value)

    def menu(self, offers: Iterable[Offer]) -> RenderableType:
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        for column in range(3):
            table.add_column(justify="right" if not column else "left", overflow="fold")
        for number, offer in enumerate(offers, 1):
            wait = 0 if offer.not_before is None else self.seconds_to(offer.not_before)
            details = [f"{self.words.label(name)}: {self._bound(name, bound)}" for name, bound in offer.fields.items()]
            if wait:
                details.append(self.words.from_in.format(count=wait))
            name = self.words.label(offer.type.rpartition(".")[2])
            table.add_row(str(number), Text(name, style="dim" if wait else "bold cyan"), Text(" · ".join(details)))
        return table

    def question(self, choice: Choice) -> RenderableType:
        """About the field of an action that comes next."""
        bound, field = choice.bound, self.words.label(choice.field)
        if bound.one_of is not None:
            asked = self.words.pick_one.format(field=field)
        elif bound.choose is not None:
            asked = self.words.pick_some.format(field=field, fewest=bound.min, most=bound.max)
        elif bound.step is not None:
            asked = self.words.pick_number.format(field=field, fewest=bound.min, most=bound.max, step=bound.step)
        else:
            asked = self.words.pick_hidden.format(field=field)
        hints = [self.words.enter_leaves_out] if bound.optional else []
        listed = Text()
        for number, value in zip(numbers(choice.field, bound), values(bound), strict=True):
            listed.append(f"{number} ", style="dim").append(_cards([self._choice(choice.field, bound, value)]))
            listed.append("   ")
        return Group(listed, Text(f"{asked}  {' · '.join([*hints, self.words.back])}", style="bold"))

    def _choice(self, field: str, bound: Bound, value: Any) -> str:
        """One of those among which a field chooses."""
        return self.name(value) if is_seat(field, bound) else self._said("", value)

    def _bound(self, field: str, bound: Bound) -> str:
        if bound.one_of is not None:
            known = [self._choice(field, bound, value) for value in bound.one_of]
            all_of_them = ", ".join(known)
            said = all_of_them if len(all_of_them) <= 40 else f"{known[0]} … {known[-1]}"
        elif bound.choose is not None:
            said = f"{bound.min}–{bound.max}" if bound.min < bound.max else str(bound.min)
        elif bound.step is not None:
            said = f"{bound.min}–{bound.max}"
        else:
            said = "…"
        return f"{said} ({self.words.optional})" if bound.optional else said

    def end(self, *, told: bool) -> Iterator[Text]:
        """How it ended; ``told``: the server has said it already, and what it said is not said again."""
        result, words = self.match.result, self.words
        if self.match.branched_to is not None:
            yield Text(words.branched.format(match=self.match.branched_to))
            return
        if result is None or self.match.status == "void":
            if not told:
                yield Text(words.void)
            return
        if self.match.seat in result.winners:
            yield Text(words.you_won, style="bold green")
        elif told:
            pass
        elif not result.winners:
            yield Text(words.abandoned)
        else:
            yield Text(words.winners.format(who=", ".join(map(self.name, result.winners))), style="bold")
        if result.scores:
            scores = ", ".join(f"{self.name(seat)} {score}" for seat, score in enumerate(result.scores))
            yield Text(f"{words.scores}: {scores}")
        if result.seed:
            yield Text(words.seed.format(seed=result.seed), style="dim")


def tells_the_end(frames: Iterable[Frame]) -> bool:
    """Whether the sentence of one of these says how it ended."""
    return any(frame.event.get("type") in _ENDINGS for frame in frames)


def _by_seat(name: str, value: Any, seats: int) -> bool:
    """Whether that is a list with one entry for each seat."""
    if not isinstance(value, list) or len(value) != seats or name in SEATS or name == "hand":
        return False
    kinds = {type(entry) for entry in value}
    return kinds <= {int, float, type(None)} or kinds == {bool} or kinds == {list}


def _cards(cards: Iterable[str]) -> Text:
    """Cards in their colours; what is no card as it is."""
    shown = [Text(card, style="red" if _CARD.fullmatch(card) and card[1] in _RED else "") for card in cards]
    return Text(" ").join(shown)
