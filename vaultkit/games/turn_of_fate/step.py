"""A pending step of this game."""

from typing import TYPE_CHECKING

from vaultkit.games import stack

if TYPE_CHECKING:
    from vaultkit.games.turn_of_fate.state import FateState  # noqa: F401 - named in quotes below


class Step(stack.Step["FateState"]):
    """One small thing that is still to be done. All that a step holds is known to both players."""

    __slots__ = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that lie with this step, and in no place on the table."""
        return ()
