"""Who may call what: the table of docs/roles.md, tried cell by cell, against every operation of the document.

Allowed means that a call gets past who is asking: whatever the rules or the store say then. Not allowed is 401 or 403,
or 409 where the rules had said no to anybody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import pytest
from msgspec import Struct

from service.auth import issue
from service.settings import Settings
from tests.api.people import Person
from tests.api.serving import Served

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "roles.md").read_text(encoding="utf-8")
DOCUMENT: Final[dict[str, Any]] = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))
ROLES: Final = ("nobody", "spectator", "player", "seated", "host", "auditor", "referee", "operator")
SCOPES: Final = {"auditor": ("read", "audit"), "referee": ("read", "referee"), "operator": ("operate",)}
ACCESS: Final = ("public", "code")
STATES: Final = ("running", "over")
STREAM: Final = "streamMatch"


class Operation(Struct, frozen=True):
    method: str
    path: str
    body: Any


class Row(Struct, frozen=True):
    """A line of the table. ``query``: with which parameters; ``cells`` by role."""

    call: str
    query: str
    cells: dict[str, str]

    def __str__(self) -> str:
        return f"{self.call} {self.query}".strip()


def operations() -> dict[str, Operation]:
    return {
        told["operationId"]: Operation(method.upper(), path, _example(told))
        for path, methods in DOCUMENT["paths"].items()
        for method, told in methods.items()
    }


def _example(told: dict[str, Any]) -> Any:
    content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    return content.get("example", {} if content else None)


def rows() -> list[Row]:
    lines = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("| ")
    ]
    begin = next(place for place, cells in enumerate(lines) if cells[0] == "call")
    roles = lines[begin][1:]
    return [
        Row(name[1], name[2] or "", dict(zip(roles, cells[1:], strict=True)))
        for cells in lines[begin + 1 :]
        if (name := re.fullmatch(r"`(\w+)`(?: `([^`]+)`)?", cells[0])) is not None
    ]


def allowed(cell: str, access: str, state: str) -> bool:
    """`yes`, `no`, or in which matches: `public`, `code`, `running`, `over`, two of them, or several with `or`."""
    if cell in ("yes", "no"):
        return cell == "yes"
    ways = [way.split() for way in cell.split(" or ")]
    assert all(word in (*ACCESS, *STATES) for way in ways for word in way), f"what is {cell!r}?"
    return any(all(word in (access, state) for word in way) for way in ways)


class Table(Struct, frozen=True):
    match: str
    host: Person
    dispute: str


class World:
    """Matches of each kind, and somebody in each role. Anna hosts, Ben is seated, Cara disputes."""

    def __init__(self, server: Served, settings: Settings, people: ExitStack) -> None:
        self._url: Final = server.url
        self._people: Final = people
        self._shared: dict[tuple[str, str], Table] = {}
        self.ben, self.cara = self.comes("Ben"), self.comes("Cara")
        sue, dan = self.comes("Sue"), self.comes("Dan")
        only_read = sue.do("POST", "/v1/players/me/tokens", {"scopes": ["read"]})["token"]
        self._by_role: Final[dict[str, Person | None]] = {
            "nobody": None,
            "spectator": people.enter_context(Person.again(self._url, only_read, "Sue")),
            "player": dan,
            "seated": self.ben,
            **{
                role: people.enter_context(
                    Person.again(self._url, issue(settings.database_url, name=role, scopes=scopes, days=1), role)
                )
                for role, scopes in SCOPES.items()
            },
        }

    def comes(self, name: str) -> Person:
        return self._people.enter_context(Person.arrive(self._url, name))

    def fresh(self, access: str, state: str) -> Table:
        """A match of its own, with a host of its own."""
        anna = self.comes("Anna")
        opened = self.opens(anna, access)
        for friend in (self.ben, self.cara):
            friend.do("POST", "/v1/joins", {"code": opened["code"]})
        anna.starts(opened["match"])
        while state == "over" and anna.sees(opened["match"])["status"] == "playing":
            anna.turns_clock(opened["match"], seconds=60)
        raised = self.cara.do("POST", f"/v1/matches/{opened['match']}/disputes", {"reason": "rule"})
        return Table(opened["match"], anna, raised["dispute"])

    def shared(self, access: str, state: str) -> Table:
        if (access, state) not in self._shared:
            self._shared[access, state] = self.fresh(access, state)
        return self._shared[access, state]

    def opens(self, host: Person, access: str = "public") -> dict[str, str]:
        wish = {"game": "cheat", "seats": 3, "sandbox": True, "access": access, "options": {"max_turns": 3}}
        opened: dict[str, str] = host.do("POST", "/v1/matches", wish)
        return opened

    def asks(self, row: Row, role: str, access: str, state: str, *, may: bool) -> httpx.Response:
        operation = operations()[row.call]
        changes = operation.method != "GET" and may
        table = (self.fresh if changes else self.shared)(access, state)
        who = table.host if role == "host" else self._by_role[role]
        if row.call == "ruleOnDispute" and may:
            assert who is not None
            who.do("POST", f"/v1/disputes/{table.dispute}/assign", {})
        body = {"code": self.opens(table.host)["code"]} if row.call == "joinMatch" else operation.body
        known = {
            "match": table.match,
            "dispute": table.dispute,
            "seat": 1 if role == "seated" else 0,
            "seq": 1,
            "token": uuid4(),
            "game": "cheat",
            "slug": "refused",
        }
        path = operation.path
        for name, value in known.items():
            path = path.replace(f"{{{name}}}", str(value))
        assert "{" not in path, f"nobody knows what stands in {path}"
        url = f"{path}?{row.query}" if row.query else path
        http = self._people.enter_context(httpx.Client(base_url=self._url)) if who is None else who.http
        with http.stream(operation.method, url, json=body) as answer:
            if row.call != STREAM or not answer.is_success:
                answer.read()
        return answer


@pytest.fixture(scope="module")
def world(server: Served, settings: Settings) -> Iterator[World]:
    with ExitStack() as people:
        yield World(server, settings, people)


def test_every_operation_stands_in_the_table_and_nothing_else() -> None:
    told, known = {row.call for row in rows()}, set(operations())

    missing, unknown = sorted(known - told), sorted(told - known)
    assert not missing, f"docs/roles.md says nothing of {', '.join(missing)}: add a row for each"
    assert not unknown, f"docs/roles.md speaks of {', '.join(unknown)}, which openapi.json does not know"
    assert all(tuple(row.cells) == ROLES for row in rows())


@pytest.mark.parametrize("row", rows(), ids=str)
def test_who_may_and_who_may_not(row: Row, world: World) -> None:
    operation = operations()[row.call]
    of_a_match = "{match}" in operation.path or "{dispute}" in operation.path
    wrong = []
    for role, access, state in product(ROLES, ACCESS, STATES) if of_a_match else product(ROLES, [""], [""]):
        may = allowed(row.cells[role], access, state)
        answer = world.asks(row, role, access or "public", state or "running", may=may)
        status = answer.status_code
        if (status in (401, 403) if may else status not in (401, 403, 409)) or status >= 500:
            kind = f" in a match that is {access} and {state}" if of_a_match else ""
            why = "" if answer.is_success else f" {answer.json().get('reason') or answer.json()['type']}"
            wrong.append(f"{role}{kind}: {status}{why}, by the table {'yes' if may else 'no'}")
        if may and operation.method == "GET":
            assert answer.is_success, f"{row} as {role}: {status}"
    assert not wrong, f"{row}\n" + "\n".join(wrong)


def test_a_cell_says_in_which_matches() -> None:
    kinds = list(product(ACCESS, STATES))
    cells = ("yes", "no", "public", "over", "code over", "public or over")
    found = {cell: [allowed(cell, *kind) for kind in kinds] for cell in cells}

    assert kinds == [("public", "running"), ("public", "over"), ("code", "running"), ("code", "over")]
    assert found == {
        "yes": [True] * 4,
        "no": [False] * 4,
        "public": [True, True, False, False],
        "over": [False, True, False, True],
        "code over": [False, False, False, True],
        "public or over": [True, True, False, True],
    }
    with pytest.raises(AssertionError, match="sometimes"):
        allowed("sometimes", "public", "over")
