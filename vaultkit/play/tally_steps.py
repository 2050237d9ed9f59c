"""The lines that are typed for a game's scores: which questions are on one, and what stands for what is left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from vaultkit.campaign.paper.answers import answer, is_blank, row_parts
from vaultkit.games.tally import Answer, Question


@dataclass(frozen=True, slots=True)
class Step:
    """One line that is typed: the questions of a row, of the player `name` or, where that is "", of all."""

    name: str
    questions: tuple[Question, ...]
    last: bool = False

    @property
    def place(self) -> tuple[str, str]:
        return self.name, self.questions[0].row


def by_row(name: str, questions: Sequence[Question]) -> Iterator[Step]:
    """The lines for these questions, of the player `name` or of all: one for each row."""
    for _, group in groupby(questions, key=lambda question: question.row):
        yield Step(name, tuple(group))


def empty(question: Question) -> Answer:
    """What stands for an answer that is left out: the default, else the likeliest choice or the least number."""
    if question.default is not None:
        return question.default
    return next(iter(question.choices), "" if question.words else question.least)


def is_due(step: Step, question: Question) -> bool:
    """Whether nothing stands for an answer that is left out; of what is asked last, the first choice is likeliest."""
    return question.default is None and not (step.last and question.choices)


def refuse_missing(step: Step, typed: str) -> None:
    """Raises Unclear where an answer is left out that there must be."""
    for question, part in zip(step.questions, row_parts(step.questions, typed), strict=True):
        if is_blank(part) and is_due(step, question):
            answer(question, part)


def is_list(question: Question) -> bool:
    """Whether the choices are too many for one line, and are listed with numbers."""
    return len(question.choices) > 2


def numbered(question: Question, typed: str) -> str:
    """The choice of that number, as `_offer` lists them, or what was typed."""
    choices = list(question.choices)
    number = int(typed) if typed.isdecimal() and len(typed) < 4 else 0
    return choices[number - 1] if is_list(question) and 1 <= number <= len(choices) else typed


def above(questions: Sequence[Question], values: Sequence[Answer]) -> str:
    """Why a number is higher than can be true; "" if none is."""
    for question, value in zip(questions, values, strict=False):
        if isinstance(value, int) and question.most is not None and value > question.most:
            rulings = f" ({', '.join(question.rulings)})" if question.rulings else ""
            return f"{question.title}: {value} is more than {question.most}, the most that can be true{rulings}."
    return ""
