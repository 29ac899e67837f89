"""The OpenAPI document, made from the routes, their guards and what they say of themselves.

Litestar's own generator names components after classes, knows no discriminators, and cannot describe answers that are
bytes already.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from typing import Any, Final
from uuid import UUID

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg
from litestar.routes import HTTPRoute
from litestar.types import Empty
from litestar.typing import FieldDefinition

from service.api.answers import problems
from service.api.answers.problems import Kind, ProblemBody
from service.api.answers.schemas import REF, components, name_of, schema_of
from service.api.answers.told import JSON, Reply, Told
from service.api.document import described, shown
from service.api.requests.decoding import may_be_left_out
from service.api.requests.guards import Limit, Needs, Public, guard_of, query_name

OPENAPI: Final = "openapi.json"
STREAM: Final = "stream.schema.json"
_CONSTRAINTS: Final = {"ge": "minimum", "le": "maximum", "max_length": "maxLength", "min_length": "minLength"}


def document(app: Litestar) -> dict[str, Any]:
    operations = list(_operations(app))
    bodies = [told.body for _, _, _, told in operations if isinstance(told.body, type)]
    replies = [reply.body for _, _, _, told in operations for reply in told.replies if isinstance(reply.body, type)]
    schemas = components([*shown.TYPES, *bodies, *replies, ProblemBody], shown.UNIONS)
    schemas["Problem"] = {**schemas.pop("ProblemBody"), "title": "Problem"}
    shown.finish(schemas)
    paths: dict[str, dict[str, Any]] = {}
    for path, method, handler, told in operations:
        paths.setdefault(path, {})[method.lower()] = _operation(path, method, handler, told)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Mogelwerk", "version": "1", "description": described.INFO},
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in described.TAGS.items()],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "parameters": described.PARAMETERS,
            "headers": described.HEADERS,
            "examples": {kind.slug: _example(kind) for kind in problems.KINDS.values()},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": described.SCHEME},
            },
        },
    }


def stream_schema(app: Litestar) -> dict[str, Any]:
    """A stream's messages, as a JSON Schema that stands alone."""
    schemas = document(app)["components"]["schemas"]
    needed = {"StreamMessage"}
    while more := {ref for name in needed for ref in _refs(schemas[name])} - needed:
        needed |= more
    found = {name: schemas[name] for name in sorted(needed)}
    alone: dict[str, Any] = json.loads(json.dumps(found).replace(REF, "#/$defs/"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A message of a match's stream",
        "$ref": "#/$defs/StreamMessage",
        "$defs": alone,
    }


def _operations(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler, Told]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                if (told := handler.opt.get("told")) is not None:
                    yield route.path_format, method, handler, told


def _operation(path: str, method: str, handler: HTTPRouteHandler, told: Told) -> dict[str, Any]:
    guard = guard_of(handler)
    kinds = list(_kinds(path, method, handler, told))
    operation: dict[str, Any] = {
        "operationId": handler.operation_id,
        "tags": handler.tags,
        "summary": handler.summary,
        "description": cleandoc(handler.fn.__doc__ or ""),
        "parameters": [*_parameters(handler, path), *_request_headers(handler, told)],
        "responses": _responses(told, kinds),
    }
    if isinstance(guard, Needs):
        scopes = [scope for scope in (guard.scope, guard.or_) if scope is not None]
        operation["security"] = [{"token": [scope]} for scope in scopes] or [{"token": []}]
    if told.body is not None:
        content = {"schema": _schema(told.body)}
        if told.body_example is not None:
            content["example"] = told.body_example
        operation["requestBody"] = {"required": not may_be_left_out(told.body), "content": {JSON: content}}
    return operation


def _kinds(path: str, method: str, handler: HTTPRouteHandler, told: Told) -> Iterator[Kind]:
    """The kinds of problem that can come of it: most follow from how the route is made."""
    guard = guard_of(handler)
    fields = list(_fields(handler, path))
    yield problems.BAD_REQUEST
    yield problems.INTERNAL
    if guard is not None:
        yield problems.RATE_LIMITED
        yield problems.BAD_PARAMETER
    if isinstance(guard, Needs):
        yield problems.UNAUTHORIZED
        yield problems.UNAVAILABLE
        if guard.scope is not None:
            yield problems.MISSING_SCOPE
    if method != "GET":
        yield problems.TOO_LARGE
        yield problems.UNAVAILABLE
        yield problems.OUTCOME_UNKNOWN
    if told.body is not None:
        yield problems.MALFORMED
        yield problems.UNSUPPORTED_MEDIA_TYPE
    if any(place == "path" and field.annotation is not str for place, field in fields):
        yield problems.BAD_ID
    if "{match}" in path:
        yield problems.NO_SUCH_MATCH
        yield problems.NOT_YOURS
        yield problems.BROKEN_LOG
    yield from told.problems


def _responses(told: Told, kinds: Iterable[Kind]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for reply in told.replies:
        found[str(reply.status)] = _success(reply)
    by_status: dict[int, list[Kind]] = {}
    for kind in kinds:
        if kind not in by_status.setdefault(kind.status, []):
            by_status[kind.status].append(kind)
    for status, same in by_status.items():
        found[str(status)] = {
            "description": " ".join(f"`{kind.slug}`: {kind.title.en}." for kind in same),
            "headers": _headers(("X-Request-ID", "Content-Language", *described.WITH_STATUS.get(status, ()))),
            "content": {
                problems.MEDIA_TYPE: {
                    "schema": {"$ref": REF + "Problem"},
                    "examples": {kind.slug: {"$ref": f"#/components/examples/{kind.slug}"} for kind in same},
                }
            },
        }
    return dict(sorted(found.items()))


def _success(reply: Reply) -> dict[str, Any]:
    told: dict[str, Any] = {"description": reply.about, "headers": _headers(("X-Request-ID", *reply.headers))}
    if reply.body is not None:
        told["content"] = {
            media_type: {"schema": _schema(reply.body) if media_type != "text/event-stream" else {"type": "string"}}
            for media_type in reply.media_types
        }
    return told


def _headers(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _schema(body: Any) -> dict[str, str]:
    return {"$ref": REF + (body if isinstance(body, str) else name_of(body))}


def _fields(handler: HTTPRouteHandler, path: str) -> Iterator[tuple[str, FieldDefinition]]:
    for name, field in handler.parsed_fn_signature.parameters.items():
        if name != "request":
            yield ("path" if f"{{{name}}}" in path else "query"), field


def _parameters(handler: HTTPRouteHandler, path: str) -> Iterator[dict[str, Any]]:
    for place, field in _fields(handler, path):
        said = field.kwarg_definition
        assert isinstance(said, ParameterKwarg)
        schema: dict[str, Any] = (
            {"type": "string", "format": "uuid"} if field.annotation is UUID else schema_of(field.annotation, {})
        )
        kinds = [kind for kind in schema.pop("anyOf", []) if kind.get("type") != "null"]
        for kind in kinds:
            schema.update(kind)
        if "enum" in schema:
            schema = {"type": "string", "enum": [value for value in schema["enum"] if value is not None]}
        schema.update(
            {told: getattr(said, ours) for ours, told in _CONSTRAINTS.items() if getattr(said, ours) is not None}
        )
        schema.update(said.schema_extra or {})
        if field.default not in (Empty, None):
            schema["default"] = field.default
        yield {
            "name": query_name(field),
            "in": place,
            "required": place == "path",
            "description": said.description,
            "schema": schema,
        }


def _request_headers(handler: HTTPRouteHandler, told: Told) -> Iterator[dict[str, str]]:
    names = list(told.headers)
    if told.keyed:
        guard = guard_of(handler)
        account = isinstance(guard, Public) and guard.limit is Limit.ACCOUNTS
        names.append("Account-Key" if account else "Idempotency-Key")
    if "Accept-Language" not in names:
        names.append("Accept-Language")
    for name in names:
        yield {"$ref": f"#/components/parameters/{name}"}


def _example(kind: Kind) -> dict[str, Any]:
    body = {"type": kind.type, "title": kind.title.en, "status": kind.status, **described.EXAMPLES.get(kind.slug, {})}
    body.setdefault("detail", kind.detail.en)
    return {"summary": kind.title.en, "value": body}


def _refs(schema: Any) -> Iterator[str]:
    match schema:
        case str() if schema.startswith(REF):
            yield schema.removeprefix(REF)
        case dict():
            for value in schema.values():
                yield from _refs(value)
        case list():
            for value in schema:
                yield from _refs(value)
