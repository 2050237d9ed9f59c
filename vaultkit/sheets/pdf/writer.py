"""Writing of PDF files from ReportLab's objects: metadata, structure trees, compressed object streams.

The structure tree of a tagged PDF says what is a heading, a table cell or a link. Object streams (PDF 1.5) halve the
size of a tagged file.
"""

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Iterator
from struct import pack
from typing import Any

from reportlab.pdfbase.pdfdoc import XMP, PDFArray, PDFDictionary, PDFName, PDFStream, PDFString, PDFZCompress
from reportlab.pdfbase.pdfdoc import Annotation as ReportLabAnnotation
from reportlab.pdfbase.pdfdoc import format as formatted

from vaultkit import files, resources
from vaultkit.sheets.pdf.output_file import Metadata
from vaultkit.sheets.pdf.tags import Annotation, MarkedPiece, Tag
from vaultkit.theme import reportlab_private

_HEADER = b"%PDF-1.7\n%\xbf\xf7\xa2\xfe\n"
_STREAM_ENDS = b"endstream\n"
_OBJECTS_PER_STREAM = 200
"""The number of objects in one stream; a viewer that needs one of them decompresses all."""
_FREE, _UNCOMPRESSED, _COMPRESSED = 0, 1, 2
"""The types of cross-reference entries, as numbered by the PDF standard."""


_PRINT_FLAG = 4
_PAGE_KEYS = ("StructParents", "Tabs")
"""The keys of page dictionaries that ReportLab does not write by default."""


def add_metadata(canvas: Any, metadata: Metadata) -> None:
    """Add metadata with a blank seal to the canvas's document before it is written."""
    document = reportlab_private.pdf_document(canvas)
    info = PDFDictionary({key: PDFString(value) for key, value in metadata.info.items()})
    document.info.format = info.format  # without a date
    document.Catalog.Lang = PDFString(metadata.language)
    document.Catalog.Metadata = XMP(creator=lambda _: metadata.packet())
    if metadata.tagged:
        _add_profile(document.Catalog)


def _add_profile(catalog: Any) -> None:
    """Add an output intent to the catalog that declares sRGB as the document's colour space."""
    profile_data = files.read(resources.shipped_folder("print") / "pdf" / "srgb.icc")
    profile = PDFStream(PDFDictionary({"N": 3}), profile_data, [PDFZCompress])
    profile_name = PDFString("sRGB IEC61966-2.1")
    entries = {"Type": PDFName("OutputIntent"), "S": PDFName("GTS_PDFA1"), "OutputConditionIdentifier": profile_name}
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([PDFDictionary(entries | {"Info": profile_name, "DestOutputProfile": profile})])


def serialize(document: Any) -> bytearray:
    """Return the bytes of ReportLab's `document`, whose fonts and outline are ready.

    The same objects give the same bytes. Each object is released as soon as it is written, because the pictures of a
    deck take megabytes.
    """
    root, info = document.Reference(document.Catalog), document.Reference(document.info)
    file = _FileBuffer(_HEADER)
    plain_objects = []
    for number, code in _serialize_objects(document):
        if code.endswith(_STREAM_ENDS):
            file.add_object(number, memoryview(code)[: -len(_STREAM_ENDS)], b"\n" + _STREAM_ENDS)
        else:
            plain_objects.append((number, code))
    last_number = len(document.numberToId)
    for start in range(0, len(plain_objects), _OBJECTS_PER_STREAM):
        last_number += 1
        file.add_object_stream(last_number, plain_objects[start : start + _OBJECTS_PER_STREAM])
    file.write_xref(last_number + 1, b"/Root %s /Info %s" % (formatted(root, document), formatted(info, document)))
    return file.data


def _serialize_objects(document: Any) -> Iterator[tuple[int, bytes]]:
    """Yield the number and code of each object once, including objects that are added while others are formatted."""
    number = 1
    while number in document.numberToId:
        name = document.numberToId[number]
        code = formatted(document.idToObject[name], document, toplevel=1)
        document.idToObject[name] = None
        yield number, code
        number += 1


class _FileBuffer:
    """The bytes of a file that is being written, and the positions of the objects in it."""

    def __init__(self, header: bytes) -> None:
        self.data = bytearray(header)
        self._xref_entries = {0: (_FREE, 0, 0xFFFF)}

    def add_object(self, number: int, *code: bytes | memoryview) -> None:
        self._xref_entries[number] = _UNCOMPRESSED, len(self.data), 0
        for piece in (b"%d 0 obj\n" % number, *code, b"endobj\n"):
            self.data += piece

    def add_object_stream(self, stream_number: int, objects: list[tuple[int, bytes]]) -> None:
        """Add an object stream with the number `stream_number`: an index of numbers and offsets, then the objects."""
        index_entries, codes, length = [], [], 0
        for object_index, (number, code) in enumerate(objects):
            self._xref_entries[number] = _COMPRESSED, stream_number, object_index
            index_entries.append(b"%d %d" % (number, length))
            codes.append(code.rstrip(b"\n") + b"\n")
            length += len(codes[-1])
        head = b" ".join(index_entries) + b"\n"
        entries = b"/Type /ObjStm /N %d /First %d" % (len(objects), len(head))
        self.add_object(stream_number, _make_stream(entries, head + b"".join(codes)))

    def write_xref(self, xref_number: int, trailer: bytes) -> None:
        """Add the cross-reference stream as object `xref_number`, and end the file.

        The file's id is a digest of all bytes before the stream.
        """
        start = len(self.data)
        self._xref_entries[xref_number] = _UNCOMPRESSED, start, 0
        table = b"".join(pack(">BIH", *self._xref_entries[number]) for number in range(xref_number + 1))
        digest = hashlib.sha256(self.data).hexdigest()[:32].encode()
        dictionary = b"/Type /XRef /Size %d /W [1 4 2] %s /ID [<%s> <%s>]" % (xref_number + 1, trailer, digest, digest)
        self.add_object(xref_number, _make_stream(dictionary, table))
        self.data += b"startxref\n%d\n%%%%EOF\n" % start


def _make_stream(dictionary_entries: bytes, data: bytes) -> bytes:
    packed = zlib.compress(data)
    head = b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n" % (dictionary_entries, len(packed))
    return b"%s%s\nendstream\n" % (head, packed)


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
        if tag.actual:
            element["ActualText"] = PDFString(tag.actual)
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
        if dictionary["Subtype"] == PDFName("Widget"):
            dictionary["P"] = self.places[child.page]
        elif tag.alt:
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
    scope: dict[str, Any] = {"Scope": PDFName(tag.scope)} if tag.scope else {}
    spans = {"RowSpan": tag.rows, "ColSpan": tag.columns}
    if cell := scope | {key: count for key, count in spans.items() if count > 1}:
        return {"O": PDFName("Table")} | cell
    if tag.numbering:
        return {"O": PDFName("List"), "ListNumbering": PDFName(tag.numbering)}
    if tag.box:
        box = PDFArray([round(n, 2) for n in tag.box])
        return {"O": PDFName("Layout"), "BBox": box, "Placement": PDFName("Block")}
    return {}
