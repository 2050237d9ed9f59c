"""Drawings of other programs in the page of a score sheet: ink, text and pictures that were flattened.

All that vaultkit draws is marked content, for screen readers; what other programs add behind it is not.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pikepdf
from msgspec import Struct
from msgspec.structs import replace
from pikepdf.models import PdfParsingError

from vaultkit.budget import Budget, Limit
from vaultkit.sheets.filled_sheets.pdf_opening import FILL_AGAIN

Rect = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Point = tuple[float, float]
_MAX_STEPS = Limit("The drawings of this PDF take", 250_000, "steps", FILL_AGAIN)
_MAX_STREAM = Limit("A page of this PDF has", 1_000_000, "bytes of drawings", FILL_AGAIN)
_MAX_DRAWINGS = Limit("The pages of this PDF have", 8_000_000, "bytes of drawings", FILL_AGAIN)
_MAX_POINTS = Limit("The drawings of this PDF have", 300_000, "points", FILL_AGAIN)
_MAX_COMPARISONS = Limit("The drawings of this PDF need", 1_500_000, "comparisons with boxes", FILL_AGAIN)
_MAX_DEPTH = 8
_LETTER_WIDTH, _LETTER_HEIGHT = 0.5, 0.7
"""The size of a letter, in sizes of its font."""
_HIDDEN_FLAGS = 1 << 1 | 1 << 5
"""The flags of an annotation that no screen shows: Hidden and NoView."""
_PUSH_BUTTON_FLAG = 1 << 16
_NO_COVER = frozenset(("/Link", "/Popup", "/PrinterMark", "/TrapNet"))
_NAMES = {
    **{"/Ink": "ink", "/Stamp": "a stamp", "/FreeText": "text", "/Text": "a comment", "/Redact": "a redaction"},
    **{"/Line": "a line", "/PolyLine": "a line", "/Square": "a shape", "/Circle": "a shape", "/Polygon": "a shape"},
    **dict.fromkeys(("/Highlight", "/Underline", "/Squiggly", "/StrikeOut"), "a highlight or a line"),
    "/Widget": "a signature or a button",
}
_EDGE_MARGIN_PT = 1.5
"""Points at the edge of a box that do not count: a stroke there is the neighbour's, or the border."""


class Drawing(Struct, frozen=True):
    """Something drawn: areas and lines, in points of the page; `name` says what it is, such as `a stamp`."""

    name: str
    rects: tuple[Rect, ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()

    @property
    def parts(self) -> Iterator[tuple[Rect, tuple[Point, ...]]]:
        """Each area and line: its bounds, and the points of a line."""
        yield from ((rect, ()) for rect in self.rects)
        yield from ((_bounds(line), line) for line in self.lines)


def _find_covers(boxes: Iterable[Rect], drawings: Iterable[Drawing], budget: Budget) -> list[str]:
    """Return the name of the first drawing that reaches into each box, "" for none. Raises BudgetExceeded."""
    open_boxes = list(enumerate(boxes))
    covers = [""] * len(open_boxes)
    for drawing in drawings:
        for bounds, line in drawing.parts:
            budget.spend(len(open_boxes))
            near = [item for item in open_boxes if _overlaps(bounds, item[1])]
            if line:
                budget.spend(len(near) * len(line))
                near = [item for item in near if any(_crosses(*ends, item[1]) for ends in pairwise(line))]
            for item in near:
                covers[item[0]] = drawing.name
                open_boxes.remove(item)
    return covers


def _overlaps(rect: Rect, box: Rect) -> bool:
    """Return whether two rectangles overlap or have an edge in common."""
    return rect[0] <= box[2] and rect[2] >= box[0] and rect[1] <= box[3] and rect[3] >= box[1]


def _crosses(start: Point, end: Point, box: Rect) -> bool:
    """Return whether a line from `start` to `end` has a point in `box`.

    It has none if its bounds do not overlap the box, or if all corners of the box are on one side of it.
    """
    (x, y), (end_x, end_y), (left, bottom, right, top) = start, end, box
    if (x < left and end_x < left) or (x > right and end_x > right):
        return False
    if (y < bottom and end_y < bottom) or (y > top and end_y > top):
        return False
    across, up = end_x - x, end_y - y
    sides = [up * (corner_x - x) - across * (corner_y - y) for corner_x in (left, right) for corner_y in (bottom, top)]
    return min(sides) <= 0 <= max(sides)


def numbers(value: Any) -> list[float]:
    """Return the numbers of an array of the file; none for anything else."""
    with suppress(TypeError, ValueError):
        return [float(element) for element in value] if isinstance(value, pikepdf.Array | list) else []
    return []


def corners(value: Any) -> Rect:
    """Return a rectangle of the file, whose corners may come in any order."""
    x, y, other_x, other_y = numbers(value)
    return min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y)


