"""From what was asked for on the command line to a match, and back to the command line."""

from __future__ import annotations

import getpass
import hashlib
import secrets
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any, Final, NoReturn
from uuid import UUID

from msgspec import Struct
from rich.console import Console

from service.audit import files
from service.audit.files import CutOff, saving
from service.audit.reel import CannotReplay, reel
from service.servers import CannotStart
from service.terminal.accounts import Accounts, Unreadable
from service.terminal.client import Client, Language, Match, Problem, Unreachable
from service.terminal.match import Mail
from service.terminal.own import own_server
from service.terminal.play import End, Play
from service.terminal.replay import Player, show, typed
from service.terminal.screen import screen
from service.terminal.watch import Watch
from service.terminal.words import Words, words

SHOWN: Final = 12  # frames of what has been that who comes back is told
WATCHER: Final = "Watcher"  # the account of whoever only looks on


class Wish(Struct, frozen=True, kw_only=True):
    """``server``: None is one of our own. ``code``, ``match``: a table that is there already."""

    server: str | None
    game: str | None
    seats: int
    bot: str | None
    options: dict[str, Any]
    sandbox: bool
    wait: bool
    code: str | None
    match: str | None
    name: str | None
    data: Path | None


class _Said(Exception):
    """What the person is told instead."""


def play(wish: Wish, language: Language) -> int:
    """The exit code. Long work shows how it goes."""
    with _signals(), _failures(language) as failed:
        if wish.server is not None:
            return _play(wish, wish.server, wish.server, f"--server {wish.server}", language)
        with _own(wish.data, words(language)) as url:
            own = f"--data {wish.data}" if wish.data else ""
            return _play(wish, url, f"own {wish.data or ''}".rstrip(), own, language)
    return failed()


def watch(match: str, server: str, name: str | None, token: str | None, after: int, language: Language) -> int:
    """The exit code."""
    said = words(language)
    with _signals(), _failures(language) as failed:
        client = Client(server, token, language)
        if token is None:
            _come(client, server, name or WATCHER)
        seen = client.see(match)
        who = ", ".join(
            chair.name or (f"{said.bot} {chair.seat + 1}" if chair.bot else said.free) for chair in seen.seats
        )
        _print(said.watching.format(match=seen.match, game=_called(client, seen.game, language), who=who))
        mail: SimpleQueue[Mail] = SimpleQueue()
        with screen(mail.put, typing=False) as shown:
            return int(Watch(client, seen, shown, mail, said).run(after) is End.CUT)
    return failed()


def export(match: str, server: str, name: str | None, token: str | None, own: bool, to: Path | None) -> int:
    """The exit code. Written to a file, or to where the output goes."""
    with _signals(), _failures("en") as failed:
        client = Client(server, token or _token(server, name))
        with saving(to) as save:
            for line in client.history(match, own=own):
                save(line)
        return 0
    return failed()


def replay(
    what: str, server: str, name: str | None, token: str | None, eyes: str | None, at: int, language: Language
) -> int:
    """The exit code. ``what``: a file or, where there is none of this name, the id of a match of the server."""
    with _failures(language) as failed:
        path = Path(what)
        with ExitStack() as stack:
            if path.exists():
                lines: Iterable[bytes] = files.lines(stack.enter_context(path.open("rb")))
            elif not _is_id(what):
                raise _Said(words(language).replay_no_file.format(what=what))
            else:
                client = Client(server, token, language)
                if token is None:
                    _come(client, server, name or WATCHER)
                lines = client.history(what, own=False)
            film = reel(lines)
        known = {typed(one): one for one in film.eyes}
        if eyes is not None and eyes not in known:
            raise _Said(words(language).replay_no_eyes.format(eyes=", ".join(known)))
        first = film.eyes[0] if eyes is None else known[eyes]
        show(Player(film, first, min(at, len(film.moments)) - 1, words(language)), film)
        return 0
    return failed()


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _play(wish: Wish, url: str, known_as: str, flags: str, language: Language) -> int:
    said, client = words(language), Client(url, None, language)
    _come(client, known_as, wish.name)
    entropy = secrets.token_bytes(32)
    commitment = hashlib.sha256(entropy).hexdigest()
    seen = _seated(wish, client, said, commitment)
    _print(said.playing_at.format(game=_called(client, seen.game, language), url=url, match=seen.match))
    mail: SimpleQueue[Mail] = SimpleQueue()
    end = End.WENT
    try:
        with screen(mail.put) as shown:
            after = max(0, seen.seq - SHOWN) if wish.match else 0
            end = Play(client, seen, shown, mail, said, {commitment: entropy.hex()}).run(after)
    finally:
        if end is End.WENT:
            command = " ".join(part for part in ("mogelwerk play", flags, "--match", seen.match) if part)
            _print(said.come_back.format(command=command))
    return int(end is End.CUT)


