"""A measure of `ask` in any vault: the questions of a JSON file whose first passage is wrong, and a score of each kind.

Usage: python -m tests.search.question_files QUESTIONS VAULT

A file is a list of objects with `question`, `kind` (`name`, `heading`, `sentence` or `none`), and, unless the kind is
`none`, `note` (a name or path), `heading` and `contains` (null if any will do). `vault`, if it is there, is a folder
below VAULT. `also`, if it is there, is a list of other right answers: names of notes, or objects with the same keys. A
question of the kind `none` is right if nothing answers it.
"""

import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import NothingFound
from vaultkit.search.answer_lines import lines
from vaultkit.search.answers import Answers
from vaultkit.search.passages import Passage
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.subpath import comparable_heading

Question = Mapping[str, Any]


@cache
def _answers(vault: Path) -> Answers:
    return Answers(Workspace(vault, cached=False).compendium, lambda _: {})


def first_passage(question: Question, vault: Path) -> tuple[Passage, str] | None:
    """Return the first passage that answers a question, and its text as `ask` shows it; None if nothing answers."""
    try:
        passages = _answers((vault / question.get("vault", "")).resolve()).ask(question["question"])
    except NothingFound:
        return None
    return passages[0], lines(passages)[0]


def is_right(question: Question, answer: tuple[Passage, str] | None) -> bool:
    """Return whether the first passage, with its text as shown, is the one that a question wants.

    A passage that is a whole note has every heading of that note.
    """
    if answer is None or question["kind"] == "none":
        return answer is None and question["kind"] == "none"
    others = (other if isinstance(other, dict) else {"note": other} for other in question.get("also", ()))
    return any(_is_place(place, *answer) for place in (question, *others))


def _is_place(place: Question, passage: Passage, text: str) -> bool:
    """Return whether a passage, with its text as shown, is in the note and below the heading of a place."""
    note, heading, path = _fold(place["note"].removesuffix(".md")), place.get("heading"), _fold(passage.note)
    cells = filter(None, map(_words, (place.get("contains") or "").split("|")))
    return (
        note in (_fold(name_of(passage.note)), path.removesuffix(".md"))
        and (not heading or not passage.heading or comparable_heading(heading) == comparable_heading(passage.heading))
        and all(f" {cell} " in f" {_words(text)} " for cell in cells)
    )


def _words(text: str) -> str:
    """Return the words of a text, which are the same however a table is shown."""
    return " ".join(re.findall(r"\w+", _fold(text)))


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text.replace("*", "").casefold()).split())


def misses(file: Path, vault: Path) -> Iterator[tuple[Question, tuple[Passage, str] | None]]:
    """Yield each question of a file whose first passage is wrong, with that passage and its text."""
    for question in read_questions(file):
        answer = first_passage(question, vault)
        if not is_right(question, answer):
            yield question, answer


def read_questions(file: Path) -> list[Question]:
    """Return the questions of a JSON file."""
    questions: list[Question] = json.loads(file.read_text(encoding="utf-8"))
    return questions


def report(file: Path, vault: Path) -> Iterator[str]:
    """Yield lines about each miss, and the score of each kind of question."""
    counts, wrong_counts = Counter(question["kind"] for question in read_questions(file)), Counter[str]()
    for question, answer in misses(file, vault):
        wrong_counts[question["kind"]] += 1
        wanted = " ".join(str(question.get(key) or "-") for key in ("note", "heading", "contains"))
        shown = answer[1][:150] if answer else "nothing"
        yield f"{question['kind']}: {question['question']}\n    wanted {wanted}\n    {shown}"
    yield from (f"{kind}: {count - wrong_counts[kind]} of {count}" for kind, count in counts.items())


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report(*map(Path, sys.argv[1:3])))