class DrawingBudget:
    """The cost of the drawings of one PDF: bytes, and steps, which are operators with their operands."""

    def __init__(self) -> None:
        self.bytes, self.steps = Budget(_MAX_DRAWINGS), Budget(_MAX_STEPS)


def steps_of(source: Any, budget: DrawingBudget) -> Sequence[Any]:
    """Return the operators of a page's content or a form; none of what cannot be read, which viewers do not show.

    Raises BudgetExceeded if they are too long, or exceed the `budget` of the PDF.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            length = len(source.read_bytes())
            _MAX_STREAM.check(length)
            budget.bytes.spend(length)
            steps = pikepdf.parse_content_stream(source)
            budget.steps.spend(len(steps))
            return steps
        except (pikepdf.PdfError, PdfParsingError):
            budget.bytes.spend(_MAX_STREAM.maximum)  # it may have unpacked to as much before it failed
            return ()


def foreign_drawings(page: pikepdf.Page, budget: DrawingBudget) -> list[Drawing]:
    """Return the drawings that others added to `page` after and outside of our own, marked content."""
    walk = _DrawingFinder(budget)
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

    def __init__(self, budget: DrawingBudget) -> None:
        self.budget, self.drawings = budget, list[Drawing]()
        self.state, self.stack = _State(), list[_State]()
        self.marks = 0
        self.is_ours_seen = self.is_added = False
        self.line = self.text = pikepdf.Matrix()
        self.path, self.areas = list[list[Point]](), list[Rect]()

    @property
    def is_foreign(self) -> bool:
        return self.is_ours_seen and (self.is_added or not self.marks)

    def run(self, source: Any, resources: Any, depth: int = 0) -> None:
        for step in steps_of(source, self.budget):
            with suppress(TypeError, ValueError, IndexError):  # viewers pass over what makes no sense, too
                if isinstance(step, pikepdf.ContentStreamInlineImage):
                    self.note_area("a picture", self.state.matrix)
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
            self.note_area("a picture", self.state.matrix)
        elif self.is_foreign and depth < _MAX_DEPTH:
            before, stack, marks = self.state, self.stack, self.marks
            matrix = numbers(painted.get("/Matrix"))
            inner = pikepdf.Matrix(*matrix) if len(matrix) == 6 else pikepdf.Matrix()
            self.state, self.stack, self.marks = replace(before, matrix=inner @ before.matrix), [], 0
            self.run(painted, painted.get("/Resources", resources), depth + 1)
            self.state, self.stack, self.marks = before, stack, marks

    def note(self, drawing: Drawing) -> None:
        if self.is_foreign:
            self.drawings.append(drawing)

    def note_area(self, name: str, matrix: pikepdf.Matrix, width: float = 1.0, height: float = 1.0) -> None:
        area = matrix.transform(pikepdf.Rectangle(0, 0, width, height))
        self.note(Drawing(name, rects=((area.llx, area.lly, area.urx, area.ury),)))

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
            lines = tuple(tuple(line) for line in self.path if len(line) > 1)
            if areas or lines:
                self.note(Drawing("a drawing", areas, lines))
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
        width = letters * _LETTER_WIDTH * self.state.size
        if self.state.visible and any(text.strip(b"\0 ") for text in texts):
            self.note_area("text", self.text @ self.state.matrix, width, _LETTER_HEIGHT * self.state.size)
        self.text = pikepdf.Matrix(1, 0, 0, 1, width, 0) @ self.text


_TEXT = frozenset(("BT", "Tm", "TL", "Tr", "Tf", "Td", "TD", "T*", "'", '"', "Tj", "TJ"))
_PATH = frozenset(("m", "l", "c", "v", "y", "re"))
_FILLING = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_PAINTING = _FILLING | {"S", "s"}


def _bounds(points: Iterable[Point]) -> Rect:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


class ShownWidget(Struct, frozen=True):
    """A widget on a page, counted from 1; `cover` is what lies over it, "" for nothing."""

    page: int
    cover: str = ""


def shown_widgets(pdf: pikepdf.Pdf) -> Mapping[tuple[int, int], ShownWidget]:
    """Return the visible widgets of a form by the numbers of their objects.

    Left out are those of pages that were deleted, which stay in the form, and those that are hidden or cut away.
    """
    hidden, budget, comparisons = _hidden_layers(pdf), DrawingBudget(), Budget(_MAX_COMPARISONS)
    points = Budget(_MAX_POINTS)
    visible_widgets: dict[tuple[int, int], ShownWidget] = {}
    for number, page in enumerate(pdf.pages, 1):
        annotations = [item for item in annotations_of(page) if _is_seen(item, hidden, corners(page.cropbox))]
        covers = [*_covers(annotations, points), *foreign_drawings(page, budget)]
        widgets = [item for item in annotations if _is_box(item)]
        boxes = [_without_edge(corners(widget.Rect)) for widget in widgets]
        for widget, cover in zip(widgets, _find_covers(boxes, covers, comparisons), strict=True):
            if cover or widget.objgen not in visible_widgets:
                visible_widgets[widget.objgen] = ShownWidget(number, cover)
    return visible_widgets


def _without_edge(box: Rect) -> Rect:
    left, bottom, right, top = box
    return left + _EDGE_MARGIN_PT, bottom + _EDGE_MARGIN_PT, right - _EDGE_MARGIN_PT, top - _EDGE_MARGIN_PT


def annotations_of(page: pikepdf.Page) -> list[pikepdf.Dictionary]:
    """Return the annotations of a page; some programs delete one, and leave its place in the list."""
    return [item for item in page.obj.get("/Annots", []) if isinstance(item, pikepdf.Dictionary)]


def _is_seen(annotation: Any, hidden: frozenset[tuple[int, int]], crop: Rect) -> bool:
    if int(annotation.get("/F", 0)) & _HIDDEN_FLAGS:
        return False
    if len(box := numbers(annotation.get("/Rect"))) != 4 or _is_off(annotation.get("/OC"), hidden):
        return False
    left, bottom, right, top = corners(box)
    return left < crop[2] and right > crop[0] and bottom < crop[3] and top > crop[1] and left < right and bottom < top


def _is_box(annotation: Any) -> bool:
    """Return whether an annotation is a box to fill in: no signature, and no button that only shows a picture."""
    if annotation.get("/Subtype") != pikepdf.Name.Widget:
        return False
    kind, flags = _inherited_value(annotation, "/FT"), int(_inherited_value(annotation, "/Ff") or 0)
    return kind != pikepdf.Name.Sig and not (kind == pikepdf.Name.Btn and flags & _PUSH_BUTTON_FLAG)


def _inherited_value(field: Any, key: str) -> Any:
    for _ in range(20):
        if field is None or key in field:
            break
        field = field.get("/Parent")
    return None if field is None else field.get(key)


def _hidden_layers(pdf: pikepdf.Pdf) -> frozenset[tuple[int, int]]:
    default_config = pdf.Root.get("/OCProperties", pikepdf.Dictionary()).get("/D", pikepdf.Dictionary())
    if default_config.get("/BaseState") == pikepdf.Name.OFF:
        layers: Any = pdf.Root.OCProperties.get("/OCGs", [])
        on = {layer.objgen for layer in default_config.get("/ON", [])}
        return frozenset(layer.objgen for layer in layers if layer.objgen not in on)
    return frozenset(layer.objgen for layer in default_config.get("/OFF", []))


def _is_off(layer: Any, hidden: frozenset[tuple[int, int]]) -> bool:
    """Return whether a layer, or all layers that a condition names, are hidden."""
    if layer is None:
        return False
    groups = layer.get("/OCGs") if "/OCGs" in layer else layer
    members = list(groups) if isinstance(groups, pikepdf.Array) else [groups]
    return bool(members) and all(member is not None and member.objgen in hidden for member in members)


def _covers(annotations: Iterable[Any], budget: Budget) -> Iterator[Drawing]:
    """Yield annotations as drawings: strokes of ink and lines may reach over much that they do not touch."""
    for annotation in annotations:
        kind = str(annotation.get("/Subtype", ""))
        if kind in _NO_COVER or _is_box(annotation) or float(annotation.get("/CA", 1)) == 0:
            continue
        key = {"/Line": "/L", "/PolyLine": "/Vertices"}.get(kind, "")
        strokes = annotation.get("/InkList", []) if kind == "/Ink" else [annotation.get(key)] if key else []
        lines = [_points(stroke, budget) for stroke in strokes]
        quads = _points(annotation.get("/QuadPoints"), budget)
        quad_areas = [_bounds(quads[start : start + 4]) for start in range(0, len(quads), 4)]
        areas = quad_areas if quads and len(quads) % 4 == 0 else [corners(annotation.Rect)]
        name = _NAMES.get(kind, "an annotation")
        yield Drawing(name, lines=tuple(lines)) if any(lines) else Drawing(name, rects=tuple(areas))


def _points(value: Any, budget: Budget) -> tuple[Point, ...]:
    """Return the points of an array; a single one twice, as a dot. Raises BudgetExceeded."""
    budget.spend(len(value) // 2 if isinstance(value, pikepdf.Array) else 0)
    flat = numbers(value)
    points = tuple(zip(flat[::2], flat[1::2], strict=False))
    return points * 2 if len(points) == 1 else points
