"""A match keeps the data with which it began, whatever a later build deals from."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from domain.games.monopoly import state
from domain.games.monopoly.data import CURRENT, VERSIONS, Data
from domain.kernel.game import AnyGame, Edition
from projections.audit import transcript
from projections.audit.fault import Fault, Part
from projections.audit.verify import verify
from projections.catalogue import CATALOGUE
from projections.views.seam import AnyView
from service.runtime.book import empty
from tests.audit.paper import Paper, Story

TODAY = CATALOGUE["monopoly-cheaters"]
STORY = Story(game="monopoly-cheaters", luck=3, seats=3, bots=1, options={"max_turns": 8})


@pytest.fixture
def tomorrow(monkeypatch: pytest.MonkeyPatch) -> AnyView:
    """The build after this one: a chance card and a cheat card fewer, under a new rules version."""
    decks = {**CURRENT.decks, "chance": CURRENT.decks["chance"][1:]}
    data = Data("ab" * 32, {"chance.json": "cd" * 32}, CURRENT.board, CURRENT.deeds, decks, CURRENT.cheats[1:])
    assert isinstance(VERSIONS, dict)
    monkeypatch.setitem(VERSIONS, data.hash, data)
    game: AnyGame = replace(
        TODAY.game,
        rules_version=2,
        data=data.files,
        begin=partial(state.begin, data=data),
        editions=(Edition(until=1, begin=TODAY.game.begin, data=TODAY.game.data),),
    )
    return replace(TODAY, game=game)


def catalogue(view: AnyView) -> dict[str, AnyView]:
    return {**CATALOGUE, view.game.id: view}


def test_a_match_that_was_played_before_is_played_again_with_its_own_data(tomorrow: AnyView) -> None:
    found = verify(Paper(STORY).lines(), catalogue=catalogue(tomorrow))

    assert (found.rules_version, found.played, found.drawn) == (1, True, True)


def test_a_match_that_runs_while_the_server_is_upgraded_goes_on_with_its_own_data(tomorrow: AnyView) -> None:
    it = Paper(STORY)
    book = empty(tomorrow, it.match, STORY.seats)
    for row in it.rows:
        book = book.read(row)
        if book.version == len(it.rows) // 2:
            game = book.open_state().game
            assert game is not None
            assert game.data is CURRENT
    assert book.state == it.book.state


def test_what_begins_later_has_the_later_data_and_says_so(tomorrow: AnyView, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(CATALOGUE, dict)
    monkeypatch.setitem(CATALOGUE, tomorrow.game.id, tomorrow)
    lines = Paper(STORY).lines()
    header = transcript.read(lines[0])

    assert isinstance(header, transcript.Header)
    assert (header.rules_version, header.data) == (2, {"chance.json": "cd" * 32})
    assert verify(lines).drawn
    assert "ab" * 32 in b"".join(lines).decode()


def test_a_match_that_was_played_before_names_its_own_data(tomorrow: AnyView, monkeypatch: pytest.MonkeyPatch) -> None:
    it = Paper(STORY)
    before = it.lines()
    assert isinstance(CATALOGUE, dict)
    monkeypatch.setitem(CATALOGUE, tomorrow.game.id, tomorrow)

    assert it.lines() == before


def test_an_old_match_cannot_name_later_data(tomorrow: AnyView) -> None:
    opened, *rest = Paper(STORY).lines()
    header = transcript.read(opened)
    assert isinstance(header, transcript.Header)
    forged = transcript.write(replace(header, data=tomorrow.game.data))
    with pytest.raises(Fault) as found:
        verify([forged, *rest], catalogue=catalogue(tomorrow))

    assert (found.value.version, found.value.part) == (1, Part.FORM)
