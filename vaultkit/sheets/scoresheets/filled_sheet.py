"""A score sheet that was filled in on a screen, read back: one walk over its boxes, whatever program filled them."""

import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace as replace_fields
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

import pikepdf
from msgspec import Struct
from msgspec.structs import replace

from vaultkit import files
from vaultkit.campaign.scoresheets.input_formats import CoveredBox, FilledSheet, join_sheets
from vaultkit.campaign.scoresheets.paper_record import (
    STROKES,
    TICKS,
    PaperSeat,
    PaperWords,
    is_blank,
    number_fault,
    parse_summands,
)
from vaultkit.compendium.toml_tables import read_data
from vaultkit.errors import InvalidError, Problem, UsageError
from vaultkit.games.definition import MAX_PLAYERS
from vaultkit.games.scoresheet import WON_OR_LOST
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets.design import FIELDS, PARTY, PLAYER, READABLE, ScoreDesign, load_score_design
from vaultkit.sheets.scoresheets.page_drawing import ShownWidget, shown_widgets, steps_of
from vaultkit.sheets.scoresheets.parts import (
    GAMES_PREFIX,
    MAX_FIELD_COUNT,
    MAX_VALUE_LENGTH,
    NOTES_PREFIX,
    Player,
    SheetBox,
    boxes_of,
    sheet_id,
    sheet_parts,
)
from vaultkit.text import group, name_sort_key

_GAME = re.compile(rf"(?:^|(?<=\.)){GAMES_PREFIX}\d\.\Z")
_NUMBER = re.compile(r"\.\d+(?=\.|\Z)")
_PREFIX = re.compile(r"p[1-9]\d*\.(?=.)", re.DOTALL)
_PRINT_AGAIN = "Print the sheet again with `vaultkit print scores`, and fill that one in."
_MAX_FORM_FIELD_COUNT, _MAX_LIST_LENGTH, _MAX_VALUE_LENGTH = MAX_FIELD_COUNT, 100, MAX_VALUE_LENGTH
"""So many fields has a form at most, so many parts a list, and so many bytes a value: few may become any number."""
_MARK = re.compile(r"(.*?)\bvaultkit\.(?:game|fields|sheet)\Z")
"""The names of the boxes by which a sheet is known again, on whatever page they are, after what programs add."""
_ADDED_NUMBER = re.compile(r"\[\d+\]|\+\d+(?=\.|\Z)")
"""What programs add to the name of a field to tell it from others of the name."""
_TWICE = "Several sheets in one PDF? Save each as a file of its own, and give them all: --from *.pdf"
_LIMITS = {"flate_max_memory": 32 * files.MB, "run_length_max_memory": 32 * files.MB, "max_stream_filters": 4}
_UNLIMITED = re.compile(rb"/(L|#4[Cc])(Z|#5[Aa])(W|#57)")
"""The one filter, out of use for decades, for which there are no limits."""


_NOTHING: Mapping[str, str] = {}
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


def read_filled_sheet(
    path: Path, vault: Path | None = None, games: ScoreSheets | None = None, settled: Mapping[str, str] = _NOTHING
) -> FilledSheet:
    """Return the score sheet at `path`, or all sheets that were merged into that file as one.

    Its design is looked for in `vault`, then among the `games` that it defines. `settled` are the words that covered
    boxes show, by the names of their fields, where somebody looked at the page.

    Raises InvalidError, which says why, for what is no PDF, damaged or locked, flattened, not a score sheet of ours,
    or one with other boxes than its design has today.
    """
    try:
        merged = _read_boxes(path)
    except InvalidError as error:
        raise InvalidError(error.message, where=str(path), hint=error.hint or _PRINT_AGAIN) from error
    sheets = list[FilledSheet]()
    for number, (page, boxes) in enumerate(merged.items()):
        where, key = (f"{path}, page {page}", f"{number}/") if len(merged) > 1 else (str(path), "")
        own = {name.removeprefix(key): words for name, words in settled.items() if name.startswith(key)}
        sheet = _read_sheet(where, boxes, vault, games, own)
        covered = tuple(replace_fields(box, field=key + box.field) for box in sheet.covered)
        sheets.append(replace_fields(sheet, covered=covered))
    return join_sheets(sheets)


