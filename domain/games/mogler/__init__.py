"""Mogler: nobody follows suit, the first who does not makes trump, and what one trumped one may not play. RULES.md."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from domain.games.mogler import actions, bots, dealing, decider, events, evolve, house, offers, options, state
from domain.kernel.game import Game

MOGLER: Final[Game[state.State, actions.Action, events.Event, options.MoglerOptions]] = Game(
    id="mogler",
    names={"en": "Mogler", "de": "Mogler"},
    seats=(2, 5),
    rules_version=1,
    rules=files(__package__).joinpath("RULES.md").read_text(encoding="utf-8"),
    options=options.MoglerOptions,
    player_action=actions.PlayerAction,
    event=events.Event,
    deal=state.StackedDeal,
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
    unheard=lambda event: isinstance(event, events.OpeningLaid),
)
