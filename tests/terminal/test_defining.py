"""Defining a game of the GM's own at the terminal, and then entering its scores."""

from collections.abc import Iterator
from datetime import date
from io import StringIO

import pytest
from rich.console import Console

from tests.terminal.test_tallying import log_of
from vaultkit.campaign.new_game import NewGame
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.score_entry import ScoreEntry
from vaultkit.games.scoresheet import Tally
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.terminal.answer_sources import PlayerQuit, TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.score_entry_prompt import ScorePrompt
from vaultkit.terminal.score_prompts import ask_game
from vaultkit.terminal.styles import TerminalStyle

NOTHING = NewGame("", "", ())


def stage(*lines: str) -> tuple[GameConsole, StringIO]:
    typed: Iterator[str] = iter(lines)
    out = StringIO()
    console = Console(file=out, width=200)
    return GameConsole(console, TerminalSource(console, lambda: next(typed)), TerminalStyle(plain=True)), out


def test_what_is_typed_becomes_a_definition() -> None:
    screen, out = stage(
        "Goose Fair", "many", "2-4", "stall", "", "Geese", "Prize: ribbon, cake", "Sum of it?", "", "5", "2"
    )
    game = ask_game(screen, NOTHING, "")
    assert game == NewGame("Goose Fair", "2-4", ("Geese", "Prize: ribbon, cake", "Sum of it?"), "lowest", "stall")
    assert 'takes = ["ribbon", "cake"]' in game.text and 'id = "sum_of_it"' in game.text
    told = ("'many' is no number of players.", "A column cannot be called ''.", "That is no answer.")
    assert all(words in out.getvalue() for words in told)


def test_an_answer_that_cannot_be_is_asked_for_anew_and_loses_none_of_the_others() -> None:
    screen, out = stage(
        *("Eel Race", "2-40", "2-4", "heat", "3", "Eels: a number", "Fell in: yes or no", "Score = 3 * fish"),
        *("Score = 3 * eels - fell_in", "Prize: cake", "", "5", "1"),
    )
    game = ask_game(screen, NOTHING, "")
    assert (
        game.columns == ("Eels: a number", "Fell in: yes or no", "Score = 3 * eels - fell_in") and game.win == "highest"
    )
    assert game.text.count("takes") == 1 and 'takes = "yes or no"' in game.text
    told = ("'players' must be", "cannot be called '3'", "There is no column 'fish'", "needs two choices")
    assert all(words in out.getvalue() for words in told)


def test_who_wins_may_be_said_in_words_and_a_formula_s_fault_names_the_columns() -> None:
    screen, out = stage("Race", "2", "", "Big geese", "Score = 2 * big geese", "", "?", "loudest", "Highest")
    assert ask_game(screen, NOTHING, "").win == "highest"
    assert "Columns: big_geese." in out.getvalue() and out.getvalue().count("4 whoever says yes") == 2
    assert "Accepted: 1 to 4, or highest, lowest, co-op or chosen." in out.getvalue()


def test_a_question_mark_explains_what_is_asked() -> None:
    screen, out = stage("?", "Goose Fair", "?", "2-4", "?", "", "?", "Geese", "", "?", "")
    assert ask_game(screen, NOTHING, "").title == "Goose Fair"
    told = {"Any words.": 1, "the fewest and the most": 1, "for every round": 1, "One line for": 2}
    assert {words: out.getvalue().count(words) for words in told} == told


def test_what_is_said_already_is_not_asked_and_q_leaves() -> None:
    screen, _ = stage("", "Points", "", "")
    assert ask_game(screen, NewGame("Race", "3", ()), "") == NewGame("Race", "3", ("Points",), "highest", "")
    with pytest.raises(PlayerQuit):
        ask_game(stage("q")[0], NOTHING, "")


def test_scores_of_a_definition_are_asked_row_by_row() -> None:
    screen, out = stage("18 0 0", "b24", "end", "y")
    sheet = ScoreSheets(None).find("skat")
    begun = PaperGame(sheet.id, date(2026, 11, 3), ("Ysolde", "Bram", "Sefa"), Tally({"undo": "safe"}, ()), sheet=sheet)
    found = ScorePrompt(screen, log_of(), ScoreEntry(begun), begun.cards(None)).ask()
    assert found.outcome.winners == (1,) and found.outcome.score(0) == 18
    assert "Ysolde 18   Bram 24   Sefa 0" in out.getvalue() and "Points Deal by Deal" in out.getvalue()
