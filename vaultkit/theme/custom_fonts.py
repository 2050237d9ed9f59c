"""The vault's own font faces: `print/fonts.toml` maps roles to TrueType files in `print/fonts/`.

The files are checked before ReportLab reads them, since ReportLab trusts every number in them.
"""

import re
import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from vaultkit import resources
from vaultkit.budget import Budget, Limit
from vaultkit.errors import BudgetExceeded, InvalidError
from vaultkit.key_lines import find_key_line
from vaultkit.schema import SchemaError, convert_table
from vaultkit.theme import design_loader
from vaultkit.vault.text_positions import LINE_END

FACES_FILE_NAME = "fonts.toml"
FALLBACK = "fallback"
_MAX_FALLBACKS = Limit("The setting 'fallback' names", 12, "fonts", "Keep those that your notes need.")
_FONT_FILE_NAME = re.compile(r"[^/\\:\0]{1,200}\.tt[fc]", re.IGNORECASE)
_NO_FACES: Mapping[str, "OwnFace"] = MappingProxyType({})


_CFF_SIGNATURE = b"OTTO"
_UNUSABLE_FORMATS = {
    _CFF_SIGNATURE: "its outlines are CFF (PostScript), and these PDFs hold TrueType outlines only",
    b"wOFF": "it is a web font",
    b"wOF2": "it is a web font",
}
_TRUETYPE_SIGNATURES = (b"\0\1\0\0", b"true", b"ttcf")
_COLLECTION_SIGNATURE = b"ttcf"
_CFF_HINT = (
    "Use a font with TrueType outlines (.ttf), such as Noto Serif Hebrew, Amiri, Noto Serif Thai or IPAex Mincho."
)
_REQUIRED_TABLES = (b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"name", b"post")
_DAMAGED_REASON = "it is damaged, or was cut off"
_NO_EMBEDDING_MASK = 0x0302
"""The flags with which a font's maker forbids embedding the font or a subset of it."""
_OTHER_FONT = "Use another file of this font."
_MAX_TABLES = Limit("This font has", 200, "tables", _OTHER_FONT)
_MAX_NAMES = Limit("This font has", 5_000, "names", _OTHER_FONT)
_MAX_CMAPS = Limit("This font has", 64, "tables of letters", _OTHER_FONT)
_MAX_LETTERS = Limit("A table of this font has", 0x110000, "letters", _OTHER_FONT)
_MAX_PARTS = Limit("The letters of this font have", 1_000_000, "parts", _OTHER_FONT)
_MAX_COPIED_BYTES = Limit("The tables of this font that every PDF gets have", 4_000_000, "bytes", _OTHER_FONT)
_PART_HEADER_BYTES = 4
_MORE_PARTS_FLAG = 0x20
_WORD_OFFSETS_FLAG = 0x01
_SCALE_LENGTHS = ((0x08, 2), (0x40, 4), (0x80, 8))

_UNICODE_ENCODINGS = {(0, 3), (0, 4), (3, 1), (3, 10)}
"""The platforms and encodings of tables of letters in Unicode."""
_UTF_16_PLATFORMS = {0, 3}
"""The platforms whose names are in UTF-16; those of others are in Mac OS Roman."""
_FAMILY_NAME_IDS = (16, 1)
"""The numbers of a font's family names in its table `name`, the one of all styles first."""

_Tables = Mapping[bytes, memoryview]


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
    table = design_loader.parse_file(path)
    name, lines = design_loader.name_of(path), LINE_END.split(resources.read_text(path))
    try:
        faces: dict[str, Any] = msgspec.to_builtins(convert_table(table, _FacesFile))
    except SchemaError as error:
        where = _find_line(name, lines, str(error.path[0]))
        raise InvalidError(error.message, where=where, hint=error.hint) from error
    fallback_files = faces.pop(FALLBACK)
    _MAX_FALLBACKS.check(len(fallback_files), _find_line(name, lines, FALLBACK))
    files = {role: file for role, file in faces.items() if file is not None}
    files |= {f"{FALLBACK} {position}": file for position, file in enumerate(fallback_files, 1)}
    places = {role: _find_line(name, lines, role.split()[0], file) for role, file in files.items()}
    return {role: _find_face(file, places[role], vault) for role, file in files.items()}


def _find_face(name: str, where: str, vault: Path | None) -> OwnFace:
    if name.lower().endswith((".otf", ".otc")):
        reason = _UNUSABLE_FORMATS[_CFF_SIGNATURE]
        raise InvalidError(f"The font '{name}' cannot be used: {reason}.", where=where, hint=_CFF_HINT)
    if not _FONT_FILE_NAME.fullmatch(name):
        hint = 'Name only a TrueType file, such as body = "Vollkorn-Regular.ttf".'
        raise InvalidError(f"'{name}' is not a name of a TrueType file.", where=where, hint=hint)
    file = resources.find("print", f"fonts/{name}", vault)
    if file is None:
        raise InvalidError(f"There is no font '{name}'.", where=where, hint="Put the file into .vaultkit/print/fonts/.")
    return OwnFace(file, where)


