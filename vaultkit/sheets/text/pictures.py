"""A note's picture, as ReportLab lays it out."""

from typing import Any

from vaultkit.sheets import images
from vaultkit.sheets.pdf.tags import Tag


def PictureFlowable(  # noqa: N802 - it stands for a class
    picture: images.Picture, width: float, height: float, tag: Tag | None = None
) -> Any:
    """A picture, as large as `width` x `height` points and 150 dots an inch allow, in the middle; content of `tag`."""
    from vaultkit.sheets.text.flowables import Flowable

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
