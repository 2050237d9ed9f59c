"""When the game is over (TF-22 to TF-24), and which moves end it at once."""

from typing import TYPE_CHECKING

from vaultkit.games.turn import Move
from vaultkit.games.turn_of_fate.drawing import knows_it_vain
from vaultkit.games.turn_of_fate.facts import PASS
from vaultkit.games.turn_of_fate.playing import AGORA, find, has_play
from vaultkit.games.turn_of_fate.text import label
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.turn_of_fate.state import FateState

IDLE_TURNS = 2
"""Turns in a row without any deed that end the game (TF-23)."""
REFILL_TO = 4
"""Citizens in play that `introduce: refill-to-4` fills up to (TF-20)."""

PASS_ENDS = ((PASS, Sentence("Hold back: it is the second idle turn, and the game ends at once")),)
HOLD_ENDS = ((PASS, Sentence("Introduce nobody: it is the second idle turn, and the game ends at once")),)


def is_stuck(state: "FateState", seat: Seat) -> bool:
    """The printed end: nobody to introduce, no Fate to play, and none in the deck that the seat may take (TF-22)."""
    at = state.at
    if len(at.citizens) or has_play(state, seat):
        return False
    barred = state.rules.cards.bearing[state.rival_suit(seat)]
    return barred.issuperset(at.fates.unknown) and barred.issuperset(at.fates.bottom)


def nobody_left(state: "FateState") -> bool:
    """No Citizen in play and none to come: nothing can happen any more (TF-24)."""
    return not len(state.at.citizens) and not state.in_play()


def nobody_comes(state: "FateState") -> bool:
    """Whether this turn will surely introduce nobody, if no Citizen leaves (TF-20)."""
    enough = state.rules.says("introduce", "refill-to-4") and len(state.in_play()) >= REFILL_TO
    return enough or not len(state.at.citizens)


def ending_moves(state: "FateState", seat: Seat, moves: tuple[Move, ...]) -> tuple[tuple[Move, Sentence], ...]:
    """The moves of which the seat can know that they end the game at once, with what to say of them."""
    at = state.at
    vows: tuple[tuple[Move, Sentence], ...] = ()
    if not len(at.citizens) and len(state.in_play()) == 1:
        vows = tuple((move, _last_vow(move)) for move in moves if move != PASS and _is_vow(state, seat, move))
    stalls = at.idle and nobody_comes(state) and knows_it_vain(state, seat)
    return (*vows, *PASS_ENDS) if stalls else vows


def _last_vow(move: Move) -> Sentence:
    return Sentence(f"{label(move).words}: nobody is left, and the game ends at once", (), move.operands)


def _is_vow(state: "FateState", seat: Seat, move: Move) -> bool:
    """Whether a Fate on the only Citizen in play takes them into the Temple (TF-15)."""
    where, stack = find(state, move.operands[-1])
    fate = move.operands[-2]
    return where in (AGORA, seat) and state.rules.cards.is_moment(fate, stack[-1], where == seat)
