"""Nobody is told what he did not see, by no event, number, offer or refusal; and what tells that is itself tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.games.monopoly import offers as offers_module
from domain.games.monopoly.actions import UseCard
from domain.games.monopoly.decider import decide
from domain.games.monopoly.events import (
    BidPlaced,
    CardDrawn,
    CardKept,
    CardRead,
    Caught,
    Event,
    Moved,
    Paid,
    RentDemanded,
    Slipped,
    Succeeded,
    Threw,
    TradeClosed,
    TradeMade,
    TradeOffered,
    Undone,
    Watched,
)
from domain.games.monopoly.evolve import evolve
from domain.games.monopoly.house import awaits
from domain.games.monopoly.offers import offers
from domain.games.monopoly.options import MonopolyOptions
from domain.games.monopoly.phases import MonopolyTurn
from domain.games.monopoly.state import CARD_BACK, POT, State, cash, purse, seat_of
from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Command, Refused, Seat, fold
from projections.catalogue import CATALOGUE
from projections.views.monopoly.redacting import FIELDS, redact
from projections.views.monopoly.viewing import view
from projections.views.seam import Sees, Viewer
from tests.any_game import Step, said, walk
from tests.domain.monopoly.table import (
    ANNA,
    BEN,
    CARA,
    after,
    by,
    cheats,
    holding,
    owning,
    rolls,
    table,
    told,
    watches,
    watching,
)

Redact = Callable[[Event, Viewer], Event | None]
SOME = range(14)


@cache
def match(number: int) -> tuple[Step, ...]:
    options = MonopolyOptions(
        attention="open" if number % 7 == 6 else "watch",
        proof="vote" if number % 3 == 2 else "house",
        meistermogler=number % 2 == 1,
        max_turns=30,
        min_catch=600 if number % 2 else 10,
    )
    return tuple(
        walk(CATALOGUE["monopoly-cheaters"], 2 + number % 5, 900 + number, options=options, leavers=number % 5 == 4)
    )


# ── the table of fields ─────────────────────────────────────────────────────────────────────────


def test_what_stands_inside_a_public_field_is_public_too() -> None:
    """12.1: who adds a field to these must think of that here."""
    assert MonopolyTurn.__struct_fields__ == ("number", "seat", "doubles", "again")


def told_wrongly(tell: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """A field, or an event, that is told otherwise than the table says; None: there is none."""
    for number in numbers:
        for step in match(number):
            for event in step.events:
                for viewer in step.seen:
                    wrong = _wrong(event, tell(event, viewer), viewer)
                    if wrong is not None:
                        return f"{number} {viewer} {wrong}"
    return None


def _wrong(event: Event, seen: Event | None, viewer: Viewer) -> str | None:
    tag = str(event.__struct_config__.tag)
    if seen is None:
        return None if not _concerns(event, viewer) else f"{tag} is kept from him"
    for field, sees in FIELDS[tag].items():
        if getattr(seen, field) != _as_told(event, field, sees, viewer):
            return f"{tag}.{field}"
    return f"{tag} is told" if not _concerns(event, viewer) else None


def _concerns(event: Event, viewer: Viewer) -> bool:
    """Whether he is told at all."""
    match event:
        case Slipped(seat, witnesses=witnesses) | Undone(seat, witnesses=witnesses):
            return viewer == seat or _saw(witnesses, viewer)
        case Watched(seat):
            return viewer == seat
        case TradeOffered(trade):
            return not trade.private or viewer in (trade.seat, trade.to)
        case TradeClosed(seat=seat, to=to, private=private):
            return not private or viewer in (seat, to)
        case _:
            return True


def _saw(witnesses: tuple[Seat, ...], viewer: Viewer) -> bool:
    return viewer in witnesses or HOUSE in witnesses


def _as_told(event: Any, field: str, sees: Sees, viewer: Viewer) -> Any:
    value = getattr(event, field)
    actor = seat_of(event.debt.creditor) if isinstance(event, RentDemanded) else getattr(event, "seat", None)
    mine = viewer is not None and viewer == actor
    if field == "witnesses":
        own = HOUSE if viewer is None else viewer
        return (own,) if _saw(value, viewer) else ()
    if field == "felt":
        return value if viewer is not None and viewer == event.victim else None
    match sees:
        case Sees.ALL:
            return value
        case Sees.ACTOR:
            return value if mine else CARD_BACK if field == "card" else None
        case Sees.WATCHERS:
            if mine:
                return value
            hidden = {"dice": (), "card": CARD_BACK}.get(field)
            if not _saw(event.witnesses, viewer):
                return hidden
            return replace(value, card=None) if field == "slip" and value is not None else value
        case Sees.PARTIES:
            return _to_parties(event, field, value, viewer)
        case _:
            raise AssertionError(sees)


def _to_parties(event: Any, field: str, value: Any, viewer: Viewer) -> Any:
    if field == "cards":
        inherits = viewer is not None and viewer in (event.seat, seat_of(event.heir))
        return value if inherits else (CARD_BACK,) * len(value)
    if field == "unseen" and hasattr(event, "heir"):
        inherits = viewer is not None and viewer in (event.seat, seat_of(event.heir))
        return value if inherits or event.heir == POT else None
    if isinstance(event, TradeMade) and event.trade.private and viewer not in (event.trade.seat, event.trade.to):
        return () if field == "unseen" else replace(value, give_cash=None, want_cash=None)
    return value


def test_fields_are_told_as_the_table_says() -> None:
    """12.1, 12.2, 12.3, 12.5, 9.14"""
    assert told_wrongly(redact) is None


def test_what_is_looked_at_here_is_nearly_every_kind_of_event() -> None:
    seen = {type(event) for number in SOME for step in match(number) for event in step.events}

    assert len(set(get_args(Event)) - seen) <= 8
    assert {Slipped, Undone, Watched, TradeOffered, TradeMade, Paid, Moved, Threw} <= seen


# ── offers and refusals know no more than the seat ──────────────────────────────────────────────


def offered_beyond_sight(numbers: Iterable[int] = SOME) -> str | None:
    """Where the true board would be offered otherwise than the seat's own fold; None: nowhere."""
    for number in numbers:
        for step in match(number):
            for viewer, own in step.seen.items():
                if viewer is not None and offers(own, viewer) != offers(step.after, viewer):
                    return f"{number} {viewer}"
                if awaits(own) != awaits(step.after):
                    return f"{number} {viewer} awaits"
    return None


