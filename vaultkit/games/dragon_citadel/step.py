"""A pending step of this game."""

from typing import TYPE_CHECKING

from vaultkit.games import stack

if TYPE_CHECKING:
    from vaultkit.games.dragon_citadel.state import CitadelState  # noqa: F401 - named in quotes below


class Step(stack.Step["CitadelState"]):
    """One small thing that is still to be done in a round."""

    __slots__ = ()
