"""Changes to the vault of a transcript from outside vaultkit: new files, and notes edited by another program."""

from collections.abc import Sequence
from pathlib import Path

END = "!end"


def put(vault: Path, path: str, lines: Sequence[str]) -> str:
    """Write a file into the vault, create its folders, and return its text."""
    text = "".join(f"{line}\n" for line in lines)
    (vault / path).parent.mkdir(parents=True, exist_ok=True)
    (vault / path).write_text(text, encoding="utf-8")
    return text


def edit(vault: Path, path: str, lines: Sequence[str]) -> str:
    """Change a note in place, as Obsidian does, and return the lines as they were given.

    As in a diff, lines that begin with a space stay, those with `-` are removed and those with `+` are added, all in
    one place of the note. Raises ValueError if a line begins otherwise, or if the old lines do not occur exactly once.
    """
    if any(line[:1] not in {" ", "-", "+"} for line in lines):
        raise ValueError("Every line of an edit begins with a space, with - or with +.")
    note = vault / path
    text = note.read_text(encoding="utf-8")
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[0] != "-")
    if text.count(old) != 1:
        raise ValueError(f"What is to be edited stands {text.count(old)} times in {path}.")
    note.write_text(text.replace(old, new), encoding="utf-8")
    return "".join(f"{line}\n" for line in lines)
