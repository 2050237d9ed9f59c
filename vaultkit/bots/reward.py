"""The rewards of the seats for an outcome, which a search maximizes."""

from collections.abc import Sequence

from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Outcome, Seat

WIN_WEIGHT = 0.5
"""The weight of winning; the rest, up to 1, is that of the margin, which says more if few games are played."""


ENCOUNTER_WIN_WEIGHT = 0.2
"""The weight of winning for a character, which keeps its remaining cards for the next game."""

HALF_WORTH_CARDS = 5
"""The number of kept cards with half the maximum reward for cards; the fewer cards, the more each of them counts."""


def rewards(outcome: Outcome, game: AnyGame) -> tuple[float, ...]:
    """Return the reward of each seat, from 0 to 1. A shared win counts as a win (G-9)."""
    seats, winners = range(len(outcome.ranks)), outcome.winners
    carried_cards = game.carry(outcome)
    if carried_cards:
        cards_reward = carried_cards[0] / (carried_cards[0] + HALF_WORTH_CARDS)
        return (ENCOUNTER_WIN_WEIGHT * bool(winners) + (1 - ENCOUNTER_WIN_WEIGHT) * cards_reward,)
    if not winners or len(winners) == len(seats):
        # All win or lose together, so being ahead of the others gains nothing.
        return (float(bool(winners)),) * len(seats)
    standings = _lower_by_rank([_rate_standing(outcome, seat) for seat in seats], outcome.ranks)
    return tuple(WIN_WEIGHT * (seat in winners) + (1 - WIN_WEIGHT) * standings[seat] for seat in seats)


def is_lost(outcome: Outcome, game: AnyGame, seat: Seat) -> bool:
    """Return whether the seat has neither won nor kept any cards for the next game."""
    carried_cards = game.carry(outcome)
    return seat not in outcome.winners and not (carried_cards and carried_cards[0])


def _lower_by_rank(standings: Sequence[float], ranks: Sequence[int]) -> list[float]:
    """Return the standings, each lowered to the lowest one of all seats ranked before it.

    Otherwise points would be worth something to a seat that is out.
    """
    return [
        min(standings[other] for other, other_rank in enumerate(ranks) if other == seat or other_rank < own_rank)
        for seat, own_rank in enumerate(ranks)
    ]


def _rate_standing(outcome: Outcome, seat: Seat) -> float:
    """Return how far a seat is behind (0) or ahead (1), by scores if all seats have one, else by ranks."""
    scores = [outcome.score(index) for index in range(len(outcome.ranks))]
    own_score, other_scores = (
        scores[seat],
        [score for seat_index, score in enumerate(scores) if seat_index != seat and score is not None],
    )
    if own_score is None or len(other_scores) < len(scores) - 1:
        return 1 - (outcome.ranks[seat] - 1) / (len(scores) - 1)
    lead, largest_score = own_score - max(other_scores), max(abs(own_score), *map(abs, other_scores))
    return min(1.0, max(0.0, 0.5 + lead / largest_score)) if largest_score else 0.5
