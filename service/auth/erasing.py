"""An account that somebody wants to have forgotten: erased by whoever runs the server, from its own machine."""

from __future__ import annotations

import asyncio
from uuid import UUID

from service.servers import CannotStart
from service.settings import BadSetting
from service.store.engine import Store
from service.store.rows import Unavailable


def erase(database_url: str, player: str) -> bool:
    """All that lies outside the log about this player's id. False: there is no such player.

    Raises BadSetting and CannotStart.
    """
    try:
        known = UUID(player)
    except ValueError:
        raise BadSetting("A player is named by the id that every match shows, and not by name") from None
    try:
        return asyncio.run(_erase(database_url, known))
    except Unavailable as why:
        raise CannotStart(str(why)) from why


async def _erase(database_url: str, player: UUID) -> bool:
    store = await Store.open(database_url, connections=1)
    try:
        return await store.accounts.erase(player)
    finally:
        await store.close()
