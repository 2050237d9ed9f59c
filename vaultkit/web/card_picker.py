"""The card picker of a game with real cards: all cards of the deck by suit, to touch."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial

from vaultkit.cards import Card, Deck
from vaultkit.text import group
from vaultkit.theme.model import Theme
from vaultkit.web.card_images import SVG, ImageMaker
from vaultkit.web.card_svg import corner_labels, draw_index

_NO_SUIT_LABEL = "Others"


@dataclass(frozen=True, slots=True)
class CardTile:
    """A card of the picker: its rank with suits, and its name, "" if that says no more."""

    id: str
    rank: str
    name: str
    is_gone: bool


def suit_tiles(deck: Deck, open_cards: Collection[str]) -> tuple[tuple[str, tuple[CardTile, ...]], ...]:
    """Return the cards of a deck by their first suits; cards that are not in `open_cards` cannot be picked."""
    cards = ((card.suits[0] if card.suits else _NO_SUIT_LABEL, card) for card in deck)
    rows = group((suit, _card_tile(card, card.id not in open_cards)) for suit, card in cards)
    return tuple((suit, tuple(tiles)) for suit, tiles in rows.items())


def index_image_makers(deck: Deck, theme: Theme) -> Mapping[str, ImageMaker]:
    """Return the makers of the pictures on tiles, by the name under which pages fetch them."""

    labels = corner_labels(deck)

    def draw(card: Card) -> tuple[bytes, str]:
        return draw_index(card, theme, labels[card.id]).encode(), SVG

    return {f"index-{card.id}.svg": partial(draw, card) for card in deck}


def _card_tile(card: Card, is_gone: bool) -> CardTile:
    rank = f"{card.rank} of {' and '.join(card.suits)}" if card.suits and card.rank is not None else ""
    beside = {"of", *map(str.casefold, card.suits), str(card.rank) if str(card.rank).isdecimal() else ""}
    name = " ".join(word for word in card.name.split() if word.casefold() not in beside)
    return CardTile(card.id, rank, name, is_gone)
