"""The commands in our documents, taken out and run as they stand.

A fence's info string says what a block is: ``sh run`` is run, in order, in one shell per document; ``… shows`` is what
the block before it answers, ``…`` standing for anything; ``sh serves`` starts a server, ``sh plays`` a program that
waits for a person, ``sh docker`` and ``sh tests`` are not run here.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

ROOT: Final = Path(__file__).resolve().parents[2]
ADDRESS: Final = "http://127.0.0.1:8000"  # in the documents; a test puts its own server's there
KINDS: Final = {"run", "shows", "serves", "plays", "docker", "tests"}
TEXTS: Final = {"", "shows", "tree", "chain", "luck"}
SCRIPTS: Final = Path(sys.executable).parent
_FENCE: Final = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
_LIMIT: Final = 60.0


class Block(Struct, frozen=True):
    document: str
    line: int
    language: str
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    name = str(document.relative_to(ROOT))
    return [
        Block(name, text.count("\n", 0, found.start()) + 1, *_info(found[2]), _dedented(found[3], len(found[1])))
        for found in _FENCE.finditer(text)
    ]


def run(
    document: Path, put: Mapping[str, str], folder: Path, env: Mapping[str, str]
) -> list[tuple[Block, str, Block | None]]:
    """Runs a document's blocks, and gives each with what it said and what the document says that it shows.

    ``put``: what a test has in place of addresses and folders that are fixed in the document.
    """
    all_of = blocks(document)
    steps = [
        (block, after if after is not None and after.kind == "shows" else None)
        for block, after in zip(all_of, [*all_of[1:], None], strict=True)
        if block.kind == "run"
    ]
    mark = "@@ mogelwerk step"
    script = "set -eu\n" + "".join(
        f"echo '{mark} {place}'\n{replaced(block.text, put)}\n" for place, (block, _) in enumerate(steps)
    )
    done = subprocess.run(
        ["bash", "-c", script],  # noqa: S607 - the one of whoever runs the tests, as for a reader
        cwd=checkout(folder),
        env=dict(env),
        capture_output=True,
        text=True,
        timeout=_LIMIT,
    )
    sys.stderr.write(done.stderr)  # pytest shows it beside what failed
    said = done.stdout.split(mark)[1:]
    assert done.returncode == 0, f"{steps[len(said) - 1][0]} fails:\n{said[-1]}\n{done.stderr}"
    return [(block, answer.partition("\n")[2], shows) for (block, shows), answer in zip(steps, said, strict=True)]


def goes_as_written(document: Path, put: Mapping[str, str], folder: Path, env: Mapping[str, str]) -> int:
    """Runs a document's blocks and compares what it shows; gives how many blocks there were."""
    steps = run(document, put, folder, env)
    for _, said, shows in steps:
        assert shows is None or fits(shows.text, said), f"{shows} shows another answer than:\n{said}"
    return len(steps)


def checkout(folder: Path) -> Path:
    """A folder that looks to commands like a checkout with its .venv, and may be written to."""
    for name, place in {"docs": ROOT / "docs", ".venv": SCRIPTS.parent}.items():
        if not (folder / name).exists():
            (folder / name).symlink_to(place)
    return folder


def replaced(text: str, put: Mapping[str, str]) -> str:
    for written, ours in put.items():
        text = text.replace(written, ours)
    return text


def fits(shown: str, said: str) -> bool:
    """Whether that is what was said, ``…`` standing for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
    return re.fullmatch(pattern, said.strip(), re.DOTALL) is not None


def _info(text: str) -> tuple[str, str]:
    language, _, kind = text.strip().partition(" ")
    return language, kind


def _dedented(text: str, by: int) -> str:
    return "".join(line[by:] if line.strip() else line for line in text.splitlines(keepends=True))
