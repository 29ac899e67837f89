"""What a handler says of itself for the OpenAPI document, beside what its signature and guards say already."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from service.api.answers.problems import Kind

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"


class Reply(Struct, frozen=True):
    """An answer that is a success. ``body``: a type, or the name of a component; None: there is none."""

    status: int
    about: str
    body: Any | None = None
    headers: tuple[str, ...] = ()
    media_types: tuple[str, ...] = (JSON,)


class Told(Struct, frozen=True, kw_only=True):
    replies: tuple[Reply, ...]
    problems: tuple[Kind, ...]
    body: Any | None
    body_example: Any
    headers: tuple[str, ...]  # request headers, by name
    keyed: bool


def told(
    *replies: Reply,
    problems: tuple[Kind, ...] = (),
    body: Any | None = None,
    body_example: Any = None,
    headers: tuple[str, ...] = (),
    keyed: bool = False,
) -> dict[str, Told]:
    """A handler's ``opt``. ``keyed``: it takes an Idempotency-Key."""
    return {
        "told": Told(
            replies=replies, problems=problems, body=body, body_example=body_example, headers=headers, keyed=keyed
        )
    }
