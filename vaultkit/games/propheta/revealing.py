"""After a trick: from its winner on, everybody may turn up one prophecy that it fulfilled (VA-12)."""

from functools import lru_cache
from typing import TYPE_CHECKING

from vaultkit.games.propheta import closing, judging, told
from vaultkit.games.propheta.headings import PROPHECIES
from vaultkit.games.propheta.phase import PLAY, Phase, Told, operand
from vaultkit.games.propheta.rules import PASS
from vaultkit.games.propheta.view import Fulfilled
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Seat, Sentence, listing

if TYPE_CHECKING:
    from vaultkit.games.propheta.state import ProphetaState

_RULINGS = ("VA-11", "VA-12", "VA-13", "VA-17")
_NOTHING = (PASS,)


class Reveal(Phase):
    """The leader of the next trick, who won the last one, is asked first."""

    def turn(self, state: "ProphetaState") -> Prompt:
        rules, seat = state.rules, state.actor
        text, moves = _question(seat, state.shared), moves_for(state, seat)
        return Prompt(seat, text, PROPHECIES, _RULINGS, moves, rules.simultaneous, rules.asked[seat])

    def take(self, state: "ProphetaState", move: Move) -> Told:
        rules, seat = state.rules, state.actor
        card = ""
        if move != PASS:
            card = operand(move, "reveal")
            if card not in _fulfilled(state, seat):
                raise state.refused(move)
        state.actor = rules.left[seat]
        if rules.simultaneous:
            return _commit(state, seat, move)
        if card:
            turn_up(state, seat, card)
        events = told.turned_up(seat, card, rules.cards.points[card]) if card else told.kept(seat)
        return events + _next(state) if state.actor == state.leader else events


def _fulfilled(state: "ProphetaState", seat: Seat) -> tuple[str, ...]:
    facts = state.rules.cards
    return judging.fulfilled(state.predictions[seat], state.shared, seat == state.leader, facts)


def moves_for(state: "ProphetaState", seat: Seat) -> tuple[Move, ...]:
    """What the seat may do after the last trick; to turn up nothing is always one of it (VA-17)."""
    cards = _fulfilled(state, seat)
    return (*[state.rules.cards.reveal[card] for card in cards], PASS) if cards else _NOTHING


def turn_up(state: "ProphetaState", seat: Seat, card: str) -> None:
    """A fulfilled prophecy is seen by all from now on."""
    state.predictions[seat] = tuple([laid for laid in state.predictions[seat] if laid != card])
    state.fulfilled[seat] += (Fulfilled(card, len(state.tricks)),)


def _commit(state: "ProphetaState", seat: Seat, move: Move) -> Told:
    """G-3: sealed until everybody has chosen; then all at once."""
    state.committed = (*state.committed, move)
    if state.actor != state.leader:
        return told.committed(seat)
    rules = state.rules
    made = [((state.leader + place) % rules.seats, move) for place, move in enumerate(state.committed)]
    state.committed = ()
    for who, choice in made:
        if choice.operands:
            turn_up(state, who, choice.operands[0])
    return told.committed(seat) + told.all_revealed(rules, made) + _next(state)


def _next(state: "ProphetaState") -> Told:
    """The winner leads again, or the deal is over."""
    if state.hands[state.leader]:
        state.phase = PLAY
        return ()
    return closing.close(state)


@lru_cache(maxsize=4096)
def _question(seat: Seat, common: int) -> Sentence:
    met = listing(judging.conditions(common)) or "nothing"
    return Sentence(f"The trick fulfils {met}. {{s0}}, which prophecy do you turn up?", (seat,))
