from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from service import supervisor
from service.cli import app
from service.servers import CannotStart
from service.terminal import sessions

mogelwerk = CliRunner()


def test_flags_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[dict[str, str]] = []
    monkeypatch.setattr(supervisor, "serve", lambda env, **_: served.append(env))
    monkeypatch.setenv("MOGELWERK_PORT", "1")
    monkeypatch.setenv("MOGELWERK_HOST", "10.0.0.1")

    done = mogelwerk.invoke(app, ["serve", "--port", "80", "--data", "/srv/data", "--workers", "3"])

    assert done.exit_code == 0
    names = ("MOGELWERK_PORT", "MOGELWERK_HOST", "MOGELWERK_DATA", "MOGELWERK_WORKERS")
    assert [served[0][name] for name in names] == ["80", "10.0.0.1", "/srv/data", "3"]


def test_a_server_that_is_ready_says_where_and_how_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "serve", lambda env, say, ready: ready("http://127.0.0.1:8000"))

    said = mogelwerk.invoke(app, ["serve"]).output

    assert "http://127.0.0.1:8000/docs" in said
    assert (
        "curl -s http://127.0.0.1:8000/v1/players -H 'Content-Type: application/json' -d '{\"name\": \"Anna\"}'" in said
    )


@pytest.mark.parametrize("flags", [["--port", "99999"], ["--workers", "0"]])
def test_a_flag_that_cannot_be_meant_is_refused_by_name(flags: list[str]) -> None:
    done = mogelwerk.invoke(app, ["serve", *flags])

    assert done.exit_code == 1
    assert done.output.startswith(f"MOGELWERK_{flags[0].removeprefix('--').upper()} is '{flags[1]}'; it must be")


def test_who_is_not_there_cannot_be_erased(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database)

    by_name = mogelwerk.invoke(app, ["erase", "Rhea"])
    assert (by_name.exit_code, "by the id" in by_name.output) == (1, True)
    nobody = mogelwerk.invoke(app, ["erase", "00000000-0000-4000-8000-000000000000"])
    assert (nobody.exit_code, nobody.output) == (1, "There is no such player\n")


def test_what_cannot_start_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(env: object, **_: object) -> None:
        raise CannotStart("The folder [data] is in use.")

    monkeypatch.setattr(supervisor, "serve", fails)

    done = mogelwerk.invoke(app, ["serve"])

    assert done.exit_code == 1
    assert done.output == "The folder [data] is in use.\n"


def test_the_keys_that_sign_are_listed_and_a_new_one_is_the_last(tmp_path: Path) -> None:
    first = mogelwerk.invoke(app, ["keys", "--data", str(tmp_path)]).output
    both = mogelwerk.invoke(app, ["keys", "--rotate", "--data", str(tmp_path)]).output

    assert both.startswith(first)
    assert len(both.splitlines()) == 2
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == ["0001.key", "0002.key"]


@pytest.mark.parametrize("flags", [["--own"], ["--as", "Anna"]])
def test_what_goes_only_with_a_server_is_refused_without_one(flags: list[str]) -> None:
    done = mogelwerk.invoke(app, ["export", "00000000-0000-4000-8000-000000000000", *flags])

    assert done.exit_code == 2
    assert f"Invalid value for {flags[0]}" in done.output
    assert "--server" in done.output


@pytest.mark.parametrize("command", [["watch", "x"], ["replay", "x"], ["play"]])
def test_a_language_that_is_not_spoken_is_refused_where_somebody_asks_for_it(command: list[str]) -> None:
    done = mogelwerk.invoke(app, [*command, "--lang", "fr"])

    assert done.exit_code == 2
    assert "it is en or de" in done.output


def test_a_system_in_another_language_is_told_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def watch(*wish: Any) -> int:
        asked.append(wish[-1])
        return 0

    monkeypatch.setattr(sessions, "watch", watch)
    french, german = "fr_FR.UTF-8", "de_AT.UTF-8"
    for flags, locale in (([], french), ([], german), (["--lang", "de-CH"], french), (["--lang", "EN"], german)):
        assert mogelwerk.invoke(app, ["watch", "x", *flags], env={"LC_ALL": locale}).exit_code == 0

    assert asked == ["en", "de", "de", "en"]
