"""Creation of a deck of the notes or pictures in a folder, as one note whose table links to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import NothingFound, UsageError
from vaultkit.text import capitalize_first, name_sort_key, slug
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import PICTURE_SUFFIXES
from vaultkit.vault.file_names import file_name
from vaultkit.vault.queries import find_folder
from vaultkit.vault.writing.escape import clean_line, escape_markdown
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.write import Writer, plan_and_commit


@dataclass(frozen=True)
class NewDeck:
    """A deck note that was made: its vault path, the deck's kind, the number of cards, and the diff."""

    path: str
    kind: str
    cards: int
    diff: str


def write_deck(
    workspace: Workspace, folder_name: str, *, title: str = "", now: datetime, dry_run: bool = False
) -> NewDeck:
    """Write a deck note with a card for each note in a folder, or for each picture if it has no notes.

    The notes of decks and lists of notes get no card. Without a `title` it is made from the folder's name. Raises
    NothingFound if there is nothing to make cards of, UsageError for a kind that a deck of the vault has, and
    WriteError if there is a file of the deck note's name.
    """
    folder = find_folder(workspace.vault, folder_name)
    name = PurePosixPath(folder).name or workspace.root.name
    title = clean_line(title) or capitalize_first(name if name.casefold().endswith("deck") else f"{name} Deck")
    kind = slug(title.removesuffix(" Deck"), "-") or "deck"
    if other := next((deck for deck in workspace.compendium.decks if deck.deck.kind == kind), None):
        hint = f'Show it: vaultkit deck {kind}. Or give yours another name: --title "Another Deck"'
        raise UsageError(f"A deck '{kind}' exists already, in {other.note.path}.", hint=hint)
    targets = _find_cards(workspace, folder)
    path = str(PurePosixPath(folder, f"{file_name(title)}.md"))

    def plan(fresh: Vault) -> tuple[str, Writer]:
        writer = Writer(fresh, f"deck new {title}", now)
        writer.create(path, _deck_text(fresh, path, title, kind, targets))
        writer.check(path)
        return writer.diff(), writer

    diff, _ = plan_and_commit(workspace.vault, plan, dry_run=dry_run)
    return NewDeck(path, kind, len(targets), diff)


def _find_cards(workspace: Workspace, folder: str) -> list[str]:
    """Return the vault paths of the notes in a folder that become cards, or of its pictures if it has no notes."""
    prefix = f"{folder}/" if folder else ""
    deck_paths = {deck.note.path for deck in workspace.compendium.decks}
    notes = [facts.path for facts in workspace.vault.note_facts if facts.path.startswith(prefix)]
    notes = [path for path in notes if path not in deck_paths and not _is_list(PurePosixPath(path))]
    pictures = [
        path
        for path in workspace.vault.files.paths
        if path.startswith(prefix) and PurePosixPath(path).suffix.lower() in PICTURE_SUFFIXES
    ]
    if not (notes or pictures):
        hint = "Put a note or a picture for each card into it, then try again."
        raise NothingFound(f"There are no notes and no pictures in the folder '{folder or '.'}'.", hint=hint)
    return sorted(notes or pictures, key=name_sort_key)


def _is_list(path: PurePosixPath) -> bool:
    """Return whether a note has the name of its folder, as lists of the notes in a folder have."""
    return path.stem.casefold() == path.parent.name.casefold()


def _deck_text(vault: Vault, path: str, title: str, kind: str, targets: Sequence[str]) -> str:
    has_notes = targets[0].endswith(".md")
    linker = Linker(vault, [path])
    if has_notes:
        head = ("| Card |", "| --- |")
        rows = [linker.link(target, path, vault.read_facts(target).title, table=True) for target in targets]
    else:
        head = ("| Card | Image |", "| --- | --- |")
        rows = [f"{escape_markdown(PurePosixPath(target).stem)} | ![[{target}]]" for target in targets]
    lines = ["---", f"vaultkit-deck: {kind}", "---", f"# {escape_markdown(title)}", "", *head]
    return "\n".join([*lines, *(f"| {row} |" for row in rows), ""])
