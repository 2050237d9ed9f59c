"""One card: what goes on it, at which size, and what has to continue on a second one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.sheets import images
from vaultkit.sheets import theme as look
from vaultkit.sheets.geometry.paper import MM, Size, points
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.text.builder import Setting, TextBuilder
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.layout import Block, Column, Placed, fill_column
from vaultkit.vault.markdown import Node, parse

FLOOR = 7.0
"""No word on a card is smaller, in points."""
SAFE = 3 * MM
"""Nothing but the ground comes nearer to the cut."""
_MM = 72 / 25.4
_SIZES = ((9.5, 0.42), (9.0, 0.38), (8.5, 0.34), (8.0, 0.30), (7.5, 0.27), (FLOOR, 0.24))
"""Text sizes to try, each with the least share of the card's height that the picture must keep."""
_CONTINUED = ((8.5, 0.24), (8.0, 0.24), (7.5, 0.24))
"""The same for words that need a second card anyway: the largest size for which one is enough."""
_MOST_ART = 0.56
_WHOLE = tuple((size, share / 100) for size, shares in (
    (9.0, (76, 70, 64, 58, 52, 46)), (8.5, (46, 42)), (8.0, (42, 36)), (7.5, (33, 30)), (FLOOR, (27, 24)),
) for share in shares)  # fmt: skip
"""Text sizes and shares of the height for pictures of whole cards: the first that suits all cards of a deck."""
_NEAR = 0.08
"""A portrait that loses no more of itself than this by filling a card shows a whole card."""
FACT = 12.5
"""The height of a line of facts in points."""
_FACTS = (4, 8)
"""For how many facts there is always room, and how many stand in lines of their own at most."""
_TEXT_INSET = 6.2 * _MM
_FOOT = 8.8 * _MM
_MOST_CARDS = 12


@dataclass(frozen=True)
class PrintableCard:
    """A card as it is to be printed. `suit_icon` may name several icons, with spaces between; `link` leads back.

    `facts` are further things to know of it, each with its label: `("Element", "Fire")`.
    """

    title: str
    suit: str = ""
    suit_icon: str = ""
    rank: str | int | None = None
    text_markdown: str = ""
    image: Path | None = None
    link: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def icons(self) -> tuple[str, ...]:
        return tuple(self.suit_icon.split())

    @property
    def subtitle(self) -> str:
        """`6 of Swords`, or `Aries · scrap` for a kind of card; empty where the title says as much."""
        if self.suit and isinstance(self.rank, str) and self.rank.islower():
            return f"{self.suit} · {self.rank}"
        line = f"{self.rank} of {self.suit}" if self.suit and self.rank not in {None, ""} else self.suit
        said = self.title.lower()
        return "" if line.lower() in said or said.endswith(f" of {self.suit}".lower()) else line

    @property
    def corner(self) -> str:
        """The rank as it stands in the corner: a number, or the first letter of a named one."""
        rank = "" if self.rank is None else str(self.rank).strip()
        return rank if len(rank) <= 2 else rank[0].upper()

    @property
    def emblem(self) -> str:
        """The icon that this very card may have."""
        return "emblem-" + re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True)
class Face:
    """A card with every place on it decided, in points from its own lower left corner.

    `whole` says that its picture shows a whole card, `facts` are those that stand in lines
    below the title, with their middle at `facts_y`.
    """

    card: PrintableCard
    art: tuple[float, float, float, float] | None
    title_lines: tuple[str, ...]
    title_size: float
    title_top: float
    placed: tuple[Placed, ...]
    part: int = 1
    whole: bool = False
    facts: tuple[tuple[str, str], ...] = ()
    facts_y: float = 0.0


