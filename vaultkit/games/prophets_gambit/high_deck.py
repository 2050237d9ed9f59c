"""A Risk: the top card of the High Deck is turned, carried out in full, and set aside (PG-15)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.prophets_gambit import effects_on_all, effects_on_one, effects_on_self
from vaultkit.games.prophets_gambit.headings import HIGH_DECK
from vaultkit.games.prophets_gambit.step import Step
from vaultkit.games.turn import Chance, Move, Turn
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.prophets_gambit.state import GambitState

EFFECTS: dict[str, Callable[["GambitState", Seat], None]] = {
    "artifact": effects_on_self.artifact,
    "beast": effects_on_all.beast,
    "broken-one": effects_on_self.broken_one,
    "darklord": effects_on_one.darklord,
    "donjon": effects_on_all.donjon,
    "executioner": effects_on_self.executioner,
    "ghost": effects_on_self.ghost,
    "horseman": effects_on_self.horseman,
    "innocent": effects_on_self.innocent,
    "marionette": effects_on_one.marionette,
    "mists": effects_on_all.mists,
    "raven": effects_on_all.raven,
    "seer": effects_on_one.seer,
    "tempter": effects_on_one.tempter,
}


@dataclass(frozen=True, slots=True)
class TurnHighCard(Step):
    """The top card of the High Deck is turned for `seat`."""

    seat: Seat

    def begin(self, state: "GambitState") -> Turn:
        text = Sentence("{s0} turns the top card of the High Deck.", (self.seat,))
        return Chance("high-card", text, ("PG-13", "PG-15", "G-7"), pile=state.at.high, seat=self.seat)

    def take(self, state: "GambitState", move: Move) -> None:
        at, seat, card = state.at, self.seat, move.operands[0]
        at.high = at.high.without((card,))
        at.turned = card
        at.risks = (*at.risks, (seat, card))
        words, rulings = "{s0} turns the {c0}.", ("PG-15",)
        state.tell("high-card", words, HIGH_DECK, rulings, seats=(seat,), cards=(card,), reveals=True, notable=True)
        state.then(SetAside())
        EFFECTS[card](state, seat)


@dataclass(frozen=True, slots=True)
class SetAside(Step):
    """What was turned goes to the High discard pile, unless somebody keeps it."""

    def begin(self, state: "GambitState") -> Turn:
        at = state.at
        if at.turned is not None:
            at.high_discard = (*at.high_discard, at.turned)
            at.turned = None
        return None
