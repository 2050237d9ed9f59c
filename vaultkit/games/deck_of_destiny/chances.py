"""The chance to win an encounter, sampled from the cards that the player does not see."""

from collections.abc import Iterator
from functools import lru_cache

from vaultkit.games.deck_of_destiny.rules import BOARD_SIZE, DestinyRules
from vaultkit.games.game import fixed_rng
from vaultkit.games.hands import HandValue

Cards = tuple[str, ...]
SampledEnd = tuple[Cards, HandValue | None]
"""A whole board, and the value of the opponent's hand with it, None if there is no opponent."""

SAMPLE_COUNT = 240
"""The number of sampled ends of an encounter; more would take longer and hardly change a chance in steps of 5%."""

TIE_CHANCES = {"won": 1.0, "replay": 0.5}
"""The chance that equal hands count as, by the option `tie`; by any other value nothing (DD-10)."""


@lru_cache(maxsize=1024)
def win_chance(
    rules: DestinyRules,
    own: tuple[str, ...],
    board: tuple[str, ...],
    opponent: tuple[str, ...],
    unseen: tuple[str, ...],
) -> float:
    """Return the chance to win with the cards `own` alone, from 0 to 1.

    `board` and `opponent` are the cards that lie open, `unseen` all that may still be turned up. Equal arguments give
    equal chances.
    """
    results = [_result(rules, own, *end) for end in _sample_ends(rules, board, opponent, unseen)]
    return sum(results) / len(results)


def _result(rules: DestinyRules, own: Cards, board: Cards, rival_value: HandValue | None) -> float:
    """Return 1 for a win, 0 for no win, and for equal hands what they count."""
    if rules.category is not None:
        return float(rules.can_make(rules.category, own, board))
    value, _ = rules.find_best(own, board)
    if value == rival_value:
        return TIE_CHANCES.get(str(rules.options["tie"]), 0.0)
    return float(rival_value is not None and value > rival_value)


@lru_cache(maxsize=64)
def _sample_ends(rules: DestinyRules, board: Cards, opponent: Cards, unseen: Cards) -> tuple[SampledEnd, ...]:
    return tuple(_draw_ends(rules, board, opponent, unseen))


def _draw_ends(rules: DestinyRules, board: Cards, opponent: Cards, unseen: Cards) -> Iterator[SampledEnd]:
    rng, board_count = fixed_rng(), BOARD_SIZE - len(board)
    rival_count = 0 if opponent else rules.strength
    for _ in range(SAMPLE_COUNT):
        drawn = tuple(rng.sample(unseen, board_count + rival_count))
        whole_board, rival = (*board, *drawn[:board_count]), (*opponent, *drawn[board_count:])
        yield whole_board, rules.find_best(rival, whole_board)[0] if rival else None
