"""Bytes to text and back, strictly: what cannot be read exactly is refused, never guessed."""

from dataclasses import dataclass

from vaultkit.errors import InvalidError

BOM = b"\xef\xbb\xbf"


class EncodingError(InvalidError):
    """A note that is not UTF-8; `line` and `column` tell where, 0 if all of it is something else."""

    def __init__(self, message: str, where: str, hint: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message, where=f"{where}:{line}" if line else where, hint=hint)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Encoded:
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
    bom = data.startswith(BOM)
    content = data.removeprefix(BOM)
    try:
        return Encoded(content.decode("utf-8"), bom)
    except UnicodeDecodeError as error:
        raise _refusal(content, error.start, where) from error


def _refusal(content: bytes, start: int, where: str) -> EncodingError:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return EncodingError("This note is UTF-16, not UTF-8.", where, "Save it as UTF-8.")
    before = content[:start].decode("utf-8")
    line = before.count("\n") + 1
    message = f"This note is not UTF-8: byte {content[start]:#04x} cannot be read."
    hint = "Open it in an editor that knows its encoding, and save it again as UTF-8."
    return EncodingError(message, where, hint, line, len(before) - before.rfind("\n"))
