"""The rules around any game: who sits, when it starts, when time ran out, when it is over."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from domain.kernel import reasons
from domain.kernel.bot import STANDS_IN
from domain.kernel.chance import Chance, Luck, entropy_of
from domain.kernel.game import HOUSE, Answers, AnyGame, Awaits, Command, HouseAct, HouseNow, Over, Refused, Seat
from domain.match import actions, disputes, events
from domain.match.clock import SANDBOX_START, Clock
from domain.match.reasons import Reason
from domain.match.state import Chair, Dispute, Finished, Lobby, Playing, Revealing, State, Superseded, Void

AnyState: TypeAlias = State[Any]  # of whatever game

REVEAL_TIME: Final = timedelta(seconds=10)
IDLE_ROUNDS: Final = 3  # abandoned when the House has acted for seats this many times the number of seats in a row


def open_match(action: actions.Open) -> tuple[events.Opened]:
    """Event 1 of a log."""
    return (
        events.Opened(
            match=action.match,
            game=action.game,
            rules_version=action.rules_version,
            seats=action.seats,
            options=action.options,
            pace=action.pace,
            leaving=action.leaving,
            fill=action.fill,
            access=action.access,
            sandbox=action.sandbox,
            stacked=bytes(action.deal) != bytes(events.NO_DEAL),
            deal=action.deal,
            seed_commitment=action.seed_commitment,
            host=action.host,
            open_until=action.open_until,
            pause_on_dispute=action.pause_on_dispute,
        ),
    )


def begin(game: AnyGame, opened: events.Opened) -> AnyState:
    """The state after event 1; from a viewer's event as well, which tells no stacked deal."""
    deal = None if game.deal is None else msgspec.json.decode(opened.deal, type=game.deal | None)
    options = msgspec.json.decode(opened.options, type=game.options)
    return State(
        match=opened.match,
        game_id=opened.game,
        rules_version=opened.rules_version,
        pace=opened.pace,
        leaving=opened.leaving,
        fill=opened.fill,
        access=opened.access,
        sandbox=opened.sandbox,
        seed_commitment=opened.seed_commitment,
        host=opened.host,
        chairs=(Chair(),) * opened.seats,
        phase=Lobby(opened.open_until),
        before=game.edition(opened.rules_version).begin(options, opened.pace, opened.seats, deal),
        clock=Clock(hands=SANDBOX_START) if opened.sandbox else Clock(),
        pause_on_dispute=opened.pause_on_dispute,
        branch_of=opened.branch_of,
    )


