"""Whole matches and what every viewer was told of them, as lines that can be kept and compared byte for byte.

`python -m tests.transcripts.telling` writes those that do not exist yet. One that exists is never written again: what a
viewer was told under a rules version is pinned to it (docs/how-it-works.md, *The chains*).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Raw

from domain.kernel.game import HOUSE, Answers, Command, HouseNow, Pace, Refused, Seat
from domain.match import actions
from domain.match.clock import SANDBOX_START
from domain.match.decider import awaits, decide, house, open_match
from domain.match.events import NO_DEAL
from projections.catalogue import CATALOGUE
from projections.views.match import offers
from service.runtime.book import Book, Written, empty
from service.runtime.bots import usable
from tests.games import KNOWN, Story
from tests.service.runtime.table import fitting

FOLDER: Final = Path(__file__).parent
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
MATCH: Final = UUID("8347bdbf-9a48-47ab-a57c-1cdf79bfecc5")
SEED: Final = sha256(b"a match to be kept").digest()


STORIES: Final = {name: (game, story) for game, known in KNOWN.items() for name, story in known.stories.items()}


def tell(game: str, story: Story) -> Iterator[bytes]:
    """A line an event: its envelope, and each viewer's frame of it (null where he is not told)."""
    for written in _played(game, story):
        frames = b",".join(frame or b"null" for frame in written.frames)
        envelope, head = written.row.envelope.encode(), written.row.head.hex().encode()
        yield b'{"envelope":%b,"head":"%b","frames":[%b]}\n' % (envelope, head, frames)


def _played(game: str, story: Story) -> Iterator[Written]:
    view, luck = CATALOGUE[game], Random(story.luck)
    salts = (sha256(f"{story.luck} {n}".encode()).digest()[:16] for n in range(1_000_000))
    book, at, said = empty(view, MATCH, story.seats), SANDBOX_START, 0

    def write(book: Book, happened: Any, by: Seat) -> tuple[Book, list[Written]]:
        command = UUID(int=said)
        return book.write(happened, by=by, command=command, at=at, received_at=NOON, salt=lambda _: next(salts))

    opening = actions.Open(
        match=str(MATCH),
        game=game,
        rules_version=view.game.rules_version,
        seats=story.seats,
        options=Raw(story.options.encode()),
        pace=Pace(),
        leaving="bot",
        fill=None,
        access="public",
        sandbox=True,
        deal=NO_DEAL,
        seed_commitment=sha256(SEED).hexdigest(),
        host="player-0",
        open_until=SANDBOX_START + timedelta(hours=24),
    )
    book, lines = write(book, open_match(opening), HOUSE)
    yield from lines
    sitting = [actions.Sit(player=f"player-{n}", asked_by=f"player-{n}") for n in range(story.seats)]
    for first in (*sitting, actions.Start("player-0")):
        book, lines = write(book, decide(view.game, book.open_state(), Command(HOUSE, at, first)), HOUSE)
        yield from lines
    while (act := house(view.game, book.open_state(), SEED)) is not None:
        said += 1
        by, action, at = _next(book, at, luck, act, story.asleep)
        try:
            happened = decide(view.game, book.open_state(), Command(by, at, action))
        except Refused as no:
            raise AssertionError(f"{action} fits an offer and is refused: {no}") from no
        book, lines = write(book, happened, by)
        yield from lines


def _next(book: Book, at: datetime, luck: Random, act: Any, asleep: tuple[int, ...]) -> tuple[Seat, Any, datetime]:
    """The House's act where it must or nobody wants to; else something that somebody is offered."""
    game = book.view.game
    waited = awaits(game, book.open_state())
    if isinstance(waited, HouseNow):
        return HOUSE, act, at
    assert isinstance(waited, Answers)
    for seat in luck.sample(range(book.seats), book.seats):
        if seat in asleep:
            continue
        seen = book.sights[seat].seen
        assert seen is not None
        able = [o for o in usable(offers(book.view, seen, Seat(seat), at), at) if _wants(o.type, luck)]
        if able:
            said = fitting(msgspec.to_builtins(luck.choice(able)), luck)
            return Seat(seat), msgspec.convert(said, game.player_action), at
    later = at + timedelta(seconds=5)
    return (
        (HOUSE, act, waited.until) if waited.until and later >= waited.until else _next(book, later, luck, act, asleep)
    )


def _wants(kind: str, luck: Random) -> bool:
    rare = 0.15 if "challenge" in kind else 0.05 if "control" in kind else 0.01 if "accuse" in kind else 0.8
    return luck.random() < rare


if __name__ == "__main__":
    for name, (game, story) in STORIES.items():
        file = FOLDER / f"{name}.ndjson"
        if not file.exists():
            file.write_bytes(b"".join(tell(game, story)))
