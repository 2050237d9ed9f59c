"""What is wrong in a vault's notes: links that lead nowhere, frontmatter and files that cannot be read."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from vaultkit.errors import MissingNote, Problem, VaultkitError
from vaultkit.spelling import nearest
from vaultkit.vault import property_types
from vaultkit.vault.checking import lint, names
from vaultkit.vault.checking.repairs import Repairer
from vaultkit.vault.checking.suggest import LIKE, Suggestions
from vaultkit.vault.facts import Facts
from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.quicklook import is_template
from vaultkit.vault.reading import is_note
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import ELSEWHERE
from vaultkit.vault.writing.write import refuse_generated

Progress = Callable[[int, int], None]
"""Told how many notes were checked, of how many."""

MOST = 500
"""Problems past which is not looked which of them can be repaired: that reads their notes once more."""
_STEP = 200


@dataclass(frozen=True, slots=True)
class Report:
    """How many notes and links were looked at, what was found, top to bottom, and how many notes were left out.

    `mendable` are those of the problems that `check --fix` repairs, whose hints say so; None if there are too many
    problems to find that out. `lost` are the paths that lead to no file, by the problem of their link.
    """

    notes: int
    links: int
    problems: tuple[Problem, ...]
    excluded: int = 0
    mendable: frozenset[Problem] | None = None
    lost: Mapping[Problem, str] = field(default_factory=dict)


def check(vault: Vault, paths: Sequence[str] | None = None, progress: Progress | None = None) -> Report:
    """Checks the notes at or below the vault paths `paths`, else all, as `selected` says."""
    chosen = selected(vault, paths)
    total = sum(map(is_note, chosen))
    left_out = sum(map(is_note, vault.facts)) - total if paths is None else 0
    told = _told(paths, chosen)
    problems = [problem for problem in vault.listing.problems if told(problem.note) or told(f"{problem.note}/")]
    problems.extend(names.problems(vault.files.paths, told))
    checker = _Checker(vault)
    done = 0
    for path in sorted(chosen):
        problems.extend(checker.problems(vault.facts[path]))
        done += is_note(path)
        if progress is not None and (done % _STEP == 0 or done == total):
            progress(done, total)
    mendable = _mendable(vault, problems) if len(problems) <= MOST else None
    promised = {problem: _promised(problem) for problem in mendable or ()}
    found = sorted(promised.get(problem, problem) for problem in problems)
    lost = {promised.get(problem, problem): path for problem, path in checker.lost.items()}
    mended = None if mendable is None else frozenset(promised.values())
    return Report(total, checker.links, tuple(found), left_out, mended, lost)


def selected(vault: Vault, paths: Sequence[str] | None) -> frozenset[str]:
    """The notes that `paths` mean: notes by path or name, and folders; `.` is the vault's own.

    Without any, all but those that Obsidian's settings exclude (F5). Raises MissingNote for a path without notes.
    """
    if paths is None:
        excluded = Excluded.of(vault.app)
        return frozenset(path for path in vault.facts if not excluded.matches(path))
    return frozenset(note for path in paths for note in _selected(vault, _cleaned(path)))


def _cleaned(path: str) -> str:
    """A path as the vault has it; "" is the vault's own folder."""
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
    """What is there instead of a note or a folder with notes, or which one may be meant."""
    where, folder = str(vault.root), key(f"{path}/")
    if any(key(file).startswith(folder) for file in vault.files.paths):
        hint = "Without a path, vaultkit check looks at the names of all files, too."
        return MissingNote(f"'{path}' holds no notes.", where=where, hint=hint)
    if vault.files.resolve(path, "").path is not None:
        return MissingNote(f"'{path}' is no note.", where=where, hint="Name a note, a canvas or a folder of notes.")
    near = _nearest_place(vault, path)
    hint = f"Did you mean '{near}'?" if near else "Give its path in the vault."
    return MissingNote(f"There is no note or folder '{path}'.", where=where, hint=hint)


def _nearest_place(vault: Vault, path: str) -> str | None:
    """The note or folder whose path is most like `path`, else the one whose name is most like its name."""
    places = dict.fromkeys(vault.facts)
    for note in vault.facts:
        folder = posixpath.dirname(note)
        while folder and folder not in places:
            places[folder] = None
            folder = posixpath.dirname(folder)
    for part in (str, posixpath.basename):
        by_key = {key(part(place)).removesuffix(".md"): place for place in reversed(places)}
        near = nearest(key(part(path)).removesuffix(".md"), by_key, like=LIKE, numbered=True)
        if near:
            return by_key[near]
    return None


def _told(paths: Sequence[str] | None, chosen: frozenset[str]) -> Callable[[str], bool]:
    """Whether a file, or a folder with a `/` behind it, is among `paths`, of which the notes are `chosen`."""
    if paths is None:
        return lambda _: True
    folders = tuple(key(f"{cleaned}/" if cleaned else "") for cleaned in map(_cleaned, paths))
    return lambda path: path in chosen or key(path).startswith(folders)


