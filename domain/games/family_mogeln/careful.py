"""The careful bot: it weighs how often lays are controlled, and how often they were lies, and lays what pays.

It knows its own hand and what it laid, what controls showed, how large piles truly were, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.games.family_mogeln.actions import (
    Accept,
    AcceptRound,
    Control,
    ControlMulti,
    Lay,
    PlayerAction,
    SitOut,
)
from domain.games.family_mogeln.decider import is_true
from domain.games.family_mogeln.events import Controlled, Counted, Event, Laid, PileTaken
from domain.games.family_mogeln.state import State
from domain.games.family_mogeln.windows import ORDER, can_be_controlled, lying, rank_after
from domain.kernel import cards as packs
from domain.kernel.cards import JOKER, SUITS, Cards
from domain.kernel.chance import Draw
from domain.kernel.game import Seat
from domain.kernel.offers import Choose, Offer, OneOf

HONEST: Final = 0.85  # who has the card mostly lays it
JOKERS: Final = 3  # to a pack
WORTH: Final = 0.8  # of a joker in hand, in cards
PRIOR: Final = 3.0  # lays that one must have seen before they outweigh what one expected
PER_SNEAK: Final = 1.5  # cards too many in a lay of two or three, on average


class Weighing(Struct, frozen=True):
    """By seat, how often the top of a lay was shown to be a lie or true, and a lay to be several cards or one.

    ``lays``: others' that could be controlled; of all such lays ``turned`` and ``counted`` were.
    ``extra``: cards too many in the piles that were taken, and ``in_piles`` the others' lays that lay in these.
    """

    seat: Seat
    lies: tuple[int, ...]
    truths: tuple[int, ...]
    several: tuple[int, ...]
    single: tuple[int, ...]
    lays: int = 0
    turned: int = 0
    counted: int = 0
    extra: int = 0
    in_piles: int = 0


def begin(seat: int, seats: int) -> Weighing:
    none = (0,) * seats
    return Weighing(Seat(seat), none, none, none, none)


def remember(memory: Weighing, seen: State, event: Event) -> Weighing:
    match event:
        case Laid(not_before=opens) if opens is not None:
            return replace(memory, lays=memory.lays + 1)
        case Controlled(seat=seat, stands=True):
            return replace(memory, turned=memory.turned + 1, truths=_one_more(memory.truths, seat))
        case Controlled(seat=seat):
            return replace(memory, turned=memory.turned + 1, lies=_one_more(memory.lies, seat))
        case Counted(seat=seat, stands=True):
            return replace(memory, counted=memory.counted + 1, single=_one_more(memory.single, seat))
        case Counted(seat=seat):
            return replace(memory, counted=memory.counted + 1, several=_one_more(memory.several, seat))
        case PileTaken(size=size):
            own = [len(lay.cards) for lay in seen.pile if lay.seat == memory.seat]
            extra = size - len(seen.pile) - (sum(own) - len(own))
            return replace(memory, extra=memory.extra + extra, in_piles=memory.in_piles + len(seen.pile) - len(own))
        case _:
            return memory


def _one_more(by_seat: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    return (*by_seat[:seat], by_seat[seat] + 1, *by_seat[seat + 1 :])


def choose(memory: Weighing, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    for claim_id in to_answer(offers):
        return _answer(memory, seen, claim_id)
    by_type = {offer.type: offer for offer in offers}
    if "family_mogeln.lay" in by_type:
        return _turn(memory, seen, by_type)
    return AcceptRound() if "family_mogeln.accept_round" in by_type else None


def to_answer(offers: Sequence[Offer]) -> Iterator[int]:
    """The lay that this seat could control and has not yet accepted."""
    for offer in offers:
        if offer.type == "family_mogeln.accept":
            bound = offer.fields["claim_id"]
            assert isinstance(bound, OneOf)
            yield from (value for value in bound.one_of if isinstance(value, int))


def _answer(memory: Weighing, seen: State, claim_id: int) -> PlayerAction:
    """Whatever is likelier: that the top is a lie, or that it does not lie alone; if it is likely enough.

    The more there is to lose the surer one must be; who is about to win is controlled on a suspicion.
    """
    lay = lying(seen, claim_id)
    lie, several = doubt(memory, seen, lay.seat, lay.rank), crowd(memory, lay.seat)
    pile, own = seen.pile_size, len(seen.hands[memory.seat])
    caution = 0.5 + 0.2 * pile / (pile + own + 1)
    if seen.sizes[lay.seat] <= 2:
        caution -= 0.2
    if max(lie, several) <= caution:
        return Accept(claim_id)
    return Control(claim_id) if lie >= several else ControlMulti(claim_id)


def doubt(memory: Weighing, seen: State, seat: Seat, rank: str) -> float:
    """How probable it is, between 0 and 1, that the top of this seat's lay is not what it said."""
    away = Counter(seen.hands[memory.seat]) + Counter(
        card for lay in seen.pile if lay.seat == memory.seat for card in lay.cards
    )
    fits = (len(SUITS) + JOKERS) * seen.packs - sum(n for card, n in away.items() if is_true(card, rank))
    if fits <= 0:
        return 1.0
    unseen = (len(ORDER) * len(SUITS) + JOKERS) * seen.packs - away.total()
    held = min(seen.sizes[seat] + 1, unseen)
    without = comb(unseen - fits, held) / comb(unseen, held) if unseen - fits >= held else 0.0
    expected = 1 - HONEST * (1 - without)
    return _weighed(memory.lies[seat], memory.truths[seat], expected)


