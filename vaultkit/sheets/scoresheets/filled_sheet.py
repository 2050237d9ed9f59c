"""A score sheet that was filled in on a screen, read back: one walk over its boxes, by their names."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from vaultkit.campaign.scoresheets.given import FilledSheet
from vaultkit.campaign.scoresheets.record import PaperSeat, PaperWords, is_blank, read_number
from vaultkit.errors import InvalidError, Problem, UsageError
from vaultkit.grouping import group
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets import reading
from vaultkit.sheets.scoresheets.boxes import FilledBox, read_boxes
from vaultkit.sheets.scoresheets.design import FIELDS, PLAYER, READABLE, ScoreDesign
from vaultkit.sheets.scoresheets.parts import Player, SheetBox, boxes_of, sheet_parts
from vaultkit.sorting import name_order

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
    read = _Reading(str(path), boxes)
    common = {one.id for one in (*design.lines, *(ticks for ticks in design.ticks if not ticks.own))} - {PLAYER}
    lines, seats = [], []
    for player, own in group((box.player, box) for box in expected.values()).items():
        answers = read.answers(own)
        lines += [(key, words) for key, words in answers.items() if key in common and words.text]
        said = {key: words for key, words in answers.items() if key not in common}
        seats += [read.seat(player, said)] if said else []
    labels = {box.key: box.label for box in expected.values() if box.kind == "number"}
    return FilledSheet(str(path), game, design.title, layout, lines, tuple(seats), labels, tuple(read.problems))


def _game(marks: Mapping[str, str]) -> str:
    """The game, by the marks that a sheet is known again by."""
    game, version, sheet = (marks.get(_IDENTITY + part, "") for part in ("game", "fields", "sheet"))
    if not game or not sheet:
        raise InvalidError("This PDF is not a score sheet of vaultkit's, or it was flattened (printed to another PDF).")
    if version not in READABLE:
        raise InvalidError(f"This score sheet has boxes of version '{version}', and only '{FIELDS}' can be read.")
    return game


def _layout(design: ScoreDesign, boxes: Mapping[str, FilledBox]) -> tuple[str, dict[str, SheetBox]]:
    """The layout that has just these boxes, and what belongs into each."""
    prefixes = {found[0] for found in map(_PREFIX.match, boxes) if found} or {""}
    names = {prefix: boxes.get(prefix + PLAYER, FilledBox("")).text for prefix in sorted(prefixes, key=name_order)}
    people = [Player(prefix, "" if is_blank(name) else name) for prefix, name in names.items()]
    sets = {layout: boxes_of(sheet_parts(design, layout, people)) for layout in design.layouts}
    layout, nearest = min(sets.items(), key=lambda pair: len(pair[1].keys() ^ boxes.keys()))
    if unknown := sorted(boxes.keys() - nearest.keys()):
        raise InvalidError(f"This score sheet was printed from another design: today's has no box '{unknown[0]}'.")
    if lost := next((box.label for name, box in nearest.items() if name not in boxes), ""):
        raise InvalidError(f"The box '{lost}' has gone from this score sheet: a program has flattened a part of it.")
    return layout, nearest


class _Reading:
    """Reads `boxes` of the file `where`, by their full names, as the boxes of a design, and collects problems."""

    def __init__(self, where: str, boxes: Mapping[str, FilledBox]) -> None:
        self.where, self.boxes = where, boxes
        self.problems: list[Problem] = []

    def answers(self, boxes: Iterable[SheetBox]) -> dict[str, PaperWords]:
        """The words in those boxes in which something stands, by question; "" for what cannot be read."""
        filled = group((box.question, box) for box in boxes if self._is_filled(box))
        return {question: PaperWords(self._text(*same), self.where) for question, same in filled.items()}

    def _is_filled(self, box: SheetBox) -> bool:
        given = self.boxes[box.field]
        return given.ticked if box.kind == "tick" else not is_blank(given.text)

    def _text(self, box: SheetBox, *others: SheetBox) -> str:
        """The words of a box, "" for what cannot be read; no `others` of its group may be ticked with it."""
        if others:
            both = f"'{box.label}' and '{others[0].label}' cannot both be ticked."
            self._problem("sheet-tick", box.player, both, "Leave one of them.")
            return ""
        text = self.boxes[box.field].text
        if box.kind != "number":
            return box.options[0] if box.kind == "tick" else text
        if read_number(number := without_row(text)):
            return number
        hint = "Write a whole number or a sum such as 8+9, or leave the box empty."
        self._problem("sheet-number", box.player, f"{box.label}: '{text}' is not a number.", hint)
        return ""

    def seat(self, player: Player, said: dict[str, PaperWords]) -> PaperSeat:
        """A player's answers; a problem where the name is missing. One that was printed is in the label of its box."""
        box = self.boxes.get(player.prefix + PLAYER)
        if box and not player.name:
            self._problem("sheet-name", player, "the name of the player is missing.", "Write it in.")
        label = box.label if box and player.name else ""
        typed = bool(label) and not label.startswith(player.who)
        own = {key: words for key, words in said.items() if words.text and key != PLAYER}
        return PaperSeat(player.name, own, self.where, typed)

    def _problem(self, code: str, player: Player, message: str, hint: str) -> None:
        message = player.who + message
        self.problems.append(Problem(self.where, 0, 0, code, message[:1].upper() + message[1:], hint))


def without_row(text: str) -> str:
    """Rolls without the row that they may tell, as in `2 × row 3` or `2 on row 3`: it follows from the total."""
    return _ROW.sub("", text)
