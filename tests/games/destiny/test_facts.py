"""The chance to win, compared with all boards, and the cost of a card (DD-3)."""

from itertools import combinations
from random import Random

import pytest

from tests.games.destiny.position import DECK, GAME, Play, begin, rules
from tests.wording import Says
from vaultkit.games.deck_of_destiny.chances import win_chance
from vaultkit.games.turn import Move

IDS = tuple(card.id for card in DECK)
MAX_ERROR = 0.1
"""The error of a sampled chance that hardly ever occurs: three standard errors of 240 samples."""


@pytest.mark.short(2)
@pytest.mark.parametrize("requires", ["pair", "two-pairs", "flush"])
def test_dd_9_sampled_chance_is_that_over_all_boards(requires: str) -> None:
    rng, encounter = Random(requires), rules(requires=requires)
    for _ in range(3):
        own, board = (drawn := tuple(rng.sample(IDS, 6)))[:2], drawn[2:]
        unseen = tuple(card for card in IDS if card not in drawn)
        won = [encounter.can_make(encounter.category, own, (*board, card)) for card in unseen if encounter.category]
        assert abs(win_chance(encounter, own, board, (), unseen) - sum(won) / len(won)) < MAX_ERROR


@pytest.mark.parametrize(("tie", "worth"), [("won", 1.0), ("not-won", 0.0), ("replay", 0.5)])
def test_dd_10_equal_hands_count_as_the_option_says(tie: str, worth: float) -> None:
    encounter = rules(tie=tie, strength=1, board_min=1)
    board = tuple(f"{rank}-spades" for rank in ("ace", "king", "queen", "jack", "10"))
    own, rival = ("2-hearts",), ("3-hearts",)
    assert win_chance(encounter, own, board, rival, ()) == worth


def test_dd_16_chance_against_an_open_opponent_is_that_over_all_boards() -> None:
    rng, encounter = Random(7), rules(strength=3)
    drawn = tuple(rng.sample(IDS, 10))
    own, rival, board = drawn[:3], drawn[3:6], drawn[6:]
    unseen = tuple(card for card in IDS if card not in drawn)
    boards = [(*board, *more) for more in combinations(unseen, 1)]
    won = [encounter.find_best(own, one)[0] > encounter.find_best(rival, one)[0] for one in boards]
    assert abs(win_chance(encounter, own, board, rival, unseen) - sum(won) / len(won)) < MAX_ERROR


def test_dd_9_chance_of_a_card_that_is_laid_alone_names_the_card() -> None:
    game = begin()
    view = game.state.view(0)
    for move, effects in zip(view.moves, GAME.consequences(view, view.moves), strict=True):
        (fact,) = (one.fact for one in effects if one.fact.kind == "best-result")
        assert fact.sentence and fact.sentence.render("A".__getitem__, str).startswith(
            f"Alone the {move.operands[0]} wins"
        )


def test_dd_6_going_on_and_adding_no_more_show_how_many_cards_may_still_be_added() -> None:
    game = begin().lay("AS").luck("2C 3D 4H")
    assert _sentences(game, "proceed")[0] == Says("Then", "add", "up to 5 cards")
    game.play("proceed")
    assert _sentences(game, "done")[0] == Says("phase 3", "add no card")
    game.play("add king-spades")
    assert _sentences(game, "done")[0] == Says("phase 3", "add one card")
    game.play("done").luck("5C")
    assert _sentences(game, "proceed")[0] == Says("Then", "add one card")


def _sentences(game: Play, move: str) -> list[str]:
    (effects,) = GAME.consequences(game.state.view(0), [Move.parse(move)])
    return [one.fact.sentence.render("A".__getitem__, str) for one in effects if one.fact.sentence]
