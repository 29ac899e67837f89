"""Several Valkeys that share the slots between them."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from redis.asyncio import Redis

from service.servers.children import Child
from tests.service.fanout.redis_faults import program

SLOTS: Final = 16384


class Node:
    def __init__(self, folder: Path) -> None:
        self.port, self.bus = _free_port(), _free_port()
        self.url: Final = f"redis://127.0.0.1:{self.port}"
        folder.mkdir()
        place = ["--bind", "127.0.0.1", "--port", str(self.port), "--cluster-port", str(self.bus), "--dir", str(folder)]
        quick = ["--save", "", "--repl-diskless-sync-delay", "0"]
        cluster = ["--cluster-enabled", "yes", "--cluster-node-timeout", "500", "--cluster-require-full-coverage", "no"]
        with (folder / "log").open("ab") as output:
            self.server: Final = Child(
                [program(), *place, *cluster, *quick], death=signal.SIGKILL, env=os.environ, output=output
            )

    async def tell(self, *command: str | bytes | int) -> Any:
        async with Redis.from_url(self.url) as redis:
            return await redis.execute_command(*command)  # type: ignore[no-untyped-call]

    async def answers(self) -> bool:
        with suppress(Exception):
            return bool(await self.tell("PING"))
        return False

    async def id(self) -> str:
        return str((await self.tell("CLUSTER", "MYID")).decode())

    async def agrees(self, nodes: int) -> bool:
        info = (await self.tell("CLUSTER", "INFO")).decode()
        return "cluster_state:ok" in info and f"cluster_known_nodes:{nodes}" in info

    async def follows(self) -> bool:
        return bool((await self.tell("INFO", "replication"))["master_link_status"] == "up")

    def kill(self) -> None:
        self.server.end(within=0)


class Cluster:
    """Three that serve a third of the slots each, and a replica of the last."""

    def __init__(self) -> None:
        self._folder: Final = Path(tempfile.mkdtemp(prefix="mw-"))
        self.nodes: Final[list[Node]] = []

    async def __aenter__(self) -> Self:
        self.nodes.extend(Node(self._folder / str(n)) for n in range(4))
        first, *others = self.nodes
        for node in self.nodes:
            await until(node.answers)
        for n, node in enumerate(self.nodes):
            await node.tell("CLUSTER", "SET-CONFIG-EPOCH", n + 1)
            if n < 3:
                await node.tell("CLUSTER", "ADDSLOTSRANGE", SLOTS * n // 3, SLOTS * (n + 1) // 3 - 1)
        for node in others:
            await node.tell("CLUSTER", "MEET", "127.0.0.1", first.port, first.bus)
        await self._agree()
        await self.nodes[3].tell("CLUSTER", "REPLICATE", await self.nodes[2].id())
        await until(self.nodes[3].follows)
        return self

    async def __aexit__(self, *_: object) -> None:
        for node in self.nodes:
            node.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _agree(self) -> None:
        for node in self.nodes:
            await until(partial(node.agrees, len(self.nodes)))

    async def move(self, slot: int, old: Node, to: Node) -> None:
        """All at once, without asking who listens.

        ``to`` imports it first, as in any resharding: only then does its claim get an epoch of its own. Otherwise
        the heartbeat of a node with a higher one may take the slot back.
        """
        new = await to.id()
        await to.tell("CLUSTER", "SETSLOT", slot, "IMPORTING", await old.id())
        await old.tell("CLUSTER", "SETSLOT", slot, "MIGRATING", new)
        for node in (to, *self.nodes[:3]):
            await node.tell("CLUSTER", "SETSLOT", slot, "NODE", new)


async def until(come: Callable[[], Awaitable[bool]]) -> None:
    while not await come():  # noqa: ASYNC110  # other processes bring it about
        await asyncio.sleep(0.02)


def _free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])
