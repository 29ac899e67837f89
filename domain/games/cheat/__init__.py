"""Mogeln / Cheat / I Doubt It: cards laid face down, a rank named, and anyone may call it a lie. Rules: RULES.md."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from domain.games.cheat import actions, bots, dealing, decider, events, evolve, house, offers, options, state
from domain.kernel.game import Game

CHEAT: Final[Game[state.State, actions.Action, events.Event, options.CheatOptions]] = Game(
    id="cheat",
    names={"en": "Cheat", "de": "Mogeln"},
    seats=(3, 10),
    rules_version=1,
    rules=files(__package__).joinpath("RULES.md").read_text(encoding="utf-8"),
    options=options.CheatOptions,
    player_action=actions.PlayerAction,
    event=events.Event,
    deal=state.StackedDeal,
    check=options.check,
    begin=state.begin,
    check_deal=dealing.check_deal,
    decide=decider.decide,
    evolve=evolve.evolve,
    awaits=house.awaits,
    house=house.house,
    drawn=dealing.drawn,
    vacate=actions.Vacate,
    offers=offers.offers,
    bots=bots.BOTS,
    deals=(events.Dealt,),
)
