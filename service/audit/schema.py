"""The JSON Schema of a transcript's lines."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from projections.audit.transcript import LINES

TRANSCRIPT: Final = "transcript.schema.json"
_INSIDE: Final = {
    ("Event", "envelope"): "Envelope",
    ("Attempt", "record"): "Record",
    ("Frame", "told"): "ToldText",
}
_MOMENT: Final = {"type": "string", "format": "date-time"}
_EVENT: Final = {
    "description": "One of the components `Event` of openapi.json, or of the events of a match around its game.",
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
}


def transcript_schema() -> dict[str, Any]:
    """Of one line. The texts that hashes bind are strings; what JSON is in them stands as their ``contentSchema``."""
    lines, found = msgspec.json.schema_components(LINES, ref_template="#/$defs/{name}")
    found["Header"]["properties"]["options"] = {"type": "object", "description": "The game's options, as in event 1."}
    found["Envelope"] = _object(
        "An event with its place, times and actor. `at` is match time; `by` the seat, -1 the House.",
        match={"type": "string", "format": "uuid"},
        version={"type": "integer", "minimum": 1},
        at=_MOMENT,
        received_at=_MOMENT,
        by={"type": "integer", "minimum": -1},
        event=_EVENT,
    )
    found["Record"] = _object(
        "What a seat asked for, as it arrived, and what came of it. `version`: the match's that it met. `action`: one "
        "of the components `Action`; null, and `count` of them, where refusals are only counted.",
        match={"type": "string", "format": "uuid"},
        seat={"type": "integer", "minimum": 0},
        n={"type": "integer", "minimum": 1},
        command={"type": "string", "format": "uuid"},
        received_at=_MOMENT,
        version={"type": "integer", "minimum": 1},
        outcome={"enum": ["accepted", "refused", "uncounted"]},
        reason={"type": ["string", "null"]},
        action={"type": ["object", "null"]},
        count={"type": "integer", "minimum": 1},
    )
    found["ToldText"] = _object(
        "An event as a viewer was told it.",
        seq={"type": "integer", "minimum": 1},
        at=_MOMENT,
        event=_EVENT,
    )
    for schema in found.values():
        schema["description"] = schema["description"].replace("``", "`")
    for (line, field), inside in _INSIDE.items():
        found[line]["properties"][field] |= {
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": f"#/$defs/{inside}"},
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a match's transcript",
        "oneOf": list(lines),
        "$defs": dict(sorted(found.items())),
    }


def _object(about: str, **properties: Any) -> dict[str, Any]:
    return {"description": about, "type": "object", "properties": properties, "required": list(properties)}
