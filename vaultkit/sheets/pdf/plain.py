"""What a file says of itself, and which files ReportLab writes alone, without pikepdf: those without fields."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from reportlab.pdfbase.pdfdoc import XMP, PDFArray, PDFDictionary, PDFInfo, PDFName, PDFStream, PDFString, PDFZCompress

from vaultkit.sheets.pdf.forms import PlacedField
from vaultkit.sheets.pdf.metadata import Metadata

VERSION = 1, 7
_LAST = 0xFFFF
"""Letters beyond need `letters.write_letters`."""


def suffices(canvas: Any, fields: Sequence[PlacedField]) -> bool:
    """Whether what ReportLab makes of the pages needs no more than a seal."""
    return not (fields or any(letter > _LAST for letter in _letters(canvas)))


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
    if metadata.tagged:
        _add_profile(document.Catalog)


def _add_profile(catalog: Any) -> None:
    """Says which red, green and blue are meant."""
    profile = PDFStream(PDFDictionary({"N": 3}), _srgb(), [PDFZCompress])
    name = PDFString("sRGB IEC61966-2.1")
    words = {"Type": PDFName("OutputIntent"), "S": PDFName("GTS_PDFA1"), "OutputConditionIdentifier": name}
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([PDFDictionary(words | {"Info": name, "DestOutputProfile": profile})])


@lru_cache(maxsize=1)
def _srgb() -> bytes:
    """The sRGB profile, without the time at which it was made."""
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile[:24] + bytes(12) + profile[36:]


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
