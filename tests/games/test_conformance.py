"""The contract of `vaultkit.games.game`, for every playable game and every value of every option."""

from collections import Counter
from dataclasses import fields
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.counts import count
from tests.games.conformance import Case, Run, answer, cases, deck_of, inspector, render_sentence, start
from vaultkit.errors import UsageError
from vaultkit.games.game_info import load
from vaultkit.games.options import resolve
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.games.turn import Move

CASES = cases()
EACH = [pytest.param(case, id=str(case), marks=[] if len(case.given) < 2 else pytest.mark.slow) for case in CASES]
"""Each game with its default options in each mode; the slow run adds every other option."""
GAMES_EACH = {game: -(-count(200, 4_000) // number) for game, number in Counter(case.game.id for case in CASES).items()}


@pytest.mark.short(3)
@pytest.mark.parametrize("case", EACH)
def test_random_games_fulfil_the_contract(case: Case) -> None:
    for number in range(GAMES_EACH[case.game.id]):
        Run(case, Random(f"{case} {number}"), often=0.012).play()


@pytest.mark.parametrize("info", GAMES.values(), ids=lambda info: info.id)
def test_every_function_registered_for_a_game_exists(info: GameInfo) -> None:
    places = {field.name: str(getattr(info, field.name)) for field in fields(info)}
    loaded = {name: load(place) for name, place in places.items() if ":" in place}
    assert loaded.keys() == {name for name, place in places.items() if "." in place}
    assert all(callable(getattr(function, "make", function)) for function in loaded.values())


@pytest.mark.parametrize("info", GAMES.values(), ids=lambda info: info.id)
def test_the_registry_and_the_rules_agree(info: GameInfo) -> None:
    game = info.rules()
    assert (game.id, game.title, game.seats, game.deck) == (info.id, info.title, info.seats, info.deck)
    assert len({option.key for option in game.options}) == len(game.options)
    for option in game.options:
        assert len(option.values) > 1 and len(set(option.values)) == len(option.values)
        assert option.summary.endswith(".") and option.ruling.count("-") == 1


@pytest.mark.slow
@pytest.mark.parametrize("info", GAMES.values(), ids=lambda info: info.id)
def test_table_shows_no_card_hidden_from_the_seat(info: GameInfo) -> None:
    game = info.rules()
    for case in (case for case in CASES if case.game.id == info.id):
        rng = Random(str(case))
        state = start(case, rng)
        for _ in range(12):
            if state.turn is None:
                break
            for seat in range(state.seats):
                view = state.view(seat)
                zones = game.table(view)
                other = inspector(info.id).permute(state, seat, rng)
                assert game.table(other.view(seat)) == zones
                assert all(render_sentence(zone.title) for zone in zones)
                assert {card for zone in zones for card in zone.cards} <= set(deck_of(game, case.given).by_id)
            state.apply(answer(state, rng))


WORD = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1)


@pytest.mark.slow
@given(WORD, st.lists(WORD).map(tuple))
def test_move_is_parsed_from_its_id(verb: str, operands: tuple[str, ...]) -> None:
    assert Move.parse(Move(verb, operands).id) == Move(verb, operands)


@given(st.data())
def test_options_parse_what_they_print_in_any_case(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from([case.game for case in CASES if case.game.options]))
    option = data.draw(st.sampled_from(game.options))
    value = data.draw(st.sampled_from(option.values))
    for spelling in (value, str(value), str(value).upper(), f" {value} "):
        assert resolve(game.options, {option.key: spelling}, game.title)[option.key] == value


@pytest.mark.slow
@given(st.text())
def test_an_unknown_option_or_value_is_refused_with_a_hint(text: str) -> None:
    game = CASES[0].game
    if text not in {option.key for option in game.options}:
        with pytest.raises(UsageError) as caught:
            resolve(game.options, {text: "x"}, game.title)
        assert caught.value.hint
    option = game.options[0]
    if text.strip().lower() not in {str(value).lower() for value in option.values}:
        with pytest.raises(UsageError) as caught:
            option.parse(text)
        assert all(str(value) in caught.value.hint for value in option.values)
