"""PG-2, PG-3, PG-6, PG-7, PG-36, PG-37: the values of final hands, and their words."""

from typing import Any

import pytest

from tests.games.gambit.position import GAME, A, B, C, arrange_game, reveal_hands
from vaultkit.games.hands import TAROKKA_NAMES, Category
from vaultkit.games.messages import Outcome
from vaultkit.games.prophets_gambit.ending import CATEGORY_NUMBERS, Reveal
from vaultkit.games.prophets_gambit.state import Verdict

POOR = ["1-stars 3-coins 7-glyphs", "2-stars 4-glyphs 8-coins"]
"""Hands that make no combination with the Fates and Foci of these tests."""


def name(outcome: Outcome, seat: int = A) -> str:
    return TAROKKA_NAMES[{number: kind for kind, number in CATEGORY_NUMBERS.items()}[outcome.scores[seat]["category"]]]


def hand_words(cards: str, **options: Any) -> str:
    """Return the words for A's five cards, or for four cards after the Focus is killed.

    The first three are the hand, then come the Fate and the Focus.
    """
    hand = cards.split()
    game = arrange_game(
        [" ".join(hand[:3]), "", ""], fates=hand[3], focus="".join(hand[4:]), steps=[], waiting=(), **options
    )
    focus = game.state.at.focus
    if len(hand) == 4 and focus:
        game.state.at.focus, game.state.at.judged = None, Verdict(A, "kill", focus)
    game.state.at.hands[B:] = [("1-glyphs", "3-glyphs", "5-stars"), ("2-glyphs", "4-stars", "6-stars")]
    game.state.stack.append(Reveal())
    game.state.run_until_turn()
    return name(game.outcome)


@pytest.mark.parametrize(("cards", "expected"), [
    ("5-swords 6-swords 7-swords 8-swords 9-swords", "Family"),
    ("6-swords 7-swords 8-swords 9-swords master-swords", "Family"),
    ("5-swords 5-stars 5-coins 5-glyphs 9-swords", "Circle"),
    ("5-swords 5-stars 5-coins 9-glyphs 9-swords", "Fortune"),
    ("5-swords 6-stars 7-coins 8-glyphs 9-swords", "Village"),
    ("1-swords 3-swords 5-swords 7-swords 9-swords", "Guild"),
    ("5-swords 5-stars 5-coins 8-glyphs 9-swords", "Triple"),
    ("5-swords 5-stars 8-coins 8-glyphs 9-swords", "Two pairs"),
    ("5-swords 5-stars 7-coins 8-glyphs 9-swords", "Pair"),
    ("1-swords 5-stars 7-coins 8-glyphs 9-swords", "High card"),
])  # fmt: skip
def test_pg_37_nine_kinds_of_hands(cards: str, expected: str) -> None:
    assert hand_words(cards) == expected


@pytest.mark.parametrize(("value", "above", "below"), [
    (10, "Village", "High card"),
    ("low", "High card", "Village"),
    ("none", "High card", "High card"),
])  # fmt: skip
def test_pg_3_place_of_a_master_in_a_sequence(value: object, above: str, below: str) -> None:
    assert hand_words("6-swords 7-stars 8-coins 9-glyphs master-swords", master_rank=value) == above
    assert hand_words("1-swords 2-stars 3-coins 4-glyphs master-swords", master_rank=value) == below


@pytest.mark.parametrize(("value", "winner"), [(10, B), ("low", A), ("none", B)])
def test_pg_3_value_of_a_pair_of_masters(value: object, winner: int) -> None:
    hands = ["9-swords 9-stars 7-coins", "master-coins master-glyphs 4-swords", "2-swords 3-coins 6-stars"]
    outcome = reveal_hands(hands, fates="8-coins 3-swords 1-stars", focus="5-glyphs", master_rank=value)
    assert outcome.winners == (winner,)


@pytest.mark.parametrize(("value", "winner"), [("ranks", A), ("category-only", B)])
def test_pg_7_equal_categories_compare_by_ranks_or_by_seat_alone(value: str, winner: int) -> None:
    hands = ["9-swords 9-stars 7-coins", "4-coins 4-glyphs 7-swords", "2-swords 3-coins 6-stars"]
    outcome = reveal_hands(hands, fates="8-coins 3-swords 1-stars", focus="5-glyphs", tie_compare=value)
    assert outcome.winners == (winner,)
    assert ("PG-6" in outcome.rulings) is (value == "category-only")


def test_pg_7_the_larger_group_counts_first_then_the_kickers() -> None:
    hands = ["3-swords 3-stars 3-coins", "2-coins 2-glyphs 2-swords", "4-coins 6-glyphs 8-stars"]
    outcome = reveal_hands(hands, fates="1-coins master-swords 9-stars", focus="1-glyphs")
    assert outcome.winners == (A,) and outcome.ranks == (1, 2, 3)


