"""Strict decoding and encoding of notes: a note that is not UTF-8 is refused.

The error names the probable encoding or file type, and shows a piece of the text in that encoding.
"""

import codecs

import msgspec

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.text import JOINERS
from vaultkit.vault.text_positions import Places

BOM = codecs.BOM_UTF8
_SAMPLE_BYTES = 8_000
"""The maximum number of bytes from which an encoding or file type is guessed."""
_MARKS = "[`$#<^%=\n"
"""The signs that begin an element of Markdown, each of which takes time and memory."""
_MAX_EXCERPT_CHARS = 40
"""The maximum length of the text that an error message quotes."""
_ALLOWED_BLANKS = "\t\r\n\f\u00a0\u3000"
"""Characters of plain text for which `str.isprintable` is false."""
_CONTROL_BYTES = bytes({*range(32)} - {*b"\t\r\n\f\x1b"})
_WIDE_NAMES = {"utf-32-le": "UTF-32", "utf-32-be": "UTF-32", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
_WIDE_MARKS = {  # UTF-32 first: its mark begins with that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_BINARY_TYPES = {  # by their first bytes
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
_LEGACY_ENCODINGS = {
    **{f"cp{page}": f"Windows-{page}" for page in (1252, 1250, 1251, 1253)},
    "mac_roman": "Mac Roman",
    "koi8_r": "KOI8-R",
    "cp437": "DOS (CP437)",
    "cp932": "Shift JIS",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "euc_kr": "EUC-KR",
}
"""The names of encodings in which notes were saved before UTF-8, by their Python names."""


class EncodingError(InvalidError):
    """An error for a note that cannot be decoded, with the `line` and `column` of the fault, 0 for the whole note."""

    def __init__(self, message: str, where: str, hint: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message, where=f"{where}:{line}" if line else where, hint=hint)
        self.line = line
        self.column = column


class Encoded(msgspec.Struct, frozen=True):
    """The decoded text of a file, and whether the file began with a byte order mark."""

    text: str
    bom: bool

    @property
    def newline(self) -> str:
        """The most frequent line ending of the file, `\\n` if it has none."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf * 2 > self.text.count("\n") else "\n"

    def to_bytes(self, text: str) -> bytes:
        return (BOM if self.bom else b"") + text.encode("utf-8")


def decode(data: bytes, where: str) -> Encoded:
    """Return the text of a note.

    Raises BudgetExceeded if it is too large, and EncodingError if it is not UTF-8 or has only NUL characters.
    """
    files.NOTE_BYTES.check(len(data), where)
    bom = data.startswith(BOM)
    content = data.removeprefix(BOM)
    if b"\0" in content and (wide := _detect_wide_encoding(content)):
        raise _wide_encoding_error(content, wide, where)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _decoding_error(content, error, where) from error
    if len(data) > files.NOTE_MARKS.maximum:
        lone_returns = text.count("\r") - text.count("\r\n")
        files.NOTE_MARKS.check(sum(map(text.count, _MARKS)) + lone_returns, where)
    if text and not text.strip("\0"):
        hint = "A crash or a full disk leaves such files. Restore the note from a backup or from your sync's history."
        raise EncodingError("This note contains only NUL characters.", where, hint)
    return Encoded(text, bom)


def _decoding_error(content: bytes, error: UnicodeDecodeError, where: str) -> EncodingError:
    for byte_order_mark, wide in _WIDE_MARKS.items():
        if content.startswith(byte_order_mark):
            return _wide_encoding_error(content.removeprefix(byte_order_mark), wide, where)
    if kind := _binary_type(content):
        hint = "Give it the ending that its kind of file has, or delete it."
        return EncodingError(f"This is not a note but {kind}, by its content.", where, hint)
    before = content[: error.start].decode("utf-8")
    position = Places(before).line_and_column(len(before))
    if error.reason == "unexpected end of data" and not before.isascii():
        hint = "It was probably cut off while it was saved or synced. Restore it from a backup."
        return EncodingError("This note ends in the middle of a character.", where, hint, *position)
    editor_phrase, reading_phrase = _guess_encoding(content, error.start)
    message = f"This note is not UTF-8: byte {content[error.start]:#04x} cannot be read{reading_phrase}."
    return EncodingError(
        message, where, f"Open it in an editor {editor_phrase}, and save it again as UTF-8.", *position
    )


def _wide_encoding_error(content: bytes, wide: str, where: str) -> EncodingError:
    """Return the error for a note in the encoding `wide`, UTF-16 or UTF-32; `content` has no byte order mark."""
    text = content[:_SAMPLE_BYTES].decode(wide, "replace")
    message = f"This note is {_WIDE_NAMES[wide]}, not UTF-8: '{_excerpt(text.lstrip(), 0)}'."
    return EncodingError(message, where, f"Open it in an editor as {_WIDE_NAMES[wide]}, and save it again as UTF-8.")


def _detect_wide_encoding(content: bytes) -> str:
    """Return the encoding, UTF-16 or UTF-32, that the positions of NUL bytes indicate; "" for neither."""
    sample = content[: min(_SAMPLE_BYTES, len(content) // 4 * 4 or len(content))]
    for wide in _WIDE_NAMES:
        unit_bytes = 4 if "32" in wide else 2
        high_byte = unit_bytes - 1 if wide.endswith("le") else 0
        if (
            len(content) % unit_bytes == 0
            and sample[high_byte::unit_bytes].count(0) * 2 > len(sample) // unit_bytes
            and _is_plain_text(sample, wide)
        ):
            return wide
    return ""


def _is_plain_text(sample: bytes, encoding: str) -> bool:
    """Return whether bytes are printable text in an encoding; the sample may end within a character."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
    return (
        all(char.isprintable() or char in _ALLOWED_BLANKS or char in JOINERS for char in text.lstrip("\ufeff"))
        and "\ufffd" not in text
    )


def _binary_type(content: bytes) -> str:
    """Return a description of the file type of binary content, or "" if it may be text."""
    sample = content[:_SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    if controls * 50 < len(sample) and not sample.startswith(b"%PDF-"):
        return ""
    return next((kind for start, kind in _BINARY_TYPES.items() if sample.startswith(start)), "a file of another kind")


def _guess_encoding(content: bytes, error_offset: int) -> tuple[str, str]:
    """Return the probable encoding of the line with the byte at `error_offset`, and its text, as phrases."""
    from charset_normalizer import from_bytes

    line_break = max(content.rfind(b"\n", 0, error_offset), content.rfind(b"\r", 0, error_offset))
    start = max(line_break, error_offset - _SAMPLE_BYTES // 2) + 1
    sample = content[start : start + _SAMPLE_BYTES]
    if len(sample) == _SAMPLE_BYTES and b"\n" in sample[error_offset - start :]:
        sample = sample[: sample.rfind(b"\n") + 1]
    matches = list(from_bytes(sample, cp_isolation=list(_LEGACY_ENCODINGS)))
    if not matches:
        return "that knows its encoding", ""
    # Among encodings that fit equally well, Windows-1252 is the most common.
    best_matches = [match for match in matches if match.chaos <= matches[0].chaos]
    may_be_cp1252 = any("cp1252" in match.could_be_from_charset for match in best_matches)
    encoding = "cp1252" if may_be_cp1252 else matches[0].encoding
    before = sample[: error_offset - start].decode(encoding, "replace")
    excerpt = _excerpt(sample.decode(encoding, "replace"), len(before))
    return f"as {_LEGACY_ENCODINGS[encoding]}", f"; probably {_LEGACY_ENCODINGS[encoding]}: '{excerpt}'"


def _excerpt(text: str, offset: int) -> str:
    """Return the line of `text` around an offset, shortened for an error message and without control characters."""
    line = text[:offset].splitlines(keepends=True)[-1:] or [""]
    line_start = offset - len(line[0]) if not line[0].endswith(("\n", "\r")) else offset
    start = max(line_start, offset - _MAX_EXCERPT_CHARS // 2)
    excerpt = next(iter(text[start : start + _MAX_EXCERPT_CHARS].splitlines()), "")
    return "".join(char if char.isprintable() else " " for char in excerpt).strip()
