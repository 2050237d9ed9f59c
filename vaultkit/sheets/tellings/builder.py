"""What the recap of a game and the sheet of a reading have in common."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.vault.markdown import Node

_RECORD = "info"


class TellingBuilder(TextBuilder):
    """Makes the blocks of a note that vaultkit wrote. Other notes are linked, but not listed at the end.

    A callout that is a list, such as the record of how a game was played, becomes one small paragraph. Its tables
    have a row for each player.
    """

    row_heads: ClassVar[bool] = True

    def build(self, tree: Node) -> list[Block]:
        """All blocks; what stands before the first heading goes over all columns."""
        self.setting.inline.listed = False
        blocks = super().build(tree)
        first = self.opening(blocks)
        return [replace(block, span=True) if number < first else block for number, block in enumerate(blocks)]

    @staticmethod
    def opening(blocks: Sequence[Block]) -> int:
        """How many blocks stand before the first heading."""
        return next((number for number, block in enumerate(blocks) if block.title), 0)

    def _callout(self, node: Node, place: Any) -> None:
        title, *rest = node.children
        if node.text != _RECORD or [child.kind for child in rest] != ["List"]:
            super()._callout(node, place)
            return
        words = [Node("Strong", children=title.children), Node("Text", ": ")]
        for number, item in enumerate(rest[0].children):
            words += [Node("Text", " · ")] if number else []
            words += [
                child for part in item.children for child in (part.children if part.kind == "Paragraph" else [part])
            ]
        self._rule(node, place)
        self._line(words, place)
        self._blocks[-2:] = [replace(self._blocks[-2], keep=True, span=True), replace(self._blocks[-1], span=True)]