def _find_line(name: str, lines: list[str], key: str, value: str = "") -> str:
    """Return the file name with the line of a key, or of its value if that is found on a later line."""
    line, is_exact = find_key_line(lines, (key,) if key else ())
    if not is_exact:
        return name
    matches = (number for number, text in enumerate(lines, 1) if number >= line and value in text)
    return f"{name}:{next(matches, line)}"


class UnusableOutlines(ValueError):
    """The error for a font with CFF outlines; `hint` names fonts that work."""

    hint = _CFF_HINT


def check_font(data: bytes) -> None:
    """Raise ValueError with the reason why a font file cannot be used, or BudgetExceeded."""
    if data[:4] == _CFF_SIGNATURE:
        raise UnusableOutlines(_UNUSABLE_FORMATS[_CFF_SIGNATURE])
    if data[:4] not in _TRUETYPE_SIGNATURES:
        raise ValueError(_UNUSABLE_FORMATS.get(data[:4], "it is not a TrueType file"))
    try:
        tables = find_tables(memoryview(data))
        _check_tables(tables)
        _check_letters(tables[b"cmap"])
        _check_outlines(tables)
    except (struct.error, IndexError) as error:
        raise ValueError(_DAMAGED_REASON) from error


def _raise_if_damaged(is_damaged: bool) -> None:
    if is_damaged:
        raise ValueError(_DAMAGED_REASON)


def _read_number(table: memoryview, offset: int, format_code: str = "H") -> int:
    """Return the number at an offset of a table; it has two bytes, or four with the format code `L`."""
    value: int = struct.unpack_from(f">{format_code}", table, offset)[0]
    return value


def find_tables(data: memoryview) -> _Tables:
    """Return the tables of a font, or of the first font of a collection. Raises ValueError or struct.error."""
    tables = {}
    offset = _read_number(data, 12, "L") if data[:4] == _COLLECTION_SIGNATURE else 0
    count = _read_number(data, offset + 4)
    _MAX_TABLES.check(count)
    for index in range(count):
        tag, _, start, length = struct.unpack_from(">4sLLL", data, offset + 12 + 16 * index)
        _raise_if_damaged(start + length > len(data))
        tables[bytes(tag)] = data[start : start + length]
    return tables


def _check_tables(tables: _Tables) -> None:
    if b"glyf" not in tables and {b"CFF ", b"CFF2"} & set(tables):
        raise UnusableOutlines(_UNUSABLE_FORMATS[_CFF_SIGNATURE])
    _raise_if_damaged(not set(_REQUIRED_TABLES) <= set(tables))
    if b"OS/2" in tables and _read_number(tables[b"OS/2"], 8) & _NO_EMBEDDING_MASK:
        raise ValueError("its maker does not allow that a part of it is put into a PDF")
    _MAX_NAMES.check(_read_number(tables[b"name"], 2))
    _raise_if_damaged(not 16 <= _read_number(tables[b"head"], 18) <= 16_384)
    copied_tags = (b"name", b"OS/2", b"cvt ", b"fpgm", b"prep")
    _MAX_COPIED_BYTES.check(sum(len(tables[tag]) for tag in copied_tags if tag in tables))


def find_family(data: bytes) -> str:
    """Return the name of a font's family: of all its styles, else of up to four styles; "" without any.

    Raises ValueError, struct.error or BudgetExceeded for a damaged font.
    """
    table = find_tables(memoryview(data)).get(b"name", memoryview(b"\0" * 6))
    _, count, start = struct.unpack_from(">3H", table)
    _MAX_NAMES.check(count)
    records = [struct.unpack_from(">6H", table, 6 + 12 * index) for index in range(count)]
    records.sort(key=lambda record: record[0] not in _UTF_16_PLATFORMS)
    for family_id in _FAMILY_NAME_IDS:
        for platform, _, _, name_id, length, offset in records:
            if name_id == family_id:
                name = bytes(table[start + offset : start + offset + length])
                return name.decode("utf-16-be" if platform in _UTF_16_PLATFORMS else "mac-roman", "replace")
    return ""


