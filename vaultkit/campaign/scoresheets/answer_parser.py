"""Answers parsed from what people write into boxes: `23`, `8+9`, `23/1`, `yes` or nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from unicodedata import category

from vaultkit.errors import UsageError
from vaultkit.games.messages import Score
from vaultkit.games.question import Answer, Question, to_fraction, to_number
from vaultkit.text import lookalike_key, parse_yes_no
from vaultkit.vault.writing.escape import clean_line

_NUMBER = re.compile(r"-?(?:\d{1,6}(?:\.\d{1,2})?|\.\d{1,2})")
_HALF = re.compile(r"\s*½")
STROKES = frozenset(("x", "×", "/", "\\", "✗", "✘"))
"""Signs that strike out a box for a number; in a box for yes or no they are ticks."""
TICKS = STROKES | {"✓", "✔", "√", "v"}
_IN_BRACKETS = re.compile(r"\((?=.*\d)(.+)\)\Z")
_AFTER_NUMBER = re.compile(r"(?<=\d)\s*(?:[.º!]|st|nd|rd|th|pts?\.?|points?)\Z", re.IGNORECASE)
_YES_NO = {"true": True, "x": True, "false": False}


def is_blank(text: str) -> bool:
    """Return whether nothing is written: no visible character, or only dashes, as in a box that was struck out."""
    return not _normalize_text(text).strip("-")


def parse_answer(question: Question, text: str) -> tuple[Answer, tuple[Score, ...]]:
    """Return the answer that `text` gives, and its summands if it is a sum.

    A blank text gives the question's default. A number above `question.most` is accepted, since the game itself reports
    doubtful scores. Raises UsageError if the text is no valid answer, or is blank and the question has no default.
    """
    if is_blank(text):
        if question.default is None:
            raise _answer_error(question, "an answer is missing")
        return question.default, ()
    if question.choices:
        return _find_choice(question, clean_line(text)), ()
    return (clean_line(text), ()) if question.words else _parse_number(question, _normalize_text(text))


def split_row(questions: Sequence[Question], text: str) -> list[tuple[Question, str]]:
    """Split a text such as `23/1`, `23 1` or `23, 1` into parts for the questions of a row; missing parts are "".

    Raises UsageError if there are more parts than questions.
    """
    parts = _split_numbers(questions, text) or (text.split("/") if len(questions) > 1 else [text])
    if len(parts) > len(questions):
        hint = f"They are {row_title(questions)}; leave out what else the sheet has in that row."
        raise UsageError(f"'{text}' has {len(parts)} parts, and {len(questions)} are asked for.", hint=hint)
    padding = [""] * (len(questions) - len(parts))
    return list(zip(questions, [*map(str.strip, parts), *padding], strict=True))


def _split_numbers(questions: Sequence[Question], text: str) -> list[str]:
    """Return as many numbers as questions, with blanks or commas between; [] for any other text.

    `7,5` is one number if the first question can have it, and `1,000` is never two.
    """
    words = re.split(r",?\s+|,(?!\d{3}\b)", text.strip())
    if not len(words) == len(questions) > 1 or any(question.choices or question.words for question in questions):
        return []
    numbers = parse_summands(text)
    is_one_value = numbers and questions[0].has_value(sum(numbers, Fraction(0)))
    return words if not is_one_value and all(is_blank(word) or parse_summands(word) for word in words) else []


def group_rows(questions: Iterable[Question]) -> Iterator[tuple[Question, ...]]:
    """Group questions into lines: the plain numbers of a row share one, as in `23/1`; others stand alone."""
    for _, row in groupby(
        questions, key=lambda question: question.key if question.choices or question.words else question.row
    ):
        yield tuple(row)


def row_title(questions: Sequence[Question]) -> str:
    """Return the question of a row, such as `Swords: total of numbers / heroes` for titles that begin alike."""
    heads, _, tails = zip(*(question.title.partition(", ") for question in questions), strict=True)
    if len(questions) > 1 and len(set(heads)) == 1 and all(tails):
        return f"{heads[0]}: {' / '.join(tails)}"
    return " / ".join(question.title for question in questions)


def _find_choice(question: Question, text: str) -> str:
    """Return the name of the choice that `text` means: by its name, its words, or the beginning of one of them.

    Raises UsageError if none or several fit.
    """
    key = lookalike_key(text)
    if set(question.choices) == {"yes", "no"}:
        is_yes = _YES_NO.get(key, parse_yes_no(text))
        key = "yes" if text.casefold() in TICKS or is_yes else key if is_yes is None else "no"
    words_by_choice = {name: {lookalike_key(name), lookalike_key(words)} for name, words in question.choices.items()}
    matches = [name for name, words in words_by_choice.items() if key in words]
    if not matches:
        matches = [name for name, words in words_by_choice.items() if any(word.startswith(key) for word in words)]
    if len(matches) == 1:
        return matches[0]
    raise _answer_error(question, f"'{text}' {'may mean several' if matches else 'is not one of them'}")


def parse_summands(text: str) -> list[Fraction]:
    """Return the summands of a text such as `8+9`, in digits of any script; [] if the text is no number and no sum."""
    texts = _bare_number(text).removeprefix("+").split("+")
    terms = [_HALF.sub(".5", term).strip().replace(",", ".") for term in texts]
    return list(map(Fraction, terms)) if all(map(_NUMBER.fullmatch, terms)) else []


def _bare_number(text: str) -> str:
    """Return a number without what people write around it: 15 for `15.`, `2nd`, `15 pts` or `7+8=15`."""
    number = _normalize_text(text)
    number = _AFTER_NUMBER.sub("", _IN_BRACKETS.sub(r"\1", number))
    terms, equals, total = number.partition("=")
    if equals and (not terms.strip() or sum(parse_summands(terms)) == sum(parse_summands(total))):
        return total.strip()
    return number


def number_fault(text: str) -> str:
    """Return why a text is no number, in words."""
    number = _normalize_text(text)
    terms, equals, total = number.partition("=")
    if re.fullmatch(r"[-+]?\d{7,}", number):
        return f"'{text}' is too large"
    if re.fullmatch(r"\d+\s*[-/;:\s]\s*\d+", number):
        return f"'{text}' is two values"
    if equals and (summands := parse_summands(terms)) and parse_summands(total):
        return f"'{text}' is wrong, since the sum is {to_number(sum(summands, Fraction(0)))}"
    return f"'{text}' is not a number"


def _parse_number(question: Question, text: str) -> tuple[Score, tuple[Score, ...]]:
    """Return the number that `text` gives, and its summands if it is a sum. Raises UsageError for an invalid one."""
    if not (numbers := parse_summands(text)):
        raise _answer_error(question, number_fault(text))
    if question.least < 0 and _IN_BRACKETS.fullmatch(text):
        raise _answer_error(question, f"'{text}' may mean {text[1:-1]} or -{text[1:-1]}")
    total = sum(numbers, Fraction(0))
    if total < to_fraction(question.least):
        raise _answer_error(question, f"{text} is less than {question.least}")
    step = to_fraction(question.step)
    if not question.has_value(total) or any(number % step and not question.has_value(number) for number in numbers):
        offset = "" if question.has_value(Fraction(0)) else f" from {question.least}"
        raise _answer_error(question, f"'{text}' is not {question.kind}{offset}")
    if question.limit is not None and total > question.limit:
        raise _answer_error(question, f"{text} is more than {question.limit}")
    return to_number(total), tuple(map(to_number, numbers)) if len(numbers) > 1 else ()


def _answer_error(question: Question, why: str) -> UsageError:
    return UsageError(f"{question.label}: {why}.", hint=f"Accepted: {question.accepted}.")


def _normalize_text(text: str) -> str:
    """Return the text on one line, with plain hyphens and without invisible characters."""
    visible = "".join(char for char in clean_line(text) if category(char) != "Cf")
    return re.sub("[\u2010-\u2015\u2212]", "-", visible).strip()
