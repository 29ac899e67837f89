"""Monopoly Mogeln und Täuschen: rents that must be demanded, and cheating that must be seen. Rules: RULES.md."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from domain.games.monopoly import (
    actions,
    books,
    bots,
    data,
    decider,
    events,
    evolve,
    house,
    offers,
    options,
    setup,
    silence,
    state,
)
from domain.games.monopoly.data.tables import as_text
from domain.kernel.game import Game

MONOPOLY: Final[Game[state.State, actions.Action, events.Event, options.MonopolyOptions]] = Game(
    id="monopoly-cheaters",
    names={"en": "Monopoly Cheaters", "de": "Monopoly Mogeln und Täuschen"},
    seats=(2, 6),
    rules_version=1,
    rules=files(__package__).joinpath("RULES.md").read_text(encoding="utf-8") + "\n" + as_text(data.CURRENT),
    options=options.MonopolyOptions,
    player_action=actions.PlayerAction,
    event=events.Event,
    deal=state.StackedTable,
    check=options.check,
    begin=state.begin,
    check_deal=setup.check_deal,
    decide=decider.decide,
    evolve=evolve.evolve,
    awaits=house.awaits,
    house=house.house,
    drawn=setup.drawn,
    vacate=actions.Vacate,
    offers=offers.offers,
    bots=bots.BOTS,
    data=data.CURRENT.files,
    balance=books.balance,
    deals=(events.SetUpDone,),
    unheard=silence.unheard,
)
