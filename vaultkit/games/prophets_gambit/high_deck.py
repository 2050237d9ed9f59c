"""A Risk: the top card of the High Deck is turned, carried out in full, and set aside (PG-15)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.prophets_gambit import effects_on_all, effects_on_one, effects_on_self
from vaultkit.games.prophets_gambit.headings import HIGH_DECK
from vaultkit.games.prophets_gambit.step import Step
from vaultkit.games.prophets_gambit.told import STOPPED_BY_OWN_INNOCENT, leaves_out, meaning
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
        _tell_meaning(state, seat, card)
        state.then(SetAside())
        EFFECTS[card](state, seat)


def _tell_meaning(state: "GambitState", seat: Seat, card: str) -> None:
    """What the card asks for, and whom it passes by; nothing of a card that its own Innocent stops (PG-24)."""
    immune = [other for other in range(state.seats) if other not in state.affected(seat)]
    words, stopped = meaning(state.rules, card), seat in immune and card in STOPPED_BY_OWN_INNOCENT
    if words and not stopped:
        state.tell("meaning", words, HIGH_DECK, ("PG-15",), seats=(seat,), cards=(card,))
    for other in immune:
        if leaves_out(card, own=other == seat):
            state.tell("left-out", "{s0} has the Innocent and is left out.", HIGH_DECK, ("PG-24",), seats=(other,))


@dataclass(frozen=True, slots=True)
class SetAside(Step):
    """What was turned goes to the High discard pile, unless somebody keeps it."""

    def begin(self, state: "GambitState") -> Turn:
        at = state.at
        if at.turned is not None:
            at.high_discard = (*at.high_discard, at.turned)
            at.turned = None
        return None
