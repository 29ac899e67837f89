"""Commands of our documents that serve until they are stopped."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from service.servers.children import until
from tests.docs.blocks import checkout


@contextmanager
def served(command: str, env: Mapping[str, str], folder: Path) -> Iterator[str]:
    """The command as it is written, on a free port unless it names one; its address, when it says so."""
    said = folder / "said.txt"
    with said.open("w") as out:
        process = subprocess.Popen(
            ["bash", "-c", command],  # noqa: S607 - the one of whoever runs the tests, as for a reader
            cwd=checkout(folder),
            env={"MOGELWERK_PORT": "0", **env},
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        assert until(lambda: "API docs" in said.read_text() or process.poll() is not None, 60), said.read_text()
        found = re.search(r"Mogelwerk +(http://\S+)", said.read_text())
        assert found, said.read_text()
        yield found[1]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)
