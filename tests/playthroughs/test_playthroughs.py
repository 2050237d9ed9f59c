"""The golden playthroughs are told today as they were: any change of rules or words shows up as a diff to be read."""

import pytest

from tests.playthroughs.__main__ import GAMES, path, told
from vaultkit.games.registry import GAMES as REGISTERED


@pytest.mark.parametrize("game", GAMES)
def test_playthrough_output_is_unchanged(game: str) -> None:
    assert path(game).read_text("utf-8") == told(game), "read the diff of: python -m tests.playthroughs --write"


def test_every_playable_game_has_a_playthrough() -> None:
    assert set(GAMES) == set(REGISTERED)