def decide(game: AnyGame, state: AnyState, command: Command[Any]) -> tuple[Any, ...]:
    """Events of the match and of its game, or Refused."""
    at, action = command.at, command.action
    match state.phase, action:
        case (
            _,
            actions.RaiseDispute() | actions.Assign() | actions.BreakSeal() | actions.Rule() | actions.Resume(),
        ):
            return disputes.decide(game, state, command)
        case Lobby() | Playing() | Revealing(), actions.Sit():
            return _sit(state, action)
        case Playing() | Revealing(), _ if state.paused is not None:
            raise Refused(Reason.MATCH_PAUSED)
        case Lobby() | Playing() | Revealing(), actions.Leave(asked_by, seat):
            return _leave(game, state, asked_by, seat, command)
        case Lobby(), actions.Start(asked_by) if asked_by != state.host:
            raise Refused(Reason.NOT_HOST)
        case Lobby(), actions.Start() if state.fill is None and any(chair.free for chair in state.chairs):
            raise Refused(Reason.SEATS_EMPTY)
        case Lobby(), actions.Start():
            committed = any(chair.commitment for chair in state.chairs)
            filled = (_bot_seated(Seat(n), state.fill) for n, chair in enumerate(state.chairs) if chair.free)
            return (*filled, events.Started(at + REVEAL_TIME if committed else None))
        case Lobby(until), actions.Expire() if at < until:
            raise Refused(reasons.Reason.TOO_EARLY, not_before=until)
        case Lobby(), actions.Expire():
            return (events.Voided("never_started"),)

        case Revealing(), actions.RevealEntropy():
            return (_reveal(state, command),)
        case Revealing(until), actions.SettleEntropy() if at < until and _unrevealed(state):
            raise Refused(reasons.Reason.TOO_EARLY, not_before=until)
        case Revealing(), actions.SettleEntropy():
            revealed = (bytes.fromhex(chair.entropy) for chair in state.chairs if chair.entropy is not None)
            return (events.EntropySettled(entropy_of(revealed).hex(), _unrevealed(state)),)

        case _, actions.TurnClock() if not state.sandbox:
            raise Refused(Reason.NOT_SANDBOX)
        case _, actions.TurnClock(asked_by) if asked_by != state.host:
            raise Refused(Reason.NOT_HOST)
        case Lobby() | Revealing() | Playing(), actions.TurnClock(_, advance_ms):
            return (events.ClockTurned(at + timedelta(milliseconds=advance_ms)),)
        case Revealing() | Playing(), actions.StandStill(began, ended):
            return (events.StoodStill(began, ended, "outage"),)

        case Playing(), actions.End(seed) if isinstance(over := game.awaits(state.game), Over):
            return events.Ended(over.winners, over.scores, "won"), events.SeedRevealed(seed)
        case Playing(), actions.End(seed) if state.idle >= IDLE_ROUNDS * len(state.chairs):
            return events.Ended((), (), "abandoned"), events.SeedRevealed(seed)
        case Playing(), actions.ActFor(seat, acted):
            return (events.TimedOut(seat), *game.decide(state.game, Command(HOUSE, at, acted)))
        case Playing(), game_action if not isinstance(game_action, _MATCH_ACTIONS):
            return game.decide(state.game, command)

        case Lobby(), actions.RevealEntropy():
            raise Refused(Reason.NOT_STARTED)
        case Lobby(), game_action if not isinstance(game_action, _MATCH_ACTIONS):
            raise Refused(Reason.NOT_STARTED)
        case Superseded(), _:
            raise Refused(Reason.SUPERSEDED)
        case Finished() | Void(), _:
            raise Refused(Reason.MATCH_OVER)
        case _, actions.Start():
            raise Refused(Reason.NOT_OPEN)
        case _:
            raise Refused(reasons.Reason.NOT_NOW)


_MATCH_ACTIONS: Final = (
    actions.RevealEntropy,
    actions.Open,
    actions.Sit,
    actions.Leave,
    actions.Start,
    actions.TurnClock,
    actions.StandStill,
    actions.SettleEntropy,
    actions.ActFor,
    actions.End,
    actions.Expire,
    actions.OfDisputes,
)


def _sit(state: AnyState, action: actions.Sit) -> tuple[events.Event, ...]:
    chairs = state.chairs
    if action.bot is not None and action.asked_by != state.host:
        raise Refused(Reason.NOT_HOST)
    if action.player is not None and state.seat_of(action.player) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    old = next((n for n, c in enumerate(chairs) if action.player is not None and c.held_by == action.player), None)
    seat = action.seat
    if old is not None and not isinstance(state.phase, Lobby):
        if seat not in (None, old):
            raise Refused(Reason.ONLY_YOUR_OLD_SEAT)
        if chairs[old].gone:
            raise Refused(Reason.SEAT_GONE)
        return (_seated(Seat(old), action),)
    if not isinstance(state.phase, Lobby):
        raise Refused(Reason.NOT_OPEN)
    if seat is not None and not 0 <= seat < len(chairs):
        raise Refused(Reason.NO_SUCH_SEAT)
    if seat is not None and not chairs[seat].free:
        raise Refused(Reason.SEAT_TAKEN)
    if seat is None:
        seat = next((Seat(n) for n, chair in enumerate(chairs) if chair.free), None)
    if seat is None:
        raise Refused(Reason.NO_SEAT_FREE)
    return (_seated(seat, action),)


def _seated(seat: Seat, action: actions.Sit) -> events.Seated:
    return events.Seated(
        seat=seat,
        player=action.player,
        bot=action.bot,
        name_digest=action.name_digest,
        entropy_commitment=action.entropy_commitment,
    )


def _bot_seated(seat: Seat, kind: str | None) -> events.Seated:
    return events.Seated(seat=seat, player=None, bot=kind, name_digest=None, entropy_commitment=None)


