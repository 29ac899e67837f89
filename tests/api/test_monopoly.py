"""Clients that know the API and their own view play Monopoly Cheaters: they cheat, look, catch and err."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.api.people import Person
from tests.api.problems import problem
from tests.service.runtime.table import fitting

GAME = "monopoly-cheaters"
OFTEN = {"monopoly_cheaters.cheat": 0.5, "monopoly_cheaters.watch": 0.4, "monopoly_cheaters.offer_trade": 0.05}


def named(effect: dict[str, Any], open_cards: list[str]) -> str | None:
    """What somebody must have done, by what one saw and which cheat cards lie open."""
    shapes = {
        "escape": effect.get("cuff_off"),
        "demolition": effect.get("hotel_off"),
        "free_hotel": effect.get("hotel_on"),
        "identity": "token" in effect,
        "trick_dice": "right" in effect,
        "fake_chance": "read" in effect,
        "deed_swap": len(effect.get("deeds", ())) == 2,
        "deed_theft": len(effect.get("deeds", ())) == 1,
    }
    money = effect.get("moved", ())
    if money and "debt_id" in effect:
        shapes |= {"free_stay": money[0]["amount"] == effect.get("rent"), "short_change": True}
    elif money:
        shapes |= {"bank_heist": money[0]["from"] == "pot", "pickpocket": money[0]["from"] != "pot"}
    return next((card for card, fits in shapes.items() if fits and card in open_cards), None)


def accusation(seen: dict[str, Any], luck: random.Random) -> dict[str, Any] | None:
    """On evidence; and once in a while on none."""
    offer = next((one for one in seen["actions"] if one["type"].endswith("accuse")), None)
    if offer is None:
        return None
    cards = [card["card"] for card in seen["view"]["cheat_cards"]]
    for act in seen["view"]["seen"]:
        card = named(act["effect"], cards)
        if act["seat"] in offer["fields"]["target"]["one_of"] and card is not None and luck.random() < 0.7:
            return {"type": offer["type"], "target": act["seat"], "card": card}
    return fitting(offer, luck) if luck.random() < 0.01 else None


def wish(seen: dict[str, Any], luck: random.Random) -> dict[str, Any] | None:
    if (said := accusation(seen, luck)) is not None:
        return said
    now = seen["server_time"]
    may = [one for one in seen["actions"] if one.get("not_before", now) <= now and not one["type"].endswith("accuse")]
    wanted = [offer for offer in may if luck.random() < OFTEN.get(offer["type"], 0.9)]
    return fitting(luck.choice(wanted), luck) if wanted else None


def test_clients_finish_a_match_with_cheats_tried_caught_missed_and_wrongly_accused(
    newcomer: Callable[[str], Person],
) -> None:
    friends = [newcomer(name) for name in ("Anna", "Ben", "Cara", "Dan")]
    anna, *others = friends
    match, luck = anna.opens(game=GAME, seats=4, options={"max_turns": 25}), random.Random(7)
    for friend in others:
        friend.sits(match)
    anna.starts(match)
    while (seen := anna.sees(match))["status"] == "playing":
        said = [(friend, wish(friend.sees(match), luck)) for friend in friends]
        for friend, action in said:
            if action is not None:
                answer = friend.try_("POST", f"/v1/matches/{match}/actions", action)
                assert answer.status_code in (201, 409), answer.text  # somebody may have been first
        if all(action is None for _, action in said):
            anna.turns_clock(match, seconds=5)

    assert seen["status"] == "over"
    frames = {friend.name: all_frames(friend, match) for friend in friends}
    told = {name: [frame["event"] for frame in of] for name, of in frames.items()}
    kinds = {event["type"].removeprefix("monopoly_cheaters.") for events in told.values() for event in events}
    assert {"slipped", "caught", "succeeded", "wrongly_accused", "watched"} <= kinds
    for name, of in frames.items():
        assert [frame["seq"] for frame in of] == list(range(1, len(of) + 1)), name
    public = [[event for event in events if _public(event)] for events in told.values()]
    assert public[0] == public[1] == public[2] == public[3]


def _public(event: dict[str, Any]) -> bool:
    return not {"slip", "purse", "dice", "card", "sight", "witnesses", "trade", "trade_id", "cards"} & event.keys()


def all_frames(friend: Person, match: str) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = []
    while more := friend.do("GET", f"/v1/matches/{match}/events?after={len(frames)}&limit=500")["frames"]:
        frames += more
    return frames


def test_of_two_bids_at_once_the_second_is_told_by_what_it_is_beaten(anna: Person, ben: Person, cara: Person) -> None:
    match = anna.opens(game="monopoly-cheaters")
    for friend in (ben, cara):
        friend.do("POST", f"/v1/matches/{match}/seats", {})
    anna.starts(match)
    friends = [anna, ben, cara]
    while not (lot := anna.sees(match)["view"]["auction"]):
        for friend in friends:
            for kind in ("decline", "roll", "pass_tray"):
                offer = next((o for o in friend.sees(match)["actions"] if o["type"].endswith(f".{kind}")), None)
                if offer is not None and offer.get("not_before", "") <= friend.sees(match)["server_time"]:
                    friend.acts(match, type=offer["type"])
                    break
        if not anna.sees(match)["view"]["auction"]:
            anna.turns_clock(match, 1)
    bid = {"type": "monopoly_cheaters.bid", "auction_id": lot["auction_id"], "amount": 50}
    ben.acts(match, **bid)

    told = problem(cara.try_("POST", f"/v1/matches/{match}/actions", bid), 409, "refused", reason="bid_too_low")

    first = next(frame for frame in all_frames(cara, match) if frame["seq"] == told["beaten_by"])
    assert first["event"]["type"] == "monopoly_cheaters.bid_placed"
    assert (first["event"]["seat"], first["event"]["amount"]) == (ben.sees(match)["seat"], 50)
