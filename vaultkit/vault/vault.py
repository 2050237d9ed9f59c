"""A vault: finding it, listing its files, reading its notes, following its links."""

import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from vaultkit.errors import InvalidError, NothingFound, Problem, VaultkitError
from vaultkit.vault import subpath
from vaultkit.vault.encoding import EncodingError
from vaultkit.vault.links import Link, Resolution, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import Files

MARKERS = (".obsidian", ".vaultkit")


def find_root(given: Path | None, environment: Mapping[str, str], here: Path) -> Path:
    """The vault's folder: `given`, else `VAULTKIT_VAULT`, else the nearest parent of `here` that is a vault."""
    named = given or (Path(environment["VAULTKIT_VAULT"]) if environment.get("VAULTKIT_VAULT") else None)
    if named is not None:
        if not named.is_dir():
            raise InvalidError("There is no folder of this name.", where=str(named), hint="Name the vault's folder.")
        return named.resolve()
    found = surrounding_root(here.resolve())
    if found is not None:
        return found
    raise InvalidError(
        "There is no Obsidian vault here.",
        where=str(here),
        hint="Go into your vault's folder, or name it with --vault PATH. To look around first: vaultkit demo",
    )


def surrounding_root(here: Path) -> Path | None:
    """The nearest folder that is a vault, `here` or above it; None if there is none."""
    for folder in (here, *here.parents):
        if any((folder / marker).is_dir() for marker in MARKERS):
            return folder
    return None


class Vault:
    """The notes and files below one folder. Reads lazily and keeps what it read."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._notes: dict[str, Note] = {}

    @cached_property
    def files(self) -> Files:
        return Files(_walk(self.root))

    @cached_property
    def app(self) -> Mapping[str, object]:
        """Obsidian's own settings, `.obsidian/app.json`; empty if missing or unreadable, as Obsidian takes it."""
        try:
            loaded = json.loads((self.root / ".obsidian" / "app.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return loaded if isinstance(loaded, dict) else {}

    @property
    def note_paths(self) -> tuple[str, ...]:
        return tuple(path for path in self.files.paths if path.lower().endswith(".md"))

    def file(self, path: str) -> Path:
        """Where a vault path lies on disk. Raises InvalidError if that is outside the vault."""
        try:
            full = (self.root / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a NUL in it
            raise InvalidError(f"This path cannot be followed: {error}.", where=path) from error
        if not full.is_relative_to(self.root):
            raise InvalidError("This path leads out of the vault.", where=path, hint="Name a note inside the vault.")
        return full

    def read(self, path: str) -> Note:
        """The note at a vault path. Raises NothingFound or InvalidError where it cannot be read."""
        if path not in self._notes:
            try:
                self._notes[path] = Note(path, self.file(path).read_bytes())
            except FileNotFoundError as error:
                raise NothingFound("There is no such note.", where=path) from error
            except OSError as error:
                reason = error.strerror or str(error)
                raise InvalidError(f"This note cannot be read: {reason}.", where=path) from error
        return self._notes[path]

    def forget(self, path: str) -> None:
        """Read `path` afresh next time, and see a file that has come or gone."""
        self._notes.pop(path, None)
        self.__dict__.pop("files", None)

    def notes(self, problems: list[Problem] | None = None) -> Iterator[Note]:
        """Every readable note; an unreadable one becomes a Problem and stops nothing."""
        for path in self.note_paths:
            try:
                note = self.read(path)
                _ = note.text
            except VaultkitError as error:
                if problems is not None:
                    problems.append(_unreadable(path, error))
                continue
            yield note

    def find(self, name: str) -> Note:
        """The note that a person means by `name`: a path, a link's text, a title or an alias.

        Raises NothingFound, with the nearest name, if there is none.
        """
        found = self.lookup(name)
        if found is not None:
            return found
        from difflib import get_close_matches

        names = {Path(path).stem: path for path in self.note_paths}
        near = get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"Did you mean '{names[near[0]]}'?" if near else "Give its name or its path in the vault."
        raise NothingFound(f"There is no note '{name}'.", where=str(self.root), hint=hint)

    def lookup(self, name: str) -> Note | None:
        """The note that `name` is the path, name, alias or title of; None if there is none."""
        _, cleaned, _ = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
        if not cleaned:
            return None
        found = self.files.resolve(cleaned.replace("\\", "/"), "")
        if found.path is not None and found.path.lower().endswith(".md"):
            return self.read(found.path)
        wanted = {cleaned.casefold(), name.strip().casefold()}
        named = (note for note in self.notes() if wanted & {item.casefold() for item in (*note.aliases, note.title)})
        return next(named, None)

    def resolve(self, link: Link, source: str) -> Resolution:
        """Where a link in the note `source` leads, its heading or block included."""
        if link.external:
            return Resolution("external")
        found = self.files.resolve(link.path, source)
        if found.path is None or not link.subpath or not found.path.lower().endswith(".md"):
            return found
        return self._within(found, link)

    def _within(self, found: Resolution, link: Link) -> Resolution:
        assert found.path is not None
        try:
            note = self.read(found.path)
            if link.subpath.startswith("^"):
                present = link.subpath[1:].lower() in note.blocks
                return found if present else Resolution("no-block", found.path)
            if link.subpath.startswith("[^"):
                return found
            present = subpath.find_heading(note.headings, link.subpath) is not None
        except VaultkitError:
            return found
        return found if present else Resolution("no-heading", found.path)


def _unreadable(path: str, error: VaultkitError) -> Problem:
    line, column = (error.line, error.column) if isinstance(error, EncodingError) else (0, 0)
    return Problem(path, line, column, "unreadable", error.message, error.hint)


def _walk(root: Path) -> Iterator[str]:
    """Vault paths of all files; nothing behind a dot (F1), nothing behind a symbolic link or junction (F3)."""
    pending = [(root, "")]
    while pending:
        folder, prefix = pending.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in filter(_is_listed, entries):
            if entry.is_dir(follow_symlinks=False):
                pending.append((Path(entry.path), f"{prefix}{entry.name}/"))
            elif entry.is_file(follow_symlinks=False):
                yield f"{prefix}{entry.name}"


def _is_listed(entry: "os.DirEntry[str]") -> bool:
    if entry.name.startswith(".") or entry.is_symlink() or getattr(entry, "is_junction", bool)():
        return False
    return not any("\ud800" <= char <= "\udfff" for char in entry.name)  # a name that is no text