def test_offers_and_who_is_awaited_are_functions_of_the_own_view() -> None:
    """12.3"""
    assert offered_beyond_sight() is None


def test_an_offer_that_knows_the_true_purse_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers_module, "believed", lambda state, seat: cash(state, purse(seat)))

    assert offered_beyond_sight(range(1, 60, 2)) is not None


# ── two histories that differ only in an act that was not seen ──────────────────────────────────


class Twin(Struct, frozen=True):
    """The same moment with and without the act. ``fresh``: who has not seen it yet."""

    mine: State
    twins: State
    my_events: tuple[Event, ...]
    twins_events: tuple[Event, ...]
    fresh: frozenset[Viewer]


def twins(steps: tuple[Step, ...], luck: Random, at: int) -> Iterator[Twin]:
    """The match once more, with one silent act put in before step ``at``, until something public comes of it."""
    state = steps[at].before
    moment = steps[at - 1].command.at
    who = luck.choice(state.playing)
    tried = [offer for offer in offers(state, who) if offer.type.endswith("cheat") and _silent(offer)]
    if not tried or isinstance(awaits(state), type(None)):
        return
    draw = Chance(b"", "twins", b"").bot(who, at)
    action = said(CATALOGUE["monopoly-cheaters"].game, luck.choice(tried), draw)
    try:
        events = decide(state, Command(who, moment, action))
    except Refused:
        return
    twin = fold(evolve, state, events)
    if twin.attempts.keys() == state.attempts.keys():
        return
    effect = twin.attempts[who].slip.effect
    (slipped,) = events
    assert isinstance(slipped, Slipped)
    fresh: frozenset[Viewer] = frozenset(
        viewer for viewer in steps[0].seen if viewer != who and not _saw(slipped.witnesses, viewer)
    )
    yield Twin(state, twin, (), events, fresh)
    for step in steps[at:]:
        if step.command.by == who and type(step.command.action).__name__ in ("Cheat", "FreeCheat"):
            return  # one at a time
        try:
            again = decide(twin, step.command)
        except Refused:
            return
        if _kinds(again) != _kinds(step.events) or _announced(again) != _announced(step.events):
            return  # it is out, or the truth stood in somebody's way, and everybody sees what came of it
        for event in step.events:
            if isinstance(event, Watched) or getattr(event, "purse", None) is not None:
                fresh -= {event.seat}
            if isinstance(event, Slipped) and event not in again:  # another thief found it gone
                fresh -= {event.seat, *event.witnesses}
        twin = fold(evolve, twin, again)
        yield Twin(step.after, twin, step.events, again, fresh)
        if effect != twin.attempts[who].slip.effect if who in twin.attempts else True:
            return


