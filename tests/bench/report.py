"""What was found: as a table, and as a page."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct
from rich.console import Console
from rich.table import Table

PAGE: Final = Path("docs/performance.md")
OF_INTEREST: Final = ("asyncpg", "eventsourcing", "litestar", "msgspec", "psycopg", "redis", "uvicorn", "uvloop")


class Row(Struct, frozen=True):
    """``found``: as text. ``aim``: what it should be, where there is an aim; ``met``: whether it is."""

    what: str
    found: str
    aim: str = ""
    met: bool = True

    @property
    def aimed(self) -> str:
        return self.aim if self.met else f"{self.aim}, missed"


class Section(Struct, frozen=True):
    """``name``: as on the command line. ``conditions``: what one must know to repeat it; ``note``: to understand it."""

    name: str
    title: str
    conditions: str
    rows: tuple[Row, ...]
    note: str = ""


def rate(values: Sequence[float]) -> str:
    return f"{statistics.median(values):,.0f}/s"


def ratio(values: Sequence[float]) -> str:
    """The median of ratios, and from which to which they went."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def us(values: Sequence[float]) -> str:
    return f"{statistics.median(values) * 1e6:,.0f} µs"


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"


def kb(size: float) -> str:
    return f"{size / 1e3:.1f} kB"


def show(section: Section) -> None:
    table = Table(title=section.title, caption=section.conditions, title_justify="left", caption_justify="left")
    table.add_column("")
    table.add_column("found", justify="right")
    table.add_column("aim", justify="right")
    for row in section.rows:
        table.add_row(row.what, row.found, row.aimed)
    Console(soft_wrap=False).print(table)


def write(sections: Iterable[Section]) -> None:
    """The page, anew."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(_page(sections), encoding="utf-8")


def _page(sections: Iterable[Section]) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in OF_INTEREST)
    lines = [
        "# Performance",
        "",
        "Written by `python -m tests.bench --write`; do not edit it by hand. Each section is one run in which what is "
        "compared took turns, so that a slow minute of the machine hit all of it: trust the ratios. A range in "
        "brackets is from the lowest to the highest of the turns.",
        "",
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, {_machine()}; {platform.python_implementation()} "
        f"{platform.python_version()}, {versions}; Postgres and Valkey as `mogelwerk serve` starts them, fsync on. "
        "Clients, service and both servers share the machine.",
        "",
    ]
    for section in sections:
        lines += [f"## {section.title}", "", section.conditions, "", "| | found | aim |", "| --- | ---: | ---: |"]
        lines += [f"| {row.what} | {row.found} | {row.aimed} |" for row in section.rows]
        lines += [
            "",
            *([section.note, ""] if section.note else []),
            f"Again: `python -m tests.bench {section.name}`",
            "",
        ]
    return "\n".join(lines)


def _machine() -> str:
    cpu = Path("/proc/cpuinfo")
    names = [line.partition(": ")[2] for line in cpu.read_text().splitlines() if line.startswith("model name")]
    kind = names[0] if cpu.exists() and names else platform.processor()
    return f"{os.cpu_count()} cores ({kind}), {platform.system()} {platform.release()}"
