"""The boxes of a filled PDF form, whatever program filled it in, changed it, or merged several into it."""

import re
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pikepdf
from msgspec import Struct

from vaultkit.budget import Budget, Limit
from vaultkit.errors import InvalidError
from vaultkit.sheets.filled_sheets.page_drawing import (
    DrawingBudget,
    ShownWidget,
    annotations_of,
    shown_widgets,
    steps_of,
)
from vaultkit.sheets.filled_sheets.pdf_opening import FILL_AGAIN, open_pdf
from vaultkit.sheets.pdf.forms import MAX_FIELD_COUNT, MAX_VALUE_LENGTH
from vaultkit.text import group

PRINT_AGAIN = "Print the sheet again with `vaultkit print scores`, and fill that one in."
_MAX_BOXES = Limit("This PDF has", MAX_FIELD_COUNT, "boxes", FILL_AGAIN)
_MAX_FIELDS = Limit("This PDF has", 2 * MAX_FIELD_COUNT, "boxes, links and fields around boxes", FILL_AGAIN)
_MAX_VALUE = Limit("A box of this PDF has", MAX_VALUE_LENGTH, "bytes", FILL_AGAIN)
_MAX_NAME = Limit("The name of a box of this PDF has", 1_000, "bytes", FILL_AGAIN)
_MAX_DEPTH = Limit("A box of this PDF lies within", 32, "others", FILL_AGAIN)
_MAX_LIST_LENGTH = 100
"""The parts of a list that are read."""
_MARK = re.compile(r"(.*?)\bvaultkit\.(?:game|fields|sheet)\Z")
"""The names of the boxes by which a sheet is known again, on whatever page they are, after what programs add."""
_ADDED_NUMBER = re.compile(r"\[\d+\]|\+\d+(?=\.|\Z)")
"""The ending that programs add to the name of a field to tell it from others of the same name."""
_TWICE = "Several sheets in one PDF? Save each as a separate file, and name them all: --from *.pdf"
Widgets = Sequence[pikepdf.AcroFormField]
ShownWidgets = Mapping[tuple[int, int], ShownWidget]


class FilledBox(Struct, frozen=True):
    """A field of the file; `text` is a text's or a choice's value on one line, `label` is what a screen reader says.

    A radio group has a box for each of its choices, named as check boxes would be: `mode.coop`. `page` counts from 1;
    `cover` is what lies over the box, "" for nothing.
    """

    label: str = ""
    text: str = ""
    ticked: bool = False
    page: int = 0
    cover: str = ""


Boxes = Mapping[str, FilledBox]
"""The fields of a file by name."""


def read_boxes(path: Path) -> Mapping[int, dict[str, FilledBox]]:
    """Return the boxes of each sheet in the PDF at `path` by name, by the first page of the sheet.

    Raises InvalidError with the reason if it cannot be read for certain.
    """
    with open_pdf(path) as pdf:
        return _read_sheets(pdf)


def _read_sheets(pdf: pikepdf.Pdf) -> Mapping[int, dict[str, FilledBox]]:
    """Return the visible boxes and the marks of each sheet, by name; a sheet begins where its marks are.

    Raises BudgetExceeded for too many fields, and InvalidError for sheets that share their boxes.
    """
    _check_fields(pdf)
    fields, visible = pdf.acroform.fields, shown_widgets(pdf)
    _MAX_BOXES.check(len(fields))
    pages = {item.objgen: number for number, page in enumerate(pdf.pages, 1) for item in annotations_of(page)}
    fields = [widget for widget in fields if isinstance(widget.obj, pikepdf.Dictionary)]
    boxes = [widget.obj for widget in fields if widget.obj.objgen in visible]
    if visible and not (boxes and all("/T" in box or "/Parent" in box for box in boxes)):
        message = "The boxes of this PDF have no names: it was flattened, or a program merged it or copied its pages."
        raise InvalidError(message, hint=f"{PRINT_AGAIN} {_TWICE}")
    named_widgets = [(_ADDED_NUMBER.sub("", widget.fully_qualified_name), widget) for widget in fields]
    marks = {
        pages.get(widget.obj.objgen, 0): mark[1] for name, widget in named_widgets if (mark := _MARK.fullmatch(name))
    }
    starts = sorted(marks) or [0]
    sheets: dict[int, list[tuple[str, pikepdf.AcroFormField]]] = {start: [] for start in starts}
    owners, looks = dict[tuple[int, int], int](), DrawingBudget()
    for name, widget in named_widgets:
        page = pages.get(widget.obj.objgen, 0)
        start = starts[max(0, bisect_right(starts, page) - 1)]
        own_name, is_mark = name.removeprefix(marks.get(start, "")), _MARK.fullmatch(name)
        if not is_mark and owners.setdefault(_field_of(widget), start) != start and _read_inherited(widget, "/V"):
            message = f"{len(starts)} score sheets were merged into this PDF, and now share the box '{own_name}'"
            raise InvalidError(f"{message}: nobody knows on which of them it was filled in.", hint=_TWICE)
        if is_mark or widget.obj.objgen in visible:
            sheets[start].append((own_name, widget))
    return {
        start: {key: box for name, same in group(pairs).items() for key, box in _read_field(name, same, visible, looks)}
        for start, pairs in sheets.items()
    }


def _check_fields(pdf: pikepdf.Pdf) -> None:
    """Raise BudgetExceeded for fields that are too many or too deep, or have too long names, before qpdf reads them.

    The name of a field begins with those of the fields around it, which qpdf joins for each field.
    """
    form: Any = pdf.Root.get("/AcroForm", {})
    visited_ids, budget, page_budget = set[tuple[int, int]](), Budget(_MAX_FIELDS), Budget(_MAX_FIELDS)
    fields = [*form.get("/Fields", ())]
    for page in pdf.pages:
        page_budget.spend(len(page.obj.get("/Annots", ())))
        fields += annotations_of(page)
    while fields:
        field = fields.pop()
        if isinstance(field, pikepdf.Dictionary) and field.objgen not in visited_ids:
            budget.spend()
            visited_ids |= {field.objgen} if field.is_indirect else set()
            fields.extend(field.get("/Kids", ()))
            _check_name(field)


