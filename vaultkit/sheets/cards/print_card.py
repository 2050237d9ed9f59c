"""A card as it is to be printed, whatever deck or game it comes from."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vaultkit.schema import InvalidValue
from vaultkit.sheets.cards.frame import Frame
from vaultkit.sheets.secrecy import NO_SECRETS, Secrets
from vaultkit.theme.design_loader import Design
from vaultkit.vault.markdown import Node, parse

if TYPE_CHECKING:
    from vaultkit.sheets.text.note_source import NoteSource

Rectangle = tuple[float, float, float, float]
"""x, y, width and height in points, from the lower left corner of the card."""
LabelledFacts = tuple[tuple[str, str], ...]
"""Things to know of a card, each with its label: `("Element", "Fire")`."""


_HAND = re.compile(r"(?:[A-Za-z0-9]{1,2} )+[a-z][a-z0-9-]*")


class HandCards(tuple[tuple[str, str], ...]):
    """Ranks of cards, each with the icon of its suit."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: object) -> Self:
        """The cards of `5 6 7 8 9 swords` or `8 swords, 8 stars, 3 coins`. Raises Unfit."""
        cards: list[tuple[str, str]] = []
        for group in str(text).split(",") if text else []:
            if not _HAND.fullmatch(group.strip()):
                raise InvalidValue(f"has what are no cards: '{group.strip()}'.", 'Write "5 6 7 swords, M coins".')
            *ranks, suit = group.split()
            cards += [(rank, suit) for rank in ranks]
        return cls(cards)


class Hand(Design, frozen=True):
    """A hand of cards for a player aid: its name, what it takes, and an example."""

    name: str
    words: str
    cards: HandCards = HandCards()

    @property
    def example(self) -> str:
        """The cards in words: `6 of swords, 7 of stars`."""
        return ", ".join(f"{rank} of {suit}" for rank, suit in self.cards)


@dataclass(frozen=True, eq=False)
class CardBody:
    """The words of a card as a tree; each is equal to itself alone."""

    tree: Node


@dataclass(frozen=True)
class PrintableCard:
    """A card as it is to be printed. `suit_icon` may name several icons, with spaces between; `link` leads back.

    `letters` tell its suits from the others of the deck where colours do not; `hands` stand below the words.
    """

    title: str
    suit: str = ""
    suit_icon: str = ""
    rank: str | int | None = None
    text_markdown: str = ""
    image: Path | None = None
    link: str = ""
    facts: LabelledFacts = ()
    letters: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    kicker: str = ""
    """The kind of a card without suit: `Prophet's Gambit`."""
    spoken: str = ""
    """Its rank and suit in its note's own words: `Sechs der Schwerter`."""
    frame: Frame | None = None
    """A frame of its own, other than that of the deck."""
    breaks: bool = False
    """A single newline in the text is a line break."""
    language: str = ""
    """The language of its words, if the note says one."""
    shade: str = ""
    """The suit or the role that gives a card without suit its colour."""
    secrets: Secrets = NO_SECRETS
    """Which of its words are for the game master alone; they are left out if it hides them."""
    source: "NoteSource | None" = field(default=None, compare=False)
    """The ways from its words to what they name, such as the notes that are embedded in them."""
    body: "CardBody | None" = None
    """Its words as a tree, in place of `text_markdown`."""

    def syntax_tree(self) -> Node:
        """Return the syntax tree of the card's words."""
        return self.body.tree if self.body else parse(self.text_markdown)

    @property
    def has_words(self) -> bool:
        """Whether there are words beside its title and its facts."""
        return bool(self.body.tree.children) if self.body else bool(self.text_markdown.strip())

    @property
    def icons(self) -> tuple[str, ...]:
        return tuple(self.suit_icon.split())

    @property
    def subtitle(self) -> str:
        """`6 of Swords`, or `Aries · scrap` for a kind of card; empty where the title says as much."""
        if self.kicker:
            return self.kicker
        if self.suit and isinstance(self.rank, str) and self.rank.islower():
            return f"{self.suit} · {self.rank}"
        line = f"{self.rank} of {self.suit}" if self.suit and self.rank not in {None, ""} else self.suit
        line = self.spoken or line
        words = set(self.title.lower().split())
        ends_in_suit = self.title.lower().endswith(f" of {self.suit}".lower())
        return "" if set(line.lower().split()) <= {*words, "of"} or ends_in_suit else line

    @property
    def corner(self) -> str:
        """The rank as it stands in the corner: a number, or the first letter of a named one."""
        rank = "" if self.rank is None else str(self.rank).strip()
        return rank if len(rank) <= 2 else rank[0].upper()

    @property
    def emblem(self) -> str:
        """The icon that this very card may have."""
        return "emblem-" + re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")