def _read_sheet(
    where: str, boxes: dict[str, FilledBox], vault: Path | None, games: ScoreSheets | None, settled: Mapping[str, str]
) -> FilledSheet:
    """Return the score sheet that has these boxes."""
    try:
        game, printed_id = _take_marks(boxes)
        design = load_score_design(game, vault, games)
        layout, expected, added = _layout(design, boxes, printed_id)
    except UsageError as error:
        message = f"This score sheet is for '{game}', of which there is no design here."
        raise InvalidError(message, where=where, hint=error.hint) from error
    except InvalidError as error:
        raise InvalidError(error.message, where=error.where or where, hint=error.hint or _PRINT_AGAIN) from error
    covered = tuple(_covered_boxes(boxes, expected, settled))
    boxes |= {name: _set_words(boxes[name], words) for name, words in settled.items() if name in expected}
    reader = _BoxReader(where, boxes, design)
    common = {part.id for part in (*design.lines, *(ticks for ticks in design.ticks if not ticks.own))} - {PLAYER}
    lines, seats = [], dict[Player, PaperSeat]()
    is_note = _make_note_test(design)
    for player, own_boxes in group((box.player, box) for box in expected.values()).items():
        answers = reader.answers(box for box in own_boxes if not is_note(box.key))
        lines += [(key, words) for key, words in answers.items() if key in common and words.text]
        seat_answers = {key: words for key, words in answers.items() if key not in common}
        if later := _GAME.search(player.prefix):  # of several games on one sheet the last one is read
            owner = replace(player, prefix=player.prefix[: later.start()])
            seats |= {owner: reader.seat(owner, seat_answers)} if seat_answers else {}
        elif seat_answers:
            seats[player] = reader.seat(player, seat_answers)
    labels = {box.key: box.label for box in expected.values() if box.kind == "number"}
    remarks = tuple(f"{where} was printed before it had a box for {label}, which counts as empty." for label in added)
    people = tuple(seats.values())
    return FilledSheet(
        where, game, design.title, layout, lines, people, labels, tuple(reader.problems), covered, remarks
    )


def _make_note_test(design: ScoreDesign) -> Callable[[str], bool]:
    """Return whether the box with a name is one for notes, of which games know nothing."""
    beginnings = tuple(f"{listing.id}." for listing in design.lists) if design.sheet else ()
    ids = {line.id for line in design.sheet.definition.form.lines} if design.sheet else set()
    return lambda key: key in ids or key.startswith(beginnings) or key.rpartition(".")[2].startswith(NOTES_PREFIX)


def _covered_boxes(boxes: Boxes, expected: Mapping[str, SheetBox], settled: Mapping[str, str]) -> Iterator[CoveredBox]:
    """Yield the boxes over which something was drawn, and of which nobody has said yet what they show."""
    for name, box in expected.items():
        filled = boxes[name]
        if filled.cover and name not in settled:
            text = ("no", "yes")[filled.ticked] if box.kind == "tick" else filled.text
            yield CoveredBox(name, box.player.whose() + box.label, filled.page, filled.cover, text)


def _set_words(filled: FilledBox, words: str) -> FilledBox:
    return replace(filled, text=words, ticked=words.casefold() in TICKS | {"yes", "y"})


def _take_marks(boxes: dict[str, FilledBox]) -> tuple[str, str]:
    """Take the identifying marks out of `boxes` and return the game and the sheet's id. Raises InvalidError."""
    game, version, sheet = (boxes.pop(f"vaultkit.{part}", FilledBox()).text for part in ("game", "fields", "sheet"))
    if not game or not sheet:
        raise InvalidError("This PDF is not a score sheet of vaultkit's, or it was flattened (printed to another PDF).")
    if version not in READABLE:
        raise InvalidError(f"This score sheet has boxes of version '{version}', and only '{FIELDS}' can be read.")
    return game, sheet


def _sheet_ids(design: ScoreDesign, layout: str, people: Sequence[Player]) -> set[str]:
    """Return the ids that a sheet of this design can have, since boxes of further people may have gone."""
    numbered = [Player(f"p{number}.", "") for number in range(1, MAX_PLAYERS + 1)]
    return {sheet_id(design, layout, some) for some in (people, *(numbered[: n + 1] for n in range(MAX_PLAYERS)))}


