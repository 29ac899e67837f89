"""The careful bot: it knows which cards are gone, how long the round may last, and what its locked cards are worth.

It needs no memory: all that it goes by lies on the table or in its hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from math import comb
from typing import Final

from msgspec import Struct

from domain.games.mogler.actions import AcceptRound, LayOpening, Play, PlayerAction, SDiscard, SDraw
from domain.games.mogler.counting import MOGELSTICH, SUIT_TRICK, TRUMP_TRICK
from domain.games.mogler.deck import Stop, Suit
from domain.games.mogler.events import TrickCard
from domain.games.mogler.state import InTrick, State, Taken, ToDiscard
from domain.games.mogler.tricks import STOPS, TRICKS, complete, locked, standing, suit, value
from domain.kernel.bot import Blank
from domain.kernel.cards import PACK, Card, Cards
from domain.kernel.chance import Draw
from domain.kernel.game import Seat
from domain.kernel.offers import Offer

SAMPLES: Final = 12  # how many ways the rest of a trick might go are looked at
A_TRICK: Final = 2.4  # stars that a trick is worth to whoever takes it, before one knows
ENVY: Final = 0.5  # what others win counts against it
HIGH: Final = 0.04  # a card is worth keeping for its value


def choose(memory: Blank, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    seat, kinds = Seat(memory.seat), {offer.type for offer in offers}
    hand = seen.hands[seat]
    if "mogler.lay_opening" in kinds:
        return LayOpening(min(hand, key=standing))  # the last to play has the best of a trick
    if "mogler.s_draw" in kinds:
        return SDraw()  # what is drawn need not be kept
    if isinstance(seen.phase, ToDiscard) and "mogler.s_discard" in kinds:
        return SDiscard(_least_missed(seen, seat, hand))
    if isinstance(seen.phase, InTrick) and "mogler.play" in kinds:
        return Play(_best(seen, seat, seen.phase.plays, luck))
    return AcceptRound() if "mogler.accept_round" in kinds else None


@cache
def lengths(row: tuple[Stop, ...]) -> tuple[float, ...]:
    """How probable it is that 0, 1, 2 … more tricks are played, the next STOP card not being turned yet.

    ``row`` sorted, so that few rows are told apart. The last entry: until all hands are empty.
    """
    left = Counter(STOPS) - Counter(row)
    most = TRICKS - len(row)
    lasts = [1.0, *(_incomplete(left, frozenset(STOPS) - set(row), turned) for turned in range(1, most + 1))]
    return (*(now - then for now, then in pairwise(lasts)), lasts[-1])


def _incomplete(left: Counter[Stop], missing: frozenset[Stop], turned: int) -> float:
    """The chance that not all missing letters are among so many STOP cards."""
    whole, chance = left.total(), 0.0
    for size in range(1, len(missing) + 1):
        for none_of in combinations(sorted(missing), size):
            ways = comb(whole - sum(left[letter] for letter in none_of), turned)
            chance += (-1) ** (size + 1) * ways / comb(whole, turned)
    return chance


def worth(seen: State, hand: Cards, taken: Sequence[Taken], ends_now: bool = False) -> float:
    """Stars that the round will bring who holds this after a trick, if he plays what is not locked as long as he can.

    ``ends_now``: STOP lies there already.
    """
    shows = Counter(suit(trick.shows) for trick in taken if trick.shows is not None)
    base = float(SUIT_TRICK * (len(taken) - shows.total()) + TRUMP_TRICK * shows.total() if taken else seen.players)
    hoard = MOGELSTICH * sum(shows[suit(card)] for card in hand)
    if ends_now:
        return base + hoard
    safe = sum(not shows[suit(card)] for card in hand)
    more = A_TRICK / max(len(seen.playing), 1) if taken else 0.0
    chances = lengths(tuple(sorted(seen.row)))
    return sum(
        chance * (base + more * tricks + (hoard if tricks < len(hand) else 0))
        for tricks, chance in enumerate(chances)
        if tricks <= safe
    )


def _least_missed(seen: State, seat: Seat, hand: Cards) -> Card:
    """The card without which the rest is worth most."""
    ends_now = complete(seen.row)

    def rest(card: Card) -> float:
        kept = tuple([other for other in hand if other != card])
        return worth(seen, kept, seen.tricks[seat], ends_now) - HIGH * value(card)

    return max(hand, key=rest)


class Trick(Struct, frozen=True):
    """A trick so far: what was led, what is trump, and the highest card that counts, with whose it is.

    That a leaver's card counts but wins nothing is left out of account.
    """

    led: Card
    trump: Suit | None = None
    high: int = -1
    winner: Seat | None = None

    def takes(self, card: Card) -> bool:
        """Whether this card would be the highest now; the first of another suit makes trump."""
        if self.trump is None and suit(card) != suit(self.led):
            return True
        return suit(card) == (self.trump or suit(self.led)) and value(card) > self.high

    def add(self, seat: Seat, card: Card) -> Trick:
        trump = self.trump or (None if suit(card) == suit(self.led) else suit(card))
        return Trick(self.led, trump, value(card), seat) if self.takes(card) else self


def _best(seen: State, seat: Seat, plays: tuple[TrickCard, ...], luck: Draw) -> Card:
    hand, taken = seen.hands[seat], seen.tricks[seat]
    dead = locked(taken)
    able = [card for card in hand if suit(card) not in dead]
    if len(able) < 2:
        return able[0] if able else min(hand, key=standing)
    rests = list(_rests(seen, seat, plays, luck))

    def brings(card: Card) -> float:
        kept = tuple([other for other in hand if other != card])
        trick = _so_far((*plays, TrickCard(seat, card)))
        ends = Counter(_played_out(trick, others) for others in rests)
        total = sum(times * _stars(seen, seat, kept, end) for end, times in ends.items())
        return total / len(rests) - HIGH * value(card)

    return max(able, key=brings)


def _stars(seen: State, seat: Seat, kept: Cards, end: Trick) -> float:
    """What the round is worth to whoever keeps these, when the trick has ended so."""
    taken = seen.tricks[seat]
    if end.winner == seat:
        return worth(seen, kept, (*taken, Taken(None if end.trump is None else end.led, ())))
    return worth(seen, kept, taken) - ENVY * (SUIT_TRICK if end.trump is None else TRUMP_TRICK)


def _so_far(plays: Sequence[TrickCard]) -> Trick:
    trick = Trick(plays[0].card)
    for play in plays:
        trick = trick.add(play.seat, play.card)
    return trick


def _played_out(trick: Trick, others: Sequence[tuple[Seat, Cards]]) -> Trick:
    """The trick if each of the others takes it where he can, as cheaply as he can."""
    for other, able in others:
        takes = [card for card in able if trick.takes(card)]
        trick = trick.add(other, min(takes or able, key=standing))
    return trick


def _rests(seen: State, seat: Seat, plays: tuple[TrickCard, ...], luck: Draw) -> Iterator[list[tuple[Seat, Cards]]]:
    """Who plays after this seat, with what each might play; nothing is unknown where nobody does."""
    done = {seat, *(play.seat for play in plays)}
    after = sorted((other for other in seen.playing if other not in done), key=lambda other: (other < seat, other))
    if not after:
        yield []
        return
    unseen = _unseen(seen, seat, plays)
    dead = {other: locked(seen.tricks[other]) for other in after}
    for _ in range(SAMPLES):
        drawn = luck.shuffled(unseen)
        rest: list[tuple[Seat, Cards]] = []
        for other in after:
            hand, drawn = drawn[: len(seen.hands[other])], drawn[len(seen.hands[other]) :]
            rest.append((other, tuple([card for card in hand if suit(card) not in dead[other]]) or hand))
        yield rest


def _unseen(seen: State, seat: Seat, plays: tuple[TrickCard, ...]) -> Cards:
    gone = {*seen.hands[seat], *seen.out, *(play.card for play in plays)}
    gone.update(card for tricks in seen.tricks for trick in tricks for card in trick.cards)
    return tuple([card for card in PACK if card not in gone])
