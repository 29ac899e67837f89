"""The documents that are generated from the application, committed, and checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from service.api.document.openapi import OPENAPI, STREAM, document, stream_schema
from service.app import create_app
from service.audit.schema import TRANSCRIPT, transcript_schema
from service.settings import Settings


def write(folder: Path) -> None:
    """Writes the documents that are generated."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _files().items():
        (folder / name).write_text(text, encoding="utf-8")


def stale(folder: Path) -> list[str]:
    """The names of those that are missing, or not what would be written now."""
    return [
        name
        for name, text in _files().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def _files() -> dict[str, str]:
    app = create_app(Settings())
    made = {OPENAPI: document(app), STREAM: stream_schema(app), TRANSCRIPT: transcript_schema()}
    return {name: _text(it) for name, it in made.items()}


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
