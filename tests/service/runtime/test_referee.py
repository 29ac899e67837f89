"""The way of a command, without HTTP: on a real Postgres and a real Valkey."""

from __future__ import annotations

import asyncio
import hashlib
import random
from datetime import timedelta
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from domain.match.actions import RevealEntropy
from domain.match.clock import SANDBOX_START
from service.dialogue import (
    Asked,
    Behind,
    Key,
    KeyReused,
    NoSuchMatch,
    NotOffered,
    NotSeated,
    Refusal,
    WrongCode,
)
from service.fanout.news import News
from service.runtime import again
from tests.service.runtime.table import A_WISH, Table, a_player, a_table, fitting, runtime

STACKED = msgspec.Raw(b'{"dealer":2,"hands":[["AS","7H"],["2D","9C"],["3C","KD"]]}')


def key(text: str, what: str = "") -> Key:
    return Key(text, hashlib.sha256(what.encode()).digest())


def body(done: Any) -> dict[str, Any]:
    answer: dict[str, Any] = msgspec.json.decode(done.body)
    return answer


async def test_three_players_finish_a_match_and_the_log_tells_it_all(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        await table.play_on(random.Random(1), until=lambda seen: seen["status"] == "over")

        rows = await it.store.log.events(table.match)
        assert [row.version for row in rows] == list(range(1, len(rows) + 1))
        tags = {row.tag for row in rows}
        assert {"match.opened", "match.seated", "match.started", "match.ended", "match.seed_revealed"} <= tags
        assert {"cheat.dealt", "cheat.claimed", "cheat.challenged", "cheat.pile_taken"} <= tags


async def test_a_lie_is_taken_and_a_caught_liar_takes_the_pile(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)

        lied = body(await table.act(0, {"type": "cheat.play", "cards": ["7H"]}))
        called = body(await table.act(2, {"type": "cheat.challenge", "claim_id": 0}))

        assert lied["frames"][0]["event"]["cards"] == ["7H"]
        assert [frame["event"]["type"] for frame in called["frames"]] == ["cheat.challenged", "cheat.pile_taken"]
        assert sorted((await table.sees(0))["view"]["hand"]) == ["7H", "AS"]


async def test_a_refusal_says_why_and_from_when(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})

        with pytest.raises(Refusal) as early:
            await table.act(1, {"type": "cheat.play", "cards": ["2D"]})

        assert early.value.reason == "too_early"
        assert early.value.not_before == SANDBOX_START + timedelta(seconds=5)


