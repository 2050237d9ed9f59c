"""Drawing of SVG drawings into a PDF by svglib, as vectors and as text in the faces of the theme."""

import hashlib
import logging
import re
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from itertools import accumulate
from typing import Any

from lxml import etree
from reportlab.graphics.renderPDF import _PDFRenderer
from reportlab.graphics.shapes import Group, String
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from svglib.fonts import FontMap
from svglib.svglib import SvgRenderer

from vaultkit.theme import colour
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import TEXT, Theme
from vaultkit.theme.reportlab_private import operators
from vaultkit.theme.shaped_font import RunTextObject
from vaultkit.theme.svg.svg_drawing import SvgDrawing
from vaultkit.theme.svg.svg_vectors import miter_limit
from vaultkit.theme.svg.svg_writer import FACES, SvgWriter

logging.getLogger("svglib").setLevel(logging.CRITICAL)
_POINTS_PER_PIXEL = 0.75
_FAMILY_PREFIX = "Vaultkit"
_FAMILIES = {font: f"{_FAMILY_PREFIX}{font[0]}" for font in FACES}
_OUTLINE_WIDTH_PT = 0.35
"""The thickness in points of the outline that replaces an area to save ink."""
_TINT_SHARE = 0.06
"""The share of an area's own colour that stays to save ink."""
_MIN_CONTRAST_RATIO = 4.5
_STRING = re.compile(r"\((?:\\.|[^\\)])*\)|<[^<>]*>", re.DOTALL)
_NO_NUMBER = re.compile(r"\b(?:nan|inf)\b|\de[-+]?\d", re.IGNORECASE)
"""The pattern of numbers that Python can write and PDF does not know."""
_MAX_SAVED_STATE_COUNT = 20
"""The most states of graphics that are saved in each other; PDF/A allows 28 on a page."""


def embed_drawing(canvas: Any, drawing: SvgDrawing, glyphs: Glyphs, *, words_only: bool) -> str:
    """Add a drawing to a PDF if it is not there yet, and return the name of its form.

    The form is as large as the drawing's view in pixels. With `words_only`, only its text is added, invisibly; else
    `can_draw` must have accepted the drawing, whole or cropped.
    """
    name = f"{drawing.key}-{hashlib.sha256(f'{drawing.view}|{words_only}'.encode()).hexdigest()[:16]}"
    if not canvas.hasForm(name):
        canvas.beginForm(name, 0, 0, drawing.width, drawing.height)
        if not words_only or can_draw(drawing, glyphs.theme, words_only=True):
            _draw(canvas, drawing, glyphs, words_only=words_only)
        canvas.endForm()
    return name


@lru_cache(maxsize=16)
def can_draw(drawing: SvgDrawing, theme: Theme, *, words_only: bool) -> bool:
    """Return whether a drawing can be drawn: strange numbers, and parts deep in each other, let libraries fail."""
    canvas = _TrialCanvas(BytesIO(), initialFontName=theme.face(TEXT))
    with suppress(Exception):  # svglib and ReportLab fail in many ways
        _draw(canvas, drawing, Glyphs(theme), words_only=words_only)
        code = operators(canvas)
        depths = accumulate((line == "q") - (line == "Q") for line in code)
        return max(depths, default=0) <= _MAX_SAVED_STATE_COUNT and not any(
            _NO_NUMBER.search(_STRING.sub("", line)) for line in code
        )
    return False


class _TrialCanvas(Canvas):  # type: ignore[misc]
    """A canvas that is thrown away."""

    def beginText(self, x: float = 0, y: float = 0, direction: Any = None) -> Any:  # noqa: N802 - ReportLab's name
        """Return a text object that draws shaped fonts."""
        return RunTextObject(self, x, y, direction=direction)


