"""The README, as a newcomer follows it."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import httpx
import pytest

from projections.catalogue import CATALOGUE
from tests.api.serving import Served
from tests.docs.blocks import ADDRESS, ROOT, Block, blocks, goes_as_written
from tests.docs.serves import served

README = ROOT / "README.md"


def of_kind(kind: str) -> list[Block]:
    return [block for block in blocks(README) if block.kind == kind]


def test_the_first_match_goes_as_it_is_written(server: Served, home: dict[str, str], tmp_path: Path) -> None:
    assert goes_as_written(README, {ADDRESS: server.url}, tmp_path, home) >= 6


def test_two_commands_are_all_that_one_needs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert of_kind("serves")[0].text == "make serve\n"
    assert of_kind("tests")[0].text == "make test\n"
    assert "\nserve:" in makefile
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith("\nmake test")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-embedded.txt", "requirements-dev.txt"])
def test_what_is_installed_is_pinned_and_hashed(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    wanted = re.split(r"\n(?=\S)", re.sub(r"(?m)^\s*#.*\n?", "", text).strip())
    for one in wanted:
        assert re.match(r"[\w.-]+(\[[\w,]+\])?==[\w.!+-]+(?= |$)", one), one
        assert "--hash=sha256:" in one
    assert "://" not in re.sub(r"(?m)#.*$", "", text)


def test_make_serve_is_a_server_of_ones_own(folder: Path, home: dict[str, str], tmp_path: Path) -> None:
    made = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "--assume-old=.venv/ready-to-run", "serve"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    command = made.stdout.strip()
    assert command == ".venv/bin/mogelwerk serve"
    with served(command, {**home, "MOGELWERK_DATA": str(folder / "data")}, tmp_path) as url:
        assert httpx.get(f"{url}/health/ready").status_code == 200
        assert httpx.get(f"{url}/docs").status_code == 200


def test_a_server_runs_on_what_two_variables_name(
    database: str, redis_url: str, home: dict[str, str], tmp_path: Path
) -> None:
    own = of_kind("serves")[1].text
    named = own.replace("postgresql://mogelwerk:secret@localhost/mogelwerk", shlex.quote(database))
    named = named.replace("redis://localhost:6379/0", shlex.quote(redis_url)).replace(" --port 8000", "")
    assert named != own
    with served(named, home, tmp_path) as url:
        assert httpx.get(f"{url}/health/ready").status_code == 200


def test_the_map_names_every_folder_and_no_other() -> None:
    (tree,) = of_kind("tree")
    found, parents = set(), ["", "", ""]
    for line in tree.text.splitlines():
        name = line.split("/ ")[0] + "/"
        depth = (len(name) - len(name.lstrip())) // 2
        parents[depth] = name.strip()
        found.add("".join(parents[: depth + 1]))
    assert all((ROOT / path).is_dir() for path in found), found
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    top = {f"{path.split('/')[0]}/" for path in tracked.stdout.splitlines() if "/" in path} - {".ci/"}
    assert top <= found
    assert {f"domain/games/{game.name}/" for game in (ROOT / "domain" / "games").glob("[a-z]*/")} <= found


def test_the_table_of_games_is_the_catalogue_and_every_folder_is_in_it() -> None:
    text = README.read_text(encoding="utf-8")
    rows = re.findall(r"^\| .+ \| `([\w-]+)` \| (\d+)–(\d+) \| \[\w+\]\((.+)\) \|$", text, re.MULTILINE)

    assert {game: (int(fewest), int(most)) for game, fewest, most, _ in rows} == {
        game: view.game.seats for game, view in CATALOGUE.items()
    }
    for game, _, _, page in rows:
        assert CATALOGUE[game].game.rules.startswith((ROOT / page).read_text(encoding="utf-8")), page
    assert {ROOT / page for *_, page in rows} == set((ROOT / "domain" / "games").glob("*/RULES.md"))