async def test_the_second_call_is_told_which_one_was_first(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
        first = body(await table.act(1, {"type": "cheat.challenge", "claim_id": 0}))

        with pytest.raises(Refusal) as second:
            await table.act(2, {"type": "cheat.challenge", "claim_id": 0})

        assert second.value.reason == "already_challenged"
        assert second.value.beaten_by == first["frames"][0]["seq"]


async def test_a_repeated_key_is_answered_from_the_log_and_happens_once(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)
        play = {"type": "cheat.play", "cards": ["7H"]}
        first = body(await table.act(0, play, key("k", "7H")))
        await table.act(2, {"type": "cheat.challenge", "claim_id": 0})

        again = body(await table.act(0, play, key("k", "7H")))

        assert again["frames"] == first["frames"]
        assert again["view"] == first["view"]
        assert again["seq"] == first["seq"]
        with pytest.raises(KeyReused):
            await table.act(0, {"type": "cheat.play", "cards": ["AS"]}, key("k", "AS"))


async def test_a_refusal_binds_its_key_too(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)
        play = {"type": "cheat.play", "cards": ["2D"]}
        with pytest.raises(Refusal) as first:
            await table.act(1, play, key("k"))
        await table.act(0, {"type": "cheat.play", "cards": ["7H"]})
        await table.turn_clock(5000)

        with pytest.raises(Refusal) as second:
            await table.act(1, play, key("k"))

        told = second.value.reason, second.value.seq
        assert told == (first.value.reason, first.value.seq) == ("not_your_turn", first.value.seq)


async def test_a_refusal_that_these_rules_would_not_give_is_repeated_as_it_is_on_record(
    database: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        doubt = {"type": "cheat.challenge", "claim_id": 0}
        with pytest.raises(Refusal) as first:
            await table.act(0, doubt, key("k"))
        monkeypatch.setattr(again, "decided", lambda book, command: ())

        with pytest.raises(Refusal) as second:
            await table.act(0, doubt, key("k"))

        assert second.value.reason == first.value.reason
        assert second.value.command == first.value.command


async def test_one_key_in_two_processes_at_once_happens_once(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as one, runtime(database, redis_url) as other:
        for round_ in range(20):
            table = await a_table(one, deal=STACKED)
            twin = Table(other, table.match, table.players)
            play = {"type": "cheat.play", "cards": ["7H"]}
            answers = await asyncio.gather(*(t.act(0, play, key(f"k{round_}")) for t in (table, twin)))

            assert body(answers[0])["frames"] == body(answers[1])["frames"]
            rows = await one.store.log.events(table.match)
            assert sum(row.tag == "cheat.claimed" for row in rows) == 1
            assert len(await one.store.log.attempts(table.match, 0)) == 1


async def test_two_processes_one_match_no_refusal_from_an_old_state(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as one, runtime(database, redis_url) as other:
        table = await a_table(one)
        tables = (table, Table(other, table.match, table.players))
        luck = random.Random(2)
        for _ in range(120):
            seat = luck.randrange(3)
            seen = await tables[luck.randrange(2)].sees(seat)
            usable = [o for o in seen["actions"] if o.get("not_before", "") <= seen["server_time"]]
            if seen["status"] == "over":
                break
            if usable:
                offer = luck.choice(usable)
                done = await tables[luck.randrange(2)].act(seat, fitting(offer, luck))  # fits an offer: is taken
                assert done.seq > seen["seq"]
                assert (await tables[luck.randrange(2)].sees(seat))["seq"] >= done.seq
            else:
                await table.turn_clock(5000)
        rows = await one.store.log.events(table.match)
        assert [row.version for row in rows] == list(range(1, len(rows) + 1))


async def test_both_processes_fold_to_the_same(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as one, runtime(database, redis_url) as other:
        table = await a_table(one)
        await table.play_on(random.Random(3), until=lambda seen: seen["seq"] > 60)
        twin = Table(other, table.match, table.players)

        for viewer in range(4):
            mine, theirs = await table.sees(viewer), await twin.sees(viewer)
            assert mine == theirs
        live = (await one.reader.frames(table.match, 1, 0, 1000))[0]
        assert live == (await other.reader.frames(table.match, 1, 0, 1000))[0]


async def test_a_stream_from_the_log_is_what_was_told_live(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        told: list[dict[str, Any]] = []
        async with it.fanout.subscribe(table.match, 1) as sub:
            await table.play_on(random.Random(4), until=lambda seen: seen["seq"] > 80)
            while (news := await sub.next(0.5)) is not None:
                if isinstance(news, News):
                    told.append(msgspec.json.decode(news.body))
        read = [msgspec.json.decode(news.body) async for news in it.reader.replay(table.match, 1, 0)]

        assert len(told) > 20
        assert read[-len(told) :] == told
        for after in (told[-1]["seq"] - 3, told[-5]["seq"], told[len(told) // 2]["seq"], told[-1]["seq"]):
            rest = [msgspec.json.decode(news.body) async for news in it.reader.replay(table.match, 1, after)]
            assert [m["seq"] for m in rest] == [m["seq"] for m in told if m["seq"] > after]
            assert rest[1:] == [m for m in told if m["seq"] > after][1:]


@pytest.mark.parametrize("sandbox", [True, False])
async def test_who_acts_is_answered_in_the_very_bytes_that_his_stream_brings(
    sandbox: bool, database: str, redis_url: str
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, sandbox=sandbox)
        if sandbox:
            await table.turn_clock(2_000)
        offers = {seat: {offer["type"]: offer for offer in (await table.sees(seat))["actions"]} for seat in range(3)}
        turn = next(seat for seat in range(3) if "cheat.play" in offers[seat])
        acts = (
            (turn, fitting(offers[turn]["cheat.play"], random.Random(1))),
            ((turn + 1) % 3, {"type": "cheat.challenge", "claim_id": 0}),
        )
        for seat, said in acts:
            async with it.fanout.subscribe(table.match, seat) as sub:
                done = await table.act(seat, said)
                while not isinstance(news := await sub.next(10), News) or news.last < done.seq:
                    pass

            assert news.body == done.body


async def test_who_is_told_nothing_of_an_append_is_told_that_there_is_nothing_to_look_for(
    database: str, redis_url: str
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, game="mogelei")  # all lay at once, and nobody is told who has before all have

        def can_lay(seen: dict[str, Any]) -> bool:
            return any(offer["type"] == "mogelei.lay" for offer in seen["actions"])

        await table.play_on(random.Random(1), until=can_lay)
        first, second = [seat for seat in range(3) if can_lay(await table.sees(seat))][:2]
        before = await table.sees(second)
        (offer, *_) = [offer for offer in (await table.sees(first))["actions"] if offer["type"] == "mogelei.lay"]
        async with (
            it.fanout.subscribe(table.match, first) as own,
            it.fanout.subscribe(table.match, second) as others,
        ):
            await table.act(first, fitting(offer, random.Random(1)))
            version = (await it.reader._books.current(table.match)).book.version

            assert await others.next(10) == News(before["seq"] + 1, before["seq"], b"", version)
            told = await own.next(10)
            assert isinstance(told, News)
            assert (told.version, told.last >= told.first) == (version, True)
            with pytest.raises(Refusal):
                await table.act(first, {"type": "mogelei.keep_hidden"})
            assert await others.next(0.05) is None  # nothing was written: nobody is told anything
        assert await table.sees(second) == {**before, "server_time": (await table.sees(second))["server_time"]}


async def test_a_stranger_is_not_seated_and_a_late_reader_is_told_what_he_missed(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)
        stranger = Table(it, table.match, [await a_player(it, "Dora")])

        with pytest.raises(NotSeated):
            await stranger.act(0, {"type": "cheat.play", "cards": ["7H"]})
        with pytest.raises(Behind):
            await table.act(0, {"type": "cheat.play", "cards": ["7H"]}, if_match=1)
        with pytest.raises(NoSuchMatch):
            await Table(it, uuid4(), table.players).act(0, {"type": "cheat.play", "cards": ["7H"]})


async def test_a_code_lets_in_and_nothing_else(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, names="Anna", start=False, access="code")
        ben = Asked(player=await a_player(it, "Ben"), received_at=it.clock.now())
        sit = {"seat": None, "bot": None, "entropy_commitment": None}

        with pytest.raises(WrongCode):
            await it.referee.sit(ben, table.match, code=None, **sit)
        with pytest.raises(WrongCode):
            await it.referee.sit(ben, table.match, code="AAAAAAAA", **sit)


async def test_committed_entropy_is_revealed_before_the_deal(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        secret = b"anna's dice"
        table = await a_table(it, entropy_commitment=hashlib.sha256(secret).hexdigest())

        asked_for = (await table.sees(0))["actions"]
        assert asked_for[0]["type"] == "match.reveal_entropy"
        assert (await table.sees(1))["awaits"]["seats"] == [0]
        reveal = RevealEntropy(secret.hex())
        done = await it.referee.act(table.asked(0), table.match, reveal, msgspec.json.encode(reveal))

        types = [frame["event"]["type"] for frame in body(done)["frames"]]
        assert types == ["match.entropy_revealed", "match.entropy_settled", "cheat.dealt"]


async def test_who_does_not_reveal_is_left_out(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, entropy_commitment=hashlib.sha256(b"x").hexdigest())

        told = await table.turn_clock(60_000)

        assert (told["advanced_ms"], told["stopped_at_deadline"]) == (10_000, True)
        frames = msgspec.json.decode((await it.reader.frames(table.match, 3, 0, 100))[0])
        settled = next(f["event"] for f in frames if f["event"]["type"] == "match.entropy_settled")
        assert settled["missing"] == [0]
        assert (await table.sees(0))["view"] is not None


async def test_a_sandbox_clock_turns_to_the_next_deadline_and_the_house_acts_there(
    database: str, redis_url: str
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, deal=STACKED)

        first = await table.turn_clock(59_999)
        second = await table.turn_clock(10_000)

        assert (first["advanced_ms"], first["stopped_at_deadline"]) == (59_999, False)
        assert (second["advanced_ms"], second["stopped_at_deadline"]) == (1, True)
        frames = msgspec.json.decode((await it.reader.frames(table.match, 1, 0, 100))[0])
        assert [f["event"]["type"] for f in frames[-2:]] == ["match.timed_out", "cheat.claimed"]
        assert frames[-1]["event"]["rank"] == "A"


async def test_nobody_plays_any_more_and_the_match_is_abandoned(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it)
        for _ in range(30):
            await table.turn_clock(600_000)
            if (seen := await table.sees(0))["status"] == "over":
                break

        assert seen["result"]["reason"] == "abandoned"
        rows = await it.store.log.events(table.match)
        assert sum(row.tag == "match.timed_out" for row in rows) == 9


async def test_two_sandboxes_with_one_hidden_difference_tell_a_third_the_same(database: str, redis_url: str) -> None:
    async with runtime(database, redis_url) as it:
        told = []
        for mine in ("7H", "8H"):
            deal = msgspec.Raw(b'{"dealer":2,"hands":[["AS","%s"],["2D","9C"],["3C","KD"]]}' % mine.encode())
            table = await a_table(it, deal=deal)
            await table.act(0, {"type": "cheat.play", "cards": [mine]})
            frames, _ = await it.reader.frames(table.match, 1, 0, 100)
            events = [(f["at"], f["event"]) for f in msgspec.json.decode(frames) if f["event"]["type"][:5] == "cheat"]
            told.append(msgspec.json.encode(events))

        assert told[0] == told[1]


async def test_a_page_ends_where_its_reader_was_known_to_hold_the_seat(
    database: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, start=False)
        dora, ben, told = await a_player(it, "Dora"), table.players[1], it.store.log.told

        async def told_late(*which: Any) -> Any:
            await it.referee.leave(table.asked(1), table.match, 1)
            table.players[1] = dora
            how: Any = {"seat": 1, "code": None, "bot": None, "entropy_commitment": None}
            await it.referee.sit(table.asked(1), table.match, **how)
            await it.referee.start(table.asked(0), table.match)
            return await told(*which)

        monkeypatch.setattr(it.store.log, "told", told_late)
        frames, last, head = await it.reader.page(table.match, ben, 0, 100)

        tags = [frame["event"]["type"] for frame in msgspec.json.decode(frames)]
        assert tags == ["match.opened", *["match.seated"] * 3]
        assert last == head == 4


async def test_a_repeated_key_finds_the_last_sandbox_that_was_still_allowed(
    database: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with runtime(database, redis_url) as it:
        anna, create = await a_player(it, "Anna"), it.store.create
        monkeypatch.setattr(it.store, "create", lambda new: create(new, sandboxes=1))

        async def opens(word: str) -> Any:
            asked = Asked(player=anna, received_at=it.clock.now(), key=key(word))
            return await it.referee.open(asked, A_WISH)

        first = await opens("first")
        with pytest.raises(NotOffered, match="too_many_sandboxes"):
            await opens("second")
        assert await opens("first") == first
