"""What holds in every match of every game, whoever plays and whatever was agreed."""

from __future__ import annotations

import importlib
import pkgutil
from datetime import timedelta
from enum import StrEnum
from functools import cache
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from domain.kernel.chance import Chance
from domain.kernel.game import HOUSE, Answers, AnyGame, Command, HouseNow, OptionsConflict, Over, Refused, Seat, fold
from domain.kernel.hindsight import Hindsight
from domain.kernel.reasons import Reason as KernelReason
from projections.catalogue import CATALOGUE
from projections.views.seam import AnyView
from tests.any_game import (
    A_MOMENT,
    Step,
    action_types,
    answer,
    any_options,
    event_types,
    eyes,
    luck_of,
    play_out,
    said,
    some_options,
    tag,
    told,
    walk,
)
from tests.games import KNOWN, Stacked
from tests.projections.secrecy import NAMES

SOME: Final = range(12)

games = pytest.mark.parametrize("game", CATALOGUE)
some = pytest.mark.parametrize("number", SOME)


def seats_of(view: AnyView, number: int) -> int:
    fewest, most = view.game.seats
    return fewest + number % (most - fewest + 1)


@cache
def match(game: str, number: int) -> tuple[Step, ...]:
    view = CATALOGUE[game]
    return tuple(walk(view, seats_of(view, number), number, leavers=number % 4 == 3, doubt=3 + number))


@games
def test_whatever_options_exclude_each_other_it_is_said_what_would_do(game: str) -> None:
    view, luck = CATALOGUE[game], luck_of(1)
    found = set()
    for _ in range(1000):
        try:
            view.game.check(any_options(view.game, luck))
        except OptionsConflict as clash:
            found.add((clash.first, clash.second))

    assert found == view.conflicts.keys()
    for words in view.conflicts.values():
        assert words["en"].endswith(".")
        assert words["de"].endswith(".")
        assert words["en"] != words["de"]


@games
@some
def test_everybody_finishes(game: str, number: int) -> None:
    seats, end = seats_of(CATALOGUE[game], number), CATALOGUE[game].game.awaits(match(game, number)[-1].after)

    assert isinstance(end, Over)
    assert end.winners
    assert set(end.winners) <= set(range(seats))
    assert len(end.scores) in (0, seats)


@games
@some
def test_the_log_survives_storage(game: str, number: int) -> None:
    """Every event as its bytes and back; and what was stored folds to the same end."""
    steps, kind = match(game, number), CATALOGUE[game].game
    happened = [event for step in steps for event in step.events]
    stored = [msgspec.json.encode(event) for event in happened]
    read = [msgspec.json.decode(event, type=kind.event) for event in stored]

    assert read == happened
    assert fold(kind.evolve, steps[0].before, read) == steps[-1].after


@games
@some
def test_the_house_decides_the_same_when_it_is_asked_again(game: str, number: int) -> None:
    """A retried append draws the same."""
    kind, chance = CATALOGUE[game].game, Chance(number.to_bytes(32, "big"), f"{number:036d}", b"")
    for step in match(game, number):
        if step.command.by == HOUSE and isinstance(kind.awaits(step.before), HouseNow):
            assert kind.house(step.before, chance).action == step.command.action
            assert kind.decide(step.before, step.command) == step.events


@games
@some
def test_in_hindsight_luck_gives_what_happened(game: str, number: int) -> None:
    """Who does not know the seed yet can see that what was drawn could be drawn, and what had to come of it."""
    for step in match(game, number):
        assert _in_hindsight(CATALOGUE[game].game, step) == step.events


@pytest.mark.parametrize("game, stacked", [(game, one) for game, known in KNOWN.items() for one in known.stacked])
def test_in_hindsight_luck_gives_what_happened_where_it_was_arranged(game: str, stacked: Stacked) -> None:
    view = CATALOGUE[game]
    options = msgspec.convert(stacked.options, view.game.options)
    deal = msgspec.convert(stacked.deal, view.game.deal)
    view.game.check(options)
    view.game.check_deal(options, stacked.seats, deal)
    for number in SOME:
        for step in walk(view, stacked.seats, number, options=options, deal=deal, leavers=number % 4 == 3):
            assert _in_hindsight(view.game, step) == step.events


@games
def test_all_that_can_be_arranged_is_arranged_once_and_left_to_luck_once(game: str) -> None:
    """But for what every deal must say."""
    deal: type[msgspec.Struct] | None = CATALOGUE[game].game.deal
    for field in () if deal is None else structs.fields(deal):
        said = {field.name in stacked.deal for stacked in KNOWN[game].stacked}
        assert said == ({True} if field.required else {True, False}), field.name


