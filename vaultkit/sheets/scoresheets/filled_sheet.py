"""A score sheet that was filled in on a screen, read back into names, numbers and ticks."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vaultkit.campaign.scoresheets.record import SESSION, PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import InvalidError, Problem, UsageError
from vaultkit.look.design import NOTHING
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.scoresheets import reading
from vaultkit.sheets.scoresheets.boxes import FilledBox, read_boxes
from vaultkit.sheets.scoresheets.design import FIELDS, PLAYER, READABLE, Own, ScoreDesign, Ticks, adapted, own_from_json
from vaultkit.sheets.scoresheets.parts import Player, SheetBox, boxes_of, sheet_parts

_IDENTITY = "vaultkit."
_PREFIX = re.compile(r"p[1-9]\d*\.(?=.)", re.DOTALL)
_PRINT_AGAIN = "Print the sheet again with `vaultkit print scores`, and fill that one in."


@dataclass(frozen=True)
class FilledSheet(PaperRecord):
    """A filled sheet; `game` is a game's id, or the name of a design of no game. `common` are the ticks for all.

    Boxes that are empty are left out, and so are players who have none but these. `layout` is the first of the design's
    that has these boxes. What cannot be true or cannot be read stands in `problems` and nowhere else.
    """

    layout: str = ""
    problems: tuple[Problem, ...] = ()


def read_filled(path: Path, vault: Path | None = None, games: ScoreSheets | None = None) -> FilledSheet:
    """The score sheet at `path`; its design is looked for in `vault` first, then among the `games` that it defines.

    Raises InvalidError, which says why, for what is no PDF, damaged or locked, flattened, not a score sheet of ours,
    or one with other boxes than its design has today.
    """
    boxes = _by_name(read_boxes(path), path)
    game = _game(boxes, path)
    design = _design(lambda: reading.load_score_design(game, vault, games), game, boxes, path)
    boxes = {name: box for name, box in boxes.items() if not name.startswith(_IDENTITY)}
    layout, expected = _layout(design, boxes, path)
    values = Values(str(path), design, boxes, expected)
    return FilledSheet(
        where=str(path),
        game=game,
        title=design.title,
        about=values.about(),
        common=values.common_ticks(),
        seats=values.players(),
        labels={box.key: box.label for box in expected.values()},
        layout=layout,
        problems=tuple(values.problems),  # collected by all that is read above
    )


def _by_name(found: Iterable[FilledBox], path: Path) -> dict[str, FilledBox]:
    boxes: dict[str, FilledBox] = {}
    for box in found:
        if boxes.setdefault(box.name, box) != box:
            message = f"The box '{box.label or box.name}' is there twice, and it does not say the same."
            raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)
    return boxes


def _game(boxes: Mapping[str, FilledBox], path: Path) -> str:
    """The game, by the marks that a sheet is known again by."""
    marks = {name.removeprefix(_IDENTITY): box.text for name, box in boxes.items() if name.startswith(_IDENTITY)}
    game, version, sheet = (marks.get(part, "") for part in ("game", "fields", "sheet"))
    if not game or not sheet:
        message = "This PDF is not a score sheet of vaultkit's, or a program has flattened it (printed it to a PDF)."
        raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)
    if version not in READABLE:
        message = f"This score sheet has boxes of version '{version}', and only version '{FIELDS}' can be read."
        raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)
    return game


def _design(load: Callable[[], ScoreDesign], game: str, boxes: Mapping[str, FilledBox], path: Path) -> ScoreDesign:
    """The design of this name, with the title, rows and columns that the sheet was printed with."""
    name = f"{_IDENTITY}own"
    try:
        own = own_from_json(boxes[name].text if name in boxes else "") or Own()
        return adapted(load(), title=own.title, rows=own.rows, columns=own.columns)
    except ValueError as error:
        message = "This score sheet does not say any more which rows and columns it has."
        raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN) from error
    except UsageError as error:
        message = f"This score sheet is for '{game}', of which there is no design here."
        raise InvalidError(message, where=str(path), hint=error.hint) from error


def _layout(design: ScoreDesign, boxes: Mapping[str, FilledBox], path: Path) -> tuple[str, dict[str, SheetBox]]:
    """The layout that has just these boxes, and what belongs into each."""
    prefixes = {found[0] for found in map(_PREFIX.match, boxes) if found} or {""}
    people = [Player(prefix) for prefix in sorted(prefixes, key=lambda prefix: (len(prefix), prefix))]
    sets = {layout: boxes_of(sheet_parts(design, layout, people)) for layout in design.layouts}
    for layout, expected in sets.items():
        if expected.keys() == boxes.keys():
            return layout, expected
    nearest = min(sets.values(), key=lambda expected: len(expected.keys() ^ boxes.keys()))
    unknown, lost = sorted(boxes.keys() - nearest.keys()), [name for name in nearest if name not in boxes]
    if unknown:
        message = f"This score sheet was printed from another design: today's has no box '{unknown[0]}'."
    else:
        gone = nearest[lost[0]].label
        message = f"The box '{gone}' has gone from this score sheet: a program has flattened a part of it."
    raise InvalidError(message, where=str(path), hint=_PRINT_AGAIN)


class Values:
    """Reads `boxes` as what is `expected`, both by their full names, and collects problems. `where` is the file."""

    def __init__(
        self, where: str, design: ScoreDesign, boxes: Mapping[str, FilledBox], expected: Mapping[str, SheetBox]
    ) -> None:
        self.where, self.boxes, self.expected = where, boxes, expected
        self.lines = {line.id: line.title for line in design.lines if line.id != PLAYER}
        self.own = [group for group in design.ticks if group.own]
        self.common = [group for group in design.ticks if not group.own]
        self.problems: list[Problem] = []
        self._prefixes = dict.fromkeys(["", *(box.player.prefix for box in expected.values())])

    def players(self) -> tuple[PaperSeat, ...]:
        """The players for whom anything was written or ticked, besides what holds for all."""
        whose = {box.player.prefix for box in self.expected.values() if self._says(box)}
        prefixes = list(filter(None, self._prefixes)) or [""]
        return tuple(self._player(prefix) for prefix in prefixes if prefix in whose)

    def _says(self, box: SheetBox) -> bool:
        """Whether something of one player alone stands in a box."""
        given = self.boxes[box.field]
        is_common = box.key in self.lines or box.key.partition(".")[0] in {group.id for group in self.common}
        return not is_common and bool(given.ticked or given.only_drawn or not is_empty_box(given.text))

    def _player(self, prefix: str) -> PaperSeat:
        """Boxes by their names without prefix; a problem if nobody wrote the player's name."""
        boxes = {box.key: box for box in self.expected.values() if box.player.prefix == prefix}
        name = self._words(boxes.pop(PLAYER, None))
        if not name and prefix + PLAYER in self.boxes:
            self._problem("sheet-name", f"{self._who(prefix)}the name of the player is missing.", "Write it in.")
        numbers = {key: self._number(box) for key, box in boxes.items() if box.kind == "number"}
        known = {key: value for key, value in numbers.items() if value is not None}
        worded = [key for key, box in boxes.items() if box.kind in ("words", "choice") and key not in self.lines]
        said = {key: str(value) for key, value in known.items()}
        said |= {key: self._words(boxes[key]) for key in worded}
        said |= {group.id: self._ticked(group, prefix) for group in self.own}
        return PaperSeat(name, self._given(said), known, self.where, self._is_typed(prefix, name))

    def _is_typed(self, prefix: str, name: str) -> bool:
        """Whether somebody wrote the name: what a screen reader says of its box has the name that was printed."""
        box = self.boxes.get(prefix + PLAYER)
        if not (prefix and name and box and box.label):
            return False
        return not _one_line(box.label).startswith(f"{name}: ")

    def about(self) -> dict[str, PaperWords]:
        """The lines that hold for all, such as session and date. A session may be called as everybody likes."""
        found = {}
        for key, title in self.lines.items():
            words = [self._words(self.expected.get(prefix + key)) for prefix in self._prefixes]
            found[key] = _all_names(words) if key == SESSION else self._agreed(title, words)
        return self._given(found)

    def common_ticks(self) -> dict[str, PaperWords]:
        """The ticks for all, by group."""
        found = {}
        for group in self.common:
            ticked = [self._ticked(group, prefix) for prefix in self._prefixes]
            found[group.id] = self._agreed(group.title, ticked, group.options)
        return self._given(found)

    def _given(self, values: Mapping[str, str]) -> dict[str, PaperWords]:
        """Without what is empty."""
        return {key: PaperWords(value, self.where) for key, value in values.items() if value}

    def _agreed(self, title: str, given: Iterable[str], named: Mapping[str, str] = NOTHING) -> str:
        """The one answer, if there are not two; `named` has words for it."""
        values = sorted(set(given) - {""})
        if len(values) > 1:
            listed = " and ".join(f"'{named.get(value, value)}'" for value in values)
            self._problem("sheet-differs", f"{title}: it says {listed}.", "It must be the same for all players.")
        return values[0] if len(values) == 1 else ""

    def _number(self, box: SheetBox) -> int | None:
        text = self._words(box)
        try:
            return whole_number(text) if text else None
        except ValueError:
            hint = "Write a whole number or a sum such as 8+9, or leave the box empty."
            self._problem("sheet-number", f"{self._label(box)}: '{text}' is not a number.", hint)
            return None

    def _words(self, box: SheetBox | None) -> str:
        """The words in a box on one line; nothing for an empty one."""
        if box is None:
            return ""
        given = self.boxes[box.field]
        if given.only_drawn:
            hint = "Fill it in with another program, such as Firefox or Acrobat Reader."
            self._problem("sheet-drawn", f"{self._label(box)}: the program saved a picture and no value.", hint)
        words = _one_line(given.text)
        return "" if is_empty_box(words) else words

    def _ticked(self, group: Ticks, prefix: str) -> str:
        """The option that is ticked in a group, if it is just one."""
        boxes = {option: self.boxes.get(f"{prefix}{group.id}.{option}") for option in group.options}
        ticked = [option for option, box in boxes.items() if box and box.ticked]
        if len(ticked) > 1:
            listed = " and ".join(f"'{group.options[option]}'" for option in ticked)
            message = f"{self._who(prefix)}{group.title}: {listed} cannot both be ticked."
            self._problem("sheet-tick", message, "Leave one of them.")
        return ticked[0] if len(ticked) == 1 else ""

    def _label(self, box: SheetBox) -> str:
        return self._who(box.player.prefix) + box.label

    def _who(self, prefix: str) -> str:
        """Whose box it is, where there are several players: by name, else by number."""
        if not prefix:
            return ""
        box = self.boxes.get(prefix + PLAYER)
        return f"{(box and _one_line(box.text)) or f'Player {prefix[1:-1]}'}: "

    def _problem(self, code: str, message: str, hint: str) -> None:
        problem = Problem(self.where, 0, 0, code, message[:1].upper() + message[1:], hint)
        if problem not in self.problems:
            self.problems.append(problem)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _all_names(given: Iterable[str]) -> str:
    """The name that players give the evening, in one or in several ways: `6`, also for `Session 6`."""
    names: dict[str, str] = {}
    for words in filter(None, given):
        names.setdefault(words.casefold().removeprefix("session").strip(), words)
    return " and ".join(names.values())


_NUMBER = re.compile(r"([+-]?\d{1,6}(?:\s*\+\s*\d{1,6})*)(?:\s*(?:[x×]|on)?\s*row\s*\d)?", re.IGNORECASE)
_DASHES = re.compile("[\u2010-\u2015\u2212]")


def is_empty_box(text: str) -> bool:
    """Whether nothing is written: no sign at all, or only a dash, as one strikes out a box."""
    return _plain(text) in ("", "-", "--")


def whole_number(text: str) -> int:
    """The whole number that `text` says, in digits of any width or script, with spaces around it; of `8+9` the sum.

    Rolls may say their row, as in `2 × row 3` or `2 on row 3`: it follows from the total and is left out.
    Anything else, also a fraction or more than six digits, is a ValueError.
    """
    found = _NUMBER.fullmatch(_plain(text))
    if not found:
        raise ValueError(text)
    return sum(map(int, re.findall(r"-?\d+", found[1])))


def _plain(text: str) -> str:
    shown = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return _DASHES.sub("-", shown).strip()
