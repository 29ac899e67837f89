"""All of a match that goes on, without its seed, for whoever broke its seal: it holds, and the rest goes on from it."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from projections.audit import transcript
from projections.audit.earlier import earlier
from projections.audit.fault import Fault, Part
from projections.audit.kept import NothingKept, kept
from projections.audit.verify import Verifier, verify
from projections.catalogue import CATALOGUE
from service.runtime.book import Book
from tests.audit.forger import change, change_attempt, event_of, find, rehash
from tests.audit.paper import Kept, Paper, short, stories
from tests.games import KNOWN

SOME = range(4)
games = pytest.mark.parametrize("game", CATALOGUE)
some = pytest.mark.parametrize("number", SOME)


def paper(game: str, number: int = 1) -> Paper:
    return Paper(replace(list(stories(game, number + 1))[number], options=short(game)))


def on_the_way(match: Paper, luck: random.Random, many: int) -> list[Book]:
    going_on = running(match)
    some = luck.sample(going_on, min(many, len(going_on)))
    return [going_on[0], *sorted(some, key=lambda book: book.version), going_on[-1]]


def running(match: Paper) -> list[Book]:
    return [book for book in match.books if book.open_state().status == "playing"]


@games
@some
def test_as_far_as_it_has_come_it_is_found_whole(game: str, number: int) -> None:
    match = paper(game, number)
    for book in on_the_way(match, random.Random(number), 6):
        lines = match.so_far(book)
        found = verify(lines)

        assert (found.status, found.events) == (book.open_state().status, book.version)
        assert (found.so_far, found.played, found.told, found.drawn) == (True, True, True, False)
        assert found.attempts == sum(1 for line in lines if line.startswith(b'{"line":"attempt"'))
        assert match.seed.hex().encode() not in b"".join(lines)
        assert verify(lines, chain_only=True).events == book.version
        assert match.so_far(book) == lines


@games
def test_the_rest_goes_on_from_it(game: str) -> None:
    match = paper(game)
    first, *_, last = (match.so_far(book) for book in on_the_way(match, random.Random(game), 2))

    for later in (last, match.lines()):
        assert verify(later, kept=earlier(first, str(match.match))).kept == verify(first).events
    with pytest.raises(Fault) as found:
        verify(first, kept=earlier(last, str(match.match)))
    assert found.value.part is Part.KEPT


@games
def test_what_each_viewer_was_told_lies_in_it(game: str) -> None:
    match = paper(game)
    book = on_the_way(match, random.Random(game), 1)[1]
    for viewer in range(match.story.seats + 1):
        told = match.told(viewer, book)
        assert verify(match.so_far(book), kept=kept(told)).kept == book.sights[viewer].seq


@games
def test_a_byte_that_is_changed_is_found(game: str) -> None:
    match, luck = paper(game), random.Random(game)
    lines = match.so_far(on_the_way(match, luck, 1)[1])
    for _ in range(60):
        place = luck.randrange(1, len(lines))
        line = bytearray(lines[place])
        at = luck.randrange(len(line) - 1)
        line[at] = luck.choice([byte for byte in b"0af7,x" if byte != line[at]])
        with pytest.raises(Fault):
            verify([*lines[:place], bytes(line), *lines[place + 1 :]])


# ── what luck could not have given ──────────────────────────────────────────


def fed(log: Kept, upto: int) -> None:
    """What was changed, and all chains made to fit again, without the seed, up to a version."""
    rehash(log)
    verifier = Verifier()
    header, *lines = log.lines()
    opened = transcript.read(header)
    assert isinstance(opened, transcript.Header)
    verifier.feed(transcript.write(replace(opened, seed=None)))
    for line in lines:
        if verifier.version < upto:
            verifier.feed(line)


def fault(log: Kept, upto: int) -> Fault:
    with pytest.raises(Fault) as found:
        fed(log, upto)
    return found.value


def twice(hands: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Somebody has the very hand of somebody else."""
    first, second, *others = hands
    assert len(first) == len(second)
    return (first, first, *others)


