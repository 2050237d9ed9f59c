"""What a definition can say besides columns and formulas: ties, targets, teams, the whole table, sums, other rounds."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.games.test_definition import render_sentence, sheet, tally
from tests.wording import Says
from vaultkit.budget import Limit
from vaultkit.errors import InvalidError
from vaultkit.games.definition_reader import find_hidden_words, read_definition
from vaultkit.games.question import Answer
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.schema import SchemaError

Table = Mapping[str, Any]


def number(key: str, **fields: Any) -> dict[str, Any]:
    return {"id": key, "title": key.capitalize(), **fields}


def table(*columns: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"title": "T", "players": [1, 4], "columns": list(columns), **fields}


DEAL = {"rounds": {"name": "deal"}}
SIDES = {**number("side", takes=["Red", "Blue"], once=True)}


def in_deals(*seats: Mapping[str, Sequence[Answer]]) -> Tally:
    """Return the tally of seats with a list of answers for each column."""
    boxes = [
        {f"deal.{n}.{key}": answer for key, answers in seat.items() for n, answer in enumerate(answers, 1)}
        for seat in seats
    ]
    return tally(*boxes, deals=len(next(iter(seats[0].values()))))


def doubts(made: ScoreSheet, played: Tally) -> list[str]:
    return [render_sentence(doubt.sentence) for doubt in made.doubts(played)]


def points(made: ScoreSheet, played: Tally) -> list[Any]:
    outcome = made.outcome(played)
    return [outcome.score(seat) for seat in range(len(played.seats))]


@pytest.mark.parametrize(
    ("ties", "win", "winners", "ranks", "reason"),
    [
        ([], "highest", (0, 1), (1, 1, 3), "share the win with 9."),
        (["food"], "highest", (1,), (2, 1, 3), "has the highest score, 9: of equal scores, Food (5 to 2) decides."),
        (["-food"], "highest", (0,), (1, 2, 3), "has the highest score, 9: of equal scores, Food (2 to 5) decides."),
        (["0 * food", "food + 1"], "highest", (1,), (2, 1, 3), "Food + 1 (6 to 3) decides."),
        (["food"], "lowest", (2,), (3, 2, 1), "has the lowest score, 4."),
    ],
)
def test_ties_decide_between_equal_scores(
    ties: list[str], win: str, winners: tuple[int, ...], ranks: tuple[int, ...], reason: str
) -> None:
    made = sheet(table(number("food"), number("points"), ties=ties, win=win))
    outcome = made.outcome(tally({"food": 2, "points": 9}, {"food": 5, "points": 9}, {"food": 0, "points": 4}))
    assert (outcome.winners, outcome.ranks) == (winners, ranks)
    assert render_sentence(outcome.reason).endswith(reason)


@pytest.mark.parametrize(
    ("target", "win", "played", "said"),
    [
        (10, "highest", [[4, 5], [1, 1]], ["Nobody has reached 10, and so the game is not over."]),
        (10, "highest", [[4, 6], [1, 1]], []),
        (10, "highest", [[10, 6], [1, 1]], ["Somebody reached 10 in deal 1, which ended the game."]),
        (10, "highest", [[10, 6], [10, 1]], []),
        (10, "lowest", [[4, 6], [1, 1]], []),
        (7.5, "highest", [[4, 4], [1, 1]], []),
    ],
)
def test_a_target_ends_the_game(target: float, win: str, played: list[list[int]], said: list[str]) -> None:
    made = sheet(table(number("points"), **DEAL, target=target, win=win))
    assert doubts(made, in_deals(*({"points": each} for each in played))) == said


def test_a_target_below_the_start_is_reached_by_falling_and_may_be_a_column_of_the_table() -> None:
    left = number("left", formula="start - sum(points)")
    made = sheet(
        table(number("points"), left, **DEAL, win="lowest", target="goal", table=[number("start"), number("goal")])
    )
    played = in_deals({"points": [5, 4]}, {"points": [3, 3]})
    common = {**played.common, "start": 9, "goal": 0}
    assert doubts(made, Tally({}, played.seats, common)) == [] and points(made, Tally({}, played.seats, common)) == [
        0,
        3,
    ]
    assert "Nobody has reached -1" in doubts(made, Tally({}, played.seats, {**common, "goal": -1}))[0]


def test_team_wins_together_and_team_refers_to_it() -> None:
    score = number("score", formula="10 * sum(team(tricks)) + max(team(bonus))")
    made = sheet(table(SIDES, number("tricks"), number("bonus"), score, teams="side"))
    seats: list[dict[str, Answer]] = [
        {"side": "Red", "tricks": 3, "bonus": 1}, {"side": "Blue", "tricks": 4, "bonus": 0},
        {"side": "Red", "tricks": 2, "bonus": 2},
    ]  # fmt: skip
    assert points(made, tally(*seats)) == [52, 40, 52]
    outcome = made.outcome(tally(*seats))
    assert outcome.winners == (0, 2) and render_sentence(outcome.reason) == Says("Ysolde", "Cass", "together", "52")
    assert doubts(made, tally(seats[0], seats[2])) == [Says("one team", "nobody", "against")]


def test_weaker_player_of_the_winning_team_wins_too_but_not_with_changing_sides() -> None:
    made = sheet(table(SIDES, number("points"), teams="side"))
    seats: list[dict[str, Answer]] = [
        {"side": "Red", "points": 9},
        {"side": "Blue", "points": 5},
        {"side": "Red", "points": 1},
    ]
    assert made.outcome(tally(*seats)).winners == (0, 2)
    changing = {**SIDES, "once": False}
    made = sheet(table(changing, number("points"), number("both", formula="sum(team(points))"), **DEAL, teams="side"))
    played = in_deals(
        {"side": ["Red", "Blue"], "points": [1, 2]},
        {"side": ["Red", "Red"], "points": [10, 20]},
        {"side": ["Blue", "Blue"], "points": [100, 200]},
    )
    assert points(made, played) == [11 + 202, 11 + 20, 100 + 202] and made.outcome(played).winners == (2,)


def test_table_columns_are_asked_once_and_available_to_formulas() -> None:
    level = number("level", takes=["Easy", "Hard"], worth=[1, 2])
    eggs = number("eggs", formula="level * sum(points, 0)")
    made = sheet(table(number("points"), number("score", formula="level * points"), table=[level, eggs], **DEAL))
    assert [question.key for question in made.opening_questions({})] == ["level", "deals"]
    played = in_deals({"points": [1, 2]}, {"points": [5, 0]})
    played = Tally({}, played.seats, {**played.common, "level": "Hard"})
    assert points(made, played) == [6, 10]
    facts = {label: render_sentence(sentence) for label, sentence in made.outcome(played).facts}
    assert facts == {"Level": "Hard", "Eggs": "16"}


def test_doubt_about_a_table_value_is_reported_once() -> None:
    level = {"when": "level > 3", "words": "There is no level {level}."}
    made = sheet(table(number("points"), table=[number("level", most=2)], impossible=[level]))
    assert doubts(made, tally({"points": 1}, {"points": 2}, level=5)) == [
        "There is no level 5.",
        Says("Level", "5", "2", "true"),
    ]


def test_the_table_may_name_the_game() -> None:
    played = {"id": "played", "title": "Which game was it?", "takes": "words"}
    made = sheet(table(number("points"), table=[played], title_from="played"))
    assert made.title_of(tally({"points": 1}, played="Uno")) == "Uno" and made.title_of(tally({"points": 1})) == "T"
    assert made.outcome(tally({"points": 1}, played="Uno")).facts == ()


def test_wrong_sum_is_questioned_in_the_round_where_it_occurs() -> None:
    made = sheet(table(number("tricks", adds_up_to="round_number"), number("points", least=-9, adds_up_to="0"), **DEAL))
    good = in_deals({"tricks": [1, 0], "points": [3, -1]}, {"tricks": [0, 2], "points": [-3, 1]})
    assert doubts(made, good) == []
    bad = in_deals({"tricks": [1, 0], "points": [3, -1]}, {"tricks": [0, 1], "points": [-2, 1]})
    assert doubts(made, bad) == [
        Says("Tricks of deal 2", "all players is 1", "must be 2"),
        Says("Points of deal 1", "all players is 1", "must be 0"),
    ]


@pytest.mark.parametrize(
    ("formula", "values"),
    [
        ("points * round_number", [2, 6, 12]),
        ("previous(points)", [0, 2, 3]),
        ("next(points) + 0 * points", [3, 4, 0]),
        ("points + next(next(points))", [6, 3, 4]),
        ("previous(next(points))", [0, 3, 4]),
        ("previous(points * round_number)", [0, 2, 6]),
        ("points + sum(previous(points))", [7, 8, 9]),
        ("points + sum(sum(sum(points)))", [83, 84, 85]),
        ("sum(others(points)) - points", [-1, -2, -3]),
        ("max(others(points + round_number))", [2, 3, 4]),
        ("round(points / 2) + floor(-points / 2) + ceil(points / 2)", [1, 2, 2]),
    ],
)
def test_formulas_over_rounds_and_players(formula: str, values: list[int]) -> None:
    made = sheet(table(number("points"), number("value", formula=formula), **DEAL))
    computed = made.compute_scores(in_deals({"points": [2, 3, 4]}, {"points": [1, 1, 1]}))
    assert [computed.value("value", 0, n) for n in (1, 2, 3)] == values


def test_column_may_continue_from_its_earlier_value_and_counts_in_the_last_round() -> None:
    running = number("running", formula="previous(running) + points + previous(bonus)")
    bonus = number("bonus", formula="if(running >= 5, 10, 0)")
    made = sheet(table(number("points"), bonus, running, **DEAL, score="running"))
    assert made.definition.score == "running" and "total" not in made.definition.by_id
    played = in_deals({"points": [2, 3, 4]}, {"points": [1, 1, 1]})
    assert [made.compute_scores(played).value("running", 0, n) for n in (1, 2, 3)] == [2, 5, 19]
    assert points(made, played) == [19, 3]
    long = in_deals({"points": [1] * 500})
    assert points(
        sheet(table(number("points"), number("sofar", formula="previous(sofar) + points"), **DEAL)), long
    ) == [500]


@pytest.mark.parametrize(
    ("made", "path", "words"),
    [
        (table(number("a"), number("b", formula="round_number")), ("columns", 1, "formula"), "no meaning here"),
        (table(number("a"), number("b", formula="sum(a) + round_number"), **DEAL), ("columns", 1, "formula"), "'round"),
        (table(number("a"), number("b", formula="previous(sum(a))"), **DEAL), ("columns", 1, "formula"), "'previous'"),
        (table(number("a", once=True), number("b", formula="next(a)"), **DEAL), ("columns", 1, "formula"), "'next'"),
        (table(number("a"), number("b", formula="a + next(b)"), **DEAL), ("columns", 1, "formula"), "leads back"),
        (table(number("a"), number("b", formula="previous(c) + a"), number("c", formula="sum(b)"), **DEAL),
         ("columns", 2, "formula"), "leads back"),
        (table(number("a"), number("b", formula="others(a)")), ("columns", 1, "formula"), "cannot be read"),
        (table(number("a"), number("b", formula="sum(others(a), 1)")), ("columns", 1, "formula"), "cannot be read"),
        (table(number("a"), number("b", formula="floor(a, 1)")), ("columns", 1, "formula"), "cannot be read"),
        (table(number("a"), number("b", formula="sum(team(a))")), ("columns", 1, "formula"), "who plays together"),
        (table(number("a", adds_up_to="sum(others(a))")), ("columns", 0, "adds_up_to"), "all players together"),
        (table(number("a"), table=[number("b", adds_up_to="0")]), ("table", 0, "adds_up_to"), "nothing to add up"),
        (table(number("a"), table=[number("a")]), ("table", 0, "id"), "Two columns are called 'a'"),
        (table(number("a"), table=[number("game")]), ("table", 0, "id"), "cannot be called 'game'"),
        (table(number("a", takes="words")), ("columns", 0, "takes"), "only a column of the table"),
        (table(number("a"), ties=["b"]), ("ties", 0), "no column 'b'"),
        (table(number("a"), ties=["a +"]), ("ties", 0), "ends too soon"),
        (table(number("a", takes="yes or no"), win="chosen", ties=["a"]), ("ties",), "Only where scores decide"),
        (table(number("a"), win="co-op", target=3), ("target",), "no score decides"),
        (table(number("a"), target="a"), ("target",), "no column of the table 'a'"),
        (table(number("a"), target=float("nan")), ("target",), ""),
        (table(number("a"), target=1.001), ("target",), "two decimals"),
        (table(number("a"), target=10**9), ("target",), "999999"),
        (table(number("a"), teams="a"), ("teams",), "whose choices are teams"),
        (table(number("a"), title_from="a"), ("title_from",), "not a column of the table"),
        (table(number("a"), score="b", table=[number("b")]), ("score",), "no column 'b'"),
    ],
)  # fmt: skip
def test_meaningless_definition_is_refused_with_its_place(made: Table, path: tuple[str | int, ...], words: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_definition("t", made)
    assert caught.value.path == path and words in caught.value.message


def test_column_named_like_a_keyword_is_still_that_column_with_a_warning() -> None:
    made = sheet(table(number("round_number"), number("next", formula="round_number + next(round_number)"), **DEAL))
    assert points(made, in_deals({"round_number": [7, 9]})) == [7 + 9 + 9]
    warnings = dict(find_hidden_words(made.definition))
    assert {path[1] for path in warnings} == {0, 1} and "not the number of the round" in warnings["columns", 0, "id"]
    assert not list(find_hidden_words(sheet(table(number("a"))).definition))


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "formula",
    [
        "sum(" * 12 + "points" + ")" * 12,
        "points + " + "sum(others(" * 8 + "points" + "))" * 8,
        "points + " + "max(others(sum(" * 5 + "points" + ")))" * 5,
        " + ".join(["sum(points * round_number)"] * 17),
    ],
)
def test_nested_sums_take_no_time(formula: str) -> None:
    made = sheet(table(number("points"), number("value", formula=formula), **DEAL))
    played = in_deals(*({"points": [0] * 60} for _ in range(4)))
    start = time.perf_counter()
    assert points(made, played) == [0, 0, 0, 0]
    assert time.perf_counter() - start < 2


@pytest.mark.slow
def test_formulas_that_take_too_many_steps_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "vaultkit.games.formula.MAX_STEPS", Limit("The formulas take", 30_000, "steps", "Shorten them.")
    )
    formula = f"max(others({' + '.join(['points'] * 40)}))"
    heavy = [number(f"c{n}", formula=formula) for n in range(9)]
    played = in_deals(*({"points": [1] * 100} for _ in range(12)))
    for columns in (heavy, [number("once", formula=f"sum({formula})")]):
        with pytest.raises(InvalidError, match="more than 30,000 steps"):
            sheet(table(number("points"), *columns, **DEAL, players=[1, 12])).outcome(played)
    doubtful = {"when": f"{formula} > 99", "words": "Much."}
    made = sheet(table(number("points"), **DEAL, players=[1, 12], impossible=[doubtful] * 30))
    sentences = [sentence for sentence, _ in made.compute_scores(played).find_impossible({})]
    assert len(sentences) == 1 and "The formulas take more than 30,000 steps" in sentences[0].values
