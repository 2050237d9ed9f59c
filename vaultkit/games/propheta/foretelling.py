"""Laying prophecies: everybody in secret, one card at a time (VA-3)."""

from functools import lru_cache
from typing import TYPE_CHECKING

from vaultkit.games.propheta import told
from vaultkit.games.propheta.headings import SETTING_UP
from vaultkit.games.propheta.phase import LOT, PLAY, Phase, Told, operand
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.propheta.state import ProphetaState

_RULINGS = ("VA-3", "VA-14", "VA-21", "G-3")


class Foretell(Phase):
    """In seat order; the order of a seat's own choices leaves no trace, since its prophecies are kept sorted."""

    def turn(self, state: "ProphetaState") -> Prompt:
        rules, seat = state.rules, state.actor
        left = rules.predictions - len(state.predictions[seat])
        offers = rules.cards.predict
        moves = tuple([offers[card] for card in state.hands[seat]])
        return Prompt(seat, _question(seat, left), SETTING_UP, _RULINGS, moves, secret=True, ask_always=True)

    def take(self, state: "ProphetaState", move: Move) -> Told:
        rules, seat = state.rules, state.actor
        card, hand = operand(move, "predict"), state.hands[seat]
        if card not in hand:
            raise state.refused(move)
        place = hand.index(card)
        state.hands[seat] = hand[:place] + hand[place + 1 :]
        state.predictions[seat] = rules.cards.in_order((*state.predictions[seat], card))
        if len(state.predictions[seat]) == rules.predictions:
            state.actor = rules.left[seat]
            if state.actor == 0:
                _settled(state)
        return told.laid(seat, card, rules.only[seat], rules.others[seat])


def _settled(state: "ProphetaState") -> None:
    """All prophecies lie: on to the first lead."""
    if state.first is None:
        state.phase = LOT
    else:
        state.leader = state.actor = state.first
        state.phase = PLAY


@lru_cache(maxsize=64)
def _question(seat: Seat, left: int) -> Sentence:
    more = f"{left} more to lay" if left > 1 else "the last one"
    return Sentence(f"{{s0}}, which card do you lay face down as a prophecy ({more})?", (seat,))
