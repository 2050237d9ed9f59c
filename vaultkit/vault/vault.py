"""A vault: finding it, listing its files, reading its notes, following its links."""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from vaultkit.errors import InvalidError, MissingNote, Problem, VaultkitError
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
        """The note at a vault path. Raises MissingNote or InvalidError where it cannot be read."""
        if path not in self._notes:
            try:
                self._notes[path] = Note(path, self.file(path).read_bytes())
            except FileNotFoundError as error:
                raise MissingNote("There is no such note.", where=path) from error
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

        Raises MissingNote, with the nearest name, if there is none, and InvalidError as `locate` does.
        """
        found = self.lookup(name)
        if found is not None:
            return found
        from difflib import get_close_matches

        names = {Path(path).stem.casefold(): path for path in self.note_paths}
        near = get_close_matches(name.casefold(), names, n=1)
        hint = f"Did you mean '{names[near[0]]}'?" if near else "Give its name or its path in the vault."
        raise MissingNote(f"There is no note '{name}'.", where=str(self.root), hint=hint)

    def lookup(self, name: str) -> Note | None:
        """The note that `name` is the path, name, alias or title of; None if there is none. Raises as `locate` does."""
        found = self.locate(name)
        return None if found.path is None else self.read(found.path)

    def locate(self, name: str) -> Resolution:
        """Where the note lies that a person means by `name`; "ambiguous" if files of that name are equally near.

        Raises InvalidError if no file has that name, but it is the alias or title of several notes.
        """
        for spelling in _spellings(name):
            found = self.files.resolve(spelling.replace("\\", "/"), "")
            if found.path is not None and found.path.lower().endswith(".md"):
                return found
            called = self._called(spelling)
            if len(called) > 1:
                several = " or ".join(f"'{path}'" for path in called)
                raise InvalidError(
                    f"Several notes are called '{spelling}'.",
                    where=str(self.root),
                    hint=f"Give the path of the one that you mean: {several}",
                )
            if called:
                return Resolution("ok", called[0])
        return Resolution("unresolved")

    def _called(self, name: str) -> list[str]:
        """The notes that have `name` as an alias or title, whatever its case."""
        wanted = name.casefold()
        return [note.path for note in self.notes() if wanted in map(str.casefold, (*note.aliases, note.title))]

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


def _spellings(name: str) -> Iterator[str]:
    """What may be meant by `name`: as it stands, since `Log #2.md` is a file; without heading and alias, as in a link.

    Between `[[` and `]]` the link comes first.
    """
    literal = name.strip()
    is_link = literal.startswith("[[") and literal.endswith("]]")
    _, linked, _ = split_wikilink(literal.removeprefix("[[").removesuffix("]]"))
    tried = (linked, literal) if is_link else (literal, linked)
    return filter(None, dict.fromkeys(tried))


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
    if entry.name.startswith(".") or entry.is_symlink() or _is_junction(entry):
        return False
    return not any("\ud800" <= char <= "\udfff" for char in entry.name)  # a name that is no text


def _is_junction(entry: "os.DirEntry[str]") -> bool:
    known = getattr(entry, "is_junction", None)  # from Python 3.12 on
    if known is not None:
        return bool(known())
    if not entry.is_dir(follow_symlinks=False):
        return False
    try:
        tag = getattr(os.lstat(entry.path), "st_reparse_tag", 0)  # on Windows only
    except OSError:
        return False
    return bool(tag == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003))