def _in_hindsight(kind: AnyGame, step: Step) -> tuple[Any, ...]:
    """What happens again where the House acted of itself; else what happened."""
    if step.command.by != HOUSE or _is_vacant(kind, step.command.action):
        return step.events
    luck = Hindsight(kind.drawn(step.before, step.events[0]))
    return kind.decide(step.before, Command(HOUSE, step.command.at, kind.house(step.before, luck).action))


def _is_vacant(kind: AnyGame, action: Any) -> bool:
    """Somebody went for good, which the House does not know by itself."""
    return type(action) is type(kind.vacate(Seat(0)))


@games
@some
def test_who_is_waited_for_can_do_something_and_sees_that_he_can(game: str, number: int) -> None:
    """What breaks 8 and 15: nobody waits for who has no button to press."""
    kind = CATALOGUE[game].game
    for step in match(game, number):
        awaited = kind.awaits(step.after)
        if isinstance(awaited, Answers):
            assert awaited.seats
            for seat in awaited.seats:
                assert kind.offers(step.seen[seat], seat), (seat, step.after)
                own = kind.awaits(step.seen[seat])
                assert isinstance(own, Answers)
                assert seat in own.seats


@games
@some
def test_whatever_fits_an_offer_is_accepted(game: str, number: int) -> None:
    """At the first moment of which the offer speaks, and at the last."""
    kind, luck = CATALOGUE[game].game, luck_of(number)
    for step in match(game, number):
        if not isinstance(kind.awaits(step.after), Answers):
            continue
        for viewer, own in step.seen.items():
            for offer in () if viewer is None else kind.offers(own, viewer):
                assert viewer is not None
                first = max(step.command.at, offer.not_before or step.command.at)
                last = first + timedelta(days=1) if offer.until is None else offer.until - A_MOMENT
                for at in (first, last):
                    if first <= at and (offer.until is None or at < offer.until):
                        assert kind.decide(step.after, Command(viewer, at, said(kind, offer, luck)))


@games
@some
def test_what_one_is_told_holds_nothing_more_to_hide(game: str, number: int) -> None:
    view = CATALOGUE[game]
    for step in match(game, number):
        for viewer in step.seen:
            heard = told(view, step.events, viewer)
            assert told(view, heard, viewer) == heard


@games
@some
def test_an_event_has_its_sentence_in_both_languages(game: str, number: int) -> None:
    view = CATALOGUE[game]
    for step in match(game, number):
        for viewer in step.seen:
            for event in told(view, step.events, viewer):
                english, german = (view.narrate(event, language, lambda seat: NAMES[seat]) for language in ("en", "de"))
                assert english.endswith((".", "!", "?", ")"))
                assert german.endswith((".", "!", "?", ")"))
                assert english != german


@games
@some
def test_a_view_is_what_its_type_says_and_does_not_grow_with_the_match(game: str, number: int) -> None:
    view, steps = CATALOGUE[game], match(game, number)
    sizes = []
    for step in steps:
        for viewer, own in step.seen.items():
            shown = view.view(own, viewer)
            encoded = msgspec.json.encode(shown)
            assert msgspec.json.decode(encoded, type=view.view_type) == shown
            sizes.append(len(encoded))
    half = len(sizes) // 2
    assert max(sizes[half:]) <= 3 * max(sizes[:half]) + 2_000


@games
def test_every_event_and_every_field_is_in_the_table_and_no_other(game: str) -> None:
    view = CATALOGUE[game]
    fields = {tag(kind): tuple(field.name for field in structs.fields(kind)) for kind in event_types(view.game)}

    assert {kind: tuple(table) for kind, table in view.fields.items()} == fields


@games
def test_every_reason_of_the_game_has_words_in_both_languages_and_no_other_has(game: str) -> None:
    view = CATALOGUE[game]
    package = importlib.import_module(view.game.options.__module__.rpartition(".")[0])
    modules = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    things = [thing for name in modules for thing in vars(importlib.import_module(name)).values()]
    kinds = {thing for thing in things if isinstance(thing, type) and issubclass(thing, StrEnum)} - {KernelReason}
    (own,) = [kind for kind in kinds if kind.__name__.endswith("Reason")]

    assert set(view.reasons) == set(own)
    assert all(set(words) == {"en", "de"} and words["en"] != words["de"] for words in view.reasons.values())


