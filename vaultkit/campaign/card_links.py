"""The card names of notes, made links: which decks are meant, and what becomes of each note."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import DeckNote, rulenote
from vaultkit.compendium.linking import card_linker
from vaultkit.compendium.linking.card_linker import CardLinker, Edit
from vaultkit.errors import WriteError
from vaultkit.games.registry import GAMES, by_title
from vaultkit.vault import Note
from vaultkit.vault.writing.write import Writer, refuse_generated


@dataclass(frozen=True)
class Linked:
    """The `edits` of notes by their paths, with their `diff`; `written` are vault paths, `remarks` for the GM."""

    edits: Mapping[str, Edit]
    diff: str
    written: tuple[str, ...]
    remarks: tuple[str, ...]


def link_notes(
    workspace: Workspace,
    names: Iterable[str],
    *,
    deck: str,
    any_case: bool,
    first: bool,
    generated: bool,
    write: bool,
    now: datetime,
) -> Linked:
    """Plan the links of the notes that go by these names, and with `write` write them; the rest is as `link` has it.

    Raises MissingNote, UsageError for a note of a deck, WriteError for a generated one unless that is allowed.
    """
    writer = Writer(workspace.vault, "link", now)
    edits: dict[str, Edit] = {}
    remarks: list[str] = []
    for note in {note.path: note for note in map(workspace.vault.find, map(workspace.vault_path, names))}.values():
        linker = CardLinker(workspace.vault, _decks(workspace, note, deck), any_case, first)
        remarks += _generated(note, generated)
        writer.change(note.path, linker.plan, generated=generated)
        edits[note.path] = linker.edit(note)
    return Linked(edits, writer.diff(), writer.commit() if write else (), tuple(remarks))


def _decks(workspace: Workspace, note: Note, name: str) -> tuple[DeckNote, ...]:
    """The decks that are meant; no note of a deck may be linked to itself, whichever is meant."""
    compendium = workspace.compendium
    card_linker.refuse_own_notes(note, compendium.decks)
    if name:
        return (compendium.deck(name),)
    explained = rulenote.games_of(note, by_title())
    for info in GAMES.values():
        if info.id in explained:
            return card_linker.decks_for(compendium, note, info.deck, info.id)
    return card_linker.decks_for(compendium, note)


def _generated(note: Note, allowed: bool) -> list[str]:
    """A warning of a note that a converter overwrites. Raises WriteError unless that is allowed."""
    try:
        refuse_generated(note)
    except WriteError as error:
        if not allowed:
            hint = "Choose a note of your own, or link in it all the same with --generated."
            raise WriteError(error.message, where=error.where, hint=hint) from error
        return [f"{error.where}: {error.message}"]
    return []
