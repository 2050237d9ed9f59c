"""`vaultkit link NOTE`: the card names in a rule note, made links to the cards."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import GeneratedOption, JsonOption, NoCacheOption, VaultOption, now, open_workspace
from vaultkit.cli.output import diff as show
from vaultkit.cli.output import document, talk
from vaultkit.compendium import DeckNote, rulenote
from vaultkit.compendium.linking import linking
from vaultkit.compendium.linking.linking import CardLinker, Edit
from vaultkit.errors import WriteError
from vaultkit.games.registry import GAMES
from vaultkit.vault import Note
from vaultkit.vault.writing.write import Writer, refuse_generated
from vaultkit.wording import counted


def link(
    notes: Annotated[list[str], typer.Argument(metavar="NOTE...", help="Notes by their name, path, title or alias.")],
    write: Annotated[bool, typer.Option("--write", help="Write the links; without it they are only shown.")] = False,
    deck: Annotated[
        str,
        typer.Option("--deck", help="The deck whose cards are meant; else the game's, those linked already, or all."),
    ] = "",
    any_case: Annotated[
        bool,
        typer.Option("--any-case", help="Also what may be plain words: in lower case, or where a sentence begins."),
    ] = False,
    first: Annotated[bool, typer.Option("--first", help="Only the first mention of each card in a note.")] = False,
    generated: GeneratedOption = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Link the card names in a note to their cards.

    Shows what would change; --write writes it, and `undo` takes it back. Headings, code, comments and what is a link
    already stay as they are, so that a second run finds nothing to do.
    """
    workspace = open_workspace(vault, no_cache=no_cache)
    writer = Writer(workspace.vault, "link", now())
    edits: dict[str, Edit] = {}
    for note in {note.path: note for note in map(workspace.vault.find, map(workspace.vault_path, notes))}.values():
        linker = CardLinker(workspace.vault, _decks(workspace, note, deck), any_case, first)
        _mind_generated(note, generated)
        writer.change(note.path, linker.plan, generated=generated)
        edits[note.path] = linker.edit(note)
    diff = writer.diff()
    written = writer.commit() if write else ()
    if as_json:
        rows = [_row(path, edit) for path, edit in edits.items()]
        document(rows[0] if len(notes) == 1 else rows)
    elif diff:
        show(diff)
    for path, edit in edits.items():
        _tell(path, edit, write)
    if diff and not written:
        talk("Nothing was written; add --write to write it.")


def _decks(workspace: Workspace, note: Note, name: str) -> tuple[DeckNote, ...]:
    """The decks that are meant; no note of a deck may be linked to itself, whichever is meant."""
    compendium = workspace.compendium
    linking.refuse_own_notes(note, compendium.decks)
    if name:
        return (compendium.deck(name),)
    for info in GAMES.values():
        titles = frozenset(title.casefold() for title in (info.title, *info.aliases))
        if rulenote.is_rule_note(note, info.id, titles):
            return linking.decks_for(compendium, note, info.deck, info.id)
    return linking.decks_for(compendium, note)


def _mind_generated(note: Note, allowed: bool) -> None:
    """Warn of a note that a converter overwrites; raise WriteError unless that is allowed."""
    try:
        refuse_generated(note)
    except WriteError as error:
        if not allowed:
            hint = "Choose a note of your own, or link in it all the same with --generated."
            raise WriteError(error.message, where=error.where, hint=hint) from error
        talk(f"{error.where}: {error.message}")


def _row(path: str, edit: Edit) -> dict[str, Any]:
    links = [
        {"line": made.line, "column": made.column, "text": made.text, "target": made.target} for made in edit.links
    ]
    return {"note": path, "links": links}


def _tell(path: str, edit: Edit, write: bool) -> None:
    names, cards = len(edit.links), len({made.target for made in edit.links})
    done = f"{'linked' if write else 'would link'} {counted(names, 'name')} to {counted(cards, 'card')}"
    talk(f"{path}: {done if names else 'there is no card name left to link'}.")
    for decks, texts in _by_decks(edit):
        owners, quoted = " and of ".join(f"'{deck}'" for deck in decks), ", ".join(f"'{text}'" for text in texts)
        are = "is a card" if len(texts) == 1 else "are cards"
        talk(f"  {quoted} {are} of {owners}; say which you mean: --deck NAME")
    if edit.left:
        talk(f"  These cannot be linked where they stand: {', '.join(edit.left)}")


def _by_decks(edit: Edit) -> Iterable[tuple[tuple[str, ...], list[str]]]:
    """The names that several decks have, by these decks."""
    found: dict[tuple[str, ...], list[str]] = {}
    for unclear in edit.unclear:
        found.setdefault(unclear.decks, []).append(unclear.text)
    return found.items()
