"""What the document says in its own words, to people who write clients."""

from __future__ import annotations

from typing import Any, Final

INFO: Final = """\
Games of bluff, for clients of any kind. A client needs to know no rules: `actions` in every match lists all that your
seat may do now, and whatever fits one of these offers is accepted.

**A first match.** `POST /v1/players` with a name gives you a token. `POST /v1/matches` with
`{"game": "cheat", "seats": 4, "fill": true}` opens a match with you at seat 0; `POST /v1/matches/{match}/start` starts
it, and bots take the other seats. Then look (`GET /v1/matches/{match}`), pick one of `actions`, send it
(`POST /v1/matches/{match}/actions`), and wait for news: `GET /v1/matches/{match}?after=<seq>&wait=30`, or the stream.

**One cursor.** What you are told about a match are frames, numbered from 1 without holes in a numbering of your own.
`seq` is the last one that you were told; the same number is the `ETag`, goes into `If-Match`, `?after=` and
`Last-Event-ID`, and stands in every heartbeat. Other players have other numbers.

**Refusals are answers.** 409 with a `reason` means that the rules said no, and nothing happened. Errors are problems
(RFC 9457): their `type` is stable and leads to an explanation; `title` and `detail` come in the language of
`Accept-Language` (en, de).

**Asking twice.** Every `POST` takes an `Idempotency-Key`. When no answer came, ask again with the same key and the same
body: it is not done twice, and the answer is the same.

**Time** in a match is match time: it stands still while the match does. A sandbox match (`"sandbox": true`) has a clock
that only you turn, and takes a seed or a deal, so that tests are exact.

**Secrets.** What you are told is all that you could know at a table: a card seen from behind is `??`, in every field,
every frame and every error. A lie is a legal play.
"""

SCHEME: Final = (  # of authorisation
    "A token from `POST /v1/players` or `POST /v1/players/me/tokens`. Never in an address: a browser reads the stream "
    "with `fetch`. The scopes that a call needs stand beside it."
)

TAGS: Final = {
    "Games": "What can be played, in machine-readable form.",
    "Players": "Accounts of guests, and their tokens.",
    "Matches": "Opening, finding, joining, leaving and starting matches.",
    "Play": "Acting, and being told.",
    "Sandbox": "For tests of clients.",
    "Disputes": "Asking a referee, and ruling.",
    "Audit": "What happened, provably.",
    "Problems": "What went wrong, explained.",
    "Health": "For those who run this.",
}

_TAG: Final = r'^"(0|[1-9][0-9]{0,8})"$'


def _parameter(name: str, about: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "description": about, "schema": schema}


_KEY: Final = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
PARAMETERS: Final[dict[str, Any]] = {
    "Idempotency-Key": _parameter(
        "Idempotency-Key",
        "Your own name for this request, used for nothing else: a repeated one is answered and not done again.",
        _KEY,
    ),
    "Account-Key": _parameter(
        "Idempotency-Key",
        "A repeated request gives the same account and token. Here the key is as good as a password: take 32 random "
        "characters.",
        {**_KEY, "minLength": 16},
    ),
    "If-Match": _parameter(
        "If-Match", "Only if this is still your last frame: its `seq` in quotes.", {"type": "string", "pattern": _TAG}
    ),
    "Prefer": _parameter(
        "Prefer", "`receipt`: the answer carries a signed receipt.", {"type": "string", "examples": ["receipt"]}
    ),
    "If-None-Match": _parameter("If-None-Match", "304 if what you have is current: its `ETag`.", {"type": "string"}),
    "Last-Event-ID": _parameter(
        "Last-Event-ID",
        "The `seq` of the last frame that you have; counts more than `after`.",
        {"type": "string", "pattern": "^[0-9]{1,9}$"},
    ),
    "Accept-Language": _parameter(
        "Accept-Language", "Of texts for people: en or de.", {"type": "string", "examples": ["de", "en-GB, en;q=0.8"]}
    ),
}


def _header(about: str, schema: dict[str, Any] | None = None, example: Any = None) -> dict[str, Any]:
    told: dict[str, Any] = {"description": about, "schema": schema or {"type": "string"}}
    return told if example is None else {**told, "example": example}


HEADERS: Final[dict[str, Any]] = {
    "X-Request-ID": _header("This request's name in our logs; yours, if you sent one of 8 to 64 letters and digits."),
    "Content-Language": _header("The language of `title` and `detail`.", {"type": "string", "enum": ["en", "de"]}),
    "ETag": _header("Names this state; for a match, your last `seq` in quotes.", example='"41"'),
    "Location": _header("Where what was made can be found."),
    "Retry-After": _header("Seconds.", {"type": "string", "pattern": "^[0-9]+$"}, "1"),
    "RateLimit": _header("How many calls are left, and in how many seconds all are.", example='"actions";r=99;t=1'),
    "RateLimit-Policy": _header(
        "How many calls fit, and in how many seconds they come back.", example='"actions";q=100;w=2'
    ),
    "WWW-Authenticate": _header("How to say who you are.", example='Bearer realm="mogelwerk"'),
}

# Headers that a problem has beside those of all.
WITH_STATUS: Final[dict[int, tuple[str, ...]]] = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}

EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "malformed": {"detail": "“/cards”: expected a list of at most 4 entries.", "field": "/cards"},
    "bad_id": {"detail": "What stands for “match” in the path can be none: expected a UUID.", "field": "match"},
    "bad_parameter": {"detail": "“wait”: expected a whole number, at most 60", "field": "wait"},
    "reset": {
        "detail": "“after” is ahead of your last frame, which is 42. Drop what you have and read it again from 0.",
        "field": "after",
        "seq": 42,
    },
    "no_such_game": {"field": "/game"},
    "options_conflict": {
        "detail": "“options.penalty” and “options.adults_only” do not go together so. A forfeit is played only with "
        "adults_only: true.",
        "options": ["options.penalty", "options.adults_only"],
    },
    "bad_deal": {"detail": "The game could not have dealt this. Not there so often: QS.", "field": "/deal"},
    "missing_scope": {"detail": "It lacks the scope “play”.", "scope": "play"},
    "not_yours": {"detail": "You hold no seat in this match.", "reason": "not_seated"},
    "not_in_this_match": {"detail": "“at”: the last is 41", "field": "at"},
    "method_not_allowed": {"detail": "At this path goes: GET, OPTIONS."},
    "refused": {
        "detail": "Too late: time was up at “closes_at”.",
        "reason": "too_late",
        "seq": 42,
        "closes_at": "2026-01-01T12:00:30Z",
        "beaten_by": 42,
    },
    "not_offered": {"detail": "There are no sandbox matches on this server.", "reason": "sandbox_off"},
    "behind": {
        "detail": "“If-Match” names another frame than your last, which is 42. “frames” holds what you have missed.",
        "seq": 42,
        "frames": [],
    },
    "too_large": {"detail": "A body has at most 65536 bytes."},
    "rate_limited": {"detail": "The limit “matches” is used up. Try again in 2.4 s.", "retry_after": 2.4},
    "unavailable": {"detail": "Nothing has happened. Try again in 1 s.", "retry_after": 1.0},
    "outcome_unknown": {
        "detail": "It may have happened or not. Ask again with the same Idempotency-Key in 1 s.",
        "retry_after": 1.0,
    },
    "not_ready": {"detail": "Not well: fanout.", "checks": {"postgres": True, "fanout": False, "open": True}},
}
