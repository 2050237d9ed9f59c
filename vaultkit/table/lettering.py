"""Words as the outlines of their letters, from the fonts of print: a picture in a page cannot load a font by itself."""

import struct
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from vaultkit import files, resources

_CURVE, _SHORT, _SAME, _REPEAT = 0x01, (0x02, 0x04), (0x10, 0x20), 0x08
_WORDS, _PLACED, _MORE, _SCALES = 0x01, 0x02, 0x20, ((0x08, 2), (0x40, 4), (0x80, 8))
_Point = tuple[float, float, bool]
_Contour = list[_Point]


class Lettering:
    """One of our own fonts: TrueType files without surprises."""

    def __init__(self, name: str) -> None:
        data = files.read(resources.shipped("print") / "fonts" / f"{name}.ttf", files.PICTURE, links=True)
        self._tables = {}
        for number in range(_of(data, 4)):
            tag, _, start, length = struct.unpack_from(">4sLLL", data, 12 + 16 * number)
            self._tables[tag] = data[start : start + length]
        self.unit = _of(self._tables[b"head"], 18)
        self._letters = dict(_letters(self._tables[b"cmap"]))
        count, long = _of(self._tables[b"maxp"], 4), _of(self._tables[b"head"], 50)
        self._places = struct.unpack_from(f">{count + 1}{'L' if long else 'H'}", self._tables[b"loca"])
        self._times = 1 if long else 2

    def has(self, text: str) -> bool:
        """Whether there is a shape for every letter."""
        return all(ord(letter) in self._letters for letter in text)

    def width(self, text: str, size: float) -> float:
        """How wide words are."""
        return sum(self._step(self._letters[ord(letter)]) for letter in text) * size / self.unit

    def path(self, text: str, x: float, y: float, size: float) -> str:
        """The path of words whose line begins at x, y; y counts downwards."""
        scale, found = size / self.unit, ""
        for letter in text:
            glyph = self._letters[ord(letter)]
            found += "".join(_drawn(contour, x, y, scale) for contour in self._contours(glyph))
            x += self._step(glyph) * scale
        return found

    def _step(self, glyph: int) -> int:
        last = _of(self._tables[b"hhea"], 34) - 1
        return _of(self._tables[b"hmtx"], 4 * min(glyph, last))

    def _contours(self, glyph: int) -> list[_Contour]:
        start, end = (place * self._times for place in self._places[glyph : glyph + 2])
        data = self._tables[b"glyf"][start:end]
        if not data:
            return []
        count = struct.unpack_from(">h", data)[0]
        return _simple(data, count) if count >= 0 else list(self._composed(data))

    def _composed(self, data: bytes) -> Iterator[_Contour]:
        """The contours of a letter that is made of others, such as one with an accent."""
        place, flags = 10, _MORE
        while flags & _MORE:
            flags, glyph = struct.unpack_from(">HH", data, place)
            wide = bool(flags & _WORDS)
            dx, dy = struct.unpack_from(">hh" if wide else ">bb", data, place + 4) if flags & _PLACED else (0, 0)
            for contour in self._contours(glyph):
                yield [(x + dx, y + dy, on) for x, y, on in contour]
            place += (8 if wide else 6) + next((length for flag, length in _SCALES if flags & flag), 0)


@lru_cache(maxsize=4)
def lettering(name: str) -> Lettering:
    """One of our own fonts by the name of its file."""
    return Lettering(name)


def _of(table: bytes, place: int) -> int:
    found: int = struct.unpack_from(">H", table, place)[0]
    return found


def _letters(table: bytes) -> Iterator[tuple[int, int]]:
    """The glyph of each letter, of the table for the letters of two bytes that every font has."""
    places = [struct.unpack_from(">L", table, 8 + 8 * number)[0] for number in range(_of(table, 2))]
    start = next(place for place in places if _of(table, place) == 4)
    count = _of(table, start + 6) // 2
    columns = [start + 14, *(start + 16 + 2 * count * number for number in (1, 2, 3))]
    ends, begins, steps, offsets = (struct.unpack_from(f">{count}H", table, column) for column in columns)
    for number in range(count):
        for letter in range(begins[number], ends[number] + 1):
            at = columns[3] + 2 * number + offsets[number] + 2 * (letter - begins[number])
            glyph = _of(table, at) if offsets[number] else letter
            if letter < 0xFFFF and glyph:
                yield letter, (glyph + steps[number]) % 0x10000


def _simple(data: bytes, count: int) -> list[_Contour]:
    ends = struct.unpack_from(f">{count}H", data, 10)
    place = 12 + 2 * count + _of(data, 10 + 2 * count)
    flags: list[int] = []
    while len(flags) <= ends[-1]:
        flag, place = data[place], place + 1
        times = 1
        if flag & _REPEAT:
            times, place = data[place] + 1, place + 1
        flags += [flag] * times
    columns = []
    for short, same in zip(_SHORT, _SAME, strict=True):
        value, column = 0, []
        for flag in flags:
            if flag & short:
                value, place = value + (data[place] if flag & same else -data[place]), place + 1
            elif not flag & same:
                value, place = value + struct.unpack_from(">h", data, place)[0], place + 2
            column.append(value)
        columns.append(column)
    points = [(x, y, bool(flag & _CURVE)) for x, y, flag in zip(*columns, flags, strict=True)]
    return [points[start:end] for start, end in pairwise((0, *(end + 1 for end in ends)))]


def _drawn(contour: _Contour, x: float, y: float, scale: float) -> str:
    """A contour as a path. Between two points off the curve one lies on it, in their middle."""
    if not contour:
        return ""
    whole: _Contour = []
    for one, after in pairwise([*contour, contour[0]]):
        whole.append(one)
        if not one[2] and not after[2]:
            whole.append(((one[0] + after[0]) / 2, (one[1] + after[1]) / 2, True))
    first = next(number for number, point in enumerate(whole) if point[2])
    whole = [*whole[first:], *whole[: first + 1]]
    written, control = [], ""
    for number, (px, py, on) in enumerate(whole):
        place = f"{round(x + px * scale)} {round(y - py * scale)}"
        if not on:
            control = f"{place} "
            continue
        written.append(f"{'Q' if control else 'L' if number else 'M'}{control}{place}")
        control = ""
    return "".join(written) + "Z"
