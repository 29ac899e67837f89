"""Tokens that no guest gets: given out by whoever runs the server, from its own machine."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import msgspec

from service.auth.names import Name
from service.auth.scopes import Scope
from service.auth.secrets import digest, first_token
from service.settings import BadSetting
from service.store.engine import with_store
from service.store.rows import Player, Token


def issue(database_url: str, *, name: str, scopes: Iterable[str], days: int) -> str:
    """A new account of this name, and its token. Raises BadSetting and CannotStart."""
    try:
        granted = tuple(dict.fromkeys(Scope(scope) for scope in scopes))
    except ValueError:
        raise BadSetting(f"A scope must be one of {', '.join(Scope)}") from None
    try:
        called = msgspec.convert(name, Name)
    except msgspec.ValidationError:
        raise BadSetting("A name has 1 to 40 characters that can be seen, and no blank at either end") from None
    now = datetime.now(UTC)
    player = Player(uuid4(), called, now)
    text = first_token(None, player.id)
    token = Token(uuid4(), player.id, granted, now, now + timedelta(days=days), None)
    with_store(database_url, lambda store: store.accounts.create(player, token, digest(text)))
    return text
