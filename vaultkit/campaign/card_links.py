"""Links for the card names in notes: which decks are used, and what changes in each note."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from vaultkit.campaign.settings_edit import plan_settings
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import DeckNote, rule_note
from vaultkit.compendium.linking import card_linker
from vaultkit.compendium.linking.card_linker import CardLinker, Edit
from vaultkit.errors import UnknownName, WriteError
from vaultkit.games.registry import GAMES, by_title
from vaultkit.settings import PICKS_SECTION
from vaultkit.spelling import did_you_mean
from vaultkit.vault import Note
from vaultkit.vault.writing.write import Writer
from vaultkit.vault.writing.write_steps import refuse_generated


@dataclass(frozen=True)
class LinkResult:
    """The `edits` of notes by path, and their `diff`; `written` are vault paths, `remarks` are sentences for the GM."""

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
    first_only: bool,
    allow_generated: bool,
    write: bool,
    now: datetime,
    picks: Mapping[str, str],
) -> LinkResult:
    """Plan the links for the notes with the given names, and write them if `write` is true.

    `picks` name the card that an ambiguous name stands for, in addition to the picks of the settings; with `write` they
    are saved in the settings. `any_case` and `first_only` are passed to CardLinker.

    Raises MissingNote, UsageError for the note of a deck or for a card that no deck has, and WriteError for a generated
    note unless `allow_generated` is true.
    """
    all_picks = {**workspace.settings.picks, **picks}
    writer = Writer(workspace.vault, "link", now)
    edits: dict[str, Edit] = {}
    remarks: list[str] = []
    for note in {note.path: note for note in map(workspace.vault.find, map(workspace.vault_path, names))}.values():
        decks = _find_decks(workspace, note, deck)
        _refuse_unknown(picks, decks)
        linker = CardLinker(workspace.vault, decks, any_case=any_case, first_only=first_only, picks=all_picks)
        remarks += _check_generated(note, allow_generated)
        writer.change(note.path, linker.plan, generated=allow_generated)
        edits[note.path] = linker.edit(note)
    if picks:
        plan_settings(workspace, PICKS_SECTION, picks, writer)
    return LinkResult(edits, writer.diff(), writer.commit() if write else (), tuple(remarks))


def _refuse_unknown(picks: Mapping[str, str], decks: Iterable[DeckNote]) -> None:
    """Raise UsageError if a picked card is in none of the decks."""
    for name, card in picks.items():
        if card_linker.find_card(card, decks) is None:
            names = [entry.card.name for deck in decks for entry in deck.entries]
            hint = did_you_mean(
                card.rpartition(":")[2], names, suffix="Name a card by its name, or by its deck and id."
            )
            raise UnknownName(f"'{name}' cannot be picked: there is no card '{card}'.", hint=hint)


def _find_decks(workspace: Workspace, note: Note, name: str) -> tuple[DeckNote, ...]:
    """Return the decks to link to: the deck called `name`, else the decks that suit the note.

    Raises UsageError for the note of a deck or its cards, whichever deck is named.
    """
    compendium = workspace.compendium
    card_linker.refuse_own_notes(note, compendium.decks)
    if name:
        return (compendium.deck(name),)
    game_ids = rule_note.explained_games(note, by_title())
    for info in GAMES.values():
        if info.id in game_ids:
            return card_linker.decks_for(compendium, note, info.deck, info.id)
    return card_linker.decks_for(compendium, note)


def _check_generated(note: Note, allowed: bool) -> list[str]:
    """Return a warning if a converter overwrites the note. Raises WriteError unless that is allowed."""
    try:
        refuse_generated(note)
    except WriteError as error:
        if not allowed:
            error.hint = "Choose a note of your own, or link in it anyway with --generated."
            raise
        return [f"{error.where}: {error.message}"]
    return []
