"""A player who buys, builds, demands, looks around, accuses on evidence, and cheats when nobody plausibly looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.games.monopoly.actions import PlayerAction
from domain.games.monopoly.data import Cash, Contest, JailFree
from domain.games.monopoly.events import Accused, Event, WronglyAccused
from domain.games.monopoly.phases import ToBuy, ToMove
from domain.games.monopoly.rules.possible import Fields
from domain.games.monopoly.state import (
    POT,
    State,
    believed,
    deed,
    purse,
    seat_of,
    streets_of,
)
from domain.games.monopoly.things import MonopolyEffect, MonopolyTrade
from domain.kernel.chance import Draw
from domain.kernel.game import Seat
from domain.kernel.offers import Between, Choose, Offer, OneOf

TAG: Final = "monopoly_cheaters."
RESERVE: Final = 150  # cash that is kept for rents
EVIDENCE: Final = 12  # remembered accusations
RECKLESS: Final = 150
# What a cheat shows (the tray and the dice are looked at twice as often as a seat) and what it brings at least.
SHOWS: Final = {
    "bank_heist": (3, 500),
    "pickpocket": (2, 100),
    "fake_chance": (1, 150),
    "escape": (1, 100),
    "extra_go": (3, 100),
    "identity": (2, 100),
    "trick_dice": (2, 150),
    "deed_swap": (2, 100),
    "deed_theft": (2, 100),
    "demolition": (3, 150),
    "free_hotel": (3, 100),
    "take_tray": (3, 500),
    "take_player": (2, 100),
    "wrong_move": (2, 100),
    "take_deed": (2, 100),
    "hotel_off": (3, 50),
    "hotel_on": (3, 100),
}


class Suspicions(Struct, frozen=True):
    """``raised``: what this seat has accused already: target, and which of its acts."""

    seat: Seat
    seats: int
    raised: tuple[tuple[Seat, str], ...] = ()


def begin(seat: int, seats: int) -> Suspicions:
    return Suspicions(Seat(seat), seats)


def remember(memory: Suspicions, seen: State, event: Event) -> Suspicions:
    """No act is accused twice."""
    match event:
        case WronglyAccused(seat, target) if seat == memory.seat:
            pass
        case Accused(accusation) if accusation.seat == memory.seat:
            target = accusation.target
        case _:
            return memory
    raised = tuple((target, act) for suspect, act, _ in evidence(seen, memory.seat) if suspect == target)
    return replace(memory, raised=(*memory.raised, *raised)[-EVIDENCE:])


def evidence(seen: State, seat: Seat) -> Iterator[tuple[Seat, str, str]]:
    """Who did what, as this seat saw it or as anybody sees who knows the deeds: suspect, act, card."""
    for debt in seen.debts:
        asker = seat_of(debt.creditor)
        if not debt.binding and asker is not None and asker != seat:
            landing = next((one for one in seen.landings if one.landing_id == debt.landing_id), None)
            if landing is not None:
                owns = seen.owners.get(landing.street) == asker
                yield asker, f"debt {debt.debt_id}", "overcharge" if owns else "squatter"
    for attempt in seen.attempts.values():
        if attempt.seat != seat:
            card = card_of(attempt.slip.effect, seen)
            if card is not None:
                yield attempt.seat, attempt.slip.since.isoformat(), card


def card_of(effect: MonopolyEffect, seen: State) -> str | None:
    """For which cheat that must have been; with free cheats about, for one of those if no card of it lies open."""
    card, free = _kind(effect, seen)
    if card in seen.open_cheats:
        return card
    return free if seen.options.meistermogler else card


def _kind(effect: MonopolyEffect, seen: State) -> tuple[str | None, str | None]:
    if effect.moved and effect.debt_id is not None:
        whole = effect.moved[0].amount == effect.rent
        return ("free_stay" if whole else "short_change"), "skip_payment"
    if effect.moved and effect.moved[0].from_ == POT:
        wages = "extra_go" in seen.open_cheats and effect.moved[0].amount == seen.data.cheat["extra_go"].limit
        return ("extra_go" if wages else "bank_heist"), "take_tray"
    for there, card, free in (
        (bool(effect.moved), "pickpocket", "take_player"),
        (len(effect.deeds) == 1, "deed_theft", "take_deed"),
        (len(effect.deeds) == 2, "deed_swap", None),
        (effect.hotel_on is not None, "free_hotel", "hotel_on"),
        (effect.hotel_off is not None, "demolition", "hotel_off"),
        (effect.cuff_off, "escape", None),
        (effect.token is not None, "identity", None),
        (effect.right is not None, "trick_dice", "wrong_move"),
        (effect.card is not None, "fake_chance", None),
    ):
        if there:
            return card, free
    return None, None


def choose(memory: Suspicions, seen: State, offers: Sequence[Offer], luck: Draw) -> PlayerAction | None:
    by_type: dict[str, list[Offer]] = {}
    for offer in offers:
        by_type.setdefault(offer.type.removeprefix(TAG), []).append(offer)
    said = _choose(memory, seen, by_type, luck)
    if said is None:
        return None
    kind, fields = said
    action: PlayerAction = msgspec.convert({"type": TAG + kind, **fields}, PlayerAction)
    return action


Said = tuple[str, dict[str, Any]]


def _choose(memory: Suspicions, seen: State, may: dict[str, list[Offer]], luck: Draw) -> Said | None:
    seat = memory.seat
    for part in (
        _accuse(memory, seen, may),
        _must(seen, seat, may, luck),
        _demand(may, luck),
        _trade(seen, seat, may, luck),
        _build(seen, seat, may),
        _look(seen, seat, may, luck),
        _cheat(seen, seat, may, luck),
        _turn(seen, seat, may),
    ):
        if part is not None:
            return part
    if "accept" in may:
        return "accept", _only(may["accept"][0])
    return None


def _only(offer: Offer, **chosen: Any) -> dict[str, Any]:
    """An action of this offer: what is chosen, and the first of what is left to choose."""
    said: dict[str, Any] = {}
    for name, bound in offer.fields.items():
        if name in chosen:
            said[name] = chosen[name]
        elif not getattr(bound, "optional", False):
            said[name] = _first(bound)
    return said


def _first(bound: Any) -> Any:
    match bound:
        case OneOf(values):
            return values[0]
        case Between(low):
            return low
        case Choose(things, fewest):
            return things[:fewest]
        case _:
            raise ValueError(bound)


def _accuse(memory: Suspicions, seen: State, may: dict[str, list[Offer]]) -> Said | None:
    if "accuse" not in may:
        return None
    target = may["accuse"][0].fields["target"]
    assert isinstance(target, OneOf)
    for suspect, act, card in evidence(seen, memory.seat):
        if suspect in target.one_of and (suspect, act) not in memory.raised:
            return "accuse", {"target": suspect, "card": card}
    return None


def _must(seen: State, seat: Seat, may: dict[str, list[Offer]], luck: Draw) -> Said | None:
    """Votes, debts, auctions, and where to put a cheater's token."""
    if "vote" in may:
        asked = seen.accusation
        guilty = asked is not None and any(
            suspect == asked.target and card == asked.card for suspect, _, card in evidence(seen, seat)
        )
        return "vote", _only(may["vote"][0], guilty=guilty)
    if "place" in may:
        return "place", {"square": _worst_square(seen, seat)}
    for debt in seen.debts:
        if debt.debtor == seat and debt.binding:
            if debt.amount >= 40 and (halved := _halving(may, debt.debt_id)) is not None:
                return halved
            cheated = _not_paying(may, debt.amount, luck)
            if cheated is not None:
                return cheated
            break
    if "pay" in may:
        due = {debt.debt_id for debt in seen.debts if debt.binding}
        for offer in may["pay"]:
            if _first(offer.fields["debt_id"]) in due:
                return "pay", _only(offer)
    if "pay_right" in may:
        return "pay_right", _only(may["pay_right"][0])
    if "sell_to_bank" in may:
        streets = may["sell_to_bank"][0].fields["street"]
        assert isinstance(streets, OneOf)
        return "sell_to_bank", {"street": min(map(str, streets.one_of), key=lambda s: worth(seen, seat, s))}
    if "declare_bankrupt" in may:
        return "declare_bankrupt", {}
    return _bid(seen, seat, may)


