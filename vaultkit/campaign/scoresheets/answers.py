"""Answers to the questions of a score sheet, as people write them: `23`, `8+9`, `23/1`, `yes`, or nothing at all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from vaultkit.errors import UsageError
from vaultkit.games.definition import Answer, Question
from vaultkit.games.reckoning import plain
from vaultkit.games.words import Score
from vaultkit.vault.writing.escape import clean

_NUMBER = re.compile(r"-?(?:\d{1,6}(?:\.\d{1,2})?|\.\d{1,2})")
_HALF = re.compile(r"\s*½")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_YES_NO = {"y": "yes", "true": "yes", "x": "yes", "n": "no", "false": "no"}


def is_blank(text: str) -> bool:
    """Whether nothing is written: no sign at all, or only a dash, as one strikes out a box."""
    return not _plain(text).strip("-")


def answer(question: Question, text: str) -> tuple[Answer, tuple[Score, ...]]:
    """The answer that `text` gives, and its summands if it is a sum.

    An empty one is the question's default. A number above `most` is an answer: it is the game that doubts it.
    Raises UsageError.
    """
    if is_blank(text):
        if question.default is None:
            raise _unclear(question, "an answer is missing")
        return question.default, ()
    if question.choices:
        return _choice(question, clean(text)), ()
    if question.words:
        return clean(text), ()
    return _number(question, _plain(text))


def row_parts(questions: Sequence[Question], text: str) -> list[str]:
    """The parts of `23/1` for the questions of a row, in their order; "" for those that are left out.

    Raises UsageError if there are more parts than questions.
    """
    if len(questions) == 1:
        return [text]
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > len(questions):
        hint = f"They are {row_title(questions)}."
        raise UsageError(f"'{text}' has {len(parts)} parts, and {len(questions)} are asked for.", hint=hint)
    return parts + [""] * (len(questions) - len(parts))


def likeliest(question: Question) -> Answer:
    """The answer where nobody says another: the default, else the first choice, no words, or the least number."""
    if question.default is not None:
        return question.default
    return next(iter(question.choices), "" if question.words else question.least)


def accepted(question: Question) -> str:
    """The answers that are accepted, for people."""
    if question.choices:
        return ", ".join(question.choices)
    if question.words:
        return "any words"
    most = f" to {question.most}" if question.most is not None else " on"
    kind = "a whole number" if question.step == 1 else f"a number in steps of {question.step}"
    return f"{kind} from {question.least}{most}{', or a sum such as 8+9' * question.summed}"


def together(questions: Iterable[Question]) -> Iterator[tuple[Question, ...]]:
    """The questions by lines of people: the plain numbers of a row on one, as `23/1`; every other question alone."""
    for _, group in groupby(questions, key=lambda one: one.key if one.choices or one.words else one.row):
        yield tuple(group)


def called(question: Question) -> str:
    """A question's name before a colon: `Forfeited` of `Forfeited?`."""
    return question.title.rstrip("?: ")


def row_title(questions: Sequence[Question]) -> str:
    """The question of a row: `Swords: total of numbers / heroes`, where the titles of its questions begin alike."""
    heads = {question.title.partition(", ")[0] for question in questions}
    tails = [question.title.partition(", ")[2] for question in questions]
    if len(questions) > 1 and len(heads) == 1 and all(tails):
        return f"{heads.pop()}: {' / '.join(tails)}"
    return " / ".join(question.title for question in questions)


def _choice(question: Question, said: str) -> str:
    """The one choice that is meant, by its name, its words or the beginning of either."""
    wanted = said.casefold()
    if set(question.choices) == {"yes", "no"}:
        wanted = _YES_NO.get(wanted, wanted)
    named = {name: {name.casefold(), words.casefold()} for name, words in question.choices.items()}
    found = [name for name, words in named.items() if wanted in words]
    found = found or [name for name, words in named.items() if any(word.startswith(wanted) for word in words)]
    if len(found) == 1:
        return found[0]
    raise _unclear(question, f"'{said}' {'may mean several' if found else 'is not one of them'}")


def _number(question: Question, said: str) -> tuple[Score, tuple[Score, ...]]:
    terms = [_HALF.sub(".5", term).strip().replace(",", ".") for term in said.split("+")]
    numbers = list(map(Fraction, terms)) if all(map(_NUMBER.fullmatch, terms)) else []
    if not numbers or any(number % Fraction(str(question.step)) for number in numbers):
        raise _unclear(question, f"'{said}' is not a number")
    if sum(numbers) < question.least:
        raise _unclear(question, f"{said} is less than {question.least}")
    return plain(sum(numbers, Fraction(0))), tuple(map(plain, numbers)) if len(numbers) > 1 else ()


def _unclear(question: Question, why: str) -> UsageError:
    return UsageError(f"{called(question)}: {why}.", hint=f"Accepted: {accepted(question)}.")


def _plain(text: str) -> str:
    return _DASHES.sub("-", clean(text))
