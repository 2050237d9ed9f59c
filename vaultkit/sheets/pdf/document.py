"""Documents that are drawn page after page and written as PDF files, and descriptions of printed files."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec

from vaultkit.sheets.paper import Box, Size
from vaultkit.sheets.pdf.output_file import Metadata, refuse_many_pages, seal, write_file
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.secrecy import NO_SECRETS, Counts, Secrets
from vaultkit.theme import font_registry, reportlab_private
from vaultkit.theme import model as look
from vaultkit.theme.bidi import has_right_to_left
from vaultkit.theme.glyphs import Glyphs, printable_text
from vaultkit.theme.lengths import points

if TYPE_CHECKING:
    from vaultkit.sheets.pdf.form_writer import FormWriter
    from vaultkit.sheets.pdf.forms import Field


@dataclass(frozen=True)
class PrintJob:
    """The settings of one printed file.

    `paper` is the name of a paper size. With `vault_name`, links to notes that are not printed open them in Obsidian.
    `qr` puts a QR code that leads to the note beside its title. `secrets` says what is secret and whether it is left
    out. `sources` says whether other notes that a note names are listed at its end; None lists them only if they are
    few. `language` applies to notes without a language of their own; "" means unknown.
    """

    paper: str
    out: Path
    theme: look.Theme = look.CLASSIC
    vault_name: str = ""
    qr: bool = False
    secrets: Secrets = NO_SECRETS
    sources: bool | None = None
    language: str = ""


@dataclass(frozen=True)
class PrintedFile:
    """A finished file; `sheets` are the titles of its parts in order.

    `missing` holds the characters that no font has, in whose place the file shows their script and number: `[2×Cjk]`.
    `remarks` are sentences for the person who prints the file.
    """

    path: Path
    pages: int
    sheets: tuple[str, ...]
    missing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    left_out: Counts = field(default_factory=dict, compare=False)
    """The number of secrets left out of a players' copy, by kind."""


class Bookmark(msgspec.Struct, frozen=True):
    """An entry of the PDF outline: its title, level from 0, destination, and page counted from 1."""

    title: str
    level: int
    key: str
    page: int


_DEFAULT_LANGUAGE = "en"
"""The language that a file declares if none is known."""


