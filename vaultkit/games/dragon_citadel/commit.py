"""Several seats put down a card each: one after the other in the open, or all face down and then revealed (G-3)."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from vaultkit.games.dragon_citadel.rules import COMPETITIVE, JOKER, PASS
from vaultkit.games.dragon_citadel.state import CitadelState, Step
from vaultkit.games.turn import Move, Prompt, Rng, Turn
from vaultkit.games.words import Seat, Sentence

Laid = tuple[tuple[Seat, str], ...]
Question = tuple[Sentence, str, tuple[str, ...]]
"""A prompt's text, the heading of the rule that it cites, and the rulings."""

Made = tuple[tuple[Seat, Move | None], ...]
"""The commitments so far; None is one that the seat may not know yet."""


@dataclass(frozen=True, slots=True)
class Commit(Step):
    """`waiting` seats still commit, in this order; those in `made` have.

    In competitive play the commitments are sealed: cards stay in hand until all are revealed together. In co-op each
    card is laid on the table, and the joker ends the game, at once.
    """

    waiting: tuple[Seat, ...]
    made: Made = ()

    verb: ClassVar[str]
    stays_in_hand: ClassVar[bool] = False

    @abstractmethod
    def moves(self, state: CitadelState, seat: Seat) -> tuple[Move, ...]:
        """What the seat may commit; it depends on the seat's own hand and on what all have seen."""

    @abstractmethod
    def question(self, state: CitadelState, seat: Seat) -> Question:
        """What the seat is asked."""

    @abstractmethod
    def conclude(self, state: CitadelState, cards: Laid) -> None:
        """Go on with the cards that were committed, by now on the table unless they stay in hand."""

    def by_party(self, state: CitadelState) -> bool:  # noqa: ARG002
        """Whether the party decides what the seat puts down."""
        return False

    def begin(self, state: CitadelState) -> Turn:
        if not self.waiting:
            self._finish(state)
            return None
        seat = self.waiting[0]
        text, rule, rulings = self.question(state, seat)
        sealed, party = not state.rules.coop, self.by_party(state)
        asked = state.party if party else seat
        return Prompt(
            asked, text, rule, rulings, self.moves(state, seat), sealed, sealed, party=party, ends=state.rules.ends
        )

    def take(self, state: CitadelState, move: Move) -> None:
        seat, asked = self.waiting[0], state.asked
        if not state.rules.coop:
            state.tell("commit", "{s0} has decided, face down.", asked.rule, ("G-3",), seats=(seat,))
        elif move == JOKER:
            state.play_joker(seat)
            return
        elif move == PASS:
            state.tell("pass", "{s0} keeps back.", asked.rule, asked.rulings, seats=(seat,))
        else:
            card = move.operands[0]
            state.lay(seat, card)
            words = f"{{s0}} {self.verb} the {{c0}}."
            state.tell(self.verb, words, asked.rule, asked.rulings, seats=(seat,), cards=(card,))
        state.then(self.after((*self.made, (seat, move))))

    def after(self, made: Made) -> Self:
        """What is left when the first of `waiting` has committed, which makes it `made`."""
        return type(self)(self.waiting[1:], made)

    def _finish(self, state: CitadelState) -> None:
        made = [(seat, move) for seat, move in self.made if move is not None]
        cards = tuple((seat, move.operands[0]) for seat, move in made if move.operands)
        joker_from = next((seat for seat, move in made if move == JOKER), None)
        if not state.rules.coop:
            passed = tuple(seat for seat, move in made if move == PASS)
            self._reveal(state, cards, passed, joker_from is not None)
        if joker_from is None:
            self.conclude(state, cards)
        else:
            state.play_joker(joker_from)

    def _reveal(self, state: CitadelState, cards: Laid, passed: tuple[Seat, ...], joker: bool) -> None:
        """All at once (G-3); the joker takes the other cards with it (DC-25)."""
        state.at.shown |= {card for _, card in cards}
        parts = [f"{{s{place}}} {self.verb} the {{c{place}}}" for place in range(len(cards))]
        if cards or joker:
            parts += [f"{{s{place}}} passes" for place in range(len(cards), len(cards) + len(passed))]
        nothing = "nobody else has put down a card" if joker else "everybody has passed"
        words = f"All is revealed: {', '.join(parts) or nothing}."
        seats, shown = (*(seat for seat, _ in cards), *passed), tuple(card for _, card in cards)
        state.tell("reveal", words, COMPETITIVE, ("G-3", "DC-25"), seats=seats, cards=shown, reveals=True)
        for seat, card in cards if joker or not self.stays_in_hand else ():
            state.lay(seat, card)

    def masked(self, seat: Seat) -> Self:
        return replace(self, made=tuple((who, move if who == seat else None) for who, move in self.made))

    def unmasked(self, state: CitadelState, rng: Rng) -> Self:
        return replace(self, made=tuple((who, move or self._guess(state, who, rng)) for who, move in self.made))

    def _guess(self, state: CitadelState, seat: Seat, rng: Rng) -> Move:
        moves = self.moves(state, seat)
        return moves[rng.randrange(len(moves))]
