"""Bodies to values: whatever does not fit is a problem that names the field and never repeats what was in it."""

from __future__ import annotations

import re
from typing import Any, Final, Generic, TypeVar

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection

from service.api.answers.choices import choices, fields, listed
from service.api.answers.language import Text
from service.api.answers.problems import MALFORMED, UNSUPPORTED_MEDIA_TYPE, Kind, Problem
from service.api.answers.words import broken, patterns_of, words

T = TypeVar("T")

_WHERE: Final = re.compile(r"^(?P<what>.*?)(?: - at `(?P<key>key in )?\$(?P<path>.*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\[(\d+|\.\.\.)\]|\.([^.\[]+)")
_JSON: Final = re.compile(r"application/([\w.-]+\+)?json\s*(;|$)", re.IGNORECASE)

_NOT_JSON: Final = Text("The body is no JSON: {why}.", "Der Inhalt ist kein JSON: {why}.")
_NO_BODY: Final = Text("There is no body.", "Es gibt keinen Inhalt.")
_MISSING: Final = Text("The field “{field}” is missing.", "Das Feld „{field}“ fehlt.")
_UNKNOWN: Final = Text("There is no field “{field}” here.", "Ein Feld „{field}“ gibt es hier nicht.")
_FIELDS: Final = Text(
    "There is no field “{field}” here, but: {fields}.", "Ein Feld „{field}“ gibt es hier nicht, aber: {fields}."
)
_NONE_OF: Final = Text(
    "“{field}” is none of what can stand there: {choices}.",
    "„{field}“ ist nichts von dem, was dort stehen kann: {choices}.",
)
_EXPECTED: Final = Text("“{field}”: expected {expected}.", "„{field}“: erwartet wird {expected}.")
_WHOLE: Final = Text("The body: expected {expected}.", "Der Inhalt: erwartet wird {expected}.")


class Body(Generic[T]):
    """A kind of body. ``tags``: what its ``tag_field`` may say, where it is of several kinds.

    ``no_such``: the problem that it is where that says else, if it has one of its own. No body is ``{}`` where nothing
    has to be said.
    """

    def __init__(
        self,
        kind: Any,
        *,
        tag_field: str = "type",
        no_such: Kind | None = None,
    ) -> None:
        self.kind: Final = kind
        self._decoder: Final[msgspec.json.Decoder[T]] = msgspec.json.Decoder(kind)
        self._patterns: Final = patterns_of(kind)
        self._tag_field: Final = tag_field
        self.tags: Final = choices(kind, (tag_field,), None)
        self._no_such: Final = no_such
        self._empty: Final = may_be_left_out(kind)

    def read(self, request: Request[Any, Any, Any]) -> T:
        """Raises Problem: 415, or 400 with the field."""
        content_type = header(request, "content-type")
        if content_type and not _JSON.match(content_type):
            raise Problem(UNSUPPORTED_MEDIA_TYPE)
        return self.decode(raw(request))

    def decode(self, body: bytes) -> T:
        if not body and self._empty:
            body = b"{}"
        if not body:
            raise Problem(MALFORMED, {"what": _NO_BODY})
        try:
            body.decode()
        except UnicodeDecodeError as error:
            raise _not_json(f"invalid UTF-8 (byte {error.start})") from None
        try:
            return self._decoded(body)
        except msgspec.ValidationError as error:
            raise self._problem(str(error), body) from None
        except msgspec.DecodeError as error:
            raise _not_json(str(error).removeprefix("JSON is malformed: ")) from None
        except RecursionError:
            raise _not_json("nested too deep") from None

    def _decoded(self, body: bytes) -> T:
        try:
            return self._decoder.decode(body)
        except msgspec.ValidationError as error:
            if "got `float`" not in str(error):
                raise
            whole: T = msgspec.convert(_with_whole_numbers(msgspec.json.decode(body)), self.kind)
            return whole

    def _problem(self, error: str, body: bytes) -> Problem:
        where = _WHERE.match(error)
        assert where is not None
        what, steps = where["what"], _steps(where["path"] or "")
        path = _pointer(steps)
        if (name := _quoted(what, "Object missing required field")) is not None:
            return misfit(f"{path}/{name}", _MISSING)
        if (name := _quoted(what, "Object contains unknown field")) is not None:
            known = fields(self.kind, steps, _read(body))
            return misfit(f"{path}/{name}", _FIELDS if known else _UNKNOWN, fields=listed(known))
        if what.startswith("Invalid value") and path == f"/{self._tag_field}" and self._no_such is not None:
            return Problem(self._no_such, field=path)
        if not where["key"] and (found := choices(self.kind, steps, _read(body))):
            return misfit(path, _NONE_OF, choices=listed(found))
        return misfit(path, _EXPECTED if path else _WHOLE, expected=words(expected(what), self._patterns))


def may_be_left_out(kind: Any) -> bool:
    """Whether a body of this kind says nothing that has to be said."""
    return (
        isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and not any(field.required for field in msgspec.structs.fields(kind))
    )


def header(connection: ASGIConnection[Any, Any, Any, Any], name: str) -> str | None:
    """A header of the request, by its name in small letters: the gate has made the mapping."""
    found: bytes | None = connection.scope["state"]["headers"].get(name.encode())
    return None if found is None else found.decode("latin-1")


def raw(request: Request[Any, Any, Any]) -> bytes:
    """The body as it came; the gate has read it."""
    body: bytes = request.scope["state"]["body"]
    return body


def misfit(field: str, what: Text, **says: str | Text) -> Problem:
    """A body that is JSON, but not the right one, at this JSON Pointer; the empty one points to the whole of it."""
    field = re.sub(r"[^\x20-\x7e]", "?", field)[:100]
    return Problem(MALFORMED, {"what": what.filled(**says, field=field)}, field=field)


def _steps(path: str) -> tuple[str, ...]:
    """``.options.jokers[0]`` as ``options``, ``jokers``, ``0``; any place is ``*``."""
    return tuple((index or name).replace("...", "*") for index, name in _STEP.findall(path))


def _pointer(steps: tuple[str, ...]) -> str:
    return "".join(f"/{step}" for step in steps)


def _read(body: bytes) -> Any:
    """None where it is broken further on."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None


def expected(error: str) -> str:
    """What msgspec expected, from its message."""
    return error.split(" - at ", 1)[0].removeprefix("Expected ").replace("`", "")


def _with_whole_numbers(value: Any) -> Any:
    """To JSON, and to JSON Schema, 7.0 is the whole number 7."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _with_whole_numbers(inner) for name, inner in value.items()}
        case list():
            return [_with_whole_numbers(inner) for inner in value]
        case _:
            return value


def _quoted(what: str, lead: str) -> str | None:
    return what.removeprefix(lead).strip(" `") if what.startswith(lead) else None


def _not_json(why: str) -> Problem:
    return Problem(MALFORMED, {"what": _NOT_JSON.filled(why=broken(why))})
