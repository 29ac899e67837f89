"""What seats do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse
from msgspec import Struct

from service.api.answers import problems, reasons
from service.api.answers.problems import Problem
from service.api.answers.replies import reply
from service.api.answers.shapes import MatchId
from service.api.answers.told import Reply, told
from service.api.requests.decoding import raw
from service.api.requests.failures import problem_of
from service.api.requests.guards import Limit, Needs, straying
from service.api.requests.parts import AnyRequest, about, asked, bearer, etag, if_match, parts
from service.api.routes.games import ACTIONS
from service.api.routes.receipts import APPLIED, inside, signed_receipt, wants_receipt, with_receipt
from service.auth.scopes import Scope
from service.dialogue import Behind, Refusal, TryAgain
from service.store.rows import Unavailable
from service.telemetry import metrics

_OF_ANY_GAME: Final = frozenset(name for body in ACTIONS.values() for name in body.tags)
MISSED: Final = 500  # frames that a 412 tells at most; the rest is at …/events


@post(
    "/v1/matches/{match:str}/actions",
    before_request=Needs(Scope.PLAY, Limit.ACTIONS),
    operation_id="sendAction",
    summary="Act",
    tags=["Play"],
    opt=told(
        Reply(201, "It is done, and in the log.", "Match", headers=("ETag",)),
        problems=(problems.REFUSED, problems.NOT_YOURS, problems.BEHIND, problems.KEY_REUSED),
        body="Action",
        body_example={"type": "cheat.play", "cards": ["QS", "7H"], "rank": "Q"},
        headers=("If-Match", "Prefer"),
        keyed=True,
    ),
)
async def act(request: AnyRequest, match: MatchId) -> ASGIResponse:
    """An action of your seat: whatever fits one of the offers in `actions`.

    The answer holds the frames that it told you, and what you see after them. With `If-Match: "<seq>"` it is taken only
    if that frame is your last. With `Prefer: receipt` the answer, a refusal too, carries a signed `receipt`. Ask again
    with the same `Idempotency-Key` when no answer came: it is not done twice.
    """
    referee = parts(request).runtime.referee
    with straying(request):
        game = await referee.game_of(about(request, match), bearer(request).player.id)
        action, seen = _action(request, game), if_match(request)
        with _counted(game):
            try:
                done = await referee.act(asked(request), match, action, msgspec.json.encode(action), if_match=seen)
            except Behind as behind:
                raise await _with_frames(request, behind, seen or 0) from None
            except Refusal as refusal:
                if refusal.command is None or not wants_receipt(request):
                    raise
                receipt = await signed_receipt(request, match, refusal.command)
                raise with_receipt(problem_of(refusal), receipt) from None
    headers = {"etag": etag(done.seq)}
    if wants_receipt(request) and (receipt := await signed_receipt(request, match, done.command)) is not None:
        return reply(inside(done.body, receipt), 201, {**headers, **APPLIED})
    return reply(done.body, 201, headers)


class _Typed(Struct):
    type: str


def _action(request: AnyRequest, game: str) -> Struct:
    """Raises Problem; what another game knows is refused and not malformed."""
    try:
        return ACTIONS[game].read(request)
    except Problem as no:
        if no.members.get("field") == "/type":
            with suppress(msgspec.MsgspecError):
                if msgspec.json.decode(raw(request), type=_Typed).type in _OF_ANY_GAME:
                    says = {"what": reasons.text("another_game")}
                    raise Problem(problems.REFUSED, says, reason="another_game") from None
        raise


@contextmanager
def _counted(game: str) -> Iterator[None]:
    """What the Referee decides he counts himself."""
    try:
        yield
    except (TryAgain, Unavailable):
        metrics.action(game, "unavailable")
        raise


async def _with_frames(request: AnyRequest, behind: Behind, seen: int) -> Behind:
    """With what the caller has missed, and nothing beyond: he may have left the seat since."""
    missed = min(behind.seq - seen, MISSED)
    if missed <= 0:
        return behind
    reader, match = parts(request).runtime.reader, request.scope["state"]["match"]
    frames, _ = await reader.frames(match, behind.seat, seen, missed)
    return Behind(behind.seq, behind.seat, frames)
