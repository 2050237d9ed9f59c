"""The last touch by pikepdf, for what ReportLab cannot write: fields, rare letters, sheets of finished pages."""

import re
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, ObjectStreamMode, Pdf, String

from vaultkit.sheets.pdf.acroform import add_fields
from vaultkit.sheets.pdf.forms import PlacedField
from vaultkit.sheets.pdf.metadata import Metadata, seal


def finish(data: bytes, metadata: Metadata, fields: Sequence[PlacedField] = ()) -> bytes:
    """The file to write, the same bytes for the same input.

    `data` are its pages, with the structure and a widget for each field if they have one.
    """
    with pikepdf.open(BytesIO(data)) as pdf:
        write_letters(pdf)
        add_fields(pdf, fields)
        _describe(pdf, metadata)
        made = BytesIO()
        pdf.save(
            made, min_version="1.7", deterministic_id=True, object_stream_mode=ObjectStreamMode.generate,
            fix_metadata_version=False,
        )  # fmt: skip
    return seal(made.getvalue())


def _describe(pdf: Pdf, metadata: Metadata) -> None:
    info = {f"/{key}": String(value) for key, value in metadata.info.items()}
    pdf.trailer.Info = pdf.make_indirect(Dictionary(info))
    packet = pdf.make_stream(metadata.packet())
    packet.Type, packet.Subtype = Name.Metadata, Name.XML
    pdf.Root.Metadata = packet
    pdf.Root.Lang = String(metadata.language)


_BEYOND = re.compile(rb"(?<=> <)[0-9A-F]{5,6}(?=>)")


def write_letters(pdf: Pdf) -> None:
    """Writes letters beyond the first 65,536 of Unicode as PDF has them: two numbers of UTF-16 each."""
    for font in _fonts(pdf).values():
        table = font.ToUnicode.read_bytes()
        right = _BEYOND.sub(_pair, table)
        if right != table:
            font.ToUnicode.write(right)


def _fonts(pdf: Pdf) -> dict[tuple[int, int], Any]:
    found: dict[tuple[int, int], Any] = {}
    for page in pdf.pages:
        fonts = page.obj.get("/Resources", Dictionary()).get("/Font", Dictionary())
        found |= {font.objgen: font for font in fonts.values() if "/ToUnicode" in font}
    return found


def _pair(code: "re.Match[bytes]") -> bytes:
    return chr(int(code[0], 16)).encode("utf-16-be").hex().upper().encode()
