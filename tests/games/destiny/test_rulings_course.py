"""Rulings DD-6 to DD-8, DD-11 to DD-14, DD-17 and DD-19: the course of an encounter."""

import re
from random import Random

import pytest

from tests.games.conformance import answer
from tests.games.destiny.position import DECK, GAME, SEVEN, begin, cards, complete, play_combat
from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny.rules import OPTIONS
from vaultkit.games.deck_of_destiny.state import DestinyState
from vaultkit.games.turn import Chance, Prompt
from vaultkit.resources import shipped_folder
from vaultkit.session.rulings import rulings


@pytest.mark.parametrize("added", range(6))
def test_dd_6_at_most_as_many_cards_in_phase_3_as_in_phase_2(added: int) -> None:
    game = begin("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S").lay("AS").luck("2C 3C 4C").play("proceed")
    for _ in range(added):
        game.play(game.moves[0])
    if added < 5:
        game.play("done")
    else:
        assert game.moves == ["done"]
        game.play("done")
    game.luck("5C").play("proceed")
    for _ in range(added):
        game.play(game.moves[0])
    assert game.moves == ["done"] and "DD-6" in game.prompt.rulings


def test_dd_7_at_most_as_many_cards_as_in_the_inventory() -> None:
    game = begin("AS KS QS").lay("AS").luck("2C 3C 4C").play("proceed")
    assert "up to 2 cards" in game.prompt.text.words and game.prompt.rulings == ("DD-3", "DD-7")
    game.add("KS QS").luck("5C").play("proceed")
    assert game.moves == ["done"]


def test_dd_8_first_three_are_turned_up_without_a_question() -> None:
    game = begin().lay("AS")
    assert (game.chance.name, game.chance.count) == ("board", 3)
    game.luck("2C 3C 4C")
    assert game.state.at.board == [*cards("2C 3C 4C"), "", ""]


def test_dd_8_option_pick_reveal() -> None:
    game = begin(pick_reveal="yes").lay("AS")
    assert len(game.moves) == 10 and "turn 1 3 5" in game.moves
    game.play("turn 1 3 5").luck("2C 3C 4C").play("proceed").add()
    assert game.moves == ["turn 2", "turn 4"]
    game.play("turn 4").luck("5C")
    two, three, four, five = cards("2C 3C 4C 5C")
    assert game.state.at.board == [two, "", three, five, four]
    assert GAME.label(game.prompt.moves[0]).words


def test_dd_11_loss_costs_only_the_played_cards() -> None:
    game = begin(strength=1).lay("8S").luck("2C 5D 7H").play("proceed").add().luck("9C").play("proceed")
    game.play("done").luck("AD").luck("AC")
    assert game.outcome.kind == "loss"
    assert set(game.inventory) == set(cards(SEVEN)) - set(cards("8S"))


def test_dd_12_retreat_is_offered_twice_but_not_in_phase_3() -> None:
    game = begin().lay("AS").luck("2C 3C 4C")
    assert game.moves == ["proceed", "retreat"] and "DD-12" in game.prompt.rulings
    game.play("proceed").add("KS").luck("5C")
    assert game.moves == ["proceed", "retreat"] and "last chance" in game.prompt.text.words
    game.play("proceed")
    assert "retreat" not in game.moves
    game.add("QS")
    assert isinstance(game.turn, Chance)


@pytest.mark.parametrize("phase", [1, 2])
def test_dd_12_a_retreat_names_its_phase(phase: int) -> None:
    game = begin().lay("AS").luck("2C 3C 4C")
    if phase == 2:
        game.play("proceed").add("KS").luck("5C")
    game.play("retreat")
    assert game.outcome.reason.values == (phase,) and len(game.inventory) == 7 - phase


def test_dd_13_the_opponent_shows_first_then_the_last_card_of_the_board() -> None:
    game = play_combat("AS", "3D 4D", "AC AD 4H 9S JC", reward="none")
    kinds = [event.kind for event in game.events if event.reveals]
    assert kinds == ["inventory", "board", "board", "opponent", "board"]


@pytest.mark.parametrize("strength", range(1, 8))
def test_dd_14_the_strength_is_the_number_of_cards(strength: int) -> None:
    game = begin(strength=strength).lay("AS").luck("2C 3C 4C")
    zones = {zone.title.words: zone for zone in GAME.table(game.state.view(0))}
    assert zones["Opponent"].hidden == strength and zones["Board"].hidden == 2
    assert zones["Veiled deck"].hidden == 52 - 7 - 5 - strength
    game.play("proceed").add().luck("5C").play("proceed", "done")
    assert game.chance.count == strength


@pytest.mark.parametrize("strength", [0, 8, "many"])
def test_dd_14_other_strengths_are_refused(strength: object) -> None:
    with pytest.raises(UsageError, match="strength"):
        complete(strength=strength)


def test_dd_17_all_cards_except_the_inventory_are_in_the_veiled_deck() -> None:
    game = begin()
    assert set(game.state.at.veiled.unknown) == set(game.state.rules.cards.ids) - set(cards(SEVEN))


def test_dd_19_the_deck_is_veiled() -> None:
    assert any(zone.title.words == "Veiled deck" for zone in GAME.table(begin().state.view(0)))


def test_g_10_every_option_and_every_ruling_is_on_the_page() -> None:
    page = rulings("deck-of-destiny")
    assert list(page) == [f"DD-{number}" for number in range(1, 21)]
    for option in OPTIONS:
        assert f"Option: {option.key} = {option.default}" in page[option.ruling].text


def test_g_10_prompts_cite_headings_of_the_rule_note(example_note: str) -> None:
    headings = set(re.findall(r"^#+ (.+)$", example_note, re.MULTILINE))
    rng = Random(5)
    for _ in range(30):
        state: DestinyState = GAME.new(1, complete(), DECK)
        while state.turn is not None:
            if isinstance(state.turn, Prompt):
                assert state.turn.rule in headings
            assert {event.rule for event in state.apply(answer(state, rng))} <= headings


@pytest.fixture
def example_note() -> str:
    path = shipped_folder("rulings").parents[1] / "vault-example/3-Mechanics/CLI/variant-rules/deck-of-destiny.md"
    return path.read_text(encoding="utf-8")


def test_two_players_are_refused() -> None:
    with pytest.raises(UsageError, match="one player, not 2"):
        GAME.new(2, complete(), DECK)


def test_heading_names_the_phase_even_while_cards_are_drawn_and_what_the_character_faces() -> None:
    def headings() -> list[str]:
        return [heading.render(str, str) for heading in GAME.heading(game.state.view(0))]

    game, encounter = begin(), "an opponent with 3 cards"
    assert headings() == ["phase 1 of 3", "setting up", encounter]
    game.lay("AS")
    assert game.chance and headings() == ["phase 1 of 3", "setting up", encounter]
    game.luck("2C 3C 4C").play("proceed")
    assert headings() == ["phase 2 of 3", "weighing it up", encounter]
    game.add().luck("5C").play("proceed", "done")
    assert game.chance and headings() == ["phase 3 of 3", "the conclusion", encounter]
