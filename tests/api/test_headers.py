"""Headers end, in size and in time, whoever sends them."""

from __future__ import annotations

import socket

import pytest

from service.protocol import MOST, Bounded
from tests.api.serving import Served

LINE = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"


def said(server: Served, *parts: bytes) -> bytes:
    """All that is answered until the server closes, or two answers are there."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        told = b""
        try:
            for part in parts:
                line.sendall(part)
            while told.count(b"HTTP/1.1") < 2 and (more := line.recv(65536)):
                told += more
        except (ConnectionResetError, BrokenPipeError):
            pass  # closed while we were still sending
        return told


@pytest.mark.parametrize("before", [b"GET /", LINE + b"Y: ", LINE + b"Y", b"\r\n"])
def test_headers_larger_than_allowed_are_refused_and_the_line_is_closed(server: Served, before: bytes) -> None:
    filling = (b"\r\n" if before == b"\r\n" else b"bb") * MOST

    assert said(server, before, filling).startswith(b"HTTP/1.1 431 ")


def test_many_small_headers_are_too_much_as_well(server: Served) -> None:
    assert said(server, LINE, b"Y: yyyyy\r\n" * (MOST // 5)).startswith(b"HTTP/1.1 431 ")


def test_what_just_fits_is_taken_on_one_line_twice(server: Served) -> None:
    request = LINE + b"Y: " + b"b" * (MOST - len(LINE) - 100) + b"\r\n\r\n"

    told = said(server, request, request)

    assert told.count(b"HTTP/1.1 200 ") == 2


def test_headers_after_a_body_end_too(server: Served) -> None:
    start = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nY: "

    assert b"HTTP/1.1 20" not in said(server, start, b"b" * 2 * MOST)


def test_a_body_is_no_header(server: Served) -> None:
    body = b" " * (2 * MOST)
    start = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)

    assert b" 431 " not in said(server, start + body).partition(b"\r\n")[0]


@pytest.mark.parametrize("part", [b"", b"GET / HTTP/1.1\r\nY: b", b"\r\n"])
def test_headers_that_do_not_come_are_not_waited_for(
    server: Served, monkeypatch: pytest.MonkeyPatch, part: bytes
) -> None:
    monkeypatch.setattr(Bounded, "within", 0.05)

    assert said(server, part).startswith(b"HTTP/1.1 408 ")
