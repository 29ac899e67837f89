"""What explains the API: its document, a page that shows it without any other host's help, and each kind of problem."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Annotated, Final

import msgspec
from litestar import Litestar, MediaType, get
from litestar.params import Parameter
from litestar.response.base import ASGIResponse
from msgspec import Struct

from service.api.answers import problems, reasons
from service.api.answers.language import preferred
from service.api.answers.problems import Problem
from service.api.answers.replies import reply, reply_with
from service.api.answers.told import Reply, told
from service.api.document.openapi import document
from service.api.requests.decoding import header
from service.api.requests.guards import Public
from service.api.requests.parts import AnyRequest

PUBLIC: Final = {"cache-control": "public, no-cache"}


class ProblemInfo(Struct, frozen=True, omit_defaults=True):
    """A kind of problem, and what to do about it. `detail`: what it always says, with `…` for what is filled in.
    `reasons`: what its `reason` can say."""

    type: str
    title: str
    status: int
    what_to_do: str
    detail: str | None = None
    reasons: dict[str, str] | None = None


@get("/openapi.json", before_request=Public(), include_in_schema=False)
async def openapi_json(request: AnyRequest) -> ASGIResponse:
    return reply(_document(request.app), headers=PUBLIC)


@get("/docs", before_request=Public(), include_in_schema=False)
async def docs(request: AnyRequest) -> ASGIResponse:
    page, policy = _page()
    headers = {**PUBLIC, "content-security-policy": policy}
    return ASGIResponse(body=page, media_type=MediaType.HTML, headers=headers)


@get(
    "/problems/{slug:str}",
    before_request=Public(),
    operation_id="getProblem",
    summary="What a problem means",
    tags=["Problems"],
    opt=told(Reply(200, "What it means.", ProblemInfo), problems=(problems.NOT_FOUND,), headers=("Accept-Language",)),
)
async def problem(
    request: AnyRequest, slug: Annotated[str, Parameter(description="The end of a problem's `type`.")]
) -> ASGIResponse:
    """The `type` of every problem leads here."""
    kind = problems.KINDS.get(slug)
    if kind is None:
        raise Problem(problems.NOT_FOUND)
    language = preferred(header(request, "accept-language"))
    known = reasons.by_kind(slug)
    always = re.sub(r"\{\w+\}", "…", kind.detail.in_(language))
    info = ProblemInfo(
        kind.type,
        kind.title.in_(language),
        kind.status,
        kind.what_to_do.in_(language),
        None if always == "…" else always,
        {reason: text.in_(language) for reason, text in known.items()} or None,
    )
    return reply_with(info, headers={**PUBLIC, "content-language": language, "vary": "accept-language"})


@cache
def _document(app: Litestar) -> bytes:
    return msgspec.json.encode(document(app))


@cache
def _page() -> tuple[bytes, str]:
    """The page, and the policy that lets only what is in it run."""
    page = files(__package__).joinpath("docs.html").read_bytes()
    style = _hash(page.partition(b"<style>")[2].partition(b"</style>")[0])
    script = _hash(page.partition(b"<script>")[2].partition(b"</script>")[0])
    return page, (
        f"default-src 'none'; style-src {style}; script-src {script}; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _hash(text: bytes) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text).digest()).decode()}'"
