"""The command `mogelwerk`. Each command imports what it needs when it is called, so that `--help` is quick."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from rich.console import Console

from service.audit import CannotExport, CannotImport, NoKey
from service.servers import CannotStart
from service.settings import BadSetting, Settings, from_env
from service.terminal import commands

app = typer.Typer(
    help="Mogelwerk, a backend for games of bluff.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # they may hold tokens and passwords
)


class Heedless(Console):
    """Goes on when nobody reads any more, as in `mogelwerk serve | head`: the server's work is not to be read."""

    def on_broken_pipe(self) -> None:
        self.quiet = True


out = Heedless(soft_wrap=True, highlight=False)  # a command that is shown must be whole when it is copied
err = Heedless(stderr=True, soft_wrap=True, highlight=False)

Data = Annotated[
    Path | None,
    typer.Option(help="Folder of the embedded servers (as this system has it; for root /var/lib/mogelwerk)."),
]


def _match_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no match's id, which is a UUID") from None


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on, 0 for any (8000).")] = None,
    data: Data = None,
    workers: Annotated[int | None, typer.Option(help="Number of worker processes (1).")] = None,
) -> None:
    """Run the service, with a Postgres and a Valkey of its own where none is configured.

    DATABASE_URL and REDIS_URL name servers to use instead.
    """
    from service import supervisor

    with _clear_errors():
        supervisor.serve(_env(HOST=host, PORT=port, DATA=data, WORKERS=workers), say=_say, ready=_welcome)


@app.command()
def migrate(data: Data = None) -> None:
    """Bring the tables up to date."""
    from service import supervisor
    from service.servers.own import database

    with _clear_errors(), database(_settings(DATA=data)) as database_url:
        supervisor.migrate(database_url)
    _say("Tables are up to date")


@app.command()
def token(
    name: Annotated[str, typer.Argument(help="Whose it is; shown where tokens are listed.")],
    scope: Annotated[list[str], typer.Option(help="What it may do; can be given several times.")],
    days: Annotated[int, typer.Option(min=1, help="How long it is good for.")] = 90,
    data: Data = None,
) -> None:
    """Print a new token, for an operator, an auditor or a referee; where it was made, beside the output."""
    from service import supervisor
    from service.auth import issue
    from service.servers.own import database, place

    with _clear_errors():
        settings = _settings(DATA=data)
        with database(settings) as database_url:
            supervisor.migrate(database_url)  # there may not have been a server yet
            out.print(issue(database_url, name=name, scopes=scope, days=days), markup=False)
        err.print(f"Made in {place(settings)}", markup=False)


@app.command()
def erase(
    player: Annotated[str, typer.Argument(help="The id of the account, as matches show it.")],
    data: Data = None,
) -> None:
    """Forget a player: name, tokens and keys. The log goes on, with an id that nobody answers to."""
    from service import auth, supervisor
    from service.servers.own import database

    with _clear_errors(), database(_settings(DATA=data)) as database_url:
        supervisor.migrate(database_url)
        if not auth.erase(database_url, player):
            err.print("There is no such player", style="red")
            raise typer.Exit(1)
    _say("Erased")


@app.command()
def keys(
    rotate: Annotated[bool, typer.Option("--rotate", help="Add a new one, for the next start.")] = False,
    data: Data = None,
) -> None:
    """Show the keys that sign receipts and checkpoints: the last one does."""
    from service.audit import keys as signing
    from service.servers.folder import keys_folder

    with _clear_errors():
        folder = keys_folder(_settings(DATA=data))
        if rotate:
            signing.rotate(folder)
        for key in signing.ring(folder).keys:
            out.print(f"{key.id}  {key.public.hex()}", markup=False)


@app.command()
def access(
    match: Annotated[UUID | None, typer.Argument(metavar="MATCH", parser=_match_id, help="Only of this match.")] = None,
    kept: Annotated[
        str | None, typer.Option(metavar="HEAD", help="A head that you kept: is it still among these?")
    ] = None,
    data: Data = None,
) -> None:
    """List what auditors and referees have read, and check that nothing of it is missing or changed."""
    from service import supervisor
    from service.audit.access import Broken, listed
    from service.servers.own import database

    with _clear_errors(), database(_settings(DATA=data)) as database_url:
        supervisor.migrate(database_url)
        try:
            found = listed(database_url, match, kept)
        except Broken as broken:
            err.print(str(broken), style="red", markup=False)
            raise typer.Exit(1) from None
    for one in found:
        for read in one.reads:
            out.print(f"{read.at:%Y-%m-%d %H:%M:%S} {read.who} {'+'.join(read.scopes)} {read.read}", markup=False)
        _say(f"{one.match}: {len(one.reads)} reads, none missing, none changed; head {one.head}")


