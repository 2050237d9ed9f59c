"""Definitions of score sheets: their questions, their calculations, and where errors are reported."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.wording import Says
from vaultkit.campaign.scoresheets.answer_parser import parse_answer
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.computed_scores import ScoreError
from vaultkit.games.definition_reader import read_definition
from vaultkit.games.game_info import GameInfo
from vaultkit.games.messages import Sentence
from vaultkit.games.question import Answer
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally

NAMES = ("Ysolde", "Bram", "Cass")
GOOSE: Mapping[str, Any] = {
    "title": "Goose Fair",
    "players": [2, 3],
    "rounds": {"name": "stall", "most": 4},
    "columns": [
        {"id": "geese", "title": "Geese", "most": 9},
        {"id": "prize", "title": "Prize", "takes": ["none", "ribbon", "cake"], "worth": [0, 5, 10.5]},
        {"id": "points", "title": "Points", "formula": "2 * geese + prize"},
        {"id": "honest", "title": "Honest", "takes": "yes or no", "once": True},
        {"id": "score", "title": "Score", "formula": "if(honest, sum(points), min(points))"},
    ],
    "impossible": [
        {"when": "geese = 0 and prize = 10.5", "words": "{player} won the {prize} at stall {round} without a goose."},
        {"when": "geese > 10", "words": "There are ten geese, and {geese} were caught.", "together": True},
        {"when": "sum(geese) = 13", "words": "Nobody ends with thirteen geese, says {player}."},
    ],
}


def sheet(table: Mapping[str, Any] = GOOSE, game: str = "goose-fair") -> ScoreSheet:
    found = read_definition(game, table)
    return ScoreSheet(GameInfo(game, found.title, found.players, ""), found, lambda path: f"goose.toml:{path}")


def tally(*seats: Mapping[str, Answer], **common: Answer) -> Tally:
    return Tally({}, tuple(map(SeatTally, seats)), common)


def render_sentence(sentence: Sentence) -> str:
    return sentence.render(lambda seat: NAMES[seat], str)


def stall_sheet(number: int, geese: int, prize: str) -> dict[str, Answer]:
    return {f"stall.{number}.geese": geese, f"stall.{number}.prize": prize}


PLAYED = tally(
    {**stall_sheet(1, 3, "cake"), **stall_sheet(2, 0, "ribbon"), "honest": "yes"},
    {**stall_sheet(1, 5, "none"), **stall_sheet(2, 9, "ribbon"), "honest": "no", "score": 99},
    stalls=2,
)


def test_questions_of_a_definition() -> None:
    (first,) = sheet().opening_questions({})
    assert (first.key, first.title, first.most, first.default) == ("stalls", "How many stalls?", 500, 1)
    two = sheet().seat_questions({}, {"stalls": 2})
    assert [question.key for question in two] == [
        *("stall.1.geese", "stall.1.prize", "stall.2.geese", "stall.2.prize", "honest")
    ]
    assert [question.title for question in two] == [
        *("Stall 1, Geese", "Stall 1, Prize", "Stall 2, Geese", "Stall 2, Prize", "Honest")
    ]
    assert [(one.default, list(one.choices)) for one in two[1:]] == [
        *((None, ["none", "ribbon", "cake"]), (0, []), (None, ["none", "ribbon", "cake"]), ("no", ["no", "yes"]))
    ]
    assert [question.key for question in sheet().sums({}, {"stalls": 1})] == ["stall.1.points", "score"]
    assert sheet().seat_questions({}, {"stalls": 1})[0].title == "Geese"


def test_winner_and_reason_of_a_definition() -> None:
    outcome = sheet().outcome(PLAYED)
    assert (outcome.kind, outcome.winners, outcome.ranks) == ("score", (0,), (1, 2))
    assert outcome.scores[0] == {
        **{"stall.1.geese": 3, "stall.2.geese": 0, "stall.1.prize": 10.5, "stall.2.prize": 5},
        **{"stall.1.points": 16.5, "stall.2.points": 5, "score": 21.5},
    }
    assert outcome.score(0) == 21.5 and outcome.score(1) == 10
    assert render_sentence(outcome.reason) == Says("Ysolde", "highest score", "21.5")
    lowest = sheet({**GOOSE, "win": "lowest"}).outcome(PLAYED)
    assert lowest.winners == (1,) and render_sentence(lowest.reason) == Says("Bram", "lowest score", "10")
    level = sheet().outcome(tally(stall_sheet(1, 1, "none"), stall_sheet(1, 1, "none")))
    assert (level.kind, level.winners) == ("drawn", ()), "a win of all is nobody's"
    assert render_sentence(level.reason) == Says("Ysolde", "Bram", "level", "2", "nobody")
    three = sheet({**GOOSE, "players": 3}).outcome(tally(*(stall_sheet(1, n, "none") for n in (1, 1, 0))))
    assert three.winners == (0, 1) and render_sentence(three.reason) == Says("Ysolde", "Bram", "share the win", "2")


def test_tables_for_the_note() -> None:
    whole, *rounds = sheet().tables(PLAYED, sheet().outcome(PLAYED))
    assert whole.columns == ("Player", "Geese", "Points", "Honest", "Score")
    assert whole.rows == (("", "3", "21.5", "yes", "21.5"), ("", "14", "33", "no", "10"))
    assert [table.title for table in rounds] == [
        "Geese Stall by Stall",
        "Prize Stall by Stall",
        "Points Stall by Stall",
    ]
    assert rounds[1].rows == (("", "cake", "ribbon"), ("", "none", "ribbon"))


def test_impossible_scores_are_reported_in_the_words_of_the_definition() -> None:
    wrong = tally(
        {**stall_sheet(1, 0, "cake"), **stall_sheet(2, 9, "none")},
        {**stall_sheet(1, 4, "none"), **stall_sheet(2, 9, "none")},
        stalls=2,
    )
    assert [render_sentence(doubt.sentence) for doubt in sheet().doubts(wrong)] == [
        "Ysolde won the cake at stall 1 without a goose.",
        "There are ten geese, and 18 were caught.",
        "Nobody ends with thirteen geese, says Bram.",
    ]
    assert [render_sentence(doubt.sentence) for doubt in sheet().doubts(PLAYED)] == [
        Says("Score", "Bram", "written", "99", "10")
    ]
    assert [render_sentence(doubt.sentence) for doubt in sheet().doubts(tally({}))] == [
        Says("Goose Fair", "2", "3", "players", "1")
    ]


def test_players_whose_sum_is_too_high_are_named() -> None:
    conditions = [
        {"when": "geese > 5", "words": "{who} {geese} geese of {players} players{of}.", "together": True},
        {"when": "geese = 0", "words": "{who} no goose at stall {round}.", "together": True},
    ]
    written = tally(stall_sheet(1, 4, "none"), {**stall_sheet(1, 3, "none"), **stall_sheet(2, 6, "none")}, stalls=3)
    assert [
        render_sentence(doubt.sentence) for doubt in sheet({**GOOSE, "impossible": conditions}).doubts(written)
    ] == [
        Says("Ysolde", "Bram", "together", "7 geese", "2 players", "stall 1"),
        Says("Bram", "6 geese", "2 players", "stall 2"),
        Says("Ysolde", "Bram", "together", "no goose", "stall 3"),
    ]


def test_cooperative_chosen_and_added_up_scores() -> None:
    heroes = {"title": "Siege", "players": 2, "win": "co-op", "columns": [{"id": "hits", "title": "Hits"}]}
    lost = sheet(heroes).outcome(tally({"hits": 1}, {"hits": 2}, outcome="lost"))
    assert (lost.kind, lost.winners, lost.score(1)) == ("lost", (), 2) and sheet(heroes).mode({}) == "coop"
    assert [one.key for one in sheet(heroes).closing_questions(tally({}))] == ["outcome"]
    won = {
        "title": "Duel",
        "players": 2,
        "win": "chosen",
        "columns": [{"id": "won", "title": "Won", "takes": "yes or no"}],
    }
    chosen = sheet(won).outcome(tally({"won": "no"}, {"won": "yes"}))
    assert (chosen.kind, chosen.winners, chosen.score(1)) == ("winner", (1,), None)
    assert render_sentence(sheet(won).outcome(tally({}, {})).reason) == "Nobody has won."
    plain = {
        "title": "Skat",
        "players": 3,
        "rounds": {},
        "columns": [{"id": "points", "title": "Points", "least": -500}],
    }
    points = [{"round.1.points": 18, "round.2.points": -48}, {"round.1.points": 0, "round.2.points": 20}]
    assert sheet(plain).outcome(tally(*points, rounds=2)).winners == (1,)
    (whole,) = sheet(plain).tables(tally({"round.1.points": 18}), sheet(plain).outcome(tally({"round.1.points": 18})))
    assert whole.columns == ("Player", "Total") and whole.rows == (("", "18"),)
    assert read_definition("skat", plain).score == "total"


def test_recorded_half_points_count() -> None:
    halves: dict[str, Any] = {
        "title": "Halves",
        "players": 2,
        "columns": [{"id": "points", "title": "Points", "step": 0.5}],
    }
    outcome = sheet(halves).outcome(tally({"points": 7.5}, {"points": 8}))
    assert outcome.winners == (1,) and outcome.score(0) == 7.5
    twice = {**halves, "columns": [*halves["columns"], {"id": "twice", "title": "Twice", "formula": "2 * points"}]}
    assert list(sheet(twice).doubts(tally({"points": 7.5, "twice": 15}, {}))) == []
    assert [
        render_sentence(doubt.sentence) for doubt in sheet(twice).doubts(tally({"points": 7.5, "twice": 14.5}, {}))
    ] == [Says("Twice", "Ysolde", "written", "14.5", "15")]


def test_score_above_the_maximum_is_questioned() -> None:
    (found,) = sheet().doubts(tally(stall_sheet(1, 10, "ribbon"), stall_sheet(1, 0, "none"), stalls=1))
    assert render_sentence(found.sentence) == Says("Geese", "Ysolde has 10", "9 is the most")
    barn = {"title": "Barn", "players": 2, "columns": [{"id": "owls", "title": "Owls {old}", "most": 1}]}
    (found,) = sheet(barn).doubts(tally({"owls": 2}, {"owls": 1}))
    assert render_sentence(found.sentence) == Says("Owls old", "Ysolde has 2", "1 is the most")


@pytest.mark.parametrize("name", ["round", "of", "who"])
def test_column_id_may_look_like_a_placeholder(name: str) -> None:
    dance = {"title": "Dance", "players": 2, "columns": [{"id": name, "title": "Steps", "most": 7}]}
    (found,) = sheet(dance).doubts(tally({name: 9}, {name: 7}))
    assert render_sentence(found.sentence) == Says("Steps", "Ysolde has 9", "7 is the most")


def test_choices_are_not_numbers_that_can_be_too_high() -> None:
    prize = {"id": "prize", "title": "Prize", "takes": ["none", "cake"], "worth": [0, 10], "most": 3}
    won = {"id": "won", "title": "Won", "takes": "yes or no", "most": 0}
    fair = {"title": "Fair", "players": 2, "columns": [prize, won]}
    assert list(sheet(fair).doubts(tally({"prize": "cake", "won": "yes"}, {"prize": "none", "won": "no"}))) == []


def test_directly_asked_score_is_not_a_sum() -> None:
    columns = [{"id": "score", "title": "Score"}, {"id": "bonus", "title": "Bonus"}]
    total = {"id": "total", "title": "Total", "formula": "score + bonus"}
    race = sheet({"title": "Race", "players": 2, "columns": [*columns, total]})
    assert list(race.doubts(tally({"score": 5, "bonus": 2}, {"score": 3, "bonus": 9}))) == []
    (found,) = race.doubts(tally({"score": 5, "bonus": 2, "total": 8}, {"score": 3, "bonus": 9}))
    assert render_sentence(found.sentence) == Says("Total", "Ysolde", "written", "8", "7")


def test_division_by_zero_in_play_names_its_place() -> None:
    table = {**GOOSE, "columns": [*GOOSE["columns"][:2], {"id": "points", "title": "P", "formula": "prize / geese"}]}
    found = sheet({**table, "impossible": []})
    unfit = re.escape("P of player 1 in stall 1 cannot be computed from these scores: It divides by zero (geese = 0, ")
    with pytest.raises(ScoreError, match=unfit) as caught:
        found.outcome(tally(stall_sheet(1, 0, "cake"), stall_sheet(1, 1, "cake")))
    assert caught.value.where == "goose.toml:('columns', 2, 'formula')"
    doubting = sheet({**GOOSE, "impossible": [{"when": "prize / geese > 9", "words": "That is much."}]})
    untold, _ = doubting.doubts(tally(stall_sheet(1, 0, "cake"), stall_sheet(1, 1, "cake")))
    assert render_sentence(untold.sentence).startswith("'prize / geese > 9' of Ysolde in stall 1 cannot be computed")
    words = [{"when": "geese = 0", "words": "{player} has {prize / geese} for each goose."}]
    (wordless,) = sheet({**GOOSE, "impossible": words}).doubts(
        tally(stall_sheet(1, 0, "cake"), stall_sheet(1, 1, "cake"))
    )
    assert render_sentence(wordless.sentence) == Says("Ysolde", "–", "each goose")
    assert doubting.outcome(tally(stall_sheet(1, 0, "cake"), stall_sheet(1, 1, "cake"))).winners == (1,)


def change_definition(**changes: Any) -> Mapping[str, Any]:
    return {**GOOSE, **changes}


def side_by_side(most: int = 4, once: str | list[str] = "number", **form: Any) -> Mapping[str, Any]:
    """Return a definition whose rounds stand side by side on its sheet."""
    columns = [
        {"id": "geese", "title": "Geese"},
        {"id": "extra", "title": "Extra"},
        {"id": "bonus", "title": "Bonus", "takes": once, "once": True},
        {"id": "running", "title": "Running", "formula": "previous(running) + geese"},
    ]
    rounds = {"name": "stall", "most": most}
    return change_definition(columns=columns, rounds=rounds, impossible=[], form={"across": True, **form})


def column(**fields: Any) -> Mapping[str, Any]:
    return change_definition(
        columns=[{"id": "geese", "title": "Geese"}, {"id": "more", "title": "More", **fields}], impossible=[]
    )


def test_a_round_may_have_a_name_of_several_words() -> None:
    days = sheet({**GOOSE, "rounds": {"name": "Day at sea", "plural": "days at sea"}})
    (first,) = days.opening_questions({})
    assert (first.key, first.title) == ("days_at_sea", Says("many", "days", "sea"))
    question = days.seat_questions({}, {"days_at_sea": 2})[0]
    assert (question.key, question.title) == ("day_at_sea.1.geese", "Day at sea 1, Geese")
    assert sheet({**GOOSE, "rounds": {"name": "Größe"}}).seat_questions({}, {})[0].key == "grosse.1.geese"


def test_list_of_yes_and_no_is_a_yes_or_no_column() -> None:
    for takes in ("yes or no", ["yes", "no"], ["No", "Yes"]):
        honest = {"id": "honest", "title": "Honest?", "takes": takes}
        fair = sheet({"title": "Fair", "players": 1, "columns": [honest], "score": "honest"})
        assert fair.outcome(tally({"honest": "yes"})).scores[0] == {"score": 1}, takes
        assert fair.seat_questions({}, {})[0].default == "no"
    worth = {"id": "honest", "title": "Honest?", "takes": ["yes", "no"], "worth": [5, 2]}
    fair = sheet({"title": "Fair", "players": 1, "columns": [worth], "score": "honest"})
    assert [fair.outcome(tally({"honest": said})).scores[0]["score"] for said in ("yes", "no")] == [5, 2]


@pytest.mark.slow
def test_chained_formulas_neither_hang_nor_crash() -> None:
    doubled = [{"id": f"c{n}", "title": "C", "formula": f"c{n - 1} * c{n - 1}"} for n in range(1, 40)]
    table = {"title": "Grow", "players": 1, "columns": [{"id": "c0", "title": "C"}, *doubled]}
    assert sheet(table).outcome(tally({"c0": 1})).score(0) == 1
    with pytest.raises(InvalidError, match="too large"):
        sheet(table).outcome(tally({"c0": 3}))
    long = [{"id": f"c{n}", "title": "C", "formula": "+".join([f"c{n - 1}", *["0"] * 200])} for n in range(1, 40)]
    assert sheet({**table, "columns": [{"id": "c0", "title": "C"}, *long]}).outcome(tally({"c0": 7})).score(0) == 7


def single(**fields: Any) -> Mapping[str, Any]:
    """Return the definition of a game with one column."""
    return {"title": "T", "players": [1, 4], "columns": [{"id": "pips", "title": "Pips", **fields}]}


@pytest.mark.parametrize(
    ("fields", "accepted", "refused", "shown"),
    [
        ({"least": 1, "step": 2, "most": 9}, [1, 3, 9, 11], [2, 4, 10], "in steps of 2 from 1 to 9, such as 1, 3 or 5"),
        ({"least": -5, "step": 3}, [-5, -2, 1], [-4, 0, 3], "in steps of 3 from -5 on, such as -5, -2 or 1"),
        ({"least": 0.25, "step": 0.5}, [0.25, 0.75], [0, 0.5, 1], "steps of 0.5 from 0.25 on, such as 0.25, 0.75 or"),
        ({"least": 0.1, "step": 0.1, "most": 0.35}, [0.3, 0.7], [0, 0.15], "in steps of 0.1 from 0.1 to 0.3"),
        ({"least": 1, "step": 5, "most": 10}, [6], [5, 10], "in steps of 5 from 1 to 6, such as 1 or 6"),
        ({"step": 2, "most": 10}, [0, 2], [1], "a number in steps of 2 from 0 to 10"),
        ({"least": 0.5}, [0.5, 1.5], [1], "a number in steps of 1 from 0.5 on"),
    ],
)
def test_steps_are_counted_from_the_minimum(
    fields: Mapping[str, Any], accepted: list[float], refused: list[float], shown: str
) -> None:
    (question,) = sheet(single(**fields)).seat_questions({}, {})
    assert [parse_answer(question, str(number))[0] for number in accepted] == accepted
    for number in refused:
        with pytest.raises(UsageError, match=r"in steps of|less than"):
            parse_answer(question, str(number))
    assert shown in question.accepted
    assert (question.default == 0) == (0 in accepted), "an empty box is 0 only where 0 can be written"


def test_total_of_a_sum_must_match_the_steps() -> None:
    (odd,) = sheet(single(least=1, step=2)).seat_questions({}, {})
    assert parse_answer(odd, "1+1+3") == (5, (1, 1, 3))
    with pytest.raises(UsageError, match=re.escape("'1+1' is not a number in steps of 2 from 1")):
        parse_answer(odd, "1+1")
    (whole,) = sheet(single()).seat_questions({}, {})
    with pytest.raises(UsageError, match="not a whole number"):
        parse_answer(whole, "0.5+0.5")


def test_default_may_be_written_in_any_case_and_may_be_yes() -> None:
    (colour,) = sheet(single(takes=["Red", "none"], worth=[1, 0], default="red")).seat_questions({}, {})
    assert colour.default == "Red" and parse_answer(colour, " NONE ")[0] == "none"
    assert sheet(single(takes=["red", "none"], worth=[1, 0])).seat_questions({}, {})[0].default is None
    honest = {**single(takes="yes or no", default="Yes"), "score": "pips"}
    assert sheet(honest).seat_questions({}, {})[0].default == "yes"


def test_texts_of_several_lines_become_one_line_except_in_panels() -> None:
    form = {"panels": [{"title": "W\n", "text": "a\n\nb"}]}
    table = single(how="One for\neach\u2028goose.\n", takes=["re\nd", "blue"], worth=[1, 2])
    found = read_definition("t", {**table, "title": "Goose\r\nFair", "aliases": ["The\nFair"], "form": form})
    assert (found.title, found.aliases) == ("Goose Fair", ("The Fair",))
    assert found.columns[0].how == "One for each goose." and list(found.columns[0].choices) == ["re d", "blue"]
    assert (found.form.panels[0].title, found.form.panels[0].text) == ("W", "a\n\nb")
