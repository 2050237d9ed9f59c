"""QR codes as vectors: the way from the paper back to the note."""

import re
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from vaultkit.look import qr_code
from vaultkit.look import theme as look
from vaultkit.look.lengths import points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag

MODULE = 450
"""The side of a module in micrometres: a little more than what a telephone reads from print with ease."""
QUIET = 4
"""Modules of white that the standard asks for on every side."""
_DARK = re.compile("1+")


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
    def rows(self) -> tuple[str, ...]:
        """The modules, row by row from the top, `1` for a dark one, without the quiet zone."""
        return qr_code.rows(self.text)

    @property
    def side(self) -> int:
        """Its width and height with the quiet zone, in micrometres."""
        return (len(self.rows) + 2 * QUIET) * MODULE

    def draw(self, document: Document, x: float, y: float, tag: Tag) -> None:
        """Draws it with the lower left corner of its quiet zone at x, y points; a Figure under `tag`."""
        figure = tag.add("Figure", alt=f"QR code: {self.text}")
        side, module = points(self.side), points(MODULE)
        figure.box = (x, y, x + side, y + side)
        canvas, top = document.canvas, y + side - QUIET * module
        with canvas.marked(figure):
            if document.glyphs.theme.painted:  # no reader of codes knows what is light on dark
                canvas.fill(look.BARE)
                canvas.rect(x, y, side, side, stroke=0, fill=1)
            canvas.fill(look.ON_BARE)
            path = canvas.beginPath()
            for number, row in enumerate(self.rows):
                for run in _DARK.finditer(row):  # one rectangle has no hairline gaps in it
                    left, length = x + (QUIET + run.start()) * module, len(run[0])
                    path.rect(left, top - (number + 1) * module, length * module, module)
            canvas.drawPath(path, stroke=0, fill=1)
