"""What cannot have happened so is found, at the first version that is wrong, however well all chains fit."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from itertools import pairwise
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.cheat import events as cheat
from domain.kernel.game import Seat
from projections.audit import transcript
from projections.audit.fault import CannotVerify, Fault, Part
from projections.audit.kept import kept as read_kept
from projections.audit.verify import Verifier, verify
from projections.catalogue import CATALOGUE
from projections.evidence import Record, next_viewer_head, viewer_head
from service.store.rows import AttemptRow, EventRow
from tests.audit.forger import (
    change,
    change_attempt,
    event_of,
    find,
    rehash,
    renumber,
    renumber_attempts,
)
from tests.audit.paper import Kept, Paper, Story, short, stories


@cache
def paper() -> Paper:
    return Paper(Story(game="cheat", luck=9, seats=4, bots=1, commit=True, wild=35, options={"max_turns": 40}))


@pytest.fixture
def kept() -> Kept:
    return paper().log


def fault(log: Kept, **how: Any) -> tuple[int, Part]:
    with pytest.raises(Fault) as found:
        verify(log.lines(), **how)
    return found.value.version, found.value.part


def test_what_nobody_changed_is_whole(kept: Kept) -> None:
    rehash(kept)

    assert kept.lines() == paper().lines()
    assert verify(kept.lines()).played


def test_another_card_was_played_than_was_asked_for(kept: Kept) -> None:
    version = find(kept, "cheat.claimed")
    claim: cheat.Claimed = event_of(kept, version)
    change(kept, version, replace(claim, cards=("AS",) if claim.cards != ("AS",) else ("KD",)))
    assert fault(kept) == (version, Part.LOG)
    rehash(kept)
    assert fault(kept) == (version, Part.RULES)


def test_another_card_was_asked_for_than_was_played(kept: Kept) -> None:
    place = next(n for n, row in enumerate(kept.tried) if '"accepted"' in row.record and "cheat.play" in row.record)
    record = msgspec.json.decode(kept.tried[place].record, type=Record)
    other = msgspec.json.decode(bytes(record.action))
    change_attempt(kept, place, action=msgspec.Raw(msgspec.json.encode({**other, "rank": "no rank"})))
    assert fault(kept) == (record.version, Part.ATTEMPTS)
    rehash(kept)
    assert fault(kept)[0] in (record.version, record.version + 1)


def test_other_cards_were_dealt_than_the_seed_gives(kept: Kept) -> None:
    version = find(kept, "cheat.dealt")
    dealt: cheat.Dealt = event_of(kept, version)
    first, second, *others = dealt.hands
    change(kept, version, replace(dealt, hands=(second, first, *others)))
    rehash(kept)
    assert fault(kept) == (version, Part.LUCK)


def test_another_seed_than_was_committed_to(kept: Kept) -> None:
    kept.secret = bytes(32)
    assert fault(kept) == (1, Part.LUCK)


def test_what_the_seats_added_to_the_luck(kept: Kept) -> None:
    version = find(kept, "match.entropy_settled")
    change(kept, version, replace(event_of(kept, version), digest="00" * 32))
    rehash(kept)
    assert fault(kept) == (version, Part.LUCK)


def test_a_bot_adds_nothing_to_the_luck(kept: Kept) -> None:
    version = next(row.version for row in kept.rows if row.tag == "match.seated" and '"bot":"' in row.envelope)
    seated = event_of(kept, version)
    change(kept, version, replace(seated, entropy_commitment="0" * 64))
    rehash(kept)
    assert fault(kept) == (version, Part.RULES)


def test_the_house_acts_before_its_time(kept: Kept) -> None:
    version = find(kept, "match.timed_out")
    before = next(row for row in kept.rows if row.version == version - 1)
    change(kept, version, received_at=before.received_at + timedelta(seconds=1))
    rehash(kept)
    assert fault(kept) == (version, Part.TIME)


def test_an_answer_is_dated_before_it_was_received(kept: Kept) -> None:
    version = find(kept, "cheat.challenged")
    row = next(row for row in kept.rows if row.version == version)
    change(kept, version, at=row.at - timedelta(milliseconds=1))
    rehash(kept)
    assert fault(kept) == (version, Part.TIME)


def test_the_match_stood_still_at_another_time(kept: Kept) -> None:
    version = find(kept, "match.stood_still")
    still = event_of(kept, version)
    change(kept, version, replace(still, began=still.began - timedelta(minutes=10)))
    rehash(kept)
    assert fault(kept) == (version, Part.TIME)


def test_somebody_else_did_it(kept: Kept) -> None:
    version = find(kept, "cheat.accepted")
    row = next(row for row in kept.rows if row.version == version)
    change(kept, version, by=Seat((row.by + 1) % 4))
    rehash(kept)
    assert fault(kept) == (version, Part.RULES)


def test_nobody_asked_for_it(kept: Kept) -> None:
    place = next(n for n, row in enumerate(kept.tried) if '"accepted"' in row.record)
    met = msgspec.json.decode(kept.tried[place].record, type=Record).version
    del kept.tried[place]
    renumber_attempts(kept)
    rehash(kept)
    assert fault(kept)[0] == met + 1


def test_an_event_was_left_out(kept: Kept) -> None:
    version = find(kept, "cheat.pile_taken")
    kept.rows = [row for row in kept.rows if row.version != version]
    assert fault(kept)[0] == version
    renumber(kept)
    rehash(kept)
    assert fault(kept) == (version, Part.RULES)


def test_an_event_was_put_in(kept: Kept) -> None:
    version = find(kept, "cheat.accepted")
    place = next(n for n, row in enumerate(kept.rows) if row.version == version)
    kept.rows.insert(place + 1, replace(kept.rows[place], salt=bytes(16)))
    renumber(kept)
    rehash(kept)
    assert fault(kept)[0] == version + 1


def test_an_append_cannot_be_torn_apart(kept: Kept) -> None:
    version = find(kept, "cheat.pile_taken")
    change(kept, version, command=UUID(int=7))
    assert fault(kept)[0] == version


def test_nor_can_the_command_of_what_nobody_asked_for_be_another(kept: Kept) -> None:
    version = find(kept, "match.stood_still")
    command = next(row.command for row in kept.rows if row.version == version)
    for row in list(kept.rows):
        if row.command == command:
            change(kept, row.version, command=UUID(int=7))
    for place, tried in enumerate(kept.tried):
        if tried.command == command:
            change_attempt(kept, place, command=str(UUID(int=7)))
            kept.tried[place] = replace(kept.tried[place], command=UUID(int=7))
    rehash(kept)
    first = min(row.version for row in kept.rows if row.command == UUID(int=7))
    assert fault(kept) == (first, Part.LOG)


def test_a_refusal_had_another_reason(kept: Kept) -> None:
    place = next(n for n, row in enumerate(kept.tried) if row.outcome == "refused")
    met = msgspec.json.decode(kept.tried[place].record, type=Record).version
    change_attempt(kept, place, reason="too_late")
    assert fault(kept) == (met, Part.ATTEMPTS)
    rehash(kept)
    assert fault(kept) == (met, Part.RULES)


def test_what_the_rules_allow_was_refused(kept: Kept) -> None:
    place = next(n for n, row in enumerate(kept.tried) if row.outcome == "accepted")
    met = msgspec.json.decode(kept.tried[place].record, type=Record).version
    change_attempt(kept, place, outcome="refused", reason="not_now")
    rehash(kept)
    assert fault(kept) == (met, Part.RULES)


def test_who_was_told(kept: Kept) -> None:
    version = find(kept, "cheat.claimed")
    place = next(n for n, row in enumerate(kept.rows) if row.version == version)
    row = kept.rows[place]
    kept.rows[place] = replace(row, seqs=(0, *row.seqs[1:]))
    assert fault(kept) == (version, Part.FORM)
    kept.rows[place] = replace(row, seqs=(0, *row.seqs[1:]), heads=bytes(32) + row.heads[32:])
    assert fault(kept) == (version, Part.FRAMES)
    kept.rows[place] = replace(row, seqs=(row.seqs[0] + 1, *row.seqs[1:]))
    assert fault(kept) == (version, Part.FRAMES)
    kept.rows[place] = replace(row, heads=bytes(32) + row.heads[32:])
    assert fault(kept) == (version, Part.FRAMES)


@pytest.mark.parametrize("column", ["at", "received_at", "by", "tag"])
def test_a_column_is_not_what_the_envelope_says(kept: Kept, column: str) -> None:
    version = find(kept, "cheat.claimed")
    place = next(n for n, row in enumerate(kept.rows) if row.version == version)
    row = kept.rows[place]
    kept.rows[place] = replace(row, **{column: getattr(kept.rows[0], column)})
    assert fault(kept) == (version, Part.FORM)


def test_the_end_is_missing(kept: Kept) -> None:
    lines = kept.lines()
    for cut in (lines[:-1], lines[:-2], lines[:20]):
        with pytest.raises(Fault) as found:
            verify(cut)
        events = sum(line.startswith(b'{"line":"event"') for line in cut)
        assert (found.value.version, found.value.part) == (events + 1, Part.FORM)
    with pytest.raises(Fault, match="more behind its end"):
        verify([*lines, lines[-1]])


def test_a_refusal_that_is_missing_is_missed_by_who_has_kept_where_his_attempts_stood(kept: Kept) -> None:
    """Nothing came of it, so that a history without it is as possible."""
    place = next(n for n, row in enumerate(kept.tried) if row.outcome == "refused")
    seat = kept.tried[place].seat
    del kept.tried[place]
    assert fault(kept)[1] == Part.ATTEMPTS
    renumber_attempts(kept)
    rehash(kept)

    assert verify(kept.lines()).played
    assert fault(kept, kept=read_kept(paper().told(seat))) == (len(kept.rows) + 1, Part.KEPT)


def test_another_history_that_is_as_possible_is_not_the_one_that_was_told() -> None:
    """All of it forged, and well: the salts of the second half are others, and every head fits."""
    kept, own = paper().log, paper().told(2)
    middle = len(kept.rows) // 2
    row = next(it for it in kept.rows if it.version > middle and it.command == kept.rows[it.version - 2].command)
    change(kept, row.version, salt=bytes(16))
    rehash(kept)

    assert verify(kept.lines()).played
    assert fault(kept, kept=read_kept(own)) == (row.version, Part.KEPT)


def test_a_ledger_that_does_not_balance() -> None:
    view = CATALOGUE["cheat"]

    def balance(state: Any) -> str | None:
        return "a card is lost" if state.claims == 3 else None

    found = next(row.version for row in paper().rows if '"claim_id":2' in row.envelope)
    catalogue = {"cheat": replace(view, game=replace(view.game, balance=balance))}
    assert fault(paper().log, catalogue=catalogue) == (found, Part.LEDGER)


def test_matches_of_older_rules_are_read_and_not_played_again(kept: Kept) -> None:
    view = CATALOGUE["cheat"]
    newer = {"cheat": replace(view, game=replace(view.game, rules_version=2, decides_since=2))}
    same = {"cheat": replace(view, game=replace(view.game, rules_version=2))}

    found = verify(kept.lines(), catalogue=newer)
    assert (found.played, found.told) == (False, True)
    assert verify(kept.lines(), catalogue=same).played
    place = next(n for n, row in enumerate(kept.rows) if row.tag == "cheat.claimed")
    kept.rows[place] = replace(kept.rows[place], heads=bytes(32) * 5)
    assert fault(kept, catalogue=newer) == (place + 1, Part.FRAMES)


@pytest.mark.parametrize("seed", ["", "00" * 32])
def test_of_older_rules_too_the_published_seed_is_that_of_the_header(kept: Kept, seed: str) -> None:
    view = CATALOGUE["cheat"]
    newer = {"cheat": replace(view, game=replace(view.game, rules_version=2, decides_since=2))}
    version = find(kept, "match.seed_revealed")
    change(kept, version, replace(event_of(kept, version), seed=seed))
    rehash(kept)
    assert fault(kept, catalogue=newer) == (version, Part.LUCK)


def test_matches_of_newer_rules_and_unknown_games_are_not_judged(kept: Kept) -> None:
    header = transcript.read(kept.lines()[0])
    assert isinstance(header, transcript.Header)
    for unknown in (replace(header, rules_version=2), replace(header, game="chess")):
        with pytest.raises(CannotVerify):
            Verifier().feed(transcript.write(unknown))
    with pytest.raises(CannotVerify):
        Verifier().finish()


def test_a_header_says_what_event_1_says(kept: Kept) -> None:
    header, *rest = kept.lines()
    read = transcript.read(header)
    assert isinstance(read, transcript.Header)
    for other in (
        replace(read, options=msgspec.Raw(b'{"jokers":1}')),
        replace(read, data={"deck": "00" * 32}),
    ):
        with pytest.raises(Fault) as found:
            verify([transcript.write(other), *rest])
        assert (found.value.version, found.value.part) == (1, Part.FORM)


def test_what_is_not_written_as_a_transcript_is_no_transcript(kept: Kept) -> None:
    lines = kept.lines()
    place = next(n for n, line in enumerate(lines) if b"cheat.claimed" in line)
    version = sum(line.startswith(b'{"line":"event"') for line in lines[: place + 1])
    for bad in (
        lines[place].replace(b'"line":"event",', b'"line":"event", '),
        lines[place].replace(b'"line":"event",', b'"line":"event","more":1,'),
        lines[place].rstrip(b"\n"),
        lines[place].replace(b"\n", b"\r\n"),
        b"\n",
        b"[" * 100_000 + b"\n",
        b"\xff\n",
        lines[0],
    ):
        with pytest.raises(Fault) as found:
            verify([*lines[:place], bad, *lines[place + 1 :]])
        assert (found.value.version, found.value.part) == (version, Part.FORM)


def test_what_seed_and_key_a_viewers_transcript_names(kept: Kept) -> None:
    own = paper().told(1)
    seed = next(n for n, line in enumerate(own) if b"match.seed_revealed" in line)
    bad = [own[0].replace(b'"seed_commitment":"', b'"seed_commitment":"0')[: len(own[0])], *own[1:]]
    with pytest.raises((Fault, CannotVerify)):
        verify(bad)
    with pytest.raises(Fault) as found:
        verify([*own[:seed], own[seed].replace(paper().seed.hex().encode(), b"00" * 32), *own[seed + 1 :]])
    assert found.value.part == Part.FRAMES


def forged(
    own: list[bytes], *, header: Any = None, seq: int = 0, told: Any = None, log_head: str = "", **until: Any
) -> list[bytes]:
    """A viewer's transcript that says something else of itself, or told otherwise, with the heads that follow."""
    said = [msgspec.json.decode(line) for line in own]
    said[0] |= header or {}
    head = viewer_head(said[0]["match"], said[0]["viewer"])
    for frame in said[1:-1]:
        if frame["seq"] == seq:
            frame["told"] = frame["told"].replace(*told)
        head = next_viewer_head(head, frame["told"].encode())
        frame |= {"head": head.hex(), "log_head": log_head or frame["log_head"]}
    said[-1] |= {"head": head.hex(), "log_head": said[-2]["log_head"], **until}
    return [msgspec.json.encode(line) + b"\n" for line in said]


