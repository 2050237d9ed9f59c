"""The vault: its files, notes, facts and links."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from vaultkit import files
from vaultkit.errors import InvalidError, MissingNote, Problem, VaultkitError
from vaultkit.spelling import suggest_by_words
from vaultkit.vault.file_facts import Inspect, facts_of, is_canvas, is_note
from vaultkit.vault.links import Link, Resolution, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.obsidian import settings_of
from vaultkit.vault.resolve import Files, key
from vaultkit.vault.structure import Anchors
from vaultkit.vault.subpath import Outline
from vaultkit.vault.walk import Listing, Progress, walk

if TYPE_CHECKING:
    from vaultkit.vault.index.fact_reader import SaveIndex
    from vaultkit.vault.index.index_file import Index

UNLOCKABLE_ROOTS: set[Path] = set()
"""The roots of vaults in which this process wrote without a lock, since their drives do not support locks."""


class Vault:
    """The notes and files below one folder, read when they are first needed, then cached.

    `index` opens the index, which holds the facts of notes that are unchanged since it was written, so that they need
    not be read. `inspect` finds problems in a note; they are part of its facts, so each index belongs to one `inspect`.
    """

    def __init__(
        self,
        root: Path,
        index: "Callable[[], Index | None] | None" = None,
        progress: "Progress | None" = None,
        inspect: Inspect | None = None,
    ) -> None:
        self.root = root.resolve()
        self._index = index
        self._progress = progress
        self._inspect = inspect
        self._notes: dict[str, Note] = {}
        self._stale: set[str] = set()
        """Vault paths whose facts must be read again, since `forget` was called after the facts were read."""
        self._outlines: dict[str, Outline] = {}
        self._view_names: dict[str, tuple[str, ...] | None] = {}
        self.hard_linked_paths: dict[str, None] = {}
        """Vault paths of written notes with hard links, in order; the other names of such a file keep the old text."""

    def reopen(self) -> "Vault":
        """Return a new Vault for the same folder, without anything cached."""
        return self._copy(self._index, self._inspect)

    def with_inspection(self, inspect: Inspect) -> "Vault":
        """Return this vault if it has an `inspect`, else a new Vault for the same folder that uses `inspect`."""
        return self if self._inspect else self._copy(None, inspect)

    def _copy(self, index: "Callable[[], Index | None] | None", inspect: Inspect | None) -> "Vault":
        vault = Vault(self.root, index, self._progress, inspect)
        vault.hard_linked_paths = self.hard_linked_paths
        return vault

    def with_change(self, path: str, data: bytes | None) -> "Vault":
        """Return a copy of the vault in which the note at `path` has other bytes, or with None is missing.

        It shows what a planned change has for consequences; nothing can be written by it.
        """
        vault = self._copy(self._index, self._inspect)
        vault.__dict__ |= {"listing": self.listing, "files": self.files, "_facts": dict(self.facts)}
        vault._notes = dict(self._notes)
        if data is None:
            vault._facts.pop(path, None)
        else:
            vault._notes[path] = Note(path, data)
            vault._facts[path] = facts_of(path, data, self._inspect)
        return vault

    @cached_property
    def listing(self) -> Listing:
        """All files at the time of the first access."""
        return walk(self.root)

    @cached_property
    def files(self) -> Files:
        return Files(self.listing.paths)

    @property
    def facts(self) -> Mapping[str, Facts]:
        """The facts of all notes and canvases by path, in the order of paths."""
        while self._stale:
            self._update_facts(self._stale.pop())
        return self._facts

    @cached_property
    def _facts(self) -> dict[str, Facts]:
        facts, save = self._read_all_facts()
        save()
        return facts

    def read_all(self) -> "SaveIndex":
        """Read all facts now, and return a function that updates the index."""
        if "_facts" in self.__dict__:
            return lambda: None
        self._facts, save = self._read_all_facts()
        return save

    def _read_all_facts(self) -> "tuple[dict[str, Facts], SaveIndex]":
        # Imported here, since most commands do not read all notes.
        from vaultkit.vault.index.fact_reader import collect_facts

        index = self._index() if self._index else None
        facts_by_path, save = collect_facts(self.root, self.listing, index, self._progress, self._inspect)
        facts_by_path |= {
            path: Facts(path, unreadable=problem)
            for path, problem in self.listing.evicted.items()
            if is_note(path) or is_canvas(path)
        }
        return dict(sorted(facts_by_path.items())), save

    def show_progress(self, done: int, total: int) -> None:
        """Show how many of `total` notes have been read."""
        if self._progress is not None:
            self._progress(done, total)

    @property
    def index_file(self) -> Path | None:
        """The file of the index of this vault; None if it is read without an index."""
        index = self._index() if self._index else None
        return index.file if index else None

    @cached_property
    def app_settings(self) -> Mapping[str, object]:
        """Obsidian's settings in `.obsidian/app.json`; empty if missing or unreadable, as Obsidian treats it."""
        return settings_of(self.root, "app.json")

    @property
    def breaks(self) -> bool:
        """Whether a single newline in a note is a line break; False if Obsidian's strict line breaks are on (S8)."""
        return self.app_settings.get("strictLineBreaks") is not True

    @property
    def note_paths(self) -> tuple[str, ...]:
        return tuple(filter(is_note, self.files.paths))

    @property
    def note_facts(self) -> "Iterator[Facts]":
        """The facts of every readable note, in the order of paths."""
        return (facts for path, facts in self.facts.items() if facts.unreadable is None and is_note(path))

    def file(self, path: str) -> Path:
        """Return the location of a vault path on disk. Raises InvalidError if it is outside the vault."""
        try:
            location = files.resolve(self.root / path)
        except (OSError, ValueError) as error:  # a symlink loop, too long a name, a NUL in it
            raise InvalidError(f"This path cannot be followed: {error}.", where=path) from error
        if not location.is_relative_to(self.root):
            raise InvalidError("This path leads out of the vault.", where=path, hint="Name a note inside the vault.")
        return location

    def file_or_none(self, path: str) -> Path | None:
        """Return the location of a vault path on disk, or None if it is outside the vault."""
        try:
            return self.file(path)
        except InvalidError:
            return None

    def read(self, path: str) -> Note:
        """Return the note at a vault path. Raises MissingNote if there is none, InvalidError if it cannot be read."""
        if path not in self._notes:
            try:
                # A listed file is not reached through a symlink, so its path need not be checked.
                is_listed = "listing" in self.__dict__ and path in self.listing.stamps
                file = self.root / path if is_listed else self.file(path)
                self._notes[path] = Note(path, files.read(file, files.NOTE_BYTES))
            except FileNotFoundError as error:
                if files.is_evicted(file):
                    raise not_downloaded_error(path) from error
                raise MissingNote("There is no such note.", where=path) from error
            except OSError as error:
                files.raise_if_exhausted(error)
                raise files.unreadable_error("This note", error, path) from error
        return self._notes[path]

    def forget(self, path: str) -> None:
        """Discard the cached data of `path`, and list the files again if it was created or deleted."""
        self._notes.pop(path, None)
        self._outlines.pop(path, None)
        self._view_names.pop(path, None)
        if "listing" in self.__dict__ and (path in self.listing.stamps) != self.file(path).is_file():
            for name in ("listing", "files"):
                self.__dict__.pop(name, None)
        if "_facts" in self.__dict__:
            self._stale.add(path)

    def _update_facts(self, path: str) -> None:
        """Read the facts of `path` again from the current file, or remove them if there is none."""
        is_new = path not in self._facts
        if not self.file(path).is_file():
            self._facts.pop(path, None)
        elif is_note(path) or is_canvas(path):
            self._facts[path] = self.read_facts(path)
            if is_new:
                self._facts = dict(sorted(self._facts.items()))

    def refuse_evicted_namesake(self, path: str) -> None:
        """Raise InvalidError if a file that has the same name as `path`, in any folder, is only in the cloud."""
        for evicted in self.listing.evicted:
            if key(evicted.rpartition("/")[2]) == key(path.rpartition("/")[2]):
                raise not_downloaded_error(evicted)

    def find(self, name: str) -> Note:
        """Return the note that a user means by `name`: a path, a link's text, a title or an alias.

        Raises MissingNote, with the most similar name, if there is none, and InvalidError if several match.
        """
        resolution = self.locate(name)
        if resolution.status == "ambiguous":
            raise self._ambiguity_error(name, (str(resolution.path), *resolution.others))
        if resolution.path is not None:
            return self.read(resolution.path)
        guess = self.suggest(name)
        hint = guess or "Give its name or its path in the vault."
        raise MissingNote(f"There is no note '{name}'.", where=str(self.root), hint=hint, guess=guess)

    def suggest(self, name: str) -> str:
        """Return a hint that suggests notes and folders whose names are similar to `name`, or "" if there are none."""
        last_part = PurePosixPath(next(_name_spellings(name), "").replace("\\", "/")).name.removesuffix(".md")
        folders = (folder for path in self.note_paths for folder in PurePosixPath(path).parents if folder.name)
        names = {folder.name: str(folder) for folder in folders}
        names |= {path.replace("/", ""): path for path in self.note_paths}  # a shell drops backslashes
        names |= {text: note.path for note in self.note_facts for text in (*note.aliases, note.title) if text}
        return suggest_by_words(last_part, names | {PurePosixPath(path).stem: path for path in self.facts})

    def find_to_write(self, name: str) -> Note:
        """Return the note that a user means by `name`, and raise InvalidError if notes in several folders match.

        `find` prefers one of several folders; this method does not. A full path is never ambiguous; the full path of a
        note in the vault's root folder is its name.
        """
        note = self.find(name)
        for spelling in _name_spellings(name):
            ending = key("/" + spelling.replace("\\", "/").strip("/").removesuffix(".md") + ".md")
            matching_paths = [path for path in self.note_paths if key(f"/{path}").endswith(ending)]
            if len(matching_paths) > 1 and key(f"/{note.path}") != ending:
                raise self._ambiguity_error(name, matching_paths)
        return note

    def find_file(self, name: str) -> str:
        """Return the path of the note, canvas, picture or other file that a user means by `name`.

        Raises MissingNote if there is none, and InvalidError if several match.
        """
        resolution = self.files.resolve(name.strip().replace("\\", "/"), "")
        if resolution.path is None or is_note(resolution.path):
            return self.find(name).path
        if resolution.status == "ambiguous":
            raise self._ambiguity_error(name, (resolution.path, *resolution.others))
        return resolution.path

    def lookup(self, name: str) -> Note | None:
        """Return the note whose path, file name, alias or title is `name`, or None if there is none.

        Raises InvalidError if several notes have it as an alias or title.
        """
        resolution = self.locate(name)
        return None if resolution.path is None else self.read(resolution.path)

    def locate(self, name: str) -> Resolution:
        """Return the resolution of `name`, as a user writes it, to a note; "ambiguous" if several files match equally.

        Raises InvalidError if no note has that file name, but several have it as an alias or title.
        """
        for spelling in _name_spellings(name):
            resolution = self.files.resolve(spelling.replace("\\", "/"), "")
            if resolution.path is not None and is_note(resolution.path):
                return resolution
            paths = self._paths_by_title(spelling)
            if len(paths) > 1:
                raise self._ambiguity_error(spelling, paths)
            if paths:
                return Resolution("ok", paths[0])
        return Resolution("unresolved")

    def _ambiguity_error(self, name: str, paths: Iterable[str]) -> InvalidError:
        several = " or ".join(f"'{path}'" for path in paths)
        hint = f"Give the path of the one that you mean: {several}"
        return InvalidError(f"Several notes are called '{name}'.", where=str(self.root), hint=hint)

    def _paths_by_title(self, name: str) -> list[str]:
        """Return the paths of the notes that have `name` as an alias or title, ignoring case."""
        folded_name = name.casefold()
        return [note.path for note in self.note_facts if folded_name in map(str.casefold, (*note.aliases, note.title))]

    def resolve(self, link: Link, source: str) -> Resolution:
        """Return the target of a link in the note `source`, including its heading or block."""
        if link.external:
            return Resolution("external")
        if link.kind == "canvas":
            return self._resolve_subpath(self.files.resolve_exact_path(link.path), link.subpath)
        return self.follow(link.path, link.subpath, source)

    def follow(self, path: str, subpath: str, source: str) -> Resolution:
        """Return the target of an internal link in the note `source`, given the link's path and its text after `#`."""
        return self._resolve_subpath(self.files.resolve(path, source), subpath)

    def _resolve_subpath(self, resolution: Resolution, subpath: str) -> Resolution:
        """Return the resolution, with another status if its file lacks the heading, block or view `subpath`."""
        if resolution.path is None or not subpath:
            return resolution
        if resolution.path[-5:].lower() == ".base":
            return resolution if self._has_view(resolution.path, subpath) else Resolution("no-heading", resolution.path)
        if not is_note(resolution.path):
            return resolution
        outline = self.outline(resolution.path)
        missing = outline.missing_kind(subpath) if outline else None
        return Resolution(missing, resolution.path) if missing else resolution

    def views(self, path: str) -> tuple[str, ...] | None:
        """Return the names of a base's views, or None if the base cannot be read."""
        if path not in self._view_names:
            from vaultkit.vault.bases import read_view_names

            file = self.file_or_none(path)
            self._view_names[path] = read_view_names(str(file)) if file else None
        return self._view_names[path]

    def _has_view(self, path: str, name: str) -> bool:
        views = self.views(path)
        return views is None or key(name) in map(key, views)

    def outline(self, path: str) -> Outline | None:
        """Return the headings and blocks of a note that links can name, or None if the note cannot be read."""
        if path not in self._outlines and (anchors := self._find_anchors(path)):
            self._outlines[path] = Outline(anchors)
        return self._outlines.get(path)

    def _find_anchors(self, path: str) -> Anchors | None:
        """Return the anchors of a note, or None if it cannot be read, without reading all other notes."""
        if "_facts" in self.__dict__:
            facts = self.facts.get(path)
            return None if facts is None or facts.unreadable else facts.anchors
        try:
            return self.read(path).anchors
        except VaultkitError:
            return None

    def read_facts(self, path: str) -> Facts:
        """Return the current facts of one note or canvas; for an unreadable file, facts with the reason alone."""
        try:
            data = files.read(self.file(path), files.NOTE_BYTES) if is_canvas(path) else self.read(path).data
            return facts_of(path, data, self._inspect)
        except (VaultkitError, OSError) as error:
            return Facts(path, unreadable=Problem(path, 0, 0, "unreadable", str(error)))


def not_downloaded_error(path: str) -> InvalidError:
    """Return the error for a file that is only in the cloud; `path` is its vault path."""
    return InvalidError("This file is in the cloud; download it first.", where=path, hint=files.DOWNLOAD_HINT)


def _name_spellings(name: str) -> Iterator[str]:
    """Return the two readings of `name`: literal, as for `Log #2.md`, and as a link without heading and alias.

    If `name` is in `[[` and `]]`, the link comes first. Equal or empty readings are left out.
    """
    literal = name.strip()
    is_link = literal.startswith("[[") and literal.endswith("]]")
    _, link_target, _ = split_wikilink(literal.removeprefix("[[").removesuffix("]]"))
    spellings = (link_target, literal) if is_link else (literal, link_target)
    return filter(None, dict.fromkeys(spellings))
