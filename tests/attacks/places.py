"""Special files, and links out of the vault, in places where vaultkit reads and writes its own files."""

import os
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack

Prepare = Callable[[Path], None]

CHECK = ("check",)
UNDO_LIST = ("undo", "--list")
WRITE = ("init",)
PRINT = ("print", "rules", "Note")


def link(name: str, to: str) -> Prepare:
    """Return a function that makes a link in the vault.

    `to` may start with "../": the link then leads into the vault's parent folder, where `../away` holds a file.
    """

    def prepare(vault: Path) -> None:
        place = vault / name
        place.parent.mkdir(parents=True, exist_ok=True)
        target = vault.parent / to.removeprefix("../") if to.startswith("../") else Path(to)
        place.symlink_to(target)

    return prepare


def pipe(name: str) -> Prepare:
    def prepare(vault: Path) -> None:
        place = vault / name
        place.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(place)

    return prepare


def large(name: str, size: int) -> Prepare:
    """Return a function that writes a sparse file of `size` bytes, which takes no room on the disk."""

    def prepare(vault: Path) -> None:
        place = vault / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as file:
            file.truncate(size)

    return prepare


def linked_entry(vault: Path) -> None:
    """Make a history entry that is a link to another folder, whose files must not be swept as leftovers."""
    link(".vaultkit/history/000099-log", "../away")(vault)


ENTRY, JOURNAL = ".vaultkit/history/000001-log/entry.json", ".vaultkit/journals/20261103-dragon-citadel-k3f9.jsonl"
SETTINGS, APP = ".vaultkit/config.toml", ".obsidian/app.json"

ATTACKS = [
    Attack("Obsidian's settings are a link to a device", link(APP, "/dev/zero"), CHECK),
    Attack("Obsidian's settings are a pipe", pipe(APP), CHECK),
    Attack("Obsidian's settings have 4 GB", large(APP, 4_000_000_000), CHECK),
    Attack("the settings are a link to a device", link(SETTINGS, "/dev/zero"), CHECK, 1, "it is a link"),
    Attack("the settings are a pipe", pipe(SETTINGS), CHECK, 1, "a pipe, not a file"),
    Attack("the settings have 4 GB", large(SETTINGS, 4_000_000_000), CHECK, 1, "more than 8 MB"),
    Attack("the settings are a link to a file outside", link(SETTINGS, "../away/precious.tmp"), CHECK, 1, "a link"),
    Attack("a note is a pipe", pipe("Pipe.md"), CHECK),
    Attack("a note is a link to a device", link("Zero.md", "/dev/zero"), CHECK),
    Attack("a note has 4 GB", large("Large.md", 4_000_000_000), CHECK, 1, "more than 16 MB"),
    Attack("a canvas has 4 GB", large("Large.canvas", 4_000_000_000), CHECK, 1, "Large.canvas"),
    Attack("an entry of the history is a link", linked_entry, WRITE, 0, "config.toml"),
    Attack("an entry of the history is a pipe", pipe(ENTRY), UNDO_LIST, 0),
    Attack("an entry of the history is a device", link(ENTRY, "/dev/zero"), UNDO_LIST),
    Attack("an entry of the history has 4 GB", large(ENTRY, 4_000_000_000), UNDO_LIST),
    Attack("the history is a link", link(".vaultkit/history", "../away"), WRITE, 5, "it is a link"),
    Attack("the files laid aside are a link", link(".vaultkit/history/aside", "../away"), WRITE, 0),
    Attack("our folder is a link", link(".vaultkit", "../away"), WRITE, 3, "leads out of the vault"),
    Attack("what git is to ignore is a link", link(".vaultkit/.gitignore", "../away/made"), WRITE, 0),
    Attack("the journals are a link", link(".vaultkit/journals", "../away"), ("sessions",), 0),
    Attack("a journal is a pipe", pipe(JOURNAL), ("sessions",), 0),
    Attack(
        "a journal is a link to a device",
        link(JOURNAL, "/dev/zero"),
        ("sessions",),
    ),
    Attack(
        "a journal is one line of 4 GB",
        large(JOURNAL, 4_000_000_000),
        ("sessions",),
        0,
        "damaged",
    ),
    Attack("a print is a link out", link("Note-rules.pdf", "../away/made.pdf"), PRINT, 5, "leads out of the vault"),
    Attack("a preview is a link out", link("Note-rules-preview", "../away"), (*PRINT, "--preview"), 5, "leads out"),
    Attack("a template is a pipe", pipe(".vaultkit/templates/session.md.j2"), ("templates",)),
]
