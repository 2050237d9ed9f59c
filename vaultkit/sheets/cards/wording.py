"""A card's words as blocks: facts, text and hands, without what the card shows anyway."""

from pathlib import Path
from typing import Any

from vaultkit.look.glyphs import Glyphs
from vaultkit.sheets.cards import tables
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.builder import Setting, TextBuilder
from vaultkit.sheets.text.inline import Inline
from vaultkit.vault.markdown import Node, parse

_CODE = 0.955
"""The size of code in a line, as a share of the size around it."""


def blocks(
    card: PrintableCard,
    facts: tuple[tuple[str, str], ...],
    glyphs: Glyphs,
    *,
    size: float,
    floor: float,
    room: float,
    cache: Path,
) -> list[Block]:
    """The words of `card` at `size` points in a column `room` points wide; `facts` come first, in one line."""
    from vaultkit.sheets.cards.hands import HandRow

    inline = Inline(glyphs, live=False, size=max(size, floor / _CODE), least=floor)
    setting = Setting(inline, room, room, room * 2, cache, size, floor=floor, pictures=False, above=2)
    tree = _without_title(parse(card.text_markdown), card)
    if facts:
        tree.children.insert(0, _bold(" · ".join(_fact(label, value) for label, value in facts)))
    builder = _CardText(setting)
    made = builder.build(tree)
    held = builder.structure.add("L") if card.hands else None
    for hand in card.hands:
        tag = held.add("LI").add("LBody") if held else None
        made.append(Block(HandRow(hand, glyphs, size, floor, tag), whole=True, structure=builder.structure))
    return made


class _CardText(TextBuilder):
    """The words of a card, with tables that take little room."""

    def _table(self, node: Node, place: Any) -> None:
        setting = self.setting
        room = setting.width - place.indent - sum(frame.pad for frame in place.frames)
        if not tables.fits(node, setting.inline, size=setting.size, room=room):
            super()._table(node, place)
            return
        self._add(tables.compact(node, setting.inline, place.tag, size=setting.size, room=room), place)


def count(flowable: Any) -> int:
    """How many words a paragraph, a table or a part of one has."""
    if hasattr(flowable, "frags"):
        return sum(map(_words_of, flowable.frags))
    cells = getattr(flowable, "_cellvalues", [])
    return sum(count(part) for row in cells for cell in row for part in (cell if isinstance(cell, list) else [cell]))


def _words_of(fragment: Any) -> int:
    """What is left of a paragraph after a break has its words in a list."""
    listed = getattr(fragment, "words", None)
    return len(str(getattr(fragment, "text", "")).split()) if listed is None else len(listed)


def _fact(label: str, value: str) -> str:
    return value if any(map(str.isalpha, value)) else f"{label} {value}"


def _bold(line: str) -> Node:
    return Node("Paragraph", children=[Node("Strong", children=[Node("Text", line)])])


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
