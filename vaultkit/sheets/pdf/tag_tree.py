"""Writing of a tagged PDF's structure tree, which says what is a heading, a table cell or a link."""

from collections import defaultdict
from typing import Any

from reportlab.pdfbase.pdfdoc import Annotation as ReportLabAnnotation
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString

from vaultkit.sheets.pdf.tags import Annotation, MarkedPiece, Tag

_PRINT_FLAG = 4
_PAGE_KEYS = ("StructParents", "Tabs")
"""The keys of page dictionaries that ReportLab does not write by default."""


class StructureWriter:
    """A writer that adds a structure tree to ReportLab's `document`, and links to it to the pages and annotations."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.pages = document.Pages.pages
        self.places = [document.Reference(page) for page in self.pages]
        self.marks: dict[int, dict[int, Any]] = defaultdict(dict)
        self.annotations: list[Any] = []
        self.note_ids: list[Any] = []

    def write(self, structure: Tag) -> None:
        """Add the structure tree with the root `structure`; call this once for each document."""
        root = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        root_reference = self.document.Reference(root)
        root["K"] = PDFArray([self._add_element(structure, root_reference)])
        root["ParentTree"] = self.document.Reference(PDFDictionary({"Nums": self._parent_tree_numbers()}))
        root["ParentTreeNextKey"] = len(self.pages) + len(self.annotations)
        if self.note_ids:
            root["IDTree"] = self.document.Reference(PDFDictionary({"Names": PDFArray(self.note_ids)}))
        self.document.Catalog.StructTreeRoot = root_reference
        self.document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})

    def _add_element(self, tag: Tag, parent: Any) -> Any:
        element = PDFDictionary({"Type": PDFName("StructElem"), "S": PDFName(tag.kind), "P": parent})
        reference = self.document.Reference(element)
        self._add_properties(tag, element, reference)
        page = next((child.page for child in tag.children if not isinstance(child, Tag)), None)
        if page is not None:
            element["Pg"] = self.places[page]
        children = [self._make_kid(child, tag, reference, page) for child in tag.children]
        if children:
            element["K"] = PDFArray(children)
        return reference

    def _add_properties(self, tag: Tag, element: Any, reference: Any) -> None:
        if tag.alt and tag.kind != "Link":
            element["Alt"] = PDFString(tag.alt)
        if tag.title:
            element["T"] = PDFString(tag.title)
        attributes = _attributes(tag)
        if attributes:
            element["A"] = PDFDictionary(attributes)
        if tag.kind == "Note":
            element["ID"] = PDFString(f"note-{len(self.note_ids) // 2 + 1:04}")
            self.note_ids += [element["ID"], reference]

    def _make_kid(
        self, child: Tag | MarkedPiece | Annotation, tag: Tag, parent_reference: Any, page: int | None
    ) -> Any:
        if isinstance(child, Tag):
            return self._add_element(child, parent_reference)
        if isinstance(child, Annotation):
            return self._add_annotation(child, tag, parent_reference)
        self.marks[child.page][child.mark] = parent_reference
        if child.page == page:
            return child.mark
        return PDFDictionary({"Type": PDFName("MCR"), "Pg": self.places[child.page], "MCID": child.mark})

    def _add_annotation(self, child: Annotation, tag: Tag, parent_reference: Any) -> Any:
        annotation = self.pages[child.page].Annots[child.place]
        dictionary = self._annotation_dictionary(annotation.name)
        dictionary["StructParent"] = len(self.pages) + len(self.annotations)
        dictionary["F"] = _PRINT_FLAG
        if dictionary["Subtype"] == PDFName("Link") and tag.alt:
            dictionary["Contents"] = PDFString(tag.alt)
        self.annotations.append(parent_reference)
        return PDFDictionary({"Type": PDFName("OBJR"), "Obj": annotation, "Pg": self.places[child.page]})

    def _annotation_dictionary(self, name: str) -> Any:
        """Return the dictionary of an annotation, which replaces ReportLab's object and accepts any key."""
        objects = self.document.idToObject
        if isinstance(objects[name], ReportLabAnnotation):
            objects[name] = objects[name].Dict()
        return objects[name]

    def _parent_tree_numbers(self) -> Any:
        """Return the numbers of the parent tree: the elements of each page by mark, then that of each annotation."""
        nums: list[Any] = []
        for number, page in enumerate(self.pages):
            page.__NoDefault__ = [*page.__NoDefault__, *_PAGE_KEYS]
            page.StructParents, page.Tabs = number, PDFName("S")
            marks = self.marks[number]
            nums += [number, PDFArray([marks[mark] for mark in sorted(marks)])]
        for number, element in enumerate(self.annotations, len(self.pages)):
            nums += [number, element]
        return PDFArray(nums)


def _attributes(tag: Tag) -> dict[str, Any]:
    """Return the attributes of a tag: the ones of a table cell, a list or a picture, or {} for other tags."""
    cell = _cell_attributes(tag)
    if cell:
        return {"O": PDFName("Table")} | cell
    if tag.numbering:
        return {"O": PDFName("List"), "ListNumbering": PDFName(tag.numbering)}
    if tag.box:
        box = PDFArray([round(n, 2) for n in tag.box])
        return {"O": PDFName("Layout"), "BBox": box, "Placement": PDFName("Block")}
    return {}


def _cell_attributes(tag: Tag) -> dict[str, Any]:
    """Return the attributes of a table cell: its scope as a heading, and how many rows and columns it spans."""
    attributes: dict[str, Any] = {"Scope": PDFName(tag.scope)} if tag.scope else {}
    spans = {"RowSpan": tag.rows, "ColSpan": tag.columns}
    return attributes | {key: count for key, count in spans.items() if count > 1}