IMPOSSIBLE: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a hand is dealt twice in cheat": ("cheat", lambda it: replace(it, hands=twice(it.hands))),
    "other packs are dealt in cheat": ("cheat", lambda it: replace(it, packs=it.packs + 1)),
    "a card more is dealt in cheat": ("cheat", lambda it: replace(it, hands=(it.hands[0][1:], *it.hands[1:]))),
    "a hand is dealt twice in the family": ("family-mogeln", lambda it: replace(it, hands=twice(it.hands))),
    "a hand is dealt twice in mogelei": ("mogelei", lambda it: replace(it, hands=twice(it.hands))),
    "a hand is dealt twice in mogler": ("mogler", lambda it: replace(it, hands=twice(it.hands))),
    "a die more is thrown": ("liars-dice", lambda it: replace(it, dice=(*it.dice, "6"))),
    "a die less is thrown": ("liars-dice", lambda it: replace(it, dice=it.dice[1:])),
    "a hand less is dealt in cheat": ("cheat", lambda it: replace(it, hands=it.hands[1:])),
    "a die is thrown that is none": ("liars-dice", lambda it: replace(it, dice=("x", *it.dice[1:]))),
    "nobody has thrown so": ("monopoly-cheaters", lambda it: replace(it, dice=(it.dice[0], 7))),
    "a double is none": ("monopoly-cheaters", lambda it: replace(it, double=not it.double)),
}


