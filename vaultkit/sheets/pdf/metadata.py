"""A PDF's words about itself: title, maker and standards, the same in both places where they stand."""

import hashlib
from dataclasses import dataclass
from html import escape

CREATOR = "vaultkit"
PRODUCER = "vaultkit with ReportLab and pikepdf"
SEAL = b"urn:vaultkit:"
"""Before the seal: a digest of the whole file as it was written, with zeros in place of the digest."""

_DIGITS = 64
_BLANK = b"0" * _DIGITS


@dataclass(frozen=True)
class Metadata:
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
        """The XMP packet, its seal still blank."""
        claims = "<pdfuaid:part>1</pdfuaid:part><pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>"
        return (
            '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
            '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
            '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"'
            ' xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"'
            ' xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"'
            ' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">\n'
            f"<dc:format>application/pdf</dc:format>\n<dc:title>{_either(self.title)}</dc:title>\n"
            f"<dc:description>{_either(self.subject)}</dc:description>\n"
            f"<dc:language><rdf:Bag><rdf:li>{escape(self.language)}</rdf:li></rdf:Bag></dc:language>\n"
            f"<xmp:CreatorTool>{CREATOR}</xmp:CreatorTool>\n"
            f"<pdf:Producer>{PRODUCER}</pdf:Producer>\n"
            f"<xmpMM:DocumentID>{SEAL.decode()}{_BLANK.decode()}</xmpMM:DocumentID>\n"
            f"{_SCHEMA + claims if self.tagged else ''}\n"
            '</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end="r"?>'
        ).encode()


def seal(data: bytes) -> bytes:
    """The file with the digest of itself in the place that `packet` kept for it."""
    start = _place(data)
    return b"".join((data[:start], _digest(data, start), memoryview(data)[start + _DIGITS :]))


def is_sealed(data: bytes) -> bool:
    """Whether not a byte has changed since `seal`."""
    start = _place(data)
    return start >= 0 and data[start : start + _DIGITS] == _digest(data, start)


def _place(data: bytes) -> int:
    """Where the seal's digits begin; -1 if there is none."""
    found = data.find(SEAL)
    return -1 if found < 0 else found + len(SEAL)


def _digest(data: bytes, start: int) -> bytes:
    """The digest of `data` with a blank seal."""
    made = hashlib.sha256(memoryview(data)[:start])
    made.update(_BLANK)
    made.update(memoryview(data)[start + _DIGITS :])
    return made.hexdigest().encode()


def _either(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(text)}</rdf:li></rdf:Alt>'


_SCHEMA = (
    '<pdfaExtension:schemas xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"'
    ' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">'
    '<rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>'
    "<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>"
    "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>"
    '<rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name>'
    "<pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal"
    "</pdfaProperty:category><pdfaProperty:description>The part of PDF/UA that the file keeps"
    "</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>"
)
"""PDF/A asks for a description of every property that it does not know itself."""
