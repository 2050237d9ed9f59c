"""Letters of a shipped font as SVG paths, since an SVG picture in a page cannot load a font."""

import struct
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, pairwise

from vaultkit import files, resources
from vaultkit.theme.custom_fonts import find_tables

_ON_CURVE, _REPEATED = 0x01, 0x08
_X_SHORT, _X_SAME, _Y_SHORT, _Y_SAME = 0x02, 0x10, 0x04, 0x20
_MORE_PARTS, _WORD_OFFSETS, _SCALED = 0x20, 0x01, 0x08
_Point = tuple[int, int, bool]
"""A point of an outline, and whether it lies on the curve; one that does not is a control point."""


class LetterOutlines:
    """The letters of one font: for each character its advance width and its SVG path, in font units, y upwards.

    The outlines of the shipped fonts take less than 128 KB.
    """

    def __init__(self, data: bytes) -> None:
        tables = find_tables(memoryview(data))
        self._glyphs, self._widths = tables[b"glyf"], tables[b"hmtx"]
        self.units_per_em: int = struct.unpack_from(">H", tables[b"head"], 18)[0]
        self._width_count: int = struct.unpack_from(">H", tables[b"hhea"], 34)[0]
        self._starts = [2 * start for (start,) in struct.iter_unpack(">H", tables[b"loca"])]
        self._glyph_numbers = dict(_glyph_numbers(tables[b"cmap"]))
        self._paths: dict[str, str] = {}

    def has(self, text: str) -> bool:
        """Return whether the font has every letter of `text`."""
        return self._glyph_numbers.keys() >= set(map(ord, text))

    def width(self, text: str, size: float) -> float:
        """Return the width of `text` at the font size `size`, in the unit of `size`."""
        return sum(map(self._advance, text)) * size / self.units_per_em

    def draw(self, text: str, x: float, y: float, size: float, fill: str) -> str:
        """Return an SVG group with `text` whose baseline begins at x, y; y counts downwards."""
        paths, offset = "", 0
        for letter in text:
            path = self.path(letter)
            paths += f"<path transform='translate({offset})' d='{path}'/>" if path else ""
            offset += self._advance(letter)
        scale = size / self.units_per_em
        return f"<g fill='{fill}' transform='translate({x:.1f} {y:.1f}) scale({scale:.4f} {-scale:.4f})'>{paths}</g>"

    def path(self, letter: str) -> str:
        """Return the SVG path of a letter in whole numbers relative to the last point, which keep it short."""
        if letter not in self._paths:
            contours = self._contours(self._glyph_numbers[ord(letter)])
            path, at = "", (0, 0)
            for contour in contours:
                part, at = _draw_contour(contour, at)
                path += part
            self._paths[letter] = path
        return self._paths[letter]

    def _advance(self, letter: str) -> int:
        number = min(self._glyph_numbers[ord(letter)], self._width_count - 1)
        width: int = struct.unpack_from(">H", self._widths, 4 * number)[0]
        return width

    def _contours(self, number: int) -> list[list[_Point]]:
        glyph = self._glyphs[self._starts[number] : self._starts[number + 1]]
        if not glyph:
            return []
        (contour_count,) = struct.unpack_from(">h", glyph)
        if contour_count >= 0:
            return _read_contours(glyph, contour_count)
        return [
            [(round(scale * x) + dx, round(scale * y) + dy, is_on) for x, y, is_on in contour]
            for part, dx, dy, scale in _read_parts(glyph)
            for contour in self._contours(part)
        ]


@cache
def letter_outlines(font: str) -> LetterOutlines:
    """Return the letters of one of the shipped fonts, by its name, such as `Cinzel-Bold`."""
    file = resources.shipped_folder("print") / "fonts" / f"{font}.ttf"
    return LetterOutlines(files.read(file, files.PICTURE_BYTES, allow_links=True))


