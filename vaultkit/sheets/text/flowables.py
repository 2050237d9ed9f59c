"""ReportLab's flowables, without the wait for a pattern of theirs that no sheet asks for."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vaultkit.look import images
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


with _long_patterns_later():
    from reportlab.platypus import Flowable, HRFlowable, Paragraph, Table, TableStyle

__all__ = ["Flowable", "HRFlowable", "Paragraph", "Table", "TableStyle"]


def PictureFlowable(  # noqa: N802 - it stands for a class
    picture: images.Picture, width: float, height: float, tag: Tag | None = None
) -> Any:
    """A picture, as large as `width` x `height` points and 150 dots an inch allow, in the middle; content of `tag`."""
    scale = min(width / picture.width, height / picture.height, 72 / 150)

    class _Picture(Flowable):  # type: ignore[misc]
        def wrap(self, wide: float, _high: float) -> tuple[float, float]:
            self.width, self.height = wide, picture.height * scale
            return self.width, self.height

        def draw(self) -> None:
            size = picture.width * scale, picture.height * scale
            x = (self.width - size[0]) / 2
            if tag is not None:
                left, bottom = self.canv.absolutePosition(x, 0)
                tag.box = (left, bottom, left + size[0], bottom + size[1])
            with self.canv.marked(tag):
                images.draw(self.canv, picture, x, 0, size)

    flowable = _Picture()
    flowable.spaceBefore = flowable.spaceAfter = 6
    return flowable
