"""The notes and files of a vault that a check covers."""

import json
import posixpath
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, TypeVar

import msgspec

from vaultkit.errors import MissingNote, VaultkitError
from vaultkit.spelling import hint_at, nearest
from vaultkit.vault.checking.remedies import LIKE, Remedy
from vaultkit.vault.facts import Facts
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress

Shared = TypeVar("Shared")
_STEP = 200
Place = tuple[str, int, int, str]
"""The note, line, column and code of a problem."""


class Chosen(msgspec.Struct, dict=True):
    """The notes at or below the vault paths `paths`, or without paths all that Obsidian's settings do not exclude.

    `links` counts the links that were checked. `lost_paths` has the paths of links to missing files, `remedies` the
    corrections of broken links, both by the place of the problem.
    """

    vault: Vault
    paths: Sequence[str] | None = None
    progress: Progress | None = None
    links: int = 0
    lost: dict[Place, str] = {}
    remedies: dict[Place, Remedy] = {}
    _shared: dict[Callable[[Vault], Any], Any] = {}

    @cached_property
    def notes(self) -> frozenset[str]:
        """The vault paths of the notes and canvases."""
        return selected(self.vault, self.paths)

    @cached_property
    def count(self) -> int:
        return sum(map(is_note, self.notes))

    @property
    def excluded(self) -> int:
        """The number of notes that were left out because Obsidian's settings exclude them."""
        return sum(map(is_note, self.vault.facts)) - self.count if self.paths is None else 0

    @property
    def facts(self) -> Iterator[Facts]:
        """The facts of the notes and canvases, in the order of paths."""
        return (self.vault.facts[path] for path in sorted(self.notes))

    @cached_property
    def property_names(self) -> frozenset[str]:
        """The names of all properties in the vault, in lower case."""
        return frozenset(name.lower() for facts in self.vault.note_facts for name in facts.properties)

    def counted_facts(self) -> Iterator[Facts]:
        """Yield the facts of the notes and canvases, in the order of paths, and report the progress."""
        done = 0
        for facts in self.facts:
            yield facts
            done += is_note(facts.path)
            if self.progress is not None and (done % _STEP == 0 or done == self.count):
                self.progress(done, self.count)

    def suspects(self, code: str) -> Iterator[Note]:
        """Yield the notes for which a check's quick test returned True when they were read."""
        return self.read(facts for facts in self.facts if code in facts.suspects)

    def read(self, those: "Iterator[Facts]") -> Iterator[Note]:
        """Yield the notes with the given facts; a note that was deleted in the meantime is skipped."""
        for facts in those:
            with suppress(VaultkitError):
                yield self.vault.read(facts.path)

    def shared(self, kind: Callable[[Vault], Shared]) -> Shared:
        """Return something that several checks need, such as a vault's compendium; `factory` makes it once."""
        if kind not in self._shared:
            self._shared[kind] = kind(self.vault)
        found: Shared = self._shared[kind]
        return found

    def has(self, path: str) -> bool:
        """Return whether a file, or a folder given with a final `/`, is to be checked."""
        return self.paths is None or path in self.notes or key(path).startswith(self._folders)

    @cached_property
    def _folders(self) -> tuple[str, ...]:
        return tuple(key(f"{cleaned}/" if cleaned else "") for cleaned in map(_cleaned, self.paths or ()))


def selected(vault: Vault, paths: Sequence[str] | None) -> frozenset[str]:
    """Return the vault paths of the notes that `paths` name: notes by path or name, and folders.

    `.` is the vault folder. None means all notes except those that Obsidian's settings exclude (F5). Raises MissingNote
    for a path without notes.
    """
    if paths is None:
        prefixes, expressions = _excluded(vault.app)
        plain = [path for path in vault.facts if not key(path).startswith(prefixes)]
        return frozenset(plain) - _matching(expressions, plain)
    return frozenset(note for path in paths for note in _selected(vault, _cleaned(path)))


def _cleaned(path: str) -> str:
    """Return a path in the form that vault paths have; "" is the vault folder."""
    cleaned = path.replace("\\", "/").removeprefix("./").strip("/")
    return "" if cleaned == "." else cleaned


def _selected(vault: Vault, path: str) -> tuple[str, ...]:
    if not path:
        return tuple(vault.facts)
    folder = key(f"{path}/")
    below = tuple(note for note in vault.facts if key(note).startswith(folder))
    if below or any(key(f"{problem.note}/").startswith(folder) for problem in vault.listing.problems):
        return below
    found = vault.files.resolve(path, "").path
    if found is None or found not in vault.facts:
        raise _missing(vault, path)
    return (found,)


def _missing(vault: Vault, path: str) -> MissingNote:
    """Return the error for a path without notes, with a hint at other files there or at the most similar path."""
    where, folder = str(vault.root), key(f"{path}/")
    if any(key(file).startswith(folder) for file in vault.files.paths):
        hint = "Without a path, vaultkit check looks at the names of all files, too."
        return MissingNote(f"'{path}' holds no notes.", where=where, hint=hint)
    if vault.files.resolve(path, "").path is not None:
        return MissingNote(f"'{path}' is no note.", where=where, hint="Name a note, a canvas or a folder of notes.")
    near = _nearest_place(vault, path)
    hint = hint_at(near) if near else "Give its path in the vault."
    return MissingNote(f"There is no note or folder '{path}'.", where=where, hint=hint)


def _nearest_place(vault: Vault, path: str) -> str | None:
    """Return the note or folder with the most similar path, or else with the most similar name.

    None if there is nothing similar.
    """
    folders = (str(folder) for note in vault.facts for folder in PurePosixPath(note).parents if folder.name)
    places = dict.fromkeys((*vault.facts, *folders))
    for part in (str, posixpath.basename):
        by_key = {key(part(place)).removesuffix(".md"): place for place in reversed(places)}
        near = nearest(key(part(path)).removesuffix(".md"), by_key, like=LIKE, numbered=True)
        if near:
            return by_key[near]
    return None


def _excluded(app: Mapping[str, object]) -> tuple[tuple[str, ...], list[str]]:
    """Return the filters of `.obsidian/app.json`: path prefixes, and regular expressions, written between slashes.

    An invalid regular expression excludes nothing.
    """
    given = app.get("userIgnoreFilters")
    filters = dict.fromkeys(item for item in given if isinstance(item, str) and item) if isinstance(given, list) else {}
    written = [item for item in filters if len(item) > 2 and item.startswith("/") and item.endswith("/")]
    return tuple(key(item) for item in filters.keys() - written), [item[1:-1] for item in written]


def _matching(expressions: Sequence[str], paths: Sequence[str]) -> frozenset[str]:
    """Return the paths that match one of the regular expressions; none if that takes too long.

    The expressions may come from a stranger. Another process searches, since only killing it would stop some of them.
    """
    if not expressions:
        return frozenset()
    import subprocess

    try:
        program, given = [sys.executable, "-I", "-c", _SEARCH], json.dumps([expressions, paths])
        done = subprocess.run(program, input=given, capture_output=True, text=True, timeout=SECONDS, check=True)
        return frozenset(json.loads(done.stdout))
    except (OSError, ValueError, subprocess.SubprocessError):
        return frozenset()


SECONDS = 2.0
_SEARCH = """
import json, re, sys
expressions, paths = json.load(sys.stdin)
found = set()
for expression in expressions:
    try:
        found.update(filter(re.compile(expression).search, paths))
    except (re.error, RecursionError, OverflowError, MemoryError):
        pass
print(json.dumps(sorted(found)))
"""