def _layout(
    full_design: ScoreDesign, boxes: dict[str, FilledBox], printed_id: str
) -> tuple[str, dict[str, SheetBox], Sequence[str]]:
    """Return the layout that has just these boxes, what belongs into each, and the titles of parts that were added.

    A form has as many rounds as were drawn. `printed_id` is the id of the sheet, which tells whether the design has
    changed since: then parts of which the sheet has no box at all are missing on it.
    """
    design = full_design
    if design.sheet and (rounds := design.sheet.definition.rounds):
        numbered = re.compile(rf"(?:^|\.){re.escape(rounds.id)}\.(\d{{1,2}})\.")
        design = design.limit_rounds(max((int(item[1]) for item in map(numbered.search, boxes) if item), default=0))
    prefixes = {prefix_match[0] for prefix_match in map(_PREFIX.match, boxes) if prefix_match} or {""}
    names = {prefix: boxes.get(prefix + PLAYER, FilledBox()).text for prefix in sorted(prefixes, key=name_sort_key)}
    people = [Player(prefix, "" if is_blank(name) else name) for prefix, name in names.items()]
    layouts = [layout for layout in design.layouts if layout != PARTY or prefixes != {""}]
    sets = {layout: boxes_of(sheet_parts(design, layout, people)) for layout in layouts or design.layouts}
    _tick_old_choices(boxes, (box for expected in sets.values() for box in expected.values() if box.group))
    layout, nearest = min(sets.items(), key=lambda pair: len(pair[1].keys() ^ boxes.keys()))
    if unknown := sorted(boxes.keys() - nearest.keys()):
        raise InvalidError(f"This score sheet was printed from another design: today's has no box '{unknown[0]:.60}'.")
    # a sheet may be older than a formula, a column of the table, or boxes for notes, games, or how the game ended
    later = {*design.sheet.definition.formulas, *design.sheet.definition.table_ids} if design.sheet else set()
    later |= {WON_OR_LOST.key} - {box.question for name, box in nearest.items() if name in boxes}
    is_note, added = _make_note_test(design), dict[str, str]()
    present = {_NUMBER.sub("", box.key) for name, box in nearest.items() if name in boxes} | {PLAYER}
    is_changed = printed_id not in _sheet_ids(full_design, layout, people)
    titles = {part.id: part.title for part in (*design.columns, *design.ticks)}
    for name, box in nearest.items():
        column = box.key.rpartition(".")[2]
        if name in boxes or {box.question, column} & later or is_note(box.key) or _GAME.search(box.player.prefix):
            continue
        if not is_changed or (part := _NUMBER.sub("", box.key)) in present:
            why = "it was printed from another design, " * is_changed
            gone = f"{why}its page was deleted, it was hidden, or a program has flattened a part of the sheet"
            raise InvalidError(f"The box '{box.label}' has gone from this score sheet: {gone}.")
        added[part] = titles.get(column) or titles.get(box.question) or box.label
    return layout, {name: box for name, box in nearest.items() if name in boxes}, [*dict.fromkeys(added.values())]


def _tick_old_choices(boxes: dict[str, FilledBox], tick_boxes: Iterable[SheetBox]) -> None:
    """Tick boxes by what was chosen from a list, as on older sheets."""
    lists = dict(boxes)
    for box in tick_boxes:
        if filled := lists.get(name := box.player.prefix + box.question):
            boxes.pop(name, None)
            boxes[box.field] = FilledBox(filled.label, ticked=filled.text == box.options[0])


