"""Queries over a whole vault: notes by tag or folder, and links from or to a file."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from vaultkit.errors import InvalidError, NothingFound, UsageError
from vaultkit.spelling import did_you_mean_by, find_fewest_edits, find_nearest, suggest_names
from vaultkit.text import join_words, name_sort_key
from vaultkit.vault import tags
from vaultkit.vault.file_facts import is_canvas, is_note
from vaultkit.vault.links import Link
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault

_NUMBER_PREFIX = re.compile(r"^(?:.*/)?\d+[\W_]+")
"""The folders above a folder, and the number before its name, as in `4-Sessions`."""
_MAX_NAMED_FOLDERS = 8
"""The maximum number of folders that a hint names."""
_LIST_TAGS_HINT = "All notes with their tags: vaultkit notes"


def find_notes_with_tags(vault: Vault, tag_names: Sequence[str]) -> list[Facts]:
    """Return the notes that have all of the given tags; without tags, all notes.

    A note with a tag below the given one, such as `npc/ally` below `npc`, has it too. Raises NothingFound if
    no note has the tags, and UsageError if a tag is empty.
    """
    notes = sorted(vault.note_facts, key=lambda facts: name_sort_key(facts.path))
    plain_tags = [tags.strip_tag(tag.strip().removeprefix("tag:")) for text in tag_names for tag in text.split(",")]
    for tag in plain_tags:
        if not tag:
            raise UsageError("--tag names no tag.", hint="Name one, such as: vaultkit notes --tag npc")
        if not any(_has_tag(facts, tag) for facts in vault.note_facts):
            raise NothingFound(f"No note has the tag '#{tag}'.", where=str(vault.root), hint=_suggest_tag(vault, tag))
        notes = [facts for facts in notes if _has_tag(facts, tag)]
    if plain_tags and not notes:
        tag_listing = join_words(f"'#{tag}'" for tag in plain_tags)
        raise NothingFound(f"No note has the tags {tag_listing} together.", where=str(vault.root), hint=_LIST_TAGS_HINT)
    return notes


def find_notes_in_folder(vault: Vault, folder_name: str) -> list[Facts]:
    """Return the notes in a folder, given by path or name, and in the folders below it, in Obsidian's order.

    Raises NothingFound if there is no such folder, or no note in it.
    """
    folder = find_folder(vault, folder_name)
    notes = sorted(vault.note_facts, key=lambda facts: explorer_sort_key(facts.path))
    folder_notes = [facts for facts in notes if facts.path.startswith(f"{folder}/" if folder else "")]
    if not folder_notes:
        raise NothingFound(
            f"There are no notes in the folder '{folder or '.'}'.", where=str(vault.root), hint=_LIST_TAGS_HINT
        )
    return folder_notes


def explorer_sort_key(path: str) -> tuple[object, ...]:
    """Return the key by which Obsidian's file explorer sorts files: folders come before the files beside them."""
    *folders, name = path.split("/")
    return (*((0, name_sort_key(folder)) for folder in folders), (1, name_sort_key(name)))


def find_folder(vault: Vault, folder_name: str) -> str:
    """Return the path of the folder that a path or a name means, ignoring case; "" for the vault itself.

    Raises NothingFound, with a hint, if there is no such folder, or if several have that name.
    """
    folder_key = key(folder_name.replace("\\", "/").strip("/").removeprefix("./"))
    folders = vault.files.folders | {".": "", "": ""}
    if folder_key in folders:
        return folders[folder_key]
    matches = sorted(path for path in folders.values() if key(path).endswith(f"/{folder_key}"))
    matches = matches or sorted(path for path in folders.values() if _NUMBER_PREFIX.sub("", key(path)) == folder_key)
    if len(matches) == 1:
        return matches[0]
    if matches:
        hint = f"Name one by its path: {join_words(map(repr, matches), 'or')}."
        raise NothingFound(f"Several folders are called '{folder_name}'.", where=str(vault.root), hint=hint)
    suggestion = did_you_mean_by(
        folder_name,
        {name: path for path in folders.values() for name in (path, PurePosixPath(path).name)},
        min_score=75,
    )
    counts = Counter(str(PurePosixPath(path).parent) for path in vault.note_paths)
    with_notes = sorted(path for path, _ in counts.most_common(_MAX_NAMED_FOLDERS) if path != ".")
    hint = (
        suggestion
        or (with_notes and f"Folders with notes: {join_words(map(repr, with_notes))}.")
        or ("A folder is named by its path in the vault.")
    )
    raise NothingFound(f"There is no folder '{folder_name}' in this vault.", where=str(vault.root), hint=hint)


