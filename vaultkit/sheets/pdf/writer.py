"""Writing of PDF files from ReportLab's objects without pikepdf: metadata and compressed object streams.

Object streams (PDF 1.5) halve the size of a tagged file.
"""

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from struct import pack
from typing import TYPE_CHECKING, Any

from reportlab.pdfbase.pdfdoc import XMP, PDFArray, PDFDictionary, PDFInfo, PDFName, PDFStream, PDFString, PDFZCompress
from reportlab.pdfbase.pdfdoc import format as formatted

from vaultkit.sheets.pdf.metadata import Metadata
from vaultkit.theme import reportlab_private

if TYPE_CHECKING:
    from vaultkit.sheets.pdf.forms import PlacedField

PDF_VERSION = 1, 7
_MAX_BMP_CODE = 0xFFFF
"""The last code point without a surrogate pair; others require `postprocess.fix_surrogate_pairs`."""

_HEADER = b"%%PDF-%d.%d\n%%\xbf\xf7\xa2\xfe\n"
_STREAM_ENDS = b"endstream\n"
_OBJECTS_PER_STREAM = 200
"""The number of objects in one stream; a viewer that needs one of them decompresses all."""
_FREE, _UNCOMPRESSED, _COMPRESSED = 0, 1, 2
"""The types of cross-reference entries, as numbered by the PDF standard."""


def can_write_alone(canvas: Any, fields: "Sequence[PlacedField]") -> bool:
    """Return whether the file needs no postprocessing with pikepdf, apart from its seal."""
    document = reportlab_private.pdf_document(canvas)
    letters = (letter for face in document.delayedFonts for letter in face.state[document].assignments)
    return not (fields or any(letter > _MAX_BMP_CODE for letter in letters))


def add_metadata(canvas: Any, metadata: Metadata) -> None:
    """Add metadata with a blank seal to the canvas's document before it is written."""
    document = reportlab_private.pdf_document(canvas)
    reportlab_private.set_pdf_version(document, PDF_VERSION)
    document.info = _Info(metadata.info)
    document.Catalog.Lang = PDFString(metadata.language)
    document.Catalog.Metadata = XMP(creator=lambda _: metadata.packet())
    if metadata.tagged:
        _add_profile(document.Catalog)


def _add_profile(catalog: Any) -> None:
    """Add an output intent to the catalog that declares sRGB as the document's colour space."""
    profile = PDFStream(PDFDictionary({"N": 3}), _srgb_profile(), [PDFZCompress])
    profile_name = PDFString("sRGB IEC61966-2.1")
    entries = {"Type": PDFName("OutputIntent"), "S": PDFName("GTS_PDFA1"), "OutputConditionIdentifier": profile_name}
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([PDFDictionary(entries | {"Info": profile_name, "DestOutputProfile": profile})])


@lru_cache(maxsize=1)
def _srgb_profile() -> bytes:
    """Return the sRGB profile without its creation time."""
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile[:24] + bytes(12) + profile[36:]


class _Info(PDFInfo):  # type: ignore[misc]
    def __init__(self, words: dict[str, str]) -> None:
        super().__init__()
        self.words = words

    def format(self, document: Any) -> Any:
        return PDFDictionary({key: PDFString(value) for key, value in self.words.items()}).format(document)


def serialize(document: Any) -> bytearray:
    """Return the bytes of ReportLab's `document`, whose fonts and outline are ready.

    The same objects give the same bytes. Each object is released as soon as it is written, because the pictures of a
    deck take megabytes.
    """
    root, info = document.Reference(document.Catalog), document.Reference(document.info)
    file = _FileBuffer(_HEADER % reportlab_private.pdf_version(document))
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
        self.add_object(
            stream_number,
            _make_stream(b"/Type /ObjStm /N %d /First %d" % (len(objects), len(head)), head + b"".join(codes)),
        )

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
    return b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\n" % (
        dictionary_entries,
        len(packed),
        packed,
    )