def _kinds(events: tuple[Event, ...]) -> list[type[Event]]:
    """What becomes public, in order."""
    return [type(event) for event in events if not isinstance(event, Undone)]


def _announced(events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if isinstance(event, Succeeded | Caught)]


def _silent(offer: Any) -> bool:
    card = (offer.fields.get("card") or offer.fields["kind"]).one_of[0]
    return card in (
        "bank_heist",
        "pickpocket",
        "extra_go",
        "escape",
        "deed_theft",
        "deed_swap",
        "demolition",
        "free_hotel",
        "take_tray",
        "take_player",
        "hotel_on",
        "hotel_off",
        "take_deed",
    )


def leak(tell: Redact, numbers: Iterable[int] = SOME) -> str | None:
    """Where somebody who did not look could tell a match from its twin; None: nowhere."""
    luck, compared = Random(3), 0
    for number in numbers:
        steps = match(number)
        if steps[0].before.options.attention == "open":
            continue
        for at in range(9, len(steps) - 1, 7):
            for twin in twins(steps, luck, at):
                for viewer in twin.fresh:
                    mine, others = (_heard(tell, events, viewer) for events in (twin.my_events, twin.twins_events))
                    compared += 1
                    if mine != others:
                        return f"{number} {at} {viewer} {mine!r} {others!r}"
    assert compared > 2_000, "the twins were hardly compared"
    return None


def _heard(tell: Redact, events: Iterable[Event], viewer: Viewer) -> bytes:
    told_him = [heard for event in events if (heard := tell(event, viewer)) is not None]
    return msgspec.json.encode(told_him)


def test_who_did_not_look_cannot_tell_a_theft_from_an_honest_table() -> None:
    """12.3, 6.1"""
    assert leak(redact) is None


def test_nor_by_what_he_is_offered_refused_or_waited_for() -> None:
    """12.3: also where the log itself is asked in his place."""
    luck, compared = Random(4), 0
    for number in SOME:
        steps = match(number)
        if steps[0].before.options.attention == "open":
            continue
        for at in range(6, len(steps) - 1, 7):
            for twin in twins(steps, luck, at):
                assert awaits(twin.mine) == awaits(twin.twins)
                for viewer in twin.fresh:
                    if viewer is None:
                        continue
                    compared += 1
                    assert offers(twin.mine, viewer) == offers(twin.twins, viewer)
    assert compared > 1_000


# ── what looks honest, where both are possible ──────────────────────────────────────────────────


def heard_by(viewer: Viewer, state: State, *commands: Command[Any]) -> tuple[bytes, bytes]:
    """The frames, and the view after them."""
    events = told(state, *commands)
    seen = fold(evolve, state, (heard for event in events if (heard := redact(event, viewer)) is not None))
    return _heard(redact, events, viewer), msgspec.json.encode(view(_as_fold(seen, viewer), viewer))


def _as_fold(seen: State, viewer: Viewer) -> State:
    """What the test's table knows by construction and the viewer was never told."""
    return seen


