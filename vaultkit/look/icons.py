"""Suit signs from `print/icons/*.svg`, drawn as paths: sharp at any size, and no font involved."""

import re
from dataclasses import dataclass
from functools import lru_cache
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

    def draw(self, canvas: Any, x: float, y: float, size: float, *, fill: Any = None, stroke: Any = None) -> None:
        """Draws the icon with its lower left corner at x, y (points)."""
        scale = size / _VIEW_BOX
        canvas.saveState()
        canvas.translate(x, y + size)
        canvas.scale(scale, -scale)
        path = canvas.beginPath()
        for verb, numbers in self.steps:
            getattr(path, verb)(*numbers)
        if fill is not None:
            canvas.setFillColor(fill)
        if stroke is not None:
            canvas.setStrokeColor(stroke)
            canvas.setLineWidth(_OUTLINE / scale)
        canvas.drawPath(path, fill=int(fill is not None), stroke=int(stroke is not None), fillMode=1)
        canvas.restoreState()


def find(name: str, vault: Path | None = None) -> Icon | None:
    """The icon `name`; None if there is none, and then `draw_sign` shows the first letter instead."""
    name = name.lower()
    if not _NAME.fullmatch(name):
        return None
    path = resources.find("print", f"icons/{name}.svg", vault)
    return None if path is None else _read(path)


def draw_sign(
    canvas: Any, theme: Theme, name: str, *, x: float, y: float, size: float, colour: str, letter: str = ""
) -> None:
    """The icon `name`, or a roundel with the first letter where a suit has no icon."""
    icon = find(name, theme.vault)
    if icon is not None:
        hollow = theme.ink_saver and size > _LARGE
        shade = theme.colour(colour)
        icon.draw(canvas, x, y, size, fill=None if hollow else shade, stroke=shade if hollow else None)
        return
    canvas.saveState()
    canvas.setFillColor(theme.colour(colour))
    canvas.circle(x + size / 2, y + size / 2, size / 2, stroke=0, fill=1)
    canvas.setFillColor(theme.colour(PAPER))
    canvas.setFont(theme.face(TITLE_BOLD), size * 0.62)
    initial = (letter or name or "?")[0].upper()
    canvas.drawCentredString(x + size / 2, y + size * 0.28, initial if initial.isascii() else "?")
    canvas.restoreState()


@lru_cache(maxsize=128)
def _read(path: Path) -> Icon:
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path import parse_path

    try:
        text = path.read_text(encoding="utf-8")[:_MAX_BYTES]
        pen = DecomposingRecordingPen({})
        for data in _PATH.findall(text):
            parse_path(data, pen)
    except (OSError, ValueError, IndexError, AssertionError) as error:
        raise InvalidError(f"The icon cannot be read: {error}", where=design.told(path)) from error
    if not pen.value:
        raise InvalidError("The icon has no <path>.", where=design.told(path), hint="Draw it in a 100 by 100 view box.")
    return Icon(path.stem, tuple(_steps(pen.value)))


def _steps(recorded: list[tuple[str, tuple[Any, ...]]]) -> list[Step]:
    steps: list[Step] = []
    here = (0.0, 0.0)
    for verb, places in recorded:
        if verb == "moveTo":
            steps.append(("moveTo", places[0]))
        elif verb == "lineTo":
            steps.append(("lineTo", places[0]))
        elif verb == "curveTo":
            steps.append(("curveTo", tuple(number for place in places for number in place)))
        elif verb == "qCurveTo":
            steps.append(("curveTo", _cubic(here, places[0], places[1])))
        elif verb == "closePath":
            steps.append(("close", ()))
        here = places[-1] if places else here
    return steps


def _cubic(start: tuple[float, float], control: tuple[float, float], end: tuple[float, float]) -> tuple[float, ...]:
    first = tuple(s + 2 / 3 * (c - s) for s, c in zip(start, control, strict=True))
    second = tuple(e + 2 / 3 * (c - e) for e, c in zip(end, control, strict=True))
    return (*first, *second, *end)
