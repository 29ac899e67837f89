"""The whole of a match, as a file that proves itself."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import nullcontext
from typing import Annotated, Final

from litestar import get
from litestar.params import Parameter
from litestar.response.base import ASGIResponse

from service.api.answers.replies import Live
from service.api.answers.shapes import MatchId
from service.api.answers.told import NDJSON, Reply, told
from service.api.requests.guards import Needs
from service.api.requests.parts import AnyRequest, about, bearer, parts
from service.auth.scopes import Scope

AT_ONCE: Final = 32_000  # bytes gathered before they are sent


@get(
    "/v1/matches/{match:str}/history",
    before_request=Needs(Scope.READ),
    operation_id="getHistory",
    summary="A match's transcript",
    tags=["Audit"],
    opt=told(
        Reply(
            200,
            "Lines of JSON: header, events and attempts, `ending`; or of a match that is not over header, your frames, "
            "`until`; or for whoever broke its seal header, events and attempts, `so_far`. The file "
            "transcript.schema.json describes each. Without its last line it was cut off.",
            "TranscriptLine",
            media_types=(NDJSON,),
        )
    ),
)
async def history(
    request: AnyRequest,
    match: MatchId,
    own: Annotated[bool, Parameter(description="Only what you were told, even if the match is over.")] = False,
) -> ASGIResponse:
    """When the match is over, all of it for whoever may see it, and for auditors and referees (scopes `audit`,
    `referee`): every event with its salt, what was tried, every viewer's heads, seed and entropy. Until then what you
    were told; for whoever broke the seal, all of it so far, without the seed. `mogelwerk verify` checks each on your
    own machine. Of a match that is over it is always the same bytes."""
    caller = bearer(request)
    what, lines = await parts(request).histories.of(
        about(request, match), caller.player.id, caller.token.scopes, own=own
    )
    await parts(request).access.note(caller, match, what)
    return Live(gathered(lines), NDJSON, during=nullcontext())


async def gathered(lines: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Many small lines as few larger pieces. Where the store goes away, the file ends before its last line."""
    pieces: list[bytes] = []
    size = 0
    async for line in lines:
        pieces.append(line)
        size += len(line)
        if size >= AT_ONCE:
            yield b"".join(pieces)
            pieces, size = [], 0
    yield b"".join(pieces)
