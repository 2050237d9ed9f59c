"""The notes and files of a vault that a check covers."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from vaultkit.errors import MissingNote, NothingFound, VaultkitError
from vaultkit.vault.checking.fixes import Remedy
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.queries import find_folder
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress

Shared = TypeVar("Shared")
_PROGRESS_STEP_NOTES = 200
Place = tuple[str, int, int, str]
"""The place of a problem, as `Problem.place` returns it."""


class CheckScope(msgspec.Struct, dict=True):
    """The notes and canvases that a check covers, and what its parts share.

    They are those at or below the vault paths `paths`, or without paths all that Obsidian's settings do not exclude.
    `links` is the number of links that were checked. `lost` has the paths of links to missing files, `remedies` the
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
        return select_notes(self.vault, None) if self.paths is None else _notes_at(self.vault, self._chosen_paths)

    @cached_property
    def count(self) -> int:
        """The number of notes, without canvases."""
        return sum(map(is_note, self.notes))

    @property
    def excluded_count(self) -> int:
        """The number of notes that were left out because Obsidian's settings exclude them."""
        return sum(map(is_note, self.vault.facts)) - self.count if self.paths is None else 0

    @property
    def facts(self) -> Iterator[Facts]:
        """The facts of the notes and canvases, in the order of paths."""
        return map(self.vault.facts.__getitem__, self._sorted_notes)

    @cached_property
    def _sorted_notes(self) -> list[str]:
        return sorted(self.notes)

    @cached_property
    def property_names(self) -> frozenset[str]:
        """The names of all properties in the vault, in lower case."""
        return frozenset(name.lower() for facts in self.vault.note_facts for name in facts.properties)

    def facts_with_progress(self) -> Iterator[Facts]:
        """Yield the facts of the notes and canvases, in the order of paths, and report the progress."""
        done = 0
        for facts in self.facts:
            yield facts
            done += is_note(facts.path)
            if self.progress is not None and (done % _PROGRESS_STEP_NOTES == 0 or done == self.count):
                self.progress(done, self.count)

    def suspect_notes(self, code: str) -> Iterator[Note]:
        """Yield the notes that the quick test of the check `code` marked as suspect when their facts were read."""
        return self.read_notes(facts for facts in self.facts if code in facts.suspects)

    def read_notes(self, all_facts: "Iterator[Facts]") -> Iterator[Note]:
        """Yield the notes with the given facts; a note that was deleted in the meantime is skipped."""
        for facts in all_facts:
            with suppress(VaultkitError):
                yield self.vault.read(facts.path)

    def get_shared(self, factory: Callable[[Vault], Shared]) -> Shared:
        """Return something that several checks need, such as a vault's compendium; `factory` makes it once."""
        if factory not in self._shared:
            self._shared[factory] = factory(self.vault)
        value: Shared = self._shared[factory]
        return value

    def includes(self, path: str) -> bool:
        """Return whether a file, or a folder given with a final `/`, is to be checked."""
        return self.paths is None or path in self.notes or key(path).startswith(self._path_prefixes)

    @cached_property
    def _chosen_paths(self) -> list[str]:
        """The vault paths of the files and folders that `paths` name."""
        return [_find_path(self.vault, path) for path in self.paths or ()]

    @cached_property
    def _path_prefixes(self) -> tuple[str, ...]:
        """The paths as prefixes of what is below them, each with a final `/`; "" for the vault folder."""
        return tuple(map(_folder_prefix, self._chosen_paths))


def select_notes(vault: Vault, paths: Sequence[str] | None) -> frozenset[str]:
    """Return the vault paths of the notes and canvases that `paths` name.

    A path is that of a note or a folder, or the name of a note; `.` is the vault folder. None means all notes and
    canvases except those that Obsidian's settings exclude (F5). Raises MissingNote for a path without any.
    """
    if paths is None:
        prefixes, expressions = _exclusion_filters(vault.app_settings)
        plain = [path for path in vault.facts if not key(path).startswith(prefixes)]
        return frozenset(plain) - _search_paths(expressions, plain)
    return _notes_at(vault, [_find_path(vault, path) for path in paths])


