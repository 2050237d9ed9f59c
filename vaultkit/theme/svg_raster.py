"""Rendering of SVG drawings to pixels by resvg, of all that svglib does not draw as browsers do.

resvg runs in a process of its own, which is stopped if it takes too long or too much memory: a filter of thirty
octaves takes half a minute on an A4 page, one that widens lines by 20 pixels longer than a minute.
"""

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import resvg_py
from msgspec.structs import replace

from vaultkit.budget import MB
from vaultkit.theme import image_transcoding
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.image_transcoding import Picture, UnusablePicture
from vaultkit.theme.model import TEXT, Theme
from vaultkit.theme.svg.svg_drawing import SvgDrawing
from vaultkit.theme.svg.svg_writer import FACES, SvgWriter

_TIMEOUT_SECONDS = 20
_MAX_CPU_SECONDS = 4
_CPU_LIMIT_CODE = -24
"""The exit code of a process that has exceeded its limit of CPU seconds."""
_MAX_SLOW_DRAWING_COUNT = 3
_SLOW_DRAWINGS: list[str] = []
"""The drawings that took too long; after some of them, no other is drawn as pixels in this run."""
_MAX_MEMORY_BYTES = 300 * MB
_MAX_SIDE_PX = 3_600
"""The longest side of a drawing in pixels: an A4 page at 300 dpi has 3,508."""
_PROGRAM = f"""
import sys
width, family, path, *fonts = sys.argv[1:]
sys.path.insert(0, path)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, ({_MAX_MEMORY_BYTES},) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, ({_MAX_CPU_SECONDS},) * 2)
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
    families = {font: _text(_font(theme.face(face)).face.familyName) for font, face in FACES.items()}
    names = {theme.face(face) for face in FACES.values()}
    names |= {name for name, _ in glyphs.split_runs("".join(sorted(drawing.letters)), TEXT)}
    fonts = sorted({_text(_font(name).face.filename) for name in names})
    writer = SvgWriter(drawing, glyphs, families)
    stem = hashlib.sha256(f"{fit.key}|{drawing.key}|{width}|{fonts}|{writer.ink}".encode()).hexdigest()[:40]
    picture = image_transcoding.find_copy(stem)
    if picture is None:
        arguments = [str(width), families["serif", "normal", "normal"], str(Path(resvg_py.__file__).parents[1]), *fonts]
        picture = image_transcoding.prepare_bytes(_run_resvg(writer.write(), arguments), fit, stem)
    return replace(picture, drawing=view)


def _font(name: str) -> Any:
    from reportlab.pdfbase.pdfmetrics import getFont

    return getFont(name)


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


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