class _BoxReader:
    """Reads `boxes` of the file `where`, by their full names, as the boxes of a design, and collects problems."""

    def __init__(self, where: str, boxes: Boxes, design: ScoreDesign) -> None:
        self.where, self.boxes, self.problems = where, boxes, list[Problem]()
        columns = design.sheet.definition.columns if design.sheet else ()
        self.choices = {design.words(choice): choice for column in columns for choice in column.choices}

    def answers(self, boxes: Iterable[SheetBox]) -> dict[str, PaperWords]:
        """Return the words in those boxes in which something stands, by question; "" for what cannot be read."""
        filled = group((box.question, box) for box in boxes if self._is_filled(box))
        return {question: PaperWords(self._text(*same), self.where) for question, same in filled.items()}

    def _is_filled(self, box: SheetBox) -> bool:
        filled = self.boxes[box.field]
        return filled.ticked if box.kind == "tick" else not is_blank(filled.text)

    def _text(self, box: SheetBox, *others: SheetBox) -> str:
        """Return the words of a box, "" for what cannot be read; no `others` of its group may be ticked with it."""
        if others:
            both = f"'{box.label}' and '{others[0].label}' cannot both be ticked."
            self._problem("sheet-tick", box.player, both, "Leave one of them.")
            return ""
        text = self.boxes[box.field].text
        if box.kind != "number":
            return box.options[0] if box.kind == "tick" else self.choices.get(text, text) if box.options else text
        if parse_summands(number := "0" if text.casefold() in STROKES else without_row(text)):
            return number
        hint = "Write a whole number or a sum such as 8+9, or leave the box empty."
        self._problem("sheet-number", box.player, f"{box.label}: {number_fault(text)}.", hint)
        return ""

    def seat(self, player: Player, answers: dict[str, PaperWords]) -> PaperSeat:
        """Return a player's answers; a missing name is a problem. One that was printed is in the label of its box."""
        if (box := self.boxes.get(player.prefix + PLAYER)) and not player.name:
            self._problem("sheet-name", player, "the name of the player is missing.", "Write it in.")
        label = box.label if box and player.name else ""
        is_typed = bool(label) and not label.startswith(player.whose())
        own = {key: words for key, words in answers.items() if words.text and key != PLAYER}
        return PaperSeat(player.name, own, self.where, is_typed)

    def _problem(self, code: str, player: Player, message: str, hint: str) -> None:
        message = player.whose() + message
        self.problems.append(Problem(self.where, 0, 0, code, message[:1].upper() + message[1:], hint))


def without_row(text: str) -> str:
    """Return rolls without the row that they may tell, as in `2 × row 3` or `2 on row 3`: it follows from the total."""
    return re.sub(r"(?<!\s)\s*+(?:[x×]\s*+|on\s*+)?row\s*+\d$", "", text, flags=re.IGNORECASE)


def _read_boxes(path: Path) -> Mapping[int, dict[str, FilledBox]]:
    """Return the boxes of each sheet in the PDF at `path` by name, by the first page of the sheet.

    Raises InvalidError with the reason if it cannot be read for certain. A file that would first have to be repaired is
    refused: a repair may bring back what stood there before.
    """
    if b"%PDF-" not in (data := read_data(path, str(path), files.MAX_PDF_BYTES))[:1024]:
        hint = "A score sheet that was filled in on a screen is a PDF; one filled in with a pen is typed in by hand."
        raise InvalidError("This is not a PDF.", hint=hint)
    try:
        _check_complete(data)
        with _limit_pdf_memory(), pikepdf.open(BytesIO(data), attempt_recovery=False, suppress_warnings=True) as pdf:
            return _read_sheets(pdf)
    except pikepdf.PasswordError as error:
        raise InvalidError("This PDF asks for a password.", hint="Save it without one.") from error
    except (pikepdf.PdfError, zlib.error, ValueError, TypeError, AttributeError, KeyError, RuntimeError) as error:
        hint = "Open the sheet as it was printed, fill it in again and save it."
        raise InvalidError("This PDF is damaged.", hint=hint) from error


def _check_complete(data: bytes) -> None:
    """Raise ValueError for a PDF without its end, or packed without a limit."""
    _, ended, after = data.rpartition(b"%%EOF")
    if not ended or after.strip(b"\0\t\r\n\f "):  # what was added last was cut off, and older values would be read
        raise ValueError("its end is missing")
    if _UNLIMITED.search(data):
        raise ValueError("packed as no program of today packs")


@contextmanager
def _limit_pdf_memory() -> Iterator[None]:
    """Let libraries that can do so refuse what would grow without end; older ones have no such limits."""
    change = getattr(pikepdf.settings, "set_qpdf_limits", dict)
    before = change(**_LIMITS)
    try:
        yield
    finally:
        change(**before)


