"""Sandbox tables with known cards. Anna deals, so Ben begins; he has to name aces."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from tests.api.people import Person

ANNA, BEN, CARA = 0, 1, 2
DEAL: Final[dict[str, Any]] = {
    "dealer": ANNA,
    "hands": [["QS", "7H", "7D", "2C"], ["AS", "KD", "9C", "9D"], ["4S", "4H", "2D", "3D"]],
}


class Table(Struct, frozen=True):
    match: str
    anna: Person
    ben: Person
    cara: Person

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match}"

    @property
    def actions(self) -> str:
        return f"{self.path}/actions"


def table_of(anna: Person, ben: Person, cara: Person, **wish: Any) -> Table:
    """Three friends, in the middle of a match: it is Ben's turn."""
    match = anna.opens(deal=DEAL, **wish)
    ben.sits(match)
    cara.sits(match)
    anna.starts(match)
    return Table(match, anna, ben, cara)


def lie(table: Table) -> int:
    """Ben lays a king and says it is an ace; the claim's id."""
    told = table.ben.acts(table.match, type="cheat.play", cards=["KD"], rank="A")
    claim_id: int = told["view"]["open_claims"][0]["claim_id"]
    return claim_id


def first_fit(offer: dict[str, Any]) -> dict[str, Any]:
    """Some action that fits an offer, made as a client would that knows no rules."""
    action: dict[str, Any] = {"type": offer["type"]}
    for name, bound in offer["fields"].items():
        if "one_of" in bound:
            action[name] = bound["one_of"][0]
        elif "choose" in bound:
            action[name] = bound["choose"][: max(bound["min"], 1)]
        else:
            action[name] = bound["min"]
    return action