def _leave(game: AnyGame, state: AnyState, asked_by: str, seat: Seat, command: Command[Any]) -> tuple[Any, ...]:
    if not 0 <= seat < len(state.chairs):
        raise Refused(Reason.NO_SUCH_SEAT)
    chair = state.chairs[seat]
    lobby = isinstance(state.phase, Lobby)
    if chair.player != asked_by and not (lobby and chair.bot is not None and asked_by == state.host):
        raise Refused(Reason.NOT_YOUR_SEAT)
    if lobby:
        left: tuple[Any, ...] = (events.Left(seat=seat, bot=None),)
        heir = next((c.player for n, c in enumerate(state.chairs) if c.player is not None and n != seat), None)
        return (*left, events.HostChanged(heir)) if asked_by == state.host == chair.player and heir else left
    if state.leaving == "bot":
        return (events.Left(seat=seat, bot=state.fill or STANDS_IN),)
    if isinstance(state.phase, Revealing):
        raise Refused(reasons.Reason.NOT_NOW, not_before=state.phase.until)
    vacated = game.decide(state.game, Command(HOUSE, command.at, game.vacate(seat)))
    return (events.Left(seat=seat, bot=None), *vacated)


def _unrevealed(state: AnyState) -> tuple[Seat, ...]:
    return tuple(Seat(n) for n, chair in enumerate(state.chairs) if chair.commitment and chair.entropy is None)


def _reveal(state: AnyState, command: Command[actions.RevealEntropy]) -> events.EntropyRevealed:
    chair, entropy = state.chairs[command.by], command.action.entropy
    assert isinstance(state.phase, Revealing)
    if chair.commitment is None:
        raise Refused(Reason.NOTHING_COMMITTED)
    if chair.entropy is not None:
        raise Refused(Reason.ALREADY_REVEALED)
    if command.at >= state.phase.until:
        raise Refused(reasons.Reason.TOO_LATE, closes_at=state.phase.until)
    if hashlib.sha256(bytes.fromhex(entropy)).hexdigest() != chair.commitment:
        raise Refused(Reason.WRONG_ENTROPY)
    return events.EntropyRevealed(command.by, entropy)


def evolve(game: AnyGame, state: AnyState | None, event: Any) -> AnyState:
    """Only copies what the event says; whatever is not of the match is the game's. Before event 1 there is None."""
    if state is None:
        assert isinstance(event, events.Opened)
        return begin(game, event)
    if type(event) not in events.KINDS:
        return replace(state, game=game.evolve(state.game, event))
    kind: events.Event = event
    match kind:
        case events.Opened():
            raise ValueError("a match opens once")
        case events.Seated():
            chair = state.chairs[kind.seat]
            return _with_chair(
                state if kind.player is None else replace(state, sat=state.sat | {kind.player}),
                kind.seat,
                replace(
                    chair,
                    player=kind.player,
                    bot=kind.bot,
                    held_by=kind.player or chair.held_by,
                    commitment=kind.entropy_commitment or chair.commitment,
                ),
            )
        case events.Left(seat=seat, bot=bot):
            if isinstance(state.phase, Lobby):
                return _with_chair(state, seat, Chair())
            return _with_chair(state, seat, replace(state.chairs[seat], player=None, bot=bot, gone=bot is None))
        case events.HostChanged(host):
            return replace(state, host=host)
        case events.Started(None):
            return replace(state, phase=Playing(), game=state.before)
        case events.Started(until):
            assert until is not None
            return replace(state, phase=Revealing(until))
        case events.EntropyRevealed(seat, entropy):
            return _with_chair(state, seat, replace(state.chairs[seat], entropy=entropy))
        case events.EntropySettled(digest):
            return replace(state, phase=Playing(), game=state.before, entropy=bytes.fromhex(digest))
        case events.StoodStill(began, ended):
            return replace(state, clock=state.clock.stand_still(began, ended), paused=None)
        case events.ClockTurned(now):
            return replace(state, clock=replace(state.clock, hands=now))
        case events.TimedOut():
            return state
        case events.Ended(winners, scores, reason):
            return replace(state, phase=Finished(winners, scores, reason))
        case events.SeedRevealed(seed):
            assert isinstance(state.phase, Finished | Void)
            return replace(state, phase=replace(state.phase, seed=seed))
        case events.Voided(reason):
            return replace(state, phase=Void(reason, state.published))
        case events.DisputeRaised(dispute=dispute, seat=seat, seq=seq, reason=reason):
            raised = Dispute(dispute, seat, seq, reason)
            state = replace(state, disputes=(*state.disputes, raised))
            if seat is None:
                return replace(state, house_raised=True)
            return _with_chair(state, seat, replace(state.chairs[seat], raised=state.chairs[seat].raised + 1))
        case events.Paused(began, reason):
            return replace(state, clock=state.clock.pause(began), paused=reason)
        case events.RefereeAssigned(dispute, referee):
            assigned = (replace(d, referee=referee) if d.dispute == dispute else d for d in state.disputes)
            return replace(state, disputes=tuple(assigned), referees=_with(state.referees, referee))
        case events.SealBroken(by=by):
            return replace(state, seal_broken_by=_with(state.seal_broken_by, by))
        case events.Ruled(dispute=dispute):
            return replace(state, disputes=tuple(d for d in state.disputes if d.dispute != dispute))
        case events.Superseded(branch):
            return replace(state, phase=Superseded(branch, state.published))
        case events.Branched(referee=referee, began=began):
            clock = state.clock.pause(began)
            return replace(
                state, clock=clock, paused="branch", disputes=(), referees=_with(state.referees, referee), idle=0
            )
        case _:
            assert_never(kind)


