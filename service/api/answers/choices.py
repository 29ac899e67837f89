"""What can stand at a place of a body, or in a parameter, where that is one of a few things: as the types say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import inspect

MOST: Final = 50  # of a longer list the first are told
FIRST: Final = 3


def choices(kind: Any, path: Sequence[str], value: Any) -> tuple[str, ...]:
    """All that can stand there, texts without their quotes; nothing where it is no list of a few things.

    ``path``: the steps of a JSON Pointer into ``value``, which tells structs of a union apart by their tags; ``*`` is
    any place.
    """
    here, _ = _found(kind, path, value)
    if not any(isinstance(info, inspect.LiteralType | inspect.EnumType) for info in here):
        return ()
    return tuple(dict.fromkeys(said for info in here for said in _said(info)))


def fields(kind: Any, path: Sequence[str], value: Any) -> tuple[str, ...]:
    """The names of all fields of the object there."""
    here, there = _found(kind, path, value)
    structs = [info for info in here if isinstance(info, inspect.StructType)]
    said = [info for info in structs if info.tag_field is None or _at(there, info.tag_field) == info.tag]
    return tuple(dict.fromkeys(name for info in said for name in _names(info)))


def _names(info: inspect.StructType) -> Iterator[str]:
    if info.tag_field is not None:
        yield info.tag_field
    yield from (field.encode_name for field in info.fields)


def _found(kind: Any, path: Sequence[str], value: Any) -> tuple[list[inspect.Type], Any]:
    """What can stand there, and what does."""
    here = list(_plain(inspect.type_info(kind)))
    for step in path:
        here = [plain for info in here for inner in _inside(info, step, value) for plain in _plain(inner)]
        value = _at(value, step)
    return here, value


def listed(found: Sequence[str]) -> str:
    return ", ".join(found if len(found) <= MOST else (*found[:FIRST], "…", found[-1]))


def _plain(info: inspect.Type) -> Iterator[inspect.Type]:
    match info:
        case inspect.Metadata(type=inner):
            yield from _plain(inner)
        case inspect.UnionType(types=members):
            for member in members:
                yield from _plain(member)
        case _:
            yield info


def _inside(info: inspect.Type, step: str, value: Any) -> Iterator[inspect.Type]:
    match info:
        case inspect.StructType(tag_field=str() as tag_field, tag=tag) if step == tag_field:
            yield inspect.LiteralType((tag,))
        case inspect.StructType(tag_field=str() as tag_field, tag=tag) if _at(value, tag_field) not in (None, tag):
            pass
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == step)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield item
        case inspect.TupleType(item_types=items) if step.isdecimal() and int(step) < len(items):
            yield items[int(step)]
        case inspect.DictType(value_type=item):
            yield item


def _at(value: Any, step: str) -> Any:
    match value:
        case dict():
            return value.get(step)
        case list() if step.isdecimal() and int(step) < len(value):
            return value[int(step)]
        case _:
            return None


def _said(info: inspect.Type) -> Iterator[str]:
    match info:
        case inspect.LiteralType(values=values):
            yield from map(str, values)
        case inspect.EnumType(cls=members):
            yield from (str(member.value) for member in members)
        case inspect.BoolType():
            yield from ("true", "false")
        case inspect.NoneType():
            yield "null"
