"""The contents of the boxes of a PDF, whatever program has put them there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from pikepdf import Array, Dictionary, Name, Object, PasswordError, Pdf, PdfError, Stream, String, parse_content_stream

from vaultkit.dash import open_file
from vaultkit.errors import InvalidError

_LARGEST = 64 * 1024 * 1024
_DEEPEST = 12
_PLACE = re.compile(r"\[\d+\]")
_AGAIN = "Open the sheet as it was printed, fill it in again and save it."


@dataclass(frozen=True)
class FilledBox:
    """A field of the file. `ticked` is None for what is not a check box; `text` is a text's or a choice's value.

    `label` is what a screen reader says. `only_drawn` marks a text of which the file holds a picture and no value.
    """

    name: str
    label: str
    text: str = ""
    ticked: bool | None = None
    only_drawn: bool = False


@dataclass(frozen=True)
class Boxes:
    """All boxes of a file in its order, and the program that it says it was made with."""

    creator: str
    boxes: tuple[FilledBox, ...]


def read_boxes(path: Path) -> Boxes:
    """The boxes of the PDF at `path`; an InvalidError with the reason if it cannot be read for certain.

    A file that would first have to be repaired is refused: a repair may bring back what stood there before.
    """
    data = _data(path)
    try:
        with Pdf.open(BytesIO(data), attempt_recovery=False, suppress_warnings=True) as pdf:
            form = pdf.Root.get("/AcroForm")
            fields = _list(form.get("/Fields")) if isinstance(form, Dictionary) else []
            boxes = tuple(box for field in fields for box in _below(field, "", {}, 0))
            return Boxes(_text(pdf.docinfo.get("/Creator")), boxes)
    except PasswordError as error:
        raise InvalidError("This PDF asks for a password.", where=str(path), hint="Save it without one.") from error
    except (PdfError, ValueError, TypeError, AttributeError, KeyError, RuntimeError) as error:
        raise InvalidError("This PDF is damaged.", where=str(path), hint=_AGAIN) from error


def _data(path: Path) -> bytes:
    """The bytes of a file that is a PDF from its beginning to its end."""
    try:
        with open_file(path) as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise InvalidError(f"The file cannot be read: {error.strerror or error}.", where=str(path)) from error
    if b"%PDF-" not in data[:1024]:
        hint = "A score sheet that was filled in on a screen is a PDF; one filled in with a pen is typed in by hand."
        raise InvalidError("This is not a PDF.", where=str(path), hint=hint)
    if len(data) > _LARGEST:
        raise InvalidError("This PDF is too large to be a score sheet.", where=str(path))
    _, ended, after = data.rpartition(b"%%EOF")
    if not ended or after.strip(b"\0\t\r\n\f "):  # what was added last was cut off, and older values would be read
        raise InvalidError("This PDF is damaged: its end is missing.", where=str(path), hint=_AGAIN)
    return data


def _below(field: Object, above: str, inherited: dict[str, Any], depth: int) -> Iterator[FilledBox]:
    """The boxes from `field` down; kind, value and label are handed down from the fields above."""
    if depth > _DEEPEST or not isinstance(field, Dictionary):
        raise ValueError("not a tree of fields")
    part = _PLACE.sub("", _text(field.get("/T")))
    name = f"{above}.{part}" if above and part else above or part
    own = inherited | {key: field[key] for key in ("/FT", "/V", "/TU") if key in field}
    kids = _list(field.get("/Kids"))
    children = [kid for kid in kids if isinstance(kid, Dictionary) and "/T" in kid]
    for kid in children:
        yield from _below(kid, name, own, depth + 1)
    if not children:
        yield from _box(name, own, kids or [field])


def _box(name: str, field: dict[str, Any], widgets: list[Any]) -> Iterator[FilledBox]:
    kind, label = field.get("/FT"), _first("/TU", field, widgets)
    if kind == Name.Btn:
        yield FilledBox(name, label, ticked=_is_ticked(field, widgets))
    elif kind in (Name.Tx, Name.Ch):
        text = _first("/V", field, widgets)
        yield FilledBox(name, label, text, only_drawn=not text and any(_shows_words(w) for w in widgets))


def _first(key: str, field: dict[str, Any], widgets: list[Any]) -> str:
    """The value under a key of the field or, if nothing does, of its first widget with something there."""
    return next(filter(None, (_text(part.get(key)) for part in (field, *widgets))), "")


def _is_ticked(field: dict[str, Any], widgets: list[Any]) -> bool:
    """Some programs change the value of a check box, some only which of its looks is shown."""
    states = [field.get("/V"), *(widget.get(key) for widget in widgets for key in ("/V", "/AS"))]
    return any(_text(state) not in ("", "Off") for state in states)


def _shows_words(widget: Any) -> bool:
    drawing = widget.get("/AP", Dictionary()).get("/N")
    if not isinstance(drawing, Stream):
        return False
    shown = [line.operands[-1] for line in parse_content_stream(drawing, "Tj TJ ' \"") if line.operands]
    parts = [part for last in shown for part in (last if isinstance(last, Array) else [last])]
    return any(isinstance(part, String) and bytes(part).strip(b"\0 ") for part in parts)


def _text(value: Any) -> str:
    """A value as text: bytes in any of PDF's encodings, a name, a stream, or the parts of a list."""
    if isinstance(value, Stream):
        return str(String(value.read_bytes()))
    if isinstance(value, Array):
        return ", ".join(_text(part) for part in value)
    if isinstance(value, Name):
        return str(value).removeprefix("/")
    return "" if value is None else str(value)


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Array) else []
