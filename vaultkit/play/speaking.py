"""Sentences of a game put into words and colours."""

import re
from collections.abc import Callable
from functools import cached_property

from rich.text import Text

from vaultkit.cards import Deck
from vaultkit.games.words import Seat, Sentence, TextTemplate
from vaultkit.play.look import Look
from vaultkit.play.plain import safe
from vaultkit.wording import listing

# Control characters mark names within a spoken sentence: `safe` has taken every other one out of them.
_MARKED = re.compile("\x01(.*?)\x02|\x03(.*?)\x04")


class Speaker:
    """Knows the names of seats and cards, and how they look."""

    def __init__(self, seat_name: Callable[[Seat], str], deck: Deck, look: Look) -> None:
        self._seat_name = seat_name
        self._deck = deck
        self.look = look

    def seat(self, seat: Seat) -> str:
        return safe(self._seat_name(seat))

    def title(self, card_id: str) -> str:
        """A card as people say it; what is no card of the deck stays as it is."""
        card = self._deck.by_id.get(card_id)
        return safe(card.title if card else card_id)

    def card(self, card_id: str) -> Text:
        """A card in short, in its colour."""
        card = self._deck.by_id.get(card_id)
        return Text(safe(self.look.short(card)), self.look.card(card)) if card else Text(safe(card_id))

    def code(self, card_id: str) -> Text:
        """A card where there is little room, in its colour."""
        card = self._deck.by_id.get(card_id)
        return Text(safe(self.look.code(card)), self.look.card(card)) if card else Text(safe(card_id))

    def words(self, sentence: Sentence) -> str:
        """The sentence without any style."""
        return safe(sentence.speak(self.seat, self.title))

    def text(self, sentence: Sentence, style: str = "") -> Text:
        """The sentence with seats and cards standing out."""
        spoken = sentence.speak(lambda seat: f"\x01{self.seat(seat)}\x02", lambda card: f"\x03{card}\x04")
        text = Text(style=style)
        at = 0
        for found in _MARKED.finditer(spoken):
            text.append(safe(spoken[at : found.start()]))
            text.append_text(self._name(found))
            at = found.end()
        return text.append(safe(spoken[at:]))

    def names(self, seats: tuple[Seat, ...]) -> str:
        return listing(self.seat(seat) for seat in seats)

    def example(self, words: str) -> str:
        """Words of help with a card of this deck in the places `{card}`, `{number}` and `{code}`."""
        return TextTemplate.parse(words).fill(self._examples)

    @cached_property
    def _examples(self) -> dict[str, str]:
        card = list(self._deck)[-1]
        of_one_suit = [card for card in self._deck if card.rank and len(card.suits) == 1]
        ranked = [(str(card.rank).lower(), card.suits[0].lower()) for card in of_one_suit]
        rank, suit = next((found for found in ranked if found[0].isdecimal()), (*ranked, (card.id, ""))[0])
        short = rank[:1] if rank.isalpha() else rank
        words = {"card": card.name.lower(), "number": f"{rank} {suit}".strip(), "code": f"{short}{suit[:2]}"}
        return {place: safe(word) for place, word in words.items()}

    def _name(self, found: re.Match[str]) -> Text:
        if found[1] is not None:
            return Text(found[1], self.look.style("seat"))
        return self.card(found[2])
