"""What can be configured, read once from the environment. Nothing else in the service looks there."""

import re
from collections.abc import Callable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

T = TypeVar("T")
Network: TypeAlias = IPv4Network | IPv6Network
LogLevel = Literal["debug", "info", "warning", "error"]

PER: Final = {"s": 1, "min": 60, "h": 3600}


class BadSetting(Exception):
    """A variable says what cannot be meant. The text names it, what it says and what it could say."""


class Rate(Struct, frozen=True):
    """A token bucket: so many a second in the long run, at most `burst` at once. Written `20/s` or `20/s:40`."""

    per_second: float
    burst: int


class Limits(Struct, frozen=True):
    token: Rate = Rate(100, 200)
    """Requests with one token, or, the next line, from one address without a token."""
    address: Rate = Rate(50, 200)
    actions: Rate = Rate(50, 100)
    """Of one seat: refills faster than the fastest human plays."""
    accounts: Rate = Rate(2, 200)
    """New accounts from one address."""
    matches: Rate = Rate(1, 60)
    """New matches of one account."""
    codes: Rate = Rate(12 / 60, 20)
    """Tries of room codes, by account and by address."""


class Settings(Struct, frozen=True):
    database_url: str = ""
    """`postgresql://…`; empty: a Postgres of our own. A worker always has one, and a `redis_url`."""
    redis_url: str = ""
    """`redis://…`, `rediss://…` or `unix://…`; empty: a Valkey of our own."""
    host: str = "127.0.0.1"
    port: int = 8000
    """0 takes any that is free."""
    workers: int = 1
    data: Path | None = None
    """The folder of our own servers; None: where this platform keeps such things."""
    keys: Path | None = None
    """The folder of the keys that sign, a file each; None: `keys` in the data folder."""
    postgres_bin: Path | None = None
    """The folder with the programs `initdb` and `postgres`; None: the package's, else those on PATH."""
    valkey_bin: Path | None = None
    """The program; None: the package's, else the one on PATH."""
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 9464
    """One listener for all workers, apart from the API; 0: none."""
    public_url: str | None = None
    """How clients reach us, where that is not `http://host:port`."""
    trusted_proxies: tuple[Network, ...] = ()
    """From these networks alone `X-Forwarded-For` is believed."""
    cors_origins: tuple[str, ...] = ()
    sandbox: bool = True
    """Whether sandbox matches may be created."""
    max_body: int = 64 * 1024
    """Bytes."""
    streams: int = 256
    """Open at once with one token, long polls counted too, in one process."""
    log_level: LogLevel = "info"
    log_json: bool | None = None
    """None: as stderr is, for a person or for machines."""
    limits: Limits = Limits()

    def __repr__(self) -> str:
        """Without contents: the URLs carry passwords, and reprs end up in logs and tracebacks."""
        return f"{type(self).__name__}(…)"


def from_env(env: Mapping[str, str]) -> Settings:
    """Raises BadSetting. An empty variable counts as not set."""
    default = Settings()
    limits = default.limits

    def read(name: str, meaning: Callable[[str], T], otherwise: T) -> T:
        text = env.get(name, "").strip()
        if not text:
            return otherwise
        try:
            return meaning(text)
        except ValueError as why:
            raise BadSetting(f"{name} is {_shown(name, text)}; it must be {why}") from None

    return Settings(
        database_url=read("DATABASE_URL", _database_url, default.database_url),
        redis_url=read("REDIS_URL", _redis_url, default.redis_url),
        host=read("MOGELWERK_HOST", str, default.host),
        port=read("MOGELWERK_PORT", _whole(0, 65535), default.port),
        workers=read("MOGELWERK_WORKERS", _whole(1, 256), default.workers),
        data=read("MOGELWERK_DATA", _path, default.data),
        keys=read("MOGELWERK_KEYS", _path, default.keys),
        postgres_bin=read("MOGELWERK_POSTGRES_BIN", _path, default.postgres_bin),
        valkey_bin=read("MOGELWERK_VALKEY_BIN", _path, default.valkey_bin),
        metrics_host=read("MOGELWERK_METRICS_HOST", str, default.metrics_host),
        metrics_port=read("MOGELWERK_METRICS_PORT", _whole(0, 65535), default.metrics_port),
        public_url=read("MOGELWERK_PUBLIC_URL", _public_url, default.public_url),
        trusted_proxies=read("MOGELWERK_TRUSTED_PROXIES", _networks, default.trusted_proxies),
        cors_origins=read("MOGELWERK_CORS_ORIGINS", _origins, default.cors_origins),
        sandbox=read("MOGELWERK_SANDBOX", _yes_or_no, default.sandbox),
        max_body=read("MOGELWERK_MAX_BODY", _whole(1024, 2**30), default.max_body),
        streams=read("MOGELWERK_STREAMS", _whole(1, 1_000_000), default.streams),
        log_level=read("MOGELWERK_LOG_LEVEL", _log_level, default.log_level),
        log_json=read("MOGELWERK_LOG_JSON", _yes_or_no, default.log_json),
        limits=Limits(
            **{
                field: read(f"MOGELWERK_LIMIT_{field.upper()}", _rate, getattr(limits, field))
                for field in limits.__struct_fields__
            }
        ),
    )


def _shown(name: str, text: str) -> str:
    return "set to something else" if name.endswith("_URL") else repr(text)  # a URL may hold a password


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _whole(least: int, most: int) -> Callable[[str], int]:
    def meaning(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return meaning


def _yes_or_no(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in words:
        raise ValueError("true or false")
    return words[text.lower()]


def _log_level(text: str) -> LogLevel:
    match text.lower():
        case "debug" | "info" | "warning" | "error" as level:
            return level
        case _:
            raise ValueError("debug, info, warning or error")


def _rate(text: str) -> Rate:
    written = re.fullmatch(r"([1-9]\d{0,8})/(s|min|h)(?::([1-9]\d{0,8}))?", text, re.ASCII)
    if written is None:
        raise ValueError("a rate like 20/s, 10/min or, with how many at once, 20/s:40")
    count, per, burst = written.groups()
    return Rate(int(count) / PER[per], int(burst or count))


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(","))
    except ValueError:
        raise ValueError("addresses or networks, like 10.0.0.0/8, with commas between them") from None


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in text.split(","))
    for origin in origins:
        if origin != "*" and not re.fullmatch(r"https?://[^/\s?#@*]+", origin):
            raise ValueError("* or origins like https://play.example, with commas between them and no path")
    return origins


def _public_url(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s?#@]+", text):
        raise ValueError("a URL like https://mogelwerk.example")
    return text.rstrip("/")


def _database_url(text: str) -> str:
    scheme, _, rest = text.partition("://")
    if scheme.partition("+")[0] not in ("postgres", "postgresql") or not rest:
        raise ValueError("a URL like postgresql://user:password@host/database")
    return f"postgresql://{rest}"  # the driver is ours to choose


def _redis_url(text: str) -> str:
    scheme = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss", "unix": "unix"}.get(
        urlsplit(text).scheme
    )
    if scheme is None:
        raise ValueError("a URL like redis://host:6379/0")
    return f"{scheme}://{text.partition('://')[2]}"
