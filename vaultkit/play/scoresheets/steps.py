"""The lines that are typed for a game's scores: which questions are on each, and how they are asked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultkit.campaign.scoresheets.understanding import answer, row_parts, row_title, together
from vaultkit.errors import UsageError
from vaultkit.games.definition import Answer, Question
from vaultkit.games.words import Score
from vaultkit.grouping import group
from vaultkit.wording import counted

_ROOM = 8
"""The columns that an answer such as 12/3/4/5 takes."""
_BRACKETS = 24
"""The columns that the usual answer takes at most, of a row of many rounds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line that is typed: questions that go together, of the player `name` or, where that is "", of all.

    `rounds` are the rounds of a column that is asked for all of them at once, `deals 1 to 24`; "" for any other line.
    """

    name: str
    questions: tuple[Question, ...]
    rounds: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(question.key for question in self.questions)

    @property
    def title(self) -> str:
        """The question: `Swords: total of numbers / heroes`, or `Points in deals 1 to 24`."""
        if not self.rounds:
            return row_title(self.questions)
        return f"{self.questions[0].called.partition(', ')[2]} in {self.rounds}"

    @property
    def usual(self) -> str:
        """The line that Enter alone stands for; what must be answered is empty in it."""
        return "/".join("" if one.default is None else str(one.default) for one in self.questions)

    @property
    def advice(self) -> str:
        """How a row of several questions is typed; "" for one question, which says it itself."""
        several = len(self.questions)
        return f"Type the {several} answers on one line with / between them." if several > 1 else ""

    def explanations(self) -> Iterator[tuple[str, str]]:
        """How to count, once for all players, and a list with numbers where there are too many choices for a line."""
        if how := " ".join(dict.fromkeys(question.how for question in self.questions if question.how)):
            yield "", how
        if self.rounds:
            yield "", self.advice
        for question in filter(_is_list, self.questions):
            choices = enumerate(question.choices.items(), 1)
            yield self.name, "\n".join(f"{number:4}  {_listed(*choice)}" for number, choice in choices)

    def prompt(self, usual: str, width: int) -> str:
        """The question before the cursor with the `usual` answer: `Ysolde, Swords: total of numbers / heroes [23/1]: `.

        Without the name where that would leave too little room of `width` columns.
        """
        question, title = self.questions[0], self.title
        if question.choices:
            title += f" (1 to {len(question.choices)})" if _is_list(question) else f" ({', '.join(question.choices)})"
        if usual.strip("/"):
            title += f" [{_shortened(usual) if self.rounds else usual}]"
        asked = f"{title} " if title.endswith("?") else f"{title}: "
        named = f"{self.name}, {asked}" if self.name else asked
        return named if len(named) + _ROOM <= width else asked

    def parts(self, typed: str) -> list[str]:
        """The parts of a line, choices by their names. Raises UsageError for too many."""
        return [_numbered(question, part) for question, part in row_parts(self.questions, typed)]

    def answers(self, typed: str) -> list[tuple[Answer, tuple[Score, ...]]]:
        """The answers of a line, each with the summands of a sum.

        Raises UsageError for what is no answer, and where one must be there and is not.
        """
        asked, number = len(self.questions), typed.count("/") + 1
        if self.rounds and typed and number < asked:
            raise UsageError(f"This row has {counted(number, 'answer')}, and {asked} are asked for, {self.rounds}.")
        return list(map(answer, self.questions, self.parts(typed)))

    def doubt(self, typed: str) -> str:
        """Why a number is higher than can be true; "" if none is."""
        for question, (value, _) in zip(self.questions, self.answers(typed), strict=True):
            if not isinstance(value, str) and question.most is not None and value > question.most:
                rulings = f" ({', '.join(question.rulings)})" if question.rulings else ""
                return f"{question.called}: {value} is more than {question.most}, the most that can be true{rulings}."
        return ""


def lines(name: str, questions: Sequence[Question], rounds: str = "") -> list[Step]:
    """The lines for these questions, of the player `name` or of all.

    With `rounds`, such as `deals`, each column has one line, of all of them.
    """
    if not rounds:
        return [Step(name, row) for row in together(questions)]
    columns = group((question.key.rpartition(".")[2], question) for question in questions).values()
    return [Step(name, tuple(one), f"{rounds} 1 to {len(one)}" if len(one) > 1 else "") for one in columns]


def _shortened(line: str) -> str:
    """The beginning of a row of many answers, up to one of its slashes."""
    if len(line) <= _BRACKETS:
        return line
    return line[: _BRACKETS - 3].rpartition("/")[0] + "/..."


def _is_list(question: Question) -> bool:
    """Whether the choices are too many for one line, and are listed with numbers."""
    return len(question.choices) > 2


def _listed(choice: str, words: str) -> str:
    """A choice for people, with its words where they say more than `a full house` does."""
    return choice if choice.casefold() == re.sub("^an? ", "", words.casefold()) else f"{choice}: {words}"


def _numbered(question: Question, typed: str) -> str:
    """The choice of that number in the list, or what was typed."""
    choices = list(question.choices)
    number = int(typed) if typed.isdecimal() and len(typed) < 4 else 0
    return choices[number - 1] if _is_list(question) and 1 <= number <= len(choices) else typed
