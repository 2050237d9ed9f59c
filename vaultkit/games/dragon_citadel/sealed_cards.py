"""Decisions in which several seats put down a card each: openly in turn, or face down and revealed together (G-3)."""

from abc import abstractmethod
from typing import ClassVar, Self

from vaultkit.games.dragon_citadel.rules import COMPETITIVE, JOKER, PASS
from vaultkit.games.dragon_citadel.state import CitadelState, Laid
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.task_stack import SecretChoices
from vaultkit.games.turn import Move, Prompt

QuestionParts = tuple[Sentence, str, tuple[str, ...]]
"""The text of a prompt, the heading of the rule note that explains it, and the rulings."""


class PutDown(SecretChoices[CitadelState]):
    """A task in which several seats put down a card each.

    In competitive play the choices are sealed: cards stay in hand until all are revealed together. In co-op each card
    is laid on the table at once, and the joker ends the game at once. `verb` says in events what a seat does with its
    card. With `stays_in_hand` cards are only shown.
    """

    verb: ClassVar[str]
    stays_in_hand: ClassVar[bool] = False

    @abstractmethod
    def question(self, state: CitadelState, seat: Seat) -> QuestionParts:
        """Return the question to the seat."""

    @abstractmethod
    def conclude(self, state: CitadelState, cards: Laid) -> None:
        """Carry out the decision. `cards` have been put down and lie on the table, unless they stay in hand."""

    def by_party(self, state: CitadelState) -> bool:  # noqa: ARG002
        """Return whether the party decides what the seat puts down."""
        return False

    def ask(self, state: CitadelState, seat: Seat) -> Prompt:
        text, rule, rulings = self.question(state, seat)
        sealed, is_party = not state.rules.coop, self.by_party(state)
        moves, prompt_seat = self.moves(state, seat), state.party if is_party else seat
        return Prompt(prompt_seat, text, rule, rulings, moves, sealed, sealed, party=is_party, ends=state.rules.ends)

    def take(self, state: CitadelState, move: Move) -> None:
        seat, prompt = self.waiting[0], state.prompt
        if not state.rules.coop:
            state.tell("commit", "{s0} has decided, face down.", prompt.rule, ("G-3",), seats=(seat,))
        elif move == JOKER:
            state.play_joker()
            return
        elif move == PASS:
            state.tell("pass", "{s0} keeps back.", prompt.rule, prompt.rulings, seats=(seat,))
        else:
            card = move.operands[0]
            state.lay(seat, card)
            words = f"{{s0}} {self.verb} the {{c0}}."
            state.tell(self.verb, words, prompt.rule, prompt.rulings, seats=(seat,), cards=(card,))
        state.push_tasks(self.record_choice(move))

    def finish(self, state: CitadelState) -> None:
        choices = self.chosen
        cards = tuple((seat, move.operands[0]) for seat, move in choices if move.operands)
        has_joker = any(move == JOKER for _, move in choices)
        if not state.rules.coop and choices:
            passed_seats = tuple(seat for seat, move in choices if move == PASS)
            self._reveal(state, cards, passed_seats, has_joker)
        if has_joker:
            state.play_joker()
        else:
            self.conclude(state, cards)

    def _reveal(self, state: CitadelState, cards: Laid, passed_seats: tuple[Seat, ...], has_joker: bool) -> None:
        """Reveal all cards at once (G-3), and lay the ones that do not stay in hand on the table.

        `has_joker` says that a seat has put down the joker, which makes all cards leave the hands (DC-25).
        """
        state.at.shown |= {card for _, card in cards}
        parts = [f"{{s{place}}} {self.verb} the {{c{place}}}" for place in range(len(cards))]
        if cards or has_joker:
            parts += [f"{{s{place}}} passes" for place in range(len(cards), len(cards) + len(passed_seats))]
        nothing_words = "nobody else has put down a card" if has_joker else "everybody has passed"
        words = f"All is revealed: {', '.join(parts) or nothing_words}."
        seats, revealed_cards = (*(seat for seat, _ in cards), *passed_seats), tuple(card for _, card in cards)
        state.tell("reveal", words, COMPETITIVE, ("G-3", "DC-25"), seats=seats, cards=revealed_cards, reveals=True)
        for seat, card in cards if has_joker or not self.stays_in_hand else ():
            state.lay(seat, card)

    def mask(self, state: CitadelState, seat: Seat) -> Self:
        """Return the task as `seat` knows it; in co-op all choices are open."""
        return self if state.rules.coop else SecretChoices.mask(self, state, seat)
