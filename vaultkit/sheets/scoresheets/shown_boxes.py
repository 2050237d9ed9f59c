"""The widgets of a filled score sheet that its pages show, and the drawings that cover them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pikepdf
from msgspec import Struct

from vaultkit.sheets.scoresheets.page_drawing import Drawing, Rect, corners, foreign_drawings, numbers

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


class ShownWidget(Struct, frozen=True):
    """A widget on a page, counted from 1; `cover` is what lies over it, "" for nothing."""

    page: int
    cover: str = ""


def shown_widgets(pdf: pikepdf.Pdf) -> Mapping[tuple[int, int], ShownWidget]:
    """Return the visible widgets of a form by the numbers of their objects.

    Left out are those of pages that were deleted, which stay in the form, and those that are hidden or cut away.
    """
    hidden = _hidden_layers(pdf)
    visible_widgets: dict[tuple[int, int], ShownWidget] = {}
    for number, page in enumerate(pdf.pages, 1):
        annotations = [item for item in page.obj.get("/Annots", []) if _is_seen(item, hidden, corners(page.cropbox))]
        covers = [*_covers(annotations), *foreign_drawings(page)]
        for widget in (item for item in annotations if _is_box(item)):
            left, bottom, right, top = corners(widget.Rect)
            inner = (left + _EDGE_MARGIN_PT, bottom + _EDGE_MARGIN_PT, right - _EDGE_MARGIN_PT, top - _EDGE_MARGIN_PT)
            cover = next((item.name for item in covers if item.touches(inner)), "")
            if cover or widget.objgen not in visible_widgets:
                visible_widgets[widget.objgen] = ShownWidget(number, cover)
    return visible_widgets


def _is_seen(annotation: Any, hidden: frozenset[tuple[int, int]], crop: Rect) -> bool:
    if not isinstance(annotation, pikepdf.Dictionary) or int(annotation.get("/F", 0)) & _HIDDEN_FLAGS:
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


def _covers(annotations: Iterable[Any]) -> Iterator[Drawing]:
    for annotation in annotations:
        kind = str(annotation.get("/Subtype", ""))
        if kind in _NO_COVER or _is_box(annotation) or float(annotation.get("/CA", 1)) == 0:
            continue
        lines = [line for line in _lines(annotation, kind) if len(line) > 1]
        name = _NAMES.get(kind, "an annotation")
        yield Drawing(name, lines=tuple(lines)) if lines else Drawing(name, rects=tuple(_rects(annotation)))


def _lines(annotation: Any, kind: str) -> Iterator[tuple[tuple[float, float], ...]]:
    """Yield the strokes of ink and the lines of a drawing, which may reach over much that they do not touch."""
    if kind == "/Ink":
        yield from (_points(numbers(stroke)) for stroke in annotation.get("/InkList", []))
    elif kind == "/Line":
        yield _points(numbers(annotation.get("/L")))
    elif kind == "/PolyLine":
        yield _points(numbers(annotation.get("/Vertices")))


def _points(flat: list[float]) -> tuple[tuple[float, float], ...]:
    points = tuple(zip(flat[::2], flat[1::2], strict=False))
    return points * 2 if len(points) == 1 else points  # a dot


def _rects(annotation: Any) -> Iterator[Rect]:
    """Yield the marked lines of a highlight, or the whole of another annotation."""
    quads = numbers(annotation.get("/QuadPoints"))
    if not quads or len(quads) % 8:
        yield corners(annotation.Rect)
        return
    for start in range(0, len(quads), 8):
        xs, ys = quads[start : start + 8 : 2], quads[start + 1 : start + 8 : 2]
        yield min(xs), min(ys), max(xs), max(ys)
