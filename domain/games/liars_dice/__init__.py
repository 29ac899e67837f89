"""Liar's Dice: five hidden dice, a claim that must beat the last, and anyone may call it a lie. Rules: RULES.md."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from domain.games.liars_dice import actions, bots, decider, events, evolve, house, offers, options, rolling, state
from domain.kernel.game import Game

LIARS_DICE: Final[Game[state.State, actions.Action, events.Event, options.LiarsDiceOptions]] = Game(
    id="liars-dice",
    names={"en": "Liar's Dice", "de": "Lügenwürfel"},
    seats=(2, 10),
    rules_version=1,
    rules=files(__package__).joinpath("RULES.md").read_text(encoding="utf-8"),
    options=options.LiarsDiceOptions,
    player_action=actions.PlayerAction,
    event=events.Event,
    deal=state.StackedDice,
    check=options.check,
    begin=state.begin,
    check_deal=rolling.check_deal,
    decide=decider.decide,
    evolve=evolve.evolve,
    awaits=house.awaits,
    house=house.house,
    drawn=rolling.drawn,
    vacate=actions.Vacate,
    offers=offers.offers,
    bots=bots.BOTS,
    deals=(events.RoundBegan,),
)
