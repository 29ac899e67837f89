"""The family's Mogeln, with jokers: a card face down, a rank said, and sometimes two cards for one. Rules: RULES.md."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from domain.games.family_mogeln import actions, bots, dealing, decider, events, evolve, house, offers, options, state
from domain.kernel.game import Game

FAMILY_MOGELN: Final[Game[state.State, actions.Action, events.Event, options.Options]] = Game(
    id="family-mogeln",
    names={"en": "Family Mogeln", "de": "Familien-Mogeln"},
    seats=(3, 10),
    rules_version=1,
    rules=files(__package__).joinpath("RULES.md").read_text(encoding="utf-8"),
    options=options.Options,
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