def step(game: AnyGame, state: AnyState | None, by: Seat, event: Any, at: datetime | None = None) -> AnyState:
    """evolve, for whoever also knows who acted, and when: the log. Remembers when the match was over, and counts how
    often in a row the House stood in for a seat: what not everybody hears of interrupts no row, or its end would tell.
    """
    after = evolve(game, state, event)
    if isinstance(event, events.Ended | events.Voided):
        return replace(after, over_at=after.over_at or at)
    if isinstance(event, events.TimedOut):
        return replace(after, idle=after.idle + 1)
    played = by != HOUSE and type(event) not in events.KINDS and not game.unheard(event)
    return replace(after, idle=0) if played and after.idle else after


def _with(known: tuple[str, ...], one: str) -> tuple[str, ...]:
    return known if one in known else (*known, one)


def _with_chair(state: AnyState, seat: Seat, chair: Chair) -> AnyState:
    return replace(state, chairs=(*state.chairs[:seat], chair, *state.chairs[seat + 1 :]))


def awaits(game: AnyGame, state: AnyState) -> Awaits:
    """While the clock stands, the House owes nothing at once; times are match time, and do not come nearer."""
    awaited = _awaits(game, state)
    return Answers((), None) if state.paused is not None and isinstance(awaited, HouseNow) else awaited


def _awaits(game: AnyGame, state: AnyState) -> Awaits:
    match state.phase:
        case Lobby(until):
            return Answers((), until)
        case Revealing(until):
            waiting = _unrevealed(state)
            return Answers(waiting, until) if waiting else HouseNow()
        case Playing():
            awaited = game.awaits(state.game)
            idle = state.idle >= IDLE_ROUNDS * len(state.chairs)
            return HouseNow() if idle or isinstance(awaited, Over) else awaited
        case Finished(winners, scores):
            return Over(winners, scores)
        case Void() | Superseded():
            return Over((), ())
        case _:
            assert_never(state.phase)


def chance(state: AnyState, seed: bytes) -> Chance:
    """The luck of the match, as far as it is settled."""
    return Chance(seed, state.match, state.entropy)


def house(game: AnyGame, state: AnyState, seed: bytes, luck: Luck | None = None) -> Any | None:
    """The action that the House takes now, or at the deadline. None: nothing ever again. ``luck``: what it draws from;
    None: what the seed gives."""
    match state.phase:
        case Lobby():
            return actions.Expire()
        case Revealing():
            return actions.SettleEntropy()
        case Playing():
            awaited = game.awaits(state.game)
            if isinstance(awaited, Over) or state.idle >= IDLE_ROUNDS * len(state.chairs):
                return actions.End(seed.hex())
            act: HouseAct[Any] = game.house(state.game, luck or chance(state, seed))
            return act.action if act.for_seat is None else actions.ActFor(act.for_seat, act.action)
        case Finished() | Void() | Superseded():
            return None
        case _:
            assert_never(state.phase)
