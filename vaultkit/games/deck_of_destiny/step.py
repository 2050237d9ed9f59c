"""A step of an encounter: what is to be decided or dealt next. One follows the other; there is always one."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.turn import Move, Turn

if TYPE_CHECKING:
    from vaultkit.games.deck_of_destiny.state import DestinyState


class Step(ABC):
    """Immutable, so that copies of a state share their steps."""

    __slots__ = ()

    @abstractmethod
    def turn(self, state: "DestinyState") -> Turn:
        """Whose turn it is, changing nothing; None only when the encounter is over."""

    @abstractmethod
    def take(self, state: "DestinyState", move: Move) -> "Step":
        """Carry out the answer to the turn; the step that follows."""


@dataclass(frozen=True, slots=True)
class Over(Step):
    """The encounter is over."""

    def turn(self, state: "DestinyState") -> Turn:  # noqa: ARG002
        return None

    def take(self, state: "DestinyState", move: Move) -> Step:
        raise NotImplementedError(f"Nobody is asked any more, so '{move.id}' answers nothing.")
