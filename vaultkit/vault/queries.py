"""Queries over a whole vault: notes by tag or folder, and links from or to a file."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from vaultkit.errors import InvalidError, NothingFound, UsageError
from vaultkit.sorting import name_order
from vaultkit.spelling import did_you_mean_by, hint_at, nearest, one_slip_away
from vaultkit.vault import tags
from vaultkit.vault.facts import Facts
from vaultkit.vault.file_facts import is_canvas, is_note
from vaultkit.vault.links import Link
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault
from vaultkit.wording import listing

_ALL = "All notes with their tags: vaultkit notes"


def tagged(vault: Vault, named: Sequence[str]) -> list[Facts]:
    """Return the notes that have each of the tags, or a tag below it.

    Raises NothingFound if there are none, and UsageError if a tag is empty.
    """
    found = sorted(vault.note_facts, key=lambda facts: name_order(facts.path))
    wanted = [tags.plain(tag) for tag in named]
    for tag in wanted:
        if not tag:
            raise UsageError("--tag names no tag.", hint="Name one, such as: vaultkit notes --tag npc")
        if not any(_has(facts, tag) for facts in vault.note_facts):
            raise NothingFound(f"No note has the tag '#{tag}'.", where=str(vault.root), hint=_near(vault, tag))
        found = [facts for facts in found if _has(facts, tag)]
    if wanted and not found:
        all_of_them = listing(f"'#{tag}'" for tag in wanted)
        raise NothingFound(f"No note has the tags {all_of_them} together.", where=str(vault.root), hint=_ALL)
    return found


def in_folder(vault: Vault, named: str) -> list[Facts]:
    """Return the notes in and below the folder with a path or name. Raises NothingFound if there are none."""
    folder = _folder(vault, named)
    notes = sorted(vault.note_facts, key=lambda facts: name_order(facts.path))
    found = [facts for facts in notes if facts.path.startswith(f"{folder}/" if folder else "")]
    if not found:
        raise NothingFound(f"There are no notes in the folder '{folder or '.'}'.", where=str(vault.root), hint=_ALL)
    return found


def _folder(vault: Vault, named: str) -> str:
    """Return the path of a folder, ignoring case; a name alone matches if just one folder in the vault has it.

    Raises NothingFound, with a hint, if there is no such folder or several match.
    """
    wanted = key(named.replace("\\", "/").strip("/").removeprefix("./"))
    parents = {str(parent) for path in vault.files.paths for parent in PurePosixPath(path).parents}
    folders = {key(parent): parent for parent in parents} | {".": "", "": ""}
    if wanted in folders:
        return folders[wanted]
    called = sorted(path for path in folders.values() if key(path).endswith(f"/{wanted}"))
    if len(called) == 1:
        return called[0]
    if called:
        hint = f"Name one by its path: {listing(map(repr, called), 'or')}."
        raise NothingFound(f"Several folders are called '{named}'.", where=str(vault.root), hint=hint)
    near = did_you_mean_by(
        named, {name: path for path in folders.values() for name in (path, PurePosixPath(path).name)}
    )
    hint = near or "A folder is named by its path in the vault."
    raise NothingFound(f"There is no folder '{named}' in this vault.", where=str(vault.root), hint=hint)


def _has(facts: Facts, tag: str) -> bool:
    return any(tags.is_within(other, tag) for other in facts.tags)


def _near(vault: Vault, tag: str) -> str:
    """Return a hint with the most similar tag, or how to list all tags.

    For a short tag, only one that differs in a single letter is similar.
    """
    known = {key(other): other for facts in vault.note_facts for other in tags.with_parents(facts.tags)}
    slip = one_slip_away(key(tag), known) if len(tag) > 1 else ""
    near = slip or nearest(key(tag), known, like=70, numbered=True)
    return hint_at(f"#{known[near]}") if near else _ALL


def links_of(vault: Vault, path: str) -> Sequence[Link]:
    """Return the links of a note or canvas. Raises UsageError for any other file, which has none."""
    if is_note(path):
        return vault.read(path).links
    if not is_canvas(path):
        hint = f"Who leads to it: vaultkit links '{path}' --back"
        raise UsageError("This is no note and no canvas, so there are no links in it.", where=path, hint=hint)
    facts = vault.read_facts(path)
    problem = facts.unreadable or next(iter(facts.problems), None)
    if problem and not facts.links:
        raise InvalidError(problem.message, where=path, hint=problem.hint)
    return facts.links


def links_to(vault: Vault, path: str) -> Iterator[tuple[str, Link]]:
    """Yield the links in other notes and canvases that lead to `path`, each with the path of its file."""
    for facts in sorted(vault.facts.values(), key=lambda facts: name_order(facts.path)):
        if facts.path != path:
            yield from ((facts.path, link) for link in facts.links if vault.resolve(link, facts.path).path == path)


def links_to_name(vault: Vault, name: str) -> Iterator[tuple[str, Link]]:
    """Yield the links to a name that no note has, each with the path of its file."""
    wanted = key(name.strip().removeprefix("[[").removesuffix("]]")).removesuffix(".md")
    for facts in sorted(vault.facts.values(), key=lambda facts: name_order(facts.path)):
        named = (link for link in facts.links if key(link.path).removesuffix(".md") == wanted)
        yield from ((facts.path, link) for link in named if vault.resolve(link, facts.path).path is None)
