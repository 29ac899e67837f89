"""Stacked deals (sandbox): whether a pack could have given them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from domain.kernel.game import BadDeal


def check_hands(hands: Sequence[Sequence[str]], seats: int) -> None:
    """Raises BadDeal unless there is a hand for every seat."""
    if len(hands) != seats:
        raise BadDeal("hands_for_seats", hands=len(hands), seats=seats)


def check_seat(seat: int | None, seats: int, field: str) -> None:
    """Raises BadDeal for a seat that there is not; None leaves it to luck. ``field``: of the deal, that names it."""
    if seat is not None and not 0 <= seat < seats:
        raise BadDeal("no_such_seat", seat=seat, field=field)


def check_from(pack: Iterable[str], *named: Iterable[str]) -> None:
    """Raises BadDeal where cards are named that are not in the pack, or more often than the pack has them."""
    there = Counter(iter(pack))  # a mapping too is a pack of its names
    more = Counter(card for cards in named for card in cards) - there
    if strange := sorted(more.keys() - there.keys()):
        raise BadDeal("not_in_the_pack", cards=" ".join(strange))
    if more:
        raise BadDeal("not_so_often", cards=" ".join(sorted(more)))
