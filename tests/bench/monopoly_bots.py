"""What bots make of Monopoly Cheaters: how it ends, who wins, and what cheating is worth.

``python -m tests.bench.monopoly_bots ends 1000`` plays careful bots against each other, ``wins 1000`` against random
ones; both print a table for ``docs/monopoly.md``.
"""

from __future__ import annotations

import math
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from domain.games.monopoly.bots import CAREFUL, RANDOM
from domain.games.monopoly.data import CURRENT
from domain.games.monopoly.events import Caught, Event, Succeeded, Undone, WronglyAccused
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.state import State, deed, purse
from domain.games.monopoly.things import MonopolyEffect
from domain.kernel.ledger import net
from tests.domain.monopoly.bot_table import play


def interval(hits: float, of: int) -> str:
    """A share with its 95 % interval (Wilson)."""
    z, p = 1.96, hits / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return f"{p:.1%} ({max(0.0, middle - half):.1%}–{min(1.0, middle + half):.1%})"


def ending(state: State) -> str:
    if len(state.playing) == 1:
        return "one is left"
    return "on LOS" if all(seat in state.parked for seat in state.playing) else "turns used up"


class Cheating:
    """By card: how often tried, survived, caught, undone; and what it brought in all, deeds and hotels at price."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.survived: Counter[str] = Counter()
        self.caught: Counter[str] = Counter()
        self.nothing: Counter[str] = Counter()
        self.brought: defaultdict[str, int] = defaultdict(int)
        self.wrong = 0

    def count(self, events: Sequence[Event], state: State) -> None:
        doing: dict[int, str] = {}
        for event in events:
            slip = getattr(event, "slip", None)
            if slip is not None and slip.card is not None and not slip.effect.nothing:
                seat: Any = getattr(event, "seat", None)
                doing[int(event.debt.creditor[5:]) if seat is None else seat] = slip.card  # type: ignore[union-attr]
                self.tried[slip.card] += 1
            match event:
                case Succeeded(seat, card, effect, moved) if card is not None and seat is not None:
                    self.survived[card] += 1
                    self.brought[card] += worth(state, effect, purse(seat)) + sum(m.amount for m in moved)
                    doing.pop(seat, None)
                case Caught(_, target, card):
                    self.caught[card] += 1
                    penalty = state.data.cheat[card].penalty
                    self.brought[card] -= penalty.bank + penalty.victim + 50 * penalty.jail
                    doing.pop(target, None)
                case Undone(seat) if seat in doing:
                    self.nothing[doing.pop(seat)] += 1
                case WronglyAccused():
                    self.wrong += 1
                case _:
                    pass


def worth(state: State, effect: MonopolyEffect, account: str) -> int:
    """What a cheat that survived brought its seat."""
    told = effect.amount - effect.rent if effect.payer is not None else effect.amount
    money = net(effect.moved, account) + max(0, told)
    deeds = sum(deed(state, street).price * (1 if holder == account else -1) for street, holder in effect.deeds)
    hotel = deed(state, effect.hotel_on).hotel_price if effect.hotel_on is not None else 0
    return money + deeds + hotel


def ends(matches: int) -> None:
    for seats in (6, 3):
        how: Counter[str] = Counter()
        cheating, turns, commands = Cheating(), [], []
        for seed in range(matches):
            played = play([CAREFUL] * seats, MonopolyOptions(), seed)
            how[ending(played.state)] += 1
            turns.append(played.state.turn.number)
            commands.append(played.commands)
            cheating.count(played.events, played.state)
        print(f"\n{seats} careful bots, {matches} matches: ", end="")
        print(f"{sum(turns) / matches:.0f} turns (most {max(turns)}), ", end="")
        print(f"{sum(commands) / matches:.0f} commands; wrong accusations {cheating.wrong / matches:.1f} a match")
        for name in ("on LOS", "one is left", "turns used up"):
            print(f"  {name}: {interval(how[name], matches)}")
        print("\n| card | tried a match | survived | caught | undone | brings a try |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for card in CURRENT.cheat:
            tried = cheating.tried[card]
            parts = (cheating.survived, cheating.caught, cheating.nothing)
            shares = [f"{part[card] / max(1, tried):.0%}" for part in parts]
            brings = cheating.brought[card] / max(1, tried)
            print(f"| `{card}` | {tried / matches:.2f} | {' | '.join(shares)} | {brings:+.0f} |")


def wins(matches: int) -> None:
    for careful, seats in ((1, 2), (1, 4), (3, 6)):
        won = 0.0
        for seed in range(matches):
            kinds = [CAREFUL] * careful + [RANDOM] * (seats - careful)
            turn = seed % seats
            bots = kinds[turn:] + kinds[:turn]
            winners = play(bots, MonopolyOptions(), seed).over.winners
            won += sum(bots[seat] is CAREFUL for seat in winners) / len(winners)
        fair = careful / seats
        print(f"{careful} careful of {seats}: wins {interval(won, matches)}, equal skill {fair:.0%}", flush=True)


if __name__ == "__main__":
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    {"ends": ends, "wins": wins}[sys.argv[1]](count)
