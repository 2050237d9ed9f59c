"""The contents of the boxes of a PDF, whatever program has put them there."""

import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from pikepdf import (
    Array,
    Dictionary,
    Name,
    Object,
    PasswordError,
    Pdf,
    PdfError,
    Stream,
    String,
    new,
    parse_content_stream,
    settings,
)

from vaultkit import files
from vaultkit.compendium.scoresheets import read_data
from vaultkit.errors import InvalidError

_DEEPEST, _VISITS = 12, 50_000
"""How deep fields lie, and how many parts of a form are looked at: one part may stand in many places."""
_DECODED, _DRAWN = 4 * files.MB, 256_000
"""The most decoded bytes of all values and looks of boxes together, and of one look: few may become any number."""
_LEAST = 1_000
"""Each of them counts as so many at least, since even an empty one takes time."""
_LIMITS = {"flate_max_memory": 32 * files.MB, "run_length_max_memory": 32 * files.MB, "max_stream_filters": 4}
_UNLIMITED = re.compile(rb"/(L|#4[Cc])(Z|#5[Aa])(W|#57)")
"""The one filter, out of use for decades, for which there are no limits."""
_RADIO = 1 << 15
_PLACE = re.compile(r"\[\d+\]")
_AGAIN = "Open the sheet as it was printed, fill it in again and save it."


@dataclass(frozen=True)
class FilledBox:
    """A field of the file. `ticked` is None for what is not to be ticked; `text` is a text's or a choice's value.

    A radio group has a box for each of its choices, named as check boxes would be: `mode.coop`.

    `label` is what a screen reader says. `only_drawn` marks a text of which the file holds a picture and no value.
    """

    name: str
    label: str
    text: str = ""
    ticked: bool | None = None
    only_drawn: bool = False


def read_boxes(path: Path) -> tuple[FilledBox, ...]:
    """All boxes of the PDF at `path` in its order; an InvalidError with the reason if it cannot be read for certain.

    A file that would first have to be repaired is refused: a repair may bring back what stood there before.
    """
    data = read_data(path, str(path), files.PDF)
    if b"%PDF-" not in data[:1024]:
        hint = "A score sheet that was filled in on a screen is a PDF; one filled in with a pen is typed in by hand."
        raise InvalidError("This is not a PDF.", where=str(path), hint=hint)
    try:
        _refuse_cut(data)
        with _limited(), Pdf.open(BytesIO(data), attempt_recovery=False, suppress_warnings=True) as pdf:
            form = pdf.Root.get("/AcroForm")
            return tuple(_Form().boxes(form)) if isinstance(form, Dictionary) else ()
    except PasswordError as error:
        raise InvalidError("This PDF asks for a password.", where=str(path), hint="Save it without one.") from error
    except (PdfError, zlib.error, ValueError, TypeError, AttributeError, KeyError, RuntimeError) as error:
        raise InvalidError("This PDF is damaged.", where=str(path), hint=_AGAIN) from error


def _refuse_cut(data: bytes) -> None:
    """Raises ValueError for a PDF without its end, or packed without a limit."""
    _, ended, after = data.rpartition(b"%%EOF")
    if not ended or after.strip(b"\0\t\r\n\f "):  # what was added last was cut off, and older values would be read
        raise ValueError("its end is missing")
    if _UNLIMITED.search(data):
        raise ValueError("packed as no program of today packs")


@contextmanager
def _limited() -> Iterator[None]:
    """Let libraries that can do so refuse what would grow without end; older ones have no such limits."""
    change = getattr(settings, "set_qpdf_limits", None)
    before = settings.get_qpdf_limits() if change else {}
    try:
        if change:
            change(**_LIMITS)
        yield
    finally:
        if change:
            change(**{name: before[name] for name in _LIMITS})


