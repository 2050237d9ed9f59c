"""Files without structure and fields, such as decks to cut: ReportLab writes them alone, and pikepdf is not loaded."""

from collections.abc import Sequence
from typing import Any

from reportlab.pdfbase.pdfdoc import XMP, PDFDictionary, PDFInfo, PDFString

from vaultkit.sheets.pdf.forms import PlacedField
from vaultkit.sheets.pdf.metadata import Metadata

VERSION = 1, 7
_LAST = 0xFFFF
"""Letters beyond need `letters.write_letters`."""


def suffices(canvas: Any, metadata: Metadata, fields: Sequence[PlacedField]) -> bool:
    """Whether what ReportLab makes of the pages needs no more than a seal."""
    return not (metadata.tagged or fields or any(letter > _LAST for letter in _letters(canvas)))


def _letters(canvas: Any) -> set[int]:
    """The codes of all letters drawn so far."""
    document = canvas._doc
    return {letter for face in document.delayedFonts for letter in face.state[document].assignments}


def describe(canvas: Any, metadata: Metadata) -> None:
    """Puts into the file, before it is made, what it says of itself; the seal is still blank."""
    document = canvas._doc
    document._pdfVersion = VERSION
    document.info = _Info(metadata)
    document.Catalog.Lang = PDFString(metadata.language)
    document.Catalog.Metadata = XMP(creator=lambda _: metadata.packet())


class _Info(PDFInfo):  # type: ignore[misc]
    """The document's four words about itself, and no date."""

    def __init__(self, metadata: Metadata) -> None:
        super().__init__()
        self.title, self.subject = metadata.title, metadata.subject
        self.creator, self.producer = metadata.creator, metadata.producer

    def format(self, document: Any) -> Any:
        """The dictionary as it stands in the file."""
        words = {"Title": self.title, "Subject": self.subject, "Creator": self.creator, "Producer": self.producer}
        return PDFDictionary({key: PDFString(value) for key, value in words.items()}).format(document)
