"""The lower part of a score sheet: what the cards are, the rewards, the rulings and an example, in two columns."""

from functools import cached_property
from typing import Any

from vaultkit.sheets import theme as look
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.scores.design import Panel, ScoreDesign
from vaultkit.sheets.text.inline import Inline
from vaultkit.vault.markdown import parse

_SIZE = 10.0
_BETWEEN = 13.0
"""White between the columns of a table, in points."""


def paragraph(glyphs: Glyphs, text: str, face: str, size: float, *, bullet: str = "", **style: Any) -> Any:
    """A paragraph of a design's text, which may have Markdown in it."""
    from vaultkit.sheets.text.words import Words

    nodes = [child for block in parse(text).children for child in block.children]
    markup = Inline(glyphs, live=False, size=size).markup(nodes, face)
    return Words(markup, glyphs.theme.style(face, size, **style), bulletText=bullet or None)


class Panels:
    """Two columns of panels, each `width` points wide."""

    def __init__(self, design: ScoreDesign, document: Document, width: float) -> None:
        self.design = design
        self.document = document
        self.width = width

    @cached_property
    def _columns(self) -> list[list[tuple[Any, float]]]:
        """The panels' flowables with their heights, shared out so that both columns end at about the same level."""
        first, *others = [*self.design.notes, *([self.design.example] if self.design.example else [])]
        panels = [self.design.rewards, first, *others]
        made = [self._panel(panel) for panel in panels]
        heights = [sum(height for _, height in panel) for panel in made]
        choices = range(1 << len(made) >> 1)
        split = min(choices, key=lambda bits: abs(_share(heights, bits, 0) - _share(heights, bits, 1)))
        columns: list[list[tuple[Any, float]]] = [[], []]
        for number, panel in enumerate(made):
            columns[split >> number & 1].extend(panel)
        return columns[::-1]

    @property
    def height(self) -> float:
        """The height of the taller column."""
        return max(sum(height for _, height in column) for column in self._columns)

    def draw(self, x: float, top: float, width: float) -> None:
        """Draws both columns below `top`, over `width` points."""
        for number, column in enumerate(self._columns):
            left, y = x + number * (width - self.width), top
            for flowable, height in column:
                y -= height
                flowable.drawOn(self.document.canvas, left, y)

    def _panel(self, panel: Panel) -> list[tuple[Any, float]]:
        glyphs = self.document.glyphs
        bullet = "•" if panel.bullets else ""
        words: dict[str, Any] = {"leading": 12.2, "spaceAfter": 2.0}
        if bullet:
            words |= {"leftIndent": 9}
        title = paragraph(glyphs, panel.title, look.TITLE_BOLD, 11, textColor=look.ACCENT, spaceBefore=6, spaceAfter=2)
        parts = [title]
        parts += [paragraph(glyphs, item, look.TEXT, _SIZE, bullet=bullet, **words) for item in panel.items]
        if panel.rows:
            parts.append(self._grid(panel))
        parts += [paragraph(glyphs, item, look.TEXT, _SIZE, **words) for item in panel.after]
        return [self._spaced(part) for part in parts]

    def _spaced(self, part: Any) -> tuple[Any, float]:
        _, height = part.wrapOn(self.document.canvas, self.width, 2000)
        below = part.getSpaceAfter()
        return _Lifted(part, below), height + below + part.getSpaceBefore()

    def _grid(self, panel: Panel) -> Any:
        from reportlab.platypus import Table, TableStyle

        glyphs, colour = self.document.glyphs, self.document.colour
        lines = [panel.head, *panel.rows]
        faces = [look.BOLD] + [look.TEXT] * len(panel.rows)
        wide = [max(glyphs.width(line[n], face, _SIZE) for line, face in zip(lines, faces, strict=True)) + _BETWEEN
                for n in range(len(panel.head))]  # fmt: skip
        spare = self.width - sum(wide)
        widths = [w + spare / len(wide) if spare > 0 else w * self.width / sum(wide) for w in wide]
        grid = [
            [paragraph(glyphs, cell, face, _SIZE, leading=12, textColor=ink) for cell in line]
            for line, face, ink in zip(lines, faces, [look.ON_HEAD] + [look.INK] * len(panel.rows), strict=True)
        ]
        made = Table(grid, widths, hAlign="LEFT", spaceAfter=4, spaceBefore=2)
        made.setStyle(TableStyle([
            ("BACKGROUND", (0, 0), (-1, 0), colour(look.HEAD)),
            ("ROWBACKGROUNDS", (0, 1), (-1, -1), [None, colour(look.PANEL)]),
            ("LINEBELOW", (0, 1), (-1, -1), 0.4, colour(look.LINE)),
            ("LEFTPADDING", (0, 0), (-1, -1), 4), ("RIGHTPADDING", (0, 0), (-1, -1), _BETWEEN - 5),
            ("TOPPADDING", (0, 0), (-1, -1), 1.2), ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ]))  # fmt: skip
        return made


class _Lifted:
    """A flowable drawn with its white space below."""

    def __init__(self, flowable: Any, below: float) -> None:
        self._flowable = flowable
        self._below = below

    def drawOn(self, canvas: Any, x: float, y: float) -> None:  # noqa: N802 - ReportLab's name
        self._flowable.drawOn(canvas, x, y + self._below)


def _share(heights: list[float], bits: int, side: int) -> float:
    return sum(height for number, height in enumerate(heights) if bits >> number & 1 == side)