def _halving(may: dict[str, list[Offer]], debt_id: int) -> Said | None:
    for offer in may.get("use_card", ()):
        if "debt_id" in offer.fields and _first(offer.fields["debt_id"]) == debt_id:
            return "use_card", _only(offer)
    return None


def _not_paying(may: dict[str, list[Offer]], amount: int, luck: Draw) -> Said | None:
    """Now and then what is owed is not quite what is paid."""
    for offer in may.get("cheat", ()):
        card = _first(offer.fields["card"])
        if card == "free_stay" and amount >= 60 and luck.below(2) == 0:
            return "cheat", _only(offer)
        if card == "short_change" and luck.below(3) == 0:
            bound = offer.fields["amount"]
            assert isinstance(bound, Between)
            return "cheat", _only(offer, amount=bound.max)
    return None


def _worst_square(seen: State, seat: Seat) -> int:
    """As far from LOS as possible, on the dearest of one's own streets if there is one."""
    own = streets_of(seen, seat)
    return seen.data.streets[own[-1]] if own else 1


def worth(seen: State, seat: Seat, street: str) -> int:
    """What a street is worth to a seat: rents to come, and the last one; more where the group grows together."""
    printed = deed(seen, street)
    group = seen.data.groups[printed.group]
    mine = sum(seen.owners.get(other) == seat for other in group if other != street)
    rents = 2 * max(1, len(seen.walking) - 1) if not seen.sold_out else 2
    base = printed.hotel if street in seen.hotels else printed.base
    completes = mine == len(group) - 1
    return (base * rents) * (3 if completes else 2) // 3 + (printed.full_group * len(group) if completes else 0)


