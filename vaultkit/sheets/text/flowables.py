"""ReportLab's flowables, with faces that are in the file, and without the wait for a pattern that no sheet asks for."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfbase.pdfmetrics import getRegisteredFontNames

from vaultkit.look import images
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag

_LONG = 300
"""Letters of a pattern that is not compiled before it is used. ReportLab has one: addresses broken at their slashes."""


class _Later:
    """A pattern that is compiled when it is asked for something."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        return getattr(re.compile(*self._given), name)


@contextmanager
def _long_patterns_later() -> Iterator[None]:
    """That one takes more than half of the time in which all flowables load."""
    compiled = re.compile

    def compile_or_wait(pattern: Any, flags: int = 0) -> Any:
        wait = isinstance(pattern, str) and len(pattern) > _LONG
        return _Later(pattern, flags) if wait else compiled(pattern, flags)

    re.compile = compile_or_wait
    try:
        yield
    finally:
        re.compile = compiled


look.configure()
if look.TEXT not in getRegisteredFontNames():
    look.CLASSIC.face(look.TEXT)  # ReportLab's styles take their face from the settings at this very moment

with _long_patterns_later():
    from reportlab.platypus import Flowable, HRFlowable, Paragraph, Table, TableStyle

__all__ = ["Flowable", "HRFlowable", "Paragraph", "PictureFlowable", "Table", "TableStyle", "on_page"]
_LEAST_DPI = 150


def on_page(canvas: Any, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """A rectangle of a flowable in places of its page: left, bottom, right and top."""
    left, bottom = canvas.absolutePosition(x, y)
    return left, bottom, left + width, bottom + height


class PictureFlowable(Flowable):  # type: ignore[misc]
    """A picture, as large as `width` x `height` points and 150 dots an inch allow, in the middle; content of `tag`."""

    def __init__(self, picture: images.Picture, width: float, height: float, tag: Tag | None = None) -> None:
        super().__init__()
        scale = min(width / picture.width, height / picture.height, 72 / _LEAST_DPI)
        self._picture, self._tag = picture, tag
        self._size = picture.width * scale, picture.height * scale
        self.spaceBefore = self.spaceAfter = 6

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """All of the width, and the picture's height."""
        self.width, self.height = wide, self._size[1]
        return self.width, self.height

    def draw(self) -> None:
        """Draws the picture."""
        x = (self.width - self._size[0]) / 2
        if self._tag is not None:
            self._tag.box = on_page(self.canv, x, 0, *self._size)
        with self.canv.marked(self._tag):
            images.draw(self.canv, self._picture, x, 0, self._size)
