"""What lies on the table before anybody throws, and the files that say so."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from itertools import pairwise

import msgspec
import pytest

from domain.games.monopoly import MONOPOLY
from domain.games.monopoly.actions import Action, SetUp
from domain.games.monopoly.data import CURRENT, FILES, TYPES, VERSIONS, read
from domain.games.monopoly.events import SetUpDone
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.setup import check_deal
from domain.games.monopoly.state import POT, RESERVE, StackedTable, State, begin, deed, hotels_left, purse, rent
from domain.kernel.game import HOUSE, BadDeal, Command, OptionsConflict
from tests.any_game import NOON
from tests.domain.at_table import CHANCE
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    PACE,
    all_of,
    announced,
    buys,
    options,
    owning,
    rolls,
    settled,
    table,
    told,
)

RAW = {name: files("domain.games.monopoly.data").joinpath("v1", name).read_bytes() for name in FILES}


def test_the_board_has_36_squares_with_their_names() -> None:
    """1.1"""
    kinds = [square.kind for square in CURRENT.board]

    assert len(kinds) == 36
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "go": 1,
        "street": 22,
        "chest": 3,
        "chance": 3,
        "station": 4,
        "jail": 1,
        "free_parking": 1,
        "go_to_jail": 1,
    }
    assert [b - a for a, b in pairwise(CURRENT.stations)] == [9, 10, 9]
    assert [CURRENT.board[place].names.us for place in (8, 31)] == ["Connecticut Ave", "Pennsylvania Ave"]
    assert all(square.names.de and square.names.us and square.names.uk for square in CURRENT.board)


def test_everybody_has_1500_and_the_tray_the_rest() -> None:
    """1.2, 1.7"""
    for seats in range(2, 7):
        state = table(seats=seats)
        assert [state.ledger[purse(seat)] for seat in state.playing] == [1_500] * seats
        assert state.ledger[POT] == 20_400 - 1_500 * seats
        assert state.ledger[RESERVE] == 0
        assert state.ledger.total == 20_400


def test_deeds_come_in_two_profiles() -> None:
    """1.3"""
    edition, classic = table(), table(deeds="classic")

    assert deed(edition, "badstrasse").base == 30
    assert deed(edition, "schlossallee").full_group == 400
    assert deed(edition, "schlossallee").hotel == 800
    assert deed(edition, "schlossallee").hotel_price == 400
    assert (deed(classic, "badstrasse").base, deed(classic, "schlossallee").hotel) == (2, 2000)
    assert [deed(edition, street).price for street in ("bahnhofstrasse", "hafenstrasse", "lessingstrasse")] == [
        0,
        20,
        130,
    ]


def test_poststrasse_has_its_hotel_from_the_start() -> None:
    """1.4"""
    state = owning(table(), ANNA, "poststrasse")

    assert state.hotels == ("poststrasse",)
    assert hotels_left(state) == 15
    assert rent(state, "poststrasse") == deed(state, "poststrasse").hotel


def test_five_cheat_cards_lie_open_and_all_stand_on_los() -> None:
    """1.5"""
    state = settled(begin(options(), PACE, 4, None))

    assert len(set(state.open_cheats)) == 5
    assert set(state.open_cheats) | set(state.cheats.stack) == set(CURRENT.cheat)
    assert state.tokens == (0, 0, 0, 0)


def test_the_highest_throw_begins_and_who_ties_throws_again() -> None:
    """1.6"""
    seen_ties = 0
    for number in range(60):
        before = begin(options(), PACE, 6, None)
        chance = msgspec.structs.replace(CHANCE, seed=number.to_bytes(32, "big"))
        plan = MONOPOLY.house(before, chance).action
        assert isinstance(plan, SetUp)
        among = set(range(6))
        for thrown in plan.throws:
            assert {seat for seat, pips in enumerate(thrown) if pips} == among
            among = {seat for seat in among if thrown[seat] == max(thrown)}
        assert among == {plan.first}
        seen_ties += len(plan.throws) > 1
    assert seen_ties


def test_every_movement_names_from_to_amount_and_why() -> None:
    """1.7"""
    events = told(table((1, 2)), rolls(ANNA), buys(ANNA))
    moved = [m for event in events for m in getattr(event, "moved", ())]

    assert [msgspec.to_builtins(movement) for movement in moved] == [
        {"from": "seat:0", "to": "pot", "amount": 60, "why": "price"}
    ]


def test_options_have_defaults_and_a_dwell_without_a_meaning_is_refused() -> None:
    """1.8"""
    assert MonopolyOptions() == MonopolyOptions("edition", "watch", "house", False, 400, 10, 10, 10)
    with pytest.raises(OptionsConflict) as caught:
        options(attention="open", attention_dwell=20)
    assert (caught.value.first, caught.value.second) == ("attention_dwell", "attention")


def test_a_match_names_the_hash_of_its_files_for_good() -> None:
    """1.7: an old match never changes when a file does."""
    first = begin(options(), PACE, 2, None)
    done = all_of(MONOPOLY.decide(first, _set_up(first)), SetUpDone)[0]
    digest = hashlib.sha256(b"".join(name.encode() + b"\n" + RAW[name] for name in FILES)).hexdigest()

    assert done.data == digest == CURRENT.hash
    assert VERSIONS[done.data] is CURRENT
    pinned = MONOPOLY.evolve(msgspec.structs.replace(first, data_hash="another"), done)
    assert pinned.data_hash == digest


def _set_up(state: State) -> Command[Action]:
    return Command(HOUSE, NOON, MONOPOLY.house(state, CHANCE).action)


@pytest.mark.parametrize("name", FILES)
def test_each_file_fits_its_schema(name: str) -> None:
    schema = msgspec.json.schema(TYPES[name])
    kept = files("domain.games.monopoly.data").joinpath("schema", name.replace(".json", ".schema.json"))

    assert json.loads(kept.read_bytes()) == schema
    assert msgspec.json.decode(RAW[name], type=TYPES[name])


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("board.json", RAW["board.json"].replace(b'"street", "street": "badstrasse"', b'"street", "street": null')),
        ("board.json", b"[]"),
        ("chance.json", RAW["chance.json"].replace(b'"keep"', b'"perhaps"')),
        ("chance.json", RAW["chance.json"].replace(b"ch_loan", b"ch_fine")),
        ("cheats.json", RAW["cheats.json"].replace(b"bank_heist", b"pickpocket")),
        ("deeds.json", RAW["deeds.json"].replace(b"badstrasse", b"bad_street", 1)),
        ("deeds.json", RAW["deeds.json"].replace(b'"price": 60', b'"price": -60')),
    ],
)
def test_a_file_that_is_wrong_stops_the_start(name: str, wrong: bytes) -> None:
    assert wrong != RAW[name]
    with pytest.raises((msgspec.ValidationError, ValueError)):
        read({**RAW, name: wrong})


def test_a_changed_file_is_another_version() -> None:
    other = read({**RAW, "chance.json": RAW["chance.json"].replace(b"150", b"160")})

    assert other.hash != CURRENT.hash


def test_every_text_is_there_in_both_languages() -> None:
    texts = [card.text for card in CURRENT.cards.values()]
    texts += [text for card in CURRENT.cheats for text in (card.names, card.task, card.undo, card.reward.text)]

    assert all(text.en and text.de and text.en != text.de for text in texts)


def test_the_rules_show_board_decks_and_cheat_cards() -> None:
    """1.1: what a player would look up."""
    assert (
        "| 34 | Parkstraße | Park Place | Park Lane | parkstrasse | dark_blue | 350 | 180 / 360 / 720, 360 |"
        in MONOPOLY.rules
    )
    for name in (*CURRENT.cards, *CURRENT.cheat):
        assert f" {name} |" in MONOPOLY.rules
    for card in CURRENT.cheats:
        assert card.task.en in MONOPOLY.rules


def test_luck_can_be_arranged() -> None:
    """13.1"""
    state = table((6, 5), (1, 2), first=1, cheats=("escape", "squatter"), seats=3)
    assert state.turn.seat == BEN
    assert state.open_cheats[:2] == ("escape", "squatter")
    threw = told(state, rolls(BEN))
    assert [event.dice for event in threw if hasattr(event, "dice")] == [(6, 5)]


@pytest.mark.parametrize(
    "deal",
    [
        StackedTable(first=5),
        StackedTable(chance=("cc_jail",)),
        StackedTable(chest=("ch_jail",)),
        StackedTable(cheats=("escape", "escape")),
        StackedTable(cheats=("no_such_cheat",)),
    ],
)
def test_luck_that_no_table_could_have_is_refused(deal: StackedTable) -> None:
    """13.1"""
    with pytest.raises(BadDeal):
        check_deal(options(), 3, deal)


def test_anna_pays_what_the_street_costs() -> None:
    """3.3"""
    state = table((1, 2))
    events = told(state, rolls(ANNA), buys(ANNA))
    after = settled(state)
    for event in events:
        after = MONOPOLY.evolve(after, event)

    assert after.owners == {"turmstrasse": ANNA}
    assert announced(after, ANNA) == 1_440
