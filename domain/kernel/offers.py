"""What a seat may do now, said so that a client needs no rules: an action's type and bounds of its fields."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct, field


class OneOf(Struct, frozen=True, omit_defaults=True):
    """The field takes one of these."""

    one_of: tuple[str | int | bool, ...]
    optional: bool = False


class Choose(Struct, frozen=True, omit_defaults=True):
    """The field takes a list of between ``min`` and ``max`` of these, at distinct places of the list."""

    choose: tuple[str, ...]
    min: int = field(name="min")
    max: int = field(name="max")
    optional: bool = False


class Between(Struct, frozen=True, omit_defaults=True):
    """The field takes a whole number: min, min + step, … up to max."""

    min: int = field(name="min")
    max: int = field(name="max")
    step: int = field(name="step")
    optional: bool = False


class Preimage(Struct, frozen=True, omit_defaults=True):
    """The field takes what only its seat knows: the hex of the bytes whose SHA-256 this is."""

    sha256: str


Bound: TypeAlias = OneOf | Choose | Between | Preimage


class Offer(Struct, frozen=True, omit_defaults=True):
    """An action that will be taken from this seat, from ``not_before`` on, before ``until`` (match time).

    Whatever fits is accepted if nothing that this seat can see happens in between. Where fields
    depend on each other, several offers of one type say so.
    """

    type: str
    fields: dict[str, Bound]
    not_before: datetime | None = None
    until: datetime | None = None
