"""Whole matches as their transcripts, kept for good: what was played under a rules version is found whole ever after.

`python -m tests.transcripts.keeping` writes those that are not there, two for each game of the catalogue: one of
players alone, and one of players who commit to entropy and of bots. What is there is never written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.games.cheat.events import Accepted
from domain.kernel.game import OldShape, Seat
from projections.catalogue import CATALOGUE
from projections.views.seam import AnyView
from tests.audit.paper import Paper, Story, short, stories

FOLDER: Final = Path(__file__).parent / "whole"
OLD: Final = Path(__file__).parent / "old" / "cheat-let-stand.ndjson"
MANY: Final = 12  # matches of which the shortest is kept


def kept() -> Iterator[tuple[str, list[Story]]]:
    """Names of files, and stories of which the shortest is told there."""
    for game in CATALOGUE:
        all_of = [replace(story, options=short(game), wild=25) for story in stories(game, MANY)]
        yield f"{game}-players", [story for story in all_of if not story.bots]
        yield f"{game}-bots", [story for story in all_of if story.bots and story.commit]
    cheat = Story(game="cheat", luck=1, seats=4, wild=25)
    yield (
        "cheat-drawn",
        [replace(cheat, options={"hand": "fixed7", "mode": "best_of", "max_turns": 8})],
    )
    yield "cheat-forfeits", [replace(cheat, options={"penalty": "forfeit", "adults_only": True, "max_turns": 20})]


# ── an event as it was stored once ──────────────────────────────────────────


class LetStand(Struct, frozen=True, tag="cheat.let_stand"):
    """What ``cheat.accepted`` was, let us say, under rules version 1: another name, another order, and a time."""

    by: Seat
    claim: int
    at: datetime | None = None


def cheat_now() -> AnyView:
    """Cheat, had it changed the shape of that event with rules version 2."""
    view = CATALOGUE["cheat"]
    shape = OldShape(
        until=1,
        stored=LetStand,
        today=Accepted,
        read=lambda old: Accepted(old.claim, old.by),
        write=lambda event: LetStand(event.seat, event.claim_id),
    )
    return replace(view, game=replace(view.game, rules_version=2, old=(shape,)))


def old_match() -> Paper:
    """Played under rules version 1, by a build that knows both."""
    return Paper(Story(game="cheat", luck=4, seats=3, bots=1, options={"max_turns": 6}), view=cheat_now())


def write() -> None:
    for name, all_of in kept():
        file = FOLDER / f"{name}.ndjson"
        if not file.exists():
            told = min((b"".join(Paper(story).lines()) for story in all_of), key=len)
            file.write_bytes(told)
    if not OLD.exists():
        OLD.write_bytes(b"".join(old_match().lines()))


if __name__ == "__main__":
    write()
