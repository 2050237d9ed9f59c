"""The position in which a seat makes a secret choice before earlier seats have made theirs (G-3).

A session asks several seats for a secret choice one after the other. Since no seat sees what the others choose, a seat
can choose before those whose turn comes first: it sees the same position whatever they choose.
"""

from collections.abc import Sequence
from typing import Any

from vaultkit.games.game import State
from vaultkit.games.turn import Move, Prompt

_MAX_LOOKAHEAD_MOVES = 64
"""The number of moves after which looking ahead stops."""


def look_ahead(state: State[Any], seat: int, own_moves: Sequence[Move]) -> State[Any] | None:
    """Return the position in which `seat` makes its next secret choice, after the choices in `own_moves`.

    `own_moves` are the choices that the seat has made ahead of its turn. Returns None if the seat is not asked before
    the choices become known, or if it could see a difference between the choices of others.
    """
    first, last = (_advance_to_turn(state, seat, own_moves, pick) for pick in (0, -1))
    if first is None or last is None or first.view(seat) != last.view(seat):
        return None
    return first


def _advance_to_turn(state: State[Any], seat: int, own_moves: Sequence[Move], pick: int) -> State[Any] | None:
    """Return the position in which `seat` chooses next if each other seat takes its move at index `pick`.

    Returns None if the seat is not asked during the secret choices, or if one of its `own_moves` is not offered.
    """
    state, left_moves = state.clone(), list(own_moves)
    for _ in range(_MAX_LOOKAHEAD_MOVES):
        turn = state.turn
        if not isinstance(turn, Prompt) or not turn.secret:
            return None
        if turn.seat == seat and not left_moves:
            return state
        move = left_moves.pop(0) if turn.seat == seat else turn.moves[pick]
        if move not in turn.moves:
            return None
        state.apply(move)
    return None
