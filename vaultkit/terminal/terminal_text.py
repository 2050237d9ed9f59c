"""Sentences of a game put into words and colours."""

import re
from collections.abc import Callable
from functools import cached_property

from rich.text import Text

from vaultkit.cards import Deck
from vaultkit.games.messages import Seat, Sentence, TextTemplate
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.text import join_words

# Control characters mark names within a spoken sentence: `safe` has taken every other one out of them.
_MARKED = re.compile("\x01(.*?)\x02|\x03(.*?)\x04")


class TerminalText:
    """Knows the names of seats and cards, and how they look."""

    def __init__(self, seat_name: Callable[[Seat], str], deck: Deck, look: TerminalStyle) -> None:
        self._seat_name = seat_name
        self._deck = deck
        self.look = look

    def seat(self, seat: Seat) -> str:
        return strip_controls(self._seat_name(seat))

    def title(self, card_id: str) -> str:
        """A card as people say it; what is no card of the deck stays as it is."""
        card = self._deck.by_id.get(card_id)
        return strip_controls(card.title if card else card_id)

    def card(self, card_id: str) -> Text:
        """A card in short, in its colour."""
        card = self._deck.by_id.get(card_id)
        return (
            Text(strip_controls(self.look.short_title(card)), self.look.card(card))
            if card
            else Text(strip_controls(card_id))
        )

    def code(self, card_id: str) -> Text:
        """A card where there is little room, in its colour."""
        card = self._deck.by_id.get(card_id)
        return (
            Text(strip_controls(self.look.code(card)), self.look.card(card)) if card else Text(strip_controls(card_id))
        )

    def words(self, sentence: Sentence) -> str:
        """The sentence without any style."""
        return strip_controls(sentence.render(self.seat, self.title))

    def text(self, sentence: Sentence, style: str = "") -> Text:
        """The sentence with seats and cards standing out."""
        marked_text = sentence.render(lambda seat: f"\x01{self.seat(seat)}\x02", lambda card: f"\x03{card}\x04")
        text = Text(style=style)
        at = 0
        for match in _MARKED.finditer(marked_text):
            text.append(strip_controls(marked_text[at : match.start()]))
            text.append_text(self._name_text(match))
            at = match.end()
        return text.append(strip_controls(marked_text[at:]))

    def names(self, seats: tuple[Seat, ...]) -> str:
        return join_words(self.seat(seat) for seat in seats)

    def example(self, words: str) -> str:
        """Words of help with a card of this deck in the places `{card}`, `{number}` and `{code}`."""
        return TextTemplate.parse(words).fill(self._example_words)

    @cached_property
    def _example_words(self) -> dict[str, str]:
        card = list(self._deck)[-1]
        of_one_suit = [card for card in self._deck if card.rank and len(card.suits) == 1]
        ranked = [(str(card.rank).lower(), card.suits[0].lower()) for card in of_one_suit]
        rank, suit = next((pair for pair in ranked if pair[0].isdecimal()), (*ranked, (card.id, ""))[0])
        short = rank[:1] if rank.isalpha() else rank
        words = {"card": card.name.lower(), "number": f"{rank} {suit}".strip(), "code": f"{short}{suit[:2]}"}
        return {place: strip_controls(word) for place, word in words.items()}

    def _name_text(self, match: re.Match[str]) -> Text:
        if match[1] is not None:
            return Text(match[1], self.look.style("seat"))
        return self.card(match[2])
