"""`mogelwerk watch`: a match as it goes on, through one's own eyes or a spectator's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from service.terminal.accounts import Accounts
from service.terminal.client import Client
from tests.api.serving import Served
from tests.service.terminal.pseudo import PROGRAM, on_a_terminal
from tests.service.terminal.test_play import TWO_ACES, keep, mogelwerk


@pytest.fixture
def match(anna: Client) -> str:
    """Public, and it is Anna's turn, who holds two aces."""
    opened = anna.open("cheat", 3, sandbox=True, fill=True, deal=TWO_ACES)
    anna.start(opened.match)
    return opened.match


def plays_to_the_end(anna: Client, match: str) -> None:
    anna.act(match, {"type": "cheat.play", "cards": ["AS", "AH", "2C"]})
    while not anna.turn_clock(match, 600_000).finished:
        seen = anna.see(match)
        for offer in seen.actions:
            if offer.type == "cheat.play" and offer.not_before is None:
                anna.act(match, {"type": "cheat.play", "cards": list((offer.fields["cards"].choose or ())[:4])})


def watched(match: str, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, "watch", match, *arguments], env=env, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_spectator_is_told_what_all_may_know(server: Served, anna: Client, match: str, home: dict[str, str]) -> None:
    with on_a_terminal("watch", match, "--server", server.url, env=home) as screen:
        screen.shows("Waiting for Anna")
        anna.act(match, {"type": "cheat.play", "cards": ["2C"]})
        screen.shows("Anna lays one card and says: one ace.")
        assert "2C" not in screen.text
        screen.type("\x03")
        assert screen.ends() == 130


def test_one_sees_ones_own_cards_through_ones_own_eyes(
    server: Served, anna: Client, match: str, home: dict[str, str]
) -> None:
    keep(home, server, anna)
    plays_to_the_end(anna, match)
    for how, more in ((["--as", "Anna"], {}), ([], {"MOGELWERK_TOKEN": token(anna)})):
        done = watched(match, "--server", server.url, *how, env={**home, **more})
        assert done.returncode == 0, done.stderr
        assert "Anna holds AH AS 2C." in done.stdout
        assert "00:00:00  Anna lays three cards and says: three aces. (AH AS 2C)" in done.stdout
        assert "The seed of its luck: " in done.stdout
    nobody = watched(match, "--server", server.url, env=home)
    assert "Anna holds" not in nobody.stdout


def test_a_match_that_is_over_is_told_from_any_frame_on(
    server: Served, anna: Client, match: str, home: dict[str, str]
) -> None:
    plays_to_the_end(anna, match)
    whole = watched(match, "--server", server.url, "--lang", "de", env=home).stdout.splitlines()
    assert whole[0].startswith(f"Partie {match}, Mogeln: Anna, Bot 2, Bot 3")
    assert any(line.endswith("Ein Sandkasten-Tisch für 3 ist eröffnet: Mogeln.") for line in whole)
    last = Client(server.url, token(anna)).see(match).seq
    rest = watched(match, "--server", server.url, "--lang", "de", "--after", str(last - 1), env=home).stdout
    assert "Ein Sandkasten-Tisch" not in rest
    assert "Startwert ihres Zufalls" in rest
    assert (
        "Startwert ihres Zufalls"
        in watched(match, "--server", server.url, "--after", str(last), "--lang", "de", env=home).stdout
    )


def test_what_is_not_public_is_not_to_be_watched(server: Served, anna: Client, home: dict[str, str]) -> None:
    coded = anna.open("cheat", 3, access="code").match
    done = watched(coded, "--server", server.url, env=home)
    assert done.returncode == 1
    assert "not public" in done.stderr


def test_who_has_only_looked_on_plays_under_a_name_of_his_own(server: Served, match: str, home: dict[str, str]) -> None:
    with on_a_terminal("watch", match, "--server", server.url, env=home) as screen:
        screen.shows("Waiting for Anna")
    accounts = Accounts(Path(home["XDG_CONFIG_HOME"]) / "mogelwerk")
    assert accounts.find(server.url, "Watcher")

    done = mogelwerk("play", "--server", server.url, "--sandbox", typed="q\n", env={**home, "LOGNAME": "flo"})

    assert "Flo sits down." in done.stdout
    assert accounts.find(server.url, None) == accounts.find(server.url, "Flo")


def test_an_export_makes_no_account(server: Served, anna: Client, match: str, home: dict[str, str]) -> None:
    export = [*PROGRAM, "export", match, "--server", server.url]
    place = Path(home["XDG_CONFIG_HOME"]) / "mogelwerk" / "accounts.json"

    nobody = subprocess.run(export, env=home, capture_output=True, text=True, timeout=60, check=False)

    assert (nobody.returncode, nobody.stdout) == (1, "")
    assert "MOGELWERK_TOKEN" in nobody.stderr
    assert not place.exists()
    keep(home, server, anna)
    before = place.read_bytes()
    for how in ([], ["--as", "Anna"], ["--own"]):
        hers = subprocess.run([*export, *how], env=home, capture_output=True, text=True, timeout=60, check=False)
        assert hers.stdout.startswith('{"line":"header"'), hers.stderr
    assert place.read_bytes() == before


def token(client: Client) -> str:
    return client._http.headers["authorization"].removeprefix("Bearer ")
