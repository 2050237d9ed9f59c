"""A checker of tagged PDFs, as a fast stand-in for veraPDF, and a reader of their words in the order of the tags."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf
from fontTools.agl import toUnicode
from pikepdf import Name

INLINE = {"Link", "Code", "Span", "Reference", "Form", "Quote", "Lbl"}
PARENTS = {"LI": {"L"}, "LBody": {"LI"}, "TR": {"Table"}, "TH": {"TR"}, "TD": {"TR"}, "TOCI": {"TOC"}}
PAINTS = {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "sh", "Do", "Tj", "TJ", "'", '"', "EI", "INLINE IMAGE"}
PLAIN_ENCODINGS = {"/WinAnsiEncoding", "/MacRomanEncoding"}


def problems(path: Path) -> list[str]:
    """Return all problems in the structure of a tagged PDF."""
    with pikepdf.open(path) as pdf:
        return list(Reading(pdf).problems())


def tagged_text(path: Path, *, generated: bool = True) -> list[str]:
    """Return the words of a tagged PDF in the order of its tags, a string for each paragraph, cell, heading...

    Without `generated`, omit bullets, numbers, contents, and the marks of footnotes and of named notes.
    """
    with pikepdf.open(path) as pdf:
        reading = Reading(pdf)
        parts = reading.blocks(generated=generated)
        return [text for text in (" ".join("".join(part).split()) for part in parts) if text]


@dataclass
class Element:
    """A structure element with its kind and parent; its children are elements or content, as page and mark."""

    kind: str
    obj: Any
    parent: "Element | None"
    children: "list[Element | tuple[int, int] | Any]" = field(default_factory=list)

    def walk(self) -> "Iterator[Element]":
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()


@dataclass
class Content:
    """The text of each mark on a page, and problems with the marks."""

    texts: dict[int, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


class Reading:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.pages = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
        self.contents = [_content(page) for page in pdf.pages]
        self.root: Element | None = None
        if "/StructTreeRoot" in pdf.Root:
            kids = _as_list(pdf.Root.StructTreeRoot.get("/K"))
            self.root = self._element(kids[0], None) if kids else None

    def _element(self, obj: Any, parent: Element | None) -> Element:
        made = Element(str(obj.S)[1:], obj, parent)
        for kid in _as_list(obj.get("/K")):
            if isinstance(kid, int):
                made.children.append((self.pages[obj.Pg.objgen], kid))
            elif kid.get("/Type") == Name.MCR:
                made.children.append((self.pages[kid.get("/Pg", obj.get("/Pg")).objgen], int(kid.MCID)))
            elif kid.get("/Type") == Name.OBJR:
                made.children.append(kid.Obj)
            else:
                made.children.append(self._element(kid, made))
        return made

    def blocks(self, *, generated: bool) -> Iterator[list[str]]:
        part: list[str] = []
        stack: list[Any] = [self.root]
        while stack:
            item = stack.pop()
            if isinstance(item, Element) and not generated and _is_generated(item):
                continue
            if item is None or (isinstance(item, Element) and item.kind not in INLINE):
                yield part
                part = []
            if isinstance(item, Element):
                stack += [None] if item.kind not in INLINE else []
                stack += reversed(item.children)
            elif isinstance(item, tuple):
                part.append(self.contents[item[0]].texts.get(item[1], ""))
        yield part

    def problems(self) -> Iterator[str]:
        yield from self._about_the_file()
        for number, content in enumerate(self.contents, 1):
            yield from (f"page {number}: {problem}" for problem in content.problems)
        if self.root is None:
            yield "there is no structure"
            return
        elements = list(self.root.walk())
        yield from self._marks(elements)
        yield from self._annotations(elements)
        yield from _headings(elements)
        yield from _tables(elements)
        yield from _elements(elements)
        yield from self._fonts()

    def _about_the_file(self) -> Iterator[str]:
        root, info = self.pdf.Root, self.pdf.docinfo
        if not root.get("/MarkInfo", {}).get("/Marked", False):
            yield "not marked as tagged"
        if not str(root.get("/Lang", "")):
            yield "no language"
        if not root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False):
            yield "the title is not shown"
        title = str(info.get("/Title", ""))
        with self.pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
            if not title or xmp.get("dc:title") != title:
                yield "no title, or two"
            claims = [xmp.get(name) for name in ("pdfuaid:part", "pdfaid:part", "pdfaid:conformance")]
        if claims != ["1", "2", "A"]:
            yield f"claims {claims}"
        if not any(intent.S == Name.GTS_PDFA1 for intent in root.get("/OutputIntents", [])):
            yield "no colour profile"

    def _marks(self, elements: list[Element]) -> Iterator[str]:
        tree = self._parents()
        used = Counter((mark, element.obj.objgen) for element in elements for mark in _own_content(element))
        drawn = {(page, mark) for page, content in enumerate(self.contents) for mark in content.texts}
        owners = dict(used.elements())
        for mark in drawn - set(owners):
            yield f"page {mark[0] + 1}: mark {mark[1]} is in no tag"
        for mark in set(owners) - drawn:
            yield f"page {mark[0] + 1}: mark {mark[1]} is not drawn"
        for mark, count in Counter(mark for mark, _ in used.elements()).items():
            if count > 1:
                yield f"page {mark[0] + 1}: mark {mark[1]} is in {count} tags"
        for number, page in enumerate(self.pdf.pages):
            yield from self._of_page(number, page.obj, tree, owners)

    def _of_page(self, number: int, page: Any, tree: dict[int, Any], owners: dict[Any, Any]) -> Iterator[str]:
        if page.get("/Tabs") != Name.S:
            yield f"page {number + 1}: the tab order is not the structure's"
        known = _as_list(tree.get(int(page.get("/StructParents", -1))))
        for place, mark in sorted(key for key in owners if key[0] == number):
            if mark >= len(known) or known[mark].objgen != owners[place, mark]:
                yield f"page {number + 1}: the parent tree does not know mark {mark}"

    def _parents(self) -> dict[int, Any]:
        nums = list(self.pdf.Root.StructTreeRoot.ParentTree.Nums)
        return {int(key): value for key, value in zip(nums[::2], nums[1::2], strict=True)}

    def _annotations(self, elements: list[Element]) -> Iterator[str]:
        tree = self._parents()
        held = {
            child.objgen: element
            for element in elements
            for child in element.children
            if not isinstance(child, Element | tuple)
        }
        for number, page in enumerate(self.pdf.pages, 1):
            for annotation in page.get("/Annots", []):
                kind = str(annotation.Subtype)[1:]
                where = f"page {number}: a {kind}"
                element = held.get(annotation.objgen)
                if element is None or element.kind != {"Widget": "Form"}.get(kind, kind):
                    yield f"{where} is in no tag of its kind"
                elif tree[int(annotation.get("/StructParent", -1))].objgen != element.obj.objgen:
                    yield f"{where} is not in the parent tree"
                if int(annotation.get("/F", 0)) & 0b110 != 0b100:
                    yield f"{where} is not printed"
                if not str(annotation.get("/TU" if kind == "Widget" else "/Contents", "")).strip():
                    yield f"{where} says nothing"

    def _fonts(self) -> Iterator[str]:
        for name, font in _fonts(self.pdf).items():
            if name == "/ZapfDingbats":  # for viewers that draw a tick anew; nothing on the sheet uses it
                continue
            descriptor = font.get("/DescendantFonts", [font])[0].get("/FontDescriptor")
            if descriptor is None or "/FontFile2" not in descriptor:
                yield f"{name} is not embedded"
            if "/ToUnicode" not in font and not _says_its_letters(font.get("/Encoding", "")):
                yield f"{name} does not say what its letters are"


def _says_its_letters(encoding: Any) -> bool:
    """Return whether an encoding is a standard one, or differs by names that are in Adobe's glyph list."""
    if not isinstance(encoding, pikepdf.Dictionary):
        return str(encoding) in PLAIN_ENCODINGS
    names = [str(item) for item in encoding.get("/Differences", []) if isinstance(item, pikepdf.Name)]
    return _says_its_letters(encoding.get("/BaseEncoding", "")) and all(toUnicode(name[1:]) for name in names)