def find_heading(vault: Vault, text: str, likely_notes: Collection[str] = ()) -> str:
    """Return the first heading with a text, ignoring case, after the name of its note: `Note#Heading`.

    The notes with the names `likely_notes` come first. The titles of notes are left out. Returns "" if there is none.
    """
    likely_keys = set(map(key, likely_notes))
    for facts in sorted(vault.note_facts, key=lambda facts: key(facts.name) not in likely_keys):
        for heading in facts.anchors.headings:
            if key(heading.text.strip()) == key(text.strip()) and heading.text != facts.title:
                return f"{facts.name}#{heading.text.strip()}"
    return ""


def _has_tag(facts: Facts, tag: str) -> bool:
    """Return whether a note has a tag, or one below it."""
    return any(tags.is_within(note_tag, tag) for note_tag in facts.tags)


def _suggest_tag(vault: Vault, tag: str) -> str:
    """Return a hint that names the most similar tag in the vault, or else says how to list all tags.

    A tag that differs in a single letter is preferred; for a short tag, no other is similar.
    """
    tags_by_key = {key(other): other for facts in vault.note_facts for other in tags.with_parents(facts.tags)}
    one_edit_keys = find_fewest_edits(key(tag), tags_by_key, 1) if len(tag) > 1 else []
    similar_key = next(iter(one_edit_keys), "") or find_nearest(
        key(tag), tags_by_key, min_score=70, numbers_distinguish=True
    )
    return suggest_names(f"#{tags_by_key[similar_key]}") if similar_key else _LIST_TAGS_HINT


def links_in(vault: Vault, path: str) -> Sequence[Link]:
    """Return the links that a note or canvas contains.

    Raises UsageError for any other file, and InvalidError for a canvas that cannot be read and yields no links.
    """
    if is_note(path):
        return vault.read(path).links
    if not is_canvas(path):
        hint = f"What links to it: vaultkit links '{path}' --back"
        raise UsageError("This is not a note or canvas, so it has no links.", where=path, hint=hint)
    facts = vault.read_facts(path)
    problem = facts.unreadable or next(iter(facts.problems), None)
    if problem and not facts.links:
        raise InvalidError(problem.message, where=path, hint=problem.hint)
    return facts.links


def find_linked_files(
    vault: Vault, path: str, depth: int = 1, get_links: Callable[[str], Iterable[Link]] | None = None
) -> dict[str, bool]:
    """Return the files to which the links of a note lead, in the order of the first link, without the note itself.

    The value says whether all links to the file embed it as a whole. With a `depth` of 2, the files to which these
    notes lead follow, and so on. `get_links` returns the links to follow from a note, given its path; by default these
    are all, also those between `%%`. Links to files that do not exist are left out.
    """
    get_links = get_links or (lambda source: vault.read_facts(source).links)
    linked_files: dict[str, bool] = {}
    sources = [path]
    for _ in range(depth):
        new_paths = []
        for source in sources:
            for link in get_links(source):
                target = None if link.external else vault.resolve(link, source).path
                if target is None or target == path:
                    continue
                if target not in linked_files:
                    new_paths.append(target)
                linked_files[target] = linked_files.get(target, True) and link.embed and not link.subpath
        sources = [new_path for new_path in new_paths if is_note(new_path)]
    return linked_files


def links_to(vault: Vault, path: str) -> Iterator[tuple[str, Link]]:
    """Yield the links to `path` in other notes and canvases, each with the path of the file that contains it."""
    for facts in sorted(vault.facts.values(), key=lambda facts: name_sort_key(facts.path)):
        if facts.path != path:
            yield from ((facts.path, link) for link in facts.links if vault.resolve(link, facts.path).path == path)


def links_to_name(vault: Vault, name: str) -> Iterator[tuple[str, Link]]:
    """Yield the unresolved links to `name`, which no file has, each with the path of the file that contains it."""
    name_key = key(name.strip().removeprefix("[[").removesuffix("]]")).removesuffix(".md")
    for facts in sorted(vault.facts.values(), key=lambda facts: name_sort_key(facts.path)):
        links = (link for link in facts.links if key(link.path).removesuffix(".md") == name_key)
        yield from ((facts.path, link) for link in links if vault.resolve(link, facts.path).path is None)
