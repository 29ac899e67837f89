"""What one viewer sees now, from what he was told."""

from __future__ import annotations

from functools import cache, lru_cache

from domain.games.monopoly.data import VERSIONS, Profile
from domain.games.monopoly.state import State, announced_pot, believed, hotels_left, purse, rent_of
from domain.kernel.game import Seat
from domain.kernel.seating import everybody
from projections.views.monopoly.shapes import (
    MonopolyCheatCard,
    MonopolySeen,
    MonopolySelf,
    MonopolyStreet,
    MonopolyView,
)
from projections.views.seam import Viewer


def view(seen: State, viewer: Viewer) -> MonopolyView:
    """From the fold of what the viewer was told, so it cannot show what he never saw."""
    seats = everybody(seen.seats)
    return MonopolyView(
        data=seen.data_hash,
        turn=seen.turn,
        turns_left=max(0, seen.options.max_turns - seen.turn.number),
        phase=seen.phase,
        throw=seen.throw,
        tokens=seen.tokens,
        cash=tuple([seen.ledger[purse(seat)] for seat in seats]),
        pot=announced_pot(seen),
        hotels_left=hotels_left(seen),
        streets=_streets(
            seen.data_hash, seen.options.deeds, tuple([seen.owners.get(s) for s in seen.data.streets]), seen.hotels
        ),
        held=tuple([tuple(sorted(seen.kept[seat])) for seat in seats]),
        prisoner=seen.prisoner,
        tries=seen.tries,
        parked=seen.parked,
        out=seen.out,
        sold_out=seen.sold_out,
        cheat_cards=_cheat_cards(seen.data_hash, seen.open_cheats),
        landings=seen.landings,
        debts=seen.debts,
        auction=seen.auction,
        lots=seen.lots,
        last_hotel=seen.last_hotel,
        accusation=seen.accusation,
        placing=seen.placing,
        trades=seen.trades,
        seen=tuple(
            [
                MonopolySeen(attempt.seat, attempt.slip.card, attempt.slip.since, attempt.slip.effect)
                for attempt in seen.attempts.values()
            ]
        ),
        own=None if viewer is None else _self(seen, viewer),
    )


@lru_cache(maxsize=256)
def _streets(
    data_hash: str, profile: Profile, owners: tuple[Seat | None, ...], hotels: tuple[str, ...]
) -> tuple[MonopolyStreet, ...]:
    """The same for all who look, and rarely other than the last time."""
    data = VERSIONS[data_hash]
    owned = {street: owner for street, owner in zip(data.streets, owners, strict=True) if owner is not None}
    return tuple(
        MonopolyStreet(
            street=street,
            square=data.streets[street],
            group=printed.group,
            price=printed.price,
            hotel_price=printed.hotel_price,
            rent=rent_of(data, profile, owned, hotels, street) if street in owned else None,
            owner=owned.get(street),
            hotel=street in hotels,
        )
        for street, printed in data.by_street[profile].items()
    )


@cache
def _cheat_cards(data_hash: str, cards: tuple[str, ...]) -> tuple[MonopolyCheatCard, ...]:
    printed = [VERSIONS[data_hash].cheat[card] for card in cards]
    return tuple(
        MonopolyCheatCard(
            card=card.id,
            reward=card.reward.cash,
            to_bank=card.penalty.bank,
            to_victim=card.penalty.victim,
            jail=card.penalty.jail,
            also=card.penalty.also,
        )
        for card in printed
    )


def _self(seen: State, seat: Seat) -> MonopolySelf:
    gaze = seen.gazes[seat]
    return MonopolySelf(
        cash=believed(seen, seat),
        cards=tuple(sorted(seen.kept[seat].values())),
        drawn=seen.drawn if seen.turn.seat == seat else None,
        zone=gaze.zone,
        not_before=gaze.not_before,
        sight=gaze.seen,
    )
