"""Writing of SVG drawings with plain attributes and the theme's fonts, for the libraries that draw them."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from xml.etree.ElementTree import Element

from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.icons import move_after_close
from vaultkit.theme.model import BOLD, BOLD_ITALIC, BOX, BOX_BOLD, INK, ITALIC, MONO, TEXT
from vaultkit.theme.svg.svg_drawing import UNPAINTED, SvgDrawing, is_hidden, shown_children
from vaultkit.theme.svg.svg_reader import SVG_NAMESPACE
from vaultkit.theme.svg.svg_styles import PROPERTIES, Style, has_line, length

FACES = {
    ("serif", "normal", "normal"): TEXT, ("serif", "bold", "normal"): BOLD, ("serif", "normal", "italic"): ITALIC,
    ("serif", "bold", "italic"): BOLD_ITALIC, ("sans", "normal", "normal"): BOX, ("sans", "bold", "normal"): BOX_BOLD,
    ("sans", "normal", "italic"): BOX, ("sans", "bold", "italic"): BOX_BOLD, ("mono", "normal", "normal"): MONO,
    ("mono", "bold", "normal"): MONO, ("mono", "normal", "italic"): MONO, ("mono", "bold", "italic"): MONO,
}  # fmt: skip
"""The faces by the kind, weight and style of a font: families with serifs, without, or of equal widths."""
_FAMILY_WORDS = {
    "mono": ("mono", "courier", "consolas", "code", "cascadia"),
    "sans": (
        "sans", "arial", "helvetica", "verdana", "tahoma", "segoe", "roboto", "trebuchet", "calibri", "ubuntu", "inter",
        "system-ui", "comic", "virgil", "excalifont", "nunito", "atkinson", "open ", "lato", "montserrat", "cursive",
    ),
    "serif": (
        "serif", "times", "georgia", "garamond", "palatino", "alegreya", "cinzel", "fell", "almendra", "lora", "caslon",
        "baskerville", "cambria", "roman", "uncial", "fantasy", "bookman",
    ),
}  # fmt: skip
_REPLACED_ATTRIBUTES = {"class", "style", "space", *PROPERTIES}
_REMOVED_NAMES = {"style", "title", "desc"}
_TEXT_NAMES = {"text", "tspan", "textPath"}
_PARENT_NAMES = {"g", "svg", "a", "switch"}
_WORDS_NAMES = {*_TEXT_NAMES, *_PARENT_NAMES, "foreignObject"}
_PLACE_NAMES = {"x", "y", "dx", "dy"}
_WORDS_ATTRIBUTES = {*_PLACE_NAMES, "transform", "text-anchor", "viewBox", "preserveAspectRatio", "width", "height"}
_OTHER_NAMES = {"a": "g", "switch": "g", "textPath": "tspan"}
"""The names of elements that draw the same without links, choices and lines of text."""
_STYLE_ONLY = {"mix-blend-mode", "isolation"}
"""Properties that count in a `style` attribute only."""
_BLOCK_NAMES = {"div", "p", "br", "li", "h1", "h2", "h3", "h4", "tr", "pre"}
_SCALES = re.compile(r"(scale|matrix)\s*\(([^()]*)\)")
_NUMBER = re.compile(r"[-+]?[\d.]+")
_LINE_HEIGHT_RATIO, _BASELINE_RATIO = 1.2, 0.94
_MAX_FILTER_SHARES = {"x": 1.0, "y": 1.0, "width": 3.0, "height": 3.0}
"""The most that the place of a filter may be moved and enlarged: map generators write a hundredfold."""


def font_of(style: Style) -> tuple[str, str, str]:
    """Return the kind, weight and style of the font for a text, a key of `FACES`."""
    weight, families = style.get("font-weight", ""), style.get("font-family", "").lower().split(",")
    is_bold = weight in {"bold", "bolder"} or (weight.isdecimal() and int(weight) >= 600)
    is_italic = style.get("font-style", "").startswith(("italic", "oblique"))
    kinds = (k for family in families for k, words in _FAMILY_WORDS.items() if any(word in family for word in words))
    return next(kinds, "serif"), "bold" if is_bold else "normal", "italic" if is_italic else "normal"


@dataclass
class SvgWriter:
    """A writer of a drawing as SVG; `families` are the names of font families by the keys of `FACES`.

    A `flat` one writes each part with all its properties, without those that are hidden. With `words_only`, it writes
    nothing but text.
    """

    drawing: SvgDrawing
    glyphs: Glyphs
    families: Mapping[tuple[str, str, str], str]
    flat: bool = False
    words_only: bool = False

    def write(self) -> str:
        """Return the whole drawing."""
        box = self.drawing.view_box
        return "".join(self._write(self.drawing.root, self.drawing.whole[0] / box[2] if box else 1.0))

    def _write(self, element: Element, scale: float) -> Iterator[str]:
        """Yield the code of an element, whose coordinates are enlarged by `scale`."""
        style = self.drawing.styles.full[element]
        if element.tag in _REMOVED_NAMES or (self.words_only and element.tag not in _WORDS_NAMES):
            return
        is_transparent = element.tag in _TEXT_NAMES and length(style.get("fill-opacity", ""), 1.0, default=1.0) <= 0
        if self.flat and (element.tag in UNPAINTED or is_hidden(style) or is_transparent):
            return
        is_seen = not self.flat or self.drawing.is_seen(element)
        if element.tag == "foreignObject":
            yield from self._lines(element, style) if is_seen else ()
            return
        tag = _OTHER_NAMES.get(element.tag, element.tag) if self.flat or element.tag == "switch" else element.tag
        scale *= _scale_of(style.get("transform", ""))
        attributes = self._attributes(element, style, scale)
        is_bare = self.flat and tag == "g" and "transform" not in attributes
        yield "" if is_bare else f"<{tag}{_attribute_code(attributes)}>"
        yield escape(element.text or "") if is_seen else ""
        for child in shown_children(element):
            yield from self._write(child, scale)
            yield escape(child.tail or "") if is_seen else ""
        yield "" if is_bare else f"</{tag}>"

    def _attributes(self, element: Element, style: Style, scale: float) -> dict[str, str]:
        own = self.drawing.styles.own[element] if element.tag in _PARENT_NAMES or not self.flat else style
        result = {name: value for name, value in element.items() if name not in _REPLACED_ATTRIBUTES}
        result |= {name: value for name, value in own.items() if not name.startswith("--")}
        if self.words_only:
            result = self._words_attributes(element, style, result)
        elif self.flat:
            result = self._flat_attributes(element, style, result)
        font = {**self._font_attributes(style), "font-size": style.get("font-size", "16")}
        is_whole = self.flat and element.tag in _TEXT_NAMES
        result |= {name: value for name, value in font.items() if is_whole or name in result}
        if style.get("vector-effect") == "non-scaling-stroke":  # which resvg does not know
            result["stroke-width"] = str(length(style.get("stroke-width", "1"), 1.0) / (scale or 1.0))
        if declarations := ";".join(f"{name}:{result.pop(name)}" for name in _STYLE_ONLY & result.keys()):
            result["style"] = declarations
        if element.tag == "filter" and result.get("filterUnits") != "userSpaceOnUse":
            for name, limit in _MAX_FILTER_SHARES.items():
                result |= {name: str(min(limit, max(-limit, length(result[name], 1.0))))} if name in result else {}
        if space := element.get("space", "preserve" if style.get("white-space", "").startswith("pre") else ""):
            result["xml:space"] = space
        if element is self.drawing.root:
            width, height = self.drawing.whole
            box = " ".join(map(str, self.drawing.view_box or (0.0, 0.0, width, height)))
            result |= {"width": f"{width}", "height": f"{height}", "viewBox": box, "xmlns": SVG_NAMESPACE}
            result.setdefault("color", self.ink)
        return result

    def _font_attributes(self, style: Style) -> dict[str, str]:
        _, weight, slant = font = font_of(style)
        return {"font-family": self.families[font], "font-weight": weight, "font-style": slant}

    def _flat_attributes(self, element: Element, style: Style, attributes: dict[str, str]) -> dict[str, str]:
        """Return the attributes of an element for svglib, which does not know all that SVG has."""
        colour = style.get("color") or self.ink
        result = {name: colour if value.lower() == "currentcolor" else value for name, value in attributes.items()}
        if element.tag in _PARENT_NAMES:
            return result
        opacity = length(result.pop("opacity", ""), 1.0, default=1.0)
        for name in ("fill-opacity", "stroke-opacity"):
            result[name] = f"{max(0.0, min(1.0, opacity * length(result.get(name, ''), 1.0, default=1.0))):.4f}"
        dashes = result.get("stroke-dasharray", "none")
        if len(_NUMBER.findall(dashes)) % 2:
            result["stroke-dasharray"] = f"{dashes} {dashes}"
        if "d" in result:
            result["d"] = move_after_close(result["d"])
        return {"fill": "black", **result}

    def _words_attributes(self, element: Element, style: Style, attributes: dict[str, str]) -> dict[str, str]:
        """Return the attributes that place text, whose letters need no places of their own."""
        result = {name: value for name, value in attributes.items() if name in _WORDS_ATTRIBUTES}
        line = self.drawing.find(element.get("href", "")) if element.tag == "textPath" else None
        if line is not None:
            result |= dict(zip("xy", _NUMBER.findall(line.get("d", "")), strict=False))
        if element.tag in _TEXT_NAMES:
            result |= {name: result[name].split()[0] for name in _PLACE_NAMES & result.keys() if result[name]}
            result["fill"] = "black" if style.get("fill") != "none" or has_line(style) else "none"
        return result

    @property
    def ink(self) -> str:
        """The colour of what asks for the colour of the words around it."""
        theme = self.glyphs.theme
        return theme.colour_code(INK) if theme.is_dark else "black"

    def _lines(self, element: Element, style: Style) -> Iterator[str]:
        """Yield the words of a `foreignObject`, which no library draws, as lines in the middle of its place."""
        places = (style.get(name, "") or element.get(name, "") for name in ("x", "y", "width", "height"))
        x, y, width, height = (length(place, 0.0) for place in places)
        lines = list(self._break_lines(element, width))
        sizes = [float(line_style.get("font-size", 16)) for _, line_style in lines]
        base = y + (height - sum(sizes) * _LINE_HEIGHT_RATIO) / 2
        for (line, line_style), size in zip(lines, sizes, strict=True):
            anchor = {"left": "start", "start": "start", "right": "end"}.get(line_style.get("text-align", ""), "middle")
            place = x + width * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            attributes = {
                "x": f"{place:.3f}", "y": f"{base + size * _BASELINE_RATIO:.3f}", "font-size": f"{size}",
                "text-anchor": anchor, "fill": line_style.get("color") or self.ink, "stroke": "none",
                "transform": style.get("transform", "translate(0 0)"),
                **self._font_attributes(line_style),
            }  # fmt: skip
            yield f"<text{_attribute_code(attributes)}>{escape(line)}</text>"
            base += size * _LINE_HEIGHT_RATIO

    def _break_lines(self, element: Element, width: float) -> Iterator[tuple[str, Style]]:
        """Yield lines of words that fit into a width, each with the style of its first word."""
        line, line_style = "", self.drawing.styles.full[element]
        for word, style in [*self._words(element), ("", line_style)]:
            longer = f"{line} {word}".strip()
            size = float(line_style.get("font-size", 16))
            is_full = width > 0 and self.glyphs.measure_width(longer, FACES[font_of(line_style)], size) > width * 1.15
            if line and (not word or is_full):
                yield line, line_style
                line = ""
            if word:
                line, line_style = f"{line} {word}".strip(), line_style if line else style

    def _words(self, element: Element) -> Iterator[tuple[str, Style]]:
        """Yield the words in HTML with their styles, and "" where a line ends."""
        style = self.drawing.styles.full[element]
        if not self.drawing.is_seen(element):
            return
        yield from ((word, style) for word in (element.text or "").split())
        for child in element:
            breaks = [("", style)] if child.tag in _BLOCK_NAMES else []
            yield from (*breaks, *self._words(child), *breaks)
            yield from ((word, style) for word in (child.tail or "").split())


def _scale_of(transform: str) -> float:
    """Return how much longer a transform makes lines on average."""
    scale = 1.0
    for kind, text in _SCALES.findall(transform):
        numbers = [length(part, 1.0) for part in text.replace(",", " ").split()]
        if kind == "scale" and numbers:
            scale *= abs(numbers[0] * numbers[-1])
        elif len(numbers) == 6:
            scale *= abs(numbers[0] * numbers[3] - numbers[1] * numbers[2])
    return math.sqrt(scale)


def _attribute_code(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
