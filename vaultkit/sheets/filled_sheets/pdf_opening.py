"""Opening of a PDF that somebody sent, with limits on what it may hold and what its streams may unpack to."""

import logging
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf

from vaultkit import files
from vaultkit.budget import MB, Budget, Limit
from vaultkit.compendium.toml_tables import read_data
from vaultkit.errors import InvalidError

FILL_AGAIN = "Open the sheet as it was printed, fill it in again and save it."
_MAX_PARTS = Limit("This PDF has", 1_500_000, "numbers, names and other parts", FILL_AGAIN)
"""The limit of what qpdf reads at once, if a stranger wants it to: each part takes about 135 bytes then."""
_MAX_PAGES = Limit("This PDF has", 1_000, "pages", FILL_AGAIN)
_UNPACKED_BYTES = 2 * MB
"""The bytes to which one stream may unpack."""
_LIMITS = {
    "flate_max_memory": _UNPACKED_BYTES,
    "run_length_max_memory": _UNPACKED_BYTES,
    "max_stream_filters": 4,
}
_OPTIONS: Any = {"attempt_recovery": False, "suppress_warnings": True, "inherit_page_attributes": False}
"""The last one keeps qpdf from copying each page that is in the list twice before the pages are counted."""
_UNLIMITED = re.compile(rb"/(L|#4[Cc])(Z|#5[Aa])(W|#57)")
"""The one filter, out of use for decades, for which there are no limits."""
_SEPARATORS = b"\0\t\n\f\r ()<>[]{}/%"
"""The characters of which at least one stands between two parts of a PDF."""
_PACKED_TYPE = re.compile(b"/" + b"".join(b"(?:%c|#(?i:%02x))" % (letter, letter) for letter in b"ObjStm"))
_OBJECT_START = re.compile(rb".*\b(\d{1,9})\s+(\d{1,5})\s+obj\b[^()%]*", re.DOTALL)
"""The start of the dictionary of a stream of packed objects, which has no texts and no comments."""
_DICTIONARY_BYTES = 1_000
_BYTES_PER_PART = 16
"""The unpacked bytes that count as a part, even if there are fewer; the bytes of a dictionary count as parts, too."""
logging.getLogger("pikepdf").addHandler(logging.NullHandler())  # else its warnings would be printed


@contextmanager
def open_pdf(path: Path) -> Iterator[pikepdf.Pdf]:
    """Open the PDF at `path`. Raises InvalidError with the reason if it cannot be read for certain.

    A file that would first have to be repaired is refused: a repair may bring back what stood there before.
    """
    if b"%PDF-" not in (data := read_data(path, str(path), files.PDF_BYTES))[:1024]:
        hint = "A score sheet that was filled in on a screen is a PDF; one filled in with a pen is typed in by hand."
        raise InvalidError("This is not a PDF.", hint=hint)
    try:
        _check_complete(data)
        parts = Budget(_MAX_PARTS)
        parts.spend(_count_parts(data))
        with _limit_pdf_memory(), pikepdf.open(BytesIO(data), **_OPTIONS) as pdf:
            _check_packed_parts(pdf, data, parts)
            _check_pages(pdf)
            yield pdf
    except pikepdf.PasswordError as error:
        raise InvalidError("This PDF asks for a password.", hint="Save it without one.") from error
    except (pikepdf.PdfError, zlib.error, ValueError, TypeError, AttributeError, KeyError, RuntimeError) as error:
        raise InvalidError("This PDF is damaged.", hint=FILL_AGAIN) from error


def _check_complete(data: bytes) -> None:
    """Raise ValueError for a PDF without its end, or packed without a limit."""
    _, ended, after = data.rpartition(b"%%EOF")
    if not ended or after.strip(b"\0\t\r\n\f "):  # what was added last was cut off, and older values would be read
        raise ValueError("its end is missing")
    if _UNLIMITED.search(data):
        raise ValueError("compressed in a way that no current program uses")


def _check_packed_parts(pdf: pikepdf.Pdf, data: bytes, budget: Budget) -> None:
    """Raise BudgetExceeded if the packed objects have too many parts, and ValueError if nobody can tell."""
    ends = [match.start() for match in _PACKED_TYPE.finditer(data)]
    budget.spend(len(ends) * _DICTIONARY_BYTES)
    starts = [_OBJECT_START.fullmatch(data[max(0, end - _DICTIONARY_BYTES) : end]) for end in ends]
    ids = {(int(start[1]), int(start[2])) for start in starts if start}
    if len(ids) != len(ends):
        raise ValueError("it is unclear where its objects are")
    for number, generation in ids:
        packed: Any = pdf.get_object(number, generation)
        objects = packed.read_bytes() if isinstance(packed, pikepdf.Stream) else b""
        budget.spend(_count_parts(objects) + len(objects) // _BYTES_PER_PART)


def _check_pages(pdf: pikepdf.Pdf) -> None:
    """Raise BudgetExceeded for too many pages, before qpdf reads their list."""
    nodes: list[Any] = [pdf.Root.get("/Pages")]
    budget = Budget(_MAX_PAGES)
    while nodes:
        kids = nodes.pop().get("/Kids", ())
        budget.spend(len(kids))
        nodes += [kid for kid in kids if isinstance(kid, pikepdf.Dictionary)]


def _count_parts(data: bytes) -> int:
    return len(data) - len(data.translate(None, _SEPARATORS))


@contextmanager
def _limit_pdf_memory() -> Iterator[None]:
    """Let libraries that can do so refuse what would grow without end; older ones have no such limits."""
    change = getattr(pikepdf.settings, "set_qpdf_limits", dict)
    before = change(**_LIMITS)
    try:
        yield
    finally:
        change(**before)
