"""Registration of font files with ReportLab, whose settings are set before."""

import re
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from vaultkit import files, resources
from vaultkit.errors import BudgetExceeded, InvalidError
from vaultkit.theme import design_loader
from vaultkit.theme.custom_fonts import OwnFace, check_font, drop_local_letters, own_faces

DEFAULT_FACE = "Alegreya-Regular"
"""The face of running text, which ReportLab's own styles use too."""
_REPORTLAB_OVERRIDES: dict[str, Any] = {
    "invariant": 1,
    "useA85": 0,
    "ttfAsciiReadable": 0,
    "canvas_basefontname": DEFAULT_FACE,
    "paraFontSizeHeightOffset": 0,
    "trustedSchemes": [],
    "trustedHosts": [],
    "T1SearchPath": (),
    "TTFSearchPath": (),
    "CMapSearchPath": (),
    "unShapedFontGlob": [],
    "defaultPageSize": (595.2755905511812, 841.8897637795277),
}


@lru_cache(maxsize=1)
def configure() -> None:
    """Set every ReportLab setting; by default ReportLab reads them from the home folder and the environment."""
    from reportlab import rl_config, rl_settings

    for name in rl_settings.__all__:
        if hasattr(rl_settings, name):
            setattr(rl_config, name, _REPORTLAB_OVERRIDES.get(name, getattr(rl_settings, name)))


@lru_cache(maxsize=64)
def register_face(vault: Path | None, name: str) -> str:
    """Register a shipped face, or the vault's own face of a role, and return its ReportLab name."""
    custom_face = own_faces(vault).get(name)
    if custom_face is None:
        return str(register_font_file(design_loader.find(f"fonts/{name}.ttf", vault)).fontName)
    return str(register_own_face(custom_face).fontName)


def register_own_face(face: OwnFace, *, is_shaped: bool = False) -> Any:
    """Register a vault's own face and return its font. Raises InvalidError with the line that names it."""
    try:
        return register_font_file(face.file, is_shaped=is_shaped)
    except InvalidError as error:
        raise InvalidError(error.message, where=face.where, hint=error.hint) from error


@lru_cache(maxsize=64)
def register_font_file(file: Path, *, is_shaped: bool = False) -> Any:
    """Register a font file with ReportLab and return its font, which shapes its text if `is_shaped`."""
    configure()
    from reportlab.pdfbase import pdfmetrics

    font_names = pdfmetrics.getRegisteredFontNames()
    name = re.sub("[^A-Za-z0-9-]", "_", file.stem)[:60] + "-Shaped" * is_shaped
    registered = name if name not in font_names else f"{name}-{len(font_names)}"
    try:
        font = _load_font(registered, file, is_shaped=is_shaped)
        pdfmetrics.registerFont(font)
    except Exception as error:  # a file that is no font breaks ReportLab's parser in many ways
        where, reason = design_loader.name_of(file), getattr(error, "strerror", None) or error
        if isinstance(error, BudgetExceeded):
            error.where = where
            raise
        hint = getattr(error, "hint", "Use a TrueType file (.ttf) of this font.")
        raise InvalidError(f"The font '{file.name}' cannot be used: {reason}.", where=where, hint=hint) from error
    return font


def _load_font(name: str, file: Path, *, is_shaped: bool) -> Any:
    """Return a font file as a ReportLab font. Raises ValueError if a vault's own font fails its check."""
    from reportlab.pdfbase import pdfmetrics

    from vaultkit.theme.shaped_font import ShapedFont, UnicodeFont

    if file.is_relative_to(resources.shipped_folder("print")):
        return UnicodeFont(name, str(file))
    data = drop_local_letters(files.read(file.resolve(), files.PICTURE_BYTES))
    check_font(data)
    if is_shaped:
        font: Any = ShapedFont(name, data)
        default_face = pdfmetrics.getFont(register_face(None, DEFAULT_FACE)).face
        font.face.ascent, font.face.descent = default_face.ascent, default_face.descent  # lines stand alike
    else:
        font = UnicodeFont(name, BytesIO(data))
    face = font.face
    face.filename, face.name = str(file), name.encode()  # ReportLab takes the first of two faces with one name for both
    face.charToGlyph = {letter: glyph for letter, glyph in face.charToGlyph.items() if glyph < face.numGlyphs}
    return font


def font_has_letters(font: Any, letters: str) -> bool:
    """Return whether a ReportLab font has a glyph for each of the letters."""
    return all(font.face.charToGlyph.get(ord(letter)) for letter in letters)


def check_own_faces(vault: Path) -> tuple[str, ...]:
    """Check that each of a vault's own faces can be used, and return their roles. Raises InvalidError."""
    faces = own_faces(vault)
    for role in faces:
        register_face(vault, role)
    return tuple(faces)
