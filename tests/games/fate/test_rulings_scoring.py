"""Scores, ties and the cards in the Temple (TF-25 to TF-28)."""

import pytest

from tests.games.fate.position import CARDS, GAME, A, B, Play, arrange_game
from tests.wording import Says
from vaultkit.games.turn_of_fate import rules


def end_game(**where: object) -> Play:
    """Return a game that ends because the Moons cannot do anything."""
    return arrange_game(("", "4yk"), deck="", citizens="", **where)  # type: ignore[arg-type]


def test_tf_25_congregation_and_temple_by_part() -> None:
    game = end_game(congregations=("2mk Ak, 6sy 4ms", ""), vowed=("6mw Xw", "5yk Ay"), agora="9lk 6lk")
    own, rivals = game.outcome.scores
    assert dict(own) == {
        "congregation.count": 2, "congregation.citizens": 2, "congregation.doubled": 12, "congregation.fates": 5,
        "temple.count": 1, "temple.citizens": 6, "temple.doubled": 0, "temple.fates": 10, "total": 35,
    }  # fmt: skip
    assert rivals["total"] == 6, "neither the Agora nor the hand counts"


def test_tf_25_the_score_sheet_shows_the_parts() -> None:
    game = end_game(congregations=("2mk Ak, 6sy 4ms", ""), vowed=("6mw Xw", "5yk Ay"))
    (sheet,) = GAME.score_tables(game.outcome)
    assert sheet.rows == (("", "2 + 2 × 6 + 5 of Fates", "6 + 10 of Fates", "35"), ("", "0", "5 + 1 of Fates", "6"))


def test_tf_25_the_higher_score_wins() -> None:
    game = end_game(congregations=("2mk", "5yk"))
    assert game.outcome.winners == (B,) and game.outcome.ranks == (2, 1)
    assert "{v0} to {v1}" in game.outcome.reason.words and game.outcome.reason.values == (5, 2, "Wyrms")


def test_tf_26_bard_and_huntress_are_never_doubled() -> None:
    for citizen, temple in CARDS.specials.items():
        assert rules.citizen_points((citizen,), temple, CARDS) == 10


LEVEL = {"congregations": ("6mw Aw, 8ms", "6sy"), "vowed": ("", "9lk")}
"""Congregations and Temples worth 15 points for each seat; the Moons have nobody in their Temple."""


def test_tf_27_a_tie_is_shared() -> None:
    game = end_game(**LEVEL)
    assert [parts["total"] for parts in game.outcome.scores] == [15, 15]
    assert game.outcome.winners == (A, B) and game.outcome.ranks == (1, 1)
    assert game.outcome.reason.words == Says("share", "win", "v0")


@pytest.mark.parametrize("tiebreak", ["temple-count", "underdog"])
def test_tf_27_tie_is_broken_by_option(tiebreak: str) -> None:
    game = end_game(**LEVEL, tiebreak=tiebreak)
    assert game.outcome.winners == (B,) and game.outcome.ranks == (2, 1)
    assert ", level, but" in game.outcome.reason.words


def test_tf_27_equal_temples_share_the_win() -> None:
    game = end_game(vowed=("8ms", "3ly 5sw"), tiebreak="temple-count")
    assert game.outcome.winners == (A, B)


@pytest.mark.parametrize("tiebreak", ["shared", "temple-count", "underdog"])
def test_tf_27_tiebreak_applies_only_to_equal_scores(tiebreak: str) -> None:
    game = end_game(congregations=("8ms", ""), vowed=("", "3ly"), tiebreak=tiebreak)
    assert game.outcome.winners == (A,) and ", level" not in game.outcome.reason.words


def test_tf_28_option_decides_whether_the_temple_may_be_looked_up() -> None:
    where = {"vowed": ("6mw Xw", "5yk Ay"), "agora": "9lk"}
    for memory, cards, hidden in (("open", ("6mw", "Xw"), 0), ("closed", (), 2)):
        game = arrange_game(("Ak", "4yk"), memory=memory, **where)  # type: ignore[arg-type]
        for seat in (A, B):
            zones = [zone for zone in GAME.table(game.state.view(seat)) if "Temple" in zone.title.words]
            own = [zone for zone in zones if zone.owner == A]
            assert [card for zone in own for card in zone.cards] == [*cards]
            assert sum(zone.hidden for zone in own) == hidden
            told = [own[0].short, *(one.points for one in GAME.standing(game.state.view(seat)))]
            assert [points is None for points in told] == [memory == "closed"] * 3, "a sum would tell as well"


def test_tf_25_each_pile_says_why_it_counts_its_points() -> None:
    game = arrange_game(("", "4yk"), congregations=("2mk Ak, 6sy 4ms, 3ly", ""), vowed=("6mw Xw", "5yk Ay"))
    zones = [zone for zone in GAME.table(game.state.view(B)) if zone.owner == A and zone.short]
    said = [zone.short.values[0] for zone in zones if zone.short]
    assert said == [
        "2 + 1 of Fates = 3 points",
        "2 × 6 + 4 of Fates = 16 points",
        "2 × 3 = 6 points",
        "6 + 10 of Fates = 16 points",
    ]
