"""The tree of a search: what each move brought, at positions that look the same to the seat that searches."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log, sqrt

from vaultkit.games.turn import Move, Prompt, Rng
from vaultkit.games.words import Seat

CURIOSITY = 0.3
"""How much a move is preferred for having been tried little; rewards go from 0 to 1."""

HOPE = 0.15
"""With advice: how much more an untried move is hoped to bring than the moves that were tried."""

Choice = tuple[Seat, Move | None]
"""Who chose, and what; None where the searching seat does not see what was chosen."""


@dataclass(slots=True)
class Arm:
    """One move's record. `available` counts how often it could have been chosen, since hidden cards vary (UCB1)."""

    visits: int = 0
    available: int = 0
    reward: float = 0.0

    def promise(self) -> float:
        """The mean reward so far, and more for what was tried little of what could have been."""
        return self.reward / self.visits + CURIOSITY * sqrt(log(self.available + 1) / self.visits)


@dataclass(slots=True)
class Node:
    """A position as one seat knows it: the choices that led there, whatever cards luck dealt meanwhile."""

    arms: dict[Choice, Arm] = field(default_factory=dict)
    after: dict[Choice, "Node"] = field(default_factory=dict)

    def select(self, prompt: Prompt, rng: Rng, advice: Callable[[], Move] | None = None) -> tuple[Move, Arm]:
        """The most promising move that can be played now; where none was tried yet, the one that is advised.

        Without advice every move is tried once before any is tried again.
        """
        tried = {move: arm for move in prompt.moves if (arm := self.arms.get((prompt.seat, move)))}
        untried = [move for move in prompt.moves if move not in tried]
        if advice and not tried:
            move = advice()
        elif untried and (advice is None or self._worth_a_try(tried)):
            move = untried[rng.randrange(len(untried))]
        else:
            move = max(tried, key=lambda one: tried[one].promise())
        for arm in tried.values():
            arm.available += 1
        chosen = tried.get(move) or self.arms.setdefault((prompt.seat, move), Arm(available=1))
        return move, chosen

    def _worth_a_try(self, tried: dict[Move, Arm]) -> bool:
        """Whether no move that was tried promises clearly more than the average of them."""
        mean = sum(arm.reward for arm in tried.values()) / sum(arm.visits for arm in tried.values())
        return max(arm.promise() for arm in tried.values()) <= mean + HOPE

    def follow(self, choice: Choice) -> "Node":
        """The position after a choice, made when first needed."""
        node = self.after.get(choice)
        if node is None:
            node = self.after[choice] = Node()
        return node
