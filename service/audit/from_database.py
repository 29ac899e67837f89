"""`mogelwerk export` on the server's own machine: straight from its database."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from uuid import UUID

from service.audit import CannotExport
from service.audit.exporting import complete
from service.audit.files import CutOff, failed, saving
from service.audit.notary import in_tree
from service.audit.sealed import is_sealed
from service.dialogue import NoSuchMatch, OfNewerBuild
from service.runtime.books import Books
from service.store.engine import Store, with_store
from service.store.tree import BrokenTree


def export(database_url: str, match: UUID, to: Path | None) -> None:
    """The complete transcript, of a match that is over. Raises CannotExport and CannotStart."""
    try:
        with_store(database_url, lambda store: _export(store, match, to))
    except NoSuchMatch:
        raise CannotExport(f"There is no match {match}") from None
    except OfNewerBuild:
        raise CannotExport(
            "A newer build opened the match, and this one does not know its rules: export it there"
        ) from None
    except OSError as why:
        raise CannotExport(failed(why)) from None
    except (BrokenTree, CutOff) as why:
        raise CannotExport(str(why)) from None


async def _export(store: Store, match: UUID, to: Path | None) -> None:
    listed = await store.lobby.row(match)
    if listed is not None and listed.status in ("open", "playing"):
        raise CannotExport("The match is not over: until then everybody has his own, from the server (--server)")
    if listed is not None and listed.status == "superseded":
        books = Books(store)
        if await is_sealed(books, (await books.current(match)).book):
            raise CannotExport("The match goes on as another, which is not over: until then its secrets stay sealed")
    with saving(to) as save:
        async for line in complete(store.log, match, await store.tree.keys(), partial(in_tree, store.tree)):
            save(line)
