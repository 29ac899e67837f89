"""Mogeln / Cheat / I Doubt It: cards laid face down, a rank named, and anyone may call it a lie. Rules: RULES.md."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from domain.games.cheat.actions import Action, PlayerAction, Vacate
from domain.games.cheat.bots import BOTS
from domain.games.cheat.dealing import check_deal
from domain.games.cheat.decider import decide
from domain.games.cheat.events import Event
from domain.games.cheat.house import awaits, house
from domain.games.cheat.offers import offers
from domain.games.cheat.options import CheatOptions, check
from domain.games.cheat.state import StackedDeal, State, begin, evolve
from domain.kernel.game import Game

CHEAT: Final[Game[State, Action, Event, CheatOptions]] = Game(
    id="cheat",
    names={"en": "Cheat", "de": "Mogeln"},
    seats=(3, 10),
    rules_version=1,
    rules=files(__package__).joinpath("RULES.md").read_text(encoding="utf-8"),
    options=CheatOptions,
    player_action=PlayerAction,
    event=Event,
    deal=StackedDeal,
    check=check,
    begin=begin,
    check_deal=check_deal,
    decide=decide,
    evolve=evolve,
    awaits=awaits,
    house=house,
    vacate=Vacate,
    offers=offers,
    bots=BOTS,
)
