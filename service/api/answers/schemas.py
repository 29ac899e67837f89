"""JSON Schemas of our types, under names that stay when another game comes.

msgspec names a component after its class, and after its module too where two classes have one name: a second game's
`Play` would rename the first's. Here a tagged type is named after its tag (`cheat.play` → `CheatPlay`), and what a
game's own modules define after game and class; two types never share a name, or the document is not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct, inspect

from projections.catalogue import CATALOGUE

REF: Final = "#/components/schemas/"
_DEFS: Final = "#/$defs/"
_GAMES: Final = {view.game.options.__module__.split(".")[2]: view.game.id for view in CATALOGUE.values()}  # by folder


class NameTaken(Exception):
    """Two types would have the same name in the document."""


def components(types: Iterable[Any], unions: Mapping[str, Any]) -> dict[str, Any]:
    """Schemas of these types and of all that they speak of, by name. ``unions``: those that get a name of their own."""
    kinds = [*types, *unions.values()]
    schemas, found = msgspec.json.schema_components(kinds, ref_template=REF + "{name}")
    names = _names(kinds)
    moments = {names[old]: fields for old, fields in _moments(kinds).items()}
    named = {names[old]: _renamed(schema, names) for old, schema in found.items()}
    for name, schema in named.items():
        _finish(name, schema, moments.get(name, ()))
    for (name, _), schema in zip(unions.items(), schemas[len(kinds) - len(unions) :], strict=True):
        if name in named:
            raise NameTaken(name)
        named[name] = _renamed(schema, names)
    whole = {_key(named[name]): {"$ref": REF + name} for name in unions}
    return {name: _folded(schema, whole, top=True) for name, schema in sorted(named.items())}


def schema_of(kind: Any, unions: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of one type, in the same names."""
    kinds = [kind, *unions.values()]
    schemas, _ = msgspec.json.schema_components(kinds, ref_template=REF + "{name}")
    names = _names(kinds)
    whole = {
        _key(_renamed(schema, names)): {"$ref": REF + name} for name, schema in zip(unions, schemas[1:], strict=True)
    }
    folded: dict[str, Any] = _folded(_renamed(schemas[0], names), whole)
    return folded


def alone(kind: type[Struct]) -> dict[str, Any]:
    """The schema of one type, with all that it needs inside it."""
    schema = msgspec.json.schema(kind)
    found: dict[str, Any] = schema.pop("$defs", {})
    top = found.pop(schema["$ref"].removeprefix(_DEFS))
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **top}
    if found:
        whole["$defs"] = found
    told: dict[str, Any] = _one_of(whole)
    moments = _moments([kind])
    for name, part in {kind.__name__: told, **told.get("$defs", {})}.items():
        _finish(name, part, moments.get(name, ()))
    return told


def name_of(kind: type) -> str:
    tag = kind.__struct_config__.tag if issubclass(kind, Struct) else None
    if isinstance(tag, str) and "." in tag:
        return pascal(tag)
    found = re.match(r"(?:domain\.games|projections\.views)\.(\w+)", kind.__module__)
    if found is None or (game := _GAMES.get(found[1])) is None:
        return kind.__name__
    return pascal(game) + kind.__name__.removeprefix(pascal(found[1]))


def pascal(text: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", text))


def _names(kinds: Iterable[Any]) -> dict[str, str]:
    """What msgspec calls each type → what we call it."""
    types = list(_reachable(inspect.multi_type_info(kinds)))
    simple = [kind.__name__ for kind in types]
    names: dict[str, str] = {}
    for kind in types:
        theirs = _theirs(kind, simple)
        ours = name_of(kind)
        if ours in names.values():
            raise NameTaken(ours)
        names[theirs] = ours
    return names


def _theirs(kind: type, simple: list[str]) -> str:
    return kind.__name__ if simple.count(kind.__name__) == 1 else f"{kind.__module__}.{kind.__qualname__}"


def _moments(kinds: Iterable[Any]) -> dict[str, list[str]]:
    """Fields that hold a moment, by msgspec's name of the type: it says so only of those that must have a zone."""
    infos = _reachable(inspect.multi_type_info(kinds))
    simple = [kind.__name__ for kind in infos]
    return {
        _theirs(kind, simple): [field.encode_name for field in info.fields if _is_moment(field.type)]
        for kind, info in infos.items()
        if isinstance(info, inspect.StructType)
    }


def _is_moment(info: Any) -> bool:
    if isinstance(info, inspect.Metadata):
        return _is_moment(info.type)
    return isinstance(info, inspect.DateTimeType) or (
        isinstance(info, inspect.UnionType) and any(map(_is_moment, info.types))
    )


def _finish(name: str, schema: dict[str, Any], moments: Iterable[str]) -> None:
    schema["title"] = name
    if "description" in schema:
        schema["description"] = re.sub(r"\bNone\b", "null", schema["description"].replace("``", "`"))
    for field in moments:
        told = schema["properties"][field]
        for part in (told, *told.get("anyOf", ())):
            if part.get("type") == "string":
                part["format"] = "date-time"
    if schema.get("required") == []:
        del schema["required"]


def _reachable(infos: Iterable[inspect.Type]) -> dict[type, inspect.Type]:
    found: dict[type, inspect.Type] = {}

    def walk(info: Any) -> None:
        if isinstance(info, inspect.StructType):
            if info.cls in found:
                return
            found[info.cls] = info
            for field in info.fields:
                walk(field.type)
        elif isinstance(info, inspect.EnumType):
            found[info.cls] = info
        elif isinstance(info, inspect.Metadata):
            walk(info.type)
        elif isinstance(info, inspect.CollectionType):
            walk(info.item_type)
        elif isinstance(info, inspect.TupleType):
            for item in info.item_types:
                walk(item)
        elif isinstance(info, inspect.DictType):
            walk(info.key_type)
            walk(info.value_type)
        elif isinstance(info, inspect.UnionType):
            for member in info.types:
                walk(member)

    for info in infos:
        walk(info)
    return found


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    match schema:
        case str() if schema.startswith(REF):
            return REF + names[schema.removeprefix(REF)]
        case dict():
            return _one_of({key: _renamed(value, names) for key, value in schema.items()})
        case list():
            return [_renamed(value, names) for value in schema]
        case _:
            return schema


def _one_of(schema: Any) -> Any:
    """Of types that a tag tells apart exactly one fits: code generators want to know."""
    match schema:
        case {"anyOf": kinds, "discriminator": by, **rest}:
            return {**rest, "oneOf": [_one_of(kind) for kind in kinds], "discriminator": by}
        case dict():
            return {key: _one_of(value) for key, value in schema.items()}
        case list():
            return [_one_of(value) for value in schema]
        case _:
            return schema


def _folded(schema: Any, whole: Mapping[str, dict[str, str]], *, top: bool = False) -> Any:
    """Unions that have a name, by that name."""
    match schema:
        case dict():
            if not top and (ref := whole.get(_key(schema))) is not None:
                return ref
            return {key: _folded(value, whole) for key, value in schema.items()}
        case list():
            return [_folded(value, whole) for value in schema]
        case _:
            return schema


def _key(schema: Any) -> str:
    return msgspec.json.encode(schema, order="sorted").decode()
