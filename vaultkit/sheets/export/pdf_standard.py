"""A check of finished PDFs against PDF/X-1a:2003 (ISO 15930-4), which some print services require."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pikepdf

PDF_X = "PDF/X-1a:2003"
_VERSION = (1, 4)


def find_standard_faults(data: bytes) -> list[str]:
    """Return short descriptions of what violates PDF/X-1a:2003 in a PDF; colours are not checked here."""
    with pikepdf.open(BytesIO(data)) as pdf:
        return list(_find_faults(pdf))


def _find_faults(pdf: pikepdf.Pdf) -> Iterator[str]:
    info: Any = pdf.trailer.get("/Info", pikepdf.Dictionary())
    if str(info.get("/GTS_PDFXVersion", "")) != PDF_X:
        yield "no mark of PDF/X in its properties"
    if not any(intent.get("/S") == pikepdf.Name.GTS_PDFX for intent in _array_items(pdf.Root.get("/OutputIntents"))):
        yield "no output intent that names the press"
    if info.get("/Trapped") not in (pikepdf.Name("/True"), pikepdf.Name("/False")):
        yield "no word on trapping"
    if tuple(map(int, pdf.pdf_version.split("."))) > _VERSION:
        yield f"PDF {pdf.pdf_version} instead of 1.4"
    if pdf.is_encrypted:
        yield "a password"
    if any(map(_is_transparent, pdf.objects)):
        yield "transparency"
    if any(map(_is_unembedded_font, pdf.objects)):
        yield "fonts that are not embedded"
    if any("/TrimBox" not in page.obj for page in pdf.pages):
        yield "pages without a TrimBox"


def _array_items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, pikepdf.Array) else []


def _is_transparent(item: Any) -> bool:
    if not isinstance(item, pikepdf.Dictionary | pikepdf.Stream):
        return False
    group = item.get("/Group", pikepdf.Dictionary())
    if isinstance(group, pikepdf.Dictionary) and group.get("/S") == pikepdf.Name.Transparency:
        return True
    mask, blend = item.get("/SMask", pikepdf.Name("/None")), item.get("/BM", pikepdf.Name.Normal)
    sees_through = any(float(item.get(key, 1)) < 1 for key in ("/ca", "/CA") if "/Subtype" not in item)
    return mask != pikepdf.Name("/None") or blend not in (pikepdf.Name.Normal, pikepdf.Name.Compatible) or sees_through


def _is_unembedded_font(item: Any) -> bool:
    """Return whether a PDF object describes a font that is not embedded."""
    if not isinstance(item, pikepdf.Dictionary):
        return False
    if item.get("/Type") == pikepdf.Name.FontDescriptor:
        return not any(key in item for key in ("/FontFile", "/FontFile2", "/FontFile3"))
    is_simple_font = item.get("/Subtype") in (pikepdf.Name.Type1, pikepdf.Name.TrueType)
    return item.get("/Type") == pikepdf.Name.Font and is_simple_font and "/FontDescriptor" not in item
