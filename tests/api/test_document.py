"""The document: current, stable when another game comes, and true."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union, get_args

import httpx
import jsonschema_rs
import msgspec
import pytest
from msgspec import Struct, defstruct

from domain.match import actions
from projections.catalogue import CATALOGUE
from service import documents
from service.api.answers.schemas import NameTaken, alone, components, name_of
from service.api.document import openapi, shown
from service.api.routes.games import action_types
from service.app import create_app
from service.settings import Settings
from tests.api.people import Person
from tests.api.serving import Served
from tests.api.tables import Table, lie

FOLDER = Path(__file__).parents[2] / "openapi"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi.document(create_app(Settings()))


def test_what_is_committed_is_current() -> None:
    assert documents.stale(FOLDER) == [], "run `mogelwerk openapi`"


def test_what_is_missing_or_old_is_named(tmp_path: Path) -> None:
    assert documents.stale(tmp_path) == ["openapi.json", "stream.schema.json", "transcript.schema.json"]
    documents.write(tmp_path)
    assert documents.stale(tmp_path) == []
    (tmp_path / "openapi.json").write_text("{}")
    assert documents.stale(tmp_path) == ["openapi.json"]


def test_a_server_tells_the_same_as_the_file(server: Served) -> None:
    answer = httpx.get(f"{server.url}/openapi.json")

    assert answer.json() == json.loads((FOLDER / "openapi.json").read_text())


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def walk(thing: Any) -> None:
        if isinstance(thing, dict):
            if isinstance(ref := thing.get("$ref"), str):
                found = document
                for step in ref.removeprefix("#/").split("/"):
                    found = found[step]
            for value in thing.values():
                walk(value)
        elif isinstance(thing, list):
            for value in thing:
                walk(value)

    walk(document)


def test_every_component_is_needed(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    for kind in ("schemas", "parameters", "headers"):
        for name in document["components"][kind]:
            assert f'"#/components/{kind}/{name}"' in text or name == "StreamMessage", name


def test_actions_and_events_are_named_by_their_tags(document: dict[str, Any]) -> None:
    action = document["components"]["schemas"]["Action"]

    assert action["discriminator"]["mapping"]["cheat.play"] == "#/components/schemas/CheatPlay"
    assert action["discriminator"]["mapping"]["match.reveal_entropy"] == "#/components/schemas/MatchRevealEntropy"
    event = document["components"]["schemas"]["Event"]
    assert event["discriminator"]["mapping"]["cheat.claimed"] == "#/components/schemas/CheatClaimed"
    assert len(event["oneOf"]) == len(event["discriminator"]["mapping"])


def test_every_union_of_tagged_types_has_a_discriminator(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]

    def tagged(ref: Any) -> bool:
        found = schemas[ref["$ref"].rpartition("/")[2]] if isinstance(ref, dict) and "$ref" in ref else {}
        return "enum" in found.get("properties", {}).get("type", {})

    def walk(thing: Any) -> None:
        if isinstance(thing, dict):
            for union in ("oneOf", "anyOf"):
                members = [member for member in thing.get(union, ()) if tagged(member)]
                assert len(members) < 2 or thing["discriminator"]["propertyName"] == "type"
            for value in thing.values():
                walk(value)
        elif isinstance(thing, list):
            for value in thing:
                walk(value)

    walk(schemas)


def test_names_do_not_change_when_another_game_comes() -> None:
    own = action_types(CATALOGUE["cheat"].game)
    second = [_of_another_game(kind) for kind in own if kind is not actions.RevealEntropy]
    options = defstruct("Options", [("speed", int)], module="domain.games.mogler.options")

    before = components([CATALOGUE["cheat"].game.options], {"Action": Union[own]})  # noqa: UP007
    after = components(
        [CATALOGUE["cheat"].game.options, options],
        {"Action": Union[(*own, *second)]},
    )

    assert before.keys() < after.keys()
    assert {name: schema for name, schema in after.items() if name in before and name != "Action"} == {
        name: schema for name, schema in before.items() if name != "Action"
    }
    assert "MoglerPlay" in after
    assert "MoglerOptions" in after
    assert before["Action"]["discriminator"]["mapping"].items() <= after["Action"]["discriminator"]["mapping"].items()


def test_two_types_of_one_name_are_found_when_the_document_is_made() -> None:
    one = defstruct("Options", [("speed", int)], module="service.one")
    other = defstruct("Options", [("speed", int)], module="service.other")

    with pytest.raises(NameTaken):
        components([one, other], {})


def _of_another_game(kind: type[Struct]) -> type[Struct]:
    tag = str(kind.__struct_config__.tag).replace("cheat.", "mogler.")
    made: type[Struct] = defstruct(kind.__name__, [("x", int)], tag=tag, module="domain.games.mogler.actions")
    return made


@pytest.mark.parametrize(
    "game_id,name,expected",
    [
        ("cheat", "Play", "CheatPlay"),
        ("cheat", "CheatOptions", "CheatOptions"),
        ("cheat", "StackedDeal", "CheatStackedDeal"),
        ("monopoly-cheaters", "Bid", "MonopolyCheatersBid"),
        ("monopoly-cheaters", "MonopolyOptions", "MonopolyCheatersOptions"),
        ("monopoly-cheaters", "StackedTable", "MonopolyCheatersStackedTable"),
    ],
)
def test_names_begin_with_the_games_id(game_id: str, name: str, expected: str) -> None:
    game = CATALOGUE[game_id].game
    found = {kind.__name__: kind for kind in (*get_args(game.player_action), game.options, game.deal)}

    assert name_of(found[name]) == expected


def test_every_call_says_what_can_come_of_it(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            assert told["summary"], path
            assert told["description"], path
            assert told["operationId"], path
            assert set(told["tags"]) <= {tag["name"] for tag in document["tags"]}
            statuses = told["responses"].keys()
            assert any(status.startswith("2") for status in statuses), path
            if (
                path.startswith("/v1")
                and not path.startswith("/v1/games")
                and (path, method) not in {("/v1/players", "post"), ("/v1/checkpoint", "get")}
            ):
                assert told["security"], path
                assert {"401", "429", "503"} <= statuses
            if method == "post":
                assert any(ref["$ref"].endswith("-Key") for ref in told["parameters"] if "$ref" in ref), path
            for status, answer in told["responses"].items():
                assert answer["description"]
                assert "X-Request-ID" in answer["headers"]
                if status >= "400":
                    assert list(answer["content"]) == ["application/problem+json"]


def test_it_is_an_openapi_document(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    for name, schema in document["components"]["schemas"].items():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        assert schema.get("title", name) == name


def test_each_example_of_a_problem_is_one(document: dict[str, Any]) -> None:
    check = _validator(document, "Problem")
    for example in document["components"]["examples"].values():
        check.validate(example["value"])


def test_each_example_of_a_body_fits(document: dict[str, Any]) -> None:
    for methods in document["paths"].values():
        for told in methods.values():
            for body in told.get("requestBody", {}).get("content", {}).values():
                if "example" in body:
                    _validator(document, body["schema"]["$ref"].rpartition("/")[2]).validate(body["example"])


def test_what_is_answered_in_a_match_is_what_is_described(document: dict[str, Any], table: Table) -> None:
    match, page = _validator(document, "Match"), _validator(document, "FramePage")
    message = jsonschema_rs.validator_for(json.loads((FOLDER / "stream.schema.json").read_text()))
    claim = lie(table)
    answers = [who.sees(table.match) for who in (table.anna, table.ben, table.cara)]
    answers.append(table.cara.acts(table.match, type="cheat.challenge", claim_id=claim))
    match.validate(table.anna.opens() and table.anna.sees(table.anna.opens()))
    for answer in answers:
        match.validate(answer)
        assert "frames" not in answer or answer["frames"]
    page.validate(table.anna.do("GET", f"{table.path}/events?narrate=en"))
    _validator(document, "TurnedMatch").validate(table.anna.turns_clock(table.match, seconds=1))
    lines: list[Any] = []
    with table.anna.http.stream(
        "GET", f"{table.path}/stream?after=100", headers={"accept": "application/x-ndjson"}
    ) as answer:
        lines.append(json.loads(next(answer.iter_lines())))
    with table.anna.http.stream("GET", f"{table.path}/stream", headers={"accept": "application/x-ndjson"}) as answer:
        lines.append(json.loads(next(answer.iter_lines())))
    assert [line["event"] for line in lines] == ["reset", "frames"]
    for line in lines:
        message.validate(line)


def test_forms_can_be_built_from_the_catalogue(server: Served, anna: Person) -> None:
    games = httpx.get(f"{server.url}/v1/games").json()["games"]
    cheat = next(game for game in games if game["id"] == "cheat")

    assert cheat["seats"] == {"fewest": 3, "most": 10}
    assert cheat["names"]["de"]
    assert "random" in cheat["bots"]
    play = jsonschema_rs.validator_for(cheat["actions"]["cheat.play"])
    assert play.is_valid({"type": "cheat.play", "cards": ["QS"]})
    assert not play.is_valid({"type": "cheat.play", "cards": ["QS"] * 5})
    assert not play.is_valid({"type": "cheat.play", "cards": ["QS"], "seat": 1})
    options = jsonschema_rs.validator_for(cheat["options"])
    assert options.is_valid({})
    assert options.is_valid({"jokers": 2, "mode": "best_of"})
    assert not options.is_valid({"jokers": 1})
    assert jsonschema_rs.validator_for(cheat["deal"]).is_valid({"hands": [["QS"]]})
    assert "rules" not in cheat
    whole = httpx.get(f"{server.url}/v1/games/cheat").json()
    assert whole["rules"].startswith("#")
    assert {name: value for name, value in whole.items() if name not in ("rules", "view", "events")} == cheat
    missing = anna.try_("GET", "/v1/games/chess")
    assert (missing.status_code, missing.json()["type"]) == (404, "/problems/no_such_game")


def _parts(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema that stands alone, and those inside it."""
    yield schema["title"], schema
    yield from schema.get("$defs", {}).items()


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_word_of_the_catalogue_is_explained(server: Served, name: str) -> None:
    game = httpx.get(f"{server.url}/v1/games/{name}").json()
    schemas = [game["options"], game["view"], *game["actions"].values(), *game["events"].values()]
    if game["deal"] is not None:
        schemas.append(game["deal"])

    unexplained = {
        f"{title}.{field}" if field else title
        for schema in schemas
        for title, part in _parts(schema)
        for field, told in {"": part, **part.get("properties", {})}.items()
        if not told.get("description") and not (field == "type" and len(told["enum"]) == 1)
    }

    assert unexplained == set()
    assert game["events"].keys() > {"match.opened", "match.ended"}


