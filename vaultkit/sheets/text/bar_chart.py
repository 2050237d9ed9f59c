"""Charts of a note in a PDF; bar charts and pie charts are both drawn as rows with a name, a bar and a value."""

from collections.abc import Sequence

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import Flowable, page_box
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs

_LEADING_RATIO, _GAP_PT = 1.55, 6.0
"""The height of a row as a multiple of the font size, and the gap on each side of a bar in points."""
_MAX_NAMES_WIDTH_SHARE = 0.4
"""The largest share of the chart's width that the column of names may take."""


class BarChart(Flowable):  # type: ignore[misc]
    """A chart of names and values, set in a font of `size` points and tagged in the PDF by `tag`.

    Names that are too wide are shortened. `width` is the width of the chart in points.
    """

    def __init__(self, values: Sequence[tuple[str, str]], glyphs: Glyphs, size: float, width: float, tag: Tag) -> None:
        super().__init__()
        self._glyphs, self._font_size, self._tag = glyphs, size, tag
        max_name_width = width * _MAX_NAMES_WIDTH_SHARE
        self._rows = [(glyphs.shorten(name, look.TEXT, size, max_name_width), value) for name, value in values]
        self._names_width = max(self._text_width(name) for name, _ in self._rows)
        self._values_width = max(self._text_width(value) for _, value in self._rows)
        self._max_value = max((float(value) for _, value in values), default=0.0) or 1.0
        self.spaceBefore, self.spaceAfter = 4, 8

    def _text_width(self, text: str) -> float:
        return self._glyphs.measure_width(text, look.TEXT, self._font_size)

    def wrap(self, available_width: float, _available_height: float) -> tuple[float, float]:
        """Return the size of the chart: all the width on offer, and the height of its rows together."""
        self.width, self.height = available_width, len(self._rows) * self._font_size * _LEADING_RATIO
        return self.width, self.height

    def draw(self) -> None:
        """Draw each row: the name, set flush right, then the bar, then the value at the end of the bar."""
        self._tag.box = page_box(self.canv, 0, 0, self.width, self.height)
        line_height, bar_start = self._font_size * _LEADING_RATIO, self._names_width + _GAP_PT
        max_bar_length = self.width - bar_start - self._values_width - _GAP_PT
        with self.canv.tag_content(self._tag):
            for row_number, (name, value) in enumerate(self._rows, 1):
                y = self.height - row_number * line_height + line_height * 0.3
                bar_end = bar_start + max_bar_length * float(value) / self._max_value
                self.canv.fill(look.GOLD)
                bar_width = max(bar_end - bar_start, 0.6)
                self.canv.rect(bar_start, y - line_height * 0.1, bar_width, line_height * 0.6, stroke=0, fill=1)
                self._write(f"{name} ", self._names_width - self._text_width(name), y)
                self._write(f"{value} ", bar_end + _GAP_PT, y)

    def _write(self, text: str, x: float, y: float) -> None:
        self._glyphs.write(self.canv, text, (x, y), look.TEXT, self._font_size, colour=look.INK)
