"""Signed notes and checkpoints in the formats of C2SP (signed-note, tlog-checkpoint), with Ed25519.

A note is text that ends with a newline; each signature is a line ``— <name> <base64(key hash ‖ signature)>`` after an
empty one. A checkpoint's text is three lines: the tree's origin, its size, and its root in base64.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable
from typing import Final

from msgspec import Struct

_ED25519: Final = b"\x01"
_SPLIT: Final = "\n\n— "

Sign = Callable[[bytes], bytes]
Check = Callable[[bytes, bytes, bytes], bool]  # public key, message, signature


class BadNote(Exception):
    """Not a note, not a checkpoint, or not signed by this key."""


class Checkpoint(Struct, frozen=True):
    """The tree of ``size`` leaves as somebody vouched for it; ``root`` is 32 bytes."""

    origin: str
    size: int
    root: bytes


def key_hash(name: str, public: bytes) -> bytes:
    """The 4 bytes by which a signature names its key."""
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]


def verifier_key(name: str, public: bytes) -> str:
    """A key as programs for notes take it: ``<name>+<hash>+<base64>``."""
    return f"{name}+{key_hash(name, public).hex()}+{b64encode(_ED25519 + public).decode()}"


def read_verifier_key(text: str) -> tuple[str, bytes]:
    """Its name and the public key. Raises BadNote."""
    name, hashed, encoded = [*text.split("+", 2), "", ""][:3]
    key = _decoded(encoded)
    if not name or len(key) != 33 or key[:1] != _ED25519 or key_hash(name, key[1:]).hex() != hashed:
        raise BadNote("this is no Ed25519 key of a signed note")
    return name, key[1:]


def signed(text: str, name: str, public: bytes, sign: Sign) -> str:
    """The note of this text."""
    assert text.endswith("\n")
    signature = b64encode(key_hash(name, public) + sign(text.encode())).decode()
    return f"{text}\n— {name} {signature}\n"


def opened(note: str, name: str, public: bytes, check: Check) -> str:
    """The text of a note that this key has signed, among others perhaps. Raises BadNote."""
    text, split, signatures = note.rpartition(_SPLIT)
    if not split or not signatures.endswith("\n"):
        raise BadNote("this is no signed note")
    text += "\n"
    for line in signatures[:-1].split("\n— "):
        signer, _, encoded = line.partition(" ")
        signature = _decoded(encoded)
        if signer == name and signature[:4] == key_hash(name, public) and check(public, text.encode(), signature[4:]):
            return text
    raise BadNote(f"this note is not signed by {name}")


def unsigned(note: str) -> str:
    """The text of a note, whoever signed it. Raises BadNote."""
    text, split, _ = note.rpartition(_SPLIT)
    if not split:
        raise BadNote("this is no signed note")
    return text + "\n"


def checkpoint_text(checkpoint: Checkpoint) -> str:
    return f"{checkpoint.origin}\n{checkpoint.size}\n{b64encode(checkpoint.root).decode()}\n"


def read_checkpoint(text: str) -> Checkpoint:
    """From the text of a note. Lines after the third are left to whoever knows them. Raises BadNote."""
    origin, size, root = [*text.split("\n"), "", "", ""][:3]
    if not origin or not size.isascii() or not size.isdecimal() or size != str(int(size)) or len(_decoded(root)) != 32:
        raise BadNote("this note is no checkpoint")
    return Checkpoint(origin, int(size), _decoded(root))


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (NotBase64, ValueError):
        return b""
