"""The metadata of a PDF: title, producer and standards, equal in the information dictionary and the XMP packet."""

import hashlib
from functools import cache
from html import escape

import msgspec

from vaultkit import resources

CREATOR = "vaultkit"
PRODUCER = "vaultkit with ReportLab and pikepdf"
SEAL = b"urn:vaultkit:"
"""The prefix of the seal: a digest of the whole file as written, computed with zeros in place of the digest."""

_DIGITS = 64
_BLANK = b"0" * _DIGITS


class Metadata(msgspec.Struct, frozen=True):
    """The metadata of a document. `language` is a tag such as `en`; `tagged` claims PDF/UA-1 and PDF/A-2a."""

    title: str
    subject: str
    language: str = "en"
    tagged: bool = True

    @property
    def info(self) -> dict[str, str]:
        """The entries of the PDF information dictionary, without a date."""
        return {"Title": self.title, "Subject": self.subject, "Creator": CREATOR, "Producer": PRODUCER}

    def packet(self) -> bytes:
        """Return the XMP packet with a blank seal; a tagged file claims the standards it conforms to."""
        words = {"title": _either(self.title), "subject": _either(self.subject), "language": escape(self.language)}
        claims = _shipped("standards").replace("\n", "") if self.tagged else ""
        made = {"creator": CREATOR, "producer": PRODUCER, "seal": (SEAL + _BLANK).decode(), "claims": claims}
        return _shipped("packet").format(mark="\ufeff", **words, **made).encode()


@cache
def _shipped(name: str) -> str:
    return resources.read_text(resources.shipped("print") / "pdf" / f"{name}.xml").rstrip()


def seal(data: bytearray) -> bytearray:
    """Write the file's digest into the blank seal of its XMP packet; return the same bytearray."""
    start = _place(data)
    data[start : start + _DIGITS] = _digest(data, start)
    return data


def is_sealed(data: bytes) -> bool:
    """Return whether the file has a seal and not one byte has changed since `seal`."""
    start = _place(data)
    return start >= 0 and data[start : start + _DIGITS] == _digest(data, start)


def was_sealed(data: bytes) -> bool:
    """Return whether vaultkit made this PDF, even if the file was changed later."""
    return data.startswith(b"%PDF-") and _place(data) >= 0


def _place(data: bytes | bytearray) -> int:
    """Return the offset of the first digit of the seal, or -1 if there is no seal."""
    found = data.find(SEAL)
    return -1 if found < 0 else found + len(SEAL)


def _digest(data: bytes | bytearray, start: int) -> bytes:
    """Return the hexadecimal SHA-256 digest of `data`, computed with a blank seal at `start`."""
    made = hashlib.sha256(memoryview(data)[:start])
    made.update(_BLANK)
    made.update(memoryview(data)[start + _DIGITS :])
    return made.hexdigest().encode()


def _either(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'
