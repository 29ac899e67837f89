"""The keys that sign receipts and checkpoints: Ed25519, private ones in a folder, public ones for everybody.

A folder holds ``0001.key``, ``0002.key`` …, each the 32 bytes of a private key in hex, readable by its owner alone; the
last one signs. A secret store that mounts files serves as well as the data folder.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from service.audit import NoKey

_FILE: Final = re.compile(r"([0-9]{4,9})\.key")
OURS_ALONE: Final = 0o600


class PrivateKey:
    """One pair of keys. ``id``: by which receipts name it."""

    def __init__(self, seed: bytes) -> None:
        self._key: Final = SigningKey(seed)
        self.public: Final = bytes(self._key.verify_key)
        self.id: Final = key_id(self.public)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message).signature

    def __repr__(self) -> str:
        return f"PrivateKey({self.id})"


class KeyRing(Struct, frozen=True):
    """The keys of a folder; the last of ``keys`` signs."""

    keys: tuple[PrivateKey, ...]

    @property
    def signing(self) -> PrivateKey:
        return self.keys[-1]

    @property
    def public(self) -> Mapping[str, bytes]:
        return {key.id: key.public for key in self.keys}


def key_id(public: bytes) -> str:
    """16 letters of a public key's SHA-256."""
    return hashlib.sha256(public).hexdigest()[:16]


def check(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        VerifyKey(public).verify(message, signature)
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def ring(folder: Path) -> KeyRing:
    """The keys in this folder; where there is none, a first one is made. Raises NoKey."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (files := _files(folder)):
            _make(folder, 1)
            files = _files(folder)
        return KeyRing(tuple(PrivateKey(_seed(path)) for path in files))
    except OSError as why:
        raise NoKey(f"The signing keys in {folder} cannot be read or made: {why.strerror}") from why


def rotate(folder: Path) -> PrivateKey:
    """One key more, which signs from the next start of a process on. Raises NoKey."""
    known = ring(folder)
    try:
        number = int(_files(folder)[-1].stem) + 1
        _make(folder, number)
    except OSError as why:
        raise NoKey(f"No signing key can be made in {folder}: {why.strerror}") from why
    made = ring(folder).signing
    assert made.id != known.signing.id
    return made


def _files(folder: Path) -> list[Path]:
    return sorted((path for path in folder.iterdir() if _FILE.fullmatch(path.name)), key=lambda path: int(path.stem))


def _make(folder: Path, number: int) -> None:
    """Whole or not at all, and never in place of another: of two processes that make the first, one does."""
    rough = folder / f".{os.getpid()}.new"
    with open(os.open(rough, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ALONE), "wb") as file:
        file.write(os.urandom(32).hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(rough, folder / f"{number:04}.key")
    except FileExistsError:
        pass
    finally:
        rough.unlink()


def _seed(path: Path) -> bytes:
    if path.stat().st_mode & 0o077:
        raise NoKey(f"{path} can be read by others: chmod 600 it, and think of it as known")
    try:
        seed = bytes.fromhex(path.read_text(encoding="ascii"))
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise NoKey(f"{path} does not hold 64 hexadecimal digits")
    return seed
