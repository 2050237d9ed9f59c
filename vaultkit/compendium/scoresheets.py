"""Where games of the GM's own are defined: files in `.vaultkit/games/`, and notes with the property `vaultkit-game`.

A definition is read as plain tables; what they mean is for others to know. A note's property is such a table itself.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vaultkit import files, resources
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.vault import Note, Vault

FOLDER = "scoresheets"
PROPERTY = "vaultkit-game"
LARGEST = 1_000_000
"""Bytes of a file that is read."""
Steps = tuple[str | int, ...]
"""The way to a part of a definition: `("columns", 2, "formula")`."""
_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)
"""How a file begins that PowerShell has written with `>`."""
_NAME = r"(?:[\w-]+|\"[^\"]*\"|'[^']*')"
_NAMES = rf"({_NAME}(?:\s*\.\s*{_NAME})*)\s*"
_HEAD, _KEY = re.compile(rf"\s*\[(\[?)\s*{_NAMES}\]"), re.compile(rf"\s*{_NAMES}=")


@dataclass(frozen=True)
class Tables:
    """Plain tables as somebody wrote them in the file or note `where`, with the line of every part."""

    where: str
    table: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[Steps, int] = field(default_factory=dict)

    def place(self, steps: Steps) -> str:
        """File and line of a part, or of the nearest one around it that has a line."""
        tried = (steps[:length] for length in range(len(steps), -1, -1))
        return f"{self.where}:{next((self.lines[one] for one in tried if one in self.lines), 1)}"


@dataclass(frozen=True)
class RawSheet:
    """The definition of one game as plain tables, which tell its path in the vault, or what a file of ours is called.

    `fault` says why there is none. `ours` is shipped with vaultkit.
    """

    game: str
    tables: Tables
    ours: bool = False
    fault: InvalidError | None = None

    @property
    def title(self) -> str:
        return str(self.tables.table.get("title", self.game))


def raw_sheets(vault: Vault | None) -> Iterator[RawSheet]:
    """Every definition: the vault's files, its notes, and then those shipped with vaultkit."""
    ours = resources.shipped(FOLDER)
    files = [path for _, path in resources.listing(FOLDER, "*.toml", vault.root if vault else None)]
    yield from (_of_file(path) for path in files if not path.is_relative_to(ours))
    yield from _notes(vault) if vault else ()
    yield from (_of_file(path, ours=True) for path in sorted(ours.glob("*.toml")))


def _of_file(path: Path, *, ours: bool = False) -> RawSheet:
    where, game = resources.name_of(FOLDER, path), path.stem.casefold()
    try:
        return RawSheet(game, read_toml(read_text(path, where, "the definition of a game"), where), ours)
    except InvalidError as error:
        return RawSheet(game, Tables(where), ours, error)


def _notes(vault: Vault) -> Iterator[RawSheet]:
    """Notes whose property is a table; where it is a word, the note explains the game of that name."""
    for facts in vault.note_facts:
        said = facts.property(PROPERTY)
        if isinstance(said, dict):
            with suppress(VaultkitError):  # one that has gone since the notes were listed
                yield _of_note(vault.read(facts.path), {"title": facts.title, **said})


def _of_note(note: Note, table: dict[str, Any]) -> RawSheet:
    """A note whose property is a table; its `id` and `title` are those of the note where it has none."""
    game = str(table.pop("id", slug(note.name, "-")))
    return RawSheet(game, Tables(note.path, table, dict(_lines_of_yaml(note.text[: note.body_start]))))


def slug(name: str, between: str) -> str:
    """A name in small letters and digits, with a sign for all that stands `between` them."""
    return re.sub(r"[^a-z0-9]+", between, name.casefold()).strip(between)


def read_text(path: Path, where: str, expected: str, hint: str = "") -> str:
    """The text of a file that is `expected` to be a score sheet, for example. Raises InvalidError with the `hint`."""
    try:
        data = files.read_named(path, LARGEST)
        return data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidError("This file is no text in UTF-8.", where=where, hint=hint) from error
    except files.TooLarge as error:
        raise InvalidError(f"This file is too large to be {expected}.", where=where) from error
    except OSError as error:
        raise InvalidError(f"The file cannot be read: {error.strerror or error}.", where=where) from error


def read_toml(text: str, where: str, hint: str = "") -> Tables:
    """The tables in the text of a file called `where`. Raises InvalidError with the line, and the `hint`."""
    try:
        return Tables(where, files.parse_toml(text.replace("\r\n", "\n")), _lines_of_toml(text))
    except (ValueError, RecursionError) as error:  # no TOML, a number or a nesting beyond reason
        found = re.search(r"\(at line (\d+)", str(error)) or re.search(r"()\(at end of document", str(error))
        said = re.sub(r" \(at .*\)$", "", str(error)).rstrip(".") or "it is nested too deeply"
        place = f"{where}:{found[1] or len(text.splitlines())}" if found else where
        raise InvalidError(f"This is not TOML: {said}.", where=place, hint=hint) from error


def _lines_of_toml(text: str) -> dict[Steps, int]:
    """The line of every table and of every key that begins one, as far as they are written in the usual way."""
    lines: dict[Steps, int] = {}
    counts: Counter[Steps] = Counter()
    above: Steps = ()
    for number, line in enumerate(text.splitlines(), 1):
        if head := _HEAD.match(line):
            names = _steps(head[2])
            counts[names] += len(head[1])
            above = ()
            for depth, name in enumerate(names, 1):
                at = counts[names[:depth]]
                above = (*above, name, at - 1) if at else (*above, name)
            lines.setdefault(names[:1], number)
            lines.setdefault(above, number)
        elif key := _KEY.match(line):
            lines.setdefault((*above, *_steps(key[1])), number)
    return lines


def _steps(names: str) -> Steps:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, names))


def _lines_of_yaml(text: str) -> Iterator[tuple[Steps, int]]:
    """The line of every part of the property, and of the property itself; of none where parts stand for others."""
    from yaml import AliasEvent, BaseLoader, MappingNode, YAMLError, compose_all, parse

    try:
        shared = any(isinstance(event, AliasEvent) for event in parse(text, BaseLoader))
        root: Any = None if shared else next(compose_all(text, BaseLoader), None)
    except (YAMLError, ValueError, RecursionError):
        return
    for key, node in root.value if isinstance(root, MappingNode) else ():
        if key.value.casefold() == PROPERTY:
            yield from _parts((), key, node)


def _parts(path: Steps, beginning: Any, node: Any) -> Iterator[tuple[Steps, int]]:
    from yaml import MappingNode, SequenceNode

    yield path, beginning.start_mark.line + 1
    if isinstance(node, MappingNode):
        for key, value in node.value:
            yield from _parts((*path, key.value), key, value)
    elif isinstance(node, SequenceNode):
        for number, item in enumerate(node.value):
            yield from _parts((*path, number), item, item)
