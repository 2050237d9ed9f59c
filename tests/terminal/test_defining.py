"""Defining a game of the GM's own at the terminal, and then entering its scores."""

import tomllib
from collections.abc import Iterator
from datetime import date
from io import StringIO

import pytest
from rich.console import Console

from tests.terminal.test_tallying import log_of
from tests.wording import Says
from vaultkit.campaign.new_game import NewGame, merge_definition_text
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.score_entry import ScoreEntry
from vaultkit.compendium.own_games import RawSheet
from vaultkit.compendium.toml_tables import read_toml
from vaultkit.errors import UsageError
from vaultkit.games.scoresheet import Tally
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.terminal.answer_sources import PlayerQuit, TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_prompts import ask_game
from vaultkit.terminal.score_entry_prompt import ScorePrompt
from vaultkit.terminal.styles import TerminalStyle

NOTHING = NewGame("", "", ())


def stage(*lines: str) -> tuple[GameConsole, StringIO]:
    typed: Iterator[str] = iter(lines)
    out = StringIO()
    console = Console(file=out, width=200)
    return GameConsole(console, TerminalSource(console, lambda: next(typed)), TerminalStyle(plain=True)), out


def test_typed_answers_become_a_definition() -> None:
    screen, out = stage(
        *("Goose Fair", "many", "2-4", "stall", "Geese", "Prize: ribbon, cake", "Sum of it?", "", "5", "2"),
        *("maybe", "y", "fewest geese; sum(prize)", ""),
    )
    game = ask_game(screen, NOTHING)
    columns, ties = ("Geese", "Prize: ribbon, cake", "Sum of it?"), ("fewest geese", "sum(prize)")
    assert game == NewGame("Goose Fair", "2-4", columns, "lowest", "stall", True, ties)
    assert 'takes = ["ribbon", "cake"]' in game.text and 'id = "sum_of_it"' in game.text
    assert 'ties = ["-geese", "sum(prize)"]' in game.text and "least = -999999" in game.text
    told = ("'many' is not a number of players.", "There is no column 'maybe'.", "In each stall: Geese (")
    assert all(words in out.getvalue() for words in told)


def test_enter_alone_gives_a_playable_game() -> None:
    game = ask_game(stage("Race", "", "", "", "", "", "", "")[0], NOTHING)
    assert game == NewGame("Race", "2-4", ("Points",), "highest") and game.sheet.definition.score == "points"


def test_invalid_answer_is_asked_for_again_without_losing_the_others() -> None:
    screen, out = stage(
        *("Eel Race", "2-40", "2-4", "heat", "3", "Eels: a number", "Fell in: yes or no", "Score = 3 * fish"),
        *("Score = 3 * eels - fell in", "Eels", "Prize: cake", "", "5", "1", "", "most fish", "", "n"),
    )
    with pytest.raises(PlayerQuit):
        ask_game(screen, NOTHING)
    told = (
        "'players' must be",
        "cannot be called '3'",
        "There is no column 'fish'",
        "needs two choices",
        "Two columns",
    )
    assert all(words in out.getvalue() for words in told) and "Score = 3 × Eels − Fell in" in out.getvalue()


def test_winner_may_be_described_in_words_and_a_formula_may_use_titles() -> None:
    screen, out = stage(
        "Race", "2", "", "Big geese", "ガチョウ", "Score = 2 * Big Geese + ガチョウ", "", "?", "loudest", "co-op", ""
    )
    game = ask_game(screen, NOTHING)
    assert game.win == "co-op" and 'formula = "2 * big_geese + column_2"' in game.text
    assert out.getvalue().count("4 those who say yes") == 2
    assert out.getvalue() == Says("Accepted", "1 to 4", "highest", "lowest", "co-op", "chosen")


def test_game_of_yes_or_no_only_is_won_by_yes() -> None:
    screen, out = stage("Race", "", "", "First?", "", "1", "", "4", "")
    game = ask_game(screen, NOTHING)
    assert (game.win, game.sheet.definition.score) == ("chosen", "first")
    assert out.getvalue().count("No column says who wins.") == 2


