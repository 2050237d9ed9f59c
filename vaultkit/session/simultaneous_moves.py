"""Secret choices ahead of a seat's turn (G-3).

A session asks several seats for secret choices one after the other. Because no seat sees what the others choose, a seat
can choose before its turn: it sees the same position whatever the seats before it choose.
"""

from collections.abc import Sequence
from typing import Any

from vaultkit.games.game import State
from vaultkit.games.turn import Move, Prompt

_MAX_LOOKAHEAD_MOVES = 64
"""The maximum number of moves that are played to look ahead."""


def look_ahead(state: State[Any], seat: int, own_moves: Sequence[Move]) -> State[Any] | None:
    """Return the position in which `seat` can make its next secret choice ahead of its turn.

    `own_moves` are the choices that it has made ahead already. Returns None if the seat is not asked before the choices
    become known, or if it sees a difference between the first and the last moves of the other seats.
    """
    first_position, last_position = (_advance_to_turn(state, seat, own_moves, move_index) for move_index in (0, -1))
    if first_position is None or last_position is None or first_position.view(seat) != last_position.view(seat):
        return None
    return first_position


def place_ahead(state: State[Any], seat: int, own_moves: Sequence[Move]) -> State[Any] | None:
    """Return a position in which `seat` has made its choices ahead, to show where its cards lie.

    Returns None if it has made none, or if its last choice is what the others wait for: then its cards stay where they
    are until the choices become known.
    """
    if not own_moves or (position := look_ahead(state, seat, own_moves)) is not None:
        return position if own_moves else None
    position = look_ahead(state, seat, own_moves[:-1])
    if position is None or not isinstance(position.turn, Prompt) or own_moves[-1] not in position.turn.moves:
        return None
    events = position.apply(own_moves[-1])
    is_own = all(event.seat == seat and (not event.cards or event.seen_by == frozenset({seat})) for event in events)
    return position if is_own else None


def _advance_to_turn(state: State[Any], seat: int, own_moves: Sequence[Move], move_index: int) -> State[Any] | None:
    """Return the position in which `seat` chooses next, after its `own_moves`, if others make a certain move.

    Each other seat makes its move at the index `move_index`. Returns None if the seat is not asked for another secret
    choice, or if one of its `own_moves` is not offered.
    """
    state, remaining_moves = state.clone(), list(own_moves)
    for _ in range(_MAX_LOOKAHEAD_MOVES):
        turn = state.turn
        if not isinstance(turn, Prompt) or not turn.secret:
            return None
        if turn.seat == seat and not remaining_moves:
            return state
        move = remaining_moves.pop(0) if turn.seat == seat else turn.moves[move_index]
        if move not in turn.moves:
            return None
        state.apply(move)
    return None