def crowd(memory: Weighing, seat: Seat) -> float:
    """How probable it is, between 0 and 1, that a lay of this seat has more than one card."""
    usual = (memory.extra / PER_SNEAK + PRIOR * 0.3) / (memory.in_piles + PRIOR)
    return _weighed(memory.several[seat], memory.single[seat], min(1.0, usual))


def _weighed(yes: int, no: int, expected: float) -> float:
    return (yes + PRIOR * expected) / (yes + no + PRIOR)


def _turn(memory: Weighing, seen: State, by_type: dict[str, Offer]) -> PlayerAction:
    laid, ranks = by_type["family_mogeln.lay"].fields["cards"], by_type["family_mogeln.lay"].fields["rank"]
    assert isinstance(laid, Choose)
    assert isinstance(ranks, OneOf)
    rank = _best_rank(laid.choose, seen) if len(ranks.one_of) > 1 else str(ranks.one_of[0])
    last_wanted = _latest_due(laid.choose, rank, len(seen.present))
    if not can_be_controlled(seen, memory.seat) or len(laid.choose) == 1:
        return Lay(last_wanted[:1], rank)
    best, gain = None, 0.0
    for top in _tops(last_wanted, rank):
        below = [card for card in last_wanted if card != JOKER]
        if top in below:
            below.remove(top)
        for more in range(min(laid.max - 1, len(below)) + 1):
            worth = _gain(memory, seen, top, more, rank)
            if worth > gain:
                best, gain = Lay((*below[:more], top), rank), worth
    if best is None:
        return SitOut() if "family_mogeln.sit_out" in by_type else Lay(_tops(last_wanted, rank)[0:1], rank)
    return best


def _tops(last_wanted: Cards, rank: str) -> Cards:
    """What could lie on top: the truth, a joker, and what is needed least."""
    true = tuple(card for card in last_wanted if packs.rank(card) == rank)[:1]
    return true + tuple(card for card in last_wanted if card == JOKER)[:1] + last_wanted[:1]


def _gain(memory: Weighing, seen: State, top: str, more: int, rank: str) -> float:
    """By how many cards the hand will be smaller, on average. ``more``: cards below the top one."""
    risk = 0.0
    if not is_true(top, rank):
        risk += _share(memory.turned, memory.lays)
    if more:
        risk += _share(memory.counted, memory.lays)
    risk = min(risk, 1.0)
    return (1 - risk) * (1 + more) - risk * seen.pile_size - (WORTH if top == JOKER else 0)


def _share(of: int, lays: int) -> float:
    return (of + PRIOR * 0.15) / (lays + PRIOR)


def _best_rank(hand: Cards, seen: State) -> str:
    """The rank to begin with after which one can tell the truth soonest and oftenest."""
    held = {packs.rank(card) for card in hand if card != JOKER}
    return max(ORDER, key=lambda rank: sum(1 / (1 + turns) for turns in _true_turns(held, rank, len(seen.present))))


def _true_turns(held: set[str], rank: str, players: int) -> Iterator[int]:
    for turns in range(len(ORDER)):
        if rank in held:
            yield turns
        for _ in range(players):
            rank = rank_after(rank)


def _latest_due(hand: Cards, rank: str, players: int) -> Cards:
    """The hand, from what this seat can lay truly only in a long time to what it can lay now; jokers are kept longest.

    The turn comes every ``players`` ranks, and 13 is prime, so each rank comes up once in 13 turns.
    """
    step, now = pow(players, -1, len(ORDER)), ORDER.index(rank)

    def wait(card: str) -> tuple[bool, int]:
        return card != JOKER, 0 if card == JOKER else (ORDER.index(packs.rank(card)) - now) * step % len(ORDER)

    return tuple(sorted(hand, key=wait, reverse=True))
