"""A match comes to be: its first events, and what is written of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from domain.kernel.game import HOUSE, Command
from domain.match import actions, decider
from domain.match.clock import SANDBOX_START
from domain.match.events import NO_DEAL
from projections.catalogue import CATALOGUE
from service.dialogue import Asked, MatchWish
from service.runtime.book import empty
from service.runtime.draft import Draft, Order, decided
from service.store.rows import NewMatch

OPEN_FOR: Final = timedelta(hours=24)  # a match that nobody starts is void after that


def open_match(
    match: UUID,
    seed: bytes,
    asked: Asked,
    wish: MatchWish,
    name_digest: str | None,
    order: Order,
    random: Callable[[int], bytes],
) -> NewMatch:
    """Opened, and the host seated if he wants to sit."""
    view, player = CATALOGUE[wish.game], str(asked.player)
    opened = decider.open_match(
        actions.Open(
            match=str(match),
            game=wish.game,
            rules_version=view.game.rules_version,
            seats=wish.seats,
            options=wish.options,
            pace=wish.pace,
            leaving=wish.leaving,
            fill=wish.fill,
            access=wish.access,
            sandbox=wish.sandbox,
            deal=NO_DEAL if wish.deal is None else wish.deal,
            seed_commitment=hashlib.sha256(seed).hexdigest(),
            host=player,
            open_until=(SANDBOX_START if wish.sandbox else asked.received_at) + OPEN_FOR,
            pause_on_dispute=wish.pause_on_dispute,
        )
    )
    draft = Draft(empty(view, match, wish.seats), seed, order, random)
    at = decider.begin(view.game, opened[0]).clock.match_time(asked.received_at)
    draft.write(opened, HOUSE, at)
    if wish.sit:
        sit = actions.Sit(
            player=player,
            asked_by=player,
            name_digest=name_digest,
            entropy_commitment=wish.entropy_commitment,
        )
        draft.write(decided(draft.book, Command(HOUSE, at, sit)), HOUSE, at)
    append, _, _ = draft.seal(draft.was, HOUSE, None)
    if append.key is not None:
        append = replace(append, key=replace(append.key, scope=""))
    return NewMatch(match=match, game=wish.game, seed=seed, append=append)
