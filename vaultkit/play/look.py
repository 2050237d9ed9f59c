"""How things look: four suit colours that any terminal has, symbols where the font can be trusted, or plain words."""

from dataclasses import dataclass

from rich.console import Console

from vaultkit.cards import Card, Deck

_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
_SUITS = {
    "swords": ("†", "cyan"),
    "stars": ("★", "yellow"),
    "coins": ("●", "green"),
    "glyphs": ("◆", "magenta"),
    "spades": ("♠", "blue"),
    "hearts": ("♥", "red"),
    "diamonds": ("♦", "yellow"),
    "clubs": ("♣", "green"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """The style of a screen. `plain` has no colour, no symbols and no lines; `symbols` need a Unicode terminal."""

    suits: tuple[str, ...] = ()
    plain: bool = False
    symbols: bool = True

    def style(self, name: str) -> str:
        """The named style, or none when plain."""
        return "" if self.plain else _STYLES[name]

    def suit(self, suit: str) -> str:
        """The colour of a suit; suits that we do not know take turns."""
        if self.plain:
            return ""
        if suit.lower() in _SUITS:
            return _SUITS[suit.lower()][1]
        return _COLOURS[self.suits.index(suit) % len(_COLOURS)] if suit in self.suits else "bold"

    def card(self, card: Card) -> str:
        """The colour of a card: that of its first suit."""
        return self.suit(card.suits[0]) if card.suits else self.style("card")

    def symbol(self, card: Card) -> str:
        """The suit's symbol and a space, two cells wide, or nothing; the suit's word is always in the title."""
        if self.plain or not self.symbols or not any(suit.lower() in _SUITS for suit in self.suits):
            return ""
        return _SUITS.get(card.suits[0].lower() if card.suits else "", ("·", ""))[0] + " "

    def sign(self, fancy: str, simple: str) -> str:
        """One of two signs, as the terminal allows."""
        return simple if self.plain or not self.symbols else fancy


def look_for(console: Console, deck: Deck, *, plain: bool = False) -> Look:
    """How a game with this deck looks on this console; symbols only where the encoding has them."""
    return Look(deck.suits, plain=plain, symbols=console.encoding.lower().startswith("utf"))


_STYLES = {
    "card": "bold",
    "seat": "bold",
    "faint": "dim",
    "title": "bold",
    "question": "bold",
    "number": "bold",
    "notable": "bold",
    "tale": "italic",
    "warning": "bold yellow",
}
