"""Scores entered at the terminal row by row: next, back, explained, corrected, doubted and left."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console

from tests.games.test_definition import sheet
from tests.wording import Says
from vaultkit.campaign.scoresheets.paper_game import PaperGame
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.scoresheets.people import People
from vaultkit.campaign.scoresheets.score_entry import ScoreEntry
from vaultkit.errors import InvalidError
from vaultkit.games import registry
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets, score_sheet
from vaultkit.settings import Settings
from vaultkit.terminal.answer_sources import PlayerQuit, TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.score_entry_prompt import ScorePrompt
from vaultkit.terminal.styles import TerminalStyle


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
        self.entry = ScoreEntry(begun, said)
        self.tallying = ScorePrompt(stage, log, self.entry, begun.cards(None))
        self.left = typed
        self._out = out

    def ask(self) -> PaperGame:
        found = self.tallying.ask()
        assert list(self.left) == []
        return found

    @property
    def said(self) -> str:
        return self._out.getvalue()


ROWS = [""] * 6
"""Six rows of Dragon Citadel that are left as they are."""
SKAT = ScoreSheets(None).find("skat")
THREE = ("Ysolde", "Bram", "Sefa")


def test_players_are_asked_in_a_row_in_the_order_of_the_sheet() -> None:
    rows = ["17/1 0 3", "9 0 0", "s4", "0 8+9 0", "3 0 1", "b:y", ""]
    screen = Screen("", *rows, "1", "")
    found = screen.ask()
    assert found.names == THREE and not found.forced
    ysolde, bram, sefa = found.tally.seats
    assert (ysolde.number("swords.total"), ysolde.number("swords.heroes"), ysolde.number("crowns.count")) == (17, 1, 3)
    assert bram.summands == {"coins.total": (8, 9)} and bram.answers["forfeited"] == "yes"
    assert (sefa.number("swords.total"), sefa.number("glyphs.total")) == (3, 4)
    for asked in (
        "Swords: total of numbers / heroes (the Warrior) [0/0 0/0 0/0]: ",
        "Forfeited? (1 yes, 2 no) [no no no]: ",
        "17 + 1 hero",
        "Champion: Ysolde",
    ):
        assert asked in screen.said


def test_game_of_rounds_continues_to_its_end_with_running_totals() -> None:
    screen = Screen("y18", "0 24 0", "s-48", "", "b3, y 20", "end", "", names=THREE, sheet=SKAT)
    found = screen.ask()
    assert [list(seat.answers.values()) for seat in found.tally.seats] == [
        [18, 0, 0, 0, 20], [0, 24, 0, 0, 3], [0, 0, -48, 0, 0],
    ]  # fmt: skip
    assert found.tally.common == {"deals": 5} and found.outcome.winners == (0,)
    assert "Ysolde 18   Bram 24   Sefa -48" in screen.said and "Ysolde 38   Bram 27   Sefa -48" in screen.said


def test_back_returns_through_rows_end_and_names_and_offers_what_was_typed() -> None:
    typed = ["y18", "b24", "e", "b", "b", "", "b", "b 30", "end", ""]
    screen = Screen("Ysolde, Bram, Sefa", *typed, sheet=SKAT)
    found = screen.ask()
    assert [seat.number("deal.2.points") for seat in found.tally.seats] == [0, 30, 0]
    assert screen.said.count("Deal 2 [0 24 0]: ") == 2
    screen = Screen("Ysolde, Bram, Sefa", "y18", "b", "b", "b", "Ysolde, Bram, Oren", "o7", "e", "", sheet=SKAT)
    assert screen.ask().names == ("Ysolde", "Bram", "Oren") and screen.said == Says("This is the first question")


def test_a_row_is_corrected_by_its_number_or_its_title() -> None:
    screen = Screen("y18", "b24", "1: 20 0 0", "s9", "3:", "end", "2: s30", "9: 1 1 1", "", names=THREE, sheet=SKAT)
    found = screen.ask()
    assert [seat.number("deal.1.points") for seat in found.tally.seats] == [20, 0, 0]
    assert [seat.number("deal.2.points") for seat in found.tally.seats] == [0, 0, 30]
    assert "'9: 1 1 1' corrects nothing." in screen.said
    screen = Screen("", *ROWS, "1", "swords: 5 0 0", "", said=("mode", "rewards"))
    assert screen.ask().tally.seats[0].number("swords.total") == 5


def test_ending_within_a_round_or_before_the_first_is_refused() -> None:
    columns = [{"id": "bid", "title": "Bid", "takes": ["none", "one"]}, {"id": "tricks", "title": "Tricks"}]
    table = {"title": "Bids", "players": 2, "rounds": {"name": "hand"}, "columns": columns, "score": "tricks"}
    screen = Screen("end", "1 2", "end", "3 4", "e", "", names=("Ann", "Ben"), sheet=sheet(table))
    found = screen.ask()
    assert screen.said == Says("Hand 1", "no scores") and screen.said.count("has no scores yet.") == 2
    assert [seat.answers["hand.1.bid"] for seat in found.tally.seats] == ["none", "one"]
    assert "Hand 1, Bid (1 none, 2 one): " in screen.said and "Hand 1, Tricks [0 0]: " in screen.said


def test_invalid_row_names_the_wrong_answer_and_is_asked_again() -> None:
    lines = ["18", "1 2 3 4", "0 x 0", "n5", "1 2 y", "y18"]
    screen = Screen(*lines, "?", "t", "e", "", names=THREE, sheet=SKAT)
    screen.ask()
    for said in ("This row has 1 answer, and 3 are asked for: Ysolde, Bram and Sefa.", "has 4 answers",
                 "For one player: s18", "Bram, Points: 'x' is not a number.", "'n' is none of the players",
                 "Accepted: a whole number from -999", "Deal 1      18     0     0", "For one al"):  # fmt: skip
        assert said in screen.said, said


def test_impossible_number_is_accepted_if_typed_twice_and_recorded_with_a_remark() -> None:
    screen = Screen("", "50 0 0", "50 0 0", *ROWS[1:], "1", "", "y")
    found = screen.ask()
    assert found.forced and found.tally.seats[0].number("swords.total") == 50
    assert "50 is more than 45, the most that can be true (DC-33)" in screen.said
    assert "This cannot be true: Ysolde has 50 in Swords" in screen.said
    assert screen.said.count("Record it anyway") == 2  # Enter alone is too little


def test_choices_accept_numbers_and_words_together() -> None:
    chess = ScoreSheets(None).find("chess")
    screen = Screen("2 White", "won lost", "", names=("Ysolde", "Bram"), sheet=chess)
    ysolde, bram = screen.ask().tally.seats
    assert (ysolde.answers["colour"], bram.answers["colour"]) == ("Black", "White")
    screen = Screen("b: white, y: 2", "3 1", "", names=("Ysolde", "Bram"), sheet=chess)
    ysolde, bram = screen.ask().tally.seats
    assert (bram.answers["colour"], bram.answers["result"], ysolde.answers["result"]) == ("White", "won", "lost")


def test_choices_of_several_words_are_separated_by_semicolons() -> None:
    hands = ["high card; Pair", "1 2"]
    screen = Screen(*hands, "end", "", "y", names=("Ysolde", "Bram"), game="prophets-gambit")
    ysolde, bram = screen.ask().tally.seats
    assert (ysolde.answers["game.1.hand"], bram.answers["game.1.hand"]) == ("High card", "Pair")


def test_numeric_choices_are_typed_by_value_and_not_by_position() -> None:
    stars = {"id": "stars", "title": "Stars", "takes": ["0", "1", "2", "3"], "worth": [0, 1, 2, 3]}
    table = {"title": "Num", "players": 2, "columns": [stars]}
    ysolde, bram = Screen("1 4", "1 3", "", names=("Ysolde", "Bram"), sheet=sheet(table)).ask().tally.seats
    assert (ysolde.answers["stars"], bram.answers["stars"]) == ("1", "3")


def test_b_goes_back_and_explains_how_to_type_a_choice_starting_with_b() -> None:
    result = {"id": "result", "title": "Result", "takes": ["best", "worst"]}
    table = {"title": "One", "players": [1, 2], "columns": [{"id": "points", "title": "Points"}, result]}
    screen = Screen("5", "b", "", "be", "", names=("Ysolde",), sheet=sheet(table))
    assert screen.ask().tally.seats[0].answers == {"points": 5, "result": "best"}
    assert screen.said == Says("b goes back", "best", "be.") and "Ysolde, Points [5]: " in screen.said


def test_a_question_mark_shows_the_rulings() -> None:
    screen = Screen("?", "", "?", "3 0 0", *ROWS[1:], "?", "1", "?", "")
    screen.ask()
    assert "DC-33: The rows of the reward table" in screen.said and "DC-5" in screen.said
    assert "1–15 is row 1" in screen.said and "Option:" not in screen.said
    assert "others are guests" in screen.said and screen.said == Says("2 answers", "/ between")


def test_invalid_names_are_refused_and_mistyped_ones_asked_about() -> None:
    screen = Screen("b", "me", "22/1", "Zoe, Zoë", "", "5 0 0", *ROWS[1:], "1", "", refused="Zoe")
    assert screen.ask().names == THREE
    for said in ("This is the first question.", "'me' is not a player", "'22/1' is not a name", "Zoe sits twice"):
        assert said in screen.said
    hands = ["1 2", "1 2", "end"]
    names = ["Ysold, Bram, Guest", "b", "Ysold, Guest", "what", "", "n", "Ysolde, Guest", "y"]
    screen = Screen(*names, *hands, "", "y", game="prophets-gambit")
    assert screen.ask().names == ("Ysolde", "Guest") and screen.said == Says("Who played", "asked once more")
    crowd = "Prophet's Gambit is for 3 to 5 players, and 2 took part."
    assert screen.said.count(f"{crowd} Is that right (y)") == 2 and f"This cannot be true: {crowd[:-1]}" in screen.said


def test_leaving_and_end_of_input_are_distinguished() -> None:
    with pytest.raises(PlayerQuit):
        Screen("", "5 0 0", "q").ask()
    with pytest.raises(EOFError) as raised:
        Screen("", "5 0 0").ask()
    assert not isinstance(raised.value, PlayerQuit)


def test_rounds_of_a_playable_game_are_entered_in_the_same_way() -> None:
    screen = Screen("Ysolde, Bram", "6/0/0/0 6", "6 6", "end", "", game="propheta")
    found = screen.ask()
    assert found.tally.common["deals"] == 2 and found.tally.seats[1].number("deal.2.tricks") == 6 and not found.forced


def test_mandatory_question_is_asked_until_answered() -> None:
    rows = ["", "2 wyrms", "1/9 0", "", ""]
    screen = Screen("Ysolde, Bram", *rows, "y", game="turn-of-fate")
    found = screen.ask()
    assert [seat.answers["temple"] for seat in found.tally.seats] == ["wyrms", "wyrms"] and found.forced
    assert "an answer is missing. Accepted: moons" in screen.said


def test_mode_of_the_game_determines_the_possible_endings() -> None:
    screen = Screen("", "comp", "treasure", "5 0 0", *ROWS[1:], "score", "", said=())
    found = screen.ask()
    options, common = found.tally.options, found.tally.common
    assert (options["mode"], options["rewards"], common["outcome"]) == ("competitive", "treasure", "score")
    assert "How did you play? (1 coop, 2 competitive) [coop]" in screen.said and not found.forced


def test_option_corrected_at_the_end_changes_the_possible_endings() -> None:
    screen = Screen("", "", "", "5 0 0", *ROWS[1:], "1", "how did you: comp", "", "1", "", said=())
    found = screen.ask()
    assert found.tally.common["outcome"] == "score" and found.tally.options["mode"] == "competitive"
    assert found.tally.seats[0].number("swords.total") == 5


def test_a_name_and_the_day_are_corrected_at_the_end() -> None:
    begun = ["Ysold, Bram, Sefa", "g", "5 0 0", *ROWS[1:], "1"]
    screen = Screen(*begun, "0", "Ysolde, Bram, Sefa", "2026-13-01", "2026-11-02", "n", "y")
    found = screen.ask()
    assert found.names == THREE and found.tally.seats[0].number("swords.total") == 5
    assert found.date == date(2026, 11, 2) and "Played on 2026-11-02." in screen.said and "not a date" in screen.said
    assert "Nothing is recorded yet." in screen.said


def test_words_are_asked_for_player_by_player() -> None:
    encounter = ["A bear, of the north", "4", "3", "2", "1", "5"]
    screen = Screen("Ysolde", "", "", *encounter, "", game="deck-of-destiny")
    line = screen.ask().tally.seats[0]
    asked = {key.rpartition(".")[2]: value for key, value in line.answers.items()}
    assert asked == {
        "name": "A bear, of the north", "asks": "4", "laid": 3, "hand": "Four of a kind", "result": "win", "gained": 5,
    }  # fmt: skip
    assert "   1  Straight flush\n" in screen.said and "Whom or what you met." in screen.said


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_prompt_fits_a_line(game: str) -> None:
    keeping = score_sheet(game)
    paper = PaperGame(keeping.id, date(2026, 11, 3), THREE, Tally(settle(registry.rules(game), {}), ()), sheet=keeping)
    entry = ScoreEntry(paper)
    rows = [row for row in entry.rows() if row.round_number < 3]
    assert rows and all(len(row.title) < 70 for row in rows)


RATIO = {
    "title": "Ratio",
    "players": [1, 3],
    "columns": [
        {"id": "hits", "title": "Hits"},
        {"id": "shots", "title": "Shots"},
        {"id": "share", "title": "Share", "formula": "hits / shots"},
    ],
}


def test_typed_scores_are_preserved_where_a_formula_has_no_value() -> None:
    screen = Screen("3 4", "0 8", "", "y", "shots: 6 8", "", names=("Ysolde", "Bram"), sheet=sheet(RATIO))
    ysolde, bram = screen.ask().tally.seats
    assert (ysolde.answers, bram.answers) == ({"hits": 3, "shots": 6}, {"hits": 4, "shots": 8})
    without = "Share of Ysolde cannot be computed from these scores: It divides by zero (shots = 0, hits = 3)."
    assert screen.said.count(without) == 1 and "What is to be corrected?" in screen.said
    assert screen.said.count("Nothing is recorded yet.") == 2, "nothing can be recorded without a score"


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("hits * hits * hits", "The numbers grow too large"),
        ("hits / (shots - 7)", "It divides by zero"),
        ("sum(hits) / min(shots, 0)", "It divides by zero"),
    ],
)
def test_no_formula_loses_typed_scores(formula: str, why: str) -> None:
    share = {"id": "share", "title": "Share", "formula": formula}
    table = {**RATIO, "columns": [*RATIO["columns"][:2], share]}
    screen = Screen("999999", "7", "b", "", "q", names=("Ysolde",), sheet=sheet(table))
    with pytest.raises(PlayerQuit):
        screen.ask()
    assert f"Share of Ysolde cannot be computed from these scores: {why}" in screen.said
    assert "Ysolde, Shots [7]: " in screen.said, "b goes back to the answer, which is kept"


def test_more_rounds_than_a_sheet_has_room_for_are_accepted() -> None:
    short = {"title": "Short", "players": [1, 3], "rounds": {"most": 2}, "columns": [{"id": "points", "title": "P"}]}
    screen = Screen(*"12345", "end", "", names=("Ysolde",), sheet=sheet(short))
    assert screen.ask().tally.common == {"rounds": 5} and "the most that can be true" not in screen.said


def test_enter_alone_does_not_win_if_the_lowest_score_wins() -> None:
    hearts = ScoreSheets(None).find("hearts")
    screen = Screen("", "y13,b13", "y9 b17", "e", "", "y", sheet=hearts)
    found = screen.ask()
    assert [seat.number("deal.2.points") for seat in found.tally.seats] == [9, 17, 0]
    assert "Sefa has no score: nothing was typed" in screen.said and "Bram has no score" not in screen.said
    screen = Screen("", "13 13 0", "9 17 0", "e", "", sheet=hearts)
    assert screen.ask() and "has no score" not in screen.said


def test_saved_entries_give_the_same_state_again() -> None:
    screen = Screen("Ysolde, Bram, Sefa", "y18", "b24", "1: 20 0 0", "s7", "b", "q", sheet=SKAT)
    with pytest.raises(PlayerQuit):
        screen.ask()
    entry = screen.entry
    again = ScoreEntry(entry._first_paper, (), list(entry.entries))
    assert again.totals() == entry.totals() == {"Ysolde": 20, "Bram": 24, "Sefa": 0}
    current = again.current
    assert current and current.title == "Deal 3" and again.paper.names == THREE


def test_target_ends_the_rounds_and_back_continues_them() -> None:
    columns = [{"id": "points", "title": "Points"}]
    table = {"title": "Race", "players": [2, 4], "rounds": {"name": "leg"}, "columns": columns, "target": 10}
    screen = Screen("4 5", "6 2", "b", "b", "5 2", "0 9", "", names=("Ann", "Ben"), sheet=sheet(table))
    found = screen.ask()
    assert found.tally.common == {"legs": 3}
    assert screen.said.count("The target is reached, so the rounds end here.") == 2
    assert [found.outcome.score(seat) for seat in (0, 1)] == [9, 16]


def test_values_for_the_whole_table_are_asked_first() -> None:
    sheets = ScoreSheets(None)
    screen = Screen("Goose Fair", "y n n", "", names=THREE, sheet=sheets.find("who-won"))
    found = screen.ask()
    assert found.tally.common == {"played": "Goose Fair"} and found.outcome.winners == (0,)


def test_commas_between_answers_are_as_good_as_spaces() -> None:
    lines = ["2,3,4", "5, 6, 7", "e", ""]
    screen = Screen(*lines, names=THREE, sheet=SKAT)
    found = screen.ask()
    assert [seat.number("deal.1.points") for seat in found.tally.seats] == [2, 3, 4]
    assert [seat.number("deal.2.points") for seat in found.tally.seats] == [5, 6, 7]
    assert "Deal 1 [0 0 0]: " in screen.said
