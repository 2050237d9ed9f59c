"""Several choices of one player that follow each other, such as the cards laid at once, tried before they are made."""

from collections.abc import Iterator, Sequence

from vaultkit.games.facts import Consequence
from vaultkit.games.turn import Move, Prompt
from vaultkit.session import Session


def combine_moves(
    session: Session, prompt: Prompt, moves: Sequence[Move]
) -> list[tuple[Move, tuple[Consequence, ...]]]:
    """Return as many of the moves as can be made one after the other, each with its consequences after those before.

    They end where luck or another player comes first, or a different choice is asked for.
    """
    return list(_try_moves(session, prompt, moves))


def _try_moves(
    session: Session, prompt: Prompt, moves: Sequence[Move]
) -> Iterator[tuple[Move, tuple[Consequence, ...]]]:
    game = session.game
    (state,) = game.sample_positions(session.view(prompt.seat), 1)
    state = state.clone()
    for move in moves:
        turn = state.turn
        if (
            not isinstance(turn, Prompt)
            or turn.seat != prompt.seat
            or turn.rule != prompt.rule
            or move not in turn.moves
        ):
            return
        yield move, game.consequences(state.view(prompt.seat), (move,))[0]
        state.apply(move)
