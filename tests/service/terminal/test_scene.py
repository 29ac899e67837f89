"""What a person sees, of games that nobody has written yet."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec.inspect import (
    BoolType,
    DateTimeType,
    DictType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
)
from msgspec.structs import replace
from rich.console import Console, RenderableType

import service.terminal
from domain.kernel.game import Seat
from projections.catalogue import CATALOGUE
from service.terminal.choosing import begin
from service.terminal.client import Awaits, Bound, Chair, Language, Match, Offer, Result
from service.terminal.labels import A_SEAT, ENGLISH, GERMAN, SEATS
from service.terminal.scene import Scene
from service.terminal.words import words
from tests.any_game import action_types, walk

NAMES = ("Anna", "Ben", "Cara")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
BID = Offer("auction.bid", {"price": Bound(min=10, max=50, step=5), "deed": Bound(one_of=("Park Lane", "Mayfair"))})
LATER = Offer("auction.fold", {}, not_before=NOON + timedelta(seconds=4))
MATCH = Match(
    match="m",
    game="auction",
    status="playing",
    sandbox=False,
    seq=7,
    seat=0,
    seats=(
        Chair(0, "a", "Anna", None, False),
        Chair(1, "b", "Ben", None, True),
        Chair(2, None, None, "careful", False),
    ),
    host="a",
    view={
        "round": 2,
        "phase": {"type": "auction.to_bid", "seat": 0, "highest": 20, "until": "2026-01-01T12:00:30Z"},
        "hand": ["7H", "QS"],
        "money": [100, 80, 0],
        "is_bankrupt": [False, False, True],
        "dealer": 1,
        "playing": [0, 1],
        "bids": [{"seat": 1, "price": n, "secret": None, "open": True} for n in range(5)],
        "ends_at": "2026-01-01T12:01:00+00:00",
        "nothing": [],
    },
    awaits=Awaits((0, 2), NOON + timedelta(seconds=30)),
    actions=(BID, LATER),
    result=None,
    server_time=NOON,
)


def text(what: RenderableType, width: int = 100) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(what)
    return re.sub(r"[ \t]+", " ", captured.get())


def scene(language: Any = "en", **change: Any) -> Scene:
    return Scene(replace(MATCH, **change), NOON, words(language))


def test_a_game_that_is_not_known_is_shown_by_the_shape_of_its_view() -> None:
    seen = text(scene().table())
    assert "money is bankrupt" in seen
    assert "▶ 1 Anna (you) 100 no" in seen
    assert "2 Ben (left) 80 no" in seen
    assert "▶ 3 Bot 3 0 yes" in seen
    assert "round 2 · dealer Ben · playing Anna (you), Ben · ends at in 60 s · highest 20" in seen
    assert "bids: … and 2 before (by Ben, price 2, open yes)" in seen
    assert "Your hand: 7H QS" in seen
    assert "Waiting for Anna (you), Bot 3 · 30 s" in seen
    assert "nothing" not in seen


def test_what_a_long_list_hides_can_be_shown_whole() -> None:
    (whole,) = scene().whole()
    seen = text(whole)
    assert seen.count("Ben") == 5
    assert "by price secret open" in seen
    assert "Ben 0 yes" in seen
    assert not list(scene(view={"bids": [{"price": 1}] * 3}).whole())


def test_names_have_words_where_a_field_says_them_and_what_is_for_programs_is_left_out() -> None:
    view = {"data": "5eed" * 16, "held": "chest", "street": "badstrasse", "deck": "5eed"}
    seen = text(scene("de", view=view).table())
    assert "gehaltene Karten Gemeinschaftskarte · Straße badstrasse · Kartenstapel 5eed" in seen
    assert "Daten" not in seen
    assert "held cards chest" in text(scene(view=view).table())


def test_the_same_in_german() -> None:
    seen = text(scene("de").table())
    assert "▶ 1 Anna (du) 100 nein" in seen
    assert "Gewartet wird auf Anna (du), Bot 3 · 30 s" in seen


def test_offers_are_numbered_and_say_what_they_take_and_from_when_on() -> None:
    seen = text(scene().menu(MATCH.actions))
    assert "1 bid price: 10–50 · deed: Park Lane, Mayfair" in seen
    assert "2 fold in 4 s" in seen


def test_a_question_numbers_its_answers() -> None:
    offer = Offer("auction.bid", {"deed": Bound(one_of=("Park Lane", "Mayfair"), optional=True)})
    seen = text(scene().question(begin(offer, {})))
    assert "1 Park Lane 2 Mayfair" in seen
    assert "Enter leaves it out" in seen
    assert "10–50, in steps of 5" in text(scene().question(begin(BID, {})))


def test_a_seat_is_offered_by_its_name_and_by_its_number_in_the_table() -> None:
    offer = Offer("auction.accuse", {"target": Bound(one_of=(1, 2)), "openly": Bound(one_of=(False, True))})
    place = Offer("auction.watch", {"zone": Bound(one_of=("table", "seat:1"))})
    assert "whom: Ben, Bot 3 · openly: no, yes" in text(scene().menu([offer]))
    assert "2 Ben 3 Bot 3 \nwhom: which one?" in text(scene().question(begin(offer, {})))
    assert "zone: table, Ben" in text(scene().menu([place]))
    assert "1 table 2 Ben" in text(scene().question(begin(place, {})))


def test_before_the_start_and_in_the_sandbox_no_time_runs() -> None:
    empty = Chair(1, None, None, None, False)
    seen = text(scene(status="open", view=None, seats=(MATCH.seats[0], empty), awaits=Awaits((), NOON)).table())
    assert "2 (free)" in seen
    assert "1 of 2 seats are taken." in seen
    assert "time stands still" in text(scene(sandbox=True).table())


@pytest.mark.parametrize(
    "status, result, says",
    [
        ("over", Result((0,), (3, 1, 0), "won", "5eed"), "You have won!\nScore: Anna (you) 3, Ben 1, Bot 3 0\n"),
        ("over", Result((1, 2), (0, 1, 1), "won", None), "It goes to Ben, Bot 3.\n"),
        ("over", Result((), (), "abandoned", None), "The match was abandoned.\n"),
        ("void", Result((), (), "never_started", None), "The match is void.\n"),
    ],
)
def test_the_end_is_told(status: str, result: Result, says: str) -> None:
    told = "".join(text(line, 200) for line in scene(status=status, result=result).end(told=False))
    assert told.startswith(says)


@pytest.mark.parametrize(
    "status, result, says",
    [
        (
            "over",
            Result((0,), (3, 1, 0), "won", "5eed"),
            "You have won!\nScore: Anna (you) 3, Ben 1, Bot 3 0\nThe seed",
        ),
        ("over", Result((1, 2), (0, 1, 1), "won", None), "Score: Anna (you) 0, Ben 1, Bot 3 1\n"),
        ("over", Result((), (), "abandoned", None), ""),
        ("void", Result((), (), "never_started", None), ""),
    ],
)
def test_what_the_server_has_told_of_the_end_is_not_told_again(status: str, result: Result, says: str) -> None:
    told = "".join(text(line, 200) for line in scene(status=status, result=result).end(told=True))
    assert told.startswith(says)
    assert says or not told


def test_a_match_that_goes_on_as_another_names_it() -> None:
    ended = scene(status="superseded", result=None, branched_to="8347bdbf")
    assert "".join(text(line, 200) for line in ended.end(told=True)).startswith(
        "The match goes on from an earlier point, as match 8347bdbf."
    )


def test_the_terminal_names_no_game() -> None:
    for path in Path(service.terminal.__file__).parent.glob("*.py"):
        said = path.read_text(encoding="utf-8").lower()
        for game in CATALOGUE:  # an action may be called as another game is, and then its name is translated
            assert game not in said or path.name == "labels.py", path.name
        assert "import domain" not in said
        assert "from domain" not in said
        assert "from projections" not in said


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", CATALOGUE)
def test_every_table_of_every_game_can_be_shown(game: str, language: Language) -> None:
    """As its clients get it: views and offers, by way of JSON."""
    view = CATALOGUE[game]
    seats = view.game.seats[0]
    chairs = tuple(Chair(seat, "a", NAMES[seat], None, False) for seat in range(seats))
    for step in list(walk(view, seats, 1))[::5]:
        for viewer, own in step.seen.items():
            seen = msgspec.json.decode(msgspec.json.encode(view.view(own, viewer)))
            offers = () if viewer is None else view.game.offers(own, viewer)
            told = msgspec.json.decode(msgspec.json.encode(offers), type=tuple[Offer, ...])
            scene = Scene(replace(MATCH, view=seen, seat=viewer, seats=chairs), NOON, words(language))
            assert text(scene.table())
            assert not told or text(scene.menu(told))


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_name_of_a_view_and_of_an_action_has_german_words(game: str) -> None:
    view = CATALOGUE[game]
    actions = msgspec.inspect.type_info(view.game.player_action)
    assert isinstance(actions, msgspec.inspect.UnionType)
    types = {str(action.tag).rpartition(".")[2] for action in actions.types if isinstance(action, StructType)}
    names, choices = in_structs(actions, msgspec.inspect.type_info(view.view_type))
    assert len(names) > 10
    assert sorted((names | types | choices) - set(GERMAN)) == []


@pytest.mark.parametrize("game", CATALOGUE)
def test_where_a_game_speaks_of_seats_a_person_reads_names(game: str) -> None:
    view = CATALOGUE[game]
    for owner, name, hint in hints((*action_types(view.game), view.view_type)):
        kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
        listed = {item for kind in kinds if get_origin(kind) is tuple for item in get_args(kind)}
        assert name in A_SEAT or Seat not in kinds, (owner, name)
        assert name in SEATS or Seat not in listed, (owner, name)
        assert int not in kinds or name not in A_SEAT or owner == "Doubt", (owner, name)
        assert not {int, bool} & listed or name not in SEATS, (owner, name)


def test_no_words_are_kept_for_what_is_gone() -> None:
    root = Path(__file__).parents[3]
    files = (root / "openapi/openapi.json", *root.glob("domain/games/*/data/**/*.json"))
    known = {word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    assert sorted((set(GERMAN) | set(ENGLISH)) - known) == []


def in_structs(*kinds: Type) -> tuple[set[str], set[str]]:
    """Of all structs in these: the names of their fields, and the words among which fields choose."""
    names, choices = set[str](), set[str]()
    waiting, seen = list(kinds), set[type]()
    while waiting:
        match waiting.pop():
            case StructType(cls=cls, fields=own) if cls not in seen:
                seen.add(cls)
                names |= {field.encode_name for field in own}
                waiting += [field.type for field in own]
            case Metadata(type=inner):
                waiting.append(inner)
            case UnionType(types=types):
                waiting += types
            case VarTupleType(item_type=item) | ListType(item_type=item):
                waiting.append(item)
            case TupleType(item_types=items):
                waiting += items
            case DictType(value_type=value):
                waiting.append(value)
            case LiteralType(values=values):
                choices |= words_of(values)
            case EnumType(cls=members):
                choices |= words_of(member.value for member in members)
            case StructType() | IntType() | StrType() | BoolType() | NoneType() | FloatType() | DateTimeType():
                pass
            case other:
                raise AssertionError(f"what is in {other}?")
    return names, choices


def words_of(values: Iterable[object]) -> set[str]:
    return {str(value) for value in values if re.fullmatch("[a-z][a-z_]{2,}", str(value))}


def hints(kinds: Iterable[Any]) -> Iterator[tuple[str, str, Any]]:
    """Of all structs in these: its name, a field's, and what that holds."""
    waiting, seen = list(kinds), set[type]()
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            if kind not in seen:
                seen.add(kind)
                for name, hint in get_type_hints(kind).items():
                    yield kind.__name__, name, hint
                    waiting.append(hint)
        else:
            waiting += get_args(kind)


@pytest.mark.parametrize("game", CATALOGUE)
def test_what_is_called_hand_is_cards(game: str) -> None:
    """What clients of any game take for granted, too."""
    view = CATALOGUE[game]
    for step in walk(view, view.game.seats[0], 2):
        for viewer, own in step.seen.items():
            hand = getattr(view.view(own, viewer), "hand", ())
            assert isinstance(hand, tuple)
            assert all(isinstance(card, str) for card in hand)
