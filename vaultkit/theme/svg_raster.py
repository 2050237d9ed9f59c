"""Rendering of SVG drawings to pixels by resvg, of all that svglib does not draw as browsers do.

resvg runs in a process of its own, which is stopped if it takes too long or too much memory: a filter of thirty
octaves takes half a minute on an A4 page, one that widens lines by 20 pixels longer than a minute.
"""

import hashlib
import struct
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import resvg_py
from msgspec.structs import replace

from vaultkit import files
from vaultkit.budget import MB
from vaultkit.errors import BudgetExceeded
from vaultkit.theme import image_transcoding
from vaultkit.theme.custom_fonts import find_family
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.image_transcoding import Picture, UnusablePicture
from vaultkit.theme.model import TEXT, Theme
from vaultkit.theme.svg.svg_drawing import SvgDrawing
from vaultkit.theme.svg.svg_writer import FACES, SvgWriter

_TIMEOUT_SECONDS = 20
_MAX_CPU_SECONDS = 4
_CPU_LIMIT_CODE = -24
"""The exit code of a process that has exceeded its soft limit of CPU seconds; Linux kills one at the hard limit."""
_MAX_SLOW_DRAWING_COUNT = 3
_SLOW_DRAWINGS: list[str] = []
"""The drawings that took too long; after some of them, no other is drawn as pixels in this run."""
_MAX_MEMORY_BYTES = 300 * MB
_MAX_SIDE_PX = 3_600
"""The longest side of a drawing in pixels: an A4 page at 300 dpi has 3,508."""
_PROGRAM = f"""
import sys
width, seconds, family, path, *fonts = sys.argv[1:]
sys.path.insert(0, path)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, ({_MAX_MEMORY_BYTES},) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
except (ImportError, ValueError, OSError):
    pass
import resvg_py
options = dict(width=int(width), dpi=96, skip_system_fonts=True, font_family=family, font_files=fonts)
data = resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode(), **options)
sys.stdout.buffer.write(bytes(data))
"""


def rasterize(drawing: SvgDrawing, fit: Fit, theme: Theme) -> Picture:
    """Return a drawing as pixels, from the cache if it was made before. Raises UnusablePicture."""
    view = drawing.cover(fit.width, fit.height, fit.top) if fit.cover else drawing
    width = round(fit.width * drawing.whole[0] / view.width)
    width = max(1, min(width, _MAX_SIDE_PX, int(_MAX_SIDE_PX * drawing.whole[0] / drawing.whole[1])))
    glyphs = Glyphs(theme)
    names = {theme.face(face) for face in FACES.values()}
    names |= {name for name, _ in glyphs.split_runs("".join(sorted(drawing.letters)), TEXT)}
    fonts = sorted({_font_file(name) for name in names})
    families = {font: _quote(_family(_font_file(theme.face(face)))) for font, face in FACES.items()}
    writer = SvgWriter(drawing, glyphs, families)
    parts = (fit.key, drawing.key, width, fonts, families, writer.ink)
    stem = hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:40]
    picture = image_transcoding.find_copy(stem)
    if picture is None:
        package_folder = str(Path(resvg_py.__file__).parents[1])
        arguments = [str(width), str(_MAX_CPU_SECONDS), _family(_font_file(theme.face(TEXT))), package_folder, *fonts]
        picture = image_transcoding.keep_copy(stem, _run_resvg(writer.write(), arguments), fit)
    return replace(picture, drawing=view)


def _font_file(name: str) -> str:
    """Return the file of a font by its ReportLab name."""
    from reportlab.pdfbase.pdfmetrics import getFont

    return str(getFont(name).face.filename)


@lru_cache(maxsize=32)
def _family(file: str) -> str:
    """Return the family by which resvg knows a font: ReportLab may name another one. Raises UnusablePicture."""
    try:
        return find_family(files.read(Path(file).resolve(), files.PICTURE_BYTES))
    except (OSError, ValueError, struct.error, BudgetExceeded) as error:
        raise UnusablePicture(f"cannot be drawn, since the font '{Path(file).name}' cannot be read") from error


def _quote(family: str) -> str:
    """Return a family in quotes, without which CSS refuses names with digits, commas and other signs."""
    return f'"{family}"' if "'" in family else f"'{family}'"


def _run_resvg(source: str, arguments: list[str]) -> bytes:
    """Return the PNG of a drawing. Raises UnusablePicture, also for each drawing after too many that take too long."""
    command = [sys.executable, "-I", "-c", _PROGRAM, *arguments]
    if len(_SLOW_DRAWINGS) < _MAX_SLOW_DRAWING_COUNT:
        try:
            return subprocess.run(
                command, input=source.encode(), capture_output=True, timeout=_TIMEOUT_SECONDS, check=True
            ).stdout
        except (OSError, subprocess.SubprocessError) as error:
            is_slow = isinstance(error, subprocess.TimeoutExpired) or getattr(error, "returncode", 0) == _CPU_LIMIT_CODE
            if not is_slow:
                raise UnusablePicture("cannot be drawn; save it as PNG") from error
            _SLOW_DRAWINGS.append(source)
    raise UnusablePicture("takes too long to draw; save it as PNG")
