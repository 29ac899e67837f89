"""What one command does to a match: all of it or nothing."""

from uuid import UUID, uuid4

from service.store.engine import Store
from service.store.rows import Outcome, StreamRow
from tests.service.store.story import ANNA, append


async def test_what_was_appended_is_read_back_as_it_was(store: Store, match: UUID) -> None:
    play = append(match, 1, events=3, attempts=1, word="k1")

    assert await store.append(play) is Outcome.TAKEN
    assert await store.log.events(match, after_version=1) == list(play.events)
    assert await store.log.attempts(match, 0) == list(play.attempts)
    assert play.key is not None
    assert await store.log.key(ANNA, str(match), "k1") == play.key
    assert await store.log.stream(match) == StreamRow(
        match, "cheat", 4, 1, play.head, play.seqs, play.heads, play.tries
    )
    assert await store.log.versions([match, uuid4()]) == {match: (4, 1)}


async def test_who_comes_second_finds_that_the_match_has_moved(store: Store, match: UUID) -> None:
    first, second = append(match, 1), append(match, 1, attempts=1, word="k")

    assert await store.append(first) is Outcome.TAKEN
    assert await store.append(second) is Outcome.MOVED
    assert await store.log.events(match, after_version=1) == list(first.events)
    assert await store.log.attempts(match, 0) == []
    assert await store.log.key(ANNA, str(match), "k") is None


async def test_a_match_that_does_not_exist_has_moved(store: Store) -> None:
    nowhere = uuid4()

    assert await store.append(append(nowhere, 0)) is Outcome.MOVED
    assert await store.log.events(nowhere) == []
    assert await store.log.stream(nowhere) is None
