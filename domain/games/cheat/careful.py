# ruff: noqa: S105 – a pass rule is no password
"""The careful bot: it counts cards, lays the truth where it can, and doubts what it holds for a lie.

It knows its own hand and what it laid, what challenges showed, who took what of that, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.games.cheat.actions import (
    Accept,
    AcceptRound,
    Challenge,
    Pass,
    Play,
    PlayerAction,
    ProposePass,
    RefusePass,
)
from domain.games.cheat.events import (
    CardsOwed,
    Challenged,
    Claimed,
    Dealt,
    Drawn,
    Event,
    ForfeitGiven,
    Left,
    PileTaken,
)
from domain.games.cheat.state import LastPlay, Lying, State
from domain.games.cheat.windows import lying
from domain.kernel import cards as packs
from domain.kernel.cards import BACK, JOKER, RANKS, SUITS, Cards
from domain.kernel.chance import Draw
from domain.kernel.game import Seat
from domain.kernel.offers import Choose, Offer, OneOf
from domain.kernel.scoring import Mode

MOST: Final = 4
BLUFFS: Final = (0.0, 0.65, 0.2, 0.1, 0.05)  # how many cards liars lay
HONEST: Final = 0.8  # who can tell the truth mostly does, and lays all that fits
UNDERSTATES: Final = 0.15
JOKERS: Final = 0.3  # and with a joker one need not lie
SURE: Final = 0.03  # below this, one believes


class Counting(Struct, frozen=True):
    """``known``: by seat, cards that went into its hand for all to see, and may have left it since.

    ``lies`` and ``truths``: how often claims were shown to be that, by seat and kind of claim.
    ``shown``: claims lying in the pile whose cards everybody has seen. ``doubts``: how probably the latest claims
    are lies, weighed when they were made, for then one knew best what their player held.
    """

    seat: Seat
    known: tuple[Cards, ...]
    lies: tuple[int, ...]
    truths: tuple[int, ...]
    shown: tuple[Lying, ...] = ()
    doubts: tuple[tuple[int, float], ...] = ()


def begin(seat: int, seats: int) -> Counting:
    return Counting(Seat(seat), ((),) * seats, (0,) * 2 * seats, (0,) * 2 * seats)


def remember(memory: Counting, seen: State, event: Event) -> Counting:
    match event:
        case Dealt():
            return replace(memory, known=((),) * len(memory.known), shown=())
        case Challenged(claim_id, seat, _, rank, cards, stands):
            counted = memory.truths if stands else memory.lies
            kind = _kind(seat, len(cards))
            counted = (*counted[:kind], counted[kind] + 1, *counted[kind + 1 :])
            lies, truths = (memory.lies, counted) if stands else (counted, memory.truths)
            shown = (*memory.shown, Lying(claim_id, seat, rank, cards))
            return replace(_gone(memory, cards), shown=shown, lies=lies, truths=truths)
        case PileTaken(seat, cards) if seat == memory.seat:
            return replace(_gone(memory, cards), shown=())
        case PileTaken(seat):
            return replace(_holds(memory, seat, _seen_in_pile(memory, seen)), shown=())
        case ForfeitGiven(seat, _, back) | CardsOwed(seat, _, back):
            taken = next((claim.cards for claim in memory.shown if claim.claim_id == back), ())
            kept = tuple(claim for claim in memory.shown if claim.claim_id != back)
            return replace(_holds(memory, seat, taken), shown=kept)
        case Drawn(seat, cards, from_pile):
            drawn = _gone(memory, cards) if seat == memory.seat else memory
            return replace(drawn, shown=()) if from_pile else drawn
        case Claimed(claim_id, seat, rank, cards):
            weighed = doubt(memory, seen, seat, rank, len(cards))
            laid = _laid(memory, seat, rank, len(cards), left=len(seen.hands[seat]) - len(cards))
            return replace(laid, doubts=(*memory.doubts[-1:], (claim_id, weighed)))
        case Left(seat):
            return replace(memory, known=(*memory.known[:seat], (), *memory.known[seat + 1 :]))
        case _:
            return memory


def _kind(seat: Seat, count: int) -> int:
    """Who is honest about several cards need not be about a single one."""
    return 2 * seat + (count > 1)


def _seen_in_pile(memory: Counting, seen: State) -> Cards:
    """What this seat laid itself, and what was shown."""
    own = [card for claim in seen.pile for card in claim.cards if card != BACK]
    others = [card for claim in memory.shown if claim.seat != memory.seat for card in claim.cards]
    return (*own, *others)


def _gone(memory: Counting, cards: Cards) -> Counting:
    """What is seen somewhere is in no other hand any more."""
    seen = Counter(cards)
    return replace(memory, known=tuple(tuple((Counter(held) - seen).elements()) for held in memory.known))


def _holds(memory: Counting, seat: Seat, more: Cards) -> Counting:
    moved = _gone(memory, more)
    held = moved.known[seat] + more
    return replace(moved, known=(*moved.known[:seat], held, *moved.known[seat + 1 :]))


def _laid(memory: Counting, seat: Seat, rank: str, count: int, left: int) -> Counting:
    """Who has cards of the rank has probably laid those; nobody holds more than his hand."""
    held = list(memory.known[seat])
    for card in [card for card in held if packs.rank(card) == rank][:count]:
        held.remove(card)
    return replace(memory, known=(*memory.known[:seat], tuple(held[:left]), *memory.known[seat + 1 :]))


def choose(memory: Counting, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    by_type = {offer.type: offer for offer in reversed(offers)}
    for claim_id in to_answer(offers):
        weighed = dict(memory.doubts).get(claim_id, 0.0)
        return Challenge(claim_id) if weighed > _threshold(memory, seen, claim_id) else Accept(claim_id)
    if "cheat.play" in by_type:
        return _turn(seen, by_type)
    if "cheat.refuse_pass" in by_type:
        (proposal_id,) = _ids(by_type["cheat.refuse_pass"], "proposal_id")
        return RefusePass(proposal_id)
    return AcceptRound() if "cheat.accept_round" in by_type else None


def to_answer(offers: Sequence[Offer]) -> Iterator[int]:
    """The claims that this seat has not yet accepted, the newest first."""
    for offer in offers:
        if offer.type == "cheat.accept":
            yield from _ids(offer, "claim_id")


def _ids(offer: Offer, field: str) -> Iterator[int]:
    bound = offer.fields[field]
    assert isinstance(bound, OneOf)
    yield from (value for value in bound.one_of if isinstance(value, int))


def _threshold(memory: Counting, seen: State, claim_id: int) -> float:
    """The more there is to lose, the surer one must be; who is about to win is doubted on a suspicion."""
    claim = lying(seen, claim_id)
    pile = sum(len(other.cards) for other in seen.pile)
    left = len(seen.hands[claim.seat])
    if isinstance(seen.phase, LastPlay) and left == 0:
        return 0.3 if seen.options.mode is Mode.PENALTY_POINTS else SURE
    own = len(seen.hands[memory.seat])
    caution = 0.5 + 0.2 * pile / (pile + own + 1) if seen.options.hand == "all" else 0.6
    return caution - (0.1 if left <= 2 else 0.0)


def doubt(memory: Counting, seen: State, seat: Seat, rank: str, count: int) -> float:
    """How probable it is, between 0 and 1, that this seat lies if it claims this; ``seen``: before it does.

    What lies before one's eyes is certain; what others took up may have been laid again, so it counts for half.
    """
    certain = Counter(seen.hands[memory.seat]) + Counter(_seen_in_pile(memory, seen))
    if count > len(SUITS) * seen.packs - _of_rank(certain, rank) and not seen.options.jokers:
        return 1.0
    elsewhere = Counter(
        card for other, known in enumerate(memory.known) if other not in (seat, memory.seat) for card in known
    )
    there = Counter(memory.known[seat])
    weighed = (_lies(memory, seen, seat, rank, count, away, there) for away in (certain, certain + elsewhere))
    return sum(weighed) / 2


def _lies(
    memory: Counting, seen: State, seat: Seat, rank: str, count: int, away: Counter[str], there: Counter[str]
) -> float:
    """If the cards ``away`` are not in that hand, and those ``there`` are: truth against lie, as bluffers bluff."""
    jokers = max(0, seen.options.jokers - away[JOKER])
    of_rank = len(SUITS) * seen.packs - _of_rank(away, rank) - _of_rank(there, rank)
    held = len(seen.hands[seat])
    whole = len(RANKS) * len(SUITS) * seen.packs + seen.options.jokers
    unseen = max(whole - away.total() - there.total(), held)
    fits = max(0, of_rank) + (jokers if seen.options.joker_mode == "card" else 0)
    drawn = max(0, held - there.total())
    has = [_has(unseen, fits, drawn, n - _of_rank(there, rank)) for n in range(count + 1 + MOST)]
    true = HONEST * has[count] + UNDERSTATES * sum(has[count + 1 :])
    false = BLUFFS[count] * (has[0] + (1 - HONEST) * sum(has[1:]))
    if seen.options.joker_mode == "shield" and jokers:
        true += JOKERS * (1 - _has(unseen, jokers, drawn, 0)) * BLUFFS[count]
    kind = _kind(seat, count)
    trust = (1 + memory.truths[kind]) / (1 + memory.lies[kind])
    return false / (true * trust + false) if true else 1.0


def _of_rank(held: Counter[str], rank: str) -> int:
    return sum(n for card, n in held.items() if packs.rank(card) == rank)


def _has(unseen: int, fits: int, drawn: int, wanted: int) -> float:
    """The chance that exactly ``wanted`` of the fitting cards are among those drawn."""
    if wanted < 0 or wanted > fits or drawn - wanted > unseen - fits or wanted > drawn:
        return 0.0
    return comb(fits, wanted) * comb(unseen - fits, drawn - wanted) / comb(unseen, drawn)


def _turn(seen: State, by_type: dict[str, Offer]) -> PlayerAction:
    laid, ranks = by_type["cheat.play"].fields["cards"], by_type["cheat.play"].fields["rank"]
    assert isinstance(laid, Choose)
    assert isinstance(ranks, OneOf)
    hand = laid.choose
    if len(ranks.one_of) > 1:
        return _free(hand)
    rank = str(ranks.one_of[0])
    true = tuple(card for card in hand if packs.rank(card) == rank)[:MOST]
    jokers = tuple(card for card in hand if card == JOKER)
    if true:
        return Play(_with_jokers(hand, true, jokers), rank)
    if "cheat.pass" in by_type and _rather_passes(seen, hand):
        return Pass()
    worst = _latest_due(hand, rank, len(seen.playing))
    if jokers and seen.options.joker_mode == "shield":
        return Play((JOKER, *worst[: MOST - 1]), rank)
    if jokers:
        return Play((JOKER,), rank)
    if "cheat.propose_pass" in by_type and len(hand) <= 2:
        return ProposePass()
    return Play(worst[:1], rank)


def _free(hand: Cards) -> PlayerAction:
    """The rank of which it holds most, all of them, and the truth."""
    counted = Counter(packs.rank(card) for card in hand if card != JOKER)
    if not counted:
        return Play(hand[:MOST], RANKS[0])
    rank, _ = max(counted.items(), key=lambda item: (item[1], item[0]))
    true = tuple(card for card in hand if packs.rank(card) == rank)[:MOST]
    return Play(_with_jokers(hand, true, tuple(card for card in hand if card == JOKER)), rank)


def _with_jokers(hand: Cards, true: Cards, jokers: Cards) -> Cards:
    """Jokers go along where they empty the hand; else they are kept for a turn without the rank."""
    together = true + jokers
    return together if len(together) == len(hand) <= MOST else true


def _rather_passes(seen: State, hand: Cards) -> bool:
    """A rank of which all has been claimed cannot be claimed again, and a last card that lies is always doubted."""
    return JOKER not in hand and (seen.options.pass_rule == "exhausted" or len(hand) == 1)


def _latest_due(hand: Cards, rank: str, playing: int) -> Cards:
    """Lies are told with the cards that this seat can lay truly only in a long time: the turn comes every
    ``playing`` ranks, and 13 is prime, so each rank comes up once in 13 turns."""
    step = pow(playing, -1, len(RANKS))
    now = RANKS.index(rank)
    alike = Counter(packs.rank(card) for card in hand)

    def wait(card: str) -> tuple[int, int]:
        return (RANKS.index(packs.rank(card)) - now) * step % len(RANKS), -alike[packs.rank(card)]

    return tuple(sorted((card for card in hand if card != JOKER), key=wait, reverse=True))
