"""Drawing Fates: what bears the rival's suit goes under the deck, seen by the one who drew it alone."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.turn import Chance, Move, Turn
from vaultkit.games.turn_of_fate.headings import DRAWING
from vaultkit.games.turn_of_fate.step import Step
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.turn_of_fate.state import FateState

ONLY = (frozenset({0}), frozenset({1}))
"""Each seat alone, for what only it may see."""
TEXTS = tuple(Sentence("{s0} draws a Fate.", (seat,)) for seat in (0, 1))
RULINGS = ("TF-8", "TF-9", "TF-10")


@dataclass(frozen=True, slots=True)
class Draw(Step):
    """`seat` still takes `count` Fates. For the next one `cycled` cards of `deck` in all have gone under the deck."""

    seat: Seat
    count: int
    cycled: int = 0
    deck: int = 0

    def begin(self, state: "FateState") -> Turn:
        if self.count == 0:
            return None
        if self.cycled and self.cycled == self.deck:
            words = "{s0} goes through the whole Deck of Fates, {v0} cards, and can take none."
            state.tell("no-draw", words, DRAWING, ("TF-10", "TF-19"), seats=(self.seat,), values=(self.deck,))
            return None
        if not self.cycled and knows_it_vain(state, self.seat):
            _vain(state, self.seat)
            return None
        return Chance("fate", TEXTS[self.seat], RULINGS, state.at.fates, seat=self.seat, open=False)

    def take(self, state: "FateState", move: Move) -> None:
        at, seat, card = state.at, self.seat, move.operands[0]
        deck = self.deck if self.cycled else len(at.fates)
        at.fates = at.fates.without((card,))
        at.known[seat] |= {card}
        if card in state.rules.cards.bearing[state.rival_suit(seat)]:
            at.fates = at.fates.with_under(card)
            _tell_cycled(state, seat, card)
            state.then(Draw(seat, self.count, self.cycled + 1, deck))
        else:
            at.hands[seat] = (*at.hands[seat], card)
            at.active = True
            _tell_drawn(state, seat, card, self.cycled)
            state.then(Draw(seat, self.count - 1))


def knows_it_vain(state: "FateState", seat: Seat) -> bool:
    """Whether the seat has seen every card of the deck and can take none, so that going through it changes nothing.

    Both players can tell: whatever the rival has not put under the deck is open to the seat.
    """
    pile, barred = state.at.fates, state.rules.cards.bearing[state.rival_suit(seat)]
    return not pile.unknown and (barred & state.at.known[seat]).issuperset(pile.bottom)


def _vain(state: "FateState", seat: Seat) -> None:
    size = len(state.at.fates)
    words = "{s0} can take no Fate: all {v0} that are left bear the rival's suit."
    if size == 1:
        words = "{s0} can take no Fate: the only one left bears the rival's suit."
    if not size:
        words = "The Deck of Fates is empty, and {s0} draws nothing."
    state.tell("no-draw", words, DRAWING, ("TF-10", "TF-19"), seats=(seat,), values=(size,))


def _tell_cycled(state: "FateState", seat: Seat, card: str) -> None:
    """The rival hears of it when the draw is done, as a number (TF-9)."""
    words = "{s0} finds the {c0}, which bears the rival's suit, and puts it under the deck."
    state.tell("cycle", words, DRAWING, ("TF-9",), seats=(seat,), cards=(card,), seen_by=ONLY[seat], reveals=True)


def _tell_drawn(state: "FateState", seat: Seat, card: str, cycled: int) -> None:
    after = f" after putting {{v0}} card{'s' * (cycled > 1)} under the deck" if cycled else ""
    values = (cycled,) if cycled else ()
    own, other = ONLY[seat], ONLY[1 - seat]
    words = f"{{s0}} draws the {{c0}}{after}."
    state.tell("draw", words, DRAWING, RULINGS, seats=(seat,), cards=(card,), values=values, seen_by=own, reveals=True)
    words = f"{{s0}} draws a Fate{after}."
    state.tell("draw", words, DRAWING, RULINGS, seats=(seat,), values=values, seen_by=other)
