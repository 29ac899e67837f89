"""What an action of Monopoly Cheaters costs, against one of Cheat in the same run: `-m tests.bench.monopoly_speed`.

Six seats and a looker-on, in memory: decided, written with every viewer's frame and chain, and every viewer's view
rendered. No network and no database: those cost the same for every game.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Raw

from domain.kernel.game import HOUSE, Answers, Command, HouseNow, Pace, Seat
from domain.match import actions
from domain.match.clock import SANDBOX_START
from domain.match.decider import awaits, decide, house, open_match
from domain.match.events import NO_DEAL
from projections.catalogue import CATALOGUE
from projections.views.match import offers
from service.runtime.book import Book, empty
from service.runtime.bots import usable
from tests.service.runtime.table import fitting

SEATS: Final = 6
SEED: Final = sha256(b"speed").digest()
RARE: Final = {"accuse": 0.005, "challenge": 0.1, "trade": 0.1, "watch": 0.2}
OPTIONS: Final = {"cheat": '{"mode":"most_wins","rounds":50}', "monopoly-cheaters": "{}"}


class Match:
    """One match, played action by action; ``spent`` holds the seconds of each."""

    def __init__(self, game: str, luck: int) -> None:
        self.luck = Random(luck)
        self.view = CATALOGUE[game]
        self.book: Book = empty(self.view, UUID(int=luck), SEATS)
        self.at: datetime = SANDBOX_START
        self.spent: list[tuple[int, float]] = []
        self._write(open_match(_opening(game, self.view.game.rules_version, luck)), HOUSE)
        for seat in range(SEATS):
            player = f"player-{seat}"
            self._ask(HOUSE, actions.Sit(player=player, asked_by=player))
        self._ask(HOUSE, actions.Start("player-0"))

    def play(self, events: int) -> Match:
        while self.book.version < events and (command := self._next()) is not None:
            began, version = time.perf_counter(), self.book.version
            self._ask(*command)
            for viewer in range(SEATS + 1):
                self.book.body(viewer, self.at, {})
            self.spent.append((version, time.perf_counter() - began))
        return self

    def _ask(self, by: Seat, action: Any) -> None:
        self._write(decide(self.view.game, self.book.open_state(), Command(by, self.at, action)), by)

    def _write(self, happened: Any, by: Seat) -> None:
        self.book, _ = self.book.write(
            happened,
            by=by,
            command=UUID(int=0),
            at=self.at,
            received_at=self.at,
            salt=lambda size: b"\x00" * size,
        )

    def _next(self) -> tuple[Seat, Any] | None:
        state = self.book.open_state()
        act, waited = house(self.view.game, state, SEED), awaits(self.view.game, state)
        if act is None or isinstance(waited, HouseNow):
            return None if act is None else (HOUSE, act)
        assert isinstance(waited, Answers)
        for _ in range(20):
            if (said := next(self._wishes(), None)) is not None:
                return said
            self.at += timedelta(seconds=5)
            if waited.until is not None and self.at >= waited.until:
                break
        self.at = max(self.at, waited.until or self.at)
        return HOUSE, act

    def _wishes(self) -> Iterator[tuple[Seat, Any]]:
        for seat in self.luck.sample(range(SEATS), SEATS):
            seen = self.book.sights[seat].seen
            assert seen is not None
            may = usable(offers(self.view, seen, Seat(seat), self.at), self.at)
            wanted = [offer for offer in may if self.luck.random() < _wish(offer.type)]
            if wanted:
                said = fitting(msgspec.to_builtins(self.luck.choice(wanted)), self.luck)
                yield Seat(seat), msgspec.convert(said, self.view.game.player_action)


def _wish(kind: str) -> float:
    return next((chance for word, chance in RARE.items() if word in kind), 0.8)


def _opening(game: str, rules_version: int, luck: int) -> actions.Open:
    return actions.Open(
        match=str(UUID(int=luck)),
        game=game,
        rules_version=rules_version,
        seats=SEATS,
        options=Raw(OPTIONS[game].encode()),
        pace=Pace(),
        leaving="bot",
        fill=None,
        access="public",
        sandbox=True,
        deal=NO_DEAL,
        seed_commitment=sha256(SEED).hexdigest(),
        host="player-0",
        open_until=SANDBOX_START + timedelta(hours=24),
    )


def rate(match: Match, first: int, last: int) -> float:
    """Actions a second, of those that began at these events."""
    spent = [seconds for version, seconds in match.spent if first <= version <= last]
    return len(spent) / sum(spent)


def main(pairs: int = 5) -> None:
    ratios, early_late = [], []
    for luck in range(1, pairs + 1):
        cheat, monopoly = (Match(game, luck).play(1_000) for game in ("cheat", "monopoly-cheaters"))
        slow, fast = rate(monopoly, 100, 1_000), rate(cheat, 100, 1_000)
        ratios.append(slow / fast)
        print(f"cheat {fast:6.0f}/s  monopoly-cheaters {slow:6.0f}/s  ratio {slow / fast:.2f}")
    for luck in range(11, 11 + pairs):
        long = Match("monopoly-cheaters", luck).play(2_000)
        if long.book.version >= 2_000:
            early_late.append(rate(long, 20, 120) / rate(long, 1_901, 2_000))
    print(f"actions a second against cheat: median {statistics.median(ratios):.2f} (aim ≥ 0.4)")
    print(f"an action at events 1,901–2,000 against 20–120: median ×{statistics.median(early_late):.2f}")


if __name__ == "__main__":
    main()
