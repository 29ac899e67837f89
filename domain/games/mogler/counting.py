"""The stars of a round. Rules: RULES.md 6."""

from __future__ import annotations

from collections import Counter
from typing import Final

from domain.games.mogler.events import MoglerScore
from domain.games.mogler.state import State
from domain.games.mogler.tricks import locked, suit
from domain.kernel import cards as packs
from domain.kernel.cards import Cards
from domain.kernel.game import Seat

SUIT_TRICK: Final = 3
TRUMP_TRICK: Final = 2
MOGELSTICH: Final = 2  # for each card in hand, and each own trump trick that shows its suit
TARGET: Final = 20


def score(state: State, seat: Seat, early: bool) -> MoglerScore:
    """What a seat has won in the round that is over; caught or gone: nothing."""
    if seat not in state.playing:
        return MoglerScore()
    tricks = state.tricks[seat]
    if not tricks:
        return MoglerScore(no_trick=state.players)
    shows = Counter(suit(trick.shows) for trick in tricks if trick.shows is not None)
    hoarded = sum(shows[suit(card)] for card in state.hands[seat]) if early else 0
    return MoglerScore(
        suit_tricks=SUIT_TRICK * (len(tricks) - shows.total()),
        trump_tricks=TRUMP_TRICK * shows.total(),
        mogelstich=MOGELSTICH * hoarded,
    )


def counted(state: State, seat: Seat, early: bool) -> Cards:
    """The cards in hand that make a Mogelstich: they are shown, others are not (6.4)."""
    if not early or seat not in state.playing:
        return ()
    dead = locked(state.tricks[seat])
    return packs.sort(card for card in state.hands[seat] if suit(card) in dead)
