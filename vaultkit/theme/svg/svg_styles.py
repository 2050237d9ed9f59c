"""Style sheets in SVG drawings: the CSS properties of each element, with inheritance."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

from vaultkit.budget import Budget, Limit
from vaultkit.theme.colour import parse_css
from vaultkit.theme.svg.svg_reader import HINT

_INHERITED = {
    "color", "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "clip-rule", "visibility",
    "marker-start", "marker-mid", "marker-end", "font-family", "font-size", "font-style", "font-weight", "text-anchor",
    "letter-spacing", "word-spacing", "white-space", "text-transform", "dominant-baseline", "paint-order",
    "text-decoration", "text-align", "direction", "writing-mode",
}  # fmt: skip
_OWN = {
    "opacity", "display", "clip-path", "mask", "filter", "stop-color", "stop-opacity", "overflow", "mix-blend-mode",
    "isolation", "transform", "transform-origin", "baseline-shift", "alignment-baseline", "vector-effect", "font",
    "marker", "text-decoration-line", "x", "y", "width", "height", "r", "rx", "ry", "cx", "cy", "d", "flood-color",
    "flood-opacity", "lighting-color", "color-interpolation-filters",
}  # fmt: skip
"""Properties that are not inherited."""
PROPERTIES = _INHERITED | _OWN
_COLOUR_NAMES = {"color", "fill", "stroke", "stop-color", "flood-color", "lighting-color"}
_EMBEDDED = re.compile(r"url\(\s*['\"]?data:[^()]*\)")
_UNIT = re.compile(r"(?<=[\d.])(?:px|deg)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*(?:\([^()]*\)[^()]*)*))?\)")
_LIGHT_DARK = re.compile(r"light-dark\(\s*([^(),]*(?:\([^()]*\))?)\s*,[^()]*(?:\([^()]*\)[^()]*)*\)")
_FONT = re.compile(r"(.*?)([\d.]+(?:px|pt|em|rem|%|mm|cm|in|pc)?)(?:\s*/\s*\S+)?\s+(.+)", re.DOTALL)
_HREF = re.compile(r"""url\(\s*['"]?(#[^'")]*)['"]?\s*\)""")
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "rem": 16.0}
_LENGTH = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-z]*|%)\s*", re.IGNORECASE)
_MAX_LENGTH_CHARS = 100
_MAX_LENGTH_PX = 1e7
"""The largest length that is drawn."""
_PARENTS_PER_COMPARISON = 5
"""The number of elements around an element that a comparison with one name in a selector visits."""
_MAX_FONT_CHARS = 200
_PLAIN_STYLE = re.compile(r"[\s\w:;.,#%+-]*")
"""The pattern of declarations that need no parser of CSS."""
_UNKNOWN_SELECTOR = re.compile(r"~|:(?!root\b)")
"""The pattern of selectors that match nothing: those for the pointer, and those that take too many comparisons."""
_RULES = Limit("The style sheets of this drawing have", 3_000, "rules", HINT)
_SHEET_CHARS = Limit("The style sheets of this drawing have", 300_000, "characters", HINT)
_STYLE_CHARS = Limit("The attributes 'style' of this drawing have", 2_000_000, "characters", HINT)
_PARSED_CHARS = Limit("The functions and quotes in styles of this drawing have", 300_000, "characters", HINT)
_COMPARISONS = Limit("The styles of this drawing need", 300_000, "comparisons with its elements", HINT)

Style = Mapping[str, str]
Declaration = tuple[str, str, bool]
"""The name, value and importance of a property."""


class Styles:
    """The properties of each element of a drawing: its `own` ones, and `full` with those that it inherits."""

    def __init__(self, root: Element) -> None:
        from cssselect2 import ElementWrapper

        self.own: dict[Element, Style] = {}
        self.full: dict[Element, Style] = {}
        self._comparisons, self._style_chars = Budget(_COMPARISONS), Budget(_STYLE_CHARS)
        self._parsed_chars, self._parsed_styles = Budget(_PARSED_CHARS), dict[str, Sequence[Declaration]]()
        self._matcher = _read_rules("\n".join(e.text or "" for e in root.iter("style")))
        for wrapper in ElementWrapper.from_xml_root(root).iter_subtree():
            parent = self.full[wrapper.parent.etree_element] if wrapper.parent is not None else {}
            own = self._own_style(wrapper, parent)
            inherited = {name: value for name, value in parent.items() if name in _INHERITED or name.startswith("--")}
            self.own[wrapper.etree_element] = own
            self.full[wrapper.etree_element] = inherited | own

    def _own_style(self, wrapper: Any, parent: Style) -> dict[str, str]:
        """Return the properties that attributes and rules give to an element in one with the style `parent`."""
        declarations = [(*declaration, 0) for declaration in self._find_declarations(wrapper)]
        declarations += [(*declaration, 1) for declaration in self._parse_style(wrapper.etree_element.get("style", ""))]
        style = dict(wrapper.etree_element.items())
        style |= {name: value for name, value, *_ in sorted(declarations, key=lambda d: d[2:])}
        style = {n: v.strip() for n, v in style.items() if n in PROPERTIES or n.startswith("--")}
        variables = {**parent, **style}
        for name, value in list(style.items()):
            plain = _substitute(value, variables) if "(" in value else value
            style[name] = _plain_colour(plain) if name in _COLOUR_NAMES else plain
            if style[name] in {"", "inherit"}:
                del style[name]
                style |= {name: parent[name]} if name in _OWN and name in parent else {}
        _expand_font(style, float(parent.get("font-size", 16)))
        style["transform"] = _UNIT.sub("", style.get("transform", ""))
        if marker := style.pop("marker", ""):
            style |= dict.fromkeys(("marker-start", "marker-mid", "marker-end"), marker)
        return {name: value for name, value in style.items() if value}

    def _parse_style(self, text: str) -> Sequence[Declaration]:
        self._style_chars.spend(len(text))
        if text not in self._parsed_styles:
            if _PLAIN_STYLE.fullmatch(text):
                pairs = (part.partition(":") for part in text.split(";"))
                self._parsed_styles[text] = [(name.strip(), value, False) for name, _, value in pairs if value]
            else:
                self._parsed_chars.spend(len(text))
                self._parsed_styles[text] = _parse_declarations(text)
        return self._parsed_styles[text]

    def _find_declarations(self, wrapper: Any) -> Iterator[Declaration]:
        """Yield the declarations of all rules for an element, the most specific last."""
        matcher = self._matcher
        buckets = [matcher.other_selectors, matcher.lower_local_name_selectors.get(wrapper.local_name.lower(), ())]
        buckets += [matcher.class_selectors.get(name, ()) for name in wrapper.classes]
        depth = len(wrapper.ancestors) if any(buckets) else 0
        weight = max(1, depth // _PARENTS_PER_COMPARISON)
        self._comparisons.spend(sum(weight ** rule[-1][1] for bucket in buckets for rule in bucket))
        for *_, pseudo_element, (declarations, _) in matcher.match(wrapper):
            yield from declarations if pseudo_element is None else ()


def _read_rules(css: str) -> Any:
    """Return the rules of a style sheet, without rules for media and fonts.

    Each has its declarations, and the number of elements around an element that its selector names.
    """
    import cssselect2
    import tinycss2

    matcher = cssselect2.Matcher()
    css = _EMBEDDED.sub("", css.replace("<!--", "").replace("-->", ""))
    _SHEET_CHARS.check(len(css))
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True) if css.strip() else []
    _RULES.check(len(rules))
    for rule in rules:
        selectors = tinycss2.serialize(rule.prelude) if rule.type == "qualified-rule" else "~"
        if _UNKNOWN_SELECTOR.search(selectors):
            continue
        try:
            payload = _parse_declarations(rule.content), max(len(part.split()) for part in selectors.split(",")) - 1
            for selector in cssselect2.compile_selector_list(rule.prelude):
                matcher.add_selector(selector, payload)
        except (cssselect2.SelectorError, RecursionError):
            continue  # a selector that is not understood matches nothing
    return matcher


def _parse_declarations(content: Any) -> Sequence[Declaration]:
    """Return name, value and importance of each declaration of a rule or a `style` attribute."""
    import tinycss2

    parts = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    declarations = [part for part in parts if part.type == "declaration"]
    try:
        return [
            (
                part.name if part.name.startswith("--") else part.lower_name,
                tinycss2.serialize(part.value),
                part.important,
            )
            for part in declarations
        ]
    except RecursionError:  # a value with too many brackets within one another
        return []


def _substitute(value: str, style: Style) -> str:
    """Return a value with its variables replaced, and the light one of two colours."""
    for _ in range(3):
        value = _VARIABLE.sub(lambda match: style.get(match[1], (match[2] or "").strip()), value[:2000])
    return _LIGHT_DARK.sub(r"\1", value)


@lru_cache(maxsize=1024)
def _plain_colour(text: str) -> str:
    """Return a colour of CSS as `#rrggbb` or `rgba()`, which all libraries know; "" if it is none."""
    if text.lower() in {"none", "inherit", "currentcolor"} or text.startswith(("url", "context-")):
        return text
    colour = parse_css(text)
    if colour is None:
        return ""
    *parts, alpha = colour
    opaque = "#" + "".join(f"{part:02x}" for part in parts)
    return opaque if alpha == 1 else f"rgba({', '.join(map(str, parts))}, {alpha:.3f})"


def _expand_font(style: dict[str, str], parent_size: float) -> None:
    """Replace the shorthand `font`, and make the font size a number of pixels."""
    if match := _FONT.fullmatch(style.pop("font", "")[:_MAX_FONT_CHARS]):
        words = match[1].lower()
        style["font-size"], style["font-family"] = match[2], match[3]
        style["font-style"] = "italic" if "italic" in words or "oblique" in words else "normal"
        style["font-weight"] = "bold" if "bold" in words or re.search("[6-9]00", words) else "normal"
    if size := style.get("font-size"):
        style["font-size"] = str(max(0.0, length(size, parent_size, font_size=parent_size, default=parent_size)))


def has_line(style: Style) -> bool:
    """Return whether the outline of an element is painted."""
    return style.get("stroke", "none") != "none"


def length(text: str, whole: float, *, font_size: float = 16.0, default: float = 0.0) -> float:
    """Return a length in pixels; a percentage is a share of `whole`. Without a length, return `default`."""
    match = _LENGTH.fullmatch(text[:_MAX_LENGTH_CHARS])
    units = {**_UNITS, "%": whole / 100, "em": font_size, "ex": font_size / 2, "ch": font_size / 2}
    if match is None or match[2].lower() not in units:
        return default
    return max(-_MAX_LENGTH_PX, min(_MAX_LENGTH_PX, float(match[1]) * units[match[2].lower()]))


def reference(value: str) -> str:
    """Return the reference in a value such as `url(#id)`, `#id`; "" without one."""
    match = _HREF.match(value)
    return match[1] if match else ""
