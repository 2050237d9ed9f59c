"""The look of HTML elements: the declarations and attributes of their tags that count on paper."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from vaultkit.theme.colour import parse_css
from vaultkit.vault.markdown import Node

PAGE, COLUMN, AVOID = "page", "column", "avoid"
"""The kinds of breaks: to the next page, to the next column, or none, so that both sides stay together."""


class HtmlStyle(msgspec.Struct, frozen=True):
    """The look of an HTML element.

    `colour` and `ground` are `#rrggbb`, "" for the usual ones. `side` is the one at which it floats. `width` is in
    pixels or per cent, such as `120` or `50%`. `scale` is the size of its text relative to the text around it. `kinds`
    are those of nodes that look the same, such as `Strong`. `ignored` are properties that are not printed.
    """

    colour: str = ""
    ground: str = ""
    alignment: str = ""
    side: str = ""
    width: str = ""
    scale: float = 1.0
    kinds: tuple[str, ...] = ()
    break_before: str = ""
    break_after: str = ""
    is_whole: bool = False
    is_hidden: bool = False
    ignored: tuple[str, ...] = ()

    @property
    def has_text_look(self) -> bool:
        """Whether text in the element looks different from other text."""
        return bool(self.colour or self.ground or self.kinds or self.scale != 1.0)

    def inherit(self, outer: "HtmlStyle") -> "HtmlStyle":
        """Return the look of text and pictures in the element if it is in an `outer` one."""
        return HtmlStyle(
            self.colour or outer.colour, self.ground or outer.ground, self.alignment or outer.alignment, self.side,
            scale=self.scale * outer.scale, kinds=(*outer.kinds, *self.kinds),
            is_hidden=self.is_hidden or outer.is_hidden,
        )  # fmt: skip


PLAIN = HtmlStyle()


class StyledNode(Node):
    """A block (of the kind `Division` if it is nothing else) or inline element (`Styled`) with a look of its own."""

    style: HtmlStyle = PLAIN


_BREAK_WORDS = {
    "always": PAGE, "all": PAGE, "page": PAGE, "left": PAGE, "right": PAGE, "recto": PAGE, "verso": PAGE,
    "column": COLUMN, "avoid": AVOID, "avoid-page": AVOID, "avoid-column": AVOID,
}  # fmt: skip
_BREAK_CLASS = re.compile(
    r"(?:\S*[-_])?(?:page[-_]?break|(?:new|break)[-_]?page)(?:[-_]?(before|after))?(?:[-_](?:always|page))?"
    r"|break[-_](before|after)[-_]page",
    re.IGNORECASE,
)
"""Class names that style sheets for printing give to page breaks."""
_DECLARATION = re.compile(r"(?<![\w-])([\w-]++)\s*+:\s*+([^;]+)")
_LENGTH = re.compile(r"(\d{1,5}(?:\.\d+)?)\s*(px|pt|em|rem|%)?")
ALIGNMENTS = {"left": 0, "center": 1, "right": 2, "justify": 0}
"""ReportLab's numbers for alignments; text is not justified, because columns are too narrow."""
_SCALES = {
    "xx-small": 0.6, "x-small": 0.75, "small": 0.85, "smaller": 0.85, "medium": 1.0, "large": 1.2, "larger": 1.2,
    "x-large": 1.5, "xx-large": 2.0, "xxx-large": 3.0,
}  # fmt: skip
_FONT_SIZES = ("x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large")
"""The words for the sizes 1 to 7 of a `font` element."""
_UNIT_SCALES = {"px": 1 / 16, "": 1 / 16, "pt": 1 / 12, "em": 1.0, "rem": 1.0, "%": 0.01}
_MAX_SCALE = 3.0
_ATTRIBUTE_PROPERTIES = {"align": "text-align", "color": "color", "bgcolor": "background-color", "width": "width"}
"""The properties that stand for attributes of older HTML."""
_KINDS_BY_WORD = {
    "bold": "Strong", "bolder": "Strong", "600": "Strong", "700": "Strong", "800": "Strong", "900": "Strong",
    "italic": "Emphasis", "oblique": "Emphasis", "underline": "Underline", "line-through": "Strikethrough",
}  # fmt: skip
_REPORTED = re.compile(
    r"border(?!-(?:collapse|spacing|radius))|column|font-family|font-variant|position|transform|opacity|white-space"
)
"""Properties that readers would miss on paper; spacing and what only moves on a screen are not reported."""
_INITIAL_VALUES = {"none", "0", "0px", "1", "normal", "static", "relative", "inherit"}


