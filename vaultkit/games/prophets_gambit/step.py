"""A pending step: one small thing that is still to be done, kept on the state's stack."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from vaultkit.games.turn import Move, Rng, Turn
from vaultkit.games.words import Seat

if TYPE_CHECKING:
    from vaultkit.games.prophets_gambit.state import GambitState


class Step(ABC):
    """Immutable, so that copies of a state share their steps."""

    __slots__ = ()

    @abstractmethod
    def begin(self, state: "GambitState") -> Turn:
        """Whose turn it is in this step, changing nothing; or None after doing all that needs no decision."""

    def take(self, state: "GambitState", move: Move) -> None:
        """Carry out the answer to the turn. The step has left the stack; it may put others there."""
        raise NotImplementedError(f"{type(self).__name__} asks nobody, so '{move.id}' answers nothing.")

    def masked(self, seat: Seat) -> "Step":  # noqa: ARG002
        """The step as `seat` knows it."""
        return self

    def unmasked(self, state: "GambitState", rng: Rng) -> "Step":  # noqa: ARG002
        """A masked step with its unknown parts chosen at random, consistent with the cards of `state`."""
        return self