def _read_sheets(pdf: pikepdf.Pdf) -> Mapping[int, dict[str, FilledBox]]:
    """Return the visible boxes and the marks of each sheet, by name; a sheet begins where its marks are.

    Raises ValueError for too many fields, and InvalidError for sheets that share their boxes.
    """
    fields, visible = pdf.acroform.fields, shown_widgets(pdf)
    if len(fields) > _MAX_FORM_FIELD_COUNT:
        raise ValueError("more than any sheet has")
    pages = {item.objgen: number for number, page in enumerate(pdf.pages, 1) for item in page.obj.get("/Annots", [])}
    fields = [widget for widget in fields if isinstance(widget.obj, pikepdf.Dictionary)]
    boxes = [widget.obj for widget in fields if widget.obj.objgen in visible]
    if visible and not (boxes and all("/T" in box or "/Parent" in box for box in boxes)):
        message = "The boxes of this PDF have no names: it was flattened, or a program merged it or copied its pages."
        raise InvalidError(message, hint=f"{_PRINT_AGAIN} {_TWICE}")
    named = [(_ADDED_NUMBER.sub("", widget.fully_qualified_name), widget) for widget in fields]
    marks = {pages.get(widget.obj.objgen, 0): mark[1] for name, widget in named if (mark := _MARK.fullmatch(name))}
    starts = sorted(marks) or [0]
    sheets: dict[int, list[tuple[str, pikepdf.AcroFormField]]] = {start: [] for start in starts}
    owners = dict[tuple[int, int], int]()
    for name, widget in named:
        page = pages.get(widget.obj.objgen, 0)
        start = starts[max(0, bisect_right(starts, page) - 1)]
        own_name, is_mark = name.removeprefix(marks.get(start, "")), _MARK.fullmatch(name)
        if not is_mark and owners.setdefault(_field_of(widget), start) != start and _read_inherited(widget, "/V"):
            message = f"{len(starts)} score sheets were merged into this PDF so that they share the box '{own_name}'"
            raise InvalidError(f"{message}: nobody knows on which of them it was filled in.", hint=_TWICE)
        if is_mark or widget.obj.objgen in visible:
            sheets[start].append((own_name, widget))
    return {
        start: {key: box for name, same in group(pairs).items() for key, box in _read_field(name, same, visible)}
        for start, pairs in sheets.items()
    }


def _read_field(name: str, widgets: Widgets, visible: ShownWidgets) -> Iterator[tuple[str, FilledBox]]:
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
            raise InvalidError(f"The box '{label or name}' is there twice, and it does not say the same.", hint=_TWICE)
        text = "".join(values)
        if not text and not cover and any(map(_shows_text, widgets)):
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


def _shows_text(widget: pikepdf.AcroFormField) -> bool:
    """Return whether the appearance stream of a widget draws text."""
    look = widget.obj.get("/AP", pikepdf.Dictionary()).get("/N")
    if not isinstance(look, pikepdf.Stream):
        return False
    drawn = (step for step in steps_of(look) if str(step.operator) in ("Tj", "TJ", "'", '"'))
    return any(bytes(text).strip(b"\0 ") for step in drawn for text in _strings(step.operands))


def _strings(values: Iterable[Any]) -> Iterator[pikepdf.String]:
    for value in values:
        yield from _strings(value) if isinstance(value, pikepdf.Array) else [value] * isinstance(value, pikepdf.String)


def _read_inherited(widget: pikepdf.AcroFormField, key: str) -> str:
    """Return the label or value of a widget, which may stand at the field above it; "" for none."""
    return _text(widget.get_inheritable_field_value(key))


def _text(value: Any) -> str:
    """Return a value as text on one line: bytes in any of PDF's encodings, a name, a stream, or the parts of a list.

    Raises ValueError for a text that is longer than what people write on a sheet: many boxes may share one.
    """
    if isinstance(value, pikepdf.Stream):
        data, packed = value.read_raw_bytes(), "/Filter" in value
        text = str(pikepdf.String(zlib.decompressobj().decompress(data, _MAX_VALUE_LENGTH + 1) if packed else data))
    elif isinstance(value, pikepdf.Array):
        text = ", ".join(_text(part) for part in islice(value, _MAX_LIST_LENGTH) if isinstance(part, pikepdf.String))
    else:
        text = "" if value is None else str(value)
    if len(text) > _MAX_VALUE_LENGTH:
        raise ValueError("longer than what a sheet says")
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
