"""The tree of a search, whose nodes are positions that look the same to the searching seat, and its rewards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt

from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Outcome, Seat
from vaultkit.games.turn import Move, Prompt, Rng

EXPLORATION_WEIGHT = 0.3
"""The weight of the bonus for moves that were tried rarely; rewards are from 0 to 1."""

UNTRIED_BONUS = 0.15
"""The reward above the mean of the tried moves that an untried move is expected to bring, if a guide advises."""

Choice = tuple[Seat, Move | None]
"""A seat and its move; the move is None if the searching seat does not see it."""


WIN_WEIGHT = 0.5
"""The weight of winning; the rest, up to 1, is that of the margin, which says more if few games are played."""


ENCOUNTER_WIN_WEIGHT = 0.2
"""The weight of winning for a character, which keeps its remaining cards for the next game."""

HALF_WORTH_CARDS = 5
"""The number of kept cards with half the maximum reward for cards; the fewer cards, the more each of them counts."""


@dataclass(slots=True)
class Arm:
    """The statistics of one move at a node.

    `visits` is the number of times that the move was made, `reward` the sum of its rewards. `available` is the number
    of times that it could have been made, which depends on hidden cards.
    """

    visits: int = 0
    available: int = 0
    reward: float = 0.0

    def promise(self) -> float:
        """Return the mean reward so far, plus a bonus for a move that was tried rarely (UCB1)."""
        return self.reward / self.visits + EXPLORATION_WEIGHT * sqrt(log(self.available + 1) / self.visits)


@dataclass(slots=True)
class SearchNode:
    """A position as the searching seat knows it: the choices that led to it, whatever cards were dealt."""

    arms: dict[Choice, Arm] = field(default_factory=dict)
    children: dict[Choice, "SearchNode"] = field(default_factory=dict)

    def select(self, prompt: Prompt, rng: Rng, get_advice: Callable[[], Move] | None = None) -> tuple[Move, Arm]:
        """Return the move to try next, and its arm.

        That is the most promising move. If none was tried yet, it is the one that `get_advice` returns. If `get_advice`
        is None, each move is tried once before any move is tried again.
        """
        arm_of_move = {move: arm for move in prompt.moves if (arm := self.arms.get((prompt.seat, move)))}
        untried_moves = [move for move in prompt.moves if move not in arm_of_move]
        if get_advice and not arm_of_move:
            move = get_advice()
        elif untried_moves and (get_advice is None or self._is_new_move_promising(arm_of_move)):
            move = untried_moves[rng.randrange(len(untried_moves))]
        else:
            move = max(arm_of_move, key=lambda tried_move: arm_of_move[tried_move].promise())
        for arm in arm_of_move.values():
            arm.available += 1
        selected_arm = arm_of_move.get(move) or self.arms.setdefault((prompt.seat, move), Arm(available=1))
        return move, selected_arm

    def _is_new_move_promising(self, arms: dict[Move, Arm]) -> bool:
        """Return whether an untried move promises as much as the best of the tried moves."""
        mean_reward = sum(arm.reward for arm in arms.values()) / sum(arm.visits for arm in arms.values())
        return max(arm.promise() for arm in arms.values()) <= mean_reward + UNTRIED_BONUS

    def follow(self, choice: Choice) -> "SearchNode":
        """Return the node after a choice, which is created on first use."""
        return self.children.setdefault(choice, SearchNode())


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
    own_score = scores[seat]
    other_scores = [score for seat_index, score in enumerate(scores) if seat_index != seat and score is not None]
    if own_score is None or len(other_scores) < len(scores) - 1:
        return 1 - (outcome.ranks[seat] - 1) / (len(scores) - 1)
    lead, largest_score = own_score - max(other_scores), max(abs(own_score), *map(abs, other_scores))
    return min(1.0, max(0.0, 0.5 + lead / largest_score)) if largest_score else 0.5
