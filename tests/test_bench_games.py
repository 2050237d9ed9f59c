"""The games bench: its sums, and that it still fits the games."""

import importlib
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Chance, Move, Pile, Prompt

sys.path.append(str(Path(__file__).parents[1] / "bench"))
tables = importlib.import_module("games_tables")
timing = importlib.import_module("games_timing")
ours = importlib.import_module("games_ours")
bench = importlib.import_module("games")

Spent = timing.Spent


def micros(microseconds: float, actions: int = 80) -> object:
    """A game a second times that long an action."""
    return Spent(microseconds * actions / 1e6, 1, actions)


def last_cells(table: str) -> dict[str, str]:
    rows = (line.removeprefix("| ").removesuffix(" |").split(" | ") for line in table.splitlines()[2:])
    return {cells[0]: cells[-1] for cells in rows}


def test_fastest_round_counts_for_each_game_separately() -> None:
    rounds = [{"a": Spent(2.0, 1, 10), "b": Spent(1.0, 1, 10)}, {"a": Spent(3.0, 1, 30), "b": Spent(2.0, 1, 10)}]
    assert tables.least(rounds) == {"a": Spent(3.0, 1, 30), "b": Spent(1.0, 1, 10)}
    assert tables.least_of_each([{"a": [1.0, 5.0]}, {"a": [2.0, 3.0]}]) == {"a": [1.0, 3.0]}


def test_a_table_has_words_on_the_left_and_numbers_on_the_right() -> None:
    assert tables.markdown(["what", "n"], [["cards", "54"]]) == "| what | n |\n|---|--:|\n| cards | 54 |"


def test_an_action_may_take_as_long_as_the_slowest_peer_in_python() -> None:
    found = {"Turn of Fate, 2 seats": micros(20), "Deck of Destiny, 1 seat": micros(31)}
    peers = {"python_tic_tac_toe": micros(30), "python_kuhn_poker": micros(7), "hearts": micros(50)}
    verdicts = last_cells(tables.playouts(found, {}, peers))
    assert verdicts["Turn of Fate, 2 seats"] == "yes"
    assert verdicts["Deck of Destiny, 1 seat"] == "**no**"
    assert last_cells(tables.playouts({"Turn of Fate, 2 seats": micros(26)}, {}, {})) == {
        "Turn of Fate, 2 seats": "**no**"
    }


@pytest.mark.parametrize(
    ("name", "microseconds", "actions", "verdict"),
    [
        ("Propheta, 2 seats", 7, 60, "yes"),
        ("Propheta, 2 seats", 9, 60, "**no**"),
        ("Propheta, 3 seats", 7, 88, "yes"),
        ("Propheta, 3 seats", 7, 150, "**no**"),
    ],
)
def test_propheta_has_a_budget_of_its_own(name: str, microseconds: float, actions: int, verdict: str) -> None:
    assert last_cells(tables.playouts({name: micros(microseconds, actions)}, {}, {})) == {name: verdict}


def test_copies_searches_and_moves_have_their_budgets() -> None:
    copies = {"quick": Spent(9e-6, 1, 1), "slow": Spent(11e-6, 1, 1)}
    assert last_cells(tables.clones(copies, {})) == {"quick": "yes", "slow": "**no**"}
    searches = {"a, as it plays": Spent(1.0, 1999, 19990), "a, without a guide": Spent(1.0, 9, 90)}
    assert last_cells(tables.searches(searches, {})) == {"a, as it plays": "**no**", "a, without a guide": ""}
    times = {"quick": [0.2] * 20, "late": [0.2] * 18 + [1.1] * 2, "slow": [0.4] * 20}
    assert last_cells(tables.moves(times)) == {"quick": "yes", "late": "**no**", "slow": "**no**"}


def test_peer_is_named_by_its_game_and_programming_language() -> None:
    assert tables.peer("python_tic_tac_toe, MCTSBot") == "OpenSpiel python_tic_tac_toe, MCTSBot"
    assert tables.peer("oh_hell, ISMCTSBot") == "OpenSpiel oh_hell (C++), ISMCTSBot"


def test_every_position_of_a_game_is_picked_equally_often() -> None:
    rng, kept = Random(1), Counter[int]()
    for _ in range(3000):
        pick = timing.Pick(rng)
        for at in range(3):
            if pick.wants():
                pick.kept = at, at
        kept[pick.kept[1]] += 1
    assert all(900 < count < 1100 for count in kept.values()), kept


def test_known_bottom_is_drawn_last() -> None:
    chance = Chance("draw", Sentence(""), (), Pile(("a", "b"), ("c", "d")), count=3)
    *top, third = ours.luck(chance, Random(1)).operands
    assert (sorted(top), third) == (["a", "b"], "c")
    assert ours.luck(Chance("first", Sentence(""), (), options=("0",)), Random(1)) == Move("draw", ("0",))


@pytest.mark.short(4)
@pytest.mark.parametrize("case", ours.CASES, ids=lambda case: case.name)
def test_each_game_can_be_measured(case: object) -> None:
    lineup = case.lineup()  # type: ignore[attr-defined]
    actions = ours.play(lineup.make_start_state(), Random(3))
    assert ours.halfway(lineup, 3).turn is not None
    view, left = ours.decision(lineup, 3)
    assert isinstance(view.prompt, Prompt)
    assert len(view.prompt.moves) > 1
    assert left > 0
    assert actions > 1


def test_a_missing_peer_is_a_remark(tmp_path: Path) -> None:
    assert bench.find_peer(tmp_path) == (None, "open_spiel is not there, so nothing is compared")
