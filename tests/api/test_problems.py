"""Every failure is a problem that somebody can read, in two languages."""

from __future__ import annotations

import importlib
import pkgutil
import re
from enum import StrEnum
from typing import Any

import httpx
import pytest

import domain
from domain.kernel.reasons import Reason as KernelReason
from domain.match.reasons import Reason as MatchReason
from service.api.answers import problems, reasons
from service.api.answers.language import preferred
from service.api.document.described import EXAMPLES
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import Served
from tests.api.test_laying_at_once import DEAL as MOGELEI_DEAL
from tests.api.test_mogler_lays import DEAL as MOGLER_DEAL


@pytest.mark.parametrize(
    "asked,language",
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE", "de"),
        ("fr", "en"),
        ("fr, de;q=0.5", "de"),
        ("en, de", "en"),
        ("de, en", "en"),
        ("de, en;q=0.9", "de"),
        ("de;q=0.3, en;q=0.9", "en"),
        ("*", "en"),
        ("de;q=0", "en"),
        ("de;q=x", "en"),
        (";;;,,,q=", "en"),
    ],
)
def test_the_language_that_is_asked_for(asked: str | None, language: str) -> None:
    assert preferred(asked) == language


def test_a_problem_speaks_german_to_who_asks(anna: Person) -> None:
    answer = anna.try_("GET", "/v1/nothing", accept_language="de-DE, en;q=0.5")

    assert problem(answer, 404, "not_found")["title"] == "Hier ist nichts"
    assert answer.headers["content-language"] == "de"
    assert "accept-language" in answer.headers["vary"]
    body = anna.try_("POST", "/v1/matches", {"game": "cheat"}, accept_language="de")
    assert problem(body, 400, "malformed")["detail"] == "Das Feld „/seats“ fehlt."


@pytest.mark.parametrize("kind", problems.KINDS.values(), ids=lambda kind: kind.slug)
def test_every_kind_is_explained_where_its_type_leads(server: Served, kind: problems.Kind) -> None:
    english = httpx.get(f"{server.url}{kind.type}").json()
    german = httpx.get(f"{server.url}{kind.type}", headers={"accept-language": "de"}).json()

    assert english["type"] == kind.type
    assert english["status"] == kind.status
    assert english["title"] != german["title"]
    assert "{" not in english.get("detail", "") + german.get("detail", "")
    assert english["what_to_do"] == kind.what_to_do.en
    assert german["what_to_do"] == kind.what_to_do.de
    assert english["what_to_do"] != german["what_to_do"]
    for told in (english, german):
        assert told.get("detail") not in ("…", told["what_to_do"])


def test_the_kinds_with_reasons_name_them(server: Served) -> None:
    refused = httpx.get(f"{server.url}/problems/refused").json()["reasons"]

    assert {str(reason) for reason in KernelReason} <= refused.keys()
    assert "not_host" not in refused
    assert "not_host" in httpx.get(f"{server.url}/problems/not_yours").json()["reasons"]
    assert "reasons" not in httpx.get(f"{server.url}/problems/too_large").json()
    problem(httpx.get(f"{server.url}/problems/boredom"), 404, "not_found")


@pytest.mark.parametrize("reason", [*KernelReason, *MatchReason, "not_seated", "may_not_see", *sorted(reasons.SERVER)])
def test_every_reason_has_words(reason: str) -> None:
    said = reasons.AROUND_ANY_GAME[str(reason)]

    assert said.en
    assert said.de
    assert said.en != said.de


@pytest.mark.parametrize(
    "game, deal, opening, lay, said",
    [
        ("mogler", MOGLER_DEAL, [], {"type": "mogler.lay_opening", "card": "8C"}, "You have laid a card for the lead"),
        (
            "mogelei",
            MOGELEI_DEAL,
            [{"type": "mogelei.call", "colour": "red"}],
            {"type": "mogelei.lay", "card": "red8"},
            "You have laid a card in this pass",
        ),
    ],
)
def test_a_refusal_is_told_in_the_words_of_its_game(
    game: str, deal: Any, opening: list[Any], lay: Any, said: str, anna: Person, ben: Person, cara: Person
) -> None:
    match = anna.opens(game=game, deal=deal)
    ben.sits(match)
    cara.sits(match)
    anna.starts(match)
    for action in (*opening, lay):
        anna.acts(match, **action)

    twice = problem(anna.try_("POST", f"/v1/matches/{match}/actions", lay), 409, "refused")

    assert (twice["reason"], twice["detail"]) == ("already_laid", f"{said} already.")


def test_a_reason_of_two_games_is_explained_for_both(server: Served) -> None:
    refused = httpx.get(f"{server.url}/problems/refused").json()["reasons"]

    assert refused["already_laid"] == (
        "Mogelei: You have laid a card in this pass already. Mogler: You have laid a card for the lead already."
    )
    assert refused["wrong_rank"] == "Another rank is due."


def test_a_reason_without_words_of_its_own_is_told_all_the_same() -> None:
    assert "out of hand" in reasons.text("out_of_hand").en
    assert "out of hand" in reasons.text("out_of_hand").de


def test_every_reason_is_one_stable_word() -> None:
    found = set()
    for module in pkgutil.walk_packages(domain.__path__, "domain."):
        for thing in vars(importlib.import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, StrEnum) and thing.__name__.endswith("Reason"):
                found |= {str(reason) for reason in thing}

    assert found >= set(map(str, MatchReason))
    assert all(re.fullmatch(r"[a-z][a-z_]*", reason) for reason in found)


def test_examples_are_of_kinds_that_there_are() -> None:
    assert EXAMPLES.keys() <= problems.KINDS.keys()