def _bid(seen: State, seat: Seat, may: dict[str, list[Offer]]) -> Said | None:
    auction = seen.auction
    if auction is None or ("bid" not in may and "pass_bid" not in may):
        return None
    hotel = auction.lot.startswith("hotel:")
    limit = 200 if hotel else min(worth(seen, seat, auction.lot), deed(seen, auction.lot).base * 3)
    limit = min(limit, believed(seen, seat) - RESERVE)
    if "bid" in may and auction.bidder != seat:
        bound = may["bid"][0].fields["amount"]
        assert isinstance(bound, Between)
        if bound.min <= limit:
            return "bid", _only(may["bid"][0])
    if "pass_bid" in may:
        return "pass_bid", _only(may["pass_bid"][0])
    return None


def _demand(may: dict[str, list[Offer]], luck: Draw) -> Said | None:
    """What is due; once in a while twice as much, in the hope that nobody looks the deed up."""
    dear = [offer for offer in may.get("cheat", ()) if _first(offer.fields["card"]) == "overcharge"]
    if dear and luck.below(12) == 0:
        return "cheat", _only(dear[0], amount=_most(dear[0].fields["amount"]))
    return ("demand_rent", _only(may["demand_rent"][0])) if "demand_rent" in may else None


def _trade(seen: State, seat: Seat, may: dict[str, list[Offer]], luck: Draw) -> Said | None:
    for offer in may.get("accept_trade", ()):
        trade_id = _first(offer.fields["trade_id"])
        trade = next(trade for trade in seen.trades if trade.trade_id == trade_id)
        if _good(seen, seat, trade):
            return "accept_trade", _only(offer)
    for offer in may.get("withdraw_trade", ()):
        trade_id = _first(offer.fields["trade_id"])
        if any(trade.trade_id == trade_id and trade.to == seat for trade in seen.trades):
            return "withdraw_trade", _only(offer)
    if luck.below(3):
        return None
    for offer in may.get("offer_trade", ()):
        wanted = offer.fields.get("want")
        cash = offer.fields.get("give_cash")
        if not isinstance(wanted, Choose) or not isinstance(cash, Between):
            continue
        for street in wanted.choose:
            price = deed(seen, street).price * 3 // 20 * 10 + 20
            completes = _completes(seen, seat, street)
            if completes and price <= min(cash.max, believed(seen, seat) - RESERVE):
                return "offer_trade", _only(offer, want=(street,), give=(), give_cash=price)
    return None


def _completes(seen: State, seat: Seat, street: str) -> bool:
    group = seen.data.groups[deed(seen, street).group]
    return all(seen.owners.get(other) == seat for other in group if other != street)