def _normalize_path(path: str) -> str:
    """Return a path in the form that vault paths have; "" is the vault folder."""
    cleaned = path.replace("\\", "/").removeprefix("./").strip("/")
    return "" if cleaned == "." else cleaned


def _folder_prefix(folder: str) -> str:
    """Return what the keys of all files in a folder begin with; "" for the vault folder."""
    return key(f"{folder}/" if folder else "")


def _notes_below(vault: Vault, folder: str) -> list[str]:
    """Return the notes and canvases in a folder and in the folders below it."""
    prefix = _folder_prefix(folder)
    return [note for note in vault.facts if key(note).startswith(prefix)]


def _notes_at(vault: Vault, paths: Sequence[str]) -> frozenset[str]:
    """Return the notes and canvases at or below vault paths."""
    return frozenset(note for path in paths for note in (path, *_notes_below(vault, path)) if note in vault.facts)


def _find_path(vault: Vault, path: str) -> str:
    """Return the vault path of the folder, note or canvas that a path or a name stands for; "" for the vault folder.

    Raises MissingNote for a path without notes and canvases, unless listing the vault met a problem at or below it.
    """
    path = _normalize_path(path)
    prefix = _folder_prefix(path)
    has_problems = any(key(f"{problem.note}/").startswith(prefix) for problem in vault.listing.problems)
    if not path or has_problems or _notes_below(vault, path):
        return path
    if (file_path := vault.files.resolve(path, "").path) and file_path in vault.facts:
        return file_path
    with suppress(NothingFound):
        if _notes_below(vault, folder := find_folder(vault, path)):
            return folder
    note_path = vault.locate(path).path
    if note_path is None:
        raise _missing_note_error(vault, path)
    return note_path


def _missing_note_error(vault: Vault, path: str) -> MissingNote:
    """Return the error for a path without notes, with a hint at other files there or at the most similar path."""
    where, folder = str(vault.root), key(f"{path}/")
    if any(key(file).startswith(folder) for file in vault.files.paths):
        hint = "Without a path, vaultkit check looks at the names of all files, too."
        return MissingNote(f"'{path}' contains no notes.", where=where, hint=hint)
    if vault.files.resolve(path, "").path is not None:
        return MissingNote(f"'{path}' is not a note.", where=where, hint="Name a note, a canvas or a folder of notes.")
    hint = vault.suggest(path) or "Give its path in the vault."
    return MissingNote(f"There is no note or folder '{path}'.", where=where, hint=hint)


def _exclusion_filters(app: Mapping[str, object]) -> tuple[tuple[str, ...], list[str]]:
    """Return the filters of `.obsidian/app.json`: path prefixes, and regular expressions, written between slashes.

    An invalid regular expression excludes nothing.
    """
    setting = app.get("userIgnoreFilters")
    filters = (
        dict.fromkeys(item for item in setting if isinstance(item, str) and item) if isinstance(setting, list) else {}
    )
    regex_filters = [item for item in filters if len(item) > 2 and item.startswith("/") and item.endswith("/")]
    return tuple(key(item) for item in filters.keys() - regex_filters), [item[1:-1] for item in regex_filters]


def _search_paths(expressions: Sequence[str], paths: Sequence[str]) -> frozenset[str]:
    """Return the paths that match one of the regular expressions; none if that takes too long.

    The expressions may come from a stranger. Another process searches, since only killing it would stop some of them.
    """
    if not expressions:
        return frozenset()
    import subprocess

    try:
        program, request = [sys.executable, "-I", "-c", _SEARCH_PROGRAM], json.dumps([expressions, paths])
        process = subprocess.run(
            program, input=request, capture_output=True, text=True, timeout=SEARCH_TIMEOUT_SECONDS, check=True
        )
        return frozenset(json.loads(process.stdout))
    except (OSError, ValueError, subprocess.SubprocessError):
        return frozenset()


SEARCH_TIMEOUT_SECONDS = 2.0
_SEARCH_PROGRAM = """
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
