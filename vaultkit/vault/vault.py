"""A vault: finding it, listing its files, reading its notes, following its links."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit import files
from vaultkit.errors import InvalidError, MissingNote, Problem, VaultkitError
from vaultkit.spelling import did_you_mean_by
from vaultkit.vault.encoding import too_large
from vaultkit.vault.facts import Facts
from vaultkit.vault.file_facts import Inspect, facts_of, is_canvas, is_note
from vaultkit.vault.links import Link, Resolution, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.obsidian import settings_of
from vaultkit.vault.resolve import Files, key
from vaultkit.vault.structure import Anchors, Structure
from vaultkit.vault.subpath import Outline
from vaultkit.vault.walk import Listing, Progress, Stamp, is_settled, walk
from vaultkit.whereabouts import root_around

if TYPE_CHECKING:
    from vaultkit.vault.index.index_file import Index
    from vaultkit.vault.index.survey import Save

UNLOCKABLE_ROOTS: set[Path] = set()
"""The roots of the vaults that this process has written into without a lock, since their drives have none."""


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
    """The nearest folder that is a vault, `here` or above it; None if there is none. `here` is an absolute path."""
    root = root_around(str(here))
    return None if root is None else Path(root)


class Vault:
    """The notes and files below one folder. Reads lazily and keeps what it read.

    With an `index`, which is asked for when it is first needed, notes that have not changed since they were last read
    are not read again for their facts. What `inspect` finds wrong in a note is part of its facts; an index belongs to
    one `inspect`.
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
        """Vault paths that were forgotten since the facts were read."""
        self._outlines: dict[str, Outline] = {}
        self._views: dict[str, tuple[str, ...] | None] = {}
        self.parted: dict[str, None] = {}
        """The vault paths of notes that were written and have other names elsewhere, which keep the old text."""

    def afresh(self) -> "Vault":
        """The same vault, with nothing kept of what was read."""
        return self._again(self._index, self._inspect)

    def inspected(self, inspect: Inspect) -> "Vault":
        """The vault itself if something is asked of each of its notes; else the same one, read afresh for `inspect`."""
        return self if self._inspect else self._again(None, inspect)

    def _again(self, index: "Callable[[], Index | None] | None", inspect: Inspect | None) -> "Vault":
        vault = Vault(self.root, index, self._progress, inspect)
        vault.parted = self.parted
        return vault

    @cached_property
    def listing(self) -> Listing:
        """All files as they lay there when they were first asked for."""
        return walk(self.root)

    @cached_property
    def files(self) -> Files:
        return Files(self.listing.paths)

    @property
    def facts(self) -> Mapping[str, Facts]:
        """The facts of all notes and canvases, by path and in the order of paths."""
        while self._stale:
            self._renew(self._stale.pop())
        return self._facts

    @cached_property
    def _facts(self) -> dict[str, Facts]:
        facts, save = self._surveyed()
        save()
        return facts

    def read_all(self) -> "Save":
        """Read the facts, as when they are first asked for; what is returned then brings the index up to date."""
        if "_facts" in self.__dict__:
            return lambda: None
        self._facts, save = self._surveyed()
        return save

    def _surveyed(self) -> "tuple[dict[str, Facts], Save]":
        # Loaded here with all that reads many notes at once, which most commands do not.
        from vaultkit.vault.index.survey import survey

        index = self._index() if self._index else None
        found, save = survey(self.root, self.listing, index, self._progress, self._inspect)
        found |= {
            path: Facts(path, unreadable=problem)
            for path, problem in self.listing.evicted.items()
            if is_note(path) or is_canvas(path)
        }
        return dict(sorted(found.items())), save

    @cached_property
    def app(self) -> Mapping[str, object]:
        """Obsidian's own settings, `.obsidian/app.json`; empty if missing or unreadable, as Obsidian takes it."""
        return settings_of(self.root, "app.json")

    @property
    def breaks(self) -> bool:
        """Whether a single newline in a note is a line break: unless Obsidian is set to strict ones (S8)."""
        return self.app.get("strictLineBreaks") is not True

    @property
    def note_paths(self) -> tuple[str, ...]:
        return tuple(filter(is_note, self.files.paths))

    @property
    def note_facts(self) -> "Iterator[Facts]":
        """The facts of every note that can be read, in the order of paths."""
        return (facts for path, facts in self.facts.items() if facts.unreadable is None and is_note(path))

    def file(self, path: str) -> Path:
        """Where a vault path lies on disk. Raises InvalidError if that is outside the vault."""
        try:
            full = (self.root / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a NUL in it
            raise InvalidError(f"This path cannot be followed: {error}.", where=path) from error
        if not full.is_relative_to(self.root):
            raise InvalidError("This path leads out of the vault.", where=path, hint="Name a note inside the vault.")
        return full

    def inside(self, path: str) -> Path | None:
        """Where a vault path lies on disk; None if that is outside the vault."""
        try:
            return self.file(path)
        except InvalidError:
            return None

    def read(self, path: str) -> Note:
        """The note at a vault path. Raises MissingNote or InvalidError where it cannot be read."""
        if path not in self._notes:
            try:
                is_listed = "listing" in self.__dict__ and path in self.listing.stamps  # and so is behind no link
                file = self.root / path if is_listed else self.file(path)
                if refused := too_large(file.stat().st_size, path):
                    raise refused
                self._notes[path] = Note(path, files.read(file, files.NOTE))
            except FileNotFoundError as error:
                if files.is_evicted(file):
                    raise not_downloaded(path) from error
                raise MissingNote("There is no such note.", where=path) from error
            except OSError as error:
                raise InvalidError(f"This note cannot be read: {error.strerror or error}.", where=path) from error
        return self._notes[path]

    def read_again(self, path: str) -> Note:
        """The same for a note whose facts are known: they spare reading its structure if it surely is as it was."""
        note, stamp = self.read(path), self.listing.stamps.get(path)
        if stamp is not None and is_settled(stamp, self.listing.began_ns) and stamp == _stamp(self.root / path):
            facts = self.facts[path]
            note.__dict__.setdefault("structure", Structure(facts.anchors, facts.links))
        return note

    def forget(self, path: str) -> None:
        """Read `path` afresh next time, and see a file that has come or gone."""
        self._notes.pop(path, None)
        self._outlines.pop(path, None)
        self._views.pop(path, None)
        if "listing" in self.__dict__ and (path in self.listing.stamps) != self.file(path).is_file():
            for kept in ("listing", "files"):
                self.__dict__.pop(kept, None)
        if "_facts" in self.__dict__:
            self._stale.add(path)

    def _renew(self, path: str) -> None:
        """Read the facts of `path` as it is now, beside those that are known."""
        is_new = path not in self._facts
        if not self.file(path).is_file():
            self._facts.pop(path, None)
        elif is_note(path) or is_canvas(path):
            self._facts[path] = self.read_facts(path)
            if is_new:
                self._facts = dict(sorted(self._facts.items()))

    def refuse_evicted_namesake(self, path: str) -> None:
        """Raise InvalidError if a file with the name of `path` is only in iCloud, in any folder."""
        for evicted in self.listing.evicted:
            if key(evicted.rpartition("/")[2]) == key(path.rpartition("/")[2]):
                raise not_downloaded(evicted)

    def find(self, name: str) -> Note:
        """The note that a person means by `name`: a path, a link's text, a title or an alias.

        Raises MissingNote, with the nearest name, if there is none, and InvalidError if several are meant.
        """
        found = self.locate(name)
        if found.status == "ambiguous":
            raise self._several(name, (str(found.path), *found.others))
        if found.path is not None:
            return self.read(found.path)
        guess = did_you_mean_by(name, {Path(path).stem: path for path in self.note_paths})
        hint = guess or "Give its name or its path in the vault."
        raise MissingNote(f"There is no note '{name}'.", where=str(self.root), hint=hint, guess=guess)

    def find_to_write(self, name: str) -> Note:
        """As `find`, but no guess: notes of that name in several folders are several, however near one of them is.

        The one whose whole path is given, as that of a note at the top of the vault is by its name, is meant alone.
        """
        note = self.find(name)
        for spelling in _spellings(name):
            ending = key("/" + spelling.replace("\\", "/").strip("/").removesuffix(".md") + ".md")
            alike = [path for path in self.note_paths if key(f"/{path}").endswith(ending)]
            if len(alike) > 1 and key(f"/{note.path}") != ending:
                raise self._several(name, alike)
        return note

    def find_file(self, name: str) -> str:
        """The path of the note, canvas, picture or other file that a person means by `name`; raises as `find` does."""
        found = self.files.resolve(name.strip().replace("\\", "/"), "")
        if found.path is None or is_note(found.path):
            return self.find(name).path
        if found.status == "ambiguous":
            raise self._several(name, (found.path, *found.others))
        return found.path

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
            if found.path is not None and is_note(found.path):
                return found
            called = self._called(spelling)
            if len(called) > 1:
                raise self._several(spelling, called)
            if called:
                return Resolution("ok", called[0])
        return Resolution("unresolved")

    def _several(self, name: str, paths: Iterable[str]) -> InvalidError:
        several = " or ".join(f"'{path}'" for path in paths)
        hint = f"Give the path of the one that you mean: {several}"
        return InvalidError(f"Several notes are called '{name}'.", where=str(self.root), hint=hint)

    def _called(self, name: str) -> list[str]:
        """The notes that have `name` as an alias or title, whatever its case."""
        wanted = name.casefold()
        return [note.path for note in self.note_facts if wanted in map(str.casefold, (*note.aliases, note.title))]

    def resolve(self, link: Link, source: str) -> Resolution:
        """Where a link in the note `source` leads, its heading or block included."""
        if link.external:
            return Resolution("external")
        if link.kind == "canvas":
            return self._within(self.files.exact(link.path), link.subpath)
        return self.follow(link.path, link.subpath, source)

    def follow(self, path: str, subpath: str, source: str) -> Resolution:
        """Where a link in the note `source` leads, by its path and what stands behind its `#`; not one to the web."""
        return self._within(self.files.resolve(path, source), subpath)

    def _within(self, found: Resolution, subpath: str) -> Resolution:
        """The same for the heading, block or view `subpath` of the file that was found."""
        if found.path is None or not subpath:
            return found
        if found.path[-5:].lower() == ".base":
            return found if self._has_view(found.path, subpath) else Resolution("no-heading", found.path)
        if not is_note(found.path):
            return found
        outline = self.outline(found.path)
        missing = outline.missing(subpath) if outline else None
        return Resolution(missing, found.path) if missing else found

    def views(self, path: str) -> tuple[str, ...] | None:
        """The names of a base's views; None if it cannot be read."""
        if path not in self._views:
            from vaultkit.vault.bases import views_of

            file = self.inside(path)
            self._views[path] = views_of(str(file)) if file else None
        return self._views[path]

    def _has_view(self, path: str, name: str) -> bool:
        views = self.views(path)
        return views is None or key(name) in map(key, views)

    def outline(self, path: str) -> Outline | None:
        """The targets in a note for the subpaths of links; None if it cannot be read."""
        if path not in self._outlines and (anchors := self._anchors_of(path)):
            self._outlines[path] = Outline(anchors)
        return self._outlines.get(path)

    def _anchors_of(self, path: str) -> Anchors | None:
        """The anchors of one note that can be read, without reading all others for it."""
        if "_facts" in self.__dict__:
            facts = self.facts.get(path)
            return None if facts is None or facts.unreadable else facts.anchors
        try:
            return self.read(path).anchors
        except VaultkitError:
            return None

    def read_facts(self, path: str) -> Facts:
        """The facts of one note or canvas as it is now; an unreadable one says so."""
        try:
            data = files.read(self.file(path), files.NOTE) if is_canvas(path) else self.read(path).data
            return facts_of(path, data, self._inspect)
        except (VaultkitError, OSError) as error:
            return Facts(path, unreadable=Problem(path, 0, 0, "unreadable", str(error)))


def not_downloaded(path: str) -> InvalidError:
    """Return the error for the file at a vault path that is in iCloud alone."""
    return InvalidError("This file is in iCloud; download it first.", where=path, hint=files.DOWNLOAD_HINT)


def _stamp(file: Path) -> Stamp | None:
    try:
        return Stamp.of(file.lstat())
    except OSError:
        return None


def _spellings(name: str) -> Iterator[str]:
    """The ways to take `name`: as it stands, since `Log #2.md` is a file; and without heading and alias, as in a link.

    Between `[[` and `]]` the link comes first.
    """
    literal = name.strip()
    is_link = literal.startswith("[[") and literal.endswith("]]")
    _, linked, _ = split_wikilink(literal.removeprefix("[[").removesuffix("]]"))
    tried = (linked, literal) if is_link else (literal, linked)
    return filter(None, dict.fromkeys(tried))
