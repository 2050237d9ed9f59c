"""Forged history entries whose paths, counts or undo references lead nowhere or out of the vault."""

import json
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.attacks.attack import Attack

UNDO, WRITE = ("undo", "--yes"), ("init",)
NAME = "000001-log"
LEFTOVERS = (".vaultkit-left.tmp", ".vaultkit-left.swap")


def entry(name: str = NAME, write: dict[str, Any] | None = None, **fields: Any) -> Callable[[Path], object]:
    """Return a function that writes a history entry, and files around the vault that look like its leftovers."""
    one = {"path": "Note.md", "offset": 0, "removed": "", "inserted": "x", "before": "0", "after": "1", "done": True}
    whole = {"schema": 1, "id": "", "command": "log", "session": "", "when": "2026-11-03T20:00:00+01:00"}

    def prepare(vault: Path) -> None:
        place = vault / ".vaultkit/history" / name / "entry.json"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps({**whole, "writes": [{**one, **(write or {})}], **fields}))
        for left in LEFTOVERS:
            (vault.parent / left).write_text("precious")

    return prepare


def circle(vault: Path) -> None:
    entry(undoes="000002-undo", undoing=True)(vault)
    entry("000002-undo", undoes=NAME, undoing=True)(vault)


def link_to_the_vault(vault: Path) -> None:
    (vault / "around").symlink_to(".")
    entry(write={"path": "around"})(vault)


def laid_aside(vault: Path) -> None:
    entry()(vault)
    (vault / ".vaultkit/history/aside").mkdir()
    (vault / f".vaultkit/history/aside/{NAME}.-5.0.0").write_text("aside")


def small_writes(vault: Path) -> None:
    entry()(vault)
    write = '{"path":"a","offset":0,"removed":"","inserted":"","before":null,"after":null}'
    text = f'{{"command":"log","session":"","when":"","writes":[{",".join([write] * 400_000)}]}}'
    (vault / ".vaultkit/history" / NAME / "entry.json").write_text(text)


def many_writes(path: str, count: int = 99_000) -> Callable[[Path], object]:
    """Return a function that writes an entry of many writes, each to the file at `path` with its number."""
    write = {"offset": 0, "removed": "", "inserted": "x", "before": "0", "after": "1", "done": True}
    return entry(writes=[{**write, "path": path.format(number)} for number in range(count)])


def chain(vault: Path) -> None:
    """Write an entry of two hundred writes to one note, each of which builds on the one before."""
    texts = [str(number) for number in range(201)]
    hashes = [sha256(text.encode()).hexdigest() for text in texts]
    writes = [
        {"path": "Note.md", "offset": 0, "removed": old, "inserted": new, "before": before, "after": after}
        for (old, new), (before, after) in zip(pairwise(texts), pairwise(hashes), strict=True)
    ]
    entry(writes=writes)(vault)
    (vault / "Note.md").write_text(texts[-1])


ATTACKS = [
    Attack("an undo undoes itself", entry(undoes=NAME, undoing=True), WRITE),
    Attack("two undos undo each other", circle, WRITE),
    Attack("an undo undoes what lies elsewhere", entry(undoes="../../../away", undoing=True, write={"of": 0}), WRITE),
    Attack("an undo undoes half a character", entry(undoes="\ud800", undoing=True), WRITE),
    Attack("a command is half a character", entry(command="\ud800"), ("undo", "--list", "--json"), 0, "[]"),
    *(
        Attack(f"a write has the path '{path[:20]}'", entry(write={"path": path}), UNDO, 4, "nothing to undo")
        for path in ("", ".", "../away/precious.tmp", "/etc/passwd", ".git/config", ".vaultkit", "a//b", "a" * 300)
    ),
    Attack("a write has the path of the vault", link_to_the_vault, UNDO, 5, "moved or deleted"),
    Attack("a note was changed after the end of time", entry(write={"mtime_ns": 10**30}), UNDO, 4, "nothing to undo"),
    Attack("a write takes back one before the first", entry(write={"of": -5}, undoes=NAME, undoing=True), WRITE),
    Attack("a file was laid aside before the first", laid_aside, WRITE),
    Attack("a session has a name without end", entry(complete=False, session="a" * 5_000), ("doctor", "--all")),
    Attack("ten thousand writes change one note", many_writes("Note.md", 10_000), UNDO, 4, "nothing to undo"),
    Attack("writes to a hundred thousand missing notes", many_writes("N/n{}.md"), UNDO, 5, "moved or deleted"),
    Attack("writes to notes in missing folders", many_writes("{}/n.md"), UNDO, 5, "moved or deleted"),
    Attack("missing notes, keeping edits", many_writes("N/n{}.md"), (*UNDO, "--keep-edits"), 5, "moved or deleted"),
    Attack("two hundred writes to one note", chain, UNDO, 0, "Note.md"),
    Attack("an entry has writes without end", small_writes, ("undo", "--list", "--json"), 0, "[]"),
]
