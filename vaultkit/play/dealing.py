"""Luck with the real deck on the table: people turn the cards and say which they were."""

from rich.text import Text

from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, drawn
from vaultkit.games.words import Sentence
from vaultkit.play.asking import Asking
from vaultkit.play.plain import safe
from vaultkit.scene.card_names import spellings
from vaultkit.scene.naming import CardNaming


def ask(asking: Asking, chance: Chance) -> Move | None:
    """The answer of luck on the table; None if something was taken back. Raises EOFError where people leave."""
    asking.stage.show(asking.speaker.text(chance.text, asking.speaker.look.style("question")))
    if asking.session.is_gms(chance):
        speaker = asking.speaker
        asking.stage.show(Text("In hand: ").append_text(speaker.text(Sentence("{cards}.", cards=chance.options))))
    return TurnedCards(asking, chance).answer()


class TurnedCards:
    """One chance turn, answered card by card or all at once."""

    def __init__(self, asking: Asking, chance: Chance) -> None:
        self._asking = asking
        self._chance = chance
        self._deck = asking.session.deck
        cards = [option for option in chance.options if option in self._deck.by_id]
        self._pile = Pile(tuple(cards)) if cards else chance.pile
        self._naming = CardNaming(asking.session, asking.speaker, asking.seats)
        self._choices = () if cards else chance.options
        self._named: tuple[str, ...] = ()

    def answer(self) -> Move | None:
        """The answer once it is whole and meant."""
        while True:
            typed = self._line()
            if typed is None:
                if self._step_back():
                    return None
            elif self._read(typed) and self._is_meant(typed):
                return drawn(*self._named)

    def _line(self) -> str | None:
        if self._choices:
            words = tuple(self._spoken(choice) for choice in self._choices)
            answers = {*map(str.casefold, words), *map(str.casefold, self._choices)}
            return self._asking.line(self._question(), words, answers)
        left = self._naming.possible({*self._pile.unknown, *self._pile.bottom}).difference(self._named)
        return self._asking.line(self._question(), spellings(self._deck, left))

    def _read(self, typed: str) -> bool:
        """Whether the answer is whole now."""
        try:
            self._named += self._understood(typed)
        except IllegalMove as error:
            self._asking.refuse(error.message, self._question())
            return False
        return len(self._named) == self._chance.count

    def _understood(self, typed: str) -> tuple[str, ...]:
        if self._choices:
            return (self._choice(typed),)
        found, left = self._naming.cards(typed, self._pile, self._named), self._chance.count - len(self._named)
        if len(found) > left:
            wanted = "one card is" if left == 1 else f"{left} cards are"
            raise IllegalMove(f"You named {len(found)} cards, and only {wanted} wanted.")
        return found

    def _choice(self, typed: str) -> str:
        wanted = typed.casefold()
        for choice in self._choices:
            if wanted == self._spoken(choice).casefold():
                return choice
        found = [choice for choice in self._choices if self._spoken(choice).casefold().startswith(wanted)]
        if len(found) != 1:
            raise IllegalMove(f"'{typed}' is none of them. Answers: {', '.join(map(self._spoken, self._choices))}.")
        return found[0]

    def _step_back(self) -> bool:
        """Forget the card that was named last; before the first one, take back what came before this turn."""
        if not self._named:
            return self._asking.take_back()
        forgotten, self._named = self._named[-1], self._named[:-1]
        self._asking.stage.show(Text(f"Not the {safe(self._deck[forgotten].title)}."))
        return False

    def _is_meant(self, typed: str) -> bool:
        if self._asking.is_meant(drawn(*self._named), typed):
            return True
        self._named = ()
        return False

    def _question(self) -> str:
        if self._choices:
            return ", ".join(safe(self._spoken(choice)) for choice in self._choices)
        left = self._chance.count - len(self._named)
        if self._chance.count == 1:
            return "Which card"
        return f"{left} more" if self._named else f"Which {left} cards"

    def _spoken(self, choice: str) -> str:
        """A choice in words: a seat's number is its name (G-1)."""
        session = self._asking.session
        if choice.isdecimal() and int(choice) < len(session.header.seats):
            return session.name(int(choice))
        return choice
