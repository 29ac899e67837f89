"""A table for tests of the Referee: players without HTTP."""

from __future__ import annotations

import hashlib
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import msgspec
from msgspec.structs import replace

from domain.kernel.game import Pace
from projections.catalogue import CATALOGUE
from service.dialogue import Asked, Done, Key, MatchWish, Opened
from service.runtime.runtime import Runtime
from service.store.rows import Player, Token

QUICK = Pace(turn_time=60.0, min_open=5.0, max_open=30.0, round_pause=5.0, bot_think=0.05)


@asynccontextmanager
async def runtime(database: str, redis_url: str) -> AsyncIterator[Runtime]:
    it = await Runtime.open(database, redis_url)
    try:
        yield it
    finally:
        await it.close()


async def a_player(runtime: Runtime, name: str) -> UUID:
    player, now = uuid4(), runtime.clock.now()
    token = Token(uuid4(), player, ("play",), now, None, None)
    await runtime.store.accounts.create(Player(player, name, now), token, hashlib.sha256(player.bytes).digest())
    return player


class Table:
    """One match and who plays it, with whom to speak for everybody."""

    def __init__(self, runtime: Runtime, match: UUID, players: list[UUID]) -> None:
        self.runtime = runtime
        self.match = match
        self.players = players

    def asked(self, seat: int, key: Key | None = None) -> Asked:
        return Asked(player=self.players[seat], received_at=self.runtime.clock.now(), key=key)

    async def act(self, seat: int, said: dict[str, Any], key: Key | None = None, **more: Any) -> Done:
        game = CATALOGUE[await self.runtime.referee.game_of(self.match, self.players[0])].game
        raw = msgspec.json.encode(said)
        action = msgspec.json.decode(raw, type=game.player_action)
        return await self.runtime.referee.act(self.asked(seat, key), self.match, action, raw, **more)

    async def sees(self, viewer: int) -> dict[str, Any]:
        seen: dict[str, Any] = msgspec.json.decode((await self.runtime.reader.look(self.match, viewer)).body)
        return seen

    async def turn_clock(self, ms: int) -> dict[str, Any]:
        done = await self.runtime.referee.turn_clock(self.asked(0), self.match, ms)
        told: dict[str, Any] = msgspec.json.decode(done.body)
        return told

    async def play_on(self, luck: random.Random, until: Callable[[dict[str, Any]], bool]) -> None:
        """Every seat does anything it is offered, the clock is turned where nobody can."""
        while True:
            acted = False
            for seat in range(len(self.players)):
                seen = await self.sees(seat)
                if until(seen):
                    return
                usable = [o for o in seen["actions"] if o.get("not_before", "") <= seen["server_time"]]
                dull = [o for o in usable if "challenge" not in o["type"] or luck.random() < 0.2]
                if dull:
                    await self.act(seat, fitting(luck.choice(dull), luck))
                    acted = True
            if not acted:
                await self.turn_clock(5000)


def fitting(offer: dict[str, Any], luck: random.Random) -> dict[str, Any]:
    said: dict[str, Any] = {"type": offer["type"]}
    for name, bound in offer["fields"].items():
        if "one_of" in bound:
            said[name] = luck.choice(bound["one_of"])
        elif "choose" in bound:
            said[name] = luck.sample(bound["choose"], luck.randint(bound["min"], bound["max"]))
        else:
            said[name] = luck.randrange(bound["min"], bound["max"] + 1, bound["step"])
    return said


A_WISH = MatchWish(
    game="cheat",
    seats=3,
    options=msgspec.Raw(b"{}"),
    pace=QUICK,
    access="public",
    leaving="bot",
    fill=None,
    sandbox=True,
    seed=None,
    deal=None,
    sit=True,
    entropy_commitment=None,
)


async def a_table(runtime: Runtime, names: str = "Anna Ben Cara", start: bool = True, **wish: Any) -> Table:
    players = [await a_player(runtime, name) for name in names.split()]
    now = runtime.clock.now
    opened: Opened = await runtime.referee.open(
        Asked(player=players[0], received_at=now()), replace(A_WISH, **{"seats": max(3, len(players)), **wish})
    )
    table = Table(runtime, opened.match, players)
    for player in players[1:]:
        await runtime.referee.join(Asked(player=player, received_at=now()), opened.code, entropy_commitment=None)
    if start:
        await runtime.referee.start(table.asked(0), opened.match)
    return table