def _check_name(field: Any) -> None:
    length = depth = 0
    while isinstance(field, pikepdf.Dictionary):
        name, depth = field.get("/T"), depth + 1
        length += len(bytes(name)) if isinstance(name, pikepdf.String) else 0
        _MAX_DEPTH.check(depth)
        _MAX_NAME.check(length)
        field = field.get("/Parent")


def _read_field(
    name: str, widgets: Widgets, visible: ShownWidgets, looks: DrawingBudget
) -> Iterator[tuple[str, FilledBox]]:
    first, states, label = widgets[0], _ticked_states(widgets), _read_inherited(widgets[0], "/TU")
    if first.is_radio_button:
        by_choice = {_choice(widget): widget for widget in widgets}
        for choice in dict.fromkeys([*filter(None, by_choice), *states]):
            own = by_choice.get(choice)
            choice_label = label if own is None else _read_inherited(own, "/TU")
            page, cover = _find_page_and_cover([widget for widget in widgets if widget is own], visible)
            yield f"{name}.{choice}", FilledBox(choice_label, ticked=choice in states, page=page, cover=cover)
        return
    page, cover = _find_page_and_cover(widgets, visible)
    if first.is_checkbox:
        yield name, FilledBox(label, ticked=bool(states), page=page, cover=cover)
    elif first.is_text or first.is_choice:  # some programs keep the value at the field, some at one of its widgets
        values = {_read_inherited(widget, "/V") for widget in widgets}
        values -= {""} if _is_one_field(widgets) else set()
        if len(values) > 1:
            raise InvalidError(f"The box '{label or name}' appears twice, and it does not say the same.", hint=_TWICE)
        text = "".join(values)
        if not text and not cover and any(_shows_text(widget, looks) for widget in widgets):
            cover = "old text"
        yield name, FilledBox(label, text, page=page, cover=cover)


def _is_one_field(widgets: Widgets) -> bool:
    """Return whether the widgets belong to one field, and not to several sheets in one file."""
    return len(set(map(_field_of, widgets))) == 1


def _field_of(widget: pikepdf.AcroFormField) -> tuple[int, int]:
    """Return the number of the object of the field to which a widget belongs."""
    return (widget.obj if "/T" in widget.obj else widget.parent.obj).objgen


def _find_page_and_cover(widgets: Widgets, visible: ShownWidgets) -> tuple[int, str]:
    """Return page and cover of the first covered widget, else of the first one that is shown."""
    places = [visible[widget.obj.objgen] for widget in widgets if widget.obj.objgen in visible]
    covered = next((item for item in places if item.cover), next(iter(places), ShownWidget(0)))
    return covered.page, covered.cover


def _shows_text(widget: pikepdf.AcroFormField, budget: DrawingBudget) -> bool:
    """Return whether the appearance stream of a widget draws text."""
    look = widget.obj.get("/AP", pikepdf.Dictionary()).get("/N")
    if not isinstance(look, pikepdf.Stream):
        return False
    drawn = (step for step in steps_of(look, budget) if str(step.operator) in ("Tj", "TJ", "'", '"'))
    return any(bytes(text).strip(b"\0 ") for step in drawn for text in _strings(step.operands))


def _strings(values: Iterable[Any]) -> Iterator[pikepdf.String]:
    for value in values:
        yield from _strings(value) if isinstance(value, pikepdf.Array) else [value] * isinstance(value, pikepdf.String)


def _read_inherited(widget: pikepdf.AcroFormField, key: str) -> str:
    """Return the label or value of a widget, which may stand at the field above it; "" for none."""
    return _text(widget.get_inheritable_field_value(key))


def _text(value: Any) -> str:
    """Return a value as text on one line: bytes in any of PDF's encodings, a name, a stream, or the parts of a list.

    Raises BudgetExceeded for a text that is longer than what people write on a sheet: many boxes may share one.
    """
    if isinstance(value, pikepdf.Stream):
        data, packed = value.read_raw_bytes(), "/Filter" in value
        text = str(pikepdf.String(zlib.decompressobj().decompress(data, _MAX_VALUE.maximum + 1) if packed else data))
    elif isinstance(value, pikepdf.Array):
        text = ", ".join(_text(part) for part in islice(value, _MAX_LIST_LENGTH) if isinstance(part, pikepdf.String))
    else:
        text = "" if value is None else str(value)
    _MAX_VALUE.check(len(text))
    return " ".join((text.removeprefix("/") if isinstance(value, pikepdf.Name) else text).split())


def _ticked_states(widgets: Widgets) -> list[str]:
    """Return the ticked states, by values and by the looks of widgets; pypdf writes a text, `/Yes`.

    Some programs change the value of a check box, some only which of its looks is shown.
    """
    states = [state for widget in widgets for state in (_read_inherited(widget, "/V"), _text(widget.obj.get("/AS")))]
    return [name for name in (state.removeprefix("/") for state in states) if name not in ("", "Off")]


def _choice(widget: pikepdf.AcroFormField) -> str:
    """Return the name of the look of a widget that is ticked."""
    looks = widget.obj.get("/AP", pikepdf.Dictionary()).get("/N")
    names = [key.removeprefix("/") for key in looks.keys()] if isinstance(looks, pikepdf.Dictionary) else []  # noqa: SIM118
    return next((name for name in names if name != "Off"), "")
