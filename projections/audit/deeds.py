"""A match played again: what seats asked stands in the attempts, what the House did follows from seed and entropy.

Nothing that happened is believed but, before the seed is published, what luck gave. From the state before, and what was
asked or due, the rules say what happens next, by whom and when; what the transcript says is compared with that, byte
for byte.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain import history
from domain.kernel.chance import entropy_of
from domain.kernel.game import HOUSE, Answers, BadDeal, Command, HouseNow, OptionsConflict, Refused, Seat
from domain.kernel.hindsight import Hindsight
from domain.match import actions, decider, events
from domain.match.branching import branched
from domain.match.clock import SANDBOX_START
from domain.match.decider import AnyState
from domain.match.disputes import OFFICIAL
from domain.match.envelope import Envelope, command_of, encode
from domain.match.state import Lobby
from projections.audit.asked import ASKED, asked, asks_as
from projections.audit.fault import LED_ASTRAY, Fault, Part, difference
from projections.evidence import Record
from projections.views.seam import AnyView

MILLISECOND: Final = timedelta(milliseconds=1)
OPENING: Final = frozenset(actions.Open.__struct_fields__)


Expected = tuple[Any, Seat, datetime, datetime | None, Part]  # event, by, at, received_at (None: any), if it is not so


class _Received(Struct, frozen=True):
    """All of an envelope that the rules cannot know, of some commands."""

    received_at: datetime


_received: Final = msgspec.json.Decoder(_Received).decode


class Deeds:
    """Attempts and events in the order of a complete transcript. ``seed``: None as long as it is not published. Raises
    Fault."""

    def __init__(self, view: AnyView, match: str, seed: bytes | None) -> None:
        self._game: Final = view.game
        self._match: Final = match
        self._seed: Final = seed
        self._tried: Final = _attempts(view)
        self.state: AnyState | None = None
        self.version = 0
        self._last_at: datetime | None = None
        self._last_received: datetime | None = None
        self._queue: deque[Expected] = deque()
        self._owed = False  # the House owes the table an act, in the same append
        self._copied = False  # in a branch: what happened in the other match, whose own transcript proves it
        self._if_started: tuple[Expected, ...] = ()  # what follows if the command was to start, and not to send one bot
        # of the present append
        self._command = ""
        self._fresh = False
        self._acted = False
        self._at: datetime | None = None
        self._received: datetime | None = None
        self._due_at: datetime | None = None
        self._turned = False

    @property
    def entropy(self) -> bytes:
        return entropy_of(()) if self.state is None else self.state.entropy

    def attempt(self, text: str) -> None:
        """An attempt's record, whose place in its seat's chain is checked already."""
        if self._copied:
            self._fault(Part.ATTEMPTS, "nobody can have tried anything before the branch began")
        try:
            tried: Record = self._tried(text)
        except msgspec.MsgspecError as why:
            self._fault(Part.ATTEMPTS, f"the record is none of this game: {why}")
        self._all_happened()
        self._if_started = ()
        if tried.version > self.version:
            raise Fault(self.version + 1, Part.LOG, f"it is missing: an attempt met version {tried.version}")
        if tried.version < self.version:
            self._fault(Part.ATTEMPTS, f"it met version {tried.version} and stands behind version {self.version}")
        match tried.outcome:
            case "accepted":
                self._accepted(tried)
            case "refused":
                self._refused(tried)
            case "uncounted":
                pass
            case _:
                self._fault(Part.ATTEMPTS, f"there is no outcome {tried.outcome!r}")

    def _accepted(self, tried: Record) -> None:
        if tried.command != self._command:
            self._begin(tried.command)
        elif self._acted and not self._turned:
            self._fault(Part.RULES, "one command cannot do two deeds")
        if self._turned and tried.received_at != self._received:
            self._fault(Part.TIME, "it was done in the same append and received at another time")
        self._received = tried.received_at
        at = self._dated(tried.received_at)
        self._do(tried.seat, at, tried.action, tried.received_at, Part.RULES)
        if not self._queue:
            self._owes()

    def _refused(self, tried: Record) -> None:
        state = self._open()
        try:
            decider.decide(self._game, state, Command(tried.seat, self._dated(tried.received_at), tried.action))
        except Refused as no:
            if str(no.reason) != tried.reason:
                self._fault(Part.RULES, f"refused was {tried.reason}, by the rules it is {no.reason}")
        else:
            self._fault(Part.RULES, f"refused ({tried.reason}) was what the rules allow")

    def event(self, command: str, salt: bytes, text: str) -> tuple[Any, datetime]:
        """The next event, as today's type, and its time."""
        if command != self._command:
            self._all_happened()
            self._begin(command)
        if self._fresh:
            if command != _id(command_of(salt)):
                raise Fault(self.version + 1, Part.LOG, "its command is not the one that its salt names")
            self._fresh = False
        if not self._queue:
            self._queue.extend(self._if_started)
        self._if_started = ()
        if self._owed:
            self._settle(text)
        if not self._queue:
            self._unasked(text)
        event, by, at, received_at, part = self._queue.popleft()
        if received_at is None:
            received_at = self._some_time(text)
        version = self.version + 1
        if isinstance(event, events.SeedRevealed) and self._seed is None:
            raise Fault(version, Part.LUCK, "the seed is published here, and is not in the header")
        rules = event.rules_version if self.state is None else self.state.rules_version
        shape = history.shaped(self._game, rules, event) if self._game.old else event
        expected = encode(Envelope(self._match, version, at, received_at, by, shape))
        if expected != text.encode():
            self._differs(text, expected, part)
        self.state = decider.step(self._game, self.state, by, event, at)
        self.version, self._last_at = version, at
        if self._last_received is None or received_at > self._last_received:
            self._last_received = received_at
        if isinstance(event, events.Branched) and event.of == self.state.branch_of:
            self._copied = False
        if not self._queue and not self._copied and not self._if_started:
            self._owes()
        return event, at

    def end(self) -> None:
        """Nothing comes any more."""
        if self._copied:
            raise Fault(self.version + 1, Part.FORM, "the branch never began")
        self._all_happened()

    def _begin(self, command: str) -> None:
        self._command, self._fresh, self._acted, self._turned = command, True, False, False
        self._received, self._due_at, self._if_started = None, None, ()

    def _all_happened(self) -> None:
        """Before the next append: nothing is missing in the one before."""
        if self._owed:
            self._settle(None)
        if self._queue:
            event, by, _, _, part = self._queue[0]
            what = f"here {_tag(event)} should follow, by {_who(by)}"
            raise Fault(self.version + 1, part, what)

    def _do(self, by: Seat, at: datetime, action: Any, received_at: datetime | None, part: Part) -> None:
        """What the rules make of it is what must come next."""
        try:
            happened = decider.decide(self._game, self._open(), Command(by, at, action))
        except Refused as no:
            what = f"{_who(by)} may not do this here ({type(action).__name__}): {no.reason}"
            raise Fault(self.version + 1, Part.RULES, what) from None
        self._expect(happened, by, at, received_at, part)

    def _expect(
        self, happened: Iterable[Any], by: Seat, at: datetime, received_at: datetime | None, part: Part
    ) -> None:
        self._queue.extend((event, by, at, received_at, part) for event in happened)
        self._acted, self._at = True, at

    def _owes(self) -> None:
        self._owed = self.state is not None and isinstance(decider.awaits(self._game, self.state), HouseNow)

    def _settle(self, text: str | None) -> None:
        """What the House owes the table now is in the same append. ``text``: what follows; None: nothing does."""
        state, self._owed = self._open(), False
        assert self._at is not None
        happened = None if text is None or self._seed is not None else self._read(text).event
        self._do(HOUSE, self._at, self._act(state, happened), self._received, Part.LUCK)
        if not self._queue:
            raise Fault(self.version + 1, Part.RULES, "the House owes an act that does nothing")

    def _act(self, state: AnyState, happened: Any) -> Any:
        """What the House does; ``happened``: what it did, by the transcript, or None."""
        if self._seed is not None:
            return decider.house(self._game, state, self._seed)
        return decider.house(self._game, state, b"", Hindsight(self._drawn(state, happened)))

    def _drawn(self, state: AnyState, happened: Any) -> Sequence[object]:
        try:
            return () if happened is None or state.game is None else self._game.drawn(state.game, happened)
        except LED_ASTRAY:
            return ()  # that cannot have happened, which is found when it is compared

    def _read(self, text: str) -> Envelope:
        try:
            return history.read(self._game, text)
        except msgspec.MsgspecError as why:
            raise Fault(self.version + 1, Part.FORM, f"it is no event of this game: {why}") from None

    def _unasked(self, text: str) -> None:
        """What of a player's words is not kept among the attempts stands in the event itself."""
        envelope = self._read(text)
        event, received_at = envelope.event, envelope.received_at
        if self.state is None:
            return self._opened(event, received_at)
        state = self.state
        if self._copied:
            return self._branched(envelope)
        if isinstance(event, events.StoodStill) and event.reason == "outage" and not self._acted:
            return self._stood_still(event)
        if isinstance(event, ASKED) and (not self._acted or (self.version == 1 and received_at == self._received)):
            self._received = received_at
            return self._asked(event, self._dated(received_at), state, received_at)
        return self._due(event, state)

    def _opened(self, event: Any, received_at: datetime) -> None:
        if not isinstance(event, events.Opened):
            raise Fault(1, Part.RULES, "a match begins with match.opened")
        game = self._game
        try:
            state = decider.begin(game, event)
            options = msgspec.json.decode(event.options, type=game.options)
            game.check(options)
            today = event.rules_version == game.rules_version
            if game.deal is not None and event.deal != events.NO_DEAL and today:
                game.check_deal(options, event.seats, msgspec.json.decode(event.deal, type=game.deal))
        except (msgspec.MsgspecError, OptionsConflict, BadDeal) as why:
            raise Fault(1, Part.RULES, f"no match can be opened so: {why}") from None
        fewest, most = game.seats
        if not fewest <= event.seats <= most or (event.stacked and not event.sandbox):
            raise Fault(1, Part.RULES, "no match can be opened so")
        opening = {name: value for name, value in msgspec.structs.asdict(event).items() if name in OPENING}
        (opened,) = decider.open_match(actions.Open(**opening))
        if event.branch_of is not None:
            opened = replace(opened, branch_of=event.branch_of, stacked=event.stacked)
            self._copied = True
        self._received = received_at
        self._expect(
            (opened,),
            HOUSE,
            state.clock.match_time(received_at),
            received_at,
            Part.RULES,
        )

    def _branched(self, envelope: Envelope) -> None:
        """Of a branch, what was copied into it, and where it begins: from what the transcript itself says of that."""
        event, at, state = envelope.event, envelope.at, self._open()
        if self._last_at is None or at < self._last_at:
            raise Fault(self.version + 1, Part.TIME, "time went back")
        by = envelope.by
        if isinstance(event, events.Branched) and event.of == state.branch_of:
            by, at = OFFICIAL, self._last_at
            event = branched(state, of=event.of, log_head=event.log_head or "", referee=event.referee, at=at)
        self._expect((event,), by, at, envelope.received_at, Part.RULES)

    def _stood_still(self, event: events.StoodStill) -> None:
        """Before anything else in an append. What was received while it began keeps its time, as match time never goes
        back; nothing was received at its end."""
        state = self._open()
        began, ended = event.began, event.ended
        if state.sandbox or ended <= began or (self._last_received and ended <= self._last_received):
            raise Fault(self.version + 1, Part.TIME, "the match cannot have stood still then")
        self._do(HOUSE, self._dated(began), actions.StandStill(began, ended), ended, Part.TIME)
        self._acted = False

    def _asked(self, event: events.Event, at: datetime, state: AnyState, received_at: datetime) -> None:
        if isinstance(event, events.ClockTurned):
            return self._clock_turned(event.now, at, state, received_at)
        if isinstance(event, events.Seated) and event.player is None:
            if event.bot not in self._game.bots:
                raise Fault(self.version + 1, Part.RULES, f"there is no bot {event.bot!r}")
            self._if_started = self._filled(event, at, state, received_at)
        found = asked(event, state, received_at, "" if self._seed is None else self._seed.hex())
        if found is None:
            raise Fault(self.version + 1, Part.RULES, f"nobody asked for this ({_tag(event)})")
        by, action = found
        return self._do(by, at, action, received_at, Part.RULES)

    def _filled(
        self, event: events.Seated, at: datetime, state: AnyState, received_at: datetime
    ) -> tuple[Expected, ...]:
        """The host sends one bot, or it is the first of those who fill the table at the start, and then follows this:
        the next event tells."""
        if not isinstance(state.phase, Lobby) or state.fill != event.bot:
            return ()
        self._do(asks_as(state, state.host), at, actions.Start(state.host), received_at, Part.RULES)
        first, *rest = self._queue
        self._queue.clear()
        return tuple(rest) if first[0] == event else ()

    def _clock_turned(self, now: datetime, at: datetime, state: AnyState, received_at: datetime) -> None:
        """To the next deadline at most, rounded up to a millisecond."""
        awaited = decider.awaits(self._game, state)
        advance = -(-(now - at) // MILLISECOND)
        if isinstance(awaited, Answers) and awaited.until is not None:
            left = max(awaited.until - self._dated(SANDBOX_START), timedelta())
            if advance > -(-left // MILLISECOND):
                raise Fault(self.version + 1, Part.TIME, "the clock was turned over a deadline")
        self._do(asks_as(state, state.host), at, actions.TurnClock(state.host, advance), received_at, Part.RULES)
        self._turned = True

    def _due(self, event: Any, state: AnyState) -> None:
        """Nobody asked for it, so it must be the House's, at its deadline and dated then."""
        awaited = decider.awaits(self._game, state)
        until = awaited.until if isinstance(awaited, Answers) else None
        if until is None or (self._acted and not self._turned):
            raise Fault(self.version + 1, Part.RULES, f"nobody asked for this ({_tag(event)})")
        received_at = state.clock.wall_time(until)
        if received_at is None:
            if not self._turned or until > self._dated(SANDBOX_START):
                raise Fault(self.version + 1, Part.TIME, "the House acts before its time")
            received_at = self._received
        at = until if self._last_at is None else max(until, self._last_at)
        action = self._act(state, event)
        self._do(HOUSE, at, action, received_at, Part.LUCK)
        if not self._turned:
            self._due_at, self._received = received_at, None  # what it does at once has the time when it got to it

    def _some_time(self, text: str) -> datetime:
        """When the House got to its deadline: never before it; the same for all of an append."""
        try:
            received_at = _received(text).received_at
        except msgspec.MsgspecError as why:
            raise Fault(self.version + 1, Part.FORM, f"the envelope is none: {why}") from None
        if self._due_at is not None and received_at < self._due_at:
            raise Fault(self.version + 1, Part.TIME, "the House acts before its time")
        self._received = received_at
        self._queue = deque((event, by, at, then or received_at, part) for event, by, at, then, part in self._queue)
        return received_at

    def _open(self) -> AnyState:
        if self.state is None:
            self._fault(Part.RULES, "the match is not open yet")
        return self.state

    def _dated(self, received_at: datetime) -> datetime:
        at = self._open().clock.match_time(received_at)
        return at if self._last_at is None else max(at, self._last_at)

    def _differs(self, text: str, expected: bytes, part: Part) -> NoReturn:
        what = difference(text, expected)
        if what.startswith(("/at ", "/received_at ")):
            part = Part.TIME
        elif what.startswith(("/match ", "/version ")):
            part = Part.LOG
        raise Fault(self.version + 1, part, what)

    def _fault(self, part: Part, what: str) -> NoReturn:
        raise Fault(self.version, part, what)


def _attempts(view: AnyView) -> Callable[[str], Any]:
    """A record with its action as the game's own type, or the match's."""
    action = view.game.player_action | actions.PlayerAction | None
    typed = msgspec.defstruct("TypedRecord", [("action", action, None)], bases=(Record,), frozen=True)
    return msgspec.json.Decoder(typed).decode


def _tag(event: Any) -> str:
    return str(event.__struct_config__.tag)


def _who(seat: Seat) -> str:
    return {HOUSE: "the House", OFFICIAL: "a referee"}.get(seat, f"seat {seat}")


def _id(command: bytes) -> str:
    text = command.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