def _glyph_numbers(table: memoryview) -> Iterator[tuple[int, int]]:
    """Yield the code and the glyph of each letter in a cmap table whose Unicode subtable has the format 4."""
    (count,) = struct.unpack_from(">H", table, 2)
    offsets = (struct.unpack_from(">L", table, 8 + 8 * index)[0] for index in range(count))
    start = next(offset for offset in offsets if struct.unpack_from(">H", table, offset)[0] == 4)
    double_count: int = struct.unpack_from(">H", table, start + 6)[0]
    fields = [start + 14 + index * double_count + 2 * (index > 0) for index in range(4)]
    for segment in range(0, double_count, 2):
        end, first, delta, shift = (struct.unpack_from(">H", table, field + segment)[0] for field in fields)
        for code in range(first, min(end, 0xFFFE) + 1):
            number = code
            if shift:
                (number,) = struct.unpack_from(">H", table, fields[3] + segment + shift + 2 * (code - first))
            yield code, (number + delta) % 0x10000


def _read_contours(glyph: memoryview, count: int) -> list[list[_Point]]:
    ends = struct.unpack_from(f">{count}H", glyph, 10)
    (skipped,) = struct.unpack_from(">H", glyph, 10 + 2 * count)
    offset, flags, total = 12 + 2 * count + skipped, list[int](), ends[-1] + 1 if ends else 0
    while len(flags) < total:
        flag = glyph[offset]
        repeats = glyph[offset + 1] if flag & _REPEATED else 0
        flags += [flag] * (1 + repeats)
        offset += 2 if flag & _REPEATED else 1
    xs, offset = _read_coordinates(glyph, offset, flags, _X_SHORT, _X_SAME)
    ys, _ = _read_coordinates(glyph, offset, flags, _Y_SHORT, _Y_SAME)
    points = [(x, y, bool(flag & _ON_CURVE)) for x, y, flag in zip(xs, ys, flags, strict=True)]
    return [points[start:end] for start, end in pairwise((0, *(end + 1 for end in ends)))]


def _read_coordinates(glyph: memoryview, offset: int, flags: list[int], short: int, same: int) -> tuple[list[int], int]:
    """Return all coordinates of one axis, and the offset after them."""
    steps = list[int]()
    for flag in flags:
        if flag & short:
            steps.append(glyph[offset] if flag & same else -glyph[offset])
            offset += 1
        elif flag & same:
            steps.append(0)
        else:
            steps.append(struct.unpack_from(">h", glyph, offset)[0])
            offset += 2
    return list(accumulate(steps)), offset


def _read_parts(glyph: memoryview) -> Iterator[tuple[int, int, int, float]]:
    """Yield the glyph of each part of a composed glyph, how far it is moved, and its scale; none is turned."""
    offset, flags = 10, _MORE_PARTS
    while flags & _MORE_PARTS:
        flags, part = struct.unpack_from(">HH", glyph, offset)
        is_word = flags & _WORD_OFFSETS
        dx, dy = struct.unpack_from(">hh" if is_word else ">bb", glyph, offset + 4)
        offset += 8 if is_word else 6
        scale = struct.unpack_from(">h", glyph, offset)[0] / 0x4000 if flags & _SCALED else 1.0
        offset += 2 if flags & _SCALED else 0
        yield part, dx, dy, scale


def _draw_contour(points: list[_Point], at: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    """Return the path of a closed outline relative to `at`, and its first point."""
    first = next(index for index, point in enumerate(points) if point[2])
    points = [*points[first + 1 :], *points[: first + 1]]
    start = points[-1][:2]
    path, at, controls = f"m{_relative([start], at)}", start, list[tuple[int, int]]()
    for index, (x, y, is_on) in enumerate(points):
        if not is_on:
            controls.append((x, y))
        elif controls:
            joints = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(controls)]
            for control, joint in zip(controls, [*joints, (x, y)], strict=True):
                end = round(joint[0]), round(joint[1])
                path, at = f"{path}q{_relative([control, end], at)}", end
            controls = []
        elif index < len(points) - 1:
            path, at = f"{path}l{_relative([(x, y)], at)}", (x, y)
    return f"{path}z", start


def _relative(points: list[tuple[int, int]], at: tuple[int, int]) -> str:
    numbers = (str(number) for x, y in points for number in (x - at[0], y - at[1]))
    return "".join(number if number.startswith("-") else f" {number}" for number in numbers).strip()
