"""The contents of the boxes of a PDF, whatever program has put them there."""

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import AcroFormField, Pdf

from vaultkit import files
from vaultkit.compendium.plain_tables import read_data
from vaultkit.errors import InvalidError
from vaultkit.grouping import group

_MOST, _PARTS, _LONGEST = 6_000, 100, 20_000
"""So many fields has a form at most, so many parts a list, and so many bytes a value: few may become any number."""
_LIMITS = {"flate_max_memory": 32 * files.MB, "run_length_max_memory": 32 * files.MB, "max_stream_filters": 4}
_UNLIMITED = re.compile(rb"/(L|#4[Cc])(Z|#5[Aa])(W|#57)")
"""The one filter, out of use for decades, for which there are no limits."""
_PLACE = re.compile(r"\[\d+\]")
_AGAIN = "Open the sheet as it was printed, fill it in again and save it."


@dataclass(frozen=True)
class FilledBox:
    """A field of the file; `text` is a text's or a choice's value on one line, `label` is what a screen reader says.

    A radio group has a box for each of its choices, named as check boxes would be: `mode.coop`.
    """

    label: str
    text: str = ""
    ticked: bool = False


def read_boxes(path: Path) -> dict[str, FilledBox]:
    """All boxes of the PDF at `path` by name; an InvalidError with the reason if it cannot be read for certain.

    A file that would first have to be repaired is refused: a repair may bring back what stood there before.
    """
    data = read_data(path, str(path), files.PDF)
    if b"%PDF-" not in data[:1024]:
        hint = "A score sheet that was filled in on a screen is a PDF; one filled in with a pen is typed in by hand."
        raise InvalidError("This is not a PDF.", where=str(path), hint=hint)
    try:
        _refuse_cut(data)
        with _limited(), Pdf.open(BytesIO(data), attempt_recovery=False, suppress_warnings=True) as pdf:
            return _boxes(pdf.acroform.fields)
    except pikepdf.PasswordError as error:
        raise InvalidError("This PDF asks for a password.", where=str(path), hint="Save it without one.") from error
    except (pikepdf.PdfError, zlib.error, ValueError, TypeError, AttributeError, KeyError, RuntimeError) as error:
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
    change = getattr(pikepdf.settings, "set_qpdf_limits", dict)
    before = change(**_LIMITS)
    try:
        yield
    finally:
        change(**before)


def _boxes(fields: Sequence[AcroFormField]) -> dict[str, FilledBox]:
    """The boxes of a form. The widgets of one field have one name."""
    if len(fields) > _MOST:
        raise ValueError("more than any sheet has")
    named = group((_PLACE.sub("", one.fully_qualified_name), one) for one in fields)
    return {key: box for name, widgets in named.items() for key, box in _of_field(name, widgets)}


def _of_field(name: str, widgets: Sequence[AcroFormField]) -> Iterator[tuple[str, FilledBox]]:
    first, states, label = widgets[0], _states(widgets), _inherited(widgets[0], "/TU")
    if first.is_radio_button:
        labels = {_choice(one): _inherited(one, "/TU") for one in widgets}
        for choice in dict.fromkeys([*filter(None, labels), *states]):
            yield f"{name}.{choice}", FilledBox(labels.get(choice, label), ticked=choice in states)
    elif first.is_checkbox:
        yield name, FilledBox(label, ticked=bool(states))
    elif first.is_text or first.is_choice:
        yield name, FilledBox(label, _value(label or name, widgets))


def _inherited(widget: AcroFormField, key: str) -> str:
    """The label or value of a widget, which may stand at the field above it; "" for none."""
    return _text(widget.get_inheritable_field_value(key))


def _value(label: str, widgets: Sequence[AcroFormField]) -> str:
    """A text or a choice; some programs keep it at the field, some at one of its widgets."""
    values = {_inherited(one, "/V") for one in widgets} - {""}
    if len(values) > 1:
        raise InvalidError(f"The box '{label}' is there twice, and it does not say the same.")
    return "".join(values)


def _text(value: Any) -> str:
    """A value as text on one line: bytes in any of PDF's encodings, a name, a stream, or the parts of a list.

    Raises ValueError for a text that is longer than what people write on a sheet: many boxes may share one.
    """
    if isinstance(value, pikepdf.Stream):
        data, packed = value.read_raw_bytes(), "/Filter" in value
        text = str(pikepdf.String(zlib.decompressobj().decompress(data, _LONGEST + 1) if packed else data))
    elif isinstance(value, pikepdf.Array):
        text = ", ".join(_text(part) for part in islice(value, _PARTS) if isinstance(part, pikepdf.String))
    else:
        text = "" if value is None else str(value)
    if len(text) > _LONGEST:
        raise ValueError("longer than what a sheet says")
    return " ".join((text.removeprefix("/") if isinstance(value, pikepdf.Name) else text).split())


def _states(widgets: Sequence[AcroFormField]) -> list[str]:
    """The ticked states, by values and by the looks of widgets; pypdf writes a text, `/Yes`.

    Some programs change the value of a check box, some only which of its looks is shown.
    """
    states = [state for one in widgets for state in (_inherited(one, "/V"), _text(one.obj.get("/AS")))]
    return [name for name in (state.removeprefix("/") for state in states) if name not in ("", "Off")]


def _choice(widget: AcroFormField) -> str:
    """The name of the look of a widget that is ticked."""
    looks = widget.obj.get("/AP", pikepdf.Dictionary()).get("/N")
    names = [key.removeprefix("/") for key in looks.keys()] if isinstance(looks, pikepdf.Dictionary) else []  # noqa: SIM118
    return next((name for name in names if name != "Off"), "")
