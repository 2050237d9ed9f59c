"""Propheta on paper: deals, targets, and every doubt by its ruling."""

import pytest

from tests.games.scoresheets import doubting
from tests.games.scoresheets.doubting import keeper, render_sentence
from tests.wording import Says
from vaultkit.games.propheta.game import Propheta
from vaultkit.games.scoresheet import Tally

GAME = "propheta"


def sheets(*written: str, deals: int = 1, **options: object) -> Tally:
    """Return sheets from a line of deals for each seat, as `tricks/mutable/fixed/cardinal`, or boxes by name."""
    seats = [" ".join(_boxes(word, number) for number, word in enumerate(line.split(), 1)) for line in written]
    return doubting.tally(GAME, *seats, common={"deals": deals}, options=options)


def _boxes(word: str, deal: int) -> str:
    if "=" in word:
        return word
    names = ("tricks", "mutable", "fixed", "cardinal")
    return " ".join(f"deal.{deal}.{name}={value}" for name, value in zip(names, word.split("/"), strict=True))


def doubts(*written: str, deals: int = 1, **options: object) -> dict[str, tuple[str, ...]]:
    return doubting.doubts_by_sentence(GAME, sheets(*written, deals=deals, **options))


def test_va_15_points_are_computed() -> None:
    outcome = keeper(GAME).outcome(sheets("7/1/0/2", "5/0/2/0"))
    assert (outcome.kind, outcome.winners, outcome.ranks) == ("score", (0,), (1, 2))
    assert [outcome.score(seat) for seat in (0, 1)] == [21, 13]
    (table,) = Propheta().score_tables(outcome)
    assert table.rows[0] == ("", "7", "1", "0", "2", "21")


def test_va_18_tiebreaks_of_a_single_deal() -> None:
    level = ("6/1/0/0", "8/0/0/0", "0/0/0/0")
    assert keeper(GAME).outcome(sheets(*level, tiebreak="shared")).winners == (0, 1)
    assert keeper(GAME).outcome(sheets(*level, tiebreak="tricks")).winners == (1,)
    assert keeper(GAME).outcome(sheets(*level, tiebreak="predictions")).winners == (0,)


def test_several_deals_without_a_target() -> None:
    outcome = keeper(GAME).outcome(sheets("7/0/0/0 6/0/0/0", "5/0/0/0 6/0/0/0", deals=2, tiebreak="tricks"))
    assert (outcome.kind, outcome.winners) == ("deals", (0,))
    assert render_sentence(outcome.reason) == Says("All deals", "played", "Ysolde", "most points, 13")
    assert [table.title for table in Propheta().score_tables(outcome)] == ["Score Sheet", "Points Deal by Deal"]
    assert Propheta().ending("deals") == "All deals are played"


def test_va_19_a_target_is_reached_alone_and_ends_the_match() -> None:
    won = ("7/0/0/2 2/0/0/0", "5/0/0/0 10/0/0/0")
    assert doubts(*won, deals=2, target=20) == {}
    assert keeper(GAME).outcome(sheets(*won, deals=2, target=20)).kind == "match"
    assert list(doubts(*won, deals=2, target=36).items()) == [(Says("Nobody", "reached 36 points alone"), ("VA-19",))]
    assert list(doubts("9/0/0/2 2/0/0/0", "3/0/0/0 10/0/0/0", deals=2, target=20)) == [
        Says("20 points", "reached", "deal 1")
    ]
    reason = keeper(GAME).outcome(sheets(*won, deals=2, target=36)).reason
    assert render_sentence(reason) == Says("21 points", "Ysolde ahead", "36")


def test_va_3_the_tricks_of_a_deal_add_up() -> None:
    assert list(doubts("7/0/0/0", "4/0/0/0").items()) == [(Says("11", "2", "players", "12"), ("VA-3", "VA-12"))]
    assert doubts("3/0/0/0", "3/0/0/0", "3/0/0/0", "0/0/0/0") == {}
    assert list(doubts("6/0/0/0 6/0/0/0", "6/0/0/0 7/0/0/0", deals=2)) == [Says("deal 2", "13", "2 players", "12")]


def test_va_3_at_most_as_many_prophecies_as_chosen() -> None:
    assert list(doubts("6/5/0/0", "6/0/0/0")) == [Says("Ysolde", "5", "prophecies", "4")]
    assert len(doubts("3/4/0/0", "3/0/0/0", "3/0/0/0", "0/0/0/0")) == 1


def test_va_12_va_13_one_prophecy_per_trick() -> None:
    assert list(doubts("1/0/0/2", "11/0/0/0").values()) == [("VA-12",)]
    assert list(doubts("1/0/0/0", "11/0/2/0").values()) == [("VA-12", "VA-13")]
    assert doubts("2/0/0/2", "10/0/2/0") == {}


def test_va_15_wrong_points_are_questioned() -> None:
    assert doubts("6/1/0/0 deal.1.points=8 score=8", "6/0/0/0") == {}
    assert list(doubts("6/1/0/0 deal.1.points=9 score=10", "6/0/0/0")) == [
        Says("Total", "Ysolde", "written", "10", "8"),
        Says("Points", "Ysolde", "written", "9", "8"),
    ]


@pytest.mark.parametrize("seats", [1, 5])
def test_too_few_or_too_many_players(seats: int) -> None:
    found = doubts(*["0/0/0/0"] * seats)
    assert list(found) == [f"Propheta is for 2 to 4 players, and {seats} took part."]
