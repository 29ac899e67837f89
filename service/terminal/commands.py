"""The commands `play`, `watch` and `replay`. What they need is imported when they are called."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import typer


def _spoken(context: typer.Context, parameter: typer.CallbackParam, text: str) -> str:
    """What is typed has to be spoken here; a system may be set to any language, and then it is English."""
    source = context.get_parameter_source(parameter.name or "")
    if source is not None and source.name == "COMMANDLINE" and not re.match(r"(en|de)\b|(en|de)_", text, re.IGNORECASE):
        raise typer.BadParameter("it is en or de")
    return text


Lang = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="en|de",
        envvar=["LC_ALL", "LC_MESSAGES", "LANG"],
        show_envvar=False,
        show_default="as the system has it",
        help="The language that is spoken.",
        callback=_spoken,
    ),
]


def play(
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="A server that runs; left out, one of your own is started.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="What to play; left out, the server's first game.")] = None,
    seats: Annotated[int, typer.Option(min=2, max=99, help="How many play, you among them.")] = 4,
    bot: Annotated[str | None, typer.Option(help="Which kind of bot takes the seats where nobody sits.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="An option of the game; several times.")
    ] = None,
    sandbox: Annotated[bool, typer.Option("--sandbox", help="Practise: time passes only when you let it.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Do not start yet: show the code, and wait for others.")] = False,
    code: Annotated[str | None, typer.Option(help="Sit down at the match with this code.")] = None,
    match: Annotated[str | None, typer.Option(metavar="ID", help="Go on with this match, or sit down at it.")] = None,
    name: Annotated[str | None, typer.Option(help="What others call you.")] = None,
    lang: Lang = "en",
    data: Annotated[Path | None, typer.Option(help="Folder of the server of your own.")] = None,
) -> None:
    """Play in the terminal, against bots or with others."""
    from service.terminal import sessions

    wish = sessions.Wish(
        server=server,
        game=game,
        seats=seats,
        bot=bot,
        options=_options(option or []),
        sandbox=sandbox,
        wait=wait,
        code=code,
        match=match,
        name=name,
        data=data,
    )
    raise typer.Exit(sessions.play(wish, _language(lang)))


def watch(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")],
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="The server (on this machine, at MOGELWERK_PORT or 8000).")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Through the eyes of this one of your accounts.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="MOGELWERK_TOKEN", help="Whose eyes. Better in the variable."),
    ] = None,
    after: Annotated[int, typer.Option(min=0, help="Only what comes after this frame.")] = 0,
    lang: Lang = "en",
) -> None:
    """Tell a match as it goes on, in sentences."""
    from service.terminal import sessions

    here = f"http://127.0.0.1:{os.environ.get('MOGELWERK_PORT') or 8000}"
    raise typer.Exit(sessions.watch(match, server or here, as_, token, after, _language(lang)))


def replay(
    what: Annotated[str, typer.Argument(metavar="FILE|MATCH", help="A transcript, or the id of a match.")],
    eyes: Annotated[
        str | None,
        typer.Option(
            "--eyes",
            metavar="all|spectator|SEAT",
            help="Whose; a seat's by its number, from 1 as in all that is said here. Not of your own transcript.",
        ),
    ] = None,
    at: Annotated[int, typer.Option(min=1, help="At which step to begin.")] = 1,
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the match is (on this machine, at MOGELWERK_PORT or 8000).")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Of a match: as this one of your accounts.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="MOGELWERK_TOKEN", help="Of a match: who asks. Better in the variable."),
    ] = None,
    lang: Lang = "en",
) -> None:
    """Step through a match, forwards and backwards, through any eyes. A file needs no server and no network."""
    from service.terminal import sessions

    here = f"http://127.0.0.1:{os.environ.get('MOGELWERK_PORT') or 8000}"
    raise typer.Exit(sessions.replay(what, server or here, as_, token, eyes, at, _language(lang)))


def _language(text: str) -> Literal["en", "de"]:
    """From what is typed, or from a locale like ``de_AT.UTF-8``."""
    return "de" if text.lower().startswith("de") else "en"


def _options(given: list[str]) -> dict[str, Any]:
    """``mode=first_to`` and ``rounds=3``: what is JSON is taken as such."""
    import msgspec

    said: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--set")
        try:
            said[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            said[name] = value
    return said
