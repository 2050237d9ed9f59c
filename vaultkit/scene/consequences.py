"""The consequences of moves as far as the mover may know them: each is tried on positions that look the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from vaultkit.games.base import AnyGame, State, View
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Event, Score, Seat, Sentence, Standing

TRIES = 6
"""Positions that a move is tried on. What is the same in all of them is taken to be true in the game as well."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """Everything that a move leads to at once, before luck or anybody else has a say.

    `gains` has by how many points seats stand better, those without a change left out.
    """

    sentences: tuple[Sentence, ...] = ()
    gains: Mapping[Seat, Score] = field(default_factory=dict)


def consequences(game: AnyGame, view: View, prompt: Prompt) -> tuple[Consequence, ...]:
    """The consequence of each move that the viewer may make, in the order of the moves.

    Of a secret choice only the game's own words are said: what else comes of it hangs on what others choose (G-3).
    """
    if prompt.secret:
        return tuple(Consequence((said,) if (said := game.effect(view, move)) else ()) for move in prompt.moves)
    rng = Random(0)  # the same words for the same view, whoever asks and how often
    positions = [game.determinize(view, rng) for _ in range(TRIES)]
    return tuple(_consequence(game, view, move, positions) for move in prompt.moves)


def _consequence(game: AnyGame, view: View, move: Move, positions: Sequence[State[Any]]) -> Consequence:
    before = game.standing(view)
    tried = [_try(game, view.seat, move, position) for position in positions]
    events, after = tried[0]
    agreed = [event for event in events if all(event in others for others, _ in tried)]
    same = all(standing == after for _, standing in tried)
    said = game.effect(view, move)
    sentences = (said,) if said else tuple(event.sentence for event in agreed if not _restates(event, move, view.seat))
    gains = dict(_gains(before, after)) if same else {}
    return Consequence(sentences, gains)


def _try(game: AnyGame, seat: Seat, move: Move, position: State[Any]) -> tuple[tuple[Event, ...], tuple[Standing, ...]]:
    state = position.clone()
    events = tuple(event for event in state.apply(move) if event.visible_to(seat))
    return events, game.standing(state.view(seat))


def _restates(event: Event, move: Move, seat: Seat) -> bool:
    """Whether an event says no more than the move itself does."""
    own = event.kind == move.verb or event.sentence.seats == (seat,)
    return own and set(move.operands).issuperset(event.cards) and event.seat in (seat, None) and not event.notable


def _gains(before: tuple[Standing, ...], after: tuple[Standing, ...]) -> Iterator[tuple[Seat, Score]]:
    old = {one.seat: one.points or 0 for one in before}
    for one in after:
        change = (one.points or 0) - old.get(one.seat, 0)
        if change:
            yield one.seat, change
