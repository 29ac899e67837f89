"""All benchmarks, or those that are named: ``python -m tests.bench [--write] [name…]``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Final

from tests.bench import delay, folding, length, memory, throughput, verifying
from tests.bench.report import PAGE, Section, show, write

KINDS: Final = (throughput, length, delay, memory, folding, verifying)
ALL: Final[dict[str, Callable[[], Section]]] = {it.NAME: it.run for it in KINDS}


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    asked.add_argument("name", nargs="*", help=f"of {', '.join(ALL)}; all, if none is named")
    asked.add_argument("--write", action="store_true", help=f"write {PAGE}; only with all of them")
    said = asked.parse_args()
    if unknown := set(said.name) - set(ALL):
        asked.error(f"there is no {', '.join(unknown)}")
    if said.write and said.name:
        asked.error("a page of some of them would lose the others")
    sections = []
    for name in said.name or ALL:
        began = time.monotonic()
        sections.append(ALL[name]())
        show(sections[-1])
        print(f"{time.monotonic() - began:.0f} s\n", flush=True)
    if said.write:
        write(sections)


if __name__ == "__main__":
    main()
