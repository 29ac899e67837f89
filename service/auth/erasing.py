"""An account that somebody wants to have forgotten: erased by whoever runs the server, from its own machine."""

from __future__ import annotations

from uuid import UUID

from service.settings import BadSetting
from service.store.engine import with_store


def erase(database_url: str, player: str) -> bool:
    """All that lies outside the log about this player's id. False: there is no such player.

    Raises BadSetting and CannotStart.
    """
    try:
        known = UUID(player)
    except ValueError:
        raise BadSetting("A player is named by the id that every match shows, and not by name") from None
    return with_store(database_url, lambda store: store.accounts.erase(known))
