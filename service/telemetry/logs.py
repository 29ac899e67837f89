"""Logs: structlog for ours and for the libraries', as JSON lines or for a person's eyes."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any, Final

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_TOKEN: Final = re.compile(r"mw_[A-Za-z0-9_-]{8,}")
_QUIET: Final = ("uvicorn", "uvicorn.error", "asyncio", "sqlalchemy", "httpx")


def configure(*, json: bool | None, level: str) -> None:
    """For the whole process. Ours and the standard library's records take the same way.

    ``json`` None: for a person where stderr is a terminal, and else for machines.
    """
    json = not sys.stderr.isatty() if json is None else json
    threshold = logging.getLevelNamesMapping()[level.upper()]
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        failure,
        without_tokens,
    ]
    last: Processor = (
        structlog.processors.JSONRenderer(serializer=_json)
        if json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=24)
    )
    structlog.configure(
        processors=[*before, last],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[_drop_record, last], foreign_pre_chain=before))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(threshold, logging.INFO))
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(threshold, logging.WARNING))


def failure(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """An exception as its kind and its place. What it says is left out: it may quote what a caller sent."""
    raised = event.pop("exc_info", None)
    error = sys.exc_info()[1] if raised is True else raised[1] if isinstance(raised, tuple) else raised
    if isinstance(error, BaseException):
        event["error"] = " < ".join(_kinds(error))
        event["trace"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event


def without_tokens(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Should one get into a line all the same."""
    for name, value in event.items():
        if isinstance(value, str) and "mw_" in value:
            event[name] = _TOKEN.sub("mw_…", value)
    return event


def _kinds(error: BaseException) -> Iterator[str]:
    cause: BaseException | None = error
    while cause is not None:
        yield type(cause).__name__
        cause = cause.__cause__ or cause.__context__


def _json(event: Any, **_: Any) -> str:
    return msgspec.json.encode(event, enc_hook=repr).decode()


def _drop_record(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    event.pop("_record", None)
    event.pop("_from_structlog", None)
    return event
