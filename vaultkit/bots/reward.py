"""The reward of an outcome for each seat, which a search maximizes."""

from collections.abc import Sequence

from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Outcome, Seat

WIN_WEIGHT = 0.5
"""The weight of winning. The rest is for the margin, which says more than the winner if games are few."""


ENCOUNTER_WIN_WEIGHT = 0.2
"""The weight of winning for a character, who goes into the next game with the cards that are left."""

HALF_WORTH_CARDS = 5
"""The number of cards that is worth half of an unlimited number: the fewer there are, the more each counts."""


def rewards(outcome: Outcome, game: AnyGame) -> tuple[float, ...]:
    """Return a number from 0 to 1 for each seat. A shared win is a win (G-9)."""
    seats, winners = range(len(outcome.ranks)), outcome.winners
    carried = game.carry(outcome)
    if carried:
        owned = carried[0] / (carried[0] + HALF_WORTH_CARDS)
        return (ENCOUNTER_WIN_WEIGHT * bool(winners) + (1 - ENCOUNTER_WIN_WEIGHT) * owned,)
    if not winners or len(winners) == len(seats):
        # All win or lose together, so being ahead of the others gains nothing.
        return (float(bool(winners)),) * len(seats)
    standings = _lower_by_rank([_standing(outcome, seat) for seat in seats], outcome.ranks)
    return tuple(WIN_WEIGHT * (seat in winners) + (1 - WIN_WEIGHT) * standings[seat] for seat in seats)


def is_lost(outcome: Outcome, game: AnyGame, seat: Seat) -> bool:
    """Return whether the seat has lost; a character has lost if it has no cards left."""
    carried = game.carry(outcome)
    return seat not in outcome.winners and not (carried and carried[0])


def _lower_by_rank(standings: Sequence[float], ranks: Sequence[int]) -> list[float]:
    """Lower each standing to that of the worst seat ranked before it: points are worthless to a seat that is out."""
    return [
        min(standings[other] for other, before in enumerate(ranks) if other == seat or before < own)
        for seat, own in enumerate(ranks)
    ]


def _standing(outcome: Outcome, seat: Seat) -> float:
    """Return a number from 0, far behind, to 1, far ahead: by scores if the game has them, else by ranks."""
    scores = [outcome.score(index) for index in range(len(outcome.ranks))]
    own, others = scores[seat], [score for at, score in enumerate(scores) if at != seat and score is not None]
    if own is None or len(others) < len(scores) - 1:
        return 1 - (outcome.ranks[seat] - 1) / (len(scores) - 1)
    lead, size = own - max(others), max(abs(own), *map(abs, others))
    return min(1.0, max(0.0, 0.5 + lead / size)) if size else 0.5
