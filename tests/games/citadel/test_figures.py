"""DC-3: how often a sensible party outlasts the deck, by the number of players."""

import pytest

from tests.bots.test_greedy_dragon_citadel import greedy_game
from vaultkit.bots.registry import make_bot

pytestmark = pytest.mark.slow

GAMES = 500


@pytest.mark.parametrize(("seats", "claimed"), [(2, 0.44), (3, 0.69), (4, 0.86), (5, 0.96), (6, 1.00)])
def test_dc_3_survival_rate_of_the_party(seats: int, claimed: float) -> None:
    """DC-3: the share of surviving parties is within three standard errors of the claimed one."""
    party = [make_bot("greedy")] * seats
    kinds = [greedy_game(seats, seed, party, min_players=2).kind for seed in range(GAMES)]
    error = (max(claimed * (1 - claimed), 0.005) / GAMES) ** 0.5
    assert kinds.count("party") / GAMES == pytest.approx(claimed, abs=3 * error)
