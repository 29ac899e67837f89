"""Thousands of odd requests against the document: never an answer that it does not know."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from tests.api.people import Person
from tests.api.serving import Served
from tests.api.tables import DEAL, table_of

DOCUMENT = Path(__file__).parents[2] / "openapi" / "openapi.json"
CONFIG = SchemathesisConfig.from_dict(
    {
        "seed": 42,
        "checks": {
            # A refusal by the rules (409), a stale If-Match (412) or a key used again (422) is no fault of the data.
            "positive_data_acceptance": {"expected-statuses": ["2xx", 304, 403, 404, 409, 412, 422]},
            "ignored_auth": {"enabled": False},  # it cannot tell that we send a token: see the next test
            "negative_data_rejection": {"expected-statuses": ["4xx"]},
        },
    }
)
schema = schemathesis.openapi.from_dict(json.loads(DOCUMENT.read_text(encoding="utf-8")), config=CONFIG)


@pytest.fixture(scope="module")
def anna(server: Served) -> Iterator[Person]:
    with Person.arrive(server.url, "Anna") as anna:
        yield anna


@pytest.fixture(scope="module")
def some_match(server: Served, anna: Person) -> Iterator[Callable[[], str]]:
    """Anna's matches by turns: one open, one in which it is her turn, one over; and what is none of hers."""
    with Person.arrive(server.url, "Ben") as ben, Person.arrive(server.url, "Cara") as cara:
        playing = table_of(anna, ben, cara).match
        hers = anna.opens(deal={**DEAL, "dealer": 2}, fill=True)
        anna.starts(hers)
        over = anna.opens(fill=True, options={"max_turns": 3})
        anna.starts(over)
        while anna.sees(over)["status"] != "over":
            anna.turns_clock(over, 60)
        matches = itertools.cycle([anna.opens(fill=True), playing, hers, over, ben.opens(access="code")])
        yield lambda: next(matches)


@pytest.mark.parametrize(
    "method,path",
    [
        (method, path)
        for path, methods in json.loads(DOCUMENT.read_text(encoding="utf-8"))["paths"].items()
        for method, told in methods.items()
        if "security" in told
    ],
)
def test_nothing_that_needs_a_token_goes_without(server: Served, method: str, path: str) -> None:
    where = path.format(match=uuid4(), token=uuid4(), dispute=uuid4(), seat=0, seq=1)
    for headers in ({}, {"authorization": "Bearer mw_" + "A" * 43}):
        assert httpx.request(method, f"{server.url}{where}", headers=headers).status_code == 401


@schema.exclude(path_regex="/stream$").parametrize()
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
def test_no_answer_is_unknown(
    case: schemathesis.Case[Any], server: Served, anna: Person, some_match: Callable[[], str]
) -> None:
    if "match" in case.path_parameters and len(str(case.path_parameters["match"])) == 36:
        case.path_parameters["match"] = some_match()
    if case.query.get("wait") not in (None, 0, "0"):
        case.query = {**case.query, "after": 0}  # there is something after it: nobody waits
    if "cursor" in case.query:
        case.query = {name: value for name, value in case.query.items() if name != "cursor"}  # ours are opaque
    if "at" in case.query:  # one step or a span, not both
        case.query = {name: value for name, value in case.query.items() if name not in ("from", "to")}
    if str(case.query.get("since", "")).isdecimal():  # a size that the tree had
        case.query = {**case.query, "since": 0}
    case.headers["Authorization"] = f"Bearer {anna.token}"  # as the case's own: else a lack of it is what is wrong
    case.call_and_validate(base_url=server.url, timeout=20)
