"""The table of what svglib draws in SVG drawings as browsers do; any other drawing becomes pixels."""

import re
from xml.etree.ElementTree import Element

from vaultkit.theme.svg.svg_drawing import SvgDrawing
from vaultkit.theme.svg.svg_styles import Style, has_line

_MAX_STEP_COUNT = 20_000
"""The most elements and steps of paths that are drawn as vectors; more of them are printed faster as pixels."""
_POSITIVE = r"(?:\d{1,6}(?:\.\d*)?|\.\d+)(?![\d.])"
_NUMBER = rf"[-+]?{_POSITIVE}"
_ITEM = rf"[\s,]*{_NUMBER}"
_NOT_ZERO = r"(?=.*[1-9])"
_SIZE, _PLACE = rf"{_NOT_ZERO}{_POSITIVE}(?:px)?", rf"(?:{_NUMBER}(?:px)?)?"
_TEXT_PLACE = rf"(?:{_NUMBER}(?:px|em)?)?"
_POINTS = rf"\s*{_NUMBER}[\s,]+{_NUMBER}(?:[\s,]+{_NUMBER}[\s,]+{_NUMBER})+[\s,]*"
_COLOUR = r"none|currentcolor|#[\da-f]{6}"
_SHARE = r"[01](?:\.0*)?|0?\.\d+"
_NO_LENGTH = r"normal|baseline|0(?:\.0*)?(?:px|em)?"
_TRANSFORM = (
    rf"(?:translate|scale)\s*\((?:{_ITEM}){{1,2}}\s*\)|rotate\s*\({_ITEM}(?:{_ITEM}{_ITEM})?\s*\)"
    rf"|matrix\s*\((?:{_ITEM}){{6}}\s*\)"
)
_PARENTS, _TEXTS = {"svg", "g", "a", "switch", "foreignObject"}, {"text", "tspan"}
_SHAPES: dict[str, dict[str, str]] = {
    "path": {}, "polygon": {"points": _POINTS}, "polyline": {"points": _POINTS},
    "rect": {"width": _SIZE, "height": _SIZE, **dict.fromkeys(("x", "y", "rx", "ry"), _PLACE)},
    "circle": {"r": _SIZE, "cx": _PLACE, "cy": _PLACE}, "line": dict.fromkeys(("x1", "y1", "x2", "y2"), _PLACE),
    "ellipse": {"rx": _SIZE, "ry": _SIZE, "cx": _PLACE, "cy": _PLACE},
}  # fmt: skip
"""The shapes that svglib draws, each with the values of its attributes."""
_UNSEEN = {"title", "desc", "style", "linearGradient", "radialGradient", "filter", "view"}
_PIXEL_ATTRIBUTES = {"textLength", "rotate", "pathLength", "requiredFeatures", "space", "systemLanguage"}
_VALUES = {
    "fill": _COLOUR, "stroke": _COLOUR, "stroke-width": rf"{_POSITIVE}(?:px)?", "fill-rule": "nonzero|evenodd",
    "stroke-linecap": "butt|round|square", "stroke-linejoin": "miter|round|bevel", "stroke-miterlimit": _POSITIVE,
    "stroke-dasharray": rf"none|{_NOT_ZERO}{_POSITIVE}(?:[\s,]*{_POSITIVE})*", "stroke-dashoffset": _NO_LENGTH,
    "text-anchor": "start|middle|end", "paint-order": "normal|fill.*", "white-space": "normal|nowrap",
    "direction": "ltr", "isolation": "auto", "mix-blend-mode": "normal", "writing-mode": "(?:lr|horizontal).*",
    "transform": rf"none|(?:(?:{_TRANSFORM})[\s,]*)+", "transform-origin": "0(?: 0)?",
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity"), _SHARE),
    **dict.fromkeys(("letter-spacing", "word-spacing", "baseline-shift"), _NO_LENGTH),
    **dict.fromkeys(("dominant-baseline", "alignment-baseline"), "auto|alphabetic|baseline"),
    **dict.fromkeys(("marker-start", "marker-mid", "marker-end", "filter", "mask", "clip-path"), "none"),
    **dict.fromkeys(("text-transform", "text-decoration", "text-decoration-line", "vector-effect"), "none"),
}  # fmt: skip
"""The values of properties that svglib draws, for those of which it does not draw each value."""
_PATTERNS = {
    pattern: re.compile(pattern, re.IGNORECASE)
    for pattern in {*_VALUES.values(), *(pattern for shape in _SHAPES.values() for pattern in shape.values())}
}
_ARITIES = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2}
_STEP = re.compile(r"([a-df-z])([^a-df-z]*)", re.IGNORECASE)
_PATH_NUMBER = re.compile(r"[-+]?(?:\d{1,6}(?!\d)(?:\.\d*)?|\.\d+)(?:e-\d{1,2}(?!\d))?", re.IGNORECASE)


