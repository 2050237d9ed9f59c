"""Suit signs from `print/icons/*.svg`, drawn as paths: sharp at any size and independent of fonts."""

import re
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.budget import Limit
from vaultkit.errors import BudgetExceeded, InvalidError
from vaultkit.theme import design_loader
from vaultkit.theme.model import PAPER, TITLE_BOLD, Theme, register_default_face

_VIEW_BOX_SIZE = 100.0
_OUTLINE_WIDTH_PT = 0.35
"""The thickness of an outline in points."""
_MAX_FILLED_SIGN_PT = 14.0
"""The largest size in points at which signs are filled when ink is to be saved; larger ones are only outlined."""
_SVG_PATH = re.compile(r"<path\b[^<>]*?\sd\s*=\s*\"([^\"]*)\"", re.DOTALL)
_CLOSED_WITHOUT_MOVE = re.compile(r"[zZ](?=[\s,]*[^\s,mMzZ])")
"""The pattern of a Z after which a path goes on without an M."""
_ICON_NAME = re.compile(r"[a-z0-9][a-z0-9-]*", re.ASCII)
_MAX_COORDINATE_PX = 10_000
_MAX_ICON_CHARS = Limit("This icon has", 200_000, "characters", "Draw it with fewer lines.")


def find_icon(name: str, vault: Path | None = None) -> Any:
    """Return the icon `name` as a ReportLab path, in a square of 100 units with y downwards.

    Returns None if there is no icon. Raises InvalidError if it cannot be read.
    """
    file = _find_file(name, vault)
    return None if file is None else _read_icon(file)


def svg_path_data(name: str, vault: Path | None) -> tuple[str, ...]:
    """Return the data of each path of the icon `name`, as in SVG; () if there is no readable icon.

    ReportLab is not used, since only one thread at a time may use it.
    """
    file = _find_file(name, vault)
    with suppress(OSError, ValueError, BudgetExceeded):
        return tuple(data for _, data in _read_paths(file)) if file else ()
    return ()


def draw_sign(
    canvas: Any, theme: Theme, name: str, *, x: float, y: float, size: float, colour: str, letter: str = ""
) -> None:
    """Draw the icon `name`; if there is none, draw a disc with the first letter of `letter`, else of `name`."""
    icon = find_icon(name, theme.vault)
    if icon is not None:
        is_outlined, scale = theme.ink_saver and size > _MAX_FILLED_SIGN_PT, size / _VIEW_BOX_SIZE
        with canvas.preserve_state():
            canvas.translate(x, y + size)
            canvas.scale(scale, -scale)
            if is_outlined:
                canvas.pen(colour, _OUTLINE_WIDTH_PT / scale)
            else:
                canvas.fill(colour)
            canvas.drawPath(icon, fill=int(not is_outlined), stroke=int(is_outlined), fillMode=1)
        return
    with canvas.preserve_state():
        canvas.fill(colour)
        canvas.circle(x + size / 2, y + size / 2, size / 2, stroke=0, fill=1)
        canvas.fill(PAPER)
        canvas.setFont(theme.face(TITLE_BOLD), size * 0.62)
        initial = (letter or name or "?")[0].upper()
        canvas.drawCentredString(x + size / 2, y + size * 0.28, initial if initial.isascii() else "?")


def _find_file(name: str, vault: Path | None) -> Path | None:
    name = name.lower()
    return resources.find("print", f"icons/{name}.svg", vault) if _ICON_NAME.fullmatch(name) else None


def _read_paths(file: Path) -> list[tuple[int, str]]:
    """Return the line and the data of each path of an icon."""
    text = resources.read_text(file)
    _MAX_ICON_CHARS.check(len(text), design_loader.name_of(file))
    return [(text.count("\n", 0, match.start(1)) + 1, match[1]) for match in _SVG_PATH.finditer(text)]


@lru_cache(maxsize=128)
def _read_icon(path: Path) -> Any:
    from reportlab.pdfgen.pathobject import PDFPathObject

    icon, where = PDFPathObject(), design_loader.name_of(path)
    try:
        for line, data in _read_paths(path):
            where = f"{design_loader.name_of(path)}:{line}"
            _draw_path(icon, move_after_close(data))
    except (OSError, ValueError, IndexError, TypeError, OverflowError) as error:
        raise InvalidError(f"The icon cannot be read: {error}", where=where) from error
    if not icon.getCode():
        raise InvalidError(
            "The icon has no <path>.", where=design_loader.name_of(path), hint="Draw it in a 100 by 100 box."
        )
    return icon


def move_after_close(data: str) -> str:
    """Return the data of a path with an M after each Z, which ReportLab and svglib need."""
    return _CLOSED_WITHOUT_MOVE.sub(r"\g<0>m0 0", data)


def _draw_path(icon: Any, data: str) -> None:
    """Parse SVG path data and append it to `icon`, a ReportLab path. Raises ValueError if it does not begin with M."""
    register_default_face()
    from reportlab.graphics.svgpath import SvgPath

    if not data.lstrip().startswith(("M", "m")):
        raise ValueError("a path begins with M")
    path = SvgPath(data)
    operations = ((icon.moveTo, 2), (icon.lineTo, 2), (icon.curveTo, 6), (icon.close, 0))
    if not all(abs(coordinate) <= _MAX_COORDINATE_PX for coordinate in path.points):
        raise ValueError(f"a coordinate beyond {_MAX_COORDINATE_PX}")
    coordinates = iter(path.points)
    for operator in path.operators:
        add_step, coordinate_count = operations[operator]
        add_step(*islice(coordinates, coordinate_count))
