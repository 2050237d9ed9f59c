"""A score sheet that was filled in on a screen, read back: one walk over its boxes, by their names."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from vaultkit.campaign.scoresheets.given import FilledSheet
from vaultkit.campaign.scoresheets.record import PaperSeat, PaperWords
from vaultkit.campaign.scoresheets.understanding import is_blank, read_number
from vaultkit.errors import InvalidError, Problem, UsageError
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets import reading
from vaultkit.sheets.scoresheets.boxes import FilledBox, read_boxes
from vaultkit.sheets.scoresheets.design import FIELDS, PLAYER, READABLE, ScoreDesign
from vaultkit.sheets.scoresheets.parts import Player, SheetBox, boxes_of, sheet_parts

_IDENTITY = "vaultkit."
_PREFIX = re.compile(r"p[1-9]\d*\.(?=.)", re.DOTALL)
_ROW = re.compile(r"\s*(?:[x×]|on)?\s*row\s*\d$", re.IGNORECASE)
_PRINT_AGAIN = "Print the sheet again with `vaultkit print scores`, and fill that one in."


def read_filled(path: Path, vault: Path | None = None, games: ScoreSheets | None = None) -> FilledSheet:
    """The score sheet at `path`; its design is looked for in `vault` first, then among the `games` that it defines.

    Raises InvalidError, which says why, for what is no PDF, damaged or locked, flattened, not a score sheet of ours,
    or one with other boxes than its design has today.
    """
    try:
        boxes = read_boxes(path)
        game = _game({name: boxes.pop(name).text for name in [*boxes] if name.startswith(_IDENTITY)})
        design = reading.load_score_design(game, vault, games)
        layout, expected = _layout(design, boxes)
    except (InvalidError, UsageError) as error:
        message = error.message
        if isinstance(error, UsageError):
            message = f"This score sheet is for '{game}', of which there is no design here."
        raise InvalidError(message, where=str(path), hint=error.hint or _PRINT_AGAIN) from error
    read = _Reading(str(path), boxes, expected)
    common = {one.id for one in (*design.lines, *(group for group in design.ticks if not group.own))} - {PLAYER}
    lines, seats = read.lines_and_seats(common)
    labels = {box.key: box.label for box in expected.values() if box.kind == "number"}
    return FilledSheet(str(path), game, design.title, layout, lines, seats, labels, tuple(read.problems))


def _game(marks: Mapping[str, str]) -> str:
    """The game, by the marks that a sheet is known again by."""
    game, version, sheet = (marks.get(_IDENTITY + part, "") for part in ("game", "fields", "sheet"))
    if not game or not sheet:
        raise InvalidError(
            "This PDF is not a score sheet of vaultkit's, or a program has flattened it (printed it to a PDF)."
        )
    if version not in READABLE:
        raise InvalidError(
            f"This score sheet has boxes of version '{version}', and only version '{FIELDS}' can be read."
        )
    return game


def _layout(design: ScoreDesign, boxes: Mapping[str, FilledBox]) -> tuple[str, dict[str, SheetBox]]:
    """The layout that has just these boxes, and what belongs into each."""
    prefixes = {found[0] for found in map(_PREFIX.match, boxes) if found} or {""}
    people = [Player(prefix) for prefix in sorted(prefixes, key=lambda prefix: (len(prefix), prefix))]
    sets = {layout: boxes_of(sheet_parts(design, layout, people)) for layout in design.layouts}
    layout, nearest = min(sets.items(), key=lambda pair: len(pair[1].keys() ^ boxes.keys()))
    if unknown := sorted(boxes.keys() - nearest.keys()):
        raise InvalidError(f"This score sheet was printed from another design: today's has no box '{unknown[0]}'.")
    if lost := next((box.label for name, box in nearest.items() if name not in boxes), ""):
        raise InvalidError(f"The box '{lost}' has gone from this score sheet: a program has flattened a part of it.")
    return layout, nearest


class _Reading:
    """Reads `boxes` of the file `where` as what is `expected`, both by their full names, and collects problems."""

    def __init__(self, where: str, boxes: Mapping[str, FilledBox], expected: Mapping[str, SheetBox]) -> None:
        self.where, self.boxes, self.expected = where, boxes, expected
        self.problems: list[Problem] = []

    def lines_and_seats(self, common: set[str]) -> tuple[list[tuple[str, PaperWords]], tuple[PaperSeat, ...]]:
        """The words on the lines and by the ticks that all have in `common`, and then those of each player."""
        lines, seats = [], []
        for prefix in dict.fromkeys(box.player.prefix for box in self.expected.values()):
            found = self._walk(box for box in self.expected.values() if box.player.prefix == prefix)
            lines += [(key, words) for key, words in found.items() if key in common and words.text]
            own = {key: words for key, words in found.items() if key not in common}
            seats += [self._seat(prefix, own)] if own else []
        return lines, tuple(seats)

    def _seat(self, prefix: str, found: dict[str, PaperWords]) -> PaperSeat:
        """A player's words; a problem if nobody wrote the name. A name that was printed is in the label of its box."""
        name, box = found.pop(PLAYER, PaperWords("")).text, self.boxes.get(prefix + PLAYER)
        if box and not name:
            self._problem("sheet-name", f"{self._who(prefix)}the name of the player is missing.", "Write it in.")
        typed = bool(prefix and name and box and box.label and not _one_line(box.label).startswith(f"{name}: "))
        return PaperSeat(name, {key: words for key, words in found.items() if words.text}, self.where, typed)

    def _walk(self, boxes: Iterable[SheetBox]) -> dict[str, PaperWords]:
        """The words in those boxes in which something stands, "" for what cannot be read."""
        found: dict[str, PaperWords] = {}
        for box in boxes:
            given, key = self.boxes[box.field], box.key
            if box.kind == "tick" and given.ticked:
                key = box.key.rpartition(".")[0]
                found[key] = PaperWords(self._ticked(box, found.get(key)), self.where)
            elif not is_blank(given.text):
                found[key] = PaperWords(self._words(box, given), self.where)
        return found

    def _ticked(self, box: SheetBox, other: PaperWords | None) -> str:
        """The option of a box, unless an `other` one of its group is ticked, too."""
        if other and other.text:
            first = self.expected[f"{box.field.rpartition('.')[0]}.{other.text}"]
            message = f"{self._who(box.player.prefix)}'{first.label}' and '{box.label}' cannot both be ticked."
            self._problem("sheet-tick", message, "Leave one of them.")
        return "" if other else box.options[0]

    def _words(self, box: SheetBox, given: FilledBox) -> str:
        text, label = _one_line(given.text), self._who(box.player.prefix) + box.label
        if box.kind != "number" or not text:
            return text
        number = without_row(text)
        if read_number(number):
            return number
        hint = "Write a whole number or a sum such as 8+9, or leave the box empty."
        self._problem("sheet-number", f"{label}: '{text}' is not a number.", hint)
        return ""

    def _who(self, prefix: str) -> str:
        """Whose box it is, where there are several players: by name, else by number."""
        box = self.boxes.get(prefix + PLAYER)
        return f"{(box and _one_line(box.text)) or f'Player {prefix[1:-1]}'}: " if prefix else ""

    def _problem(self, code: str, message: str, hint: str) -> None:
        self.problems.append(Problem(self.where, 0, 0, code, message[:1].upper() + message[1:], hint))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def without_row(text: str) -> str:
    """Rolls without the row that they may tell, as in `2 × row 3` or `2 on row 3`: it follows from the total."""
    return _ROW.sub("", text)