def read_style(name: str, attributes: Mapping[str, str]) -> HtmlStyle:
    """Return the look of an element from the name of its tag and its attributes."""
    if not attributes:
        return PLAIN
    kinds, ignored = list[str](), list[str]()
    fields: dict[str, Any] = {}
    for match in filter(None, map(_BREAK_CLASS.fullmatch, attributes.get("class", "").split())):
        fields[f"break_{(match[1] or match[2] or 'before').lower()}"] = PAGE
    for key, value in _declarations(name, attributes):
        word = value.partition(" ")[0].lower()
        if key in _FIELDS:
            field, convert = _FIELDS[key]
            fields[field] = convert(value)
        elif key in {"font-weight", "font-style", "text-decoration", "text-decoration-line"}:
            kinds += [_KINDS_BY_WORD[word]] if word in _KINDS_BY_WORD else []
        elif (key, word) in {("display", "none"), ("visibility", "hidden")}:
            fields["is_hidden"] = True
        elif _REPORTED.match(key) and word not in _INITIAL_VALUES:
            ignored.append(key)
    return HtmlStyle(kinds=tuple(kinds), ignored=tuple(ignored), **fields)


def _declarations(name: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the properties of a tag with their values, from its attributes first and then from its style."""
    for key, value in attributes.items():
        if key == "align" and name in {"img", "table"}:
            yield "float", value
        elif key in _ATTRIBUTE_PROPERTIES:
            yield _ATTRIBUTE_PROPERTIES[key], value
        elif (key, name) == ("size", "font") and value.isdecimal():
            yield "font-size", _FONT_SIZES[min(max(int(value), 1), 7) - 1]
        elif key == "hidden":
            yield "display", "none"
    for match in _DECLARATION.finditer(attributes.get("style", "")):
        yield match[1].lower(), match[2].replace("!important", "").strip()


def _scale(value: str) -> float:
    length = _LENGTH.fullmatch(value)
    scale = float(length[1]) * _UNIT_SCALES[length[2] or ""] if length else _SCALES.get(value.lower(), 1.0)
    return min(scale, _MAX_SCALE) or 1.0


def _width(value: str) -> str:
    length = _LENGTH.match(value)
    unit = length[2] or "px" if length else ""
    return f"{round(float(length[1]))}{'%' if unit == '%' else ''}" if length and unit in {"px", "%"} else ""


def _break(value: str) -> str:
    return _BREAK_WORDS.get(value.partition(" ")[0].lower(), "")


def _column_break(value: str) -> str:
    return COLUMN if value.lower() == "always" else _break(value)


def _ground(value: str) -> str:
    return next(filter(None, map(colour_code, [value, *value.split()])), "")


def _is_whole(value: str) -> bool:
    return _break(value) == AVOID


def colour_code(value: str) -> str:
    """Return a CSS colour on white paper as `#rrggbb`, or "" for a value that is none or that is transparent."""
    *parts, alpha = parse_css(value) or (0,)
    return "#" + "".join(f"{round(255 - alpha * (255 - part)):02x}" for part in parts) if alpha else ""


_FIELDS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    **{f"{prefix}break-before": ("break_before", _break) for prefix in ("", "page-")},
    **{f"{prefix}break-after": ("break_after", _break) for prefix in ("", "page-")},
    **{f"{prefix}break-inside": ("is_whole", _is_whole) for prefix in ("", "page-", "-webkit-column-")},
    "-webkit-column-break-before": ("break_before", _column_break),
    "-webkit-column-break-after": ("break_after", _column_break),
    "color": ("colour", colour_code),
    "background": ("ground", _ground),
    "background-color": ("ground", _ground),
    "text-align": ("alignment", lambda value: value.lower() if value.lower() in ALIGNMENTS else ""),
    "float": ("side", lambda value: value.lower() if value.lower() in {"left", "right"} else ""),
    "width": ("width", _width),
    "font-size": ("scale", _scale),
}
"""The field of a look by the CSS property that sets it, and the function that converts its value."""
