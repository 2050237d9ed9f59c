"""A pending step of this game."""

from typing import TYPE_CHECKING

from vaultkit.games import stack

if TYPE_CHECKING:
    from vaultkit.games.prophets_gambit.state import GambitState  # noqa: F401 - named in quotes below


class Step(stack.Step["GambitState"]):
    """One small thing that is still to be done."""

    __slots__ = ()