def _good(seen: State, seat: Seat, trade: MonopolyTrade) -> bool:
    """Worth more than it costs, by a clear margin."""
    got = sum(worth(seen, seat, street) for street in trade.give) + (trade.give_cash or 0)
    given = sum(worth(seen, seat, street) for street in trade.want) + (trade.want_cash or 0)
    return got > given + given // 4 + 20 and (trade.want_cash or 0) <= believed(seen, seat) - RESERVE


def _build(seen: State, seat: Seat, may: dict[str, list[Offer]]) -> Said | None:
    if "buy_hotel" not in may or (seen.sold_out and len(seen.walking) <= 2):
        return None
    streets = may["buy_hotel"][0].fields["street"]
    assert isinstance(streets, OneOf)
    dear = max(map(str, streets.one_of), key=lambda street: deed(seen, street).hotel)
    if believed(seen, seat) - deed(seen, dear).hotel_price < RESERVE:
        return None
    return "buy_hotel", {"street": dear}


def _look(seen: State, seat: Seat, may: dict[str, list[Offer]], luck: Draw) -> Said | None:
    """Somewhere else now and then: the tray most of all."""
    if "watch" not in may or luck.below(4):
        return None
    others = [purse(other) for other in seen.playing if other != seat]
    zones = [zone for zone in ("tray", "tray", "dice", "dice", *others) if zone != seen.gazes[seat].zone]
    return ("watch", {"zone": luck.pick(zones)}) if zones else None


def _cheat(seen: State, seat: Seat, may: dict[str, list[Offer]], luck: Draw) -> Said | None:
    """What pays, counting who might look; and rarely what does not, for a table that never cheats looks nowhere."""
    tries: list[Said] = []
    for offer in (*may.get("cheat", ()), *may.get("free_cheat", ())):
        fields = _how_to_cheat(seen, seat, offer, luck)
        if fields is not None and luck.below(4 if _pays(seen, fields) else RECKLESS) == 0:
            tries.append((offer.type.removeprefix(TAG), fields))
    return luck.pick(tries) if tries else None


def _pays(seen: State, fields: dict[str, Any]) -> bool:
    """Whether what it brings outweighs the penalty, if the others look around as this seat does."""
    card = str(fields.get("card") or fields["kind"])
    zones, gain = SHOWS.get(card, (1, 100))
    penalty = seen.data.cheat[card].penalty if card in seen.data.cheat else None
    loss = (
        260 if penalty is None else penalty.bank + penalty.victim + 60 * penalty.jail + 100 * (penalty.also is not None)
    )
    gain = max(gain, fields.get("amount") or 0, _street_worth(seen, fields))
    unseen = (1 - zones / (4 + len(seen.playing))) ** (len(seen.playing) - 1)
    return gain * unseen > loss * (1 - unseen)


def _street_worth(seen: State, fields: dict[str, Any]) -> int:
    street = fields.get("street")
    return deed(seen, street).hotel if isinstance(street, str) else 0


def _how_to_cheat(seen: State, seat: Seat, offer: Offer, luck: Draw) -> dict[str, Any] | None:
    """The most that the card allows; None: it would be seen by all, or brings nothing."""
    fields: Fields = offer.fields
    card = str(_first(fields.get("card") or fields["kind"]))
    match card:
        case "bank_heist" | "take_tray":
            return _only(offer, amount=_most(fields["amount"]))
        case "pickpocket" | "take_player":
            target = max(_values(fields["target"]), key=lambda other: seen.ledger[purse(Seat(other))])
            return _only(offer, target=target, amount=_most(fields["amount"]))
        case "deed_theft" | "take_deed":
            street = max(_values(fields["street"]), key=lambda street: worth(seen, seat, street))
            return _only(offer, street=street)
        case "deed_swap":
            street = max(_values(fields["street"]), key=lambda street: worth(seen, seat, street))
            give = min(_values(fields["give"]), key=lambda street: worth(seen, seat, street))
            return (
                _only(offer, street=street, give=give) if worth(seen, seat, street) > worth(seen, seat, give) else None
            )
        case "free_hotel" | "hotel_on" | "demolition" | "hotel_off":
            return _only(offer, street=max(_values(fields["street"]), key=lambda street: deed(seen, street).hotel))
        case "trick_dice" | "wrong_move":
            return _false_move(seen, seat, offer)
        case "fake_chance":
            return _best_story(seen, offer)
        case "identity":
            return _only(offer, target=luck.pick(_values(fields["target"])))
        case "escape" | "extra_go":
            return _only(offer)
        case "squatter" if luck.below(6) == 0:  # whoever knows the deeds sees it
            return _only(offer, amount=_most(fields["amount"]))
        case _:
            return None