@pytest.mark.parametrize(
    "forgery, seq, part",
    [
        ({"header": {"game": "chess"}}, 1, Part.FORM),
        ({"header": {"rules_version": 7}}, 1, Part.FORM),
        ({"header": {"seats": 9}}, 1, Part.FORM),
        ({"header": {"seats": 10**12}}, None, None),
        ({"header": {"options": {"jokers": 2}}}, 1, Part.FORM),
        ({"header": {"seed": "00" * 32}}, 1, Part.FORM),
        ({"header": {"viewer": "seat:77"}}, 1, Part.FORM),
        ({"log_head": "zz"}, 1, Part.FORM),
        ({"seq": 3, "told": ('"at":"2', '"at":"1')}, 3, Part.TIME),
        ({"status": "playing"}, -1, Part.FORM),
        ({"attempts": None}, -1, Part.ATTEMPTS),
        ({"attempts": [3, "zz"]}, -1, Part.ATTEMPTS),
    ],
)
def test_a_viewers_transcript_is_what_it_says_of_itself(forgery: dict[str, Any], seq: int | None, part: Part) -> None:
    """Its heads prove that its frames follow on each other, and not what the lines around them say."""
    own = paper().told(1)
    assert verify(forged(own)).viewer == "seat:1"
    if seq is None:
        with pytest.raises(CannotVerify):
            verify(forged(own, **forgery))
        return
    with pytest.raises(Fault) as found:
        verify(forged(own, **forgery))
    last = len(own) - 1  # behind its frames
    assert (found.value.version, found.value.part) == (last if seq == -1 else seq, part)


