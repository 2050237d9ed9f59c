"""The vault's own font faces: `print/fonts.toml` maps roles to TrueType files in `print/fonts/`."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from vaultkit import resources
from vaultkit.errors import InvalidError
from vaultkit.key_lines import find_key_line
from vaultkit.schema import SchemaError, convert_table
from vaultkit.theme import design_loader

FACES_FILE_NAME = "fonts.toml"
FALLBACK = "fallback"
_MAX_FALLBACK_COUNT = 12
"""The maximum number of fallback faces in a vault."""
_FONT_FILE_NAME = re.compile(r"[^/\\:\0]{1,200}\.ttf", re.IGNORECASE)
_NO_FACES: Mapping[str, "OwnFace"] = MappingProxyType({})


class _FacesFile(design_loader.Design, frozen=True):
    body: str | None = None
    bold: str | None = None
    italic: str | None = None
    bold_italic: str | None = None
    mono: str | None = None
    fallback: tuple[str, ...] = ()


class OwnFace(msgspec.Struct, frozen=True):
    """A font face of a vault: its file, and the line of `fonts.toml` that names it, as `FILE:LINE`."""

    file: Path
    where: str


@lru_cache(maxsize=16)
def own_faces(vault: Path | None) -> Mapping[str, OwnFace]:
    """Return the vault's own faces by role, such as `body` or `fallback 1`. Raises InvalidError with the line."""
    path = vault and resources.find("print", FACES_FILE_NAME, vault)
    if not path:
        return _NO_FACES
    name, lines = design_loader.name_of(path), resources.read_text(path).splitlines()
    try:
        faces: dict[str, Any] = msgspec.to_builtins(convert_table(design_loader.parse_file(path), _FacesFile))
    except SchemaError as error:
        where = _find_line(name, lines, str(error.path[0]))
        raise InvalidError(error.message, where=where, hint=error.hint) from error
    fallback_files = faces.pop(FALLBACK)
    if len(fallback_files) > _MAX_FALLBACK_COUNT:
        raise InvalidError(
            f"'{FALLBACK}' has more than {_MAX_FALLBACK_COUNT} faces.", where=_find_line(name, lines, FALLBACK)
        )
    files_by_role = {role: file for role, file in faces.items() if file is not None}
    files_by_role |= {f"{FALLBACK} {position}": file for position, file in enumerate(fallback_files, 1)}
    return {
        role: _find_face(file, _find_line(name, lines, role.split()[0], file), vault)
        for role, file in files_by_role.items()
    }


def _find_face(name: str, where: str, vault: Path | None) -> OwnFace:
    if not _FONT_FILE_NAME.fullmatch(name):
        hint = 'Name a TrueType file alone, such as body = "Vollkorn-Regular.ttf".'
        raise InvalidError(f"'{name}' is no name of a TrueType file.", where=where, hint=hint)
    file = resources.find("print", f"fonts/{name}", vault)
    if file is None:
        raise InvalidError(f"There is no font '{name}'.", where=where, hint="Put the file into .vaultkit/print/fonts/.")
    return OwnFace(file, where)


def _find_line(name: str, lines: list[str], key: str, value: str = "") -> str:
    """Return the file name with the line of a key, or of its value if that is found on a later line."""
    line, is_exact = find_key_line(lines, (key,) if key else ())
    if not is_exact:
        return name
    lines_with_value = (
        line_number for line_number, text in enumerate(lines, 1) if line_number >= line and value in text
    )
    return f"{name}:{next(lines_with_value, line)}"