def _mendable(vault: Vault, problems: Iterable[Problem]) -> frozenset[Problem]:
    """Those that `check --fix` repairs: not those of a generated compendium, which it leaves alone."""
    repairer = Repairer(vault)
    found: set[Problem] = set()
    by_note: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.line and is_note(problem.note) and repairer.concerns(vault.facts[problem.note]):
            by_note.setdefault(problem.note, []).append(problem)
    for path, of_note in by_note.items():
        with suppress(VaultkitError):  # generated, unreadable, or gone since its facts were read
            note = vault.read(path)
            refuse_generated(note)
            places = {(repair.line, repair.column, repair.code) for repair in repairer.repairs(note)}
            found.update(item for item in of_note if (item.line, item.column, item.code) in places)
    return frozenset(found)


def _promised(problem: Problem) -> Problem:
    """The problem with a hint that says that `check --fix` does what the hint asks for."""
    hint = problem.hint.removesuffix(".")
    if hint.startswith(_GUESS) and hint.endswith("?"):
        hint = f"It lies in {hint.removeprefix(_GUESS).removesuffix('?')}"
    return replace(problem, hint=f"{hint}; vaultkit check --fix writes that.")


_GUESS = "Did you mean "


class _Checker:
    """Looks at one note after the other; `links` counts theirs, `lost` has the paths of those that lead nowhere."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._suggestions = Suggestions(vault)
        self._declared = property_types.declared(vault.root)
        self._elsewhere = [f"{key(item.note)}/" for item in vault.listing.problems if item.code == ELSEWHERE]
        self._sound: set[tuple[str, str]] = set()
        self.links = 0
        self.lost: dict[Problem, str] = {}

    def problems(self, facts: Facts) -> Iterator[Problem]:
        """What is wrong with a note or canvas, in no order."""
        yield from [facts.unreadable] if facts.unreadable else facts.problems
        if facts.suspect:
            with suppress(VaultkitError):  # gone since its facts were read
                yield from lint.problems(self._vault.read(facts.path), self._vault.files)
        if any(property_types.misfits(facts.properties, self._declared)):
            with suppress(VaultkitError):
                yield from lint.wrong_types(self._vault.read(facts.path), self._declared)
        for link in facts.links:
            self.links += 1
            if (link.path, link.subpath) not in self._sound or link.kind == "canvas":
                yield from self._of_link(facts.path, link)

    def _of_link(self, source: str, link: Link) -> Iterator[Problem]:
        found = self._vault.resolve(link, source)
        if found.status == "ok" and not found.accident:
            if found.everywhere and not link.path.startswith("."):
                self._sound.add((link.path, link.subpath))
        elif found.status != "external" and not is_template(link.target) and not self._is_elsewhere(link.path):
            yield self._problem(source, link, found)

    def _is_elsewhere(self, path: str) -> bool:
        """Whether a link leads into a folder that is itself a link to another one (F3)."""
        return any(f"{key(path)}/".startswith(folder) for folder in self._elsewhere)

    def _problem(self, source: str, link: Link, found: Resolution) -> Problem:
        problem = partial(Problem, source, link.line, link.column)
        path = found.path or ""
        match found.status:
            case "unresolved":
                message = f"'{link.target}' leads to no file of this vault."
                lost = problem("link-unresolved", message, self._suggestions.for_file(link.path, source))
                self.lost[lost] = link.path
                return lost
            case "no-heading":
                message = f"'{path}' has no heading '{link.subpath}'."
                return problem("link-heading", message, self._suggestions.for_heading(path, link.subpath))
            case "no-block":
                what = "footnote" if link.subpath.startswith("[") else "block"
                message = f"'{path}' has no {what} '{link.subpath}'."
                return problem("link-block", message, self._suggestions.for_block(path, link.subpath))
            case "ambiguous":
                others = " or ".join(f"'{other}'" for other in (path, *found.others))
                message = f"'{link.target}' may lead to {others}."
                return problem("link-ambiguous", message, "Write the whole path of the one that you mean.", "warning")
            case _:
                message = f"'{link.path}' leads to '{path}' only because that path happens to end so."
                return problem("link-partial", message, f"Write '{path}'.", "warning")


@dataclass(frozen=True)
class Excluded:
    """Plain filters are beginnings of paths, and those between slashes are regular expressions."""

    prefixes: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def of(cls, app: Mapping[str, object]) -> "Excluded":
        """The filters of `.obsidian/app.json`; one that is no regular expression excludes nothing."""
        filters = app.get("userIgnoreFilters")
        prefixes: list[str] = []
        patterns: list[re.Pattern[str]] = []
        for item in filters if isinstance(filters, list) else []:
            if not isinstance(item, str) or not item:
                continue
            if len(item) > 2 and item.startswith("/") and item.endswith("/"):
                try:
                    patterns.append(re.compile(item[1:-1]))
                except re.error:
                    continue
            else:
                prefixes.append(key(item))
        return cls(tuple(prefixes), tuple(patterns))

    def matches(self, path: str) -> bool:
        return key(path).startswith(self.prefixes) or any(pattern.search(path) for pattern in self.patterns)
