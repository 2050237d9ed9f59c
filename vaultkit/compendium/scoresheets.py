"""Where games of the GM's own are defined: files in `.vaultkit/games/`, and notes with the property `vaultkit-game`.

A definition is read as plain tables; what they mean is for others to know. A note's property is such a table itself.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.vault import Note, Vault

FOLDER = "scoresheets"
PROPERTY = "vaultkit-game"
LARGEST = 1_000_000
"""Bytes of a file that is read."""
Steps = Sequence[str | int]
"""The way to a part of a definition: `("columns", 2, "formula")`."""
_HEAD = re.compile(r"\s*\[(\[?)\s*([\w\s.\"'-]+?)\s*\]")
_KEY = re.compile(r"([\w-]+|\"[^\"]*\"|'[^']*')\s*[=:]")


@dataclass(frozen=True)
class RawSheet:
    """The definition of one game as plain tables. `where` is a vault path, or what a file of ours is called.

    `fault` says why there is none. `ours` is shipped with vaultkit.
    """

    game: str
    table: Mapping[str, Any]
    where: str
    lines: Mapping[tuple[str | int, ...], int]
    ours: bool = False
    fault: InvalidError | None = None

    def place(self, steps: Steps) -> str:
        """File and line of a part, or of the nearest one around it that has a line."""
        tried = (tuple(steps[:length]) for length in range(len(steps), 0, -1))
        line = next((self.lines[one] for one in tried if one in self.lines), self.lines.get((), 1))
        return f"{self.where}:{line}"


def raw_sheets(vault: Vault | None) -> Iterator[RawSheet]:
    """Every definition: the vault's files, its notes, and then those shipped with vaultkit."""
    root = vault.root if vault else None
    ours = resources.shipped(FOLDER)
    files = list(resources.listing(FOLDER, "*.toml", root))
    yield from (_of_file(path, root) for _, path in files if not path.is_relative_to(ours))
    yield from _notes(vault) if vault else ()
    yield from (_of_file(path, root, ours=True) for path in sorted(ours.glob("*.toml")))


def _of_file(path: Path, root: Path | None, *, ours: bool = False) -> RawSheet:
    where = f"vaultkit's own {FOLDER}/{path.name}" if ours or root is None else path.relative_to(root).as_posix()
    game = path.stem.casefold()
    try:
        text = _text(path, where)
        return RawSheet(game, read_toml(text, where), where, _lines_of_toml(text), ours)
    except InvalidError as error:
        return RawSheet(game, {}, where, {}, ours, error)


def _of_note(note: Note, said: Mapping[str, Any], title: str) -> RawSheet:
    """A note whose property is a table; its `id` and `title` are those of the note where it has none."""
    table = {"title": title, **said}
    game = str(table.pop("id", _slug(note.name)))
    return RawSheet(game, table, note.path, _lines_of_yaml(note.text[: note.body_start]))


def _notes(vault: Vault) -> Iterator[RawSheet]:
    """Notes whose property is a table; where it is a word, the note explains the game of that name."""
    for facts in vault.note_facts:
        said = facts.property(PROPERTY)
        if isinstance(said, dict):
            with suppress(VaultkitError):  # one that has gone since the notes were listed
                yield _of_note(vault.read(facts.path), said, facts.title)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


def _text(path: Path, where: str) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise InvalidError("This file is too large to be the definition of a game.", where=where)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidError("This file is no text in UTF-8.", where=where) from error
    except OSError as error:
        raise InvalidError(f"The file cannot be read: {error.strerror or error}.", where=where) from error


def read_toml(text: str, where: str, hint: str = "") -> dict[str, Any]:
    """The tables in the text of a file called `where`. Raises InvalidError with the line, and the `hint`."""
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # no TOML, a number or a nesting beyond reason
        found = re.search(r"\(at line (\d+)", str(error)) or re.search(r"()\(at end of document", str(error))
        said = re.sub(r" \(at .*\)$", "", str(error)).rstrip(".") or "it is nested too deeply"
        place = f"{where}:{found[1] or len(text.splitlines())}" if found else where
        raise InvalidError(f"This is not TOML: {said}.", where=place, hint=hint) from error


def _lines_of_toml(text: str) -> dict[tuple[str | int, ...], int]:
    """The line of every table and of every key that begins one, as far as they are written in the usual way."""
    lines: dict[tuple[str | int, ...], int] = {}
    counts: dict[tuple[str, ...], int] = {}
    above: tuple[str | int, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            names = tuple(part.strip(" \"'") for part in head[2].split("."))
            if head[1]:
                counts[names] = counts.get(names, -1) + 1
            above = tuple(step for depth in range(len(names)) for step in _step(names[: depth + 1], counts))
            lines.setdefault(above, number)
            lines.setdefault(tuple(names[:1]), number)
        elif key := _KEY.match(line.strip()):
            lines.setdefault((*above, key[1].strip("\"'")), number)
    return lines


def _step(names: tuple[str, ...], counts: Mapping[tuple[str, ...], int]) -> Iterator[str | int]:
    yield names[-1]
    if names in counts:
        yield counts[names]


def _lines_of_yaml(text: str) -> dict[tuple[str | int, ...], int]:
    """The line of every key below the property, by how far it stands to the right, and of the property itself."""
    lines: dict[tuple[str | int, ...], int] = {}
    open_: list[tuple[int, tuple[str | int, ...]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        indent, rest = len(line) - len(line.lstrip()), line.strip()
        if not open_:
            if re.match(rf"[\"']?{PROPERTY}[\"']?\s*:", rest, re.IGNORECASE):
                open_, lines[()] = [(indent, ())], number
            continue
        if rest and not rest.startswith(("#", "-")) and indent <= open_[0][0]:
            break
        while rest.startswith("- "):
            _close(open_, indent + 1)
            above = open_[-1][1]
            item = (*above, sum(1 for one in lines if len(one) == len(above) + 1 and one[:-1] == above))
            lines[item] = number
            open_.append((indent + 1, item))
            indent, rest = indent + len(rest) - len(rest[1:].lstrip()), rest[1:].strip()
        if key := _KEY.match(rest):
            _close(open_, indent)
            path = (*open_[-1][1], key[1].strip("\"'"))
            lines.setdefault(path, number)
            open_.append((indent, path))
    return lines


def _close(open_: list[tuple[int, tuple[str | int, ...]]], indent: int) -> None:
    """Leave what does not stand further to the left."""
    while len(open_) > 1 and open_[-1][0] >= indent:
        open_.pop()
