"""Names of a vault for a shell to complete, straight from the index of the last run; without one there are none."""

import os
import struct
from collections import Counter
from collections.abc import Iterator, Mapping

from vaultkit import files
from vaultkit.whereabouts import index_file

TYPE_CHECKING = False
"""For mypy; `typing` itself takes too long to load."""
if TYPE_CHECKING:
    from typing import Any

_DECK, _CONVERTED, _SESSION = "vaultkit-deck", "json5e-deck", "vaultkit-session"

_PLAIN = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS = dict(zip(range(0xCA, 0xD4), (">f", ">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"), strict=True))
_SIZED = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_MANY = {0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}
"""How the sizes of texts, and of lists and maps, follow their first byte."""


class Names:
    """The names in the vault at `root`, each once and in order; none where there is no vault."""

    def __init__(self, root: str | None) -> None:
        self._root = root

    def of(self, kind: str) -> list[str]:
        """The names of one kind, which is a method of this class: `note`, `deck`, `game`, `session` or `player`."""
        return sorted(dict.fromkeys(getattr(self, kind)())) if self._root else []

    def note(self) -> Iterator[str]:
        """Each note by its name, or by its path where another one has that name."""
        paths = [path for (path,) in self._rows("SELECT path FROM notes") if path.endswith(".md")]
        times = Counter(_name(path).casefold() for path in paths)
        return (path.removesuffix(".md") if times[_name(path).casefold()] > 1 else _name(path) for path in paths)

    def deck(self) -> Iterator[str]:
        """Each deck by its kind; by its note's name if only the converter calls it a deck."""
        for path, properties in self._with(_DECK, _CONVERTED):
            kind = properties.get(_DECK)
            if kind or _CONVERTED in str(properties.get("cssclasses")):
                yield str(kind).strip().lower() if isinstance(kind, str) and kind.strip() else _name(path)

    def game(self) -> Iterator[str]:
        """The vault's own games that are kept in files."""
        return self._files(".vaultkit/games", ".toml")

    def session(self) -> Iterator[str]:
        """Games that are kept, and those of which only the note is left."""
        yield from self._files(".vaultkit/journals", ".jsonl")
        yield from (str(properties[_SESSION]) for _, properties in self._with(_SESSION) if properties.get(_SESSION))

    def player(self) -> Iterator[str]:
        """The players of the settings, and the people in the notes of games."""
        yield from self._party()
        for _, properties in self._with(_SESSION):
            people, bots = ([_bare(one) for one in _texts(properties.get(key))] for key in ("players", "bots"))
            yield from (one for one in people if one not in bots and not one.endswith(")"))

    def _party(self) -> Iterator[str]:
        """The players that the vault's settings name."""
        import tomllib

        try:
            text = files.read_own(f"{self._root}/.vaultkit/config.toml").decode()
            yield from map(_bare, _texts(tomllib.loads(text).get("players")))
        except (OSError, ValueError):
            return

    def _with(self, *words: str) -> "Iterator[tuple[str, Mapping[str, Any]]]":
        """Paths and properties of the notes in whose facts one of the words is."""
        where = " OR ".join("instr(facts, CAST(? AS BLOB))" for _ in words)
        for path, facts in self._rows(f"SELECT path, facts FROM notes WHERE {where}", *words):
            _, _, properties = _Facts(facts).first(3)
            yield path, {key.lower(): value for key, value in properties.items()}

    def _rows(self, query: str, *values: str) -> "list[Any]":
        import sqlite3

        file = index_file(self._root) if self._root else None
        if file is None or not os.path.isfile(file):
            return []
        try:
            database = sqlite3.connect(file, timeout=0.2)
            try:
                return database.execute(query, values).fetchall()
            finally:
                database.close()
        except sqlite3.Error:
            return []

    def _files(self, folder: str, ending: str) -> Iterator[str]:
        place = f"{self._root}/{folder}"
        names = os.listdir(place) if os.path.isdir(place) else []
        return (name.removesuffix(ending) for name in names if name.endswith(ending) and name[0] != ".")


def _name(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _texts(value: object) -> list[str]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def _bare(name: str) -> str:
    """The name without a link's brackets."""
    if not (name.startswith("[[") and name.endswith("]]")):
        return name
    target, bar, alias = name[2:-2].partition("|")
    return alias if bar else _name(target)


class _Facts:
    """The encoded facts of a note, of which the first are read: msgspec alone would take longer than the whole answer.

    The formats are those of MessagePack.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def first(self, count: int) -> "list[Any]":
        """The first values of the array that the facts are."""
        head = self._take(1)[0]
        if head in _MANY:
            self._number(_MANY[head])
        return [self._value() for _ in range(count)]

    def _value(self) -> "Any":
        head = self._take(1)[0]
        if head < 0x80 or head >= 0xE0:
            return head if head < 0x80 else head - 0x100
        if head in _PLAIN:
            return _PLAIN[head]
        if head in _NUMBERS:
            return self._number(_NUMBERS[head])
        if 0xA0 <= head < 0xC0 or head in _SIZED:
            size = head & 0x1F if head < 0xC0 else self._number(_SIZED[head])
            return self._take(size).decode("utf-8", "replace")
        count = head & 0x0F if head < 0xA0 else self._number(_MANY[head])
        if head < 0x90 or head >= 0xDE:
            return {str(self._value()): self._value() for _ in range(count)}
        return [self._value() for _ in range(count)]

    def _number(self, form: str) -> "Any":
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]
