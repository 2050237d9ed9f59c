"""Scores asked for at the screen: forth, back, explained, corrected, doubted, and left."""

from collections.abc import Iterator
from datetime import date
from io import StringIO

import pytest
from rich.console import Console

from vaultkit.campaign.paper.game import PaperGame, PlayedFrom
from vaultkit.errors import InvalidError
from vaultkit.games import registry
from vaultkit.games.tally import Tally
from vaultkit.play.look import Look
from vaultkit.play.sources import Leave, Terminal
from vaultkit.play.stage import Stage
from vaultkit.play.tallying import Tallying
from vaultkit.session.options import settle

EMPTY = [""] * 6
"""The six rows of one player, all left as they are."""


class Screen:
    """A person who types these lines, and what they see."""

    def __init__(
        self, *lines: str, names: tuple[str, ...] = (), game: str = "dragon-citadel", refused: str = ""
    ) -> None:
        out = StringIO()
        console = Console(file=out, width=200)
        typed: Iterator[str] = iter(lines)

        def read() -> str:
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        def check(who: object) -> None:
            if refused and refused in str(who):
                raise InvalidError(f"{refused} sits twice.")

        options = settle(registry.rules(game), {})
        begun = PaperGame(game, date(2026, 11, 3), names, Tally(options, ()))
        stage = Stage(console, Terminal(console, read), Look(plain=True))
        self.tallying = Tallying(stage, begun, ("Ysolde", "Bram", "Sefa"), PlayedFrom(), check)
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
    screen = Screen("", "17/1", "9", "", "", "3", "", "", "", "", "8+9", "", "y", "", "", "3", "", "", "", "", "")
    found = screen.ask()
    assert found.names == ("Ysolde", "Bram", "Sefa") and not found.forced
    ysolde, bram, sefa = found.tally.seats
    assert (ysolde.number("swords.total"), ysolde.number("swords.heroes"), ysolde.number("crowns.count")) == (17, 1, 3)
    assert bram.summands == {"coins.total": (8, 9)} and bram.answers["forfeited"] == "yes"
    assert sefa.number("glyphs.total") == 3 and found.tally.common["outcome"] == "party"
    for asked in ("Ysolde, Swords: total of numbers / heroes", "Is this right?", "17 + 1 hero", "Champion: Ysolde, 26"):
        assert asked in screen.said


def test_back_and_over_the_names_keeps_what_was_typed() -> None:
    screen = Screen("Ysolde, Bram, Sefa", "5", "b", "b", "Sefa, Ysolde, Bram", *EMPTY, *EMPTY, *EMPTY, "", "")
    found = screen.ask()
    assert found.names == ("Sefa", "Ysolde", "Bram") and "Ysolde, Swords: total of numbers" in screen.said
    assert [seat.number("swords.total") for seat in found.tally.seats] == [0, 5, 0] and " [5]" in screen.said


def test_what_is_no_answer_is_asked_again_and_what_is_too_high_twice() -> None:
    lines = ["many", "1/2/3", "50", "40", "", "", "", "", "maybe", "", *EMPTY, *EMPTY, "", ""]
    screen = Screen("b", "me", "", *lines)
    found = screen.ask()
    for said in ("This is the first question.", "'me' is nobody's name", "'many' is not a number", "3 parts, and 2",
                 "50 is more than 45, the most that can be true (DC-33)", "'maybe' is not one of them"):  # fmt: skip
        assert said in screen.said
    assert found.tally.seats[0].number("swords.total") == 40


def test_an_impossible_number_stands_if_typed_twice_and_is_recorded_with_a_remark() -> None:
    screen = Screen("", "50", "50", *EMPTY[1:], *EMPTY, *EMPTY, "", "")
    found = screen.ask()
    assert found.forced and found.tally.seats[0].number("swords.total") == 50
    assert "This cannot be true: Ysolde has 50 in Swords" in screen.said and "Record it anyway" in screen.said


@pytest.mark.parametrize("chosen", ["2", "bram", "Br"])
def test_a_player_is_corrected_and_then_it_is_asked_again(chosen: str) -> None:
    screen = Screen("", *EMPTY, "50", "50", *EMPTY[1:], *EMPTY, "", "nobody", chosen, "5", *EMPTY[1:], "", "")
    found = screen.ask()
    assert [seat.number("swords.total") for seat in found.tally.seats] == [0, 5, 0] and not found.forced
    assert "'nobody' is none of the players" in screen.said and screen.said.count("What it comes to") == 2


def test_back_from_the_end_changes_how_it_ended_by_number() -> None:
    screen = Screen("", *EMPTY, *EMPTY, *EMPTY, "", "b", "3", "yes")
    assert screen.ask().tally.common["outcome"] == "seer"


def test_a_question_mark_shows_the_rulings() -> None:
    screen = Screen("?", "", "?", *EMPTY, *EMPTY, *EMPTY, "?", "", "")
    screen.ask()
    assert "DC-33: The rows of the reward table" in screen.said and "DC-5" in screen.said
    assert "others are guests" in screen.said


def test_names_that_are_known_are_not_asked_for_and_those_that_cannot_be_are_refused() -> None:
    screen = Screen(*EMPTY, *EMPTY, *EMPTY, "", "", names=("Ada", "Ben", "Cy"))
    assert screen.ask().names == ("Ada", "Ben", "Cy") and "Who played" not in screen.said
    screen = Screen("Zoe, Zoë", "", *EMPTY, *EMPTY, *EMPTY, "", "", refused="Zoe")
    assert screen.ask().names == ("Ysolde", "Bram", "Sefa") and "Zoe sits twice" in screen.said


def test_whoever_leaves_and_whoever_goes_away_is_told_apart() -> None:
    with pytest.raises(Leave):
        Screen("", "5", "q").ask()
    with pytest.raises(EOFError) as raised:
        Screen("", "5").ask()
    assert not isinstance(raised.value, Leave)


def test_a_number_of_deals_changes_what_is_asked() -> None:
    deals = ["2", "6/0/0/0", "6", "6", "6", ""]
    screen = Screen("Ysolde, Bram", *deals, game="propheta")
    found = screen.ask()
    assert found.tally.common["deals"] == 2 and found.tally.seats[1].number("deal.2.tricks") == 6
    assert not found.forced


def test_what_must_be_answered_is_asked_until_it_is() -> None:
    ysolde, bram = ["", "2", "1/9", ""], ["wyrms", "", ""]
    screen = Screen("Ysolde, Bram", *ysolde, *bram, "", "", game="turn-of-fate")
    found = screen.ask()
    assert [seat.answers["temple"] for seat in found.tally.seats] == ["wyrms", "wyrms"] and found.forced
    assert "an answer is missing. Accepted: moons" in screen.said and "Ysolde, which one: " in screen.said
