"""The worked scenarios of Prophet's Gambit, by their numbers; A deals unless a scenario says otherwise."""

from random import Random

import pytest

from tests.games.conformance import answer
from tests.games.gambit.position import A, B, C, D, arrange_game, deal_game, fates, new_game, reveal_hands
from tests.games.playing import faults_of, name_of, scenarios
from vaultkit.games.hands import TAROKKA_NAMES, Category
from vaultkit.games.prophets_gambit.ending import CATEGORY_NUMBERS, Execution, Reveal
from vaultkit.games.prophets_gambit.rounds import FatePrivilege, GambitRound, Turns
from vaultkit.games.prophets_gambit.state import GambitTask
from vaultkit.games.turn import Move, Prompt
from vaultkit.session.examples.parser import Example


def category(parts: object) -> str:
    assert isinstance(parts, dict)
    numbers = {number: TAROKKA_NAMES[kind] for kind, number in CATEGORY_NUMBERS.items()}
    return numbers[parts["category"]]


def test_pg_s1_the_deal_and_the_sizes_of_hands() -> None:
    game = deal_game(4)
    assert game.sizes == [6] * 4 and all(game.fates) and game.state.at.focus
    assert len(game.common) == 11 and len(game.state.at.high) == 14
    sizes = []
    while "kill" not in game.verbs:
        before = game.state.at.round, game.verbs
        quiet = next(move for move in game.prompt.moves if move.verb in {"keep", "play", "decline", "show"})
        game.apply(quiet)
        if game.verbs == {"keep", "replace"} and before[1] != {"keep", "replace"}:
            sizes.append(game.sizes)
    assert sizes == [[5] * 4, [4] * 4]
    assert game.sizes == [3] * 4


def test_pg_s4_artifact_swaps_fate_and_focus_and_all_know_it() -> None:
    hands = ["", "1-swords 2-swords 3-swords 4-swords 5-swords", "", ""]
    game = arrange_game(hands, fates="1-coins 5-coins", focus="master-glyphs", waiting=(B,))
    game.risk("1-swords", "artifact")
    assert game.state.at.focus == "5-coins" and game.fates[B] == "master-glyphs"
    assert all(fates(game.view(seat))[B] == "master-glyphs" for seat in range(4))


def test_pg_s5_mists_skip_the_innocent() -> None:
    a, b, c, d = fates = ["1-stars", "2-stars", "3-stars", "4-stars"]
    hands = ["", "", "", "1-swords 2-swords 3-swords 4-swords 5-swords"]
    game = arrange_game(hands, fates=" ".join(fates), kept={C: "innocent"}, waiting=(D,))
    game.risk("1-swords", "mists")
    assert game.fates == [d, a, c, b]


def test_pg_s6_donjon_cuts_all_hands_to_three() -> None:
    hands = [
        "1-swords 2-swords 3-swords 4-swords",
        "5-swords 6-swords 7-swords 8-swords 9-swords",
        "1-stars 2-stars 3-stars 4-stars 5-stars",
        "6-stars 7-stars 8-stars 9-stars master-stars",
    ]
    game = arrange_game(hands, waiting=(B, C, D))
    game.risk("5-swords", "donjon")
    asked = []
    while isinstance(game.turn, Prompt):
        asked.append((game.asked, len(game.prompt.moves[0].operands)))
        assert game.prompt.secret
        game.apply(game.prompt.moves[0])
    assert asked == [(A, 1), (B, 1), (C, 2), (D, 2)]
    assert game.sizes == [3, 3, 3, 3]
    assert game.outcome.kind == "donjon" and game.state.at.judged is None
    assert all(parts["cards"] == 5 for parts in game.outcome.scores)


def test_pg_s9_master_is_above_the_nine_and_nowhere_else() -> None:
    for hand, fate, focus, expected in (
        ("6-swords 7-stars 8-coins", "9-glyphs", "master-swords", "Village"),
        ("1-stars 2-coins 3-glyphs", "4-swords", "master-swords", "High card"),
    ):
        outcome = reveal_hands(
            [hand, "1-swords 2-swords 9-coins", "5-glyphs 6-glyphs 9-stars"], fates=fate, focus=focus
        )
        parts = outcome.scores[A]
        assert category(parts) == expected and parts["rank.1"] == 10


def test_pg_s11_fate_and_three_draws_empty_the_common_deck_and_the_next_reshuffles_it() -> None:
    hands = ["5-swords 6-swords", "4-stars 6-stars", "3-coins 6-coins", "2-glyphs 6-glyphs", "7-coins 7-glyphs"]
    left, tops = "master-swords master-stars master-coins master-glyphs", "9-swords 9-stars 9-coins 9-glyphs 8-swords"
    steps: list[GambitTask] = [Reveal(), Execution(), GambitRound(2), Turns(), FatePrivilege(A)]
    game = arrange_game(hands, shown=tops, fates="1-swords", common=left, steps=steps)
    game.play("replace")
    game.luck("master-swords")
    for card, drawn in (("5-swords", "master-stars"), ("4-stars", "master-coins"), ("3-coins", "master-glyphs")):
        game.play(f"play {card}", "draw-one")
        game.luck(drawn)
        game.play(f"discard {drawn}")
    assert not game.common and not game.told("reshuffle")
    gone = set(game.discarded)
    game.play("play 2-glyphs")
    told = game.play("draw-one")
    assert [event.kind for event in told] == ["reshuffle"]
    assert set(game.common) == gone >= {"1-swords", "master-stars"} and not game.discarded
    game.luck("1-swords")
    assert "1-swords" in game.hand(D) and len(game.common) == len(gone) - 1


def test_pg_s13_the_innocent_is_out_of_reach() -> None:
    hands = ["1-swords 2-swords 3-swords 4-swords 6-swords", "1-stars 2-stars 3-stars 4-stars",
             "1-coins 2-coins 3-coins 4-coins", "1-glyphs 2-glyphs 3-glyphs 4-glyphs"]  # fmt: skip
    game = arrange_game(hands, kept={D: "innocent"}, waiting=(A,))
    game.risk("1-swords", "darklord")
    assert game.moves == {"target 1", "target 2"}
    game = arrange_game(hands, kept={D: "innocent"}, waiting=(A,))
    game.risk("1-swords", "beast")
    asked = []
    while isinstance(game.turn, Prompt):
        if game.verbs != {"discard"}:
            break
        asked.append(game.asked)
        game.apply(game.prompt.moves[0])
    drawn = []
    while not isinstance(game.turn, Prompt):
        drawn.append(game.chance.seat)
        game.luck()
    assert asked == drawn == [A, B, C] and game.sizes[D] == 4


def test_pg_s14_same_moves_give_the_same_game() -> None:
    for seed in range(5):
        rng, first, second = Random(seed), new_game(4, dealer="random"), new_game(4, dealer="random")
        moves = []
        while first.turn is not None:
            moves.append(answer(first.state, rng))
            first.apply(moves[-1])
        for move in moves:
            second.apply(Move.parse(move.id))
        assert first.events == second.events and first.outcome == second.outcome
        assert first.state.at == second.state.at


def test_categories_of_the_score_sheet_are_numbered_one_to_nine() -> None:
    assert [CATEGORY_NUMBERS[kind] for kind in (Category.STRAIGHT_FLUSH, Category.FOUR, Category.HIGH_CARD)] == [
        9,
        8,
        1,
    ]


@pytest.mark.parametrize("example", scenarios(__file__), ids=name_of)
def test_scenario_written_as_an_example_is_fulfilled(example: Example) -> None:
    assert faults_of(example) == []
