"""What is wrong in a vault's notes: links that lead nowhere, frontmatter and files that cannot be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from vaultkit.errors import MissingNote, Problem
from vaultkit.vault.links import Link
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import key
from vaultkit.vault.suggest import Suggestions
from vaultkit.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class Report:
    """How many notes and links were looked at, and what was found, top to bottom."""

    notes: int
    links: int
    problems: tuple[Problem, ...]


def check(vault: Vault, paths: Sequence[str] | None = None) -> Report:
    """Checks the notes at or below the vault paths `paths`, else all. Raises MissingNote for a path without notes."""
    chosen = selected(vault, paths)
    problems: list[Problem] = []
    notes = [note for note in vault.notes(problems) if note.path in chosen]
    problems = [problem for problem in problems if problem.note in chosen]
    suggestions = Suggestions(vault)
    for note in notes:
        problems.extend(note.problems)
        problems.extend(_link_problems(vault, note, suggestions))
    return Report(len(chosen), sum(len(note.links) for note in notes), tuple(sorted(problems)))


def selected(vault: Vault, paths: Sequence[str] | None) -> frozenset[str]:
    """The notes that `paths` mean: notes by path or name, and folders. All notes without any."""
    if paths is None:
        return frozenset(vault.note_paths)
    return frozenset(note for path in paths for note in _selected(vault, path))


def _selected(vault: Vault, path: str) -> tuple[str, ...]:
    cleaned = path.replace("\\", "/").removeprefix("./").strip("/")
    if cleaned in ("", "."):
        return vault.note_paths
    folder = key(f"{cleaned}/")
    below = tuple(note for note in vault.note_paths if key(note).startswith(folder))
    if below:
        return below
    found = vault.files.resolve(cleaned, "").path
    if found is None or not found.lower().endswith(".md"):
        raise MissingNote(
            f"There is no note or folder '{path}'.", where=str(vault.root), hint="Give its path in the vault."
        )
    return (found,)


def _link_problems(vault: Vault, note: Note, suggestions: Suggestions) -> Iterator[Problem]:
    for link in note.links:
        problem = _link_problem(vault, note, link, suggestions)
        if problem is not None:
            yield problem


def _link_problem(vault: Vault, note: Note, link: Link, suggestions: Suggestions) -> Problem | None:
    found = vault.resolve(link, note.path)
    problem = partial(Problem, note.path, link.line, link.column)
    path = found.path or ""
    match found.status:
        case "unresolved":
            message = f"'{link.target}' leads to no file of this vault."
            return problem("link-unresolved", message, suggestions.for_file(link.path))
        case "no-heading":
            message = f"'{path}' has no heading '{link.subpath}'."
            return problem("link-heading", message, suggestions.for_heading(path, link.subpath))
        case "no-block":
            message = f"'{path}' has no block '{link.subpath}'."
            return problem("link-block", message, suggestions.for_block(path, link.subpath))
        case "ambiguous":
            others = " or ".join(f"'{other}'" for other in (path, *found.others))
            message = f"'{link.target}' may lead to {others}."
            return problem("link-ambiguous", message, "Write the whole path of the one that you mean.", "warning")
        case "ok" if path and vault.files.is_accident(link.path, path):
            message = f"'{link.path}' leads to '{path}' only because that path happens to end so."
            return problem("link-partial", message, f"Write '{path}'.", "warning")
    return None
