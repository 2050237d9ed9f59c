"""QR codes as vector drawings, which lead from a printed sheet to its note."""

from dataclasses import dataclass
from functools import cached_property

from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.theme import model as look
from vaultkit.theme import qr_code
from vaultkit.theme.lengths import points

MODULE_SIZE_UM = 450
"""The side of a module in micrometres, slightly more than phones need to read the code easily."""


@dataclass(frozen=True)
class QrCode:
    """A QR code with a text: an address, a path, or the id of a sheet or a session."""

    text: str

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The rows of modules from the top, without the quiet zone; `1` is a dark module."""
        return qr_code.qr_rows(self.text)

    @property
    def side(self) -> int:
        """The width and height in micrometres, including the quiet zone."""
        return (len(self.rows) + 2 * qr_code.QUIET_ZONE_WIDTH) * MODULE_SIZE_UM

    def draw(self, document: Document, x: float, y: float, tag: Tag) -> None:
        """Draw the code as a figure in `tag`, with the lower left corner of its quiet zone at x, y in points."""
        figure = tag.add("Figure", alt=f"QR code: {self.text}")
        side_pt, module = points(self.side), points(MODULE_SIZE_UM)
        figure.box = (x, y, x + side_pt, y + side_pt)
        canvas, modules_top = document.canvas, y + side_pt - qr_code.QUIET_ZONE_WIDTH * module
        with canvas.tag_content(figure):
            if document.glyphs.theme.is_paper_printed:  # readers cannot decode light modules on a dark ground
                canvas.fill(look.BARE)
                canvas.rect(x, y, side_pt, side_pt, stroke=0, fill=1)
            canvas.fill(look.ON_BARE)
            path = canvas.beginPath()
            for number, start, length in qr_code.dark_runs(self.rows):
                module_left = x + (qr_code.QUIET_ZONE_WIDTH + start) * module
                path.rect(module_left, modules_top - (number + 1) * module, length * module, module)
            canvas.drawPath(path, stroke=0, fill=1)
