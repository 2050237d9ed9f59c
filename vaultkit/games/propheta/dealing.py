"""The beginning of a deal: cards for every seat, and the lot for the first lead."""

from typing import TYPE_CHECKING

from vaultkit.games.propheta import told
from vaultkit.games.propheta.phase import PLAY, PREDICT, Phase, Told
from vaultkit.games.turn import Chance, Move, Pile
from vaultkit.games.words import Sentence

if TYPE_CHECKING:
    from vaultkit.games.propheta.state import ProphetaState


class Deal(Phase):
    """Seat by seat; with two players 16 cards stay aside, unseen (VA-2)."""

    def turn(self, state: "ProphetaState") -> Chance:
        rules, seat = state.rules, state.actor
        pile = Pile(rules.cards.ids if state.shown else state.aside)
        text = Sentence("Deal {v0} cards to {s0}.", (seat,), (), (rules.hand_size,))
        return Chance("deal", text, ("VA-2", "G-7"), pile, rules.hand_size, seat=seat, open=False)

    def take(self, state: "ProphetaState", move: Move) -> Told:
        rules, seat = state.rules, state.actor
        cards = self.turn(state).check(move)
        if state.shown:
            state.gather()
        taken = frozenset(cards)
        state.aside = tuple(card for card in state.aside if card not in taken)
        state.hands[seat] = hand = rules.cards.in_order(cards)
        state.actor = rules.left[seat]
        if state.actor == 0:
            state.phase = PREDICT
        opening = (told.deal_begins(len(state.deals) + 1),) if rules.target and seat == 0 else ()
        return (*opening, *told.dealt(rules, seat, hand))


class Lot(Phase):
    """Who leads the first trick of the first deal, where nobody is named for it (VA-20)."""

    def turn(self, state: "ProphetaState") -> Chance:
        seats = tuple(map(str, range(state.seats)))
        return Chance("first", Sentence("Who leads first?"), ("VA-20", "G-2"), options=seats)

    def take(self, state: "ProphetaState", move: Move) -> Told:
        state.first = int(self.turn(state).check(move)[0])
        state.leader = state.actor = state.first
        state.phase = PLAY
        return told.chosen(state.first)
