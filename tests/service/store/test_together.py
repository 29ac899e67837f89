"""A crowd asks at once, and the store is asked few times; nobody is told what was so before he asked."""

import asyncio

import pytest

from service.store.rows import Unavailable
from service.store.together import Together


class Store:
    """Answers when it is let, with what it has in that moment."""

    def __init__(self) -> None:
        self.has = {"oak": 1, "elm": 1}
        self.asked: list[list[str]] = []
        self.error: Exception | None = None
        self._may_answer = asyncio.Semaphore(0)
        self._was_asked = asyncio.Semaphore(0)
        self.together = Together(self._ask)

    async def _ask(self, keys: list[str]) -> dict[str, int]:
        self.asked.append(keys)
        read = {key: self.has[key] for key in keys if key in self.has}  # as a statement reads: when it begins
        self._was_asked.release()
        await self._may_answer.acquire()
        if self.error is not None:
            raise self.error
        return read

    async def about(self, *keys: str) -> list[int | None]:
        return await asyncio.gather(*map(self.together.about, keys))

    async def is_asked(self) -> None:
        await self._was_asked.acquire()

    def answers(self) -> None:
        self._may_answer.release()


async def test_who_come_together_are_one_statement_and_each_gets_his_own() -> None:
    store = Store()
    store.answers()

    assert await store.about("oak", "elm", "oak", "ash") == [1, 1, 1, None]
    assert store.asked == [["oak", "elm", "ash"]]


async def test_who_comes_while_it_is_on_its_way_is_told_of_a_later_moment_and_shares_that_too() -> None:
    store = Store()
    first = asyncio.ensure_future(store.about("oak"))
    await store.is_asked()
    store.has["oak"] = 2
    later = asyncio.ensure_future(store.about("oak", "elm", "oak"))
    await asyncio.sleep(0)
    store.answers()
    store.answers()

    assert (await first, await later) == ([1], [2, 1, 2])
    assert store.asked == [["oak"], ["oak", "elm"]]


async def test_where_the_store_is_away_all_who_wait_are_told_so_and_the_next_ask_anew() -> None:
    store = Store()
    store.error = Unavailable("away")
    waiting = [asyncio.ensure_future(store.about("oak"))]
    await store.is_asked()
    waiting.append(asyncio.ensure_future(store.about("elm")))
    await asyncio.sleep(0)
    store.answers()

    for one in waiting:
        with pytest.raises(Unavailable):
            await one
    store.error = None
    store.answers()
    assert await store.about("elm") == [1]
    assert store.asked == [["oak"], ["elm"]]


async def test_who_goes_away_takes_nobodys_answer_with_him() -> None:
    store = Store()
    gone, stays = asyncio.ensure_future(store.about("oak")), asyncio.ensure_future(store.about("oak"))
    await store.is_asked()
    gone.cancel()
    store.answers()

    assert await stays == [1]
