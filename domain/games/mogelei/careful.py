"""The careful bot: it counts cards, hides high ones, and doubts where a lie is probable.

It knows its own hand and pile, what was shown to all, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.games.mogelei import deck
from domain.games.mogelei.actions import (
    AcceptHand,
    Call,
    ContinueRound,
    Doubt,
    EndRound,
    KeepHidden,
    Lay,
    PlayerAction,
    Reveal,
)
from domain.games.mogelei.deck import COLOURS, EGG_POINTS, FRIED_EGGS, Colour
from domain.games.mogelei.events import Dealt, Doubted, Event, PileKept, Revealed, RoundEnded
from domain.games.mogelei.offers import can_be_doubted
from domain.games.mogelei.state import Lying, State, ToReveal
from domain.kernel.cards import Card, Cards
from domain.kernel.chance import Draw
from domain.kernel.game import Seat
from domain.kernel.offers import Offer, OneOf
from domain.kernel.seating import with_seat

ENDS: Final = 0.4  # how often another controller is taken to end the round
DOUBTS: Final = 0.4  # and to doubt somebody
STAYS: Final = 0.45  # who continues is taken to keep the cards in the end so often
CATCHES_UP: Final = 0.3  # and his own lie to be the biggest then
HIGH: Final = 0.5  # a card is laid as a lie if it is the biggest at least so often


class MogeleiCounting(Struct, frozen=True):
    """``shown``: cards of this hand that this seat has seen, besides its own.

    By seat: the colours of which it is known to hold none (``void``), and how often it hid (``lies``) or showed
    (``truths``) a card of the colour in the match.
    """

    seat: Seat
    shown: frozenset[Card]
    void: tuple[frozenset[str], ...]
    lies: tuple[int, ...]
    truths: tuple[int, ...]


def begin(seat: int, seats: int) -> MogeleiCounting:
    return MogeleiCounting(Seat(seat), frozenset(), (frozenset(),) * seats, (0,) * seats, (0,) * seats)


def remember(memory: MogeleiCounting, seen: State, event: Event) -> MogeleiCounting:
    match event:
        case Dealt():
            return replace(memory, shown=frozenset(), void=(frozenset(),) * len(memory.void))
        case Revealed(_, seat, card):
            truths = with_seat(memory.truths, seat, memory.truths[seat] + 1)
            return replace(memory, shown=memory.shown | {card}, truths=truths)
        case Doubted(_, _, seat, card):
            return _was_hidden(memory, seen, seat, card)
        case RoundEnded(_, hidden):
            for it in hidden:
                memory = _was_hidden(memory, seen, it.seat, it.card)
            return memory
        case PileKept(seat, cards) if seat == memory.seat:
            return replace(memory, shown=memory.shown.union(cards))
        case _:
            return memory


def _was_hidden(memory: MogeleiCounting, seen: State, seat: Seat, card: Card) -> MogeleiCounting:
    """A lie; or the truth, and then its player has no card of the colour left."""
    shown = memory.shown | {card}
    if deck.colour(card) == seen.colour:
        return replace(memory, shown=shown, lies=with_seat(memory.lies, seat, memory.lies[seat] + 1))
    assert seen.colour is not None
    return replace(memory, shown=shown, void=with_seat(memory.void, seat, memory.void[seat] | {seen.colour}))


def choose(memory: MogeleiCounting, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    by_type = {offer.type: offer for offer in offers}
    if "mogelei.call" in by_type:
        return Call(_colour_to_call(_Table(memory, seen)))
    if "mogelei.lay" in by_type:
        card = by_type["mogelei.lay"].fields["card"]
        assert isinstance(card, OneOf)
        return Lay(_card_to_lay(_Table(memory, seen), tuple(map(str, card.one_of))))
    if "mogelei.reveal" in by_type:
        return Reveal() if _rather_shows(_Table(memory, seen)) else KeepHidden()
    if "mogelei.keep_hidden" in by_type:
        return KeepHidden()
    if "mogelei.end_round" in by_type:
        return _control(_Table(memory, seen), may_continue="mogelei.continue_round" in by_type)
    return AcceptHand() if "mogelei.accept_hand" in by_type else None


class _Table:
    """What the seat can tell of the cards that it does not see."""

    def __init__(self, memory: MogeleiCounting, seen: State) -> None:
        self.memory = memory
        self.seen = seen
        self.seat = memory.seat
        self.hand = seen.hands[memory.seat]
        on_table = [it.card for it in seen.played if it.seat == memory.seat]
        known = memory.shown.union(self.hand, on_table)
        zones = (*seen.hands, *seen.kept, seen.away, seen.played)
        players = sum(len(zone) for zone in zones) // deck.HAND
        self.unseen = [card for card in deck.pack(players) if card not in known]
        self.others = [seat for seat in seen.present if seat != memory.seat]

    def holds(self, seat: Seat, colour: str, hand: int) -> float:
        """The chance that a hand of so many cards has one of this colour."""
        if colour in self.memory.void[seat]:
            return 0.0
        fits, unseen = len(deck.of_colour(self.unseen, colour)), len(self.unseen)
        return 1 - comb(unseen - fits, hand) / comb(unseen, hand) if hand <= unseen else 1.0

    def lies(self, seat: Seat, colour: str, hand: int) -> float:
        """The chance that a card of this seat, once kept hidden, is of this colour all the same."""
        holds = self.holds(seat, colour, hand)
        liar = holds * self.hides(seat)
        return liar / (liar + 1 - holds) if liar else 0.0

    def hides(self, seat: Seat) -> float:
        """How often it has hidden a card of the colour."""
        lies, truths = self.memory.lies[seat], self.memory.truths[seat]
        return (1 + lies) / (2 + lies + truths)

    def higher(self, card: Card) -> float:
        """What part of the unseen cards of its colour is higher."""
        colour = deck.colour(card)
        assert colour is not None
        rivals = deck.of_colour(self.unseen, colour)
        return sum(deck.value(rival) > deck.value(card) for rival in rivals) / max(len(rivals), 1)

    def fried(self) -> float:
        """How many fried eggs are to be expected on the cards of the round."""
        seen = sum(FRIED_EGGS.get(it.card, 0) for it in self.seen.played)
        hidden = sum(not it.shown and it.seat != self.seat for it in self.seen.played)
        return seen + hidden * deck.fried(self.unseen) / max(len(self.unseen), 1)

    def suspicion(self, it: Lying) -> float:
        colour = self.seen.colour
        assert colour is not None
        later = self.seen.last_pass - it.pass_id
        return self.lies(it.seat, colour, len(self.seen.hands[it.seat]) + 1 + later)

    def hidden(self) -> Iterator[Lying]:
        """What others have kept hidden in this round."""
        for it in self.seen.played:
            if not it.shown and it.seat != self.seat:
                yield it

    def own_lie(self) -> Card | None:
        """The highest card of the colour that this seat has hidden, or is about to."""
        colour = self.seen.colour
        assert colour is not None
        own = deck.of_colour((it.card for it in self.seen.played if it.seat == self.seat and not it.shown), colour)
        return max(own, key=deck.value, default=None)

    def biggest_liar(self) -> tuple[float, float]:
        """The chances that this seat, and that another one, has hidden the highest card of the colour."""
        own, nobody_else, nobody_higher = self.own_lie(), 1.0, 1.0
        for it in self.hidden():
            lies = self.suspicion(it)
            nobody_else *= 1 - lies
            nobody_higher *= 1 - lies * (1.0 if own is None else self.higher(own))
        return (0.0, 1 - nobody_else) if own is None else (nobody_higher, 1 - nobody_higher)


def _colour_to_call(table: _Table) -> Colour:
    """Where its highest card would probably be the biggest lie."""

    def worth(colour: Colour) -> tuple[float, int]:
        own = deck.of_colour(table.hand, colour)
        if not own:
            return 0.0, 0
        return _biggest(table, max(own, key=deck.value)), len(own)

    return max(COLOURS, key=worth)


def _biggest(table: _Table, card: Card) -> float:
    """The chance that nobody else hides a higher one, if all lay now."""
    colour, chance = deck.colour(card), 1.0
    assert colour is not None
    for seat in table.others:
        lies = table.holds(seat, colour, len(table.seen.hands[seat])) * table.hides(seat)
        chance *= 1 - lies * table.higher(card)
    return chance


def _card_to_lay(table: _Table, playable: Cards) -> Card:
    """High enough to be the biggest lie; else low; of another colour a fried egg, for others to eat."""
    if deck.colour(playable[0]) == table.seen.colour:
        highest = max(playable, key=deck.value)
        return highest if _biggest(table, highest) >= HIGH else min(playable, key=deck.value)
    return min(playable, key=lambda card: (-FRIED_EGGS.get(card, 0), deck.value(card)))


def _rather_shows(table: _Table) -> bool:
    """Hidden, the card may earn the egg, or be doubted; shown, it is safe, but the highest one shown takes control,
    and who controls mostly keeps the cards."""
    seen = table.seen
    phase = seen.phase
    assert isinstance(phase, ToReveal)
    mine = seen.lying(table.seat)
    assert mine is not None
    shown = [deck.value(it.card) for it in seen.played if it.pass_id == seen.last_pass and it.shown]
    others = len(table.others)
    burnt, (own, _) = table.fried(), table.biggest_liar()
    hides = ENDS * EGG_POINTS * own - DOUBTS * burnt / others
    if any(value > deck.value(mine.card) for value in shown):
        return hides < 0
    return hides < -burnt / 2


def _control(table: _Table, *, may_continue: bool) -> PlayerAction:
    """What brings this seat the most, set against what it brings the others on average."""
    seen, options = table.seen, table.seen.options
    others = len(table.others)
    burnt, (own, other) = table.fried(), table.biggest_liar()
    if options.round_pile == "liar":
        ends = (EGG_POINTS - burnt) * (own - other / others) - burnt * (1 - own - other)
    else:
        ends = EGG_POINTS * (own - other / others) - burnt
    best: tuple[float, PlayerAction] = (ends, EndRound())
    for seat in can_be_doubted(seen, table.seat):
        it = seen.lying(seat)
        assert it is not None
        right = table.suspicion(it)
        egg = EGG_POINTS / others if options.false_doubt_egg else 0.0
        worth = right * burnt / others - (1 - right) * (burnt + egg)
        best = max(best, (worth, Doubt(seen.last_pass, seat)), key=lambda choice: choice[0])
    if may_continue:
        more = burnt + len(seen.present) * deck.fried(table.unseen) / max(len(table.unseen), 1)
        worth = CATCHES_UP * EGG_POINTS * own - STAYS * more
        best = max(best, (worth, ContinueRound()), key=lambda choice: choice[0])
    return best[1]
