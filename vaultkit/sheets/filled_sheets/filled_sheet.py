"""A score sheet that was filled in on a screen, read back: one walk over its boxes, whatever program filled them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_fields
from itertools import accumulate
from pathlib import Path

from msgspec.structs import replace

from vaultkit.campaign.scoresheets.answer_parser import STROKES, TICKS, is_blank, number_fault, parse_summands
from vaultkit.campaign.scoresheets.paper_record import PaperSeat, PaperWords
from vaultkit.campaign.scoresheets.sheet_merge import CoveredBox, FilledSheet, join_sheets
from vaultkit.errors import InvalidError, Problem, UsageError
from vaultkit.games.definition import MAX_PLAYERS
from vaultkit.games.scoresheet import WON_OR_LOST
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.filled_sheets.pdf_boxes import PRINT_AGAIN, Boxes, FilledBox, read_boxes
from vaultkit.sheets.scoresheets.design import FIELDS, PARTY, PLAYER, READABLE, ScoreDesign, load_score_design
from vaultkit.sheets.scoresheets.parts import GAMES_PREFIX, NOTES_PREFIX, Player, SheetBox, boxes_of, sheet_parts
from vaultkit.text import group, name_sort_key

_GAME = re.compile(rf"(?:^|(?<=\.)){GAMES_PREFIX}\d\.\Z")
_NUMBER = re.compile(r"\.\d+(?=\.|\Z)")
_PREFIX = re.compile(r"p[1-9]\d*\.(?=.)", re.DOTALL)


_NOTHING: Mapping[str, str] = {}


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
        merged = read_boxes(path)
    except InvalidError as error:
        raise InvalidError(error.message, where=str(path), hint=error.hint or PRINT_AGAIN) from error
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
    """Return the score sheet to which the boxes belong."""
    try:
        game, printed_id = _take_marks(boxes)
        design = load_score_design(game, vault, games)
        boxes |= {name: _set_words(boxes[name], words) for name, words in settled.items() if name in boxes}
        layout, expected, added = _layout(design, boxes, printed_id)
    except UsageError as error:
        message = f"This score sheet is for '{game}', of which there is no design here."
        raise InvalidError(message, where=where, hint=error.hint) from error
    except InvalidError as error:
        raise InvalidError(error.message, where=error.where or where, hint=error.hint or PRINT_AGAIN) from error
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
    people, problems = tuple(seats.values()), tuple(reader.problems)
    return FilledSheet(where, game, design.title, layout, lines, people, labels, problems, covered, remarks)


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
            yield CoveredBox(name, box.player.label_prefix() + box.label, filled.page, filled.cover, text)


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
    own, all_prefixes = [player.prefix for player in people], [f"p{n}." for n in range(1, 1 + MAX_PLAYERS)]
    return {design.identify(layout, prefixes) for prefixes in (own, *accumulate([prefix] for prefix in all_prefixes))}


def _layout(
    full_design: ScoreDesign, boxes: dict[str, FilledBox], printed_id: str
) -> tuple[str, dict[str, SheetBox], Sequence[str]]:
    """Return the layout that matches the boxes, the content of each box, and the titles of parts that were added.

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
    """Set tick boxes according to the choices in the lists of older sheets."""
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
        """Return the words in the filled boxes by question; "" for unreadable words."""
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
        is_typed = bool(label) and not label.startswith(player.label_prefix())
        own = {key: words for key, words in answers.items() if words.text and key != PLAYER}
        return PaperSeat(player.name, own, self.where, is_typed)

    def _problem(self, code: str, player: Player, message: str, hint: str) -> None:
        message = player.label_prefix() + message
        self.problems.append(Problem(self.where, 0, 0, code, message[:1].upper() + message[1:], hint))


def without_row(text: str) -> str:
    """Return rolls without the row that they may tell, as in `2 × row 3` or `2 on row 3`: it follows from the total."""
    return re.sub(r"(?<!\s)\s*+(?:[x×]\s*+|on\s*+)?row\s*+\d$", "", text, flags=re.IGNORECASE)
