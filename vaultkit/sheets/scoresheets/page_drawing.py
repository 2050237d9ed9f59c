"""Drawings of other programs in the page of a score sheet: ink, text and pictures that were flattened.

All that vaultkit draws is marked content, for screen readers; what other programs add behind it is not.
"""

import warnings
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pikepdf
from msgspec import Struct
from msgspec.structs import replace
from pikepdf.models import PdfParsingError

Rect = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Point = tuple[float, float]
_MAX_STEPS = 200_000
"""Operators of one page, forms within it included; no more are looked at."""
_MAX_DEPTH = 8
_LETTER_WIDTH, _LETTER_HEIGHT = 0.5, 0.7
"""The size of a letter, in sizes of its font."""
_UNIT = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class Drawing(Struct, frozen=True):
    """Something drawn: areas and lines, in points of the page; `name` says what it is, such as `a stamp`."""

    name: str
    rects: tuple[Rect, ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()

    def touches(self, box: Rect) -> bool:
        """Return whether an area or a line reaches into `box`."""
        left, bottom, right, top = box
        if any(rect[0] < right and rect[2] > left and rect[1] < top and rect[3] > bottom for rect in self.rects):
            return True
        return any(_crosses(*ends, box) for line in self.lines for ends in pairwise(line))


def _crosses(start: Point, end: Point, box: Rect) -> bool:
    """Return whether a line from `start` to `end` has a point in `box` (Liang and Barsky)."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        step = end[axis] - start[axis]
        for bound, sign in ((box[axis], -1), (box[axis + 2], 1)):
            room = sign * (bound - start[axis])
            if sign * step == 0:
                if room < 0:
                    return False
            elif sign * step > 0:
                last = min(last, room / (sign * step))
            else:
                first = max(first, room / (sign * step))
    return first <= last


def numbers(value: Any) -> list[float]:
    """Return the numbers of an array of the file; none for anything else."""
    if not isinstance(value, pikepdf.Array) and not isinstance(value, list | tuple):
        return []
    try:
        return [float(element) for element in value]
    except (TypeError, ValueError):
        return []


def corners(value: Any) -> Rect:
    """Return a rectangle of the file, whose corners may come in any order."""
    x, y, other_x, other_y = numbers(value)
    return min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y)


def steps_of(source: Any) -> Iterable[Any]:
    """Return the operators of a page's content or a form; none of what cannot be read, which viewers do not show."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            return pikepdf.parse_content_stream(source)
        except (pikepdf.PdfError, PdfParsingError):
            return ()


def foreign_drawings(page: pikepdf.Page) -> list[Drawing]:
    """Return the drawings that others added to `page` after and outside of our own, marked content."""
    walk = _DrawingFinder()
    contents = page.obj.get("/Contents")
    streams = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    for stream in streams:
        if not isinstance(stream, pikepdf.Stream):
            continue
        walk.is_added = walk.is_ours_seen  # ours is one stream
        walk.run(stream, page.resources)
    return walk.drawings


class _State(Struct, frozen=True):
    """The graphics state, as far as it moves what is drawn."""

    matrix: pikepdf.Matrix = pikepdf.Matrix()
    size: float = 1.0
    wide: bool = False
    visible: bool = True
    leading: float = 0.0


class _DrawingFinder:
    """Follows the operators of a page, and notes what is drawn outside of marked content."""

    def __init__(self) -> None:
        self.drawings: list[Drawing] = []
        self.state, self.stack = _State(), list[_State]()
        self.marks, self.steps = 0, 0
        self.is_ours_seen = self.is_added = False
        self.line = self.text = pikepdf.Matrix()
        self.path, self.areas = list[list[Point]](), list[Rect]()

    @property
    def is_foreign(self) -> bool:
        return self.is_ours_seen and (self.is_added or not self.marks)

    def run(self, source: Any, resources: Any, depth: int = 0) -> None:
        for step in steps_of(source):
            self.steps += 1
            if self.steps > _MAX_STEPS:
                return
            with suppress(TypeError, ValueError, IndexError):  # viewers pass over what makes no sense, too
                if isinstance(step, pikepdf.ContentStreamInlineImage):
                    self.image("a picture")
                else:
                    self.step(str(step.operator), list(step.operands), resources, depth)

    def step(self, operator: str, values: list[Any], resources: Any, depth: int) -> None:
        if operator in ("BDC", "BMC"):
            self.marks += 1
            self.is_ours_seen = self.is_ours_seen or depth == 0
        elif operator == "EMC":
            self.marks = max(0, self.marks - 1)
        elif operator == "q":
            self.stack.append(self.state)
        elif operator == "Q":
            self.state = self.stack.pop() if self.stack else self.state
        elif operator == "cm":
            self.state = replace(self.state, matrix=pikepdf.Matrix(*map(float, values)) @ self.state.matrix)
        elif operator == "Do":
            self.paint(resources.get("/XObject", pikepdf.Dictionary()).get(str(values[0])), resources, depth)
        elif operator in _TEXT:
            self.write(operator, values, resources)
        else:
            self.draw(operator, [*map(float, values)] if operator in _PATH else [])

    def paint(self, painted: Any, resources: Any, depth: int) -> None:
        """Follow a form, or note a picture."""
        if not isinstance(painted, pikepdf.Stream):
            return
        if painted.get("/Subtype") == pikepdf.Name.Image:
            self.image("a picture")
        elif self.is_foreign and depth < _MAX_DEPTH:
            before, stack, marks = self.state, self.stack, self.marks
            matrix = numbers(painted.get("/Matrix"))
            inner = pikepdf.Matrix(*matrix) if len(matrix) == 6 else pikepdf.Matrix()
            self.state, self.stack, self.marks = replace(before, matrix=inner @ before.matrix), [], 0
            self.run(painted, painted.get("/Resources", resources), depth + 1)
            self.state, self.stack, self.marks = before, stack, marks

    def image(self, name: str) -> None:
        self.note(Drawing(name, rects=(_bounds(self.state.matrix.transform(point) for point in _UNIT),)))

    def note(self, drawing: Drawing) -> None:
        if self.is_foreign:
            self.drawings.append(drawing)

    def draw(self, operator: str, at: list[float]) -> None:
        points = [self.state.matrix.transform(point) for point in zip(at[::2], at[1::2], strict=False)]
        if operator == "m":
            self.path.append(points)
        elif operator == "re" and len(at) == 4:
            x, y, width, height = at
            ends = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
            self.path.append([self.state.matrix.transform(end) for end in ends])
            self.areas.append(_bounds(self.path[-1]))
        elif operator in _PATH and self.path:
            self.path[-1] += points
        elif operator == "h" and self.path and self.path[-1]:
            self.path[-1].append(self.path[-1][0])
        elif operator in _PAINTING:
            areas = tuple(self.areas) if operator in _FILLING else ()
            self.note(Drawing("a drawing", areas, tuple(tuple(line) for line in self.path if len(line) > 1)))
            self.path, self.areas = [], []
        elif operator == "n":
            self.path, self.areas = [], []

    def write(self, operator: str, values: list[Any], resources: Any) -> None:
        """Follow an operator of text; lines that are shown are noted, about as long as they are."""
        if operator == "BT":
            self.line = self.text = pikepdf.Matrix()
        elif operator == "Tm":
            self.line = self.text = pikepdf.Matrix(*map(float, values))
        elif operator == "TL":
            self.state = replace(self.state, leading=float(values[0]))
        elif operator == "Tr":
            self.state = replace(self.state, visible=int(values[0]) != 3)
        elif operator == "Tf":
            font = resources.get("/Font", pikepdf.Dictionary()).get(str(values[0]), pikepdf.Dictionary())
            wide = font.get("/Subtype") == pikepdf.Name.Type0
            self.state = replace(self.state, size=float(values[1]), wide=wide)
        elif operator in ("Td", "TD"):
            self.move(*map(float, values))
        else:
            if operator in ("T*", "'", '"'):
                self.move(0, -self.state.leading)
            self.show(values[-1] if values else None)

    def move(self, x: float, y: float) -> None:
        self.line = self.text = pikepdf.Matrix(1, 0, 0, 1, x, y) @ self.line

    def show(self, operand: Any) -> None:
        parts = list(operand) if isinstance(operand, pikepdf.Array) else [operand]
        texts = [bytes(part) for part in parts if isinstance(part, pikepdf.String)]
        letters = sum(map(len, texts)) / (2 if self.state.wide else 1)
        if not letters:
            return
        width, height = letters * _LETTER_WIDTH * self.state.size, _LETTER_HEIGHT * self.state.size
        place = self.text @ self.state.matrix
        ends = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        if self.state.visible and any(text.strip(b"\0 ") for text in texts):
            self.note(Drawing("text", rects=(_bounds(map(place.transform, ends)),)))
        self.text = pikepdf.Matrix(1, 0, 0, 1, width, 0) @ self.text


_TEXT = frozenset(("BT", "Tm", "TL", "Tr", "Tf", "Td", "TD", "T*", "'", '"', "Tj", "TJ"))
_PATH = frozenset(("m", "l", "c", "v", "y", "re"))
_FILLING = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_PAINTING = _FILLING | {"S", "s"}


def _bounds(points: Iterable[Point]) -> Rect:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)
