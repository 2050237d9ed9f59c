"""How things look: four suit colours that any terminal has, symbols where the font can be trusted, or plain words."""

import re
from dataclasses import dataclass

from rich.console import Console

from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import find_shortest_prefix

_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
_SUIT_SIGNS = {
    "swords": ("†", "cyan"),
    "stars": ("★", "yellow"),
    "coins": ("●", "green"),
    "glyphs": ("◆", "magenta"),
    "spades": ("♠", "blue"),
    "hearts": ("♥", "red"),
    "diamonds": ("♦", "yellow"),
    "clubs": ("♣", "green"),
    "moons": ("☾", "blue"),
    "suns": ("☉", "yellow"),
    "waves": ("≈", "cyan"),
    "leaves": ("❧", "green"),
    "wyrms": ("§", "red"),
    "knots": ("∞", "magenta"),
}
_SUIT_SIGNS |= dict(
    zip(
        ("aries", "taurus", "gemini", "cancer", "leo", "virgo",
         "libra", "scorpio", "sagittarius", "capricorn", "aquarius", "pisces"),
        zip("♈♉♊♋♌♍♎♏♐♑♒♓", ("red", "green", "yellow", "blue") * 3, strict=True),
        strict=True,
    )
)  # fmt: skip
_NO_SUIT = ("♛", "*")
"""Signs of cards without a suit."""


@dataclass(frozen=True, slots=True)
class TerminalStyle:
    """The style of a screen. `plain` has no colour, no symbols and no lines; `symbols` need a Unicode terminal."""

    suits: tuple[str, ...] = ()
    plain: bool = False
    symbols: bool = True

    def style(self, name: str) -> str:
        """Return the named style, or no style in plain mode."""
        return "" if self.plain else _STYLES[name]

    def suit(self, suit: str) -> str:
        """Return the colour of a suit; unknown suits get the colours in turn."""
        if self.plain:
            return ""
        if suit.lower() in _SUIT_SIGNS:
            return _SUIT_SIGNS[suit.lower()][1]
        return _COLOURS[self.suits.index(suit) % len(_COLOURS)] if suit in self.suits else "bold"

    def card(self, card: Card) -> str:
        """Return the colour of a card, which is that of its first suit."""
        return self.suit(card.suits[0]) if card.suits else self.style("card")

    def short_title(self, card: Card) -> str:
        """Return number, sign and name of a card, such as `6† Berserker`, `♈ Ram` or `6♠`."""
        if self.plain:
            return card.title
        rank, signs = _rank_letter(card), "".join(map(self.suit_sign, card.suits)) or self.sign(*_NO_SUIT)
        if not card.suits:
            return f"{signs} {card.name}"
        if card.name.startswith(card.suits[0]):
            return f"{signs} {card.name.removeprefix(card.suits[0]).strip()}"
        name = card.name.removesuffix(f" of {' and '.join(card.suits)}")
        return f"{rank}{signs}" if name == str(card.rank) else f"{rank}{signs} {name}"

    def code(self, card: Card) -> str:
        """Return a card in the fewest characters, such as `6†`."""
        needs_full_name = self.plain or not card.suits or card.name.startswith(card.suits[0])
        return self.short_title(card) if needs_full_name else self.short_title(card).partition(" ")[0]

    def suit_sign(self, suit: str) -> str:
        """Return the sign of a suit, or the fewest of its letters that distinguish it from the others."""
        if self.symbols and suit.lower() in _SUIT_SIGNS:
            return _SUIT_SIGNS[suit.lower()][0]
        return find_shortest_prefix(suit, self.suits)

    def replace_suits(self, text: str) -> str:
        """Return a text with signs for the names of suits, where there are signs."""
        names = "|".join(suit for suit in self.suits if self.symbols and suit.lower() in _SUIT_SIGNS)
        return re.sub(rf"\b({names})\b", lambda match: self.suit_sign(match[0]), text) if names else text

    def spell_suits(self, text: str) -> str:
        """Return a text with the names of suits for their signs: `Q Clubs` for `Q♣`."""
        for suit in self.suits if self.symbols else ():
            if suit.lower() in _SUIT_SIGNS and self.suit_sign(suit) in text:
                text = " ".join(text.replace(self.suit_sign(suit), f" {suit} ").split())
        return text

    @property
    def legend(self) -> str:
        """Each sign with its suit; nothing where there are no signs."""
        return "" if self.plain else "   ".join(f"{self.suit_sign(suit)} {suit}" for suit in self.suits)

    def sign(self, fancy: str, simple: str) -> str:
        """Return a sign, or its replacement if the terminal cannot show it."""
        return simple if self.plain or not self.symbols else fancy


def terminal_style(console: Console, deck: Deck, *, plain: bool = False, ascii_only: bool = False) -> TerminalStyle:
    """Return the style of a game with this deck on this console, with symbols only if its encoding has them."""
    return TerminalStyle(deck.suits, plain=plain, symbols=not ascii_only and console.encoding.lower().startswith("utf"))


def _rank_letter(card: Card) -> str:
    """Return a rank as it is written in the corner of a card."""
    rank = card.rank_text
    return rank if rank.isdecimal() else rank[:1].upper()


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
