"""QR codes as vectors: what leads from the paper back to the note."""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from urllib.parse import quote

from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag

MODULE = 450
"""The side of a module in micrometres: a little more than what a telephone reads from print with ease."""
QUIET = 4
"""Modules of white that the standard asks for on every side."""


def note_address(vault_name: str, path: str, heading: str = "") -> str:
    """The address that opens a note in Obsidian; "" where no settings tell the vault's name."""
    if not vault_name:
        return ""
    file = path.removesuffix(".md") + (f"#{heading}" if heading else "")
    return f"obsidian://open?vault={quote(vault_name, safe='')}&file={quote(file, safe='')}"


@dataclass(frozen=True)
class Code:
    """A QR code that holds `text`: an address, or the short id by which vaultkit knows a sheet or a session."""

    text: str

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The modules, row by row from the top, 1 for a dark one, without the quiet zone."""
        import segno

        made = segno.make_qr(self.text, error="m", boost_error=False)
        return tuple(tuple(1 if dark else 0 for dark in row) for row in made.matrix)

    @property
    def side(self) -> int:
        """Its width and height with the quiet zone, in micrometres."""
        return (len(self.rows) + 2 * QUIET) * MODULE

    def draw(self, document: Document, x: float, y: float, tag: Tag | None = None) -> None:
        """Draws it with the lower left corner of its quiet zone at x, y points; a Figure under `tag`."""
        figure = tag.add("Figure", alt=f"QR code: {self.text}") if tag is not None else None
        side, module = points(self.side), points(MODULE)
        if figure is not None:
            figure.box = (x, y, x + side, y + side)
        canvas, top = document.canvas, y + side - QUIET * module
        with canvas.marked(figure):
            canvas.fill(look.INK)
            path = canvas.beginPath()
            for number, row in enumerate(self.rows):
                for start, length in _runs(row):
                    path.rect(x + (QUIET + start) * module, top - (number + 1) * module, length * module, module)
            canvas.drawPath(path, stroke=0, fill=1)


def _runs(row: tuple[int, ...]) -> list[tuple[int, int]]:
    """Where dark stretches begin, and how long they are: one rectangle has no hairline gaps in it."""
    found, place = [], 0
    for dark, group in groupby(row):
        length = len(list(group))
        if dark:
            found.append((place, length))
        place += length
    return found
