"""`mogelwerk export` beside a server: straight from its database."""

from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import UUID

from service.audit import CannotExport
from service.audit.exporting import complete
from service.audit.files import CutOff, saving
from service.runtime.answers import NoSuchMatch
from service.runtime.books import Books
from service.runtime.sealed import is_sealed
from service.servers import CannotStart
from service.store.engine import Store
from service.store.rows import Unavailable


def export(database_url: str, match: UUID, to: Path | None) -> None:
    """The complete transcript, of a match that is over. Raises CannotExport and CannotStart."""
    try:
        asyncio.run(_export(database_url, match, to))
    except NoSuchMatch:
        raise CannotExport(f"There is no match {match}") from None
    except (CutOff, OSError) as why:
        raise CannotExport(str(why)) from None
    except Unavailable as why:
        raise CannotStart(str(why)) from why


async def _export(database_url: str, match: UUID, to: Path | None) -> None:
    store = await Store.open(database_url, connections=1)
    try:
        listed = await store.lobby.row(match)
        if listed is not None and listed.status in ("open", "playing"):
            raise CannotExport("The match is not over: until then everybody has his own, from the server (--server)")
        if listed is not None and listed.status == "superseded":
            books = Books(store)
            if await is_sealed(books, (await books.current(match)).book):
                raise CannotExport(
                    "The match goes on as another, which is not over: until then its secrets stay sealed"
                )
        with saving(to) as save:
            async for line in complete(store.log, match, await store.tree.keys()):
                save(line)
    finally:
        await store.close()
