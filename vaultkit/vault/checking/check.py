"""What is wrong in a vault's notes: links that lead nowhere, frontmatter and files that cannot be read."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from vaultkit.errors import MissingNote, Problem, VaultkitError
from vaultkit.vault import property_types
from vaultkit.vault.checking import lint, names
from vaultkit.vault.checking.excluded import Excluded
from vaultkit.vault.checking.suggest import Suggestions
from vaultkit.vault.facts import Facts
from vaultkit.vault.links import Link, Resolution
from vaultkit.vault.quicklook import is_template
from vaultkit.vault.reading import is_note
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class Report:
    """How many notes and links were looked at, what was found, top to bottom, and how many notes were left out."""

    notes: int
    links: int
    problems: tuple[Problem, ...]
    excluded: int = 0


def check(vault: Vault, paths: Sequence[str] | None = None) -> Report:
    """Checks the notes at or below the vault paths `paths`, else all, as `selected` says."""
    chosen = selected(vault, paths)
    left_out = 0 if paths else sum(map(is_note, vault.facts)) - sum(map(is_note, chosen))
    problems = [*vault.listing.problems, *names.problems(vault.files.paths)] if paths is None else []
    checker = _Checker(vault)
    for path in chosen:
        problems.extend(checker.problems(vault.facts[path]))
    return Report(sum(map(is_note, chosen)), checker.links, tuple(sorted(problems)), left_out)


def selected(vault: Vault, paths: Sequence[str] | None) -> frozenset[str]:
    """The notes that `paths` mean: notes by path or name, and folders.

    Without any, all but those that Obsidian's settings exclude (F5). Raises MissingNote for a path without notes.
    """
    if paths is None:
        excluded = Excluded.of(vault.app)
        return frozenset(path for path in vault.facts if not excluded.matches(path))
    return frozenset(note for path in paths for note in _selected(vault, path))


def _selected(vault: Vault, path: str) -> tuple[str, ...]:
    cleaned = path.replace("\\", "/").removeprefix("./").strip("/")
    if cleaned in ("", "."):
        return tuple(vault.facts)
    folder = key(f"{cleaned}/")
    below = tuple(note for note in vault.facts if key(note).startswith(folder))
    if below:
        return below
    found = vault.files.resolve(cleaned, "").path
    if found is None or found not in vault.facts:
        raise MissingNote(
            f"There is no note or folder '{path}'.", where=str(vault.root), hint="Give its path in the vault."
        )
    return (found,)


class _Checker:
    """Looks at one note after the other; `links` counts theirs."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._suggestions = Suggestions(vault)
        self._declared = property_types.declared(vault.root)
        self._sound: set[tuple[str, str]] = set()
        self.links = 0

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
            if (link.path, link.subpath) not in self._sound:
                yield from self._of_link(facts.path, link)

    def _of_link(self, source: str, link: Link) -> Iterator[Problem]:
        found = self._vault.resolve(link, source)
        if found.status == "ok" and not found.accident:
            if link.path == found.path and "/" in link.path:  # a whole path leads there from everywhere
                self._sound.add((link.path, link.subpath))
        elif found.status != "external" and not is_template(link.target):
            yield self._problem(source, link, found)

    def _problem(self, source: str, link: Link, found: Resolution) -> Problem:
        problem = partial(Problem, source, link.line, link.column)
        path = found.path or ""
        match found.status:
            case "unresolved":
                message = f"'{link.target}' leads to no file of this vault."
                return problem("link-unresolved", message, self._suggestions.for_file(link.path, source))
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
