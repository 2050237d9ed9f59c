"""Suit signs from `print/icons/*.svg`, drawn as paths: sharp at any size, and no font involved."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.errors import InvalidError
from vaultkit.look import design
from vaultkit.look.theme import PAPER, TITLE_BOLD, Theme

_VIEW_BOX = 100.0
_OUTLINE = 0.35
"""The thickness of an outline in points."""
_LARGE = 14.0
"""Signs larger than this, in points, are only outlined where ink is to be saved."""
_PATH = re.compile(r"<path\b[^<>]*?\sd\s*=\s*\"([^\"]*)\"", re.DOTALL)
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*", re.ASCII)
_MAX_BYTES = 200_000

Step = tuple[str, tuple[float, ...]]


@dataclass(frozen=True)
class Icon:
    """An outline in a square of 100 units, y downwards."""

    name: str
    steps: tuple[Step, ...]

    def draw(self, canvas: Any, x: float, y: float, size: float, colour: Any, *, hollow: bool) -> None:
        """Draws the icon, or its outline, with its lower left corner at x, y (points)."""
        scale = size / _VIEW_BOX
        with canvas.apart():
            canvas.translate(x, y + size)
            canvas.scale(scale, -scale)
            path = canvas.beginPath()
            for verb, numbers in self.steps:
                getattr(path, verb)(*numbers)
            if hollow:
                canvas.setStrokeColor(colour)
                canvas.setLineWidth(_OUTLINE / scale)
            else:
                canvas.setFillColor(colour)
            canvas.drawPath(path, fill=int(not hollow), stroke=int(hollow), fillMode=1)


def find_icon(name: str, vault: Path | None = None) -> Icon | None:
    """The icon `name`, or None; then `draw_sign` shows the first letter instead."""
    name = name.lower()
    if not _NAME.fullmatch(name):
        return None
    path = resources.find("print", f"icons/{name}.svg", vault)
    return None if path is None else _read(path)


def draw_sign(
    canvas: Any, theme: Theme, name: str, *, x: float, y: float, size: float, colour: str, letter: str = ""
) -> None:
    """The icon `name`, or a roundel with the first letter where a suit has no icon."""
    icon = find_icon(name, theme.vault)
    if icon is not None:
        icon.draw(canvas, x, y, size, theme.colour(colour), hollow=theme.ink_saver and size > _LARGE)
        return
    with canvas.apart():
        canvas.fill(colour)
        canvas.circle(x + size / 2, y + size / 2, size / 2, stroke=0, fill=1)
        canvas.fill(PAPER)
        canvas.setFont(theme.face(TITLE_BOLD), size * 0.62)
        initial = (letter or name or "?")[0].upper()
        canvas.drawCentredString(x + size / 2, y + size * 0.28, initial if initial.isascii() else "?")


@lru_cache(maxsize=128)
def _read(path: Path) -> Icon:
    from fontTools.svgLib.path import parse_path

    try:
        text = path.read_text(encoding="utf-8")[:_MAX_BYTES]
        pen = _step_pen()
        for data in _PATH.findall(text):
            parse_path(data, pen)
    except (OSError, ValueError, IndexError, AssertionError) as error:
        raise InvalidError(f"The icon cannot be read: {error}", where=design.told(path)) from error
    if not pen.steps:
        raise InvalidError("The icon has no <path>.", where=design.told(path), hint="Draw it in a 100 by 100 view box.")
    return Icon(path.stem, tuple(pen.steps))


def _step_pen() -> Any:
    """A pen whose steps are those of ReportLab's paths, which know no quadratic curves."""
    from fontTools.pens.basePen import BasePen

    class StepPen(BasePen):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.steps: list[Step] = []

        def _moveTo(self, place: tuple[float, float]) -> None:  # noqa: N802 - fontTools' names
            self.steps.append(("moveTo", place))

        def _lineTo(self, place: tuple[float, float]) -> None:  # noqa: N802
            self.steps.append(("lineTo", place))

        def _curveToOne(self, *places: tuple[float, float]) -> None:  # noqa: N802
            self.steps.append(("curveTo", tuple(chain(*places))))

        def _closePath(self) -> None:  # noqa: N802
            self.steps.append(("close", ()))

    return StepPen()
