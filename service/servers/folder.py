"""The one folder in which our own servers keep everything."""

import fcntl
import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from stat import S_ISDIR
from typing import Final

import platformdirs
from msgspec import Struct

from service.servers import CannotStart
from service.servers.children import User, as_user
from service.settings import Settings

LONGEST_SOCKET_PATH: Final = 107 if sys.platform == "linux" else 103  # bytes
LONGEST_SOCKET_NAME: Final = ".s.PGSQL.5432"


class Folder(Struct, frozen=True):
    path: Path
    sockets: Path
    """0700, and short enough."""
    user: User | None
    """Whom the servers run as, where that is not us: Postgres refuses to run as root."""

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"


class InUse(CannotStart):
    """Another server runs on this folder."""


def prepared(path: Path | None) -> Folder:
    """Made if need be, and checked; None is the place where this platform keeps such things. Raises CannotStart."""
    path = (path or _usual_place()).resolve()
    try:
        if not path.exists():
            path.mkdir(parents=True)
            path.chmod(0o711 if os.geteuid() == 0 else 0o700)  # as root, another user has to pass
        user = _servers_user(path)
        if user is not None and not _may_enter(user, path):
            raise CannotStart(
                f"The servers run as the user {user.name} and not as root, and {user.name} may not enter {path}: "
                "it, or a folder above it, is closed to others, as a home often is. "
                "Choose another folder with --data, /var/lib/mogelwerk for example."
            )
        return Folder(path, _sockets(path, user), user)
    except OSError as why:
        raise CannotStart(f"{path} cannot be the data folder: {why.strerror}. Choose another with --data.") from why


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Ours alone, until the end of this process at the latest. Raises InUse."""
    with (folder.path / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise InUse(
                f"Another server, process {lock.read().strip() or 'unknown'}, runs on the data folder {folder.path}. "
                "Stop it, or choose another folder with --data."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def private(path: Path, user: User | None) -> Path:
    """A folder that only the servers can enter, whoever else may write around it."""
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), user.uid if user else os.geteuid()}:
        raise CannotStart(f"{path} belongs to someone else.")
    path.chmod(0o700)
    if user is not None:
        os.chown(path, user.uid, user.gid)
    return path


def keys_folder(settings: Settings) -> Path:
    """Where the keys lie that sign."""
    return settings.keys or (settings.data or _usual_place()) / "keys"


def data_folder(settings: Settings) -> Path:
    return (settings.data or _usual_place()).resolve()


def _usual_place() -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/mogelwerk")  # root's home is closed to the user that the servers run as
    return platformdirs.user_data_path("mogelwerk", appauthor=False)


def _servers_user(data: Path) -> User | None:
    if os.geteuid() != 0:
        return None
    if (data / "postgres").exists():  # Postgres runs only as the owner of its files
        return _named(pwd.getpwuid((data / "postgres").stat().st_uid))
    for name in ("postgres", "nobody"):
        try:
            return _named(pwd.getpwnam(name))
        except KeyError:
            continue
    raise CannotStart("Postgres does not run as root, and there is no user postgres or nobody to run it as.")


def _named(entry: pwd.struct_passwd) -> User:
    return User(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _may_enter(user: User, path: Path) -> bool:
    entering = ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(path)]
    return subprocess.run(entering, cwd="/", stderr=subprocess.DEVNULL, **as_user(user)).returncode == 0


def _sockets(data: Path, user: User | None) -> Path:
    near = data / "run"
    fits = len(os.fsencode(near / LONGEST_SOCKET_NAME)) <= LONGEST_SOCKET_PATH
    if fits and "," not in str(near):  # Postgres takes a comma for the end of a path
        return private(near, user)
    shelf = Path("/var/run") if user is not None else Path(tempfile.gettempdir())
    return private(shelf / f"mogelwerk-{sha256(os.fsencode(data)).hexdigest()[:12]}", user)