def test_question_mark_explains_the_question() -> None:
    screen, out = stage("?", "Goose Fair", "?", "2-4", "?", "", "?", "Geese", "", "?", "", "?", "", "?", "", "?", "")
    assert ask_game(screen, NOTHING).title == "Goose Fair"
    told = {"Any words.": 1, "the fewest and the most": 1, "for every round": 1, "One line for": 2, "lose points": 1}
    assert {words: out.getvalue().count(words) for words in told} == told


def test_given_values_are_not_asked_for_and_q_leaves() -> None:
    screen, _ = stage("", "Points", "", "", "", "", "")
    given = {"title", "players"}
    assert ask_game(screen, NewGame("Race", "3", ()), given) == NewGame("Race", "3", ("Points",), "highest", "")
    with pytest.raises(PlayerQuit):
        ask_game(stage("q")[0], NOTHING)


def test_existing_name_is_refused_at_once() -> None:
    def refuse(game: NewGame) -> None:
        if game.title == "Race":
            raise UsageError("There is a game 'Race' already.")

    screen, out = stage("Race", "Chase", "", "", "", "", "", "", "")
    assert ask_game(screen, NOTHING, refuse=refuse).title == "Chase" and "already" in out.getvalue()
    with pytest.raises(UsageError, match="already"):
        ask_game(stage()[0], NewGame("Race", "", ()), {"title"}, refuse)


def test_definition_is_changed_by_typed_answers_and_otherwise_unchanged() -> None:
    text = NewGame("Race", "2-4", ("Points", "Prize: cake, ribbon"), "lowest", "heat", ties=("prize",)).text
    raw = RawSheet("race", read_toml(text.replace('title = "Points"', 'title = "Points"  # all'), "race.toml"))
    screen, out = stage("", "3", "", "-prize", "Points", "Geese", "", "", "", "-", "")
    game = ask_game(screen, NewGame.from_definition(raw))
    assert "There is no column 'prize'" in out.getvalue() and "[lowest]" in out.getvalue()
    assert [column["id"] for column in game.table["columns"]] == ["points", "prize", "geese"]
    assert (game.table["players"], game.table.get("ties"), game.id) == ([3, 3], None, "race")
    merged = merge_definition_text("\n".join(raw.tables.lines), game.text)
    assert 'title = "Points"  # all' in merged and tomllib.loads(merged)["columns"][2]["id"] == "geese"


def test_scores_of_a_definition_are_asked_row_by_row() -> None:
    screen, out = stage("18 0 0", "b24", "end", "y")
    sheet = ScoreSheets(None).find("skat")
    begun = PaperGame(sheet.id, date(2026, 11, 3), ("Ysolde", "Bram", "Sefa"), Tally({"undo": "safe"}, ()), sheet=sheet)
    found = ScorePrompt(screen, log_of(), ScoreEntry(begun), begun.cards(None)).ask()
    assert found.outcome.winners == (1,) and found.outcome.score(0) == 18
    assert "Ysolde 18   Bram 24   Sefa 0" in out.getvalue() and "Points Deal by Deal" in out.getvalue()


def test_several_columns_in_one_line_and_what_counts() -> None:
    screen, out = stage("Wizard", "6-3", "3-6", "3-6", "deal", "Bid, Tricks, Points", "", "1", "", "", "oui")
    game = ask_game(screen, NOTHING)
    assert [column["title"] for column in game.table["columns"]] == ["Bid", "Tricks", "Points"]
    told = (
        "Write it as 3-6.",
        "A round cannot be called '3-6'.",
        "Total decides who wins. Bid and Tricks do not count.",
    )
    assert all(words in out.getvalue() for words in told)


def test_a_condition_behind_a_value_is_answered_with_the_formula() -> None:
    columns = ("Bid", "Tricks", "Points = 20 + 10 * Tricks if Bid = Tricks")
    with pytest.raises(UsageError, match=r"if\(Bid = Tricks, 20 \+ 10 \* Tricks, 0\)"):
        NewGame("Wizard", "3-6", columns).checked  # noqa: B018
    form = "Points = if(Bid = Tricks, 20 + 10 * Tricks, 0)"
    assert NewGame("Wizard", "3-6", ("Bid", "Tricks", form)).sheet.definition.score == "points"
