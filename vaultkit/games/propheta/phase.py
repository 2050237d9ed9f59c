"""A part of a deal, in which one kind of decision is made."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from vaultkit.games.turn import Move, Turn
from vaultkit.games.words import Event

if TYPE_CHECKING:
    from vaultkit.games.propheta.state import ProphetaState

DEAL, PREDICT, LOT, PLAY, REVEAL, OVER = "deal", "predict", "lot", "play", "reveal", "over"
"""The phases of a deal in their order; a state goes from one to the next by its name."""

Told = tuple[Event, ...]


class Phase(ABC):
    """Without any state of its own. Phases know each other by name only."""

    @abstractmethod
    def turn(self, state: "ProphetaState") -> Turn:
        """Whose turn it is."""

    @abstractmethod
    def take(self, state: "ProphetaState", move: Move) -> Told:
        """Carry out the answer. Raises IllegalMove, changing nothing, unless the turn lists it."""


def operand(move: Move, verb: str) -> str:
    """The one card of a move with this verb, or nothing if the move is another."""
    operands = move.operands
    return operands[0] if move.verb == verb and len(operands) == 1 else ""