def _values(bound: Any) -> list[Any]:
    assert isinstance(bound, OneOf)
    return list(bound.one_of)


def _most(bound: Any) -> int:
    assert isinstance(bound, Between)
    return bound.min + (bound.max - bound.min) // bound.step * bound.step


def _false_move(seen: State, seat: Seat, offer: Offer) -> dict[str, Any] | None:
    """To where it pays; as even as a double is, or all would see it."""
    double = len({*seen.throw}) == 1
    best, where = 0, None
    for distance in _values(offer.fields["distance"]):
        if (double and distance % 2) or (not double and distance in (2, 12)):
            continue
        gain = _gain(seen, seat, (seen.tokens[seat] + distance) % 36)
        if gain > best:
            best, where = gain, distance
    here = _gain(seen, seat, (seen.tokens[seat] + sum(seen.throw)) % 36)
    return _only(offer, distance=where) if where is not None and best > here + 50 else None


def _gain(seen: State, seat: Seat, square: int) -> int:
    street = seen.data.board[square].street
    if street is None:
        return -100 if seen.data.board[square].kind == "go_to_jail" else 10
    owner = seen.owners.get(street)
    if owner is None:
        price = deed(seen, street).price
        return worth(seen, seat, street) - price if believed(seen, seat) - price >= RESERVE else 0
    return 0 if owner == seat else -deed(seen, street).full_group


def _best_story(seen: State, offer: Offer) -> dict[str, Any] | None:
    def money(card: str) -> int:
        effect = seen.data.cards[card].effect
        return effect.amount if isinstance(effect, Cash | Contest) else 0

    best = max(_values(offer.fields["read"]), key=money)
    mine = money(seen.drawn) if seen.drawn is not None else 0
    return _only(offer, read=best) if money(best) > mine + 40 else None


def _turn(seen: State, seat: Seat, may: dict[str, list[Offer]]) -> Said | None:
    if "buy" in may and isinstance(seen.phase, ToBuy):
        price = deed(seen, seen.phase.street).price
        if (
            believed(seen, seat) - price >= min(RESERVE, price) // 2
            and worth(seen, seat, seen.phase.street) >= price // 2
        ):
            return "buy", {}
        return "decline", {}
    if "use_card" in may and seen.drawn is not None and seen.turn.seat == seat:
        for offer in may["use_card"]:
            if _first(offer.fields["card"]) == seen.drawn and seen.data.cards[seen.drawn].kind == "now":
                bribe = {"bribe": True} if "bribe" in offer.fields else {}
                return "use_card", {**_only(offer), **bribe}
    if "return_card" in may:
        return "return_card", _only(may["return_card"][0])
    if "jail_card" in may:
        return "jail_card", _only(may["jail_card"][0])
    if "jail_pay" in may and believed(seen, seat) > 2 * RESERVE:
        return "jail_pay", {}
    if "use_card" in may and (sent := _hamper(seen, may["use_card"])) is not None:
        return sent
    for kind in ("keep_card", "choose_deck", "decline", "move", "roll", "jail_roll", "pass_tray"):
        if kind in may and not (kind == "move" and not isinstance(seen.phase, ToMove)):
            return kind, _only(may[kind][0])
    return None


def _hamper(seen: State, offers: Sequence[Offer]) -> Said | None:
    """Who is richest goes to jail."""
    for offer in offers:
        card = seen.data.cards[str(_first(offer.fields["card"]))]
        if "target" in offer.fields and "other" not in offer.fields and not isinstance(card.effect, JailFree):
            target = max(_values(offer.fields["target"]), key=lambda other: seen.ledger[purse(Seat(other))])
            return "use_card", _only(offer, target=target)
    return None
