"""What was expected instead, in words: msgspec says it in English, in names of types, and in regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import inspect

from service.api.answers.choices import listed
from service.api.answers.language import Text

_TYPES: Final[Mapping[str, Text]] = {
    "str": Text("text", "Text"),
    "int": Text("a whole number", "eine ganze Zahl"),
    "float": Text("a number", "eine Zahl"),
    "bool": Text("true or false", "true oder false"),
    "array": Text("a list", "eine Liste"),
    "object": Text("an object", "ein Objekt"),
    "null": Text("null", "null"),
    "uuid": Text("a UUID", "eine UUID"),
}
_GOT: Final[Mapping[str, Text]] = {**_TYPES, "float": Text("a fraction", "eine Kommazahl")}  # 7.0 is a whole number
_BOUNDS: Final[Mapping[str, Text]] = {
    "<=": Text("at most", "höchstens"),
    ">=": Text("at least", "mindestens"),
    "<": Text("less than", "weniger als"),
    ">": Text("more than", "mehr als"),
}
_SIZES: Final[Mapping[str, Text]] = {
    "str": Text("characters", "Zeichen"),
    "array": Text("entries", "Einträgen"),
}
_TOO_LARGE: Final = Text("a number that is nearer to zero", "eine Zahl, die näher bei null liegt")
_BREAKS: Final[Mapping[str, str]] = {
    "Input data was truncated": "er bricht mittendrin ab",
    "nested too deep": "er ist zu tief verschachtelt",
    "invalid UTF-8": "kein UTF-8",
    "invalid character": "ein Zeichen, das dort nicht stehen kann",
    "invalid number": "eine Zahl, die keine ist",
    "invalid escape character in string": "ein Zeichen, das hinter \\ nicht stehen kann",
    "invalid escaped character": "ein Zeichen, das hinter \\ nicht stehen kann",
    "invalid utf-16 surrogate pair": "ein halbes Zeichen hinter \\u",
    "invalid character in unicode escape": "ein Zeichen, das hinter \\u nicht stehen kann",
    "unexpected end of escaped utf-16 surrogate pair": "ein halbes Zeichen hinter \\u",
    "unexpected end of hex escape": "ein halbes Zeichen hinter \\u",
    "trailing characters": "dahinter steht noch etwas",
    "trailing comma in array": "ein Komma am Ende einer Liste",
    "trailing comma in object": "ein Komma am Ende eines Objekts",
    "object keys must be strings": "Namen von Feldern sind Text",
    "expected ',' or ']'": "es fehlt ein Komma oder ]",
    "expected ',' or '}'": "es fehlt ein Komma oder }",
    "expected ':'": "es fehlt ein Doppelpunkt",
    "expected '\"'": "es fehlt ein Anführungszeichen",
}
_BROKEN: Final = re.compile(r"(?P<why>.*?)(?P<where> \(byte \d+\))?")
_SAID: Final = re.compile(
    r"(?P<types>\w+(?: \| \w+)*)(?:(?P<of> of length)? (?P<bound>[<>]=?) (?P<count>[\d.]+))?(?:, got (?P<got>\w+))?",
)


def words(expected: str, patterns: Mapping[str, Text], can_be: Sequence[str] = ()) -> Text:
    """msgspec's words for what it expected, in ours; ``patterns``: see `patterns_of`; ``can_be``: see `choices`."""
    if expected.startswith("Invalid enum value"):
        return Text(f"one of {listed(can_be)}", f"eines von {listed(can_be)}")
    if expected.endswith("out of range"):
        return _TOO_LARGE
    if expected == "Invalid UUID":
        return _TYPES["uuid"]
    if "matching regex" in expected:
        return patterns.get(expected.partition(" regex ")[2], Text("another text", "ein anderer Text"))
    said = _SAID.fullmatch(expected)
    names = said["types"].split(" | ") if said else []
    if said is None or not all(name in _TYPES for name in names):
        return Text(expected, expected)
    return Text(_in_english(said, names), _in_german(said, names))


def broken(error: str) -> Text:
    """msgspec's words for where JSON breaks, in ours."""
    said = _BROKEN.fullmatch(error)
    assert said is not None
    return Text(error, f"{_BREAKS.get(said['why'], said['why'])}{said['where'] or ''}")


def patterns_of(kind: Any) -> dict[str, Text]:
    """Of each pattern that a text in this type has to match: what it means, to follow “expected”.

    It is the ``en`` and ``de`` in its Meta's ``extra``; without an ``en``, English is the description beside it.
    """
    found: dict[str, Text] = {}
    for said in _described(inspect.type_info(kind), set()):
        if isinstance(said.type, inspect.StrType) and said.type.pattern is not None:
            words = {"en": (said.extra_json_schema or {}).get("description"), **(said.extra or {})}
            if english := words["en"]:
                found[repr(said.type.pattern)] = Text(english, words.get("de", english))
    return found


def _in_english(said: re.Match[str], names: list[str]) -> str:
    text = " or ".join(_TYPES[name].en for name in names)
    if said["of"] and (said["bound"], said["count"]) == (">=", "1"):
        text += ", not empty"
    elif said["of"]:
        text += f" of {_BOUNDS[said['bound']].en} {said['count']} {_SIZES.get(names[0], _SIZES['array']).en}"
    elif said["bound"]:
        text += f", {_BOUNDS[said['bound']].en} {said['count']}"
    return text + (f" and not {_GOT[said['got']].en}" if said["got"] in _GOT else "")


def _in_german(said: re.Match[str], names: list[str]) -> str:
    text = " oder ".join(_TYPES[name].de for name in names)
    if said["of"] and (said["bound"], said["count"]) == (">=", "1"):
        text += ", nicht leer"
    elif said["of"]:
        text += f" von {_BOUNDS[said['bound']].de} {said['count']} {_SIZES.get(names[0], _SIZES['array']).de}"
    elif said["bound"]:
        text += f", {_BOUNDS[said['bound']].de} {said['count']}"
    return text + (f" und nicht {_GOT[said['got']].de}" if said["got"] in _GOT else "")


def _described(info: Any, seen: set[type]) -> Iterator[inspect.Metadata]:
    match info:
        case inspect.Metadata(type=inner):
            yield info
            yield from _described(inner, seen)
        case inspect.StructType(cls=kind, fields=fields):
            if kind not in seen:
                seen.add(kind)
                for field in fields:
                    yield from _described(field.type, seen)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield from _described(item, seen)
        case inspect.TupleType(item_types=members) | inspect.UnionType(types=members):
            for member in members:
                yield from _described(member, seen)
        case inspect.DictType(key_type=key, value_type=value):
            yield from _described(key, seen)
            yield from _described(value, seen)
        case _:
            pass
