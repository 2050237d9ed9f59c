"""One row of a game's scores as it is typed: a cell for each player, with names or without."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vaultkit.campaign.players import find_seats
from vaultkit.campaign.scoresheets.answer_parser import is_blank, parse_answer, split_row
from vaultkit.errors import UsageError
from vaultkit.games.question import Question
from vaultkit.text import format_count, join_words

_NAMED_NUMBERS = (
    r"\s*([^\W\d_][^\d=:;,]*?(?:\s*\d+(?=\s*[=:]))?)\s*[=:]?\s*"
    r"({0}(?:(?:,\s*|\s+){0}){{0,{1}}})\s*(?:[,;]|(?=[^\W\d_])|\Z)?"
)
"""A name and numbers: a place for the pattern of a number, and one for how many more may follow it."""
_NUMBER = r"(?:(?:[-+−./½]*\d[\d.+/½]*)+|½)"
_NAMED_TEXT = re.compile(r"\s*([^=:;,]+?)\s*[=:]\s*([^=:;,]*?)\s*(?:[,;]|\s(?=\S+\s*[=:])|\Z)")
_SEPARATORS = re.compile(r"[\s=:;,]")


@dataclass(frozen=True)
class EntryRow:
    """One row to type: the answers of the players `names` to `questions`, or of the whole game without names.

    `round_number` is 0 outside of rounds; `title` is the question that is shown.
    """

    title: str
    questions: tuple[Question, ...]
    names: tuple[str, ...] = ()
    round_number: int = 0

    @property
    def id(self) -> str:
        names = self.names if self.names and self.questions[0].words else ()
        return "|".join((*names, *(question.key for question in self.questions)))

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of the players, or "" for the whole game."""
        return self.names or ("",)

    def cells(self, line: str) -> list[str]:
        """Return the text of each owner's cell in a line, "" for players that a line with names omits.

        Raises UsageError for a line with too few or too many cells, and for an unknown name.
        """
        if len(self.owners) == 1 or not line.strip():
            return [line.strip()] + [""] * (len(self.owners) - 1)
        size = len(self.questions)
        pattern = _NAMED_TEXT if self.questions[0].choices else re.compile(_NAMED_NUMBERS.format(_NUMBER, size - 1))
        pairs = pattern.findall(line)
        if pairs and _SEPARATORS.sub("", line) == _SEPARATORS.sub("", "".join(map("".join, pairs))):
            return self._named_cells(pairs)
        cells = [cell.strip() for cell in (re.split(r"[;|\t]", line) if re.search(r"[;|\t]", line) else line.split())]
        by_comma, counts = [cell.strip() for cell in line.split(",")], (len(self.names), size * len(self.names))
        if len(by_comma) in counts and not (len(cells) in counts and cells[0][-1:] != ","):
            cells = by_comma  # a comma in `7,5 3,5 1` is that of a half
        is_named = len(cells) > 1 and len(find_seats(self.names, cells[0].rstrip(":,"))) == 1
        if size > 1 and len(cells) == size * len(self.names) and "/" not in line and not is_named:
            words = [cell.strip(",") for cell in cells]
            cells = ["/".join(words[start : start + size]) for start in range(0, len(words), size)]
        if len(cells) != len(self.names):
            message = f"This row has {format_count(len(cells), 'answer')}, and {len(self.names)} are asked for"
            hint = self._hint_at_syntax(cells, is_named=is_named)
            raise UsageError(f"{message}: {join_words(self.names)}.", hint=hint)
        return cells

    def _hint_at_syntax(self, cells: Sequence[str], *, is_named: bool) -> str:
        """Return a hint on how the typed cells are written, with the same values if the first one is a name."""
        count = len(self.questions)
        if is_named:
            return f"One row at a time. For one player: {cells[0].rstrip(':,')} {'/'.join(cells[1 : count + 1])}"
        parts = f", and / between the {count} parts of one" * (count > 1)
        return f"Put spaces between them{parts}: {self.example}. For one player: {self.named_example}"

    def _named_cells(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        cells = [""] * len(self.names)
        for name, cell in pairs:
            seats = find_seats(self.names, name)
            if len(seats) != 1:
                fault = "may be several players" if seats else "is none of the players"
                raise UsageError(f"'{name}' {fault}.", hint=f"Players: {', '.join(self.names)}.")
            cells[seats[0]] = cell
        return cells

    @property
    def example(self) -> str:
        """An example of a line with the answers of all players."""
        cells = [_example_cell(self.questions, 18), *[_example_cell(self.questions, 0)] * (len(self.owners) - 1)]
        return ("; " if any(" " in cell for cell in cells) else " ").join(cells)

    @property
    def named_example(self) -> str:
        """An example of the answer of one player, with the fewest letters of the last name that tell it apart."""
        name, cell = self.owners[-1], _example_cell(self.questions, 18)
        lengths = (size for size in range(1, len(name)) if len(find_seats(self.names, name[:size])) == 1)
        return f"{name[: next(lengths, len(name))].casefold()}{'' if cell[0].isdecimal() else ': '}{cell}"

    def parts(self, cell: str) -> list[str]:
        """Return the parts of a cell, choices by their names. Raises UsageError for too many or invalid ones."""
        return [_read_part(question, part) for question, part in split_row(self.questions, cell)]

    def doubt(self, cells: Sequence[str]) -> str:
        """Return why a number is higher than can be true; "" if none is."""
        pairs = (pair for cell in cells if cell for pair in split_row(self.questions, cell))
        for question, part in pairs:
            value, _ = parse_answer(question, choice_by_number(question, part))
            if not isinstance(value, str) and question.most is not None and value > question.most:
                rulings = f" ({', '.join(question.rulings)})" if question.rulings else ""
                return f"{question.label}: {value} is more than {question.most}, the most that can be true{rulings}."
        return ""


def _read_part(question: Question, part: str) -> str:
    """Return a part of a cell, a choice by its name. Raises UsageError for a part that is no answer."""
    answer, _ = parse_answer(question, choice_by_number(question, part))
    return str(answer) if question.choices and not is_blank(part) else part


def _example_cell(questions: Sequence[Question], number: int) -> str:
    """Return an example of one player's answers: the first choice of each question, or a number near `number`."""
    return "/".join(
        next(iter(question.choices), str(max(question.least, min(number, question.most if question.most else number))))
        for question in questions
    )


def choice_by_number(question: Question, answer: str) -> str:
    """Return the choice with the number `answer` in the list, or `answer` itself; 1 is yes, and 0 or 2 no."""
    choices = choices_in_order(question)
    if not answer.isdecimal() or len(answer) > 3 or any(choice.isdecimal() for choice in choices):
        return answer
    if set(choices) == {"yes", "no"} and int(answer) == 0:
        return "no"
    return choices[int(answer) - 1] if 1 <= int(answer) <= len(choices) else answer


def choices_in_order(question: Question) -> list[str]:
    """Return the choices as they are listed and numbered: yes before no."""
    return sorted(question.choices, key=lambda choice: choice == "no" and "yes" in question.choices)
