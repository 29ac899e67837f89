"""Branches of matches of every game, from every kind of point: everybody knows what he knew then, and nothing more."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain import history
from domain.kernel.game import HOUSE, Command
from domain.match import actions
from domain.match.decider import AnyState
from domain.match.disputes import OFFICIAL
from domain.match.state import Playing, Revealing
from projections.catalogue import CATALOGUE
from projections.views.match import match_view, redact
from service.runtime.book import Book, empty
from service.runtime.branches import branch_of, point_of
from service.runtime.draft import Draft, Order, decided, wall_dues
from service.store.rows import EventRow, NewMatch
from tests.audit.paper import NOON, Paper, stories

NEW = UUID("11111111-1111-4111-8111-111111111111")
SEED = b"\x07" * 32
LATER = NOON + timedelta(days=30)


def papers(game: str) -> list[Paper]:
    return [Paper(story) for story in stories(game, 2)]


async def branched(paper: Paper, rows: list[EventRow], luck: random.Random) -> NewMatch:
    return await branch_of(
        paper.view,
        rows,
        match=NEW,
        seed=SEED,
        referee="rita",
        now=LATER,
        until=LATER,
        random=luck.randbytes,
    )


def read(paper: Paper, match: UUID, rows: list[EventRow]) -> Book:
    book = empty(paper.view, match, paper.story.seats)
    for row in rows:
        book = book.read(row)
    return book


def known(seen: AnyState | None) -> Any:
    """All that somebody knows of a match, but for what makes a branch another match."""
    assert seen is not None
    same = replace(
        seen,
        match="",
        seed_commitment="",
        branch_of=None,
        paused=None,
        clock=seen.clock.pause(NOON),
        referees=(),
        disputes=(),
        idle=0,
        before=None,
    )
    return replace(same, clock=replace(same.clock, paused=None))


@pytest.mark.parametrize("game", CATALOGUE)
async def test_everybody_knows_in_a_branch_what_he_knew_then(game: str) -> None:
    luck = random.Random(game)
    for paper in papers(game):
        seats = paper.story.seats
        for _ in range(3):
            viewer = luck.randrange(seats + 1)
            told = luck.randrange(1, len(paper.rows))
            point = point_of(paper.view.game, paper.rows, viewer, told, at_deal=luck.random() < 0.2)
            if point is None:
                continue
            rows = paper.rows[: point.version]
            old, new = read(paper, paper.match, rows), await branched(paper, rows, luck)
            book = read(paper, NEW, list(new.append.events))

            assert isinstance(old.open_state().phase, Playing | Revealing)
            assert max((row.seqs[viewer] for row in rows), default=0) <= told
            assert known(book.state) == known(old.state)
            for index in range(seats + 1):
                then, now = old.sights[index], book.sights[index]
                assert now.seq == then.seq + 1
                assert known(now.seen) == known(then.seen)
            assert [row.seqs for row in new.append.events[:-1]] == [row.seqs for row in rows]
            assert book.head == new.append.head
            together = [a.command == b.command for a, b in pairwise(rows)]
            copied = new.append.events[:-1]
            assert together == [a.command == b.command for a, b in pairwise(copied)]


@pytest.mark.parametrize("game", CATALOGUE)
async def test_nobody_is_told_a_byte_more_in_a_branch(game: str) -> None:
    """The texts of all frames, as they are told in both matches, but for the first and the last."""
    paper, luck = Paper(next(iter(stories(game, 1)))), random.Random(1)
    point = point_of(paper.view.game, paper.rows, 0, len(paper.rows) // 2, at_deal=False)
    assert point is not None
    new = await branched(paper, paper.rows[: point.version], luck)

    for viewer in range(paper.story.seats + 1):
        eyes = None if viewer == paper.story.seats else viewer
        for old, again in list(zip(paper.rows, new.append.events, strict=False))[1 : point.version]:
            then, now = (
                redact(paper.view, history.read(paper.view.game, row.envelope).event, eyes)  # type: ignore[arg-type]
                for row in (old, again)
            )
            assert msgspec.json.encode(then) == msgspec.json.encode(now)
    secrets = (paper.seed.hex(), new.append.events[-1].envelope.split('"log_head":"')[1][:64])
    book = read(paper, NEW, list(new.append.events))
    for viewer, sight in enumerate(book.sights):
        eyes = None if viewer == paper.story.seats else viewer
        shown = msgspec.json.encode(
            match_view(paper.view, sight.seen, eyes, seq=sight.seq, now=NOON, names={})  # type: ignore[arg-type]
        ).decode()
        assert not any(secret in shown for secret in secrets)


@pytest.mark.parametrize("game", CATALOGUE)
async def test_a_branch_at_a_deal_is_dealt_by_another_seed(game: str) -> None:
    luck = random.Random(2)
    paper = Paper(next(iter(stories(game, 1))))
    point = point_of(paper.view.game, paper.rows, paper.story.seats, len(paper.rows), at_deal=True)
    assert point is not None
    assert point.at_deal
    new = await branched(paper, paper.rows[: point.version], luck)
    book = read(paper, NEW, list(new.append.events))
    draft = Draft(book, SEED, order(LATER), luck.randbytes)
    draft.write(decided(book, Command(OFFICIAL, book.match_time(LATER), go_on())), OFFICIAL, book.match_time(LATER))
    while not any(isinstance(event, paper.view.game.deals) for event in happened(draft)):
        draft.house_at_once(draft.book.match_time(LATER))
        if (due := Draft(draft.book, SEED, order(LATER + timedelta(hours=1)), luck.randbytes).due()) is not None:
            draft.act(due)

    old = history.read(paper.view.game, paper.rows[point.version].envelope).event
    (dealt,) = [event for event in happened(draft) if isinstance(event, paper.view.game.deals)]
    assert type(dealt) is type(old)
    if game != "liars-dice":  # a round of dice begins before the first throw
        assert dealt != old


def order(at: Any) -> Order:
    return Order(salt=bytes(16), received_at=at, until=at, action=None)


def go_on() -> actions.Resume:
    return actions.Resume(referee="rita", now=LATER)


def happened(draft: Draft) -> list[Any]:
    return [history.read(draft.book.view.game, one.row.envelope).event for one in draft.written]


async def test_while_a_match_stands_still_nothing_is_due_and_then_all_have_their_time() -> None:
    luck = random.Random(3)
    paper = Paper(replace(next(iter(stories("cheat", 1))), bots=1, wild=0))
    point = point_of(paper.view.game, paper.rows, paper.story.seats, len(paper.rows) // 2, at_deal=False)
    assert point is not None
    new = await branched(paper, paper.rows[: point.version], luck)
    book = read(paper, NEW, list(new.append.events)).wake_bots()

    assert wall_dues(book) == (None, None)
    assert book.bot_due() is None
    hour = timedelta(hours=1)
    assert Draft(book, SEED, order(LATER + hour), luck.randbytes).due() is None
    assert book.last_at is not None
    late = replace(book, last_at=book.last_at + hour)  # as where the House was late when it began to stand still
    assert Draft(late, SEED, order(LATER), luck.randbytes).due() is None
    draft = Draft(book, SEED, order(LATER), luck.randbytes)
    draft.stand_still(lambda last: pytest.fail("an outage is none while the match stands still"))
    at = book.match_time(LATER)
    assert at == book.last_at
    draft.write(decided(book, Command(OFFICIAL, at, go_on())), OFFICIAL, at)
    awake = draft.book.wake_bots()
    due = awake.house_due()
    assert due is not None
    assert awake.open_state().clock.wall_time(due) == LATER + (due - at)
    owed = Draft(awake, SEED, order(LATER + hour), luck.randbytes).due()
    assert owed is not None
    assert owed.by == HOUSE or awake.bot_due() is not None
