"""The metadata of a PDF in its information dictionary and XMP packet, and a seal that shows later changes."""

import hashlib
from functools import cache
from html import escape

import msgspec

from vaultkit import resources

CREATOR = "vaultkit"
PRODUCER = "vaultkit with ReportLab and pikepdf"
SEAL_PREFIX = b"urn:vaultkit:"
"""The prefix of the seal, which is a digest of the whole file, computed with zeros in place of the digest."""

_DIGEST_LENGTH = 64
_BLANK_DIGEST = b"0" * _DIGEST_LENGTH


class Metadata(msgspec.Struct, frozen=True):
    """The metadata of a document; `language` is a tag such as `en`.

    `tagged` documents claim conformance to PDF/UA-1 and PDF/A-2a.
    """

    title: str
    subject: str
    language: str = "en"
    tagged: bool = True

    @property
    def info(self) -> dict[str, str]:
        """The entries of the PDF information dictionary, without a date."""
        return {"Title": self.title, "Subject": self.subject, "Creator": CREATOR, "Producer": PRODUCER}

    def packet(self) -> bytes:
        """Return the XMP packet with a blank seal and, if the document is tagged, claims of conformance."""
        texts = {
            "title": _language_alternative(self.title),
            "subject": _language_alternative(self.subject),
            "language": escape(self.language),
        }
        standards = _read_template("standards").replace("\n", "") if self.tagged else ""
        fields = {
            "creator": CREATOR,
            "producer": PRODUCER,
            "seal": (SEAL_PREFIX + _BLANK_DIGEST).decode(),
            "claims": standards,
        }
        return _read_template("packet").format(mark="\ufeff", **texts, **fields).encode()


@cache
def _read_template(name: str) -> str:
    return resources.read_text(resources.shipped_folder("print") / "pdf" / f"{name}.xml").rstrip()


def seal(data: bytearray) -> bytearray:
    """Write a file's digest into its blank seal; return the same bytearray."""
    start = _find_digest(data)
    data[start : start + _DIGEST_LENGTH] = _digest(data, start)
    return data


def is_sealed(data: bytes) -> bool:
    """Return whether a file has a seal and has not been changed since it was sealed."""
    start = _find_digest(data)
    return start >= 0 and data[start : start + _DIGEST_LENGTH] == _digest(data, start)


def was_sealed(data: bytes) -> bool:
    """Return whether vaultkit made this PDF, even if the file was changed later."""
    return data.startswith(b"%PDF-") and _find_digest(data) >= 0


def _find_digest(data: bytes | bytearray) -> int:
    """Return the offset of the digest in the seal, or -1 if there is no seal."""
    prefix_offset = data.find(SEAL_PREFIX)
    return -1 if prefix_offset < 0 else prefix_offset + len(SEAL_PREFIX)


def _digest(data: bytes | bytearray, start: int) -> bytes:
    """Return the hexadecimal SHA-256 digest of `data`, computed with a blank seal at `start`."""
    sha256 = hashlib.sha256(memoryview(data)[:start])
    sha256.update(_BLANK_DIGEST)
    sha256.update(memoryview(data)[start + _DIGEST_LENGTH :])
    return sha256.hexdigest().encode()


def _language_alternative(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'
