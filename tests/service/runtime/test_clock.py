"""The wall clock of a process, held against another's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from service.runtime.clock import QUICK, WallClock
from service.runtime.pulse import Pulse
from service.store.rows import Outage

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def stopped() -> WallClock:
    return WallClock(NOON.timestamp)


def test_half_of_a_quick_way_is_assumed() -> None:
    clock = stopped()

    assert clock.discipline(NOON + SECOND, NOON, NOON + QUICK)
    assert clock.now() == NOON + SECOND - QUICK / 2


def test_a_slow_answer_that_fits_moves_nothing() -> None:
    clock = stopped()

    assert not clock.discipline(NOON + timedelta(milliseconds=1), NOON, NOON + 4 * SECOND)
    assert not clock.discipline(NOON + 4 * SECOND, NOON, NOON + 4 * SECOND)
    assert clock.now() == NOON


def test_a_slow_answer_that_cannot_be_moves_the_clock_as_far_as_is_certain() -> None:
    ahead, behind = stopped(), stopped()

    assert not ahead.discipline(NOON - 10 * SECOND, NOON, NOON + 4 * SECOND)
    assert not behind.discipline(NOON + 10 * SECOND, NOON, NOON + 4 * SECOND)

    assert ahead.now() == NOON - 10 * SECOND
    assert behind.now() == NOON + 6 * SECOND


async def test_after_a_slow_beat_the_next_one_measures() -> None:
    ticks, way = [0.0], [4.0, 0.0]
    clock = WallClock(lambda: NOON.timestamp() + ticks[0])

    async def beat(since: datetime | None) -> tuple[datetime, list[Outage]]:
        theirs = NOON + timedelta(seconds=ticks[0] + 0.25)  # their clock is ahead by so much
        ticks[0] += way.pop(0)
        return theirs, []

    pulse = Pulse(beat, clock, lambda: ticks[0])
    await pulse.beat()
    assert clock.now() == NOON + 4 * SECOND
    await pulse.beat()
    assert clock.now() == NOON + timedelta(seconds=4.25)


async def test_how_long_a_match_stood_still_does_not_tell_when_somebody_last_did_something() -> None:
    outage = Outage(NOON, NOON + 3 * SECOND)

    async def beat(since: datetime | None) -> tuple[datetime, list[Outage]]:
        return outage.ended, [outage]

    pulse = Pulse(beat, WallClock(outage.ended.timestamp))
    await pulse.beat()

    for last in (NOON - SECOND, NOON + SECOND, NOON + 2 * SECOND):
        assert pulse.missed_by(last) == [outage]
    assert pulse.missed_by(outage.ended) == []
