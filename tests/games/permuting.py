"""Exchanges of hidden cards in hands, piles and sealed choices, for the inspectors of games."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from vaultkit.games.task_stack import SecretChoices
from vaultkit.games.turn import Move


class Permutation:
    """A random exchange of some cards among themselves."""

    def __init__(self, hidden: Iterable[str], rng: Random) -> None:
        before = list(hidden)
        self._place = dict(zip(before, rng.sample(before, len(before)), strict=True))

    def card(self, card: str) -> str:
        return self._place.get(card, card)

    def cards(self, cards: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.card, cards))

    def resealed(self, task: Any, seat: int) -> Any:
        """Return a task in which the sealed choices of other seats are exchanged, or any other task unchanged."""
        if not isinstance(task, SecretChoices):
            return task
        made = tuple((who, move if who == seat or move is None else self._move(move)) for who, move in task.made)
        return replace(task, made=made)

    def _move(self, move: Move) -> Move:
        return Move(move.verb, self.cards(move.operands))
