"""What is wrong in a vault's notes: links that lead nowhere, frontmatter and files that cannot be read."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from vaultkit.errors import MissingNote, Problem, VaultkitError
from vaultkit.vault import lint, names
from vaultkit.vault.excluded import Excluded
from vaultkit.vault.links import Link
from vaultkit.vault.quicklook import is_template
from vaultkit.vault.resolve import key
from vaultkit.vault.suggest import Suggestions
from vaultkit.vault.survey import is_note
from vaultkit.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class Report:
    """How many notes and links were looked at, what was found, top to bottom, and how many notes were left out."""

    notes: int
    links: int
    problems: tuple[Problem, ...]
    excluded: int = 0


def check(vault: Vault, paths: Sequence[str] | None = None) -> Report:
    """Checks the notes at or below the vault paths `paths`, else all. Raises MissingNote for a path without notes.

    Notes that Obsidian's settings exclude are looked at only if they are among `paths` (F5).
    """
    chosen = selected(vault, paths)
    excluded = frozenset[str]() if paths else frozenset(filter(Excluded.of(vault.app).matches, chosen))
    chosen -= excluded
    suggestions = Suggestions(vault)
    problems = [*vault.listing.problems, *names.problems(vault.files.paths)] if paths is None else []
    links = 0
    for path in chosen:
        facts = vault.facts[path]
        problems.extend([facts.unreadable] if facts.unreadable else facts.problems)
        if facts.suspect:
            with suppress(VaultkitError):  # gone since its facts were read
                problems.extend(lint.problems(vault.read(path), vault.files))
        found = facts.links
        links += len(found)
        problems.extend(filter(None, (_link_problem(vault, path, link, suggestions) for link in found)))
    return Report(sum(map(is_note, chosen)), links, tuple(sorted(problems)), sum(map(is_note, excluded)))


def selected(vault: Vault, paths: Sequence[str] | None) -> frozenset[str]:
    """The notes that `paths` mean: notes by path or name, and folders. All notes without any."""
    if paths is None:
        return frozenset(vault.facts)
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


def _link_problem(vault: Vault, source: str, link: Link, suggestions: Suggestions) -> Problem | None:
    found = vault.resolve(link, source)
    path = found.path or ""
    if found.status == "external" or (found.status == "ok" and not found.accident) or is_template(link.target):
        return None
    problem = partial(Problem, source, link.line, link.column)
    match found.status:
        case "unresolved":
            message = f"'{link.target}' leads to no file of this vault."
            return problem("link-unresolved", message, suggestions.for_file(link.path, source))
        case "no-heading":
            message = f"'{path}' has no heading '{link.subpath}'."
            return problem("link-heading", message, suggestions.for_heading(path, link.subpath))
        case "no-block":
            what = "footnote" if link.subpath.startswith("[") else "block"
            message = f"'{path}' has no {what} '{link.subpath}'."
            return problem("link-block", message, suggestions.for_block(path, link.subpath))
        case "ambiguous":
            others = " or ".join(f"'{other}'" for other in (path, *found.others))
            message = f"'{link.target}' may lead to {others}."
            return problem("link-ambiguous", message, "Write the whole path of the one that you mean.", "warning")
        case _:
            message = f"'{link.path}' leads to '{path}' only because that path happens to end so."
            return problem("link-partial", message, f"Write '{path}'.", "warning")
