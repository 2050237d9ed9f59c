"""From deck notes to cards: what a vault's deck holds, as the card sheets ask for it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from vaultkit import resources
from vaultkit.cards import Card
from vaultkit.compendium import CardEntry, DeckNote
from vaultkit.errors import InvalidError
from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.back import choose_back
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.frame import load_frame
from vaultkit.sheets.cards.layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.pages import card_pages
from vaultkit.sheets.cards.selection import chosen
from vaultkit.sheets.cards.sheet import card_sheet
from vaultkit.sheets.geometry.flips import Duplex
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.sources import file_inside, image_cache
from vaultkit.vault import Vault

_MOST_NAMED = 6
_TOLD = {"deck", "value", "kind"}
"""Traits that a card shows anyway, by its rank and its place in the deck."""


def print_cards(
    deck: DeckNote,
    vault: Vault,
    *,
    paper: str,
    out: Path,
    theme: Theme | None = None,
    first_page_only: bool = False,
    layout: DeckLayout = PLAIN,
    wanted: str = "",
    frame: str = "classic",
    accessible: bool = False,
) -> PrintedFile:
    """A deck as cut-ready cards, or those that are `wanted`, such as `Raven, 2x Seer, 5-9`.

    `accessible` says that `print_card_pages` prints them too, to the place that is `beside`.

    Raises InvalidError for a deck without cards, UsageError for a card, frame, back or layout that cannot be.
    """
    printed = layout.duplex is not Duplex.NONE
    cards = chosen(printable_deck(deck, vault, frame), wanted)
    made = card_sheet(
        cards,
        deck_title=deck.deck.title,
        paper=paper,
        out=out,
        cache=image_cache(),
        first_page_only=first_page_only,
        layout=layout,
        back=choose_back(layout.back, deck.deck.kind, vault) if printed else None,
        theme=theme or Theme(vault.root),
        words_in=beside(out).name if accessible else "",
    )
    return replace(made, remarks=(*made.remarks, *without_picture(deck, vault, cards)))


def without_picture(deck: DeckNote, vault: Vault, cards: Sequence[PrintableCard]) -> tuple[str, ...]:
    """Which cards have no picture although the deck has some, or names some that are not in the vault."""
    titles = list(dict.fromkeys(card.title for card in cards if card.image is None))
    if not titles or not _pictured(deck, vault):
        return ()
    named = ", ".join(titles[:_MOST_NAMED]) + (", ..." if len(titles) > _MOST_NAMED else "")
    counted = "1 card has" if len(titles) == 1 else f"{len(titles)} cards have"
    return (f"{counted} no picture in the vault, so a drawn one is printed: {named}.",)


def _pictured(deck: DeckNote, vault: Vault) -> bool:
    """Whether cards of this deck are meant to have pictures."""
    embedded = (link for link in deck.note.links if link.embed and not link.external)
    return (
        any(entry.image for entry in deck.entries)
        or any(problem.code == "card-image" for problem in deck.problems)
        or any(vault.files.resolve(link.path, deck.note.path).path is None for link in embedded)
    )


def print_card_pages(
    deck: DeckNote,
    vault: Vault,
    *,
    out: Path,
    theme: Theme | None = None,
    size: str = "poker",
    wanted: str = "",
    frame: str = "classic",
) -> PrintedFile:
    """The same cards for reading: tagged, one a page, with all their words. Raises what `print_cards` does."""
    return card_pages(
        chosen(printable_deck(deck, vault, frame), wanted),
        deck_title=deck.deck.title,
        out=out,
        cache=image_cache(),
        card_size=size,
        theme=theme or Theme(vault.root),
    )


def beside(cards: Path) -> Path:
    """Where the document for reading lies: `tarokka-cards-accessible.pdf` beside `tarokka-cards.pdf`."""
    return cards.with_name(f"{cards.stem}-accessible{cards.suffix or '.pdf'}")


def printable_deck(deck: DeckNote, vault: Vault, frame: str = "classic") -> list[PrintableCard]:
    """All cards of a deck in their order, in that frame. Raises InvalidError for a deck without cards."""
    if not deck.entries:
        raise InvalidError("This deck has no cards.", where=deck.note.path, hint="See: vaultkit check")
    known = letters(deck.deck.suits)
    shown = load_frame(frame, vault.root)
    cards = ((entry, printable(entry, vault)) for entry in deck.entries)
    return [
        replace(card, frame=shown, letters=tuple(known[suit] for suit in entry.card.suits)) for entry, card in cards
    ]


def letters(suits: tuple[str, ...]) -> dict[str, str]:
    """The fewest letters of each suit that tell it from the others: `Sw`, `St`, `C`, `G`."""
    return {suit: next(_prefixes(suit, suits), suit) for suit in suits}


def _prefixes(suit: str, suits: tuple[str, ...]) -> Iterator[str]:
    others = [other.lower() for other in suits if other != suit]
    for length in range(1, len(suit)):
        if not any(other.startswith(suit[:length].lower()) for other in others):
            yield suit[:length]


def printable(entry: CardEntry, vault: Vault) -> PrintableCard:
    """A card of a deck as it is to be printed, with its picture if that lies in the vault."""
    card = entry.card
    return PrintableCard(
        title=card.name,
        suit=" and ".join(card.suits),
        suit_icon=" ".join(_icons(card, vault)),
        rank=card.rank,
        text_markdown=entry.text,
        image=file_inside(vault, entry.image) if entry.image else None,
        link=entry.link,
        facts=tuple((key.capitalize(), value) for key, value in card.traits.items() if value and key not in _TOLD),
    )


def _icons(card: Card, vault: Vault) -> list[str]:
    """The icons of a card's suits; for a card without suit the emblem of its own, or a crown."""
    names = [suit.lower() for suit in card.suits] or [f"emblem-{card.id}"]
    return [name for name in names if resources.find("print", f"icons/{name}.svg", vault.root)]
