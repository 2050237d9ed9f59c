"""A reader of SVG files that returns a tree without scripts, entities and references to other files."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from html.entities import html5
from typing import Any
from xml.etree.ElementTree import Element, SubElement
from xml.parsers import expat

from vaultkit.budget import MB, Budget, Limit

HINT = "Save it simpler, or as PNG."
FILE_BYTES = Limit("This drawing has", 16 * MB, "bytes", HINT)
_MAX_DECLARING_FILE_BYTES = 500_000
"""The size of a file up to which it may declare entities, whose text may be longer than their names."""
_MAX_ENTITY_CHARS, _MAX_ENTITY_COUNT = 100, 50
_ELEMENTS = Limit("This drawing has", 30_000, "elements", HINT)
_LEVELS = Limit("This drawing has", 80, "levels of elements", HINT)
_TEXTS = Limit("This drawing has", 3_000, "texts and parts of texts", HINT)
_ATTRIBUTES = Limit("This drawing has", 200_000, "attributes", HINT)
_CHARACTERS = Limit("This drawing has", 20_000, "characters of text", HINT)
_MAX_ATTRIBUTE_CHARS = 20_000
"""The size from which attributes are left out, except for those of `_LONG_ATTRIBUTES`."""
_LONG_ATTRIBUTES = {"d", "points", "href", "style"}
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
MAX_WORD_CHARS = 400
"""The most characters of a drawing's title, or of its words, that a sheet has in its place."""
_DROPPED_NAMES = {
    "script", "metadata", "animate", "animateMotion", "animateTransform", "set", "discard", "iframe", "audio", "video",
    "object", "embed", "handler", "listener", "template",
}  # fmt: skip
_TEXT_NAMES = {"text", "tspan", "textPath", "title", "desc", "style", "a", "foreignObject"}
"""The elements whose text is kept; inside `foreignObject`, that of any element."""
_INLINE_NAMES = {"tspan", "span", "b", "i", "a"}
_HTML_REFERENCE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,30});")
_TAG = re.compile(r"<(\w*)[^<>]*>?")
_UNSEEN_NAMES = {"style", "script"}
_PICTURE_DATA = re.compile(r"data:image/(?:png|jpe?g|gif|webp|bmp)\s*[;,]", re.IGNORECASE)


class UnreadableSvg(Exception):
    """A drawing that cannot be read; its words say why."""


def words_in(element: Element, is_seen: Callable[[Element], bool] = lambda _: True) -> str:
    """Return the text in an element, with single spaces, without that of elements that are not seen."""
    return " ".join("".join(_texts(element, is_seen)).split())


def _texts(element: Element, is_seen: Callable[[Element], bool]) -> Iterator[str]:
    if not is_seen(element):
        return
    yield element.text or ""
    for child in element:
        yield from _texts(child, is_seen)
        yield child.tail or ""
    yield "" if element.tag in _INLINE_NAMES else " "


def read_svg(data: bytes) -> Element:
    """Return the root element of an SVG file. Raises UnreadableSvg and BudgetExceeded."""
    builder = _TreeBuilder(len(data))
    try:
        builder.parse(data)
    except (expat.ExpatError, ValueError, LookupError) as error:  # a wrong encoding is one of the latter two
        raise UnreadableSvg(f"cannot be read as SVG: {error}") from error
    if builder.root is None or builder.root.tag != "svg":
        raise UnreadableSvg("cannot be read as SVG")
    return builder.root


def find_words(data: bytes) -> str:
    """Return the words of a drawing that cannot be read."""
    first, *others = data[:MB].decode("utf-8", "replace").split("<!--")
    parts = ["", *_TAG.split(first + "".join(part.partition("-->")[2] for part in others))]
    texts = (text for name, text in zip(parts[::2], parts[1::2], strict=True) if name.lower() not in _UNSEEN_NAMES)
    return " ".join(unescape(" ".join(texts)).replace("]>", " ").split())[:MAX_WORD_CHARS]


