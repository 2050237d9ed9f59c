"""The tree of a search, whose nodes are positions that look the same to the searching seat."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log, sqrt

from vaultkit.games.messages import Seat
from vaultkit.games.turn import Move, Prompt, Rng

EXPLORATION_WEIGHT = 0.3
"""The weight of the bonus for moves that were tried rarely; rewards are from 0 to 1."""

UNTRIED_BONUS = 0.15
"""The reward above the mean of the tried moves that an untried move is expected to bring, if a guide advises."""

Choice = tuple[Seat, Move | None]
"""A seat and its move; the move is None if the searching seat does not see it."""


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
    after: dict[Choice, "SearchNode"] = field(default_factory=dict)

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
            move = max(arm_of_move, key=lambda one: arm_of_move[one].promise())
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
        node = self.after.get(choice)
        if node is None:
            node = self.after[choice] = SearchNode()
        return node
