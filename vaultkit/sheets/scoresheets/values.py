"""Numbers, words and ticks out of the boxes of a score sheet, and those among them that cannot be true."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from vaultkit.errors import Problem
from vaultkit.look.design import NOTHING
from vaultkit.sheets.scoresheets.boxes import FilledBox
from vaultkit.sheets.scoresheets.design import ScoreDesign, Ticks
from vaultkit.sheets.scoresheets.fieldset import PLAYER, Expected, FieldSet, prefixes, split_name

SESSION = "session"
"""The line that names the evening."""


class Values:
    """Reads `boxes` as `expected` says, and collects problems. `where` is the file."""

    def __init__(self, where: str, design: ScoreDesign, boxes: Mapping[str, FilledBox], expected: FieldSet) -> None:
        self.where, self.boxes, self.expected = where, boxes, expected
        self.lines = {line.id: line.title for line in design.lines if line.id != PLAYER}
        self.own = [group for group in design.ticks if group.own]
        self.common = [group for group in design.ticks if not group.own]
        self.problems: list[Problem] = []
        self._prefixes = dict.fromkeys(["", *prefixes(boxes)])

    def is_filled(self, prefix: str) -> bool:
        """Whether anything was written or ticked for a player, besides what holds for all."""
        common = {*self.lines, *(f"{group.id}.{option}" for group in self.common for option, _ in group.options)}
        return any(
            box.ticked or box.only_drawn or not is_empty_box(box.text)
            for name, box in self.boxes.items()
            if split_name(name)[0] == prefix and split_name(name)[1] not in common
        )

    def name(self, prefix: str) -> str:
        """The name of a player; a problem if nobody wrote it."""
        if prefix + PLAYER not in self.boxes:
            return ""
        name = self._words(prefix + PLAYER)
        if not name:
            self._problem("sheet-name", f"{self._who(prefix)}the name of the player is missing.", "Write it in.")
        return name

    def numbers(self, prefix: str) -> dict[str, int]:
        """A player's numbers, by their boxes' names without prefix."""
        read = {name: self._number(full) for full, name, box in self._of(prefix) if box.kind == "number"}
        return {name: value for name, value in read.items() if value is not None}

    def words(self, prefix: str) -> dict[str, str]:
        """A player's words and choices, by their boxes' names without prefix."""
        found = {
            name: self._words(full)
            for full, name, box in self._of(prefix)
            if box.kind in ("words", "choice") and name != PLAYER and name not in self.lines
        }
        return {name: words for name, words in found.items() if words}

    def ticks(self, prefix: str) -> dict[str, str]:
        """The ticks of one player, by group."""
        found = {group.id: self._ticked(group, prefix) for group in self.own}
        return {group: option for group, option in found.items() if option}

    def about(self) -> dict[str, str]:
        """The lines that hold for all, such as session and date. A session may be called as everybody likes."""
        said = {name: [self._words(prefix + name) for prefix in self._prefixes] for name in self.lines}
        found = {
            name: _all_names(words) if name == SESSION else self._agreed(self.lines[name], words)
            for name, words in said.items()
        }
        return {name: words for name, words in found.items() if words}

    def common_ticks(self) -> dict[str, str]:
        """The ticks for all, by group."""
        found = {
            group.id: self._agreed(
                group.title, (self._ticked(group, prefix) for prefix in self._prefixes), dict(group.options)
            )
            for group in self.common
        }
        return {group: option for group, option in found.items() if option}

    def _of(self, prefix: str) -> list[tuple[str, str, Expected]]:
        """Full name, name without prefix, and kind of all boxes of a player."""
        named = [(full, *split_name(full), box) for full, box in self.expected.items()]
        return [(full, name, box) for full, whose, name, box in named if whose == prefix]

    def _agreed(self, title: str, said: Iterable[str], named: Mapping[str, str] = NOTHING) -> str:
        """The one answer, if there are not two; `named` has words for it."""
        values = sorted(set(said) - {""})
        if len(values) > 1:
            listed = " and ".join(f"'{named.get(value, value)}'" for value in values)
            self._problem("sheet-differs", f"{title}: it says {listed}.", "It must be the same for all players.")
        return values[0] if len(values) == 1 else ""

    def _number(self, name: str) -> int | None:
        text = self._words(name)
        try:
            return whole_number(text) if text else None
        except ValueError:
            hint = "Write a whole number or a sum such as 8+9, or leave the box empty."
            self._problem("sheet-number", f"{self._label(name)}: '{text}' is not a number.", hint)
            return None

    def _words(self, name: str) -> str:
        """The words in a box on one line; nothing for an empty one."""
        box, expected = self.boxes.get(name), self.expected.get(name)
        if box is None or expected is None:
            return ""
        if box.only_drawn:
            hint = "Fill it in with another program, such as Firefox or Acrobat Reader."
            self._problem("sheet-drawn", f"{self._label(name)}: the program saved a picture and no value.", hint)
        words = " ".join(box.text.split())
        if is_empty_box(words):
            return ""
        return self._chosen(name, words, expected.options) if expected.kind == "choice" else words

    def _chosen(self, name: str, words: str, options: tuple[str, ...]) -> str:
        chosen = next((option for option in options if option.casefold() == words.casefold()), "")
        if not chosen:
            message = f"{self._label(name)}: '{words}' cannot be chosen."
            self._problem("sheet-choice", message, f"Accepted: {', '.join(filter(None, options))}.")
        return chosen

    def _ticked(self, group: Ticks, prefix: str) -> str:
        """The option that is ticked in a group, if it is just one."""
        boxes = {option: self.boxes.get(f"{prefix}{group.id}.{option}") for option, _ in group.options}
        ticked = [option for option, box in boxes.items() if box and box.ticked]
        if len(ticked) > 1:
            listed = " and ".join(f"'{words}'" for option, words in group.options if option in ticked)
            message = f"{self._who(prefix)}{group.title}: {listed} cannot both be ticked."
            self._problem("sheet-tick", message, "Leave one of them.")
        return ticked[0] if len(ticked) == 1 else ""

    def _label(self, name: str) -> str:
        return self._who(split_name(name)[0]) + self.expected[name].label

    def _who(self, prefix: str) -> str:
        """Whose box it is, where there are several players: by name, else by number."""
        if not prefix:
            return ""
        box = self.boxes.get(prefix + PLAYER)
        return f"{(box and ' '.join(box.text.split())) or f'Player {prefix[1:-1]}'}: "

    def _problem(self, code: str, message: str, hint: str) -> None:
        problem = Problem(self.where, 0, 0, code, message[:1].upper() + message[1:], hint)
        if problem not in self.problems:
            self.problems.append(problem)


def _all_names(said: Iterable[str]) -> str:
    """The name that players give the evening, in one or in several ways: `6`, also for `Session 6`."""
    names: dict[str, str] = {}
    for words in filter(None, said):
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
    sign = -1 if found[1].startswith("-") else 1
    first, *others = map(int, found[1].lstrip("+-").split("+"))
    return sign * first + sum(others)


def _plain(text: str) -> str:
    shown = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return _DASHES.sub("-", shown).strip()
