"""Wins and best scores in games that only have a score sheet."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.campaign.stats.samples import BRAM, GUEST, YSOLDE, make_vault, session
from tests.games.test_definition import sheet, tally
from tests.wording import Says
from vaultkit.campaign.stats.game_list import gather_games
from vaultkit.campaign.stats.statistics import PlayerRecord, Statistics
from vaultkit.campaign.stats.stats_document import stats_document
from vaultkit.cli.stats import statistics_sentences

QUEST = """
title = "Quest"
players = [1, 4]
win = "{win}"
score = "{score}"

[[columns]]
id = "role"
title = "Role"
takes = ["thief", "mage"]

[[columns]]
id = "gold"
title = "Gold"

[[columns]]
id = "done"
title = "Done?"
takes = "yes or no"
"""


def reckon(root: Path, games: Iterable[tuple[str, str]], win: str = "highest", score: str = "gold") -> Statistics:
    (root / ".vaultkit/games").mkdir(parents=True)
    (root / ".vaultkit/games/quest.toml").write_text(QUEST.format(win=win, score=score), encoding="utf-8")
    return Statistics.from_sessions(gather_games(make_vault(root, games)).sessions)


def quest(
    number: int, players: Iterable[str], winners: Iterable[str], outcome: str = "score", **scores: float
) -> tuple[str, str]:
    keys = {f"score-{name.replace('_', '-')}": score for name, score in scores.items()}
    return session(number, f"2026-11-{number:02}", players, winners, game="quest", title="Quest",
                   outcome=outcome, scores=keys)  # fmt: skip


def ysolde(statistics: Statistics) -> PlayerRecord:
    return next(one for one in statistics.players if one.name == "Ysolde Marr")


def test_solo_game_is_not_a_win_and_neither_breaks_nor_extends_a_streak(tmp_path: Path) -> None:
    together = [quest(number, [YSOLDE, BRAM], [YSOLDE], ysolde_marr=5, bram_tolliver=2) for number in (1, 4)]
    alone = [quest(2, [YSOLDE], [YSOLDE], ysolde_marr=50), quest(3, [YSOLDE], [], "solo", ysolde_marr=9)]
    found = reckon(tmp_path, [*together, *alone])
    one = ysolde(found)
    assert (one.games, one.won, one.alone, one.rate, one.streak, one.longest) == (4, 2, 2, 1.0, 2, 2)
    assert [(leader.name, won) for leader, won in found.games[0].leaders] == [("Ysolde Marr", 2)]
    assert [best.score for best in one.bests] == [50], "a score counts, whoever else was there"
    sentence = Says("Ysolde Marr", "4 games", "2 won", "100", "2 alone", "last", "2026-11-04")
    assert sentence in statistics_sentences(found)


def test_player_with_only_solo_games_has_no_win_rate(tmp_path: Path) -> None:
    found = reckon(tmp_path, [quest(1, [GUEST], [GUEST])])
    assert found.games[0].leaders == () and stats_document(found)["players"][0]["win_rate"] is None
    assert next(line for line in statistics_sentences(found) if "won" in line).startswith(
        "Priya's cousin: 1 game, 0 won (–), 1 a"
    )


@pytest.mark.parametrize(("win", "outcome"), [("chosen", "winner"), ("co-op", "won")])
def test_solo_game_that_can_be_lost_counts_as_a_win(tmp_path: Path, win: str, outcome: str) -> None:
    found = reckon(tmp_path, [quest(1, [YSOLDE], [YSOLDE], outcome), quest(2, [YSOLDE], [], "nobody")], win, "done")
    assert (ysolde(found).won, ysolde(found).alone, ysolde(found).rate) == (1, 0, 0.5)


@pytest.mark.short(5)
@pytest.mark.parametrize(
    ("win", "score", "best"),
    [("highest", "gold", 9), ("lowest", "gold", 2), ("highest", "role", None), ("chosen", "done", None),
     ("highest", "done", None), ("co-op", "", None), ("co-op", "gold", None)],
)  # fmt: skip
def test_best_scores_use_numbers_that_decide_the_game(tmp_path: Path, win: str, score: str, best: float | None) -> None:
    played = [quest(1, [YSOLDE, BRAM], [YSOLDE], "score", ysolde_marr=9, bram_tolliver=4),
              quest(2, [YSOLDE, BRAM], [YSOLDE], "score", ysolde_marr=2, bram_tolliver=1)]  # fmt: skip
    found = reckon(tmp_path, played, win, score)
    assert [one.score for one in ysolde(found).bests] == ([] if best is None else [best])
    assert (found.games[0].average is None) == (best is None)


def test_game_without_its_definition_uses_the_recorded_outcome(tmp_path: Path) -> None:
    played = [session(1, "2026-11-01", [YSOLDE], [YSOLDE], game="old", title="Old", outcome="score",
                      scores={"score-ysolde-marr": 1})]  # fmt: skip
    chosen = [session(2, "2026-11-02", [YSOLDE], [YSOLDE], game="vote", title="Vote", outcome="winner",
                      scores={"score-ysolde-marr": 2})]  # fmt: skip
    found = Statistics.from_sessions(gather_games(make_vault(tmp_path, [*played, *chosen])).sessions)
    assert (ysolde(found).won, ysolde(found).alone) == (1, 1)
    assert [best.title for best in ysolde(found).bests] == ["Old"]


def test_no_chosen_winner_means_no_winner(tmp_path: Path) -> None:
    found = reckon(
        tmp_path, [quest(1, [YSOLDE, BRAM], [], "winner"), quest(2, [YSOLDE, BRAM], [], "nobody")], "chosen", "done"
    )
    assert found.games[0].outcomes == (("nobody", 2),) and found.games[0].ending("nobody") == "Nobody has won"
    vote = {"title": "Vote", "players": [1, 4], "win": "chosen",
            "columns": [{"id": "won", "title": "Won", "takes": "yes or no"}]}  # fmt: skip
    outcome = sheet(vote).outcome(tally({"won": "no"}, {}))
    assert (outcome.kind, outcome.winners) == ("nobody", ())
    assert sheet(vote).outcome(tally({"won": "yes"})).winners == (0,), "a single yes is a win"


def test_choice_is_not_counted_as_a_score() -> None:
    columns = [
        {"id": "done", "title": "Done", "takes": "yes or no"},
        {"id": "role", "title": "Role", "takes": ["a", "b"]},
    ]
    for win in ("chosen", "co-op"):
        outcome = sheet({"title": "T", "players": [1, 4], "win": win, "columns": columns}).outcome(
            tally({"done": "yes", "role": "b"}, {"done": "no", "role": "a"}, outcome="won")
        )
        assert outcome.score(0) is None, win


def test_solo_game_has_a_score_and_no_winner() -> None:
    darts = {"title": "Darts", "players": [1, 8], "columns": [{"id": "points", "title": "Points"}]}
    outcome = sheet(darts).outcome(tally({"points": 40}))
    assert (outcome.kind, outcome.winners, outcome.score(0)) == ("solo", (), 40)
    assert outcome.reason.render(lambda _: "Ysolde", str) == Says("Ysolde", "alone", "scored 40")
