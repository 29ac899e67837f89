"""Money is moved and never made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.ledger import Ledger, Movement, net

ACCOUNTS = ("pot", "anna", "ben")
MOVEMENTS = st.builds(
    Movement,
    from_=st.sampled_from(ACCOUNTS),
    to=st.sampled_from(ACCOUNTS),
    amount=st.integers(1, 1000),
    why=st.just("rent"),
)


@given(st.lists(MOVEMENTS))
def test_the_sum_over_all_accounts_never_changes(movements: list[Movement]) -> None:
    before = Ledger({"pot": 100, "anna": 20, "ben": 0})
    after = before.post(movements)

    assert after.total == before.total == 120
    for account in ACCOUNTS:
        assert after[account] == before[account] + net(movements, account)


@pytest.mark.parametrize(
    "movement",
    [
        Movement("pot", "anna", 0, "nothing"),
        Movement("pot", "dora", 5, "to nobody"),
        Movement("sky", "anna", 5, "made"),
    ],
)
def test_what_moves_nothing_or_from_nowhere_is_no_movement(movement: Movement) -> None:
    with pytest.raises(ValueError, match="no movement"):
        Ledger({"pot": 100, "anna": 20}).post([movement])


def test_a_ledger_is_not_changed_by_what_is_posted_to_another() -> None:
    before = Ledger({"pot": 100, "anna": 20})
    before.post([Movement("pot", "anna", 30, "go")])

    assert before["anna"] == 20