@dataclass(frozen=True)
class Fitter:
    """Fits cards of one size. `whole` is the text size and picture height of cards whose picture is a whole card."""

    glyphs: Glyphs
    size: Size
    cache: Path
    canvas: Any
    whole: tuple[float, float] = _WHOLE[6]

    @property
    def width(self) -> float:
        return points(self.size.width)

    @property
    def height(self) -> float:
        return points(self.size.height)

    def for_deck(self, cards: Sequence[PrintableCard]) -> "Fitter":
        """The fitter that gives pictures of whole cards one size, the largest beside which all words have room."""
        whole = [card for card in cards if self.is_whole(card)]
        if not whole:
            return self
        fitting = (choice for choice in _WHOLE if all(not self._front(card, *choice, True)[1] for card in whole))
        return replace(self, whole=next(fitting, self.whole))

    def is_whole(self, card: PrintableCard) -> bool:
        """Whether the card's picture is a card itself, with a frame of its own and all."""
        if card.image is None:
            return False
        try:
            return images.lost_by_filling(card.image, self.size.width / self.size.height) <= _NEAR
        except images.UnusablePicture:
            return False

    def faces(self, card: PrintableCard) -> list[Face]:
        """The card, and further ones for the words that it cannot hold at 7 points."""
        if self.is_whole(card):
            faces, rest = self._front(card, *self.whole, True)
            return [*faces, *self._continued(card, rest)]
        for text_size, least in _SIZES:
            faces, rest = self._front(card, text_size, least)
            if not rest:
                return faces
        for text_size, least in (*_CONTINUED, _SIZES[-1]):
            faces, rest = self._front(card, text_size, least)
            if text_size == FLOOR or len(self._filled(card, rest)[0]) == 1:
                break
        return [*faces, *self._continued(card, rest)]

    def _front(
        self, card: PrintableCard, text_size: float, least: float, whole: bool = False
    ) -> tuple[list[Face], list[Block]]:
        """The card itself with its words at one size and the picture's least share, and what is left of the words."""
        lines, size = self.title(card.title)
        text_top = self.height - 4.6 * _MM
        head = self._title_height(card, lines, size)
        facts = self._lines_of_facts(card)
        blocks = self._blocks(card, text_size, () if facts else card.facts)
        listed = FACT * max(_FACTS[0], len(facts)) if facts else 0.0
        placed, rest = self._fill(blocks, text_top - least * self.height - head - _FOOT - listed)
        used = -(placed[-1].top - placed[-1].height) if placed else listed
        most = 1.0 if not blocks and not facts else _MOST_ART
        art_height = max(least * self.height, min(text_top - _FOOT - used - head, most * self.height))
        if whole:
            art_height = least * self.height
        art = self._place(text_top, art_height, whole)
        below = text_top - art_height - head
        slack = max(0.0, below - used - _FOOT) / 2
        moved = _moved(placed, below - slack)
        middle = (below + _FOOT) / 2
        face = Face(card, art, lines, size, text_top - art_height, moved, whole=whole, facts=facts, facts_y=middle)
        return [face], rest

    def _place(self, top: float, height: float, whole: bool) -> tuple[float, float, float, float]:
        """Where the picture stands: as wide as the frame, or in a card's own shape."""
        width = height * self.width / self.height if whole else self.width - 9.2 * _MM
        return (self.width - width) / 2, top - height, width, height

    def _lines_of_facts(self, card: PrintableCard) -> tuple[tuple[str, str], ...]:
        """The facts that stand in lines, label and value: those of a card without words, if they fit side by side."""
        room, width = self.width / 2 - _TEXT_INSET - 4, self.glyphs.width
        short = all(width(a, look.TEXT, 9) < room and width(b, look.BOLD, 10) < room - FACT for a, b in card.facts)
        return card.facts if short and len(card.facts) <= _FACTS[1] and not card.text_markdown.strip() else ()

    def _continued(self, card: PrintableCard, rest: list[Block]) -> list[Face]:
        faces, rest = self._filled(card, rest)
        if rest:
            over = sum(len(getattr(block.flowable, "text", "") or "") for block in rest)
            raise InvalidError(
                f"The text of '{card.title}' does not fit on {len(faces) + 1} cards ({over} characters are over).",
                hint="Shorten it, or print the note with `print rules`.",
            )
        return faces

    def _filled(self, card: PrintableCard, rest: list[Block]) -> tuple[list[Face], list[Block]]:
        """As many further cards as the words need, up to a dozen, and the words over."""
        lines, size = self.title(f"{card.title} (continued)")
        top = self.height - 5.5 * _MM
        head = self._title_height(replace(card, suit="", rank=None), lines, size)
        faces: list[Face] = []
        while rest and len(faces) < _MOST_CARDS:
            placed, left = self._fill(rest, top - head - _FOOT)
            if not placed:
                break
            faces.append(Face(card, None, lines, size, top, _moved(placed, top - head), len(faces) + 2))
            rest = left
        return faces, rest

    def title(self, text: str) -> tuple[tuple[str, ...], float]:
        """The title's lines and size: one line if it can be, else two or more, never below the floor."""
        room = self.width - 2 * _TEXT_INSET + 4
        size = 13.0
        while size > 9.5 and self.glyphs.width(text, look.TITLE_BOLD, size) > room:
            size -= 0.5
        while size > FLOOR and any(self.glyphs.width(word, look.TITLE_BOLD, size) > room for word in text.split()):
            size -= 0.5
        return tuple(self._broken(text, size, room)), size

    def _broken(self, text: str, size: float, room: float) -> list[str]:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.glyphs.width(longer, look.TITLE_BOLD, size) <= room:
                lines[-1] = longer
                continue
            lines += [""] if lines[-1] else []
            for character in word:
                if self.glyphs.width(lines[-1] + character, look.TITLE_BOLD, size) > room:
                    lines.append("")
                lines[-1] += character
        return lines[:3] if len(lines) <= 3 else [*lines[:2], lines[2][:-1] + "…"]

    def _title_height(self, card: PrintableCard, lines: tuple[str, ...], size: float) -> float:
        return 4.0 + len(lines) * size * 1.12 + (10.0 if card.subtitle else 0.0) + 9.0

    def _blocks(self, card: PrintableCard, size: float, facts: tuple[tuple[str, str], ...]) -> list[Block]:
        inline = Inline(self.glyphs, live=False, size=size)
        room = self.width - 2 * _TEXT_INSET
        setting = Setting(inline, room, room, self.height * 0.6, self.cache, size, floor=FLOOR, pictures=False)
        tree = _without_title(parse(card.text_markdown), card)
        if facts:
            line = " · ".join(value if any(map(str.isalpha, value)) else f"{label} {value}" for label, value in facts)
            tree.children.insert(0, Node("Paragraph", children=[Node("Strong", children=[Node("Text", line)])]))
        return TextBuilder(setting).build(tree)

    def _fill(self, blocks: list[Block], room: float) -> tuple[list[Placed], list[Block]]:
        width = self.width - 2 * _TEXT_INSET
        return fill_column(blocks, Column(_TEXT_INSET, width, 0.0, -room), self.canvas)


def _moved(placed: list[Placed], by: float) -> tuple[Placed, ...]:
    return tuple(replace(item, top=item.top + by) for item in placed)


def _without_title(tree: Node, card: PrintableCard) -> Node:
    """The text without what the card shows anyway: its heading, and `*Six of Swords*` on a line of its own."""
    children = list(tree.children)
    while children and children[0].kind == "Heading" and children[0].words().strip() == card.title:
        children.pop(0)
    first = children[0] if children else None
    marks = [node for node in first.children if node.words().strip()] if first and first.kind == "Paragraph" else []
    if card.suit and len(marks) == 1 and marks[0].kind == "Emphasis" and card.suit.lower() in marks[0].words().lower():
        children.pop(0)
    return Node("Document", children=children)
