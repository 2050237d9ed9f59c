"""The Crown round: every player pays with a hero or a Crown; there is nothing to win."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.dragon_citadel.answers import answering, who_forfeits
from vaultkit.games.dragon_citadel.headings import CROWN
from vaultkit.games.dragon_citadel.open_crowns import Cover, failing
from vaultkit.games.dragon_citadel.step import Step
from vaultkit.games.turn import Turn

if TYPE_CHECKING:
    from vaultkit.games.dragon_citadel.state import CitadelState


def crown_round(state: "CitadelState") -> tuple[Step, ...]:
    """The steps of a Crown round (DC-22 to DC-24)."""
    return (answering(state), Cover(), SettleCrown())


@dataclass(frozen=True, slots=True)
class SettleCrown(Step):
    """DC-22: all that was put down is lost either way; what counts is whether everybody has paid."""

    def begin(self, state: "CitadelState") -> Turn:
        unpaid = failing(state)
        words = "Everybody has paid for the {c0}; nobody forfeits."
        if unpaid:
            words = "Not everybody has paid for the {c0}."
        state.tell("lost" if unpaid else "paid", words, CROWN, ("DC-22", "DC-24"), cards=(state.dealt,))
        who_forfeits(state)
        return None
