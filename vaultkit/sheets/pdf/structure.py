"""Writes the structure of a tagged PDF into the file: which piece of which page is a heading, a cell, a link."""

from collections import defaultdict
from typing import Any

from pikepdf import Array, Dictionary, Name, Pdf, String

from vaultkit.sheets.pdf.tags import Annotation, Piece, Tag

_PRINTED = 4


def write_structure(pdf: Pdf, structure: Tag) -> None:
    """Adds the tree below the `Document` tag to `pdf`, and to its pages and annotations where they stand in it."""
    _Writer(pdf).write(structure)


class _Writer:
    def __init__(self, pdf: Pdf) -> None:
        self.pdf = pdf
        self.pages = [page.obj for page in pdf.pages]
        self.marks: dict[int, dict[int, Any]] = defaultdict(dict)
        self.annotations: list[Any] = []
        self.named: list[Any] = []

    def write(self, structure: Tag) -> None:
        root = self.pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        root.K = Array([self._element(structure, root)])
        root.ParentTree = self.pdf.make_indirect(Dictionary(Nums=self._parents()))
        root.ParentTreeNextKey = len(self.pages) + len(self.annotations)
        if self.named:
            root.IDTree = self.pdf.make_indirect(Dictionary(Names=Array(self.named)))
        self.pdf.Root.StructTreeRoot = root
        self.pdf.Root.MarkInfo = Dictionary(Marked=True)

    def _element(self, tag: Tag, parent: Any) -> Any:
        element = self.pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name(f"/{tag.kind}"), P=parent))
        self._describe(tag, element)
        page = next((child.page for child in tag.children if not isinstance(child, Tag)), None)
        if page is not None:
            element.Pg = self.pages[page]
        children = [self._child(child, tag, element, page) for child in tag.children]
        if children:
            element.K = Array(children)
        return element

    def _describe(self, tag: Tag, element: Any) -> None:
        if tag.alt and tag.kind != "Link":
            element.Alt = String(tag.alt)
        if tag.title:
            element.T = String(tag.title)
        if tag.scope:
            element.A = Dictionary(O=Name.Table, Scope=Name(f"/{tag.scope}"))
        if tag.numbering:
            element.A = Dictionary(O=Name.List, ListNumbering=Name(f"/{tag.numbering}"))
        if tag.box:
            element.A = Dictionary(O=Name.Layout, BBox=Array([round(n, 2) for n in tag.box]), Placement=Name.Block)
        if tag.kind == "Note":
            element.ID = String(f"note-{len(self.named) // 2 + 1:04}")
            self.named += [element.ID, element]

    def _child(self, child: Tag | Piece | Annotation, tag: Tag, element: Any, page: int | None) -> Any:
        if isinstance(child, Tag):
            return self._element(child, element)
        if isinstance(child, Annotation):
            return self._annotation(child, tag, element)
        self.marks[child.page][child.mark] = element
        if child.page == page:
            return child.mark
        return Dictionary(Type=Name.MCR, Pg=self.pages[child.page], MCID=child.mark)

    def _annotation(self, child: Annotation, tag: Tag, element: Any) -> Any:
        annotation = self.pages[child.page].Annots[child.place]
        annotation.StructParent = len(self.pages) + len(self.annotations)
        annotation.F = _PRINTED
        if annotation.Subtype == Name.Link and tag.alt:
            annotation.Contents = String(tag.alt)
        self.annotations.append(element)
        return Dictionary(Type=Name.OBJR, Obj=annotation, Pg=self.pages[child.page])

    def _parents(self) -> Array:
        """For each page its elements by mark, then for each annotation its element."""
        nums: list[Any] = []
        for number, page in enumerate(self.pages):
            page.StructParents = number
            page.Tabs = Name.S
            marks = self.marks[number]
            nums += [number, Array([marks[mark] for mark in sorted(marks)])]
        for number, element in enumerate(self.annotations, len(self.pages)):
            nums += [number, element]
        return Array(nums)
