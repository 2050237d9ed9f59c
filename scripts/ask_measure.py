"""Measure of how often `ask` shows the right passage first: a score for each file of questions, and every miss.

Usage: python -m scripts.ask_measure FILE [FILE ...]    such as tests/data/questions.toml

Each question in a file has `words`, the question itself, and `right`, the list of passages that answer it. A passage
has a `kind` (`ruling`, `note` or `card`) and a place, `where`: "DC-12", "Dragon Citadel#Forfeit", "tarokka:Raven".
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import NothingFound
from vaultkit.search.answers import Answers
from vaultkit.search.passages import Passage

Right = Mapping[str, str]


def questions(file: Path) -> list[Mapping[str, Any]]:
    """Return the questions of a TOML file."""
    listed: list[Mapping[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return listed


def is_right(passage: Passage, right: Right, workspace: Workspace) -> bool:
    """Return whether a passage is the one that `right` describes by its kind and place."""
    if right["kind"] == "ruling":
        return passage.ruling == right["where"]
    if right["kind"] == "card":
        kind, name = right["where"].split(":")
        return passage.card == name and passage.note == workspace.deck(kind).note.path
    note, heading = right["where"].split("#")
    return passage.heading == heading and passage.note == workspace.vault.find(note).path


def misses(file: Path, workspace: Workspace, answers: Answers) -> Iterator[tuple[Mapping[str, Any], Passage]]:
    """Yield each question of a file whose first passage is wrong, with the wrong passage or an empty one."""
    for question in questions(file):
        try:
            first = answers.ask(question["words"])[0]
        except NothingFound as error:
            first = Passage(error.message, "")
        if not any(is_right(first, right, workspace) for right in question["right"]):
            yield question, first


def main() -> None:
    """Print a line for each missed question, and the score of each file."""
    workspace = Workspace(resources.shipped_folder("vault-example"), cached=False)
    answers = Answers(workspace.compendium, lambda _: {})
    for name in sys.argv[1:]:
        wrong, count = [*misses(Path(name), workspace, answers)], len(questions(Path(name)))
        for question, first in wrong:
            places = ", ".join(right["where"] for right in question["right"])
            print(f"  {question['words']}: {first.source} {first.title}, not {places}")
        print(f"{name}: {count - len(wrong)} of {count} right")


if __name__ == "__main__":
    main()
