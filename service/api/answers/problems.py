"""Every answer that is no success, in one table: RFC 9457 problems."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, TypeAlias

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from projections.audit.receipt import SignedReceipt
from projections.catalogue import CATALOGUE
from projections.views.seam import Language
from service.api.answers.language import Text

MEDIA_TYPE: Final = "application/problem+json"
Says: TypeAlias = Mapping[str, str | int | Text]


class Kind(Struct, frozen=True):
    """One kind of problem. ``slug`` ends its type's address; braces in ``detail`` are filled in each time.

    ``what_to_do`` stands where the type leads, and in docs/clients.md.
    """

    slug: str
    status: int
    title: Text
    detail: Text
    what_to_do: Text

    @property
    def type(self) -> str:
        return f"/problems/{self.slug}"


class ProblemBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why there is no success. `type` is stable and names the kind: look it up with GET. `title` and `detail` are for
    people, in the language of `Accept-Language` (en, de). The other members are there where they help.

    * `field`: what did not fit, as a JSON Pointer into the body (empty: the whole of it) or the name of a parameter or
      header;
    * `reason`: why the rules, or the one who runs this server, refuse: stable, one word;
    * `options`: the two settings that exclude each other;
    * `scope`: what your token lacks;
    * `seq`: the last frame that you have been told at this moment;
    * `not_before`, `closes_at`: match time from which the same action will be taken, or before which it would have
      been;
    * `beaten_by`: the frame of what came first, a moment before your action, which would else have been taken;
    * `frames`: those that you had not seen (`If-Match`);
    * `receipt`: signed, that you were refused (`Prefer: receipt`);
    * `retry_after`: seconds after which it is worth trying again;
    * `checks`: what is well and what is not (readiness);
    * `request_id`: quote it when you report this.
    """

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    reason: str | None = None
    options: tuple[str, str] | None = None
    scope: str | None = None
    seq: int | None = None
    not_before: datetime | None = None
    closes_at: datetime | None = None
    beaten_by: int | None = None
    frames: Raw | None = None
    receipt: SignedReceipt | None = None
    retry_after: float | None = None
    checks: dict[str, bool] | None = None
    request_id: str | None = None


