"""G-2: the winner of the last logged game begins, or a remark says why nobody can."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.campaign.stats.samples import BOT, BRAM, GUEST, YSOLDE, make_vault, session
from vaultkit.campaign.game_notes import preset_chance_turns
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError
from vaultkit.games.registry import rules
from vaultkit.session.seats import parse_seats

GAMES = [
    session(1, "2026-09-05", [YSOLDE, BRAM], [YSOLDE]),
    session(2, "2026-09-06", [YSOLDE, BRAM, BOT], [BRAM]),
    session(3, "2026-09-07", [YSOLDE, BRAM], [YSOLDE], game="turn-of-fate", title="Turn of Fate"),
    session(4, "2026-09-08", [YSOLDE, BRAM, GUEST], [GUEST]),
    session(5, "2026-09-09", [YSOLDE, GUEST], [YSOLDE, GUEST]),
    session(6, "2026-09-09", [BRAM, GUEST], []),
    session(7, "2026-09-09", [BRAM, BOT], [BOT]),
]


def preset_first(root: Path, names: str, game: str = "propheta", key: str = "first") -> Mapping[str, tuple[str, ...]]:
    make_vault(root, GAMES)
    return preset_chance_turns(Workspace(root), rules(game), {key: "winner-of-last"}, parse_seats(names.split(", ")))


def test_g_2_the_winner_of_the_last_game_among_the_same_people_begins(tmp_path: Path) -> None:
    """G-2: games of other people or titles do not count, and neither does the order of the seats."""
    assert preset_first(tmp_path, "Ysolde, Bram Tolliver") == {"first": ("1",)}
    assert preset_first(tmp_path, "bot:greedy, Bram Tolliver, Ysolde Marr") == {"first": ("1",)}
    assert preset_first(tmp_path, "Bram Tolliver, Ysolde", "turn-of-fate") == {"first": ("1",)}
    assert preset_first(tmp_path, "priya's cousin, Ysolde, Bram Tolliver") == {"first": ("0",)}
    assert preset_first(tmp_path, "bot:greedy, Bram Tolliver") == {"first": ("0",)}
    options = {"dealer": 1}
    assert not preset_chance_turns(Workspace(tmp_path), rules("prophets-gambit"), options, parse_seats(["A", "B", "C"]))


@pytest.mark.parametrize(
    ("names", "game", "key", "reason"),
    [
        ("Ysolde, Tom", "propheta", "first", "No game of Propheta among these people is logged yet"),
        ("Ysolde, Bram Tolliver, C", "prophets-gambit", "dealer", "--set dealer=random"),
        ("Ysolde, Priya's cousin", "propheta", "first", "Ysolde Marr and Priya's cousin share the win"),
        ("Bram Tolliver, Priya's cousin", "propheta", "first", "Nobody has won the last game"),
        ("Bram Tolliver, bot:search", "propheta", "first", "Bot 1 (greedy), who won the last game of Propheta, is not"),
    ],
)
def test_g_2_missing_last_winner_is_refused(tmp_path: Path, names: str, game: str, key: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        preset_first(tmp_path, names, game, key)
    assert reason in f"{caught.value} {caught.value.hint}" and "(G-2)" in caught.value.message
