"""Bytes to text and back, strictly: what cannot be read exactly is refused, never guessed.

A refusal says what the file probably is and how it would read then, since that is what a person has to find out.
"""

import codecs

import msgspec

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.sorting import JOINERS
from vaultkit.vault.places import Places

BOM = codecs.BOM_UTF8
MAX_NOTE = files.NOTE
"""Bytes; a note past this is refused unread, since Obsidian itself hardly opens one of a tenth of it."""

_SAMPLE = 8_000
"""Bytes that a guess is made from."""
_SHOWN = 40
"""Characters of a line that a message shows."""
_BLANK = "\t\r\n\f\u00a0\u3000"
"""Characters of plain text that do not count as printable."""
_CONTROLS = bytes({*range(32)} - {*b"\t\r\n\f\x1b"})
_WIDE = {"utf-32-le": "UTF-32", "utf-32-be": "UTF-32", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
_WIDE_MARKS = {  # UTF-32 first: its mark begins with that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_KINDS = {  # by their first bytes
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a WebP picture or a sound",
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "a gzip archive",
    b"SQLite format 3": "a database",
    b"ID3": "a sound",
    b"OggS": "a sound",
}
_LEGACY = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "mac_roman": "Mac Roman",
    "koi8_r": "KOI8-R",
    "cp437": "DOS (CP437)",
    "cp932": "Shift JIS",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "euc_kr": "EUC-KR",
}
"""The encodings that notes were saved in before UTF-8, by Python's names."""


class EncodingError(InvalidError):
    """A note that is not UTF-8; `line` and `column` tell where, 0 if all of it is something else."""

    def __init__(self, message: str, where: str, hint: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message, where=f"{where}:{line}" if line else where, hint=hint)
        self.line = line
        self.column = column


class Encoded(msgspec.Struct, frozen=True):
    """A file's text, and what has to be kept of its bytes besides: whether a byte order mark led it."""

    text: str
    bom: bool

    @property
    def newline(self) -> str:
        """The line end that the file uses most, `\\n` if it has none."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf * 2 > self.text.count("\n") else "\n"

    def to_bytes(self, text: str) -> bytes:
        return (BOM if self.bom else b"") + text.encode("utf-8")


def decode(data: bytes, where: str) -> Encoded:
    """The text of a note. Raises EncodingError for anything but UTF-8, with the place where it stops being that."""
    if refused := too_large(len(data), where):
        raise refused
    bom = data.startswith(BOM)
    content = data.removeprefix(BOM)
    if b"\0" in content and (wide := _without_mark(content)):
        raise _wide_refusal(content, wide, where)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refusal(content, error, where) from error
    if text and not text.strip("\0"):
        hint = "A crash or a full disk leaves such files. Restore the note from a backup or from your sync's history."
        raise EncodingError("This note holds nothing but NUL characters.", where, hint)
    return Encoded(text, bom)


def too_large(size: int, where: str = "") -> EncodingError | None:
    """The refusal of a note of `size` bytes, to be asked before it is read; None if it can be read."""
    if size <= MAX_NOTE:
        return None
    message = f"This note is too large to be read: {size / 1e6:.1f} MB."
    hint = f"Notes of up to {MAX_NOTE // 1_000_000} MB are read. Split it, or move it out of the vault."
    return EncodingError(message, where, hint)


def _refusal(content: bytes, error: UnicodeDecodeError, where: str) -> EncodingError:
    for mark, wide in _WIDE_MARKS.items():
        if content.startswith(mark):
            return _wide_refusal(content.removeprefix(mark), wide, where)
    if kind := _binary(content):
        hint = "Give it the ending that its kind of file has, or delete it."
        return EncodingError(f"This is no note but {kind}, by its content.", where, hint)
    before = content[: error.start].decode("utf-8")
    place = Places(before).at(len(before))
    if error.reason == "unexpected end of data" and not before.isascii():
        hint = "It was probably cut off while it was saved or synced. Restore it from a backup."
        return EncodingError("This note ends in the middle of a character.", where, hint, *place)
    editor, reads = _guess(content, error.start)
    message = f"This note is not UTF-8: byte {content[error.start]:#04x} cannot be read{reads}."
    return EncodingError(message, where, f"Open it in an editor {editor}, and save it again as UTF-8.", *place)


def _wide_refusal(content: bytes, wide: str, where: str) -> EncodingError:
    """`content` is UTF-16 or UTF-32 without its byte order mark."""
    text = content[:_SAMPLE].decode(wide, "replace")
    message = f"This note is {_WIDE[wide]}, not UTF-8: '{_excerpt(text.lstrip(), 0)}'."
    return EncodingError(message, where, f"Open it in an editor as {_WIDE[wide]}, and save it again as UTF-8.")


def _without_mark(content: bytes) -> str:
    """The encoding of bytes without a mark, UTF-16 or UTF-32, by the places of their NULs; "" if it is neither."""
    sample = content[: min(_SAMPLE, len(content) // 4 * 4 or len(content))]
    for wide in _WIDE:
        unit = 4 if "32" in wide else 2
        high = unit - 1 if wide.endswith("le") else 0
        if len(content) % unit == 0 and sample[high::unit].count(0) * 2 > len(sample) // unit and _reads(sample, wide):
            return wide
    return ""


def _reads(sample: bytes, encoding: str) -> bool:
    """Whether bytes are plain text in an encoding. A sample may end in half a character."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
    return (
        all(char.isprintable() or char in _BLANK or char in JOINERS for char in text.lstrip("\ufeff"))
        and "\ufffd" not in text
    )


def _binary(content: bytes) -> str:
    """The kind of file that these bytes are, "" if they may be text."""
    sample = content[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls * 50 < len(sample) and not sample.startswith(b"%PDF-"):
        return ""
    return next((kind for start, kind in _KINDS.items() if sample.startswith(start)), "a file of another kind")


def _guess(content: bytes, bad: int) -> tuple[str, str]:
    """The probable encoding of the line with the `bad` byte, and its text in that encoding, as parts of sentences."""
    from charset_normalizer import from_bytes

    start = max(content.rfind(b"\n", 0, bad), content.rfind(b"\r", 0, bad), bad - _SAMPLE // 2) + 1
    sample = content[start : start + _SAMPLE]
    if len(sample) == _SAMPLE and b"\n" in sample[bad - start :]:
        sample = sample[: sample.rfind(b"\n") + 1]
    ranked = list(from_bytes(sample, cp_isolation=list(_LEGACY)))
    if not ranked:
        return "that knows its encoding", ""
    # Between encodings that read equally well the commonest is the likeliest.
    equal = [match for match in ranked if match.chaos <= ranked[0].chaos]
    western = any("cp1252" in match.could_be_from_charset for match in equal)
    encoding = "cp1252" if western else ranked[0].encoding
    before = sample[: bad - start].decode(encoding, "replace")
    reads = _excerpt(sample.decode(encoding, "replace"), len(before))
    return f"as {_LEGACY[encoding]}", f"; probably {_LEGACY[encoding]}: '{reads}'"


def _excerpt(text: str, around: int) -> str:
    """The line of `text` around an offset, cut to what a message can hold and free of control characters."""
    line = text[:around].splitlines(keepends=True)[-1:] or [""]
    first = around - len(line[0]) if not line[0].endswith(("\n", "\r")) else around
    start = max(first, around - _SHOWN // 2)
    shown = next(iter(text[start : start + _SHOWN].splitlines()), "")
    return "".join(char if char.isprintable() else " " for char in shown).strip()
