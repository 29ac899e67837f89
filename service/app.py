"""The application: its routes, and what a process needs to serve them, opened and closed with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from litestar import Litestar
from litestar.datastructures import State
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse

from service.api.answers.replies import nothing
from service.api.document import pages
from service.api.requests import failures
from service.api.requests.gate import Gate
from service.api.requests.limits import AllBuckets
from service.api.requests.parts import Parts
from service.api.requests.readiness import Readiness
from service.api.routes import (
    actions,
    attempts,
    checkpoints,
    disputes,
    frames,
    games,
    health,
    history,
    matches,
    players,
    receipts,
    replay,
    seats,
)
from service.audit.access import AccessLog
from service.audit.anomalies import Anomalies
from service.audit.exporting import Histories
from service.audit.notary import Notary
from service.audit.refusals import Refusals
from service.audit.replaying import Replays
from service.auth.bearers import Bearers
from service.runtime.runtime import Runtime
from service.servers.folder import keys_folder
from service.settings import Settings
from service.telemetry import logs, metrics

HANDLERS: Final[tuple[HTTPRouteHandler, ...]] = (
    players.create_player,
    players.me,
    players.create_token,
    players.revoke,
    games.games,
    games.game,
    matches.open_match,
    matches.lobby,
    matches.see,
    seats.sit,
    seats.leave,
    seats.join,
    matches.start,
    actions.act,
    frames.page,
    frames.live,
    matches.turn_clock,
    disputes.raise_dispute,
    disputes.disputes,
    disputes.dispute,
    disputes.take_dispute,
    disputes.rule,
    disputes.resume,
    disputes.break_seal,
    history.history,
    replay.replay,
    attempts.attempts,
    receipts.receipts,
    receipts.signing_keys,
    checkpoints.checkpoint,
    checkpoints.verification,
    health.live,
    health.ready,
    pages.problem,
    pages.openapi_json,
    pages.docs,
)


def _options(handlers: Iterable[HTTPRouteHandler]) -> Iterator[HTTPRouteHandler]:
    """For paths with several handlers: Litestar's own answer to OPTIONS names only what the first of them takes."""
    methods: dict[str, set[str]] = {}
    for handler in handlers:
        for path in handler.paths:
            methods.setdefault(path, set()).update(map(str, handler.http_methods))
    for path, allowed in methods.items():
        if len(allowed) > 1:
            allow = ", ".join(sorted({*allowed, "OPTIONS"}))
            yield HTTPRouteHandler(path, http_method=HttpMethod.OPTIONS, include_in_schema=False)(_allows(allow))


def _allows(allow: str) -> Callable[[], Awaitable[ASGIResponse]]:
    async def options() -> ASGIResponse:
        return nothing(headers={"allow": allow})

    return options


def create_app(settings: Settings) -> Litestar:
    """``app.state.shutdown()`` lets streams and those who wait end at once; the rest closes with the app."""
    logs.configure(json=settings.log_json, level=settings.log_level)
    closing = asyncio.Event()

    @asynccontextmanager
    async def opened(app: Litestar) -> AsyncIterator[None]:
        runtime = await Runtime.open(settings.database_url, settings.redis_url, sandbox=settings.sandbox)
        bearers = Bearers(runtime.store.accounts, runtime.clock.now)
        refusals = Refusals(runtime.store.log, runtime.books)

        def broken(match: UUID | None, what: Exception) -> None:
            if match is None:
                metrics.broken_tree(str(what))
            else:
                runtime.books.found_broken(match, what)

        notary = Notary(
            runtime.store,
            keys_folder(settings),
            runtime.clock.now,
            public_url=settings.public_url,
            look=Anomalies(runtime.store.log, refusals, runtime.disputes, runtime.clock.now).look,
            on_broken=broken,
        )
        watching = [asyncio.create_task(each) for each in (bearers.watch(), notary.run())]
        app.state.clock = runtime.clock
        app.state.parts = Parts(
            settings=settings,
            runtime=runtime,
            bearers=bearers,
            buckets=AllBuckets.of(settings.limits),
            readiness=Readiness(),
            notary=notary,
            histories=Histories(runtime.store.log, runtime.books, runtime.store.tree.keys, notary.in_tree),
            replays=Replays(runtime.store.log, runtime.books),
            refusals=refusals,
            access=AccessLog(runtime.store.access, runtime.clock.now),
            closing=closing,
        )
        try:
            yield
        finally:
            closing.set()
            for task in watching:
                task.cancel()
            await runtime.close()

    app = Litestar(
        [*_options(HANDLERS), *HANDLERS],
        lifespan=[opened],
        state=State({"shutdown": closing.set}),
        exception_handlers={Exception: failures.answer},
        openapi_config=None,
        logging_config=None,
        debug=False,
    )
    app.asgi_handler = Gate(app.asgi_handler, settings)
    return app
