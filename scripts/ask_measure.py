"""How often `ask` shows the right passage first: the score of files of questions, and every question that it misses.

Usage: python -m scripts.ask_measure FILE [FILE ...]    such as tests/data/questions.toml

Of a question in a file, `words` is what is asked, and `right` lists the passages that answer it, each with its `kind`
(`ruling`, `note` or `card`) and `where` it is: "DC-12", "Dragon Citadel#Forfeit", "tarokka:Raven".
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.campaign.workspace import Workspace
from vaultkit.session.answers import Answers
from vaultkit.session.passages import Passage

Right = Mapping[str, str]


def questions(file: Path) -> list[Mapping[str, Any]]:
    """The questions in a file."""
    listed: list[Mapping[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    return listed


def is_right(passage: Passage, right: Right, workspace: Workspace) -> bool:
    """Whether a passage is the one that was meant."""
    if right["kind"] == "ruling":
        return passage.ruling == right["where"]
    if right["kind"] == "card":
        kind, name = right["where"].split(":")
        return passage.card == name and passage.note == workspace.deck(kind).note.path
    note, heading = right["where"].split("#")
    return passage.heading == heading and passage.note == workspace.vault.find(note).path


def misses(file: Path, workspace: Workspace, answers: Answers) -> Iterator[tuple[Mapping[str, Any], Passage]]:
    """Each question of a file whose first passage is not right, with that passage."""
    for question in questions(file):
        first = answers.ask(question["words"])[0]
        if not any(is_right(first, right, workspace) for right in question["right"]):
            yield question, first


def main() -> None:
    """Print a line for each miss, and the score of each file."""
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
