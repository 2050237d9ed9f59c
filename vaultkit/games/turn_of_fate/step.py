"""A pending step: one small thing that is still to be done, kept on the state's stack."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from vaultkit.games.turn import Move, Turn

if TYPE_CHECKING:
    from vaultkit.games.turn_of_fate.state import FateState


class Step(ABC):
    """Immutable, so that copies of a state share their steps. All that a step holds is known to both players."""

    __slots__ = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that lie with this step, and in no place on the table."""
        return ()

    @abstractmethod
    def begin(self, state: "FateState") -> Turn:
        """Whose turn it is in this step, changing nothing; or None after doing all that needs no decision."""

    def take(self, state: "FateState", move: Move) -> None:
        """Carry out the answer to the turn. The step has left the stack; it may put others there."""
        raise NotImplementedError(f"{type(self).__name__} asks nobody, so '{move.id}' answers nothing.")