def test_a_number_is_missing_among_attempts_whose_heads_fit(kept: Kept) -> None:
    place = next(n for n, row in enumerate(kept.tried) if row.outcome == "refused")
    seat = kept.tried[place].seat
    after = next(row for row in kept.tried[place + 1 :] if row.seat == seat)
    del kept.tried[place]
    rehash(kept)
    assert fault(kept) == (msgspec.json.decode(after.record, type=Record).version, Part.ATTEMPTS)


def test_the_last_attempt_is_missing() -> None:
    """Nothing follows on it but the end of its chain, as the server keeps it."""
    told = (Paper(replace(story, options={"max_turns": 3}, wild=70)) for story in stories("cheat", 40))
    log, last = next(found for it in told if (found := _refused_last(it)) is not None)
    log.tried.remove(last)
    assert fault(log) == (len(log.rows), Part.ATTEMPTS)


def _refused_last(it: Paper) -> tuple[Kept, AttemptRow] | None:
    of_seat = {row.seat: row for row in it.attempts}
    return next(((it.log, row) for row in of_seat.values() if row.outcome == "refused"), None)


def test_what_the_house_does_at_once_is_not_dated_before_the_deadline_that_it_follows_on() -> None:
    told = (Paper(replace(story, options=short(game))) for game in CATALOGUE for story in stories(game, 4))
    it = next(it for it in told if _at_once(it))
    row, log = _at_once(it)[0], it.log
    due = it.rows[row.version - 2].received_at
    for later in [one for one in log.rows if one.command == row.command and one.version >= row.version]:
        change(log, later.version, received_at=due - timedelta(milliseconds=1))
    rehash(log)
    assert fault(log) == (row.version, Part.TIME)


def _at_once(it: Paper) -> list[EventRow]:
    """Events that the House added when it got to a deadline."""
    return [
        row
        for before, row in pairwise(it.rows)
        if before.command == row.command
        and before.received_at < row.received_at
        and before.tag != "match.stood_still"
        and before.by == row.by == -1
    ]
