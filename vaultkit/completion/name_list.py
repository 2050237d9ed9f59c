"""The list of names in a vault that is stored for shell completion, made from its notes."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from vaultkit.completion.names import name_of, strip_brackets, texts

NotesWithProperties = Sequence[tuple[str, Mapping[str, Any]]]
"""Pairs of a note's path and its properties; the names of properties are in lower case."""

_SESSION_PROPERTY = "vaultkit-session"


def format_header(root: str, count: int) -> str:
    """Return the first line of the list: the vault's path and the number of its notes, with a tab between."""
    return f"{root!a}\t{count}"


def encode_names(root: str, notes: Mapping[str, Mapping[str, Any]]) -> bytes:
    """Return the list of names in the vault at `root` as it is stored.

    `notes` maps the paths of all notes to their properties. The first line is followed by a line for each kind of name,
    with tabs between the names.
    """
    notes_with_properties = [
        (path, {key.lower(): value for key, value in properties.items()})
        for path, properties in notes.items()
        if properties
    ]
    kinds = {
        "note": _note_names(notes),
        "deck": _deck_names(notes_with_properties),
        "session": _session_ids(notes_with_properties),
        "player": _people_in_games(notes_with_properties),
    }
    rows = ["\t".join([kind, *sorted({*filter(_can_be_typed, names)})]) for kind, names in kinds.items()]
    return "\n".join([format_header(root, len(notes)), *rows]).encode("utf-8", "surrogateescape")


def _can_be_typed(name: str) -> bool:
    return "\n" not in name and "\t" not in name


def _note_names(paths: Collection[str]) -> Iterator[str]:
    """Return the name of each note, or its path if another note has the same name."""
    name_counts = Counter(name_of(path).casefold() for path in paths)
    return (path.removesuffix(".md") if name_counts[name_of(path).casefold()] > 1 else name_of(path) for path in paths)


def _deck_names(notes: NotesWithProperties) -> Iterator[str]:
    """Yield the kind of each deck, or the name of its note if only the converter marks it as a deck."""
    for path, properties in notes:
        kind = properties.get("vaultkit-deck")
        if kind or "json5e-deck" in str(properties.get("cssclasses")):
            yield str(kind).strip().lower() if isinstance(kind, str) and kind.strip() else name_of(path)


def _session_ids(notes: NotesWithProperties) -> Iterator[str]:
    """Return the ids of games that have a note."""
    return (str(properties[_SESSION_PROPERTY]) for _, properties in notes if properties.get(_SESSION_PROPERTY))


def _people_in_games(notes: NotesWithProperties) -> Iterator[str]:
    """Yield the names of people, without bots, in the notes of games."""
    for _, properties in notes:
        if properties.get(_SESSION_PROPERTY):
            people, bots = (
                [strip_brackets(name) for name in texts(properties.get(key))] for key in ("players", "bots")
            )
            yield from (name for name in people if name not in bots and not name.endswith(")"))