class Problem(Exception):
    """An answer that is no success. ``members`` are those of ProblemBody beside the first four."""

    def __init__(
        self,
        kind: Kind,
        says: Says | None = None,
        *,
        detail: Text | None = None,
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        super().__init__(kind.slug)
        self.kind: Final = kind
        self.says: Final = says or {}
        self.detail: Final = detail or kind.detail
        self.headers: Final = dict(headers or {})
        self.members: Final = members

    def body(self, language: Language, request_id: str | None) -> bytes:
        says = {name: what.in_(language) if isinstance(what, Text) else what for name, what in self.says.items()}
        body = ProblemBody(
            type=self.kind.type,
            title=self.kind.title.in_(language),
            status=self.kind.status,
            detail=self.detail.in_(language).format(**says),
            request_id=request_id,
        )
        return msgspec.json.encode(replace(body, **self.members))


KINDS: Final[dict[str, Kind]] = {}


def _kind(slug: str, status: int, title: Text, detail: Text, what_to_do: Text) -> Kind:
    KINDS[slug] = kind = Kind(slug, status, title, detail, what_to_do)
    return kind


MALFORMED: Final = _kind(
    "malformed",
    400,
    Text("The body cannot be taken", "Der Inhalt ist nicht zu gebrauchen"),
    Text("{what}", "{what}"),
    Text(
        "Mend the body where “field” points, an empty one to the body itself; “/openapi.json” says what it should be.",
        "Ändere den Inhalt, wo „field“ hinzeigt, leer auf ihn selbst; „/openapi.json“ sagt, wie er sein soll.",
    ),
)
BAD_ID: Final = _kind(
    "bad_id",
    400,
    Text("That is no id", "Das ist keine Kennung"),
    Text(
        "What stands for “{field}” in the path can be none: expected {what}.",
        "Was im Pfad für „{field}“ steht, kann keine sein: Erwartet wird {what}.",
    ),
    Text(
        "What stands in the path can be no id: take it as it was given out. “detail” says what it has to be.",
        "Was im Pfad steht, kann keine Kennung sein: Nimm sie so, wie du sie bekommen hast. „detail“ sagt, was es sein "
        "muss.",
    ),
)
BAD_PARAMETER: Final = _kind(
    "bad_parameter",
    400,
    Text("A parameter or header cannot be taken", "Ein Parameter oder Kopffeld ist nicht zu gebrauchen"),
    Text("“{field}”: {what}", "„{field}“: {what}"),
    Text(
        "A parameter or a header cannot be taken; “field” names it.",
        "Ein Parameter oder Kopffeld ist nicht zu gebrauchen; „field“ nennt es.",
    ),
)
RESET: Final = _kind(
    "reset",
    409,
    Text("This cursor is none of ours", "Diesen Stand haben wir nicht ausgegeben"),
    Text(
        "“{field}” is ahead of your last frame, which is {seq}. Drop what you have and read it again from 0.",
        "„{field}“ liegt hinter deiner letzten Nachricht; die ist {seq}. Verwirf, was du hast, und lies von 0 an neu.",
    ),
    Text(
        "Your cursor is none of ours, being ahead of “seq”: drop what you have, and read it again from 0.",
        "Dein Stand ist keiner von uns, er liegt hinter „seq“: Verwirf, was du hast, und lies von 0 an neu.",
    ),
)
BAD_REQUEST: Final = _kind(
    "bad_request",
    400,
    Text("The request cannot be understood", "Die Anfrage ist nicht zu verstehen"),
    Text("It is not HTTP as it should be.", "Sie ist kein HTTP, wie es sein soll."),
    Text(
        "It was no HTTP as it should be: look at what your client sends.",
        "Das war kein HTTP, wie es sein soll: Sieh nach, was dein Client sendet.",
    ),
)
OPTIONS_CONFLICT: Final = _kind(
    "options_conflict",
    409,
    Text("Two settings exclude each other", "Zwei Einstellungen schließen einander aus"),
    Text(
        "“{first}” and “{second}” do not go together so. {what}",
        "„{first}“ und „{second}“ passen so nicht zusammen. {what}",
    ),
    Text(
        "Two settings exclude each other; “options” names both, “detail” says what would do. Change one.",
        "Zwei Einstellungen schließen einander aus; „options“ nennt beide, „detail“ sagt, was ginge. Ändere eine.",
    ),
)
BAD_DEAL: Final = _kind(
    "bad_deal",
    409,
    Text("Such a deal cannot be", "So kann nicht gegeben werden"),
    Text("The game could not have dealt this. {what}", "Das kann das Spiel nicht gegeben haben. {what}"),
    Text(
        "The game could not have dealt that (sandbox): “detail” says why not.",
        "Das kann das Spiel nicht gegeben haben (Sandkasten): „detail“ sagt, warum nicht.",
    ),
)
UNAUTHORIZED: Final = _kind(
    "unauthorized",
    401,
    Text("Who are you?", "Wer bist du?"),
    Text(
        "Send “Authorization: Bearer <token>” with a token that is valid. POST /v1/players gives you one.",
        "Sende „Authorization: Bearer <Token>“ mit einem gültigen Token. POST /v1/players gibt dir eines.",
    ),
    Text(
        "No token, or none that is good: make an account, or send the token of yours.",
        "Kein Token, oder keines, das gilt: Leg ein Konto an, oder sende das Token von deinem.",
    ),
)
MISSING_SCOPE: Final = _kind(
    "missing_scope",
    403,
    Text("Your token does not reach that far", "So weit reicht dein Token nicht"),
    Text("It lacks the scope “{scope}”.", "Ihm fehlt die Berechtigung „{scope}“."),
    Text(
        "Your token does not reach that far; “scope” says what it lacks. Ask with one that has it.",
        "So weit reicht dein Token nicht; „scope“ sagt, was ihm fehlt. Frage mit einem, das es hat.",
    ),
)
NOT_YOURS: Final = _kind(
    "not_yours",
    403,
    Text("That is not yours", "Das steht dir nicht zu"),
    Text("{what}", "{what}"),
    Text(
        "Not your seat, not your match: “reason” says why.",
        "Nicht dein Platz, nicht deine Partie: „reason“ sagt, warum.",
    ),
)
WRONG_CODE: Final = _kind(
    "wrong_code",
    403,
    Text("Wrong code", "Falscher Code"),
    Text(
        "No match that you could sit down at has this code.",
        "Zu keiner Partie, an die du dich setzen könntest, gehört dieser Code.",
    ),
    Text(
        "No open match has this code: ask its host for it again.",
        "Keine offene Partie hat diesen Code: Frage noch einmal, wer sie eröffnet hat.",
    ),
)
NOT_FOUND: Final = _kind(
    "not_found",
    404,
    Text("Nothing there", "Hier ist nichts"),
    Text("This server has nothing at this path.", "Unter diesem Pfad hat dieser Server nichts."),
    Text(
        "There is nothing at this path: “/docs” has all paths.", "Unter diesem Pfad ist nichts: „/docs“ hat alle Pfade."
    ),
)
NO_SUCH_MATCH: Final = _kind(
    "no_such_match",
    404,
    Text("No such match", "Diese Partie gibt es nicht"),
    Text("There is no match with this id.", "Es gibt keine Partie mit dieser Kennung."),
    Text(
        "There is no match of this id; the lobby lists those that there are.",
        "Eine Partie mit dieser Kennung gibt es nicht; die Lobby nennt, welche es gibt.",
    ),
)
NOT_IN_THIS_MATCH: Final = _kind(
    "not_in_this_match",
    404,
    Text("The match has no such thing", "Das hat diese Partie nicht"),
    Text("“{field}”: {what}", "„{field}“: {what}"),
    Text(
        "The match has no such seat, or has not come so far; “field” names what stands in the path or is a parameter. "
        "(A seat in a body is refused: “no_such_seat”.)",
        "Diesen Platz hat die Partie nicht, oder so weit ist sie noch nicht; „field“ nennt, was im Pfad steht oder ein "
        "Parameter ist. (Ein Platz in einem Inhalt wird abgelehnt: „no_such_seat“.)",
    ),
)
NO_SUCH_DISPUTE: Final = _kind(
    "no_such_dispute",
    404,
    Text("No such dispute", "Diese Beschwerde gibt es nicht"),
    Text("There is no dispute with this id.", "Es gibt keine Beschwerde mit dieser Kennung."),
    Text("There is no dispute of this id.", "Eine Beschwerde mit dieser Kennung gibt es nicht."),
)
NO_SUCH_GAME: Final = _kind(
    "no_such_game",
    404,
    Text("No such game", "Dieses Spiel gibt es nicht"),
    Text(
        f"There is no game with this id, but: {', '.join(CATALOGUE)}.",
        f"Ein Spiel mit dieser Kennung gibt es nicht, aber: {', '.join(CATALOGUE)}.",
    ),
    Text(
        "There is no game of this id: “GET /v1/games” lists those that there are.",
        "Ein Spiel mit dieser Kennung gibt es nicht: „GET /v1/games“ nennt, welche es gibt.",
    ),
)
NO_SUCH_TOKEN: Final = _kind(
    "no_such_token",
    404,
    Text("No such token", "Dieses Token gibt es nicht"),
    Text("You have no token with this id.", "Du hast kein Token mit dieser Kennung."),
    Text(
        "You have no token of this id: “GET /v1/players/me” lists yours.",
        "Ein Token mit dieser Kennung hast du nicht: „GET /v1/players/me“ nennt deine.",
    ),
)
METHOD_NOT_ALLOWED: Final = _kind(
    "method_not_allowed",
    405,
    Text("Not with this method", "Nicht mit dieser Methode"),
    Text("At this path goes: {allow}.", "Unter diesem Pfad geht: {allow}."),
    Text("Another method goes here: “Allow” names it.", "Hier geht eine andere Methode: „Allow“ nennt sie."),
)
NOT_ACCEPTABLE: Final = _kind(
    "not_acceptable",
    406,
    Text("Not in this form", "Nicht in dieser Form"),
    Text(
        "A stream comes as text/event-stream or as application/x-ndjson.",
        "Ein Strom kommt als text/event-stream oder als application/x-ndjson.",
    ),
    Text(
        "A stream comes as SSE or as NDJSON: ask for one of these.",
        "Ein Strom kommt als SSE oder als NDJSON: Verlange eines davon.",
    ),
)
REFUSED: Final = _kind(
    "refused",
    409,
    Text("The rules say no", "Die Regeln sagen nein"),
    Text("{what}", "{what}"),
    Text(
        "The rules say no; “reason” says why. Look at “actions” again.",
        "Die Regeln sagen nein; „reason“ sagt, warum. Sieh wieder in „actions“ nach.",
    ),
)
NOT_OFFERED: Final = _kind(
    "not_offered",
    409,
    Text("Not on this server, or not now", "Nicht auf diesem Server, oder nicht jetzt"),
    Text("{what}", "{what}"),
    Text(
        "This server does not do that, or not now: “reason” says why.",
        "Das tut dieser Server nicht, oder nicht jetzt: „reason“ sagt, warum.",
    ),
)
BEHIND: Final = _kind(
    "behind",
    412,
    Text("That is not your last frame", "Das ist nicht deine letzte Nachricht"),
    Text(
        "“If-Match” names another frame than your last, which is {seq}. “frames” holds what you have missed; nothing, "
        "where you name one that there is not yet.",
        "„If-Match“ nennt nicht deine letzte Nachricht; die ist {seq}. „frames“ enthält, was du verpasst hast; nichts, "
        "wo du eine nennst, die es noch nicht gibt.",
    ),
    Text(
        "Something has happened since: read “frames”, and decide again.",
        "Inzwischen ist etwas geschehen: Lies „frames“ und entscheide neu.",
    ),
)
TOO_LARGE: Final = _kind(
    "too_large",
    413,
    Text("Too large", "Zu groß"),
    Text("A body has at most {most} bytes.", "Ein Inhalt hat höchstens {most} Bytes."),
    Text(
        "A body has at most 64 kB, if the operator has set nothing else.",
        "Ein Inhalt hat höchstens 64 kB, wenn der Betreiber nichts anderes eingestellt hat.",
    ),
)
UNSUPPORTED_MEDIA_TYPE: Final = _kind(
    "unsupported_media_type",
    415,
    Text("Not JSON", "Kein JSON"),
    Text(
        "Send JSON, and say so: “Content-Type: application/json”.",
        "Sende JSON und sage es dazu: „Content-Type: application/json“.",
    ),
    Text("Send JSON, and say so.", "Sende JSON und sage es dazu."),
)
KEY_REUSED: Final = _kind(
    "key_reused",
    422,
    Text("This key stands for something else", "Dieser Schlüssel steht für etwas anderes"),
    Text(
        "You have used this Idempotency-Key for another request. Take a new key for a new request.",
        "Du hast diesen Idempotency-Key schon für eine andere Anfrage benutzt. Nimm für eine neue einen neuen.",
    ),
    Text(
        "You have used this idempotency key for something else: take a new one.",
        "Diesen Idempotency-Key hast du schon für etwas anderes benutzt: Nimm einen neuen.",
    ),
)
RATE_LIMITED: Final = _kind(
    "rate_limited",
    429,
    Text("Too fast", "Zu schnell"),
    Text(
        "The limit “{policy}” is used up. Try again in {retry_after} s.",
        "Die Grenze „{policy}“ ist ausgeschöpft. Versuche es in {retry_after} s wieder.",
    ),
    Text("Wait for “Retry-After”, then the same again.", "Warte „Retry-After“ ab, dann dasselbe noch einmal."),
)
INTERNAL: Final = _kind(
    "internal",
    500,
    Text("Our mistake", "Unser Fehler"),
    Text(
        "Something went wrong here that should not. With the request's id we can find it.",
        "Hier ist etwas schiefgegangen, was nicht sollte. Mit der Kennung der Anfrage können wir es finden.",
    ),
    Text("Our mistake: report “request_id”.", "Unser Fehler: Melde „request_id“."),
)
BROKEN_LOG: Final = _kind(
    "broken_log",
    500,
    Text("The match's log is broken", "Das Protokoll der Partie ist beschädigt"),
    Text(
        "What is stored of this match is not what was written. Until the one who runs this server has looked at it, "
        "nothing is told of it and nothing happens in it.",
        "Was von dieser Partie gespeichert ist, ist nicht, was geschrieben wurde. Bis der Betreiber dieses Servers es "
        "angesehen hat, wird nichts von ihr gesagt, und nichts geschieht in ihr.",
    ),
    Text(
        "What is stored of the match was changed: nothing is told of it until its operator has looked.",
        "Was von der Partie gespeichert ist, wurde verändert: Bis der Betreiber nachgesehen hat, wird nichts gesagt.",
    ),
)
UNAVAILABLE: Final = _kind(
    "unavailable",
    503,
    Text("Not now", "Gerade nicht"),
    Text(
        "Nothing has happened. Try again in {retry_after} s.",
        "Es ist nichts geschehen. Versuche es in {retry_after} s wieder.",
    ),
    Text(
        "Nothing has happened: the same again after “Retry-After”.",
        "Es ist nichts geschehen: dasselbe noch einmal nach „Retry-After“.",
    ),
)
OUTCOME_UNKNOWN: Final = _kind(
    "outcome_unknown",
    503,
    Text("Nobody knows yet", "Das weiß noch niemand"),
    Text(
        "It may have happened or not. Ask again with the same Idempotency-Key in {retry_after} s.",
        "Vielleicht ist es geschehen, vielleicht nicht. Frage in {retry_after} s mit demselben Idempotency-Key wieder.",
    ),
    Text(
        "It may have happened: the same again, with the same idempotency key.",
        "Vielleicht ist es geschehen: dasselbe noch einmal, mit demselben Idempotency-Key.",
    ),
)
NOT_READY: Final = _kind(
    "not_ready",
    503,
    Text("Not ready", "Nicht bereit"),
    Text("Not well: {what}.", "Nicht in Ordnung: {what}."),
    Text(
        "(Health) This process cannot play now: “checks” says what it lacks.",
        "(Gesundheit) Dieser Prozess kann gerade nicht spielen: „checks“ sagt, was ihm fehlt.",
    ),
)


def bad_parameter(field: str, what: Text) -> Problem:
    """A parameter or a header, by its name, and what of it is wrong."""
    return Problem(BAD_PARAMETER, {"field": field, "what": what}, field=field)


def conflict(first: str, second: str, instead: Text) -> Problem:
    """Two settings that exclude each other; ``instead``: what would do."""
    return Problem(OPTIONS_CONFLICT, {"first": first, "second": second, "what": instead}, options=(first, second))
