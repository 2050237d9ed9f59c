"""A PDF's words about itself: title, maker and standards, the same in both places where they stand."""

import hashlib
from functools import cache
from html import escape

import msgspec

from vaultkit import resources

CREATOR = "vaultkit"
PRODUCER = "vaultkit with ReportLab and pikepdf"
SEAL = b"urn:vaultkit:"
"""Before the seal: a digest of the whole file as it was written, with zeros in place of the digest."""

_DIGITS = 64
_BLANK = b"0" * _DIGITS


class Metadata(msgspec.Struct, frozen=True):
    """A document's own words about itself. `language` is a tag such as `en`; `tagged` claims PDF/UA-1 and PDF/A-2a."""

    title: str
    subject: str
    language: str = "en"
    tagged: bool = True

    @property
    def info(self) -> dict[str, str]:
        """The entries of the old-fashioned information dictionary, and no date."""
        return {"Title": self.title, "Subject": self.subject, "Creator": CREATOR, "Producer": PRODUCER}

    def packet(self) -> bytes:
        """The XMP packet, its seal still blank. The claims are those of the standards that a tagged file keeps."""
        words = {"title": _either(self.title), "subject": _either(self.subject), "language": escape(self.language)}
        claims = _shipped("standards").replace("\n", "") if self.tagged else ""
        made = {"creator": CREATOR, "producer": PRODUCER, "seal": (SEAL + _BLANK).decode(), "claims": claims}
        return _shipped("packet").format(mark="\ufeff", **words, **made).encode()


@cache
def _shipped(name: str) -> str:
    return resources.read_text(resources.shipped("print") / "pdf" / f"{name}.xml").rstrip()


def seal(data: bytearray) -> bytearray:
    """The same file, with its digest in the place that `packet` kept for it."""
    start = _place(data)
    data[start : start + _DIGITS] = _digest(data, start)
    return data


def is_sealed(data: bytes) -> bool:
    """Whether not a byte has changed since `seal`."""
    start = _place(data)
    return start >= 0 and data[start : start + _DIGITS] == _digest(data, start)


def was_sealed(data: bytes) -> bool:
    """Whether we made the PDF, whatever was done to it since."""
    return data.startswith(b"%PDF-") and _place(data) >= 0


def _place(data: bytes | bytearray) -> int:
    """Where the seal's digits begin; -1 if there is none."""
    found = data.find(SEAL)
    return -1 if found < 0 else found + len(SEAL)


def _digest(data: bytes | bytearray, start: int) -> bytes:
    """The digest of `data` with a blank seal."""
    made = hashlib.sha256(memoryview(data)[:start])
    made.update(_BLANK)
    made.update(memoryview(data)[start + _DIGITS :])
    return made.hexdigest().encode()


def _either(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'
