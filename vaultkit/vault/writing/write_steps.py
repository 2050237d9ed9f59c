"""Steps of a write into a vault: a new file, a changed note or a removed note."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vaultkit.errors import WriteError
from vaultkit.vault.note import Note, is_generated
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.writing.splice import Splice

PlanSplice = Callable[[Note], Splice | None]
"""A function that returns the splice for a note's current text, or None if the note needs no change."""


@dataclass(frozen=True)
class FileCreation:
    """A new file, which may be changed by `plan_if_exists` if another program has created it first."""

    path: str
    content: str | bytes
    plan_if_exists: PlanSplice | None = None

    @property
    def text(self) -> str:
        """The text for the diff and the history; "" for a binary file."""
        return self.content if isinstance(self.content, str) else ""

    @property
    def data(self) -> bytes:
        return self.content.encode("utf-8") if isinstance(self.content, str) else self.content


@dataclass(frozen=True)
class NoteChange:
    """A splice into an existing note."""

    path: str
    plan: PlanSplice


@dataclass(frozen=True)
class NoteRemoval:
    """The removal of a note."""

    path: str


WriteStep = FileCreation | NoteChange | NoteRemoval


def refuse_unwritable_folder(target: Path) -> None:
    """Raise WriteError if the nearest existing parent of `target` is a file or a read-only folder."""
    nearest = next(folder for folder in target.parents if folder.exists())
    if not nearest.is_dir():
        raise WriteError("There is a file where a folder is needed.", where=str(nearest))
    if not os.access(nearest, os.W_OK):
        raise WriteError("Nothing can be written in this folder.", where=str(nearest), hint="Make it writable.")


def refuse_generated(note: Note | Facts) -> None:
    """Raise WriteError if a note belongs to a generated compendium, which its converter overwrites."""
    if is_generated(note):
        message = "This note belongs to a generated compendium, where the next run of the converter overwrites it."
        raise WriteError(message, where=note.path, hint="Choose a note of your own.")
