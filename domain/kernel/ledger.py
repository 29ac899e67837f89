"""Money as double entry, in whole units: it is moved from one account to another, and never made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct, field

Account = str


class Movement(Struct, frozen=True):
    """`amount` > 0 leaves `from` for `to`; `why` in the game's own words."""

    from_: Annotated[Account, Meta(description="The account that it leaves.")] = field(name="from")
    to: Annotated[Account, Meta(description="The account that gets it.")]
    amount: Annotated[int, Meta(description="In whole units.")]
    why: Annotated[str, Meta(description="In a word.")]


class Ledger(Struct, frozen=True):
    """What lies in each account. An account may be overdrawn where the game lets it; the sum never changes."""

    balances: Mapping[Account, int]

    @property
    def total(self) -> int:
        return sum(self.balances.values())

    def __getitem__(self, account: Account) -> int:
        return self.balances[account]

    def post(self, movements: Iterable[Movement]) -> Ledger:
        """With these movements made, in order. ValueError: one that moves nothing, or to or from nowhere."""
        after = dict(self.balances)
        for movement in movements:
            if movement.amount <= 0 or movement.from_ not in after or movement.to not in after:
                raise ValueError(f"no movement: {movement}")
            after[movement.from_] -= movement.amount
            after[movement.to] += movement.amount
        return Ledger(after)


def net(movements: Iterable[Movement], account: Account) -> int:
    """What these movements bring to an account."""
    return sum(m.amount * ((m.to == account) - (m.from_ == account)) for m in movements)
