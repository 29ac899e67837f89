"""What must add up in every state of a match: the verifier asks after each event. RULES.md 1.7, 4.2, 4.7."""

from __future__ import annotations

from domain.games.monopoly.state import AUCTION, HOTELS, MONEY, State, true_hotels_left


def balance(state: State) -> str | None:
    """What does not add up; None: all does."""
    lying = 0 if state.auction is None else state.auction.amount
    hidden = sum(state.private.values())
    tray = true_hotels_left(state)
    wrong = (
        (state.ledger.total != MONEY, f"the accounts hold {state.ledger.total} and not {MONEY}"),
        (hidden != 0, f"private trades have made {hidden}"),
        (state.ledger[AUCTION] != lying, f"{state.ledger[AUCTION]} lie in an auction at {lying}"),
        (len(state.hotels) > HOTELS, f"{len(state.hotels)} hotels stand, and there are {HOTELS}"),
        (tray < 0, f"{-tray} hotels more than there are stand in truth, or are reserved"),
        (not {*state.owners} <= {*state.data.streets}, "somebody owns what is no street"),
    )
    return next((what for is_wrong, what in wrong if is_wrong), None)