def drop_local_letters(data: bytes) -> bytes:
    """Return a font without the tables of letters in encodings other than Unicode, if it has Unicode's, too.

    Some East Asian fonts have them, and ReportLab might take one of them for Unicode's. A damaged font stays as it is.
    """
    try:
        table = find_tables(memoryview(data))[b"cmap"]
        count = _read_number(table, 2)
        records = [struct.unpack_from(">HHL", table, 4 + 8 * index) for index in range(min(count, _MAX_CMAPS.maximum))]
        start = data.find(table[: 4 + 8 * count].tobytes())
    except (struct.error, KeyError, ValueError, BudgetExceeded):
        return data
    unicode_records = sorted(record for record in records if record[:2] in _UNICODE_ENCODINGS)
    if not unicode_records or len(unicode_records) == count:
        return data
    head = struct.pack(">HH", 0, len(unicode_records)) + b"".join(struct.pack(">HHL", *r) for r in unicode_records)
    return data[:start] + head + data[start + len(head) :]


def find_letter_ranges(table: memoryview) -> Sequence[tuple[int, int]]:
    """Return the first and last letter of each range in a cmap table, in order. Raises ValueError or struct.error."""
    count = _read_number(table, 2)
    _MAX_CMAPS.check(count)
    records = [struct.unpack_from(">HHL", table, 4 + 8 * index) for index in range(count)]
    offsets = [offset for platform, encoding, offset in records if (platform, encoding) in _UNICODE_ENCODINGS]
    return max((_read_ranges(table[offset:]) for offset in offsets), key=_count_range_letters, default=())


def _count_range_letters(ranges: Sequence[tuple[int, int]]) -> int:
    return sum(last - first + 1 for first, last in ranges)


def _read_ranges(table: memoryview) -> Sequence[tuple[int, int]]:
    """Return the ranges of letters of a cmap subtable in a usual format: 4, 12 or 13."""
    format_number = _read_number(table, 0)
    if format_number == 4:
        count = _read_number(table, 6) // 2
        ends, starts = (struct.unpack_from(f">{count}H", table, offset) for offset in (14, 16 + 2 * count))
        return list(zip(starts, ends, strict=True))
    if format_number in {12, 13}:
        groups = table[16 : 16 + 12 * _read_number(table, 12, "L")]
        _MAX_LETTERS.check(len(groups) // 12)
        return [(first, last) for first, last, _ in struct.iter_unpack(">3L", groups)]
    return ()


def _check_letters(table: memoryview) -> None:
    count = _read_number(table, 2)
    _MAX_CMAPS.check(count)
    for offset in {_read_number(table, 8 + 8 * index, "L") for index in range(count)}:
        _MAX_LETTERS.check(_count_letters(table[offset:]))


def _count_letters(table: memoryview) -> int:
    """Return the number of letters that a cmap subtable claims. Raises ValueError for an uncommon format."""
    format_number = _read_number(table, 0)
    if format_number in {4, 12, 13}:
        return sum(max(0, last - first + 1) for first, last in _read_ranges(table))
    if format_number == 10:
        return _read_number(table, 16, "L")
    if format_number in {0, 6, 14}:
        return 0
    raise ValueError(f"its table of characters has the outdated format {format_number}")


def _check_outlines(tables: _Tables) -> None:
    """Check that glyphs lie in order within their table, and that composed glyphs have valid parts."""
    glyph_count, has_long_offsets = _read_number(tables[b"maxp"], 4), _read_number(tables[b"head"], 50)
    metric_count = _read_number(tables[b"hhea"], 34)
    missing_count = max(0, glyph_count - metric_count)
    _raise_if_damaged(4 * metric_count + 2 * missing_count > len(tables[b"hmtx"]) or not glyph_count)
    unit = 1 if has_long_offsets else 2
    offsets = [
        unit * raw_offset
        for raw_offset in struct.unpack_from(f">{glyph_count + 1}{'L' if has_long_offsets else 'H'}", tables[b"loca"])
    ]
    glyphs, parts = tables[b"glyf"], Budget(_MAX_PARTS)
    _raise_if_damaged(offsets[-1] > len(glyphs))
    for start, end in pairwise(offsets):
        _raise_if_damaged(start > end)
        if end > start and glyphs[start] >= 0x80:
            parts.spend(_count_parts(glyphs[start:end], glyph_count))


def _count_parts(glyph: memoryview, glyph_count: int) -> int:
    """Return the number of parts of a composed glyph.

    Raises ValueError if a part is not one of the font's `glyph_count` glyphs.
    """
    offset, part_count, flags = 10, 0, _MORE_PARTS_FLAG
    while flags & _MORE_PARTS_FLAG:
        flags, part_glyph = struct.unpack_from(">HH", glyph, offset)
        _raise_if_damaged(part_glyph >= glyph_count)
        scale = next((length for flag, length in _SCALE_LENGTHS if flags & flag), 0)
        offset += _PART_HEADER_BYTES + (4 if flags & _WORD_OFFSETS_FLAG else 2) + scale
        part_count += 1
    return part_count