def _is_generated(element: Element) -> bool:
    links = [child for child in element.children if not isinstance(child, Element | tuple)]
    marks = any(re.match("Footnote |Note ", str(link.get("/Contents", ""))) for link in links)
    contents = any(isinstance(child, Element) and child.kind == "TOC" for child in element.children)
    return element.kind == "Lbl" or marks or contents


def _own_content(element: Element) -> list[tuple[int, int]]:
    return [child for child in element.children if isinstance(child, tuple)]


def _headings(elements: list[Element]) -> Iterator[str]:
    last = 0
    for element in elements:
        if not re.fullmatch(r"H[1-6]", element.kind):
            continue
        level = int(element.kind[1])
        if level > last + 1:
            yield f"H{level} comes after H{last}"
        last = level


def _tables(elements: list[Element]) -> Iterator[str]:
    for element in elements:
        if element.kind == "TH" and "/Scope" not in element.obj.get("/A", {}):
            yield "a heading cell does not say of what"
        if element.kind != "Table":
            continue
        widths: Counter[int] = Counter()
        rows = [child for child in element.children if isinstance(child, Element)]
        for number, row in enumerate(rows):
            for cell in (child for child in row.children if isinstance(child, Element)):
                about = cell.obj.get("/A", {})
                for below in range(int(about.get("/RowSpan", 1))):
                    widths[number + below] += int(about.get("/ColSpan", 1))
        if len(set(widths.values())) > 1 or len(widths) != len(rows):
            yield f"a table has rows of {sorted(set(widths.values()))} cells"