def is_vector(drawing: SvgDrawing, *, opaque: bool = False) -> bool:
    """Return whether svglib draws a drawing as browsers do; with `opaque`, nothing in it may be transparent."""
    if drawing.work > _MAX_STEP_COUNT or len(_miter_limits(drawing)) > 1:
        return False
    return all(_is_plain(drawing, element, opaque) for element in drawing.visible_elements)


def miter_limit(drawing: SvgDrawing) -> float:
    """Return the limit of pointed corners, which is the same everywhere in a drawing of vectors."""
    return max(1.0, min(_miter_limits(drawing), default=4.0))


def _miter_limits(drawing: SvgDrawing) -> set[float]:
    shapes = (element for element in drawing.visible_elements if element.tag in {"path", "polyline", "polygon"})
    styles = (drawing.styles.full[element] for element in shapes)
    limits = {style.get("stroke-miterlimit", "4") for style in styles if has_line(style)}
    return {float(limit) if re.fullmatch(_POSITIVE, limit) else 4.0 for limit in limits}


def _is_plain(drawing: SvgDrawing, element: Element, opaque: bool) -> bool:
    style, is_inner = drawing.styles.full[element], element is not drawing.root
    if element.tag not in {*_PARENTS, *_TEXTS, *_SHAPES, *_UNSEEN} or (element.tag == "svg" and is_inner):
        return False
    if _PIXEL_ATTRIBUTES.intersection(element.keys()):
        return False
    pairs = [(pattern, style[name]) for name, pattern in _VALUES.items() if name in style]
    places = _SHAPES.get(element.tag, {})
    pairs += [(pattern, style.get(name, "") or element.get(name, "")) for name, pattern in places.items()]
    if not all(_PATTERNS[pattern].fullmatch(value.strip()) for pattern, value in pairs):
        return False
    return _has_plain_opacity(element, style, opaque) and _has_plain_content(element, style)


def _has_plain_opacity(element: Element, style: Style, opaque: bool) -> bool:
    """Return whether an element is opaque, or a shape whose area and line do not lie over each other."""
    own, area, line = (float(style.get(name, 1)) for name in ("opacity", "fill-opacity", "stroke-opacity"))
    if element.tag not in _SHAPES:
        return own == 1 and (element.tag not in _TEXTS or area == 1)
    is_single = not has_line(style) or style.get("fill") == "none"
    return (own == 1 or is_single) and not (opaque and min(own, area, line) < 1)


def _has_plain_content(element: Element, style: Style) -> bool:
    if element.tag in _TEXTS and has_line(style):
        return False
    if element.tag == "rect":
        radii = {style.get(name, "") or element.get(name, "") for name in ("rx", "ry")} - {""}
        return len(radii) < 2 and "-" not in "".join(radii)
    if element.tag == "path":
        data = style.get("d", "")
        return (not data or data[0] in "mM") and all(_is_plain_step(*step) for step in _STEP.findall(data))
    return element.tag != "text" or _is_plain_text(element, style)


def _is_plain_text(text: Element, style: Style) -> bool:
    """Return whether each part of a text stands at its own place, or in a line that begins at the left."""
    spans = list(text)
    if any(span.tag != "tspan" or len(span) for span in spans):
        return False
    places = (part.get(name, "") for part in (text, *spans) for name in ("x", "y", "dx", "dy"))
    if not all(re.fullmatch(_TEXT_PLACE, place.strip()) for place in places):
        return False
    is_placed = all(span.get("x") and not (span.tail or "").strip() for span in spans)
    is_moved = any(span.get("dx") or span.get("dy") for span in spans)
    is_in_line = style.get("text-anchor", "start") == "start" and not is_moved
    return not spans or (is_placed and not (text.text or "").strip()) or is_in_line


def _is_plain_step(kind: str, numbers: str) -> bool:
    """Return whether a step of a path has the numbers that it needs."""
    count, rest = len(_PATH_NUMBER.findall(numbers)), _PATH_NUMBER.sub("", numbers).strip(" ,\t\r\n")
    arity = _ARITIES.get(kind.lower(), 0)
    if rest or numbers.rstrip().endswith(","):
        return False
    if kind in "aA":  # its flags need no spaces
        return count > 0
    return count > 0 and count % arity == 0 if arity else count == 0 and kind in "zZ"
