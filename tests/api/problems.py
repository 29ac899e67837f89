"""What is said to a request with something wrong in it."""

from __future__ import annotations

from typing import Any

import httpx

from tests.api.people import Person
from tests.api.tables import Table


def problem(answer: httpx.Response, status: int, slug: str, **members: Any) -> dict[str, Any]:
    """It is that problem, with these members among others; and never says more than it should."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert told["type"] == f"/problems/{slug}"
    assert told["status"] == status
    assert told["title"]
    assert told["detail"]
    assert {name: told.get(name) for name in members} == members
    assert "Traceback" not in answer.text
    return told


def acts(table: Table, who: Person, body: Any) -> httpx.Response:
    return who.try_("POST", table.actions, body)


def seq(table: Table) -> int:
    found: int = table.anna.sees(table.match)["seq"]
    return found
