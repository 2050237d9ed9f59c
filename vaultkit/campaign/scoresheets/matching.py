"""Answers that people wrote, matched with the questions of a score sheet by key and by row."""

from collections.abc import Iterable, Mapping, Sequence

from vaultkit.campaign.scoresheets.answers import Unclear, answer, row_parts
from vaultkit.campaign.scoresheets.record import PaperWords, refusal
from vaultkit.games.definition import Answer, Question
from vaultkit.games.scoresheet import by_key
from vaultkit.games.words import Score


def matched(
    said: Mapping[str, PaperWords], questions: Sequence[Question], name: str = ""
) -> tuple[dict[str, PaperWords], dict[str, PaperWords]]:
    """The answers by the keys of questions, rows taken apart; and the words that answer none of them.

    Raises UsageError or InvalidError, with `name`, for a row with too many parts, and for what was said twice.
    """
    found: dict[str, PaperWords] = {}
    left: dict[str, PaperWords] = {}
    keys = by_key(questions)
    for key, words in said.items():
        row = [question for question in questions if question.row == key]
        if key in keys:
            parts = {key: words}
        elif row:
            parts = _row(row, words, name)
        else:
            left[key] = words
            continue
        if twice := parts.keys() & found.keys():
            raise refusal(f"{_of(name)}'{min(twice)}' is there twice.", words.where, "Say it once.")
        found |= parts
    return found, left


def _row(row: Sequence[Question], words: PaperWords, name: str) -> dict[str, PaperWords]:
    try:
        parts = row_parts(row, words.text)
    except Unclear as unclear:
        raise refusal(f"{_of(name)}{unclear.message}", words.where, unclear.hint) from unclear
    return {question.key: PaperWords(part, words.where) for question, part in zip(row, parts, strict=True)}


def answered(
    question: Question, words: PaperWords | None, name: str = "", where: str = ""
) -> tuple[Answer, tuple[Score, ...]]:
    """The answer and its summands, the default for what was not said.

    Raises UsageError or InvalidError with `name`, and the place of the words or else `where`, for what is no answer.
    """
    said = words or PaperWords("", where)
    try:
        return answer(question, said.text)
    except Unclear as unclear:
        raise refusal(f"{_of(name)}{unclear.message}", said.where, unclear.hint) from unclear


def _of(name: str) -> str:
    return f"{name}: " if name else ""


def is_of(key: str, questions: Iterable[Question]) -> bool:
    """Whether one of the questions is called so, or its row."""
    return any(key in (question.key, question.row) for question in questions)