@games
def test_every_action_can_be_offered_or_is_refused_in_words(game: str) -> None:
    """Over all matches here; what nobody was ever offered would be an action that nobody finds."""
    view = CATALOGUE[game]
    offered = {
        offer.type
        for number in SOME
        for step in match(game, number)
        for seat in map(Seat, range(seats_of(view, number)))
        for offer in view.game.offers(step.seen[seat], seat)
    }

    assert offered <= {tag(kind) for kind in action_types(view.game)}
    assert len(offered) >= len(action_types(view.game)) // 2


def _one_of(kind: type) -> st.SearchStrategy[dict[str, Any]]:
    """Any well-formed value of an action's type, as JSON would bring it."""
    said = {name: _value(field) for name, field in _schema(kind).items()}
    return st.fixed_dictionaries({"type": st.just(tag(kind)), **said})


def _schema(kind: type) -> dict[str, Any]:
    (schema,), components = msgspec.json.schema_components((kind,), ref_template="{name}")
    own = components[schema["$ref"]]
    return {name: field for name, field in own["properties"].items() if name != "type"}


def _value(field: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "anyOf" in field:
        return st.one_of(*map(_value, field["anyOf"]))
    if "enum" in field:
        return st.sampled_from(field["enum"])
    if "const" in field:
        return st.just(field["const"])
    match field.get("type"):
        case "integer":
            low, high = field.get("minimum", -(2**53)), field.get("maximum", 2**53)
            return st.integers(low, high) | st.integers(low, min(high, low + 40))
        case "string" if "pattern" in field:
            return st.from_regex(field["pattern"], fullmatch=True)
        case "string":
            return st.text(max_size=field.get("maxLength", 40))
        case "array":
            return st.lists(
                _value(field["items"]), min_size=field.get("minItems", 0), max_size=field.get("maxItems", 6)
            )
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    raise AssertionError(f"no value for {field}")


@games
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_well_formed_action_is_decided_or_refused_in_words_and_as_the_own_view_tells(
    game: str, data: st.DataObject
) -> None:
    """Bad input, at any point of a match, from any seat: nothing but a reason comes of it, the same whether the rules
    look at the true table or at what this seat has seen."""
    view = CATALOGUE[game]
    kind = view.game
    number = data.draw(st.sampled_from(SOME))
    step = data.draw(st.sampled_from(match(game, number)))
    awaited = kind.awaits(step.after)
    if not isinstance(awaited, Answers):
        return
    seat = data.draw(st.sampled_from(eyes(seats_of(view, number))[:-1]))
    assert seat is not None
    body = data.draw(st.one_of(*map(_one_of, action_types(kind))))
    at = step.command.at + timedelta(seconds=data.draw(st.sampled_from((0, 1, 5, 30, 60, 3600))))
    action = msgspec.convert(body, kind.player_action)

    answered = answer(kind, step.after, Command(seat, at, action))

    assert answered == answer(kind, step.seen[seat], Command(seat, at, action))
    if answered is not None:
        assert answered[0] in view.reasons or answered[0] in set(KernelReason)


@games
def test_what_only_the_house_does_no_seat_does(game: str) -> None:
    kind = CATALOGUE[game].game
    for number in SOME:
        for step in match(game, number)[::7]:
            if step.command.by == HOUSE and isinstance(kind.awaits(step.before), Answers):
                with pytest.raises(Refused):
                    kind.decide(step.before, Command(Seat(0), step.command.at, step.command.action))


@games
@pytest.mark.parametrize("bots", ["random", "careful", "both"])
def test_a_match_of_bots_ends(game: str, bots: str) -> None:
    """Each knows what its seat was told, and what it is offered; all that they say is accepted."""
    view = CATALOGUE[game]
    kind = view.game
    for number in range(4):
        seats = seats_of(view, number)
        players = [kind.bots[bots if bots != "both" else ("random", "careful")[seat % 2]] for seat in range(seats)]
        options = some_options(kind, seats, luck_of(100 + number))
        assert isinstance(play_out(view, players, options, number), Over)


@games
@some
def test_what_somebody_is_not_told_of_at_all_is_known_to_be_unheard(game: str, number: int) -> None:
    """Or the count of what the House did in a row, and with it the moment of an end, would tell of it."""
    view = CATALOGUE[game]
    for step in match(game, number):
        for event in step.events:
            if any(view.redact(event, viewer) is None for viewer in step.seen):
                assert view.game.unheard(event), event