@app.command()
def openapi(
    folder: Annotated[Path, typer.Argument(help="Where the documents lie.")] = Path("openapi"),
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail where a file is not current.")] = False,
) -> None:
    """Write the OpenAPI document and what belongs to it."""
    from service import documents

    if not check:
        documents.write(folder)
    elif stale := documents.stale(folder):
        err.print(f"Not current, run `mogelwerk openapi`: {', '.join(stale)}", style="red", markup=False)
        raise typer.Exit(1)


@app.command()
def export(
    match: Annotated[UUID, typer.Argument(metavar="MATCH", parser=_match_id, help="The match's id.")],
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="A server that runs; left out, from this machine's database.")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="With --server: as this one of your accounts.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="MOGELWERK_TOKEN", help="With --server: who asks. Better in the variable."),
    ] = None,
    own: Annotated[bool, typer.Option("--own", help="With --server: only what you were told.")] = False,
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write it; left out, to the output.")
    ] = None,
    data: Data = None,
) -> None:
    """Write a match's transcript: the complete one when it is over, before that (with --server) what you were told, or
    all of it so far if you broke its seal."""
    if server is not None:
        from service.terminal import sessions

        raise typer.Exit(sessions.export(str(match), server, as_, token, own, to))
    for asked, flag in ((own, "--own"), (as_ is not None, "--as")):
        if asked:
            raise typer.BadParameter(
                "goes only with --server URL: this machine's database holds what all were told", param_hint=flag
            )
    from service.audit import from_database
    from service.servers.own import database

    with _clear_errors(), database(_settings(DATA=data)) as database_url:
        from_database.export(database_url, match, to)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The complete transcript of a match that is over.")],
    data: Data = None,
) -> None:
    """Verify a complete transcript, and take it into this machine's database, where the match can be read."""
    from service import supervisor
    from service.audit import importing
    from service.servers.own import database

    with _clear_errors(), database(_settings(DATA=data)) as database_url:
        supervisor.migrate(database_url)
        taken = importing.take_in(file, database_url, err)
    _say(f"{'Imported' if taken.new else 'Already there:'} {taken.match}, version {taken.version}, head {taken.head}")


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    frames: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Frames that you kept, or a transcript of before: are they in this history?"),
    ] = None,
    receipts: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Receipts, or answers with receipts, one a line.")
    ] = None,
    tree: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A kept answer of /verification: is this that match?")
    ] = None,
    checkpoint: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A kept /v1/checkpoint: does the tree of --tree, asked for since it, go on?"),
    ] = None,
    keys: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A kept /.well-known/mogelwerk-keys: who signed?")
    ] = None,
    of: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Of a branch: the transcript of the match that it goes on from."),
    ] = None,
    chain_only: Annotated[bool, typer.Option("--chain-only", help="No rules, only the chains: quicker.")] = False,
) -> None:
    """Check a transcript on this machine alone: no server, no network. Exit code 1 where something is wrong."""
    from service.audit import verifying

    given = {"frames": frames, "receipts": receipts, "tree": tree, "checkpoint": checkpoint, "keys": keys, "of": of}
    beside = verifying.Beside(**{flag: _once(flag, files) for flag, files in given.items()})
    raise typer.Exit(verifying.verify(file, beside, chain_only=chain_only, out=out, err=err))


app.command()(commands.play)
app.command()(commands.watch)
app.command()(commands.replay)


def main() -> None:
    app()


def _once(flag: str, files: list[Path] | None) -> Path | None:
    """Of an option that is given twice only the last would count, and a check over the others be thought done."""
    if files and len(files) > 1:
        raise typer.BadParameter(
            "is given more than once: put into one file what belongs together", param_hint=f"--{flag}"
        )
    return files[0] if files else None


def _env(**flags: object) -> dict[str, str]:
    """What is said on the command line wins over the environment, and reaches the workers the same way."""
    return {**os.environ} | {f"MOGELWERK_{name}": str(value) for name, value in flags.items() if value is not None}


def _settings(**flags: object) -> Settings:
    return from_env(_env(**flags))


def _say(text: str) -> None:
    out.print(f"[green]✓[/green] {text}" if out.is_terminal else text)


def _welcome(url: str) -> None:
    body = """'{"name": "Anna"}'"""
    out.print(f"\n  Mogelwerk   {url}\n  API docs    {url}/docs\n\n  Who plays?", markup=False)
    out.print(f"  curl -s {url}/v1/players -H 'Content-Type: application/json' -d {body}\n", markup=False)


@contextmanager
def _clear_errors() -> Iterator[None]:
    try:
        yield
    except (BadSetting, CannotStart, NoKey, CannotExport, CannotImport) as why:
        err.print(str(why), style="red", markup=False)
        raise typer.Exit(1) from None
