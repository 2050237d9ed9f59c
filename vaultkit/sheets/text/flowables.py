"""ReportLab's flowables, imported after setting up its styles, and flowables for pictures."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.theme import image_transcoding
from vaultkit.theme import model as look

look.register_default_face()

from reportlab.platypus import Flowable, HRFlowable, Paragraph, Table, TableStyle  # noqa: E402

if TYPE_CHECKING:
    from vaultkit.theme.svg.svg_drawing import SvgDrawing

__all__ = [
    "DrawingFlowable",
    "Flowable",
    "HRFlowable",
    "Paragraph",
    "PictureFlowable",
    "Table",
    "TableStyle",
    "page_box",
]
_MIN_DPI = 150
PICTURE_GAP_PT = 6.0
"""The space between flowables and the picture beside them, in points."""


def page_box(canvas: Any, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Return a rectangle given in a flowable's coordinates as left, bottom, right and top on the page, in points."""
    left, bottom = canvas.absolutePosition(x, y)
    return left, bottom, left + width, bottom + height


class PictureFlowable(Flowable):  # type: ignore[misc]
    """A picture of at most `width` x `height` points and at least 150 dpi, as content of `tag`.

    With a `size` in points, the picture has that size, or less if there is no room, at any resolution. `side` is its
    horizontal position, from 0 at the left to 1 at the right; a picture that `floats` has text beside it.
    """

    def __init__(
        self, picture: "image_transcoding.Picture | SvgDrawing", width: float, height: float, tag: Tag | None, *,
        size: tuple[float, float] | None, side: float, floats: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.side, self.floats = side, floats
        natural_width, natural_height = size or (float(picture.width), float(picture.height))
        scale = min(width / natural_width, height / natural_height, 1.0 if size else 72 / _MIN_DPI)
        self._picture, self._tag = picture, tag
        self._size = natural_width * scale, natural_height * scale
        self.spaceBefore = self.spaceAfter = 6

    @property
    def breadth(self) -> float:
        """The width of the picture itself, in points."""
        return self._size[0]

    def wrap(self, available_width: float, _high: float) -> tuple[float, float]:
        """Return the available width, which the flowable takes, and the picture's height."""
        self.width, self.height = available_width, self._size[1]
        return self.width, self.height

    def draw(self) -> None:
        x = (self.width - self._size[0]) * self.side
        if self._tag is not None:
            self._tag.box = page_box(self.canv, x, 0, *self._size)
        with self.canv.tag_content(self._tag):
            self.canv.draw_picture(self._picture, x, 0, self._size)


class MirroredTable(Table):  # type: ignore[misc]
    """A table whose first column is at the right."""

    is_right_to_left = True

    @property
    def width(self) -> float:
        """The width of all columns in points."""
        return float(sum(self._colWidths))


class DrawingFlowable(Flowable):  # type: ignore[misc]
    """A drawing of a given width and height in points; `draw` draws it on the canvas."""

    def __init__(self, width: float, height: float, draw: Callable[[], None]) -> None:
        super().__init__()
        self.width, self.height, self.draw = width, height, draw


class LinePicture:
    """An inline picture of `size` (width and height in points), as content of its own tag."""

    def __init__(
        self, picture: "image_transcoding.Picture | SvgDrawing", size: tuple[float, float], words: str
    ) -> None:
        self._picture, self.size = picture, size
        self._tag = Tag("Figure", words)
        self.marks: Any = None
        """The content marks of the text that holds the picture."""

    def draw_on(self, canvas: Any, x: float, y: float) -> None:
        """Draw the picture; ReportLab calls this while it draws the text of the line."""
        tag = self._tag if self.marks is not None and self.marks.add_figure(self._tag) else None
        if tag is not None:
            tag.box = page_box(canvas, x, y, *self.size)
        with canvas.tag_content(tag):
            canvas.draw_picture(self._picture, x, y, self.size)


class WritingBox(LinePicture):
    """An inline box of `size` (width and height in points) to write in; it is an artifact of the page."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.size, self.marks = size, None

    def draw_on(self, canvas: Any, x: float, y: float) -> None:
        """Draw the box; ReportLab calls this while it draws the text of the line."""
        with canvas.tag_content(None), canvas.preserve_state():
            canvas.fill(look.PAPER)
            canvas.pen(look.MUTED, 0.7)
            canvas.roundRect(x, y, *self.size, 1.5, stroke=1, fill=1)


class BesideFlowable(Flowable):  # type: ignore[misc]
    """Flowables one below the other, with a picture at their right, or at their left if that is its side."""

    def __init__(self, parts: Sequence[Any], picture: PictureFlowable) -> None:
        super().__init__()
        self._parts, self._picture = parts, picture
        self.spaceBefore, self.spaceAfter = parts[0].getSpaceBefore(), parts[-1].getSpaceAfter()
        self._is_picture_left = picture.floats and picture.side == 0

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        """Return the available width, and the height of the picture or of the flowables, whichever is larger."""
        parts_width = available_width - self._picture.breadth - PICTURE_GAP_PT
        sizes = [(part.wrapOn(self.canv, parts_width, available_height), part) for part in self._parts]
        self._heights = [height + part.getSpaceAfter() for (_, height), part in sizes]
        picture_height = self._picture.wrapOn(self.canv, available_width, available_height)[1]
        self.width, self.height = available_width, max(sum(self._heights), picture_height)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the flowables from the top, and the picture."""
        top = self.height
        text_x = self._picture.breadth + PICTURE_GAP_PT if self._is_picture_left else 0
        for part, height in zip(self._parts, self._heights, strict=True):
            part.drawOn(self.canv, text_x, top - height + part.getSpaceAfter())
            top -= height
        _, high = self._picture.wrapOn(self.canv, self._picture.breadth, self.height)
        picture_x = 0 if self._is_picture_left else self.width - self._picture.breadth
        self._picture.drawOn(self.canv, picture_x, self.height - high)