def test_pg_6_exact_tie_is_won_by_the_seat_nearest_to_the_left_of_the_dealer() -> None:
    hands = ["1-stars 3-coins 7-glyphs", "2-swords 4-glyphs 8-coins", "2-stars 4-coins 8-stars"]
    for dealer, order in ((A, (3, 1, 2)), (B, (3, 2, 1)), (C, (3, 1, 2))):
        outcome = reveal_hands(hands, fates="4-stars 6-coins 6-glyphs", focus="9-glyphs", dealer=dealer)
        assert outcome.ranks == order and outcome.winners == (order.index(1),)
        assert outcome.rulings == ("PG-6", "PG-7")


@pytest.mark.parametrize(("cards", "strict", "scaled"), [
    ("5-swords 6-swords 7-swords 8-swords", "High card", "Family"),
    ("5-swords 6-stars 7-swords 8-swords", "High card", "Village"),
    ("5-swords 6-swords 7-swords 9-swords", "High card", "Guild"),
    ("5-swords 5-stars 5-coins 5-glyphs", "Circle", "Circle"),
    ("5-swords 5-stars 5-coins 6-glyphs", "Triple", "Triple"),
    ("5-swords 5-stars 6-coins 6-glyphs", "Two pairs", "Two pairs"),
])  # fmt: skip
def test_pg_36_hands_of_four_cards(cards: str, strict: str, scaled: str) -> None:
    assert (hand_words(cards), hand_words(cards, four_card="scaled")) == (strict, scaled)


@pytest.mark.parametrize(("value", "winner"), [("seed", B), ("rarity", A)])
def test_pg_37_a_guild_against_a_village_and_a_fortune(value: str, winner: int) -> None:
    hands = ["1-swords 3-swords 5-swords", "6-stars 7-coins 8-glyphs", "2-stars 4-coins 1-glyphs"]
    outcome = reveal_hands(hands, fates="7-swords 5-coins 3-stars", focus="9-swords", order=value)
    assert [name(outcome, seat) for seat in (A, B)] == ["Guild", "Village"] and outcome.winners == (winner,)


def test_pg_37_category_numbers_in_scores_do_not_depend_on_the_order() -> None:
    assert CATEGORY_NUMBERS[Category.FLUSH] == 5 and CATEGORY_NUMBERS[Category.STRAIGHT] == 6


def test_g_12_outcome_lists_hands_fates_focus_risks_and_the_dealer() -> None:
    hands = ["1-swords 2-swords 3-swords 4-swords", "1-stars 3-coins 7-glyphs", "2-stars 4-glyphs 8-coins"]
    game = arrange_game(hands, fates="4-stars", focus="9-glyphs", waiting=(A,), round=2)
    game.risk("1-swords", "executioner")
    game.play("kill")
    labels = [label for label, _ in game.outcome.facts]
    assert labels == ["Hand", "Hand", "Hand", "Dealer", "Focus", "Risk"]
    facts = {label: fact.render(lambda seat: "ABC"[seat], str) for label, fact in game.outcome.facts}
    assert facts["Focus"] == "9-glyphs, killed by A" and facts["Risk"] == "A turned the executioner"
    assert facts["Dealer"] == "A"
    hand = next(fact for label, fact in game.outcome.facts if fact.seats == (A,) and label == "Hand")
    assert set(hand.cards) == {"2-swords", "3-swords", "4-swords", "4-stars"}


def test_g_12_donjon_and_reshuffles_are_recorded() -> None:
    game = arrange_game(["1-swords 2-swords 3-swords 4-swords", *POOR], common="", shown="2-coins 3-stars 9-glyphs",
                    waiting=(A, B))  # fmt: skip
    game.play("play 1-swords", "draw-one")
    game.luck()
    game.apply(game.prompt.moves[0])
    game.play("risk 1-stars")
    game.luck("donjon")
    while game.turn is not None:
        game.apply(game.prompt.moves[0])
    facts = {label: fact.render(lambda seat: "ABC"[seat], str) for label, fact in game.outcome.facts}
    assert facts["Donjon"] == "B ended the game in round 1" and facts["Reshuffles"] == "1"


def test_the_score_table_names_hands_and_places() -> None:
    outcome = reveal_hands(["5-swords 6-swords 7-swords", *POOR], fates="8-swords 5-coins 6-glyphs", focus="9-swords")
    (table,) = GAME.score_tables(outcome)
    assert table.columns == ("Player", "Hand", "Ranks", "Place")
    assert table.rows[A] == ("", "Family", "9 8 7 6 5", "1")
    hands = ["master-swords master-stars 7-swords", *POOR]
    low = reveal_hands(hands, fates="8-swords 5-coins 6-glyphs", focus="9-swords", master_rank="low")
    assert GAME.score_tables(low)[0].rows[A][2] == "Master Master 9 8 7"