class _Form:
    """A form while it is read. What is looked at is counted; ValueError is raised where no sheet has so much."""

    def __init__(self) -> None:
        self._visits = 0
        self._decoded = 0
        self._scratch = new()

    def boxes(self, form: Dictionary) -> Iterator[FilledBox]:
        for field in self._list(form.get("/Fields")):
            yield from self._below(field, "", {}, 0)

    def text(self, value: Any) -> str:
        """A value as text: bytes in any of PDF's encodings, a name, a stream, or the parts of a list."""
        if isinstance(value, Stream):
            return str(String(self._bytes(value, _DECODED)))
        if isinstance(value, Array):
            return ", ".join(self.text(part) for part in self._list(value))
        if isinstance(value, Name):
            return str(value).removeprefix("/")
        return "" if value is None else str(value)

    def _below(self, field: Object, above: str, inherited: dict[str, Any], depth: int) -> Iterator[FilledBox]:
        """The boxes from `field` down; kind, value and label are handed down from the fields above."""
        if depth > _DEEPEST or not isinstance(field, Dictionary):
            raise ValueError("not a tree of fields")
        part = _PLACE.sub("", self.text(field.get("/T")))
        name = f"{above}.{part}" if above and part else above or part
        own = inherited | {key: field[key] for key in ("/FT", "/Ff", "/V", "/TU") if key in field}
        kids = self._list(field.get("/Kids"))
        children = [kid for kid in kids if isinstance(kid, Dictionary) and "/T" in kid]
        for kid in children:
            yield from self._below(kid, name, own, depth + 1)
        if not children:
            yield from self._box(name, own, kids or [field])

    def _box(self, name: str, field: dict[str, Any], widgets: list[Any]) -> Iterator[FilledBox]:
        kind, label = field.get("/FT"), self._first("/TU", field, widgets)
        if kind == Name.Btn and int(field.get("/Ff", 0)) & _RADIO:
            yield from self._radio(name, label, field, widgets)
        elif kind == Name.Btn:
            yield FilledBox(name, label, ticked=bool(self._states(field, widgets)))
        elif kind in (Name.Tx, Name.Ch):
            text = self._first("/V", field, widgets)
            yield FilledBox(name, label, text, only_drawn=not text and any(map(self._shows_words, widgets)))

    def _first(self, key: str, field: dict[str, Any], widgets: list[Any]) -> str:
        """The value under a key of the field or, if nothing does, of its first widget with something there."""
        return next(filter(None, (self.text(part.get(key)) for part in (field, *widgets))), "")

    def _states(self, field: dict[str, Any], widgets: list[Any]) -> list[str]:
        """The ticked states, by the value of a field and the looks of its widgets; pypdf writes a text, `/Yes`.

        Some programs change the value of a check box, some only which of its looks is shown.
        """
        states = [field.get("/V"), *(widget.get(key) for widget in widgets for key in ("/V", "/AS"))]
        return [text for state in states if (text := self.text(state).removeprefix("/")) not in ("", "Off")]

    def _radio(self, name: str, label: str, field: dict[str, Any], widgets: list[Any]) -> Iterator[FilledBox]:
        """The choices of a radio group: those that there are looks of, and what else is said to be chosen."""
        chosen = self._states(field, widgets)
        labels = {self._on(widget): self.text(widget.get("/TU")) for widget in widgets}
        for choice in dict.fromkeys([*filter(None, labels), *chosen]):
            yield FilledBox(f"{name}.{choice}", labels.get(choice) or label, ticked=choice in chosen)

    def _on(self, widget: Any) -> str:
        """The name of the look of a widget that is ticked."""
        looks = widget.get("/AP", Dictionary()).get("/N", Dictionary())
        names = [key.removeprefix("/") for key in looks.keys()] if not isinstance(looks, Stream) else []  # noqa: SIM118
        return next((name for name in names if name != "Off"), "")

    def _shows_words(self, widget: Any) -> bool:
        look = widget.get("/AP", Dictionary()).get("/N")
        if not isinstance(look, Stream):
            return False
        drawing = self._scratch.make_stream(self._bytes(look, _DRAWN))
        shown = [line.operands[-1] for line in parse_content_stream(drawing, "Tj TJ ' \"") if line.operands]
        parts = [part for last in shown for part in (last if isinstance(last, Array) else [last])]
        return any(isinstance(part, String) and bytes(part).strip(b"\0 ") for part in parts)

    def _list(self, value: Any) -> list[Any]:
        if not isinstance(value, Array):
            return []
        self._visits += len(value)
        if self._visits > _VISITS:
            raise ValueError("too many parts")
        return list(value)

    def _bytes(self, stream: Stream, most: int) -> bytes:
        """The decoded bytes of a value or look, at most so many."""
        raw, filters = stream.read_raw_bytes(), stream.get("/Filter")
        names = list(filters) if isinstance(filters, Array) else [filters] if filters is not None else []
        if names and (names != [Name.FlateDecode] or "/DecodeParms" in stream):
            raise ValueError("in a code that no program uses for text")
        data = zlib.decompressobj().decompress(raw, most + 1) if names else raw
        self._decoded += max(len(data), _LEAST)
        if len(data) > most or self._decoded > _DECODED:
            raise ValueError("too long")
        return data
