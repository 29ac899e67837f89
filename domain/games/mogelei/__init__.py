"""Mogelei: all lay face down, and who does not show his card says that it is of another colour. Rules: RULES.md."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from domain.games.mogelei import actions, bots, dealing, decider, events, evolve, house, offers, options, state
from domain.kernel.game import Game

MOGELEI: Final[Game[state.State, actions.Action, events.Event, options.MogeleiOptions]] = Game(
    id="mogelei",
    names={"en": "Mogelei", "de": "Mogelei"},
    seats=(3, 8),
    rules_version=1,
    rules=files(__package__).joinpath("RULES.md").read_text(encoding="utf-8"),
    options=options.MogeleiOptions,
    player_action=actions.PlayerAction,
    event=events.Event,
    deal=state.MogeleiDeal,
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
    unheard=lambda event: isinstance(event, events.Laid),
)