def _resolve_html_references(data: bytes) -> bytes:
    """Replace references such as `&nbsp;`, which HTML knows and XML does not, in any encoding with ASCII."""
    return data if b"<!ENTITY" in data else _HTML_REFERENCE.sub(_number_references, data)


def _number_references(match: re.Match[bytes]) -> bytes:
    letters = html5.get(f"{match[1].decode()};", "")
    return b"".join(b"&#%d;" % ord(letter) for letter in letters) or match[0]


class _TreeBuilder:
    """The handlers of one parser run, which build the tree and count what they keep."""

    def __init__(self, size: int) -> None:
        self.root: Element | None = None
        self._open: list[Element | None] = []
        """The elements that are open; None for those that are dropped, with all in them."""
        self._size, self._entity_count = size, 0
        self._svg_prefixes = {"svg"}
        self._elements, self._attributes = Budget(_ELEMENTS), Budget(_ATTRIBUTES)
        self._characters, self._texts = Budget(_CHARACTERS), Budget(_TEXTS)

    def parse(self, data: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler, parser.EntityDeclHandler = self._add_text, self._check_entity
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.Parse(_resolve_html_references(data), True)

    def _check_entity(self, _name: str, is_parameter: bool, value: str | None, *_: Any) -> None:
        """Accept only short entities that name no others, as Illustrator writes them for namespaces."""
        self._entity_count += 1
        is_plain = value is not None and not is_parameter and not set("&%<") & set(value)
        if not is_plain or len(value or "") > _MAX_ENTITY_CHARS or self._entity_count > _MAX_ENTITY_COUNT:
            raise ValueError("it declares entities that are not plain words")
        if self._size > _MAX_DECLARING_FILE_BYTES:
            raise ValueError("it is large and declares entities")

    def _start(self, full_name: str, attributes: dict[str, str]) -> None:
        self._elements.spend()
        self._attributes.spend(len(attributes))
        _LEVELS.check(len(self._open))
        self._texts.spend(full_name.endswith(("text", "tspan", "textPath", "foreignObject")))
        for key, value in attributes.items():
            if key.startswith("xmlns:") and value == SVG_NAMESPACE:
                self._svg_prefixes.add(key[6:])
        prefix, _, name = full_name.rpartition(":")
        parent = self._open[-1] if self._open else None
        is_dropped = name in _DROPPED_NAMES or (prefix and prefix not in self._svg_prefixes)
        if is_dropped or (self._open and parent is None):
            self._open.append(None)
            return
        clean = _clean_attributes(attributes)
        element = Element(name, clean) if parent is None else SubElement(parent, name, clean)
        self.root = element if self.root is None else self.root
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _add_text(self, text: str) -> None:
        parent = self._open[-1]
        if parent is None or not (parent.tag in _TEXT_NAMES or self._is_in_html()):
            return
        self._characters.spend(len(text) if parent.tag != "style" else 0)
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + text
        else:
            parent.text = (parent.text or "") + text

    def _is_in_html(self) -> bool:
        return any(element is not None and element.tag == "foreignObject" for element in self._open)


def _clean_attributes(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes that drawings need; a reference leads into the file or holds a picture."""
    result = dict[str, str]()
    for full_name, value in attributes.items():
        prefix, _, name = full_name.rpartition(":")
        is_dropped = prefix not in {"", "xlink", "xml"} or name.lower().startswith("on") or name == "xmlns"
        is_dropped = is_dropped or (len(value) > _MAX_ATTRIBUTE_CHARS and name not in _LONG_ATTRIBUTES)
        if name == "href":
            is_inside = value.lstrip().startswith("#") or _PICTURE_DATA.match(value.lstrip())
            is_dropped = is_dropped or not is_inside or (bool(prefix) and "href" in result)
        if not is_dropped:
            result[name] = value.strip() if name == "href" else value
    return result