def _elements(elements: list[Element]) -> Iterator[str]:
    notes = Counter(str(element.obj.get("/ID", "")) for element in elements if element.kind == "Note")
    if notes and (notes[""] or max(notes.values()) > 1):
        yield "a footnote has no name of its own"
    for element in elements:
        parent = element.parent.kind if element.parent else ""
        if element.kind in PARENTS and parent not in PARENTS[element.kind]:
            yield f"{element.kind} in {parent}"
        if element.kind == "Figure" and not str(element.obj.get("/Alt", "")).strip():
            yield "a picture without words"
        if not isinstance(element.obj.get("/P"), pikepdf.Dictionary):
            yield f"{element.kind} does not know what it is in"


def _content(page: Any) -> Content:
    found = Content()
    letters = {str(name): letters_of(font) for name, font in page.Resources.get("/Font", {}).items()}
    inside: list[int | None] = []
    font = ""
    meant = 0
    for step in pikepdf.parse_content_stream(page):
        operator = str(step.operator)
        if operator == "BDC" and str(step.operands[0]) == "/Span":  # other words are meant than those that are drawn
            meant = len(inside) + 1
            inside.append(inside[-1])
            if inside[-1] is not None:
                found.texts[inside[-1]] += str(step.operands[1].ActualText)
        elif operator in {"BDC", "BMC"}:
            inside.append(_mark(step.operands, found, nested=bool(inside)))
        elif operator == "EMC":
            meant = 0 if len(inside) == meant else meant
            inside.pop()
        elif operator == "Tf":
            font = str(step.operands[0])
        elif operator in PAINTS:
            if not inside:
                found.problems.append(f"{operator} is neither content nor decoration")
            if operator == "Tj" and not meant and inside and inside[-1] is not None:
                found.texts[inside[-1]] += "".join(letters[font].get(c, "\ufffd") for c in bytes(step.operands[0]))
    if inside:
        found.problems.append("a mark is not closed")
    return found


def _mark(operands: Any, found: Content, *, nested: bool) -> int | None:
    """Return the number of a mark that begins, or None for an artifact."""
    if nested:
        found.problems.append(f"{operands[0]} begins inside another mark")
    if str(operands[0]) == "/Artifact":
        return None
    mark = int(operands[1].MCID)
    if mark in found.texts:
        found.problems.append(f"mark {mark} is there twice")
    found.texts.setdefault(mark, "")
    return mark


def letters_of(font: Any) -> dict[int, str]:
    """Return the letters for each code of a one-byte font, from its ToUnicode table."""
    found: dict[int, str] = {}
    table = font.ToUnicode.read_bytes().decode("latin-1") if "/ToUnicode" in font else ""
    for block in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        found |= {int(code, 16): _utf16(text) for code, text in re.findall(r"<(\w+)>\s*<(\w+)>", block)}
    for block in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for first, last, texts in re.findall(r"<(\w+)>\s*<(\w+)>\s*\[(.*?)\]", block, re.DOTALL):
            codes = range(int(first, 16), int(last, 16) + 1)
            found |= dict(zip(codes, map(_utf16, re.findall(r"<(\w+)>", texts)), strict=False))
        for first, last, text in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            for code in range(int(first, 16), int(last, 16) + 1):
                found[code] = chr(int(text, 16) + code - int(first, 16))
    return found


def _utf16(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-16-be")


def _fonts(pdf: pikepdf.Pdf) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for page in pdf.pages:
        found |= {str(font.BaseFont): font for _, font in page.Resources.get("/Font", {}).items()}
    for _, font in pdf.Root.get("/AcroForm", {}).get("/DR", {}).get("/Font", {}).items():
        found[str(font.BaseFont)] = font
    return found


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, pikepdf.Array) else [value]
