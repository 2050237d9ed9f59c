"""SVG drawings that were read: their size, styles and words, and what drawing them takes."""

import re
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from xml.etree.ElementTree import Element

from vaultkit.budget import Limit
from vaultkit.theme.svg.svg_reader import HINT, MAX_WORD_CHARS, words_in
from vaultkit.theme.svg.svg_styles import Style, Styles, length, reference

_WORK = Limit("With all repetitions, this drawing has", 150_000, "elements and steps of paths", HINT)
_NESTED = Limit("With all repetitions, this drawing has", 100, "levels of elements", HINT)
_STEP = re.compile(r"[A-Za-z]|[-+]?[\d.]+(?:[eE][-+]?\d+)?")
_NUMBERS_PER_STEP = 4
_DEFAULT_SIZE = (300.0, 150.0)
"""The size in pixels of a drawing that gives none, as in browsers."""
_MAX_SIDE_PX = 20_000.0
UNPAINTED = {"defs", "symbol", "clipPath", "mask", "pattern", "marker"}
"""Elements whose content is not drawn where it stands."""
_REFERENCES = ("fill", "stroke", "clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end")


class Bounds(NamedTuple):
    """A rectangle whose y grows downwards."""

    x: float
    y: float
    width: float
    height: float


@dataclass(eq=False)
class SvgDrawing:
    """A drawing that was read; `key` changes with its file.

    `whole` is its width and height in pixels of browsers, and `view` the part that is shown.
    """

    root: Element
    key: str
    whole: tuple[float, float] = _DEFAULT_SIZE
    work: int = 0
    """The number of elements and steps of paths that are drawn, with all repetitions."""
    view: Bounds = field(init=False)
    styles: Styles = field(init=False)
    _elements: dict[str, Element] = field(default_factory=dict)
    _work_amounts: dict[Element, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for element in self.root.iter():
            if identity := element.get("id"):
                self._elements.setdefault(identity, element)
        self.styles = Styles(self.root)
        self.work = self._work(self.root, ())
        _WORK.check(self.work)
        self.whole = self._measure()
        self.view = Bounds(0.0, 0.0, *self.whole)

    @property
    def width(self) -> float:
        return self.view.width

    @property
    def height(self) -> float:
        return self.view.height

    def find(self, href: str) -> Element | None:
        """Return the element that a reference such as `#id` names."""
        return self._elements.get(href[1:]) if href.startswith("#") else None

    @cached_property
    def title(self) -> str:
        """The title and description of the drawing, or "" without any."""
        texts = [words_in(e) for e in self.root if e.tag in {"title", "desc"}] or [self.root.get("aria-label", "")]
        return ": ".join(filter(None, texts))[:MAX_WORD_CHARS]

    @cached_property
    def words(self) -> str:
        """The words that the drawing shows, without those of hidden parts, which may be secrets."""
        texts = (e for e in self.visible_elements if e.tag in {"text", "foreignObject"})
        words = (words_in(text, self.is_seen) for text in texts)
        return ", ".join(filter(None, words))[:MAX_WORD_CHARS]

    @property
    def letters(self) -> set[str]:
        """The characters of all texts."""
        texts = ((element.text or "") + (element.tail or "") for element in self.root.iter() if element.tag != "style")
        return set("".join(texts))

    def is_seen(self, element: Element) -> bool:
        """Return whether an element is not hidden itself."""
        style = self.styles.full[element]
        return not is_hidden(style) and style.get("visibility", "visible") == "visible"

    @cached_property
    def visible_elements(self) -> list[Element]:
        """All elements that are drawn where they stand, in the order of the file; parts of texts are among them."""
        elements, stack = list[Element](), [self.root]
        while stack:
            element = stack.pop()
            if element.tag not in UNPAINTED and not is_hidden(self.styles.full[element]):
                elements.append(element)
                stack += reversed(shown_children(element) if element.tag != "foreignObject" else [])
        return elements

    def cover(self, width: float, height: float, top: float) -> "SvgDrawing":
        """Return the drawing cropped to the shape of a place; `top` is the share of the surplus cut off above."""
        whole_width, whole_height = self.whole
        wide, high = min(whole_width, whole_height * width / height), min(whole_height, whole_width * height / width)
        cropped = copy(self)
        cropped.view = Bounds((whole_width - wide) / 2, (whole_height - high) * top, wide, high)
        return cropped

    @property
    def view_box(self) -> tuple[float, float, float, float] | None:
        """The rectangle that the root shows; None if it names none."""
        numbers = [length(part, 0.0) for part in self.root.get("viewBox", "").replace(",", " ").split()]
        x, y, width, height = numbers if len(numbers) == 4 else (0.0,) * 4
        return (x, y, width, height) if width > 0 and height > 0 else None

    def _measure(self) -> tuple[float, float]:
        box = self.view_box
        whole = (box[2], box[3]) if box else _DEFAULT_SIZE
        style = self.styles.own[self.root]
        texts = [style.get(name, "") for name in ("width", "height")]
        width, height = (0.0 if text.endswith("%") else length(text, 0.0) for text in texts)
        ratio = whole[0] / whole[1]
        if width <= 0 and height <= 0:
            width, height = whole
        elif width <= 0 or height <= 0:
            width, height = (width, width / ratio if box else whole[1]) if width > 0 else (height * ratio, height)
        scale = min(1.0, _MAX_SIDE_PX / max(width, height))
        return max(width * scale, 1e-3), max(height * scale, 1e-3)

    def _work(self, element: Element, open_elements: tuple[Element, ...]) -> int:
        """Return the number of elements and steps drawn for an element; what contains itself counts once."""
        if element in open_elements:
            return 0
        _NESTED.check(len(open_elements))
        if element in self._work_amounts:
            return self._work_amounts[element]
        inner, style = (*open_elements, element), self.styles.full[element]
        numbers = _STEP.finditer(style.get("d", "") + element.get("points", ""))
        steps = sum(1 for _ in islice(numbers, _NUMBERS_PER_STEP * (_WORK.maximum + 1))) // _NUMBERS_PER_STEP
        amount = 1 + steps + sum(self._work(child, inner) for child in element)
        for name in _REFERENCES:
            target = self.find(reference(style.get(name, "")))
            if target is not None and (
                element.tag not in {"g", "svg", "a", "use"} or name in {"clip-path", "mask", "filter"}
            ):
                amount += self._work(target, inner) * (steps + 2 if name.startswith("marker") else 1)
        target = self.find(element.get("href", "")) if element.tag not in {"a", "textPath"} else None
        amount += self._work(target, inner) if target is not None else 0
        self._work_amounts[element] = min(amount, 10 * _WORK.maximum)
        return self._work_amounts[element]


def shown_children(element: Element) -> list[Element]:
    """Return the elements in an element; of a `switch`, the one that is drawn."""
    if element.tag != "switch":
        return list(element)
    plain = [child for child in element if child.tag != "foreignObject" and not child.get("systemLanguage")]
    return [*plain, *element][:1]


def is_hidden(style: Style) -> bool:
    """Return whether an element and all in it is hidden."""
    return style.get("display") == "none" or length(style.get("opacity", ""), 1.0, default=1.0) <= 0
