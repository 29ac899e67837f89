"""`mogelwerk replay`: a match again, step by step, through any eyes, without a server."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from projections.audit import transcript
from projections.catalogue import CATALOGUE
from projections.narration.match_reasons import REASONS
from service.audit.reel import CannotReplay, Reel, reel
from service.terminal.client import Client, Match
from service.terminal.replay import Player, typed
from service.terminal.words import words
from tests.api.serving import Served
from tests.audit.test_transcripts import match
from tests.service.terminal.pseudo import PROGRAM, on_a_terminal
from tests.service.terminal.test_play import TWO_ACES, keep
from tests.service.terminal.test_watch import plays_to_the_end, token

REASONS_OF_CHEAT = {**REASONS, **CATALOGUE["cheat"].reasons}
RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.ndjson"
    path.write_bytes(b"".join(match("cheat", 0).lines()))
    return path


@pytest.fixture
def film(file: Path) -> Reel:
    return reel(file.read_bytes().splitlines(keepends=True))


def player(film: Reel, eyes: str = "all") -> Player:
    return Player(film, eyes, 0, words("en"))


def picture(player: Player) -> str:
    console = Console(width=160, height=60, highlight=False, color_system=None)
    with console.capture() as captured:
        console.print(player.picture())
    return captured.get()


def replayed(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, "replay", *arguments],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_one_steps_through_a_file_with_the_arrow_keys(file: Path, film: Reel, home: dict[str, str]) -> None:
    doubt = film.next_doubt(2, 1)
    assert doubt is not None
    with on_a_terminal("replay", str(file), env=home) as screen:
        screen.shows(f"1/{len(film.moments)} · version 1")
        screen.shows("eyes: everybody's, nothing hidden")
        screen.type(RIGHT)
        screen.shows(f"2/{len(film.moments)} · ")
        screen.type(RIGHT)
        screen.shows(f"3/{len(film.moments)} · ")
        screen.type("d")
        screen.shows(f"{doubt + 1}/{len(film.moments)} · ")
        screen.type("2")
        screen.shows("eyes: seat 2")
        screen.type(LEFT)
        screen.shows(f"{doubt}/{len(film.moments)} · ")
        screen.type("q")
        assert screen.ends() == 0


def test_keys_that_lead_nowhere_lead_nowhere(film: Reel) -> None:
    one = player(film)
    for key in (LEFT, "D", "x", "9", "\x1b"):
        assert one.press(key)
        assert (one.place, one.eyes) == (0, "all")
    assert one.press("\x1b[F")
    assert one.place == len(film.moments) - 1
    assert one.press(RIGHT)
    assert one.place == len(film.moments) - 1
    assert one.press("\x1b[H")
    assert one.place == 0
    assert not one.press("q")


def test_a_seat_has_one_number_on_the_keys_on_the_command_line_and_in_sentences(film: Reel) -> None:
    one = player(film)
    for seat in range(film.seats):
        one.press(str(seat + 1))
        assert one.eyes == f"seat:{seat}"
        assert typed(one.eyes) == str(seat + 1)
        assert f"eyes: seat {seat + 1}" in picture(one)
    one.press("0")
    assert one.eyes == f"seat:{film.seats - 1}"


def test_every_eye_comes_round(film: Reel) -> None:
    one, seen = player(film), []
    for _ in film.eyes:
        seen.append(one.eyes)
        one.press(DOWN)
    assert tuple(seen) == film.eyes
    assert one.eyes == "all"
    one.press(UP)
    assert one.eyes == "spectator"


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_game_can_be_seen_to_its_end_through_every_eye(game: str) -> None:
    film = reel(match(game, 0).lines())
    assert any(moment.doubted for moment in film.moments)
    for eyes in film.eyes:
        one = player(film, eyes)
        for place in range(len(film.moments)):
            one.place = place
            list(one.lines())
            if place % 5 == 0:
                assert f"{place + 1}/{len(film.moments)}" in picture(one)


def test_the_picture_is_what_these_eyes_were_told_then(film: Reel) -> None:
    place = next(n for n, moment in enumerate(film.moments) if moment.doubted)
    hands = []
    for seat in range(film.seats):
        told = film.message(place, f"seat:{seat}", "en")
        assert told is not None
        view = msgspec.json.decode(told, type=Match).view
        assert view is not None
        hands.append(" ".join(view["hand"]))
    for seat, hand in enumerate(hands):
        own = player(film, f"seat:{seat}")
        own.place = place
        shown = picture(own)
        assert [other for other in hands if other and f": {other}" in shown] == [hand]
    everybody = player(film)
    everybody.place = place
    shown = " ".join(picture(everybody).split())
    assert all(f"seat {seat + 1}: {hand}" in shown for seat, hand in enumerate(hands))


def test_what_was_refused_stands_beside_with_its_milliseconds() -> None:
    film = next(
        film
        for number in range(6)
        for film in [reel(match("cheat", number).lines())]
        if any(one.action for moment in film.moments for one in moment.refused)
    )
    place = next(n for n, moment in enumerate(film.moments) if any(one.action for one in moment.refused))
    (one, *_) = (each for each in film.moments[place].refused if each.action)
    late = (one.received_at - film.moments[place].received_at).total_seconds() * 1000  # type: ignore[operator]
    everybody = player(film)
    everybody.place = place
    assert one.reason is not None
    why, warum = (film.why(one.reason, language) for language in ("en", "de"))
    assert warum == REASONS_OF_CHEAT[one.reason]["de"] != why
    said = f"({late:+.1f} ms): {one.action}, refused: “{why}” ({one.reason})"
    assert f"({late:+.1f} ms): {one.action}, refused: “" in picture(everybody)
    auf_deutsch = Player(film, "all", place, words("de"))
    assert f": {one.action}, abgelehnt: „{warum}“ ({one.reason})" in "\n".join(auf_deutsch.lines())
    for seat in range(film.seats):
        own = player(film, f"seat:{seat}")
        own.place = place
        assert (said in "\n".join(own.lines())) == (seat == one.seat)


def test_elsewhere_it_is_told_line_by_line(file: Path, film: Reel, home: dict[str, str]) -> None:
    done = replayed(str(file), "--eyes", "2", "--lang", "de", env=home)
    assert done.returncode == 0, done.stderr
    told = [line for place in range(len(film.moments)) for line in film.sentences(place, "seat:1", "de")]
    assert [line.split("  ", 1)[1] for line in done.stdout.splitlines() if line[0].isdigit()] == told


def test_ones_own_transcript_is_seen_through_ones_own_eyes(tmp_path: Path, home: dict[str, str]) -> None:
    path = tmp_path / "mine.ndjson"
    path.write_bytes(b"".join(match("cheat", 0).told(1)))
    done = replayed(str(path), env=home)
    frames = [line for line in match("cheat", 0).told(1) if isinstance(transcript.read(line), transcript.Frame)]
    assert len(done.stdout.splitlines()) == len(frames)
    assert replayed(str(path), "--eyes", "all", env=home).stderr.strip() == "It can be seen through these eyes: 2"


def test_what_was_cut_off_is_shown_as_far_as_it_goes_and_said_to_be_so(
    tmp_path: Path, film: Reel, home: dict[str, str]
) -> None:
    says = "its end is missing. Replaying checks nothing, `mogelwerk verify` does."
    lines = match("cheat", 0).lines()
    path, text = tmp_path / "cut.ndjson", b"".join(lines)
    for cut in (text[: -len(lines[-1])], text[:-9], text[: -len(lines[-1]) - 9], b"".join(lines[: len(lines) // 2])):
        path.write_bytes(cut)
        done = replayed(str(path), env=home)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1].endswith(says)
        assert done.stdout.count(says) == 1
        assert len(done.stdout.splitlines()) > len(lines) // 4
    path.write_bytes(b"".join(match("cheat", 0).told(1)[:-1]))
    assert replayed(str(path), "--lang", "de", env=home).stdout.splitlines()[-1].startswith("! Das Protokoll ist hier")

    cut_off = player(reel(lines[:-1]))
    assert says in picture(cut_off)
    assert says not in picture(player(film))
    assert not any(says in line for place in range(len(film.moments)) for line in _lines(film, place))
    with pytest.raises(CannotReplay, match="line 3 is none"):
        reel([*lines[:2], lines[2][:40], *lines[3:]])


def _lines(film: Reel, place: int) -> list[str]:
    one = player(film)
    one.place = place
    return list(one.lines())


def test_a_mistyped_name_is_a_file_that_is_not_there(home: dict[str, str]) -> None:
    done = replayed("nofile.ndjson", env=home)
    assert (done.returncode, done.stderr.strip()) == (1, "nofile.ndjson: no such file")
    done = replayed("nofile.ndjson", "--lang", "de", env=home)
    assert done.stderr.strip() == "nofile.ndjson: Eine solche Datei gibt es nicht"


def test_a_match_on_a_server_is_fetched(server: Served, anna: Client, home: dict[str, str]) -> None:
    opened = anna.open("cheat", 3, sandbox=True, fill=True, deal=TWO_ACES)
    anna.start(opened.match)
    keep(home, server, anna)
    plays_to_the_end(anna, opened.match)
    env = {**home, "MOGELWERK_TOKEN": token(anna)}
    done = replayed(opened.match, "--server", server.url, "--eyes", "all", env=env)
    assert done.returncode == 0, done.stderr
    assert "Seat 1 lays three cards and says: three aces. (AH AS 2C)" in done.stdout


@pytest.mark.parametrize(
    "text, why",
    [
        (b"", "it is no transcript: there is no header"),
        (b"{}\n", "line 1 is none of a transcript"),
        (b'{"line":"fault","version":1,"what":""}\n', "it is no transcript: there is no header"),
    ],
)
def test_what_is_no_transcript_is_told(tmp_path: Path, home: dict[str, str], text: bytes, why: str) -> None:
    path = tmp_path / "odd.ndjson"
    path.write_bytes(text)
    done = replayed(str(path), env=home)
    assert done.returncode == 1
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_of_another_build_is_named() -> None:
    header = match("cheat", 0).lines()[0].replace(b'"game":"cheat"', b'"game":"whist"')
    with pytest.raises(CannotReplay, match="whist"):
        reel([header])


def test_what_cannot_have_happened_is_no_film() -> None:
    """The beginning is missing, or stands there twice, or a head is none."""
    header, opened, *rest = match("cheat", 0).lines()
    event = transcript.read(opened)
    assert isinstance(event, transcript.Event)
    odd = transcript.write(msgspec.structs.replace(event, head="no hex"))
    for lines in ([header, *rest], [header, opened, opened, *rest], [header, odd, *rest]):
        with pytest.raises(CannotReplay, match="it is no match of cheat"):
            reel(lines)
