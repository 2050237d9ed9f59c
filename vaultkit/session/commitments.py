"""Secret choices of several seats (G-3), asked of all at once: the position in which a later seat will choose.

A session takes them seat by seat. Since nobody sees what the others choose, a seat can choose before those that come
first have done so: it sees the same, whatever they take.
"""

from collections.abc import Sequence
from typing import Any

from vaultkit.games.base import State
from vaultkit.games.turn import Move, Prompt

_MOST = 64
"""So many choices are looked ahead at most."""


def look_ahead(state: State[Any], seat: int, made: Sequence[Move]) -> State[Any] | None:
    """The position in which this seat is to choose next, after the choices that it has `made` ahead of its turn.

    None where it is asked nothing before others know of the choices, or where it would see a difference between them.
    """
    first, last = (_reach(state, seat, made, pick) for pick in (0, -1))
    if first is None or last is None or first.view(seat) != last.view(seat):
        return None
    return first


def _reach(state: State[Any], seat: int, made: Sequence[Move], pick: int) -> State[Any] | None:
    """The same if all others take the move at one place of what they are offered."""
    state, own = state.clone(), list(made)
    for _ in range(_MOST):
        turn = state.turn
        if not isinstance(turn, Prompt) or not turn.secret:
            return None
        if turn.seat == seat and not own:
            return state
        move = own.pop(0) if turn.seat == seat else turn.moves[pick]
        if move not in turn.moves:
            return None
        state.apply(move)
    return None
