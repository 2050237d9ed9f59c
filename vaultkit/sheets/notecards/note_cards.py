"""Sets of cards made of the notes in a folder or with a tag, each in the design of its kind."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from vaultkit.errors import NothingFound
from vaultkit.sheets.cards.card_sheet import MAX_LISTED_NAMES, CardSet
from vaultkit.sheets.cards.deck_cards import choose_cards
from vaultkit.sheets.cards.print_card import load_frame
from vaultkit.sheets.notecards.content import NoteCard, NoteContent
from vaultkit.sheets.notecards.kinds import kind_of, load_kinds
from vaultkit.sheets.secrecy import NO_SECRETS, Secrets, add_counts
from vaultkit.sheets.text.inline import describe_omissions
from vaultkit.sheets.text.stat_block import label_of
from vaultkit.theme.model import join_first_names
from vaultkit.vault import Note, Vault
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.queries import find_notes_in_folder, find_notes_with_tags

_SELECTION_SCOPE = "among these notes"


def note_set(
    vault: Vault, folder: str, tag: str = "", *, frame: str = "", selection: str = "", vault_name: str = "",
    secrets: Secrets = NO_SECRETS,
) -> CardSet:  # fmt: skip
    """Return the cards of all notes in a folder, with a tag, or both.

    `frame` names a frame that replaces those of their kinds, and `selection` chooses some of the cards. Raises
    NothingFound if no note is in the folder or has the tag. Raises InvalidError for a design that cannot be used, and
    if all notes are hidden secrets.
    """
    all_notes, list_paths = _find_notes(vault, folder, tag)
    notes, secret_remarks = secrets.filter_notes(all_notes)
    kinds = load_kinds(vault.root)
    note_cards = {note.path: NoteContent(note, vault, kind_of(note, kinds), secrets).card(vault_name) for note in notes}
    cards = [note_card.card for note_card in note_cards.values()]
    if frame:
        frame_design = load_frame(frame, vault.root)
        cards = [replace(card, frame=frame_design) for card in cards]
    listed = join_first_names(list_paths, MAX_LISTED_NAMES)
    lists_left_out = [f"Left out, since they list the notes of their folders: {listed}."] if list_paths else []
    remarks = (*_find_remarks(note_cards), *lists_left_out, *secret_remarks)
    title = _title(folder, tag)
    title = "Notes" if secrets.hidden and secrets.is_secret_name(title) else title
    card_set = CardSet(title, tuple(choose_cards(cards, selection, _SELECTION_SCOPE)), "note", remarks)
    titles = {card.title for card in card_set.cards}
    printed_notes = [note for note in notes if note_cards[note.path].card.title in titles]
    counts = []
    for note in printed_notes:
        counts += [note_cards[note.path].secrets, {"note": int(secrets.is_secret_note(note))}]
    counted_set = card_set.with_secrets(secrets, +add_counts(counts))
    return replace(counted_set, left_out=add_counts([counted_set.left_out, {"note": len(all_notes) - len(notes)}]))


def _find_notes(vault: Vault, folder: str, tag: str) -> tuple[list[Note], list[str]]:
    """Return the notes in a folder, with a tag, or both, and the paths of lists of notes, which get no cards.

    Raises NothingFound if there are no notes other than lists.
    """
    note_facts = find_notes_in_folder(vault, folder) if folder else find_notes_with_tags(vault, [tag])
    if folder and tag:
        tagged_paths = {facts.path for facts in find_notes_with_tags(vault, [tag])}
        note_facts = [facts for facts in note_facts if facts.path in tagged_paths]
    if not note_facts:
        raise NothingFound(f"No note in '{folder}' has the tag '#{tag.lstrip('#')}'.", where=str(vault.root))
    list_paths = [facts.path for facts in note_facts if _is_list(facts)]
    notes = [vault.read(facts.path) for facts in note_facts if facts.path not in list_paths]
    if not notes:
        raise NothingFound(f"'{list_paths[0]}' is a list of notes, and there is no other note to make a card of.")
    return notes, list_paths


def _is_list(facts: Facts) -> bool:
    """Return whether a note is a list of the notes in its folder, which converters give the name of the folder."""
    return PurePosixPath(facts.path).parent.name.casefold() == facts.name.casefold()


def _find_remarks(note_cards: Mapping[str, NoteCard]) -> Iterator[str]:
    cards = note_cards.values()
    spare_pictures = [f"{each.card.title} ({', '.join(each.spare)})" for each in cards if each.spare]
    if spare_pictures:
        names = join_first_names(spare_pictures, MAX_LISTED_NAMES)
        yield f"A card has room for one picture, so these are left out: {names}."
    missing_pictures = [f"{each.card.title} ({', '.join(each.missing)})" for each in cards if each.missing]
    if missing_pictures:
        names = join_first_names(missing_pictures, MAX_LISTED_NAMES)
        yield f"These pictures are not in the vault, and vaultkit fetches none from the web: {names}."
    if remark := describe_omissions(sum((note_card.left_out for note_card in note_cards.values()), Counter[str]())):
        yield remark


def _title(folder: str, tag: str) -> str:
    """Return the title at the foot of the cards: the folder's name, capitalized if it is in lower case, or the tag."""
    name = PurePosixPath(folder.replace("\\", "/").strip("/")).name
    if not name:
        return f"#{tag.strip().lstrip('#')}" if tag else "Notes"
    return label_of(name) if name.islower() else name