def test_no_word_of_ours_leads_where_a_client_cannot_go(server: Served) -> None:
    for path in ("/openapi.json", "/v1/games", *(f"/v1/games/{game}" for game in CATALOGUE)):
        answer = httpx.get(f"{server.url}{path}").json()
        for game in [answer, *answer.get("games", ())]:
            game.pop("rules", None)
        text = json.dumps(answer, ensure_ascii=False)
        assert re.findall(r"§|\b[Dd]esign\b|README|RULES|docs/|``|(?<!-)\bNone\b", text) == [], path


def test_the_catalogue_describes_what_is_seen_and_told(server: Served, table: Table) -> None:
    game = httpx.get(f"{server.url}/v1/games/cheat").json()
    view = jsonschema_rs.validator_for(game["view"])
    claim = lie(table)
    table.cara.acts(table.match, type="cheat.challenge", claim_id=claim)

    for who in (table.anna, table.ben, table.cara):
        view.validate(who.sees(table.match)["view"])
        for frame in who.do("GET", f"{table.path}/events")["frames"]:
            event = frame["event"]
            jsonschema_rs.validator_for(game["events"][event["type"]]).validate(event)


def test_a_catalogue_that_one_has_is_not_sent_again(server: Served) -> None:
    first = httpx.get(f"{server.url}/v1/games/cheat")

    again = httpx.get(f"{server.url}/v1/games/cheat", headers={"if-none-match": first.headers["etag"]})

    assert again.status_code == 304
    assert again.content == b""


def test_schemas_that_stand_alone_refer_to_nothing_outside() -> None:
    for view in CATALOGUE.values():
        for kind in (view.game.options, *action_types(view.game)):
            text = msgspec.json.encode(alone(kind)).decode()
            assert "#/components" not in text
            jsonschema_rs.validator_for(alone(kind))


def test_the_page_needs_no_other_host(server: Served) -> None:
    answer = httpx.get(f"{server.url}/docs")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "http://" not in answer.text
    assert "https://" not in answer.text
    assert "connect-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "innerHTML" not in answer.text


def _validator(document: dict[str, Any], name: str) -> Any:
    return jsonschema_rs.validator_for(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": f"#/components/schemas/{name}",
            "components": document["components"],
        }
    )


def test_every_game_says_what_the_document_needs() -> None:
    assert shown.MATCHES.keys() == CATALOGUE.keys()
