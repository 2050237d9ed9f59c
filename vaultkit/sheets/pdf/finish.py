"""From ReportLab's pages to the file: fields, structure, colour profile and metadata; same input, same bytes."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf, String

from vaultkit.sheets.pdf.acroform import add_fields
from vaultkit.sheets.pdf.forms import PlacedField
from vaultkit.sheets.pdf.letters import write_letters
from vaultkit.sheets.pdf.metadata import Metadata, seal
from vaultkit.sheets.pdf.structure import write_structure
from vaultkit.sheets.pdf.tags import Tag


def finish(data: bytes, metadata: Metadata, structure: Tag, fields: Sequence[PlacedField] = ()) -> bytes:
    """The file to write. `data` is what ReportLab made, `structure` what was recorded while drawing it.

    Without `metadata.tagged` the structure is left out, and no standard is claimed.
    """
    with pikepdf.open(BytesIO(data)) as pdf:
        write_letters(pdf)
        add_fields(pdf, fields)
        if metadata.tagged:
            write_structure(pdf, structure)
            _add_profile(pdf)
        _describe(pdf, metadata)
        made = BytesIO()
        pdf.save(
            made, min_version="1.7", deterministic_id=True, object_stream_mode=ObjectStreamMode.generate,
            fix_metadata_version=False,
        )  # fmt: skip
    return seal(made.getvalue())


def _describe(pdf: Pdf, metadata: Metadata) -> None:
    words = {
        "/Title": metadata.title,
        "/Subject": metadata.subject,
        "/Creator": metadata.creator,
        "/Producer": metadata.producer,
    }
    pdf.trailer.Info = pdf.make_indirect(Dictionary({key: String(value) for key, value in words.items()}))
    packet = pdf.make_stream(metadata.packet())
    packet.Type, packet.Subtype = Name.Metadata, Name.XML
    pdf.Root.Metadata = packet
    pdf.Root.Lang = String(metadata.language)


def _add_profile(pdf: Pdf) -> None:
    profile = pdf.make_stream(_srgb())
    profile.N = 3
    name = String("sRGB IEC61966-2.1")
    pdf.Root.OutputIntents = Array(
        [
            Dictionary(
                Type=Name.OutputIntent, S=Name.GTS_PDFA1, OutputConditionIdentifier=name, Info=name,
                DestOutputProfile=profile,
            )
        ]
    )  # fmt: skip


@lru_cache(maxsize=1)
def _srgb() -> bytes:
    """The sRGB profile, without the time at which it was made."""
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile[:24] + bytes(12) + profile[36:]
