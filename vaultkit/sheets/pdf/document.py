"""The PDF file itself: a deterministic canvas, metadata, bookmarks, page furniture, and a careful write."""

import contextlib
import os
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from vaultkit.errors import WriteError
from vaultkit.sheets import theme as look
from vaultkit.sheets.geometry.paper import Box, Size, points
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.pdf.tags import Tag

CREATOR = "vaultkit"
_SIGNATURE = b"/Creator (vaultkit)"
FURNITURE_SIZE = 8.5


@dataclass(frozen=True)
class PrintedFile:
    """What was written. `sheets` names its parts in order.

    `missing` are the characters that no face has; in their place stands how many and of which script: `[2×Cjk]`.
    """

    path: Path
    pages: int
    sheets: tuple[str, ...]
    missing: tuple[str, ...] = ()


class Document:
    """Pages drawn one after the other. Same drawing, same bytes: no clock, no path, no random id."""

    def __init__(self, title: str, subject: str, paper: Size, glyphs: Glyphs, *, tagged: bool = True) -> None:
        look.configure()
        from vaultkit.sheets.pdf.canvas import TaggedCanvas

        self.glyphs = glyphs
        self.structure = Tag("Document")
        self.paper = paper
        self.pages = 0
        self._level = -1
        self._buffer = BytesIO()
        size = points(paper.width), points(paper.height)
        face = glyphs.theme.face(look.TEXT)
        self.canvas: Any = TaggedCanvas(
            self._buffer, tagged=tagged, pagesize=size, invariant=1, pageCompression=1, lang="en", initialFontName=face
        )
        self.canvas.setTitle(title)
        self.canvas.setSubject(subject)
        self.canvas.setAuthor("")
        self.canvas.setKeywords("")
        self.canvas.setCreator(CREATOR)
        self.canvas.setProducer("vaultkit with ReportLab")
        for preference, value in (("PrintScaling", "None"), ("DisplayDocTitle", "true")):
            self.canvas.setViewerPreference(preference, value)

    def boxes(self, trim: Box, bleed: Box) -> None:
        """Sets this page's TrimBox and BleedBox."""
        self.canvas.setTrimBox(trim.corners)
        self.canvas.setBleedBox(bleed.corners)

    def end_page(self) -> None:
        """This page is done."""
        self.canvas.showPage()
        self.pages += 1

    def bookmark(self, title: str, key: str, level: int, top: float | None = None) -> None:
        """An outline entry that leads to this page, at `top` points from the bottom; levels never skip one."""
        self._level = min(level, self._level + 1)
        self.anchor(key, top)
        self.canvas.addOutlineEntry(title, key, self._level, closed=int(self._level > 0))

    def anchor(self, key: str, top: float | None = None) -> None:
        """A place that links can lead to."""
        self.canvas.bookmarkPage(key, fit="XYZ", left=0, top=points(self.paper.height) if top is None else top)

    def write(
        self,
        text: str,
        x: float,
        y: float,
        face: str,
        size: float,
        *,
        align: str = "left",
        colour: str = look.INK,
        tag: Tag | None = None,
    ) -> None:
        """One line of text at x, y points: `left`, `center` or `right` of x. It is not broken.

        It is content of `tag`; without one it is an artifact, as page furniture is.
        """
        x -= {"left": 0.0, "center": 0.5, "right": 1.0}[align] * self.glyphs.width(text, face, size)
        line = self.canvas.beginText(x, y)
        line.setFillColor(self.colour(colour))
        for name, piece in self.glyphs.runs(text, face):
            line.setFont(name, size)
            line.textOut(piece)
        with self.canvas.marked(tag):
            self.canvas.drawText(line)

    def colour(self, role: str) -> Any:
        """The theme's colour for a role, as ReportLab draws it."""
        return self.glyphs.theme.colour(role)

    def shorten(self, text: str, face: str, size: float, width: float) -> str:
        """`text`, or as much of its end as fits into `width` points behind an ellipsis: page furniture only."""
        if self.glyphs.width(text, face, size) <= width:
            return text
        while text and self.glyphs.width("…" + text, face, size) > width:
            text = text[max(1, len(text) // 50) :]
        return "…" + text

    def furniture(self, body: Box, left: str, right: str, *, y: float) -> None:
        """A foot or head line over the width of `body`: muted, small, with the left text shortened if need be."""
        x, _, width, _ = body.points
        room = width - self.glyphs.width(right, look.TEXT, FURNITURE_SIZE) - 12
        left = self.shorten(left, look.TEXT, FURNITURE_SIZE, room)
        self.write(left, x, y, look.TEXT, FURNITURE_SIZE, colour=look.MUTED)
        self.write(right, x + width, y, look.TEXT, FURNITURE_SIZE, align="right", colour=look.MUTED)

    def save(self, out: Path, sheets: tuple[str, ...]) -> PrintedFile:
        """Writes the file: all of it or nothing, and never over a file that is not ours."""
        self.canvas.save()
        replace(out, self._buffer.getvalue())
        return PrintedFile(out, self.pages, sheets, tuple(sorted(self.glyphs.missing)))


def is_ours(path: Path) -> bool:
    """Whether `path` is a PDF as vaultkit wrote it, not one that somebody has since filled in or signed."""
    data = path.read_bytes()
    return data.startswith(b"%PDF-") and _SIGNATURE in data and data.count(b"%%EOF") == 1


def replace(out: Path, data: bytes) -> None:
    """Puts `data` in place of `out` in one step."""
    hint = "Give another place with --out."
    temporary = ""
    try:
        if out.is_dir():
            raise WriteError("There is a folder of this name.", where=str(out), hint=hint)
        if out.exists() and not is_ours(out):
            raise WriteError("This file was not made by vaultkit, so it is not replaced.", where=str(out), hint=hint)
        handle, temporary = tempfile.mkstemp(prefix=".vaultkit-", suffix=".tmp", dir=out.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(out)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        reason = error.strerror or str(error)
        raise WriteError(f"The PDF could not be written: {reason}.", where=str(out), hint=hint) from error