@pytest.mark.parametrize("watched", ["tray", "seat:2", "seat:1"])
def test_loaded_dice_look_like_another_throw(watched: str) -> None:
    """12.3: who does not watch the dice hears the same, the view included."""
    cards = ("trick_dice", "escape", "squatter", "overcharge", "extra_go")
    honest = watching(table((2, 3), cheats=cards), ben=watched)
    loaded = watching(table((1, 2), cheats=cards), ben=watched)
    from tests.domain.monopoly.table import moves

    commands_honest = (rolls(ANNA), moves(ANNA, 1))
    commands_loaded = (rolls(ANNA), cheats(ANNA, "trick_dice", 1, distance=5))

    assert heard_by(BEN, honest, *commands_honest) == heard_by(BEN, loaded, *commands_loaded)
    assert heard_by(None, honest, *commands_honest) == heard_by(None, loaded, *commands_loaded)


def test_a_mistaken_identity_looks_like_a_move() -> None:
    """12.3, 6.6"""
    from tests.domain.monopoly.table import moves

    state = watching(after(table((1, 2), cheats=("identity", "escape", "squatter")), rolls(ANNA)), ben="tray")

    assert heard_by(BEN, state, moves(ANNA)) == heard_by(BEN, state, cheats(ANNA, "identity", target=CARA))


def test_a_tall_story_looks_like_the_card_itself() -> None:
    """12.3"""
    cards = ("fake_chance", "escape", "squatter", "overcharge", "extra_go")
    true = watching(after(table((1, 1), chest=("cc_bonus",), cheats=cards), rolls(ANNA)), ben="tray")
    false = watching(after(table((1, 1), chest=("cc_go",), cheats=cards), rolls(ANNA)), ben="tray")

    assert (
        heard_by(BEN, true, by(ANNA, UseCard("cc_bonus")))[0]
        == heard_by(BEN, false, cheats(ANNA, "fake_chance", read="cc_bonus"))[0]
    )


def test_a_false_demand_is_told_without_saying_that_it_is_one() -> None:
    """6.2, 6.5: anyone who knows the deeds sees it."""
    state = after(owning(table((1, 2), cheats=("overcharge",)), CARA, "turmstrasse"), rolls(ANNA))
    (event,) = told(state, cheats(CARA, "overcharge", landing_id=0, amount=60))
    assert isinstance(event, RentDemanded)
    heard = redact(event, BEN)

    assert isinstance(heard, RentDemanded)
    assert (heard.slip, heard.debt) == (None, event.debt)


def test_what_lay_there_on_arrival_is_seen_rough_and_ones_own_exactly() -> None:
    """6.3"""
    state = after(table((1, 2), cheats=("bank_heist",)), cheats(CARA, "bank_heist", amount=470))
    for zone, cash_there in (("tray", 15_000), ("seat:2", 1_900), ("seat:1", 1_500)):
        (event,) = told(state, watches(BEN, zone, 1))
        assert isinstance(event, Watched)
        assert event.sight.cash == cash_there


def test_who_arrives_after_the_deed_does_not_see_it_done() -> None:
    """6.3: but what lies there now."""
    state = owning(table((1, 2), cheats=("deed_theft",)), ANNA, "schlossallee")
    state = after(state, cheats(CARA, "deed_theft", street="schlossallee"))
    events = told(state, watches(BEN, "seat:0", 1))
    seen = fold(evolve, replace(state, attempts={}), (heard for e in events if (heard := redact(e, BEN)) is not None))

    assert seen.attempts == {}
    sight = seen.gazes[BEN].seen
    assert sight is not None
    assert "schlossallee" not in sight.deeds


def test_one_looks_elsewhere_at_most_every_ten_seconds() -> None:
    """6.3"""
    state = after(table((1, 2)), watches(BEN, "tray", 1))
    with pytest.raises(Refused, match="too_early"):
        told(state, watches(BEN, "dice", 10.9))

    assert told(state, watches(BEN, "dice", 11))


def test_who_watches_what_is_told_to_nobody_else() -> None:
    """12.5"""
    (event,) = told(table((1, 2)), watches(BEN, "tray"))

    assert [redact(event, viewer) for viewer in (ANNA, CARA, None)] == [None, None, None]
    assert redact(event, BEN) == event