def _draw(canvas: Any, drawing: SvgDrawing, glyphs: Glyphs, *, words_only: bool) -> None:
    writer = SvgWriter(drawing, glyphs, _FAMILIES, flat=True, words_only=words_only)
    shapes = SvgRenderer("", font_map=_ThemeFonts(glyphs.theme)).render(etree.fromstring(writer.write().encode()))
    view, height = drawing.view, drawing.whole[1]
    canvas.setMiterLimit(miter_limit(drawing))
    canvas.translate(-view.x, view.y + view.height - height)
    canvas.scale(1 / _POINTS_PER_PIXEL, 1 / _POINTS_PER_PIXEL)
    _Renderer(glyphs, (view.width, view.height), words_only=words_only).draw(shapes, canvas, 0, 0, showBoundary=False)


class _ThemeFonts(FontMap):
    """A map of families to the theme's faces, in which no other font can be found."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def find_font(self, font_name: str, weight: str = "normal", style: str = "normal") -> tuple[str, bool]:
        """Return the name of the font for a family, weight and style, and that it is the right one."""
        font = font_name.removeprefix(_FAMILY_PREFIX), weight, style
        return self._theme.face(FACES.get(font, TEXT)), True


class _Renderer(_PDFRenderer):  # type: ignore[misc]
    """A renderer of svglib's shapes that writes text in the theme's faces, and saves ink."""

    def __init__(self, glyphs: Glyphs, size: tuple[float, float], *, words_only: bool) -> None:
        super().__init__()
        self._glyphs, self._size, self._words_only = glyphs, size, words_only
        self._faces = {glyphs.theme.face(face): face for face in FACES.values()}

    def applyStateChanges(self, delta: dict[str, Any], newState: Any) -> None:  # noqa: N802, N803 - ReportLab's names
        """Apply changes of the graphics state, but for fonts, which `drawString` sets."""
        super().applyStateChanges({k: v for k, v in delta.items() if k not in {"fontName", "fontSize"}}, newState)

    def drawNode(self, node: Any) -> None:  # noqa: N802 - ReportLab's name
        """Draw a shape or a group of shapes."""
        if self._glyphs.theme.ink_saver and not isinstance(node, Group):
            _save_ink(node)
        super().drawNode(node)

    def drawString(self, stringObj: Any) -> None:  # noqa: N802, N803 - ReportLab's names
        """Draw a text."""
        state, glyphs = self._tracker.getState(), self._glyphs
        face, size = self._faces[state["fontName"]], state["fontSize"]
        if not self._fill or size <= 0 or state["fillOpacity"] == 0:
            return
        share = {"middle": 0.5, "end": 1.0}.get(state["textAnchor"], 0.0)
        width = glyphs.measure_width(stringObj.text, face, size)
        x = stringObj.x - width * share
        if not self._is_in_view(x, stringObj.y, width, size):
            return
        line = self._canvas.beginText(x, stringObj.y)
        if self._words_only:
            line.setTextRenderMode(3)  # invisible
        glyphs.append_text(line, stringObj.text, face, size)
        self._canvas.drawText(line)

    def _is_in_view(self, x: float, y: float, width: float, size: float) -> bool:
        """Return whether a text can be seen; words beside the drawing may be notes for nobody else."""
        corners = [self._canvas.absolutePosition(x + right, y + up) for right in (0, width) for up in (0, size)]
        return all(
            min(values) < side and max(values) > 0
            for values, side in zip(zip(*corners, strict=True), self._size, strict=True)
        )


def _save_ink(shape: Any) -> None:
    """Make an area pale with an outline, and text dark enough to be read on white."""
    fill = getattr(shape, "fillColor", None)
    if fill is None:
        return
    code = f"#{fill.hexval()[2:8]}"
    dark = HexColor(colour.darken(code, "#ffffff", _MIN_CONTRAST_RATIO))
    if isinstance(shape, String):
        shape.fillColor = dark
        return
    if getattr(shape, "strokeColor", None) is None:
        shape.strokeColor, shape.strokeWidth = dark, _OUTLINE_WIDTH_PT
    shape.fillColor = HexColor(
        "#" + "".join(f"{round(255 - (255 - part) * _TINT_SHARE):02x}" for part in fill.bitmap_rgb())
    )
