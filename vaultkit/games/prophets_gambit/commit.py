"""Several seats choose face down, in seat order, and all is revealed together (G-3)."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Self

from vaultkit.games.prophets_gambit.state import GambitState, Step
from vaultkit.games.turn import Move, Prompt, Rng, Turn
from vaultkit.games.words import Seat, Sentence

Question = tuple[Sentence, str, tuple[str, ...]]
"""A prompt's text, the heading of the rule that it cites, and the rulings."""


@dataclass(frozen=True, slots=True)
class Commit(Step):
    """`waiting` seats still choose; those in `made` have, and None is a choice that the viewer may not know yet.

    Chosen cards stay in hand until all are revealed.
    """

    waiting: tuple[Seat, ...]
    made: tuple[tuple[Seat, Move | None], ...] = ()

    @abstractmethod
    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        """What the seat may choose; it depends on the seat's own hand only."""

    @abstractmethod
    def question(self, state: GambitState, seat: Seat) -> Question:
        """What the seat is asked."""

    @abstractmethod
    def conclude(self, state: GambitState, chosen: tuple[tuple[Seat, tuple[str, ...]], ...]) -> None:
        """Carry out what all have chosen: the cards of each seat."""

    def begin(self, state: GambitState) -> Turn:
        if not self.waiting:
            self.conclude(state, tuple((seat, move.operands) for seat, move in self.made if move is not None))
            return None
        seat = self.waiting[0]
        text, rule, rulings = self.question(state, seat)
        return Prompt(seat, text, rule, rulings, self.moves(state, seat), secret=True)

    def take(self, state: GambitState, move: Move) -> None:
        seat, *waiting = self.waiting
        state.tell("commit", "{s0} has chosen, face down.", state.asked.rule, ("G-3",), seats=(seat,))
        state.then(type(self)(tuple(waiting), (*self.made, (seat, move))))

    def masked(self, seat: Seat) -> Self:
        return replace(self, made=tuple((who, move if who == seat else None) for who, move in self.made))

    def unmasked(self, state: GambitState, rng: Rng) -> Self:
        return replace(self, made=tuple((who, move or self._guess(state, who, rng)) for who, move in self.made))

    def _guess(self, state: GambitState, seat: Seat, rng: Rng) -> Move:
        moves = self.moves(state, seat)
        return moves[rng.randrange(len(moves))]
