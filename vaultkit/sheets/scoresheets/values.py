"""Numbers, words and ticks out of the boxes of a score sheet, and those among them that cannot be true."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from vaultkit.campaign.scoresheets.record import PaperSeat, PaperWords
from vaultkit.campaign.scoresheets.sheets import SESSION
from vaultkit.errors import Problem
from vaultkit.look.design import NOTHING
from vaultkit.sheets.scoresheets.boxes import FilledBox
from vaultkit.sheets.scoresheets.design import PLAYER, ScoreDesign, Ticks
from vaultkit.sheets.scoresheets.parts import SheetBox


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
        if is_empty_box(words) or box.kind != "choice":
            return "" if is_empty_box(words) else words
        chosen = next((option for option in box.options if option.casefold() == words.casefold()), "")
        if not chosen:
            hint = f"Accepted: {', '.join(filter(None, box.options))}."
            self._problem("sheet-choice", f"{self._label(box)}: '{words}' cannot be chosen.", hint)
        return chosen

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