class Document:
    """A PDF drawn page after page; the same drawing always gives the same bytes, without dates or random ids."""

    def __init__(
        self, title: str, subject: str, paper: Size, theme: look.Theme, *, tagged: bool = True, language: str = ""
    ) -> None:
        font_registry.configure()
        from vaultkit.sheets.pdf.canvas import TaggedCanvas

        self.glyphs = Glyphs(theme, language=language)
        self.structure = Tag("Document")
        self.field_count = 0
        self.metadata = Metadata(printable_text(title), printable_text(subject), language or _DEFAULT_LANGUAGE, tagged)
        self.paper = paper
        self.pages = 0
        self.outline: list[Bookmark] = []
        self.remarks: list[str] = []
        """Sentences about the drawn content, for the person who prints it."""
        self._secrets, self._secret_counts = NO_SECRETS, Counter[str]()
        self.depth = 0
        """The number that is added to the level of each new outline entry."""
        self._last_level = -1
        self._chunks: list[bytearray] = []
        size = points(paper.width), points(paper.height)
        output = SimpleNamespace(write=self._chunks.append)  # a BytesIO would keep a second copy of all bytes
        self.canvas: Any = TaggedCanvas(output, self.glyphs, size, tagged=tagged)
        for preference, value in (("PrintScaling", "None"), ("DisplayDocTitle", "true")):
            self.canvas.setViewerPreference(preference, value)

    def set_page_boxes(self, trim: Box, bleed: Box) -> None:
        """Set the TrimBox and BleedBox of the page being drawn."""
        self.canvas.setTrimBox(trim.corners)
        self.canvas.setBleedBox(bleed.corners)

    def note_secrets(self, counts: Counts, secrets: Secrets) -> None:
        """Add to the counts of secrets that the file holds, or lacks if `secrets` are hidden."""
        self._secrets = secrets
        self._secret_counts.update(counts)

    def resize(self, paper: Size) -> None:
        """Change the size of the page being drawn and of all following pages."""
        self.paper = paper
        self.canvas.setPageSize((points(paper.width), points(paper.height)))

    def end_page(self) -> None:
        self.canvas.showPage()
        self.pages += 1
        refuse_many_pages(self.pages, self.metadata.title)

    def bookmark(self, title: str, key: str, level: int, top: float | None = None) -> None:
        """Add an outline entry and a link destination `key` on the page being drawn.

        They lead to `top` points from the bottom, or to the page's top if None. The entry is at most one level deeper
        than the entry before it.
        """
        self._last_level = min(level + self.depth, self._last_level + 1)
        self.add_anchor(key, top)
        self.canvas.addOutlineEntry(title, key, self._last_level, closed=int(self._last_level > 0))
        self.outline.append(Bookmark(title, self._last_level, key, self.pages + 1))

    def add_anchor(self, key: str, top: float | None) -> None:
        """Add a link destination on the page being drawn, `top` points from the bottom, or at its top if None."""
        self.canvas.bookmarkPage(key, fit="XYZ", left=0, top=points(self.paper.height) if top is None else top)

    def write(
        self, text: str, x: float, y: float, face: str, size: float, *, align: str = "left", colour: str = look.INK,
        tag: Tag | None = None,
    ) -> None:  # fmt: skip
        """Draw one line of text at x, y in points, aligned `left`, `center` or `right` of x; it is never wrapped.

        The text is content of `tag`; without a tag it is an artifact, as page furniture is.
        """
        x -= {"left": 0.0, "center": 0.5, "right": 1.0}[align] * self.glyphs.measure_width(text, face, size)
        is_read = tag is not None and self.canvas.tagged
        if tag is not None and (tag.actual or (not tag.children and has_right_to_left(text))):
            tag.actual += text
        with self.canvas.tag_content(tag):
            self.glyphs.write(self.canvas, text, (x, y), face, size, colour=colour, tag_originals=is_read)

    def add_field(self, field: "Field", *, tag: Tag) -> None:
        """Add a form field to the page being drawn, in a new `Form` tag under `tag`."""
        self._form_writer.add(field, tag.add("Form"))
        self.field_count += 1

    @cached_property
    def _form_writer(self) -> "FormWriter":
        from vaultkit.sheets.pdf.form_writer import FormWriter

        return FormWriter(self.canvas, self.glyphs)

    def shorten(self, text: str, face: str, size: float, width: float) -> str:
        """Return `text`, or an ellipsis and as much of its end as fits into `width` points."""
        if self.glyphs.measure_width(text, face, size) <= width:
            return text
        while text and self.glyphs.measure_width("…" + text, face, size) > width:
            text = text[max(1, len(text) // 50) :]
        return "…" + text

    def draw_furniture(self, body: Box, left: str, right: str, *, y: float) -> None:
        """Draw a small, muted head or foot line over the width of `body` at `y` points; `left` is shortened to fit."""
        size = self.glyphs.theme.min_text_size
        x, _, width, _ = body.points
        max_width = width - self.glyphs.measure_width(right, look.TEXT, size) - 12
        left = self.shorten(left, look.TEXT, size, max_width)
        self.write(left, x, y, look.TEXT, size, colour=look.MUTED)
        self.write(right, x + width, y, look.TEXT, size, align="right", colour=look.MUTED)

    def save(self, out: Path, sheets: tuple[str, ...]) -> PrintedFile:
        """Write the whole file atomically and return its description.

        Raises WriteError if it cannot be written, or if a file that vaultkit did not make is in its place.
        """
        write_file(out, self.finish())
        counts, missing = +self._secret_counts, tuple(sorted(self.glyphs.missing))
        remarks = *self._secrets.remark(counts, "This sheet holds"), *self.remarks, *self.glyphs.font_remarks()
        return PrintedFile(out, self.pages, sheets, missing, remarks, counts if self._secrets.hidden else {})

    def finish(self) -> bytearray:
        """Return the bytes of the whole file; nothing can be drawn on it afterwards."""
        from vaultkit.sheets.pdf import writer

        reportlab_document = reportlab_private.pdf_document(self.canvas)
        writer.add_metadata(self.canvas, self.metadata)
        if self.metadata.tagged:
            writer.StructureWriter(reportlab_document).write(self.structure)
        reportlab_document.format = partial(writer.serialize, reportlab_document)
        self.canvas.save()
        (data,) = self._chunks
        self._chunks.clear()
        return seal(data)