def _seated(wish: Wish, client: Client, said: Words, commitment: str) -> Match:
    if wish.match is not None:
        seen = client.see(wish.match)
        return seen if seen.seat is not None or seen.finished else client.sit(wish.match)
    if wish.code is not None:
        return client.join(wish.code, entropy_commitment=commitment)
    games = client.games()
    game = next((one for one in games if wish.game in (None, one.id)), None)
    if game is None:
        raise _Said(said.no_game.format(game=wish.game, games=", ".join(one.id for one in games)))
    if wish.bot is not None and wish.bot not in game.bots:
        name = game.names.get(said.language, game.id)
        raise _Said(said.no_bot.format(game=name, bot=wish.bot, bots=", ".join(game.bots)))
    opened = client.open(
        game.id,
        wish.seats,
        options=wish.options,
        fill=wish.bot or True,
        sandbox=wish.sandbox,
        access="code" if wish.wait else "public",
        entropy_commitment=commitment,
    )
    if not wish.wait:
        return client.start(opened.match)
    _print(said.code.format(code=opened.code))
    return client.see(opened.match)


def _come(client: Client, known_as: str, name: str | None) -> None:
    """As an account that was used before, if the server still knows it, else as a new one. Who only looked on before
    plays under a name of his own."""
    accounts = Accounts()
    account = accounts.find(known_as, name, but=WATCHER)
    if account is not None:
        client.is_now(account.token)
    if account is None or not client.is_known():
        account = client.register(account.name if account else name or _own_name())
    accounts.keep(known_as, account)


def _token(server: str, name: str | None) -> str:
    """Of an account that there is already: to export a match makes none. Raises what the person is told."""
    accounts = Accounts()
    account = accounts.find(server, name)
    if account is None:
        raise _Said(words("en").nobody_asks.format(url=server, path=accounts.path))
    return account.token


def _own_name() -> str:
    with suppress(Exception):  # where there is no such user, there are many ways to say so
        return getpass.getuser()[:40].capitalize() or "Guest"
    return "Guest"


def _called(client: Client, game: str, language: Language) -> str:
    names = next((one.names for one in client.games() if one.id == game), {})
    return names.get(language, game)


def _print(text: str) -> None:
    Console(highlight=False).print(text, soft_wrap=True, markup=False)


@contextmanager
def _own(data: Path | None, said: Words) -> Iterator[str]:
    """A server for as long as this lasts; what it does until it answers is shown."""
    console = Console(stderr=True, highlight=False)
    with ExitStack() as stack:
        if console.is_terminal:
            with console.status(said.starting) as status:
                server = own_server(data, lambda step: status.update(f"{said.starting}: {step}".replace("[", r"\[")))
                url = stack.enter_context(server)
        else:
            server = own_server(data, lambda step: console.print(step, soft_wrap=True, markup=False))
            url = stack.enter_context(server)
        yield url


@contextmanager
def _signals() -> Iterator[None]:
    """What ends a program from outside ends it as Ctrl-C does: the terminal as it was, and no server left."""

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _failures(language: Language) -> Iterator[Callable[[], int]]:
    """Tells failures without a traceback; gives the exit code that comes of it."""
    code = 1
    try:
        yield lambda: code
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except Unreachable as why:
        _complain(words(language).no_server.format(url=why.url, why=why))
    except OSError as why:
        _complain(files.failed(why))
    except (Problem, CannotStart, CutOff, CannotReplay, Unreadable, _Said) as why:
        _complain(str(why))


def _complain(text: str) -> None:
    Console(stderr=True, highlight=False).print(text, style="red", soft_wrap=True, markup=False)