def test_witnesses_are_told_of_themselves_alone() -> None:
    """12.5"""
    state = watching(table((1, 2), cheats=("bank_heist",)), ben="tray", anna="tray")
    (event,) = told(state, cheats(CARA, "bank_heist", amount=10))
    assert isinstance(event, Slipped)
    assert event.witnesses == (ANNA, BEN, CARA)
    heard = redact(event, BEN)

    assert isinstance(heard, Slipped)
    assert (heard.witnesses, heard.slip.card) == ((BEN,), None)


def test_a_held_card_is_seen_by_its_seat() -> None:
    """12.2"""
    state = holding(table((1, 2)), ANNA, "ch_send")
    seen = replace(state, kept=({"chance": CARD_BACK}, {}, {}))

    assert view(state, ANNA).own is not None
    assert view(state, ANNA).own.cards == ("ch_send",)  # type: ignore[union-attr]
    assert (view(seen, BEN).held[ANNA], view(seen, BEN).own.cards) == (("chance",), ())  # type: ignore[union-attr]


def test_ids_have_no_gaps_that_a_private_offer_could_leave() -> None:
    """12.3, 9.14"""
    from domain.games.monopoly.actions import OfferTrade

    state = owning(table((1, 2)), ANNA, "badstrasse")
    private = by(ANNA, OfferTrade(BEN, give=("badstrasse",), want_cash=10, private=True))
    public = by(ANNA, OfferTrade(CARA, give=("badstrasse",), want_cash=10), 10)
    heard = _heard(redact, told(after(state, private), public), CARA)

    assert heard == _heard(redact, told(state, public), CARA)


# ── the guards themselves ───────────────────────────────────────────────────────────────────────


def _shows(kind: type[Any], *fields: str, to: Callable[[Any, Viewer], bool] = lambda event, viewer: True) -> Redact:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        heard = redact(event, viewer)
        if isinstance(event, kind) and heard is not None and to(event, viewer):
            return replace(heard, **{field: getattr(event, field) for field in fields})
        return heard

    return mutant


def _tells(kind: type[Any]) -> Redact:
    return lambda event, viewer: event if isinstance(event, kind) else redact(event, viewer)


MUTANTS: dict[str, Redact] = {
    "tells everything": lambda event, viewer: event,
    "tells of silent acts": _tells(Slipped),
    "tells of silent acts to spectators": lambda event, viewer: (
        event if isinstance(event, Slipped) and viewer is None else redact(event, viewer)
    ),
    "tells who watches what": _tells(Watched),
    "tells of private offers": _tells(TradeOffered),
    "tells what was undone": _tells(Undone),
    "shows the pips": _shows(Threw, "dice"),
    "shows who looked": _shows(Moved, "witnesses"),
    "shows what was not paid": _shows(Paid, "slip"),
    "shows purses": _shows(Paid, "purse"),
    "shows a bidder's purse": _shows(BidPlaced, "purse", to=lambda event, viewer: viewer is None),
    "shows drawn cards": _shows(CardDrawn, "card"),
    "shows kept cards": _shows(CardKept, "card", to=lambda event, viewer: viewer == (event.seat + 1) % 2),
    "shows the card under a story": _shows(CardRead, "card"),
    "shows private prices": _shows(TradeMade, "trade", "unseen"),
    "shows that a demand is false": _shows(RentDemanded, "slip"),
    "names the card to witnesses": _shows(Slipped, "slip"),
    "shows all witnesses": _shows(Slipped, "witnesses"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_redaction_that_tells_too_much_is_caught(mutant: str) -> None:
    assert told_wrongly(MUTANTS[mutant], range(40)) is not None


@pytest.mark.parametrize("mutant", ["tells everything", "tells of silent acts", "tells of silent acts to spectators"])
def test_a_theft_that_is_told_is_caught_by_the_twins(mutant: str) -> None:
    assert leak(MUTANTS[mutant], range(4)) is not None


@pytest.mark.parametrize("kind", [Slipped, Undone, Watched, TradeOffered])
def test_a_redaction_that_tells_too_little_is_caught(kind: type[Event]) -> None:
    def mutant(event: Event, viewer: Viewer) -> Event | None:
        return None if isinstance(event, kind) else redact(event, viewer)

    assert told_wrongly(mutant, range(40)) is not None
