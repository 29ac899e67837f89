"""`mogelwerk play`, as people run it: on a terminal, on a dumb one, and with no terminal at all."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import psutil
import pytest

from service.servers.children import until
from service.terminal.client import Account, Client, Match
from tests.api.serving import Served
from tests.service.processes import gone
from tests.service.terminal.pseudo import PROGRAM, Pseudo, on_a_terminal

QUICK = {"turn_time": 60, "min_open": 0, "max_open": 1, "round_pause": 0, "bot_think": 0.05}
TWO_ACES = {"dealer": 2, "hands": [["AS", "AH", "2C"], ["4S", "4H"], ["2D", "3D"]]}


def mogelwerk(*arguments: str, typed: str, env: dict[str, str], within: float = 60) -> subprocess.CompletedProcess[str]:
    """With nothing but pipes."""
    return subprocess.run(
        [*PROGRAM, *arguments], input=typed, env=env, capture_output=True, text=True, timeout=within, check=False
    )


def account(home: dict[str, str]) -> Account:
    (here,) = json.loads((Path(home["XDG_CONFIG_HOME"]) / "mogelwerk" / "accounts.json").read_text()).values()
    (kept,) = here.values()
    return Account(kept["name"], kept["token"])


def match_of(text: str) -> str:
    found = re.search(r"match ([0-9a-f-]{36})", text)
    assert found, text
    return found[1]


def test_a_match_in_the_sandbox_is_played_to_its_end_by_numbers(server: Served, home: dict[str, str]) -> None:
    options = ["--sandbox", "--seats", "3", "--set", "max_turns=9", "--name", "Anna"]
    done = mogelwerk("play", "--server", server.url, *options, typed="1 1\n" * 100, env=home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    says = done.stdout.splitlines()
    assert any("deals" in line and "Anna holds" in line for line in says)
    assert "Anna adds to the luck of the match." in says
    assert sum(line.startswith("Anna lays one card and says") for line in says) == 3
    assert sum("It goes to" in line for line in says) == 1
    assert ("You have won!" in says) == ("The match is over. It goes to Anna." in says)
    assert "The seed is published: every deal can be checked now." in says
    assert "clock is turned" not in done.stdout
    assert "\x1b" not in done.stdout
    with_its_token = Client(server.url, account(home).token)
    assert with_its_token.see(match_of(done.stdout)).finished


def test_a_quick_match_is_played_to_its_end_on_a_terminal(server: Served, home: dict[str, str]) -> None:
    """Time runs: whatever the bots do in between, the person types what is offered first."""
    with on_a_terminal("play", "--server", server.url, "--wait", "--seats", "3", "--name", "Anna", env=home) as screen:
        screen.shows("Others sit down with the code")
        screen.shows("1 of 3 seats are taken.")
        anna = Client(server.url, account(home).token)
        match = match_of(screen.text)
        screen.type("q")
        screen.type("\r")
        assert screen.ends() == 0
    with_a_quick_clock = anna.open("cheat", 3, fill=True, clock=QUICK, options={"max_turns": 12}).match
    anna.start(with_a_quick_clock)
    assert match != with_a_quick_clock
    with on_a_terminal("play", "--server", server.url, "--match", with_a_quick_clock, env=home) as screen:
        screen.shows("Your hand:")
        seen = plays_whatever_is_first(screen, anna, with_a_quick_clock)
        screen.shows("The seed of its luck")
        assert screen.ends() == 0
    assert seen.result is not None
    assert "Anna lays one card" in screen.text


def plays_whatever_is_first(screen: Pseudo, anna: Client, match: str) -> Match:
    seen = anna.see(match)
    while not seen.finished:
        if any(offer.type == "cheat.play" for offer in seen.actions):
            number = [offer.type for offer in seen.actions].index("cheat.play") + 1
            shown = len(screen.raw)
            assert until(lambda at=shown: len(screen.raw) > at, 10)  # type: ignore[misc]  # it has been drawn since
            screen.type(f"{number} 1\r")
        before = seen.seq
        until(lambda at=before: anna.see(match).seq > at, 1)  # type: ignore[misc]
        seen = anna.see(match)
    return seen


def test_on_a_dumb_terminal_it_goes_line_by_line(server: Served, home: dict[str, str]) -> None:
    options = ["--sandbox", "--seats", "3", "--lang", "de", "--name", "Anna"]
    with on_a_terminal("play", "--server", server.url, *options, env=home, term="dumb") as screen:
        screen.shows("Was tust du?")
        screen.type("?\n")
        screen.shows("x geht zurück")
        screen.type("9\n")
        screen.shows("„9“ ist nichts davon.")
        screen.type("q\n")
        screen.shows("Zurück kommst du mit: mogelwerk play --server")
        assert screen.ends() == 0
    assert b"\x1b" not in screen.raw


def test_a_lie_is_put_together_step_by_step(server: Served, anna: Client, home: dict[str, str]) -> None:
    match = anna.open("cheat", 3, sandbox=True, fill=True, deal=TWO_ACES).match
    anna.start(match)
    keep(home, server, anna)
    done = mogelwerk("play", "--server", server.url, "--match", match, typed="1\n9 9\nx\n1\n1 3\nleave\n", env=home)
    assert done.returncode == 0, done.stdout
    steps = ["cards: which? (1–3 numbers", "“9 9” is none of these.", "What do you do?", "cards: which?"]
    steps += ["Anna lays two cards and says: two aces. (AH 2C)", "You have given up your seat."]
    place = 0
    for step in steps:
        place = done.stdout.index(step, place)


def test_who_says_more_than_is_asked_has_done_nothing_yet(server: Served, anna: Client, home: dict[str, str]) -> None:
    one_card = {"dealer": 2, "hands": [["AH"], ["4S", "4H"], ["2D", "3D"]]}
    match = anna.open("cheat", 3, sandbox=True, fill=True, deal=one_card).match
    anna.start(match)
    keep(home, server, anna)
    done = mogelwerk("play", "--server", server.url, "--match", match, typed="1 x\nq\n", env=home)
    assert "“1 x” is none of these." in done.stdout
    assert "Anna lays" not in done.stdout


def test_a_long_list_is_shown_whole_to_who_asks(server: Served, home: dict[str, str]) -> None:
    options = ["--game", "monopoly-cheaters", "--seats", "3", "--sandbox", "--lang", "de"]
    done = mogelwerk("play", "--server", server.url, *options, typed="+\nq\n", env=home)
    before, hint, after = done.stdout.partition("+ zeigt alle")
    assert hint
    row = re.compile(r"^badstrasse +1 +braun +60 ", re.MULTILINE)
    assert not row.search(before)
    assert row.search(after)


def test_a_match_is_left_and_gone_on_with(server: Served, home: dict[str, str]) -> None:
    first = mogelwerk("play", "--server", server.url, "--sandbox", "--name", "Anna", typed="1 1\nq\n", env=home)
    assert first.returncode == 0
    back = re.search(r"Come back with: mogelwerk (.*)", first.stdout)
    assert back, first.stdout
    second = mogelwerk(*back[1].split(), typed="leave\n", env=home)
    assert second.returncode == 0
    assert match_of(second.stdout) == match_of(first.stdout)
    assert "You have given up your seat." in second.stdout
    seat = Client(server.url, account(home).token).see(match_of(first.stdout)).seats[0]
    assert (seat.player, seat.bot) == (None, "careful")


def test_where_nothing_is_typed_any_more_one_goes(server: Served, home: dict[str, str]) -> None:
    done = mogelwerk("play", "--server", server.url, "--sandbox", typed="", env=home)
    assert done.returncode == 0
    assert "No more input." in done.stdout
    assert "Come back with" in done.stdout


def test_friends_find_each_other_by_code(server: Served, home: dict[str, str], tmp_path: Path) -> None:
    bens = {**home, "XDG_CONFIG_HOME": str(tmp_path / "ben")}
    with on_a_terminal("play", "--server", server.url, "--wait", "--seats", "3", "--name", "Anna", env=home) as annas:
        annas.shows("Others sit down with the code")
        code = annas.text.split("with the code ")[1][:8]
        with on_a_terminal("play", "--server", server.url, "--code", code, "--name", "Ben", env=bens) as ben:
            ben.shows("2 of 3 seats are taken.")
            annas.shows("Ben sits down.")
            annas.type("1\r")
            for screen in (annas, ben):
                screen.shows("Your hand:")
                screen.shows("The luck of the match is settled.")
            ben.type("q\r")
            assert ben.ends() == 0
        annas.type("\x04")
        assert annas.ends() == 0


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_ctrl_c_leaves_the_terminal_as_it_was(server: Served, home: dict[str, str], term: str) -> None:
    with on_a_terminal("play", "--server", server.url, "--sandbox", env=home, term=term) as screen:
        before = screen.mode
        screen.shows("What do you do?")
        screen.type("\x03")
        assert screen.ends() == 130
        assert screen.mode == before
        screen.shows("Come back with")
        assert "Traceback" not in screen.text
        assert "\x1b[?25l" not in screen.raw.decode(errors="replace").rpartition("\x1b[?25h")[2]  # the cursor is back


def test_a_server_of_ones_own_goes_when_one_goes(folder: Path, home: dict[str, str]) -> None:
    own = {**home, "XDG_CONFIG_HOME": str(folder / "config")}
    with on_a_terminal("play", "--data", str(folder / "data"), "--sandbox", "--name", "Anna", env=own) as screen:
        screen.shows("What do you do?", within=60)
        family = psutil.Process(screen.process.pid).children(recursive=True)
        assert len(family) > 3
        screen.type("\x03")
        assert screen.ends() == 130
        assert gone(family, within=2)
        back = re.search(r"Come back with: mogelwerk (.*)", screen.text)
        assert back
    with on_a_terminal(*back[1].split(), env=own) as screen:
        screen.shows("What do you do?", within=60)
        family = psutil.Process(screen.process.pid).children(recursive=True)
        screen.process.kill()
        assert gone(family)
    assert "Anna (you)" in screen.text


def test_a_folder_that_is_in_use_is_said_to_be(folder: Path, home: dict[str, str]) -> None:
    data = ["--data", str(folder / "data"), "--sandbox"]
    with on_a_terminal("play", *data, env=home) as screen:
        screen.shows("What do you do?", within=60)
        second = mogelwerk("play", *data, typed="", env=home)
    assert second.returncode == 1
    assert "runs on the data folder" in second.stderr
    assert "--server" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--server", "http://127.0.0.1:1"], "Unter http://127.0.0.1:1 antwortet kein Mogelwerk-Server"),
        (["--server", "HERE", "--game", "chess"], "Ein Spiel „chess“ hat dieser Server nicht. Er hat: cheat, "),
        (["--server", "HERE", "--bot", "clever"], "Einen Bot „clever“ hat Mogeln nicht. Es hat: careful, random."),
        (["--server", "HERE", "--set", "rounds=3"], "„options.rounds“ und „options.mode“ passen so nicht zusammen."),
        (
            ["--server", "HERE", "--set", "nonsense=1"],
            "Ein Feld „/options/nonsense“ gibt es hier nicht, aber: pass_rule, ",
        ),
        (["--server", "HERE", "--seats", "2"], "„/seats“"),
        (["--server", "HERE", "--code", "WRONGONE"], "Falscher Code"),
        (["--server", "HERE", "--match", "00000000-0000-4000-8000-000000000000"], "Diese Partie gibt es nicht"),
        (["--server", "HERE", "--match", "that one"], "Das ist keine Kennung"),
    ],
)
def test_what_does_not_go_is_told_in_the_readers_language(
    server: Served, home: dict[str, str], arguments: list[str], says: str
) -> None:
    here = [server.url if argument == "HERE" else argument for argument in arguments]
    done = mogelwerk("play", *here, typed="", env={**home, "LC_ALL": "de_AT.UTF-8"})
    assert done.returncode == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_who_was_forgotten_by_the_server_comes_anew(server: Served, home: dict[str, str]) -> None:
    place = Path(home["XDG_CONFIG_HOME"]) / "mogelwerk" / "accounts.json"
    place.parent.mkdir(parents=True)
    stale: dict[str, Any] = {server.url: {"Anna": {"name": "Anna", "token": "mw_" + "a" * 43}}}
    place.write_text(json.dumps(stale))
    done = mogelwerk("play", "--server", server.url, "--sandbox", typed="q\n", env=home)
    assert done.returncode == 0
    assert "Anna sits down." in done.stdout
    assert account(home).token != "mw_" + "a" * 43


def keep(home: dict[str, str], server: Served, client: Client) -> None:
    """As if this account had been made in the terminal."""
    place = Path(home["XDG_CONFIG_HOME"]) / "mogelwerk" / "accounts.json"
    place.parent.mkdir(parents=True)
    token = client._http.headers["authorization"].removeprefix("Bearer ")
    place.write_text(json.dumps({server.url: {"Anna": {"name": "Anna", "token": token}}}))
