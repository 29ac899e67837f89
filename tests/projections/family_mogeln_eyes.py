"""A match of the family's Mogeln and its twin, which differs only in what one viewer is not told: which cards others
hold, which they lay, and how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.games.family_mogeln.actions import Action, Deal, Lay, PlayerAction, Vacate
from domain.games.family_mogeln.dealing import pack
from domain.games.family_mogeln.decider import decide
from domain.games.family_mogeln.events import Controlled, Counted, Event, Laid, PileTaken, RoundOver
from domain.games.family_mogeln.evolve import evolve
from domain.games.family_mogeln.house import awaits, house
from domain.games.family_mogeln.offers import offers
from domain.games.family_mogeln.options import Options
from domain.games.family_mogeln.state import InTurn, State, begin
from domain.kernel.cards import Cards, sort
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, Command, HouseNow, Over, Pace, fold
from domain.kernel.offers import Choose, Offer, OneOf
from projections.views.seam import Viewer
from tests.any_game import NOON, is_doubt
from tests.projections.secrecy import Pair

OPTIONS: Final = (
    Options(max_turns=60),
    Options(max_turns=25, strict_sit_out=True),
    msgspec.convert({"mode": "most_wins", "rounds": 2, "max_turns": 30}, Options),
)


def differ(pair: Pair) -> bool:
    """Whether a lay that was just made, or still lies there, has more cards in one of them."""
    return [len(lay.cards) for lay in pair.mine.pile] != [len(lay.cards) for lay in pair.twins.pile]


def twins(number: int, viewer: Viewer) -> Iterator[Pair]:
    """Both go on until the rules show the viewer something that tells them apart, or to the end."""
    luck, seats = Random(f"{number} {viewer}"), 3 + number % 4
    chance = Chance(number.to_bytes(32, "big"), f"{number:036d}", b"")
    mine = other = begin(OPTIONS[number % 3], Pace(), seats, None)
    at = NOON
    while not isinstance(awaited := awaits(mine), Over):
        if isinstance(awaited, HouseNow):
            action: Action = house(mine, chance).action
            my_command = Command(HOUSE, at, action)
            twins_command = Command(
                HOUSE, at, _other_deal(action, viewer, luck) if isinstance(action, Deal) else action
            )
        else:
            my_command, twins_command = _both(mine, other, viewer, awaited, chance, at, luck)
        at = my_command.at
        my_events, twins_events = decide(mine, my_command), decide(other, twins_command)
        if shown(my_events, viewer) != shown(twins_events, viewer):
            return
        mine, other = fold(evolve, mine, my_events), fold(evolve, other, twins_events)
        yield Pair(at, mine, other, my_events, twins_events)


def shown(events: tuple[Event, ...], viewer: Viewer) -> list[Any]:
    """What the rules themselves show (RULES.md 5, 8.1, 12.5, 12.6), said once more and apart from ``redact``."""
    return [(type(event), _shown(event, viewer)) for event in events]


def _shown(event: Event, viewer: Viewer) -> Any:
    match event:
        case Laid(rank=rank, turn=turn, closes_at=closes):
            return rank, turn is None and closes is None  # where there is neither the hand is empty
        case Controlled(card=card):
            return card
        case Counted(count=count):
            return count
        case PileTaken(seat=seat, cards=cards, size=size):
            return cards if seat == viewer else size
        case RoundOver(sizes=sizes, pile=pile):
            return sizes, pile
        case _:
            return None


def _other_deal(deal: Deal, viewer: Viewer, luck: Random) -> Deal:
    """The same hand for the viewer, all other cards mixed up among those who hold them."""
    unseen = [card for seat, hand in enumerate(deal.hands) if seat != viewer for card in hand] + list(deal.aside)
    mixed = iter(luck.sample(unseen, len(unseen)))
    hands = tuple(hand if seat == viewer else sort(next(mixed) for _ in hand) for seat, hand in enumerate(deal.hands))
    return replace(deal, hands=hands, aside=sort(mixed))


def _both(
    mine: State, other: State, viewer: Viewer, awaited: Answers, chance: Chance, at: datetime, luck: Random
) -> tuple[Command[Action], Command[Action]]:
    """The same thing is done in both, but others lay what they like in each."""
    assert awaited.until is not None
    if luck.random() < 0.005 and (staying := [seat for seat in mine.present if seat not in mine.leaving]):
        gone: Command[Action] = Command(HOUSE, at, Vacate(luck.choice(staying)))
        return gone, gone
    both_may = {(seat, offer.type) for seat in mine.present for offer in offers(other, seat)}
    offered = [(s, offer) for s in mine.present for offer in offers(mine, s) if (s, offer.type) in both_may]
    wanted = [one for one in offered if not is_doubt(one[1].type) or luck.random() < 0.08]
    if not wanted or luck.random() < 0.05:
        at = max(at, awaited.until)
        return Command(HOUSE, at, house(mine, chance).action), Command(HOUSE, at, house(other, chance).action)
    seat, offer = luck.choice(wanted)
    at = max(at, offer.not_before or at)
    if offer.type == "family_mogeln.lay":
        lay = _lay(offer, luck)
        return Command(seat, at, lay), Command(seat, at, lay if seat == viewer else _otherwise(lay, mine, other, luck))
    action: PlayerAction = msgspec.convert(
        {"type": offer.type} | {name: bound.one_of[0] for name, bound in offer.fields.items()},  # type: ignore[union-attr]
        PlayerAction,
    )
    return Command(seat, at, action), Command(seat, at, action)


def _lay(offer: Offer, luck: Random) -> Lay:
    bound, ranks = offer.fields["cards"], offer.fields["rank"]
    assert isinstance(bound, Choose)
    assert isinstance(ranks, OneOf)
    laid: Cards = tuple(luck.sample(bound.choose, luck.randint(bound.min, bound.max)))
    return Lay(laid, str(luck.choice(ranks.one_of)))


def _otherwise(lay: Lay, mine: State, other: State, luck: Random) -> Lay:
    """The twin's lay: often with the same card on top and bringing the pile to as many cards, so that a control shows
    the same; else whatever may be laid."""
    assert isinstance(other.phase, InTurn)
    seat = other.phase.turn.seat
    (bound,) = (o.fields["cards"] for o in offers(other, seat) if o.type == "family_mogeln.lay")
    assert isinstance(bound, Choose)
    count = luck.randint(bound.min, bound.max)
    if luck.random() < 0.5:
        count = min(max(bound.min, in_pile(mine) + len(lay.cards) - in_pile(other)), bound.max)
    top = lay.cards[-1] if lay.cards[-1] in bound.choose and luck.random() < 0.8 else luck.choice(bound.choose)
    rest = list((Counter(bound.choose) - Counter([top])).elements())
    return Lay((*luck.sample(rest, count - 1), top), lay.rank)


def in_pile(state: State) -> int:
    """How many cards truly lie there."""
    return sum(len(lay.cards) for lay in state.pile)


def any_action(state: State, luck: Random) -> PlayerAction:
    """Well-formed, mostly wrong."""
    deck = pack(state.seats)
    claim_id = max(0, state.claims - luck.randint(-1, 3))
    rank = luck.choice((None, *"A23456789TJQK"))
    said: list[dict[str, Any]] = [
        {"type": "family_mogeln.lay", "cards": luck.sample(deck, luck.randint(1, 3)), "rank": rank},
        {"type": "family_mogeln.sit_out"},
        {"type": "family_mogeln.control", "claim_id": claim_id},
        {"type": "family_mogeln.control_multi", "claim_id": claim_id},
        {"type": "family_mogeln.accept", "claim_id": claim_id},
        {"type": "family_mogeln.accept_round"},
    ]
    action: PlayerAction = msgspec.convert(luck.choice(said), PlayerAction)
    return action
