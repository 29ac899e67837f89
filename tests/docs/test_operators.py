"""The operators' page: its commands on a server with a data folder of its own, its tables against the code."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

from prometheus_client import REGISTRY

import service.telemetry.metrics  # noqa: F401 - they register themselves
from service.settings import Settings, from_env
from tests.docs.blocks import ADDRESS, ROOT, blocks, goes_as_written, replaced
from tests.docs.serves import served

PAGE = ROOT / "docs" / "operators.md"


def test_what_operators_do_goes_as_it_is_written(folder: Path, home: dict[str, str], tmp_path: Path) -> None:
    (serve,) = (block for block in blocks(PAGE) if block.kind == "serves")
    metrics = free_port()
    put = {"/var/lib/mogelwerk": str(folder / "data"), ":9464/": f":{metrics}/"}
    command = replaced(serve.text, put).replace("--port 8000", "--port 0")
    assert command != serve.text
    with served(command, {**home, "MOGELWERK_METRICS_PORT": str(metrics)}, tmp_path) as url:
        assert goes_as_written(PAGE, {**put, ADDRESS: url}, tmp_path, home) >= 6


class Asked(Mapping[str, str]):
    """An environment that knows what was looked for."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_every_setting_stands_in_the_table_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (?:`(.+?)`)? *\|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    asked = Asked()
    from_env(asked)
    assert {name for name, _ in rows} == asked.names
    assert from_env(dict(rows)) == Settings()
    for name, default in rows:
        assert default or getattr(Settings(), name.removeprefix("MOGELWERK_").lower()) in (None, "", ()), name


def test_every_metric_stands_in_the_table() -> None:
    rows = re.findall(r"^\| `(mogelwerk_\w+)` \| (.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    told = {name: tuple(re.findall(r"`(\w+)`", labels)) for name, labels in rows}
    ours = {}
    for metric in REGISTRY._collector_to_names:
        name = getattr(metric, "_name", "")
        if name.startswith("mogelwerk_"):
            total = "_total" if getattr(metric, "_type", "") == "counter" else ""
            ours[name + total] = tuple(getattr(metric, "_labelnames", ()))
    assert told == ours


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
