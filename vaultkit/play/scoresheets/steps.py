"""The lines that are typed for a game's scores: which questions are on one, and what stands for what is left out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultkit.campaign.scoresheets.answers import answer, called, is_blank, row_parts, row_title, together
from vaultkit.games.definition import Answer, Question

_ROOM = 8
"""The columns that an answer such as 12/3/4/5 takes."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line that is typed: questions that go together, of the player `name` or, where that is "", of all."""

    name: str
    questions: tuple[Question, ...]
    last: bool = False

    @property
    def place(self) -> tuple[str, str]:
        return self.name, self.questions[0].key

    @property
    def how(self) -> str:
        """How to count, in a few sentences; "" where that goes without saying."""
        return " ".join(question.how for question in self.questions if question.how)


def by_line(name: str, questions: Sequence[Question]) -> Iterator[Step]:
    """The lines for these questions, of the player `name` or of all."""
    return (Step(name, group) for group in together(questions))


def empty(question: Question) -> Answer:
    """The answer that Enter alone stands for: the default, else the likeliest choice or the least number."""
    if question.default is not None:
        return question.default
    return next(iter(question.choices), "" if question.words else question.least)


def is_due(step: Step, question: Question) -> bool:
    """Whether nothing stands for an answer that is left out; of what is asked last, the first choice is likeliest."""
    return question.default is None and not (step.last and question.choices)


def refuse_missing(step: Step, typed: str) -> None:
    """Raises UsageError where an answer is left out that there must be."""
    for question, part in zip(step.questions, row_parts(step.questions, typed), strict=True):
        if is_blank(part) and is_due(step, question):
            answer(question, part)


def is_list(question: Question) -> bool:
    """Whether the choices are too many for one line, and are listed with numbers."""
    return len(question.choices) > 2


def listed(choice: str, words: str) -> str:
    """A choice for people, with its words where they say more than `a full house` does."""
    return choice if choice.casefold() == re.sub("^an? ", "", words.casefold()) else f"{choice}: {words}"


def prompt(step: Step, usual: str, width: int) -> str:
    """The question before the cursor, with the `usual` answer: `Ysolde, Swords: total of numbers / heroes [23/1]: `.

    Without the name where that would leave too little room of `width` columns.
    """
    question, title = step.questions[0], row_title(step.questions)
    if question.choices:
        title += f" (1 to {len(question.choices)})" if is_list(question) else f" ({', '.join(question.choices)})"
    if usual.strip("/"):
        title += f" [{usual}]"
    asked = f"{title}{'' if title.endswith('?') else ':'} "
    named = f"{step.name}, {asked}" if step.name else asked
    return named if len(named) + _ROOM <= width else asked


def how_to(questions: Sequence[Question]) -> str:
    """How a row of several questions is typed; "" for one question, which says it itself."""
    return f"Type the {len(questions)} answers on one line with / between them." if len(questions) > 1 else ""


def numbered(question: Question, typed: str) -> str:
    """The choice of that number, as `_offer` lists them, or what was typed."""
    choices = list(question.choices)
    number = int(typed) if typed.isdecimal() and len(typed) < 4 else 0
    return choices[number - 1] if is_list(question) and 1 <= number <= len(choices) else typed


def understood(questions: Sequence[Question], typed: str) -> list[tuple[Answer, tuple[int, ...]]]:
    """The answers of a line, each with the summands of a sum; what is left out is `empty`. Raises UsageError."""
    parts = row_parts(questions, typed)
    return [
        (empty(question), ()) if is_blank(part) else answer(question, numbered(question, part))
        for question, part in zip(questions, parts, strict=True)
    ]


def above(questions: Sequence[Question], values: Sequence[Answer]) -> str:
    """Why a number is higher than can be true; "" if none is."""
    for question, value in zip(questions, values, strict=False):
        if isinstance(value, int) and question.most is not None and value > question.most:
            rulings = f" ({', '.join(question.rulings)})" if question.rulings else ""
            return f"{called(question)}: {value} is more than {question.most}, the most that can be true{rulings}."
    return ""