@pytest.mark.parametrize("game, forge", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_no_luck_gives_is_found_without_the_seed(game: str, forge: Callable[[Any], Any]) -> None:
    log = paper(game).log
    version = find(log, KNOWN[game].lucky)
    change(log, version, forge(event_of(log, version)))

    found = fault(log, version)
    assert (found.version, found.part) == (version, Part.LUCK)
    assert found.what.startswith("/event/")


def test_of_every_game_something_is_tried_that_no_luck_gives() -> None:
    assert {game for game, _ in IMPOSSIBLE.values()} == CATALOGUE.keys()


def test_a_card_that_is_not_in_the_deck_cannot_be_drawn() -> None:
    log = paper("monopoly-cheaters").log
    version = find(log, "monopoly_cheaters.card_drawn")
    drawn = event_of(log, version)
    other = find(log, "monopoly_cheaters.card_drawn", version)
    change(log, other, replace(event_of(log, other), deck=drawn.deck, card=drawn.card))

    found = fault(log, other)
    assert (found.version, found.part) == (other, Part.LUCK)


def test_what_the_rules_cannot_take_is_found_where_it_stands() -> None:
    """A moment in no time zone, which can be compared with none."""
    log = paper("cheat", 4).log
    version = find(log, "match.stood_still")
    stood = event_of(log, version)
    change(log, version, replace(stood, began=stood.began.replace(tzinfo=None)))

    found = fault(log, version)
    assert (found.version, found.part) == (version, Part.RULES)


def test_behind_a_throw_of_thirteen_nothing_is_worth_a_look() -> None:
    """A verifier would pass over it again at each of the throws that follow."""
    log = paper("monopoly-cheaters").log
    version = find(log, "monopoly_cheaters.set_up_done")
    was = event_of(log, version)
    sums = (7,) * len(was.throws[0])
    forged = replace(was, throws=(sums, (13,) * len(sums), sums))
    game = CATALOGUE["monopoly-cheaters"].game

    assert len(game.drawn(None, forged)) == 2 * len(sums) + len(was.cheats)
    change(log, version, forged)
    found = fault(log, version)
    assert (found.version, found.part) == (version, Part.LUCK)


def test_what_luck_could_have_given_is_found_when_the_seed_is_out_or_by_who_has_kept_it() -> None:
    match = paper("cheat")
    log, lines = match.log, match.lines()
    version = find(log, "cheat.dealt")
    dealt = event_of(log, version)
    first, second, *others = dealt.hands
    change(log, version, replace(dealt, hands=(second, first, *others)))
    fed(log, version)

    with pytest.raises(Fault) as found:
        verify(log.lines())
    assert (found.value.version, found.value.part) == (version, Part.LUCK)
    with pytest.raises(Fault) as found:
        verify(lines, kept=earlier(log.lines(), str(match.match)))
    assert (found.value.version, found.value.part) == (version, Part.KEPT)


@games
def test_what_the_house_owes_cannot_be_missing_at_the_end(game: str) -> None:
    """Cut off in the middle of what happens at once, with chains that fit."""
    log = paper(game).log
    version = find(log, KNOWN[game].lucky)
    lines = log.lines()
    place = next(n for n, line in enumerate(lines) if f'\\"version\\":{version},'.encode() in line)
    events = [line for line in map(transcript.read, lines[:place]) if isinstance(line, transcript.Event)]
    verifier = Verifier()
    for line in lines[:place]:
        verifier.feed(line)
    so_far = transcript.SoFar(status="playing", version=len(events), head=events[-1].head, viewers=(), attempts=())
    with pytest.raises(Fault) as found:
        verifier.feed(transcript.write(so_far))
    assert (found.value.version, found.value.what) == (version, f"here {KNOWN[game].lucky} should follow, by the House")


# ── the seed, and the end ───────────────────────────────────────────────────


def test_who_publishes_no_seed_at_the_end_is_found() -> None:
    header, *lines = paper("cheat").lines()
    opened = transcript.read(header)
    assert isinstance(opened, transcript.Header)
    revealed = find(paper("cheat").log, "match.seed_revealed")
    without = [transcript.write(replace(opened, seed=None)), *lines]
    with pytest.raises(Fault) as found:
        verify(without)
    assert (found.value.version, found.value.part) == (revealed, Part.LUCK)
    with pytest.raises(Fault) as found:
        verify(without, chain_only=True)
    assert found.value.part is Part.LUCK


def test_an_empty_seed_publishes_nothing() -> None:
    """Or a match that was over and goes on as a branch would count as one of which no seed is known yet."""
    log = paper("cheat").log
    version = find(log, "match.seed_revealed")
    change(log, version, replace(event_of(log, version), seed=""))

    found = fault(log, version)
    assert (found.version, found.part) == (version, Part.LUCK)


def test_a_match_that_is_over_is_not_so_far() -> None:
    *lines, last = paper("cheat").lines()
    ending = transcript.read(last)
    assert isinstance(ending, transcript.Ending)
    statuses: tuple[transcript.GoingOn, ...] = get_args(transcript.GoingOn)
    for status in statuses:
        so_far = transcript.SoFar(
            status=status, version=ending.version, head=ending.head, viewers=ending.viewers, attempts=ending.attempts
        )
        with pytest.raises(Fault) as found:
            verify([*lines, transcript.write(so_far)])
        assert found.value.what == f"the match is not {status} here"


def test_a_running_match_has_no_ending() -> None:
    match = paper("cheat")
    *lines, last = match.so_far(running(match)[-1])
    so_far = transcript.read(last)
    assert isinstance(so_far, transcript.SoFar)
    ending = transcript.Ending(
        status="over",
        version=so_far.version,
        head=so_far.head,
        viewers=so_far.viewers,
        attempts=so_far.attempts,
        seed=match.seed.hex(),
        entropy=match.book.open_state().entropy.hex(),
    )
    with pytest.raises(Fault) as found:
        verify([*lines, transcript.write(ending)])
    assert found.value.what == "the match ends here, and is not over"


def test_what_was_kept_must_be_whole_and_of_this_match() -> None:
    match = paper("cheat")
    lines = match.so_far(running(match)[-1])
    for wrong, of, what in (
        (lines[:-1], match, "no whole transcript: .* in the middle"),
        (lines, paper("mogler"), "of another match"),
        ([b"{}"], match, "no whole transcript"),
    ):
        with pytest.raises(NothingKept, match=what):
            earlier(wrong, str(of.match))
    with pytest.raises(NothingKept, match="what seat:0 was told"):
        verify(match.told(0), kept=earlier(lines, str(match.match)))


def test_an_attempt_that_was_kept_cannot_be_another() -> None:
    match = paper("cheat")
    lines = match.so_far(running(match)[-1])
    log = match.log
    seat = log.tried[0].seat
    change_attempt(log, 0, received_at=log.tried[0].received_at + timedelta(microseconds=1))
    rehash(log)
    with pytest.raises(Fault) as found:
        verify(lines, kept=earlier(log.lines(), str(match.match)))
    assert found.value.what == f"attempt 1 of seat {seat} is not the one that was kept"


DEEP = b'{"line":"event","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
DEEPER = b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b',"line":"event"}\n'
SPOILT: dict[str, Callable[[list[bytes], list[bytes]], list[bytes]]] = {
    "an event is missing": lambda lines, _: [*lines[:4], *lines[5:]],
    "its last events are missing": lambda lines, _: [*lines[:-4], lines[-1]],
    "the last line is of another moment": lambda lines, later: [*lines[:-1], later[-1]],
    "two change places": lambda lines, _: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "it stands there twice": lambda lines, _: lines * 2,
    "it ends twice": lambda lines, _: [*lines, lines[-1]],
    "it ends at once": lambda lines, _: [lines[0], lines[-1]],
    "it is deep": lambda lines, _: [*lines[:3], DEEP, *lines[3:]],
    "it is deeper": lambda lines, _: [*lines[:3], DEEPER, *lines[3:]],
    "a seat that is none": lambda lines, _: [
        line.replace(b'"line":"attempt","seat":', b'"line":"attempt","seat":7') for line in lines
    ],
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_what_was_kept_and_is_spoilt_says_nothing(spoil: Callable[[list[bytes], list[bytes]], list[bytes]]) -> None:
    """Neither that it lies in the history, nor that the history is another one."""
    match = paper("cheat")
    spoilt = spoil(match.so_far(running(match)[-1]), match.lines())
    with pytest.raises(NothingKept):
        earlier(spoilt, str(match.match))
    with pytest.raises(Fault):
        verify(spoilt, chain_only=True)
