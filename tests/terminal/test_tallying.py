"""Scores entered at the terminal: next, back, explained, corrected, questioned and left."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console

from tests.games.test_definition import sheet
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_log import PaperLog, People
from vaultkit.errors import InvalidError
from vaultkit.games import registry
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets, score_sheet
from vaultkit.settings import Settings
from vaultkit.terminal.answer_sources import PlayerQuit, TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.score_prompts import ScorePrompt, build_answer_lines
from vaultkit.terminal.styles import TerminalStyle

EMPTY = [""] * 6
"""The entries of a player who leaves all six rows as they are."""


class Known(People):
    """Players without a vault: the name `refused` is refused, and two people are guests."""

    def __init__(self, refused: str = "") -> None:
        self.refused = refused

    def identify_players(self, names: Sequence[str]) -> tuple[str, ...]:
        if self.refused and self.refused in str(names):
            raise InvalidError(f"{self.refused} sits twice.")
        return tuple(names)

    def find_guests(self, names: Sequence[str]) -> dict[str, str]:
        known = {"Ysold": "Ysolde", "Guest": ""}
        return {name: known[name] for name in names if name in known}


def log_of(*players: str, refused: str = "") -> PaperLog:
    """Return the log of a vault with these players."""
    log = PaperLog(SimpleNamespace(settings=Settings(players=players)), datetime(2026, 11, 4))  # type: ignore[arg-type]
    vars(log).update(people=Known(refused))
    return log


class Screen:
    """A person who types the given lines, and the screen that they see."""

    def __init__(
        self,
        *lines: str,
        names: tuple[str, ...] = (),
        game: str = "dragon-citadel",
        refused: str = "",
        said: tuple[str, ...] = ("mode", "rewards"),
        sheet: ScoreSheet | None = None,
    ) -> None:
        out = StringIO()
        console = Console(file=out, width=200)
        typed: Iterator[str] = iter(lines)

        def read() -> str:
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        sheet = sheet or score_sheet(game)
        options = settle(sheet.game, {}) if sheet.game else {}
        begun = PaperGame(sheet.id, date(2026, 11, 3), names, Tally(options, ()), sheet=sheet)
        stage = GameConsole(console, TerminalSource(console, read), TerminalStyle(plain=True))
        log = log_of("Ysolde", "Bram", "Sefa", refused=refused)
        self.tallying = ScorePrompt(stage, log, begun, begun.cards(None), said)
        self.left = typed
        self._out = out

    def ask(self) -> PaperGame:
        found = self.tallying.ask()
        assert list(self.left) == []
        return found

    @property
    def said(self) -> str:
        return self._out.getvalue()


def test_seat_by_seat_in_the_order_of_the_sheet() -> None:
    screen = Screen("", "17/1", "9", "", "", "3", "", "", "", "", "8+9", "", "y", "", "", "3", "", "", "", "1", "")
    found = screen.ask()
    assert found.names == ("Ysolde", "Bram", "Sefa") and not found.forced
    ysolde, bram, sefa = found.tally.seats
    assert (ysolde.number("swords.total"), ysolde.number("swords.heroes"), ysolde.number("crowns.count")) == (17, 1, 3)
    assert bram.summands == {"coins.total": (8, 9)} and bram.answers["forfeited"] == "yes"
    assert sefa.number("glyphs.total") == 3 and found.tally.common["outcome"] == "party"
    for asked in ("Ysolde, Swords: total of numbers / heroes", "Is this right?", "17 + 1 hero", "Champion: Ysolde, 26"):
        assert asked in screen.said


def test_back_and_over_the_names_keeps_what_was_typed() -> None:
    screen = Screen("Ysolde, Bram, Sefa", "5", "b", "b", "Sefa, Ysolde, Bram", *EMPTY, *EMPTY, *EMPTY, "party", "")
    found = screen.ask()
    assert found.names == ("Sefa", "Ysolde", "Bram") and "Ysolde, Swords: total of numbers" in screen.said
    assert [seat.number("swords.total") for seat in found.tally.seats] == [0, 5, 0] and " [5]" in screen.said


def test_what_is_no_answer_is_asked_again_and_what_is_too_high_twice() -> None:
    lines = ["many", "1/2/3", "50", "40", "", "", "", "", "maybe", "", *EMPTY, *EMPTY, "1", ""]
    screen = Screen("b", "me", "22/1", "", *lines)
    found = screen.ask()
    for said in ("This is the first question.", "'me' is nobody's name", "'22/1' is no name",
                 "'many' is not a number", "3 parts, and 2", "leave out what else",
                 "50 is more than 45, the most that can be true (DC-33)", "'maybe' is not one of them"):  # fmt: skip
        assert said in screen.said
    assert found.tally.seats[0].number("swords.total") == 40


def test_an_impossible_number_stands_if_typed_twice_and_is_recorded_with_a_remark() -> None:
    screen = Screen("", "50", "50", *EMPTY[1:], *EMPTY, *EMPTY, "1", "", "y")
    found = screen.ask()
    assert found.forced and found.tally.seats[0].number("swords.total") == 50
    assert "This cannot be true: Ysolde has 50 in Swords" in screen.said
    assert screen.said.count("Record it anyway") == 2  # Enter alone is too little


@pytest.mark.parametrize("chosen", ["2", "bram", "Br"])
def test_a_player_is_corrected_and_then_it_is_asked_again(chosen: str) -> None:
    screen = Screen("", *EMPTY, "50", "50", *EMPTY[1:], *EMPTY, "1", "nobody", chosen, "5", *EMPTY[1:], "", "")
    found = screen.ask()
    assert [seat.number("swords.total") for seat in found.tally.seats] == [0, 5, 0] and not found.forced
    assert "'nobody' is none of the players" in screen.said and screen.said.count("What it comes to") == 2


def test_no_at_the_end_says_how_to_change_it_and_how_to_leave() -> None:
    screen = Screen("", *EMPTY, *EMPTY, *EMPTY, "1", "n", "y")
    screen.ask()
    assert "none of the players" not in screen.said and screen.said.count("q leaves and writes nothing") == 2
    assert "Nothing is recorded yet." in screen.said


def test_back_from_the_end_changes_how_it_ended_by_number() -> None:
    screen = Screen("", *EMPTY, *EMPTY, *EMPTY, "", "?", "1", "b", "3", "")
    assert screen.ask().tally.common["outcome"] == "seer"
    assert "How did it end? (1 to 3): " in screen.said and "How did it end: an answer is missing." in screen.said


def test_a_question_mark_shows_the_rulings() -> None:
    screen = Screen("?", "", "?", "3", *EMPTY[1:], *EMPTY, *EMPTY, "?", "1", "?", "")
    screen.ask()
    assert "DC-33: The rows of the reward table" in screen.said and "DC-5" in screen.said
    how = "Add up the numbered cards that you won in this suit"
    assert screen.said.count(how) == 2  # once before the first suit, and once for ?
    assert "1–15 is row 1" in screen.said and "what a total of nothing earns" not in screen.said.casefold()
    assert "Option:" not in screen.said
    assert "others are guests" in screen.said and "Type the 2 answers on one line with / between them." in screen.said


def test_names_that_are_known_are_not_asked_for_and_those_that_cannot_be_are_refused() -> None:
    screen = Screen("1", *EMPTY[1:], *EMPTY, *EMPTY, "1", "", names=("Ada", "Ben", "Cy"))
    assert screen.ask().names == ("Ada", "Ben", "Cy") and "Who played" not in screen.said
    screen = Screen("Zoe, Zoë", "", "1", *EMPTY[1:], *EMPTY, *EMPTY, "1", "", refused="Zoe")
    assert screen.ask().names == ("Ysolde", "Bram", "Sefa") and "Zoe sits twice" in screen.said


def test_whoever_leaves_and_whoever_goes_away_is_told_apart() -> None:
    with pytest.raises(PlayerQuit):
        Screen("", "5", "q").ask()
    with pytest.raises(EOFError) as raised:
        Screen("", "5").ask()
    assert not isinstance(raised.value, PlayerQuit)


def test_a_number_of_deals_changes_what_is_asked() -> None:
    deals = ["2", "6/0/0/0", "6", "6", "6", ""]
    screen = Screen("Ysolde, Bram", *deals, game="propheta")
    found = screen.ask()
    assert found.tally.common["deals"] == 2 and found.tally.seats[1].number("deal.2.tricks") == 6
    assert not found.forced


def test_what_must_be_answered_is_asked_until_it_is() -> None:
    ysolde, bram = ["", "2", "1/9", ""], ["wyrms", "", ""]
    screen = Screen("Ysolde, Bram", *ysolde, *bram, "", "y", game="turn-of-fate")
    found = screen.ask()
    assert [seat.answers["temple"] for seat in found.tally.seats] == ["wyrms", "wyrms"] and found.forced
    assert "an answer is missing. Accepted: moons" in screen.said and "Ysolde, Devoted to (1 to 4): " in screen.said


def test_how_it_was_played_settles_how_it_may_have_ended() -> None:
    screen = Screen("", "comp", "treasure", "5", *EMPTY[1:], *EMPTY, *EMPTY, "score", "", said=())
    found = screen.ask()
    assert (
        found.tally.options["mode"] == "competitive"
        and found.tally.options["rewards"] == "treasure"
        and found.tally.common["outcome"] == "score"
    )
    assert "How did you play? (coop, competitive) [coop]" in screen.said and not found.forced


def test_an_end_that_another_mode_does_not_have_is_asked_anew() -> None:
    nothing = [*EMPTY, *EMPTY, *EMPTY]
    screen = Screen("", "", "", "5", *nothing[1:], "2", "0", "", "comp", "", *nothing, "", "", said=())
    found = screen.ask()
    assert found.tally.common["outcome"] == "score" and found.tally.seats[0].number("swords.total") == 5
    assert "How did it end? (1 to 3) [score]: " in screen.said and not found.forced


def test_a_name_is_corrected_and_keeps_its_scores_and_the_day_is_corrected_too() -> None:
    begun = ["Ysold, Bram, Sefa", "g", "5", *EMPTY[1:], *EMPTY, *EMPTY, "1"]
    names = ["0", "Ysolde, Bram, Sefa", *EMPTY, *EMPTY, *EMPTY, ""]
    screen = Screen(*begun, *names, "2026-13-01", "2026-11-02", "")
    found = screen.ask()
    assert found.names == ("Ysolde", "Bram", "Sefa") and found.tally.seats[0].number("swords.total") == 5
    assert found.date == date(2026, 11, 2) and "Played on 2026-11-02." in screen.said
    assert (
        "Ysold has no note. Do you mean Ysolde (Enter), or is it a guest (g)? " in screen.said
        and "not a date" in screen.said
    )


def test_a_mistyped_name_is_asked_about_at_once_and_a_guest_or_a_crowd_is_told() -> None:
    hands = ["Pair", "1", "High card", "2"]
    screen = Screen("Ysold, Bram, Guest", "b", "Ysold, Guest", "what", "", "", *hands, "", "y", game="prophets-gambit")
    assert screen.ask().names == ("Ysolde", "Guest")
    assert "Who played is asked once more." in screen.said
    assert "Guest has no note and is written as a guest." in screen.said
    crowd = "Prophet's Gambit is for 3 to 5 players, and 2 took part."
    assert f"{crowd} b goes back to who played." in screen.said and f"This cannot be true: {crowd[:-1]}" in screen.said


def test_what_is_no_plain_number_has_a_question_of_its_own() -> None:
    encounter = ["A bear", "4", "3", "2", "1", "5"]
    screen = Screen("Ysolde", "", "", *encounter, "", game="deck-of-destiny")
    line = screen.ask().tally.seats[0]
    asked = {key.rpartition(".")[2]: value for key, value in line.answers.items()}
    assert asked == {
        "name": "A bear", "asks": "4", "laid": 3, "hand": "Four of a kind", "result": "win", "gained": 5,
    }  # fmt: skip
    assert "Ysolde, Encounter: " in screen.said and "Ysolde, My hand (1 to 10) [unknown]: " in screen.said
    assert "   1  Straight flush\n" in screen.said and "Whom or what you met." in screen.said


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_prompt_fits_a_line(game: str) -> None:
    keeping = score_sheet(game)
    options = settle(registry.rules(game), {})
    first = {question.key: question.most or 1 for question in keeping.opening_questions(options)}
    for step in build_answer_lines("Ysolde", keeping.seat_questions(options, first)):
        usual = "/".join("0" for question in step.questions if not question.choices)
        assert len(step.prompt(usual, 80)) < 75


def test_a_column_of_many_rounds_is_one_question_a_player() -> None:
    skat = ScoreSheets(None).find("skat")
    rows = ["18/0", "18/0/-48", "0/24/0", "0/0/x", "0/0/0"]
    screen = Screen("?", "3", *rows, "", names=("Ysolde", "Bram", "Sefa"), sheet=skat)
    ysolde, bram, _ = screen.ask().tally.seats
    assert list(ysolde.answers.values()) == [18, 0, -48] and list(bram.answers.values()) == [0, 24, 0]
    assert "Ysolde, Points in deals 1 to 3 [0/0/0]: " in screen.said
    assert "This row has 2 answers, and 3 are asked for, deals 1 to 3." in screen.said
    assert "Deal 3, Points: 'x' is not a number." in screen.said
    assert "Accepted: a whole number from 1 to 500." in screen.said


def test_a_question_mark_at_a_column_of_rounds_says_once_more_how_to_type_it() -> None:
    skat = ScoreSheets(None).find("skat")
    screen = Screen("2", "?", *["18/0"] * 3, "", names=("Ysolde", "Bram", "Sefa"), sheet=skat)
    assert screen.ask() and screen.said.count("Type the 2 answers on one line") == 2


def test_a_row_typed_for_fewer_rounds_is_completed_and_a_long_one_fits_its_brackets() -> None:
    skat = ScoreSheets(None).find("skat")
    screen = Screen(
        "2",
        "18/0",
        "b",
        "b",
        "12",
        "",
        "18/0" + "/7" * 10,
        *["/".join("0" * 12)] * 2,
        "",
        names=("A", "B", "C"),
        sheet=skat,
    )
    assert list(screen.ask().tally.seats[0].answers.values()) == [18, 0, *[7] * 10]
    assert "A, Points in deals 1 to 12 [18/0]: " in screen.said and "and 12 are asked for" in screen.said


def test_choices_that_are_numbers_are_typed_as_they_are_and_not_by_their_place() -> None:
    stars = {"id": "stars", "title": "Stars", "takes": ["0", "1", "2", "3"], "worth": [0, 1, 2, 3]}
    screen = Screen(
        "1", "4", "3", "", names=("Ysolde", "Bram"), sheet=sheet({"title": "Num", "players": 2, "columns": [stars]})
    )
    ysolde, bram = screen.ask().tally.seats
    assert (ysolde.answers["stars"], bram.answers["stars"]) == ("1", "3")


def test_b_goes_back_and_says_how_a_choice_that_begins_so_is_typed() -> None:
    chess = ScoreSheets(None).find("chess")
    screen = Screen("w", "won", "b", "", "bl", "lost", "", names=("Ysolde", "Bram"), sheet=chess)
    _, bram = screen.ask().tally.seats
    assert "Black" in bram.answers.values()
    assert "b goes back. If you meant Black, type Bl." in screen.said


RATIO = {
    "title": "Ratio",
    "players": [1, 3],
    "columns": [
        {"id": "hits", "title": "Hits"},
        {"id": "shots", "title": "Shots"},
        {"id": "share", "title": "Share", "formula": "hits / shots"},
    ],
}


def test_what_was_typed_is_kept_where_a_formula_has_no_value() -> None:
    screen = Screen("3", "0", "4", "8", "", "y", "Ysolde", "", "6", "", names=("Ysolde", "Bram"), sheet=sheet(RATIO))
    ysolde, bram = screen.ask().tally.seats
    assert (ysolde.answers, bram.answers) == ({"hits": 3, "shots": 6}, {"hits": 4, "shots": 8})
    without = "Share of Ysolde cannot be computed from these scores: It divides by zero (shots = 0, hits = 3)."
    assert screen.said.count(without) == 1 and "Whose scores are to be corrected?" in screen.said
    assert screen.said.count("Nothing is recorded yet.") == 2, "nothing can be recorded without a score"


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("hits * hits * hits", "The numbers grow too large"),
        ("hits / (shots - 7)", "It divides by zero"),
        ("sum(hits) / min(shots, 0)", "It divides by zero"),
    ],
)
def test_no_formula_loses_what_was_typed(formula: str, why: str) -> None:
    share = {"id": "share", "title": "Share", "formula": formula}
    table = {**RATIO, "columns": [*RATIO["columns"][:2], share]}
    screen = Screen("999999", "7", "b", "", "q", names=("Ysolde",), sheet=sheet(table))
    with pytest.raises(PlayerQuit):
        screen.ask()
    assert f"Share of Ysolde cannot be computed from these scores: {why}" in screen.said
    assert "Ysolde, Shots [7]: " in screen.said, "b goes back to the answer, which is kept"


def test_more_rounds_than_a_sheet_has_room_for_are_typed_without_a_doubt() -> None:
    short = {"title": "Short", "players": [1, 3], "rounds": {"most": 2}, "columns": [{"id": "points", "title": "P"}]}
    screen = Screen("501", "5", "1/2/3/4/5", "", names=("Ysolde",), sheet=sheet(short))
    assert screen.ask().tally.common == {"rounds": 5}
    assert "501 is more than 500" in screen.said and "the most that can be true" not in screen.said


def test_enter_alone_wins_no_game_in_which_the_lowest_score_wins() -> None:
    """A player without any entry in Hearts has no score; it counts as 0 after confirmation."""
    hearts = ScoreSheets(None).find("hearts")
    screen = Screen("", "2", "13/9", "13/17", "", "", "y", sheet=hearts)
    found = screen.ask()
    assert [seat.number("deal.2.points") for seat in found.tally.seats] == [9, 17, 0]
    assert "Sefa has no score: nothing was typed" in screen.said and "Bram has no score" not in screen.said
    screen = Screen("", "2", "13/9", "13/17", "0/0", "", sheet=hearts)
    assert screen.ask() and "has no score" not in screen.said
