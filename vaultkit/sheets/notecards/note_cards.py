"""Sets of cards made of the notes in a folder or with a tag, each in the design of its kind."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from vaultkit.errors import InvalidError, NothingFound, UnknownName
from vaultkit.sheets.cards.card_sheet import MAX_LISTED_NAMES, CardSet
from vaultkit.sheets.cards.deck_cards import choose_cards
from vaultkit.sheets.cards.print_card import load_frame
from vaultkit.sheets.notecards.content import NoteCard, NoteContent
from vaultkit.sheets.notecards.kinds import kind_of, load_kinds
from vaultkit.sheets.secrecy import NO_SECRETS, Secrets, add_counts, describe_linked_secrets
from vaultkit.sheets.text.omissions import describe_omissions
from vaultkit.sheets.text.stat_block import compare_key, label_of
from vaultkit.sheets.vault_source import find_visible_links
from vaultkit.spelling import did_you_mean
from vaultkit.text import group
from vaultkit.theme.model import join_first_names
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.queries import find_notes_in_folder, find_notes_with_tags

_SELECTION_SCOPE = "among these notes"
_LIST_NAMES = {"index", "_index", "readme"}
"""The names of notes that list others, in lower case."""
_TEMPLATE_WORDS = {
    "template", "templates", "vorlage", "vorlagen", "plantilla", "plantillas", "modèle", "modèles", "шаблон", "шаблони",
}  # fmt: skip
"""Words for templates in names of notes, folders and tags."""
_TEMPLATE_COMMAND = re.compile(r"<%[-_*]?\s*(?:tp\.|await|const|let|if)|\{\{\s*(?:title|date|time|VALUE|NAME)\b")
"""A command in a template of Templater, QuickAdd or Obsidian."""


def note_set(
    vault: Vault, folder: str = "", tag: str = "", links: Note | None = None, *, frame: str = "", selection: str = "",
    vault_name: str = "", secrets: Secrets = NO_SECRETS, fields: Sequence[str] = (),
) -> CardSet:  # fmt: skip
    """Return the cards of all notes in a folder, with a tag, and named by the note `links`.

    `frame` names a frame that replaces those of their kinds, `selection` chooses some of the cards, and `fields` are
    the only facts on them. Raises NothingFound if there are no such notes. Raises InvalidError for a design that cannot
    be used, and if all notes are hidden secrets.
    """
    note_facts, unlinked_paths = _find_notes(vault, folder, tag, links), list[str]()
    if links is not None and secrets.hidden:
        note_facts, unlinked_paths = _split_by_links(note_facts, links, vault, secrets)
    left_out = {facts.path: reason for facts in note_facts if (reason := _reason_against(facts, vault))}
    all_notes = [vault.read(facts.path) for facts in note_facts if facts.path not in left_out]
    if not all_notes:
        path, reason = next(iter(left_out.items()))
        raise NothingFound(f"'{path}' is left out, since it {reason}, and there is no other note to make a card of.")
    notes, secret_remarks = secrets.filter_notes(all_notes)
    note_cards = make_note_cards(notes, vault, vault_name, secrets, fields)
    _refuse_unknown_fields(fields, note_cards.values())
    cards = [note_card.card for note_card in note_cards.values()]
    if frame:
        frame_design = load_frame(frame, vault.root)
        cards = [replace(card, frame=frame_design) for card in cards]
    reasons = group((reason, path) for path, reason in left_out.items())
    names = {reason: join_first_names(paths, MAX_LISTED_NAMES) for reason, paths in reasons.items()}
    omissions = [f"Left out, since each {reason}: {listed}." for reason, listed in names.items()]
    remarks = (*_find_remarks(note_cards), *omissions, *secret_remarks, *describe_linked_secrets(unlinked_paths))
    title = links.title if links else _title(folder, tag)
    title = "Notes" if secrets.hidden and secrets.is_secret_name(title) else title
    card_set = CardSet(title, tuple(choose_cards(cards, selection, _SELECTION_SCOPE)), "note", remarks)
    titles = {card.title for card in card_set.cards}
    printed_notes = [note for note in notes if note_cards[note.path].card.title in titles]
    counts = [note_cards[note.path].secrets for note in printed_notes]
    counts.append(Counter(note=sum(map(secrets.is_secret_note, printed_notes))))
    counted_set = card_set.with_secrets(secrets, +add_counts(counts))
    note_count = len(all_notes) - len(notes) + len(unlinked_paths)
    return replace(counted_set, left_out=add_counts([counted_set.left_out, {"note": note_count}]))


def _refuse_unknown_fields(fields: Sequence[str], note_cards: Iterable[NoteCard]) -> None:
    """Raise UnknownName, with the fields of the notes, for a field that none of them has."""
    names = list(dict.fromkeys(name for note_card in note_cards for name in note_card.facts))
    known_names = set(map(compare_key, names))
    for field in fields:
        if compare_key(field) not in known_names:
            listed = join_first_names(names, MAX_LISTED_NAMES)
            listed = f"Fields of these notes: {listed}" if names else "These notes have no fields."
            raise UnknownName(f"No note here has a field '{field}'.", hint=did_you_mean(field, names, suffix=listed))


def make_note_cards(
    notes: Sequence[Note], vault: Vault, vault_name: str = "", secrets: Secrets = NO_SECRETS, fields: Sequence[str] = ()
) -> dict[str, NoteCard]:
    """Return the card of each note by the note's path, in their order, each in the design of its kind."""
    kinds = load_kinds(vault.root)
    contents = (NoteContent(note, vault, kind_of(note, kinds), secrets, tuple(fields)) for note in notes)
    return {content.note.path: content.card(vault_name) for content in contents}


def _find_notes(vault: Vault, folder: str, tag: str, links: Note | None) -> list[Facts]:
    """Return the notes that fit every given condition: in `folder`, with `tag`, named by the note `links`.

    Raises NothingFound if there are none.
    """
    selections = [find_notes_in_folder(vault, folder)] if folder or not (tag or links) else []
    selections += [find_notes_with_tags(vault, [tag])] if tag else []
    if links is not None:
        paths = dict.fromkeys(vault.resolve(link, links.path).path for link in links.links)
        selections.insert(0, [vault.facts[path] for path in paths if path and is_note(path) and path != links.path])
    common_paths = set.intersection(*({facts.path for facts in selection} for selection in selections))
    note_facts = [facts for facts in selections[0] if facts.path in common_paths]
    if note_facts:
        return note_facts
    if links is not None and not selections[0]:
        hint = f"See: vaultkit links '{links.path}'"
        raise NothingFound("This note links to no other note.", where=links.path, hint=hint)
    place = f"in '{folder}'" if folder else f"that '{links.path}' links to" if links else ""
    tag_words = f" has the tag '#{tag.lstrip('#')}'" if tag else f", which '{links.path if links else ''}' links to"
    raise NothingFound(f"No note {place}{tag_words}.", where=str(vault.root))


def _split_by_links(
    note_facts: Sequence[Facts], note: Note, vault: Vault, secrets: Secrets
) -> tuple[list[Facts], list[str]]:
    """Return the facts to which a note links outside of its hidden secrets, and the paths of the others.

    Raises InvalidError if no facts are left, or if all of the note is a hidden secret.
    """
    secrets.filter_notes([note])
    visible_paths = {vault.resolve(link, note.path).path for link in find_visible_links(note, secrets)}
    visible_facts = [facts for facts in note_facts if facts.path in visible_paths]
    if not visible_facts:
        hint = "Leave out --no-secrets to print them for yourself."
        raise InvalidError("Only secrets of this note link to other notes.", where=note.path, hint=hint)
    return visible_facts, [facts.path for facts in note_facts if facts not in visible_facts]


def _reason_against(facts: Facts, vault: Vault) -> str:
    """Return why a note gets no card: it lists notes, or it is a template; "" for other notes."""
    path = PurePosixPath(facts.path)
    if path.parent.name.casefold() == facts.name.casefold() or facts.name.casefold() in _LIST_NAMES:
        return "lists the notes of its folder"
    folders = {str(folder).casefold() for folder in path.parents}
    folders |= {part.casefold().strip("_ ") for part in path.parts[:-1]}
    known_folders = {folder.casefold() for folder in template_folders(vault.root)} | _TEMPLATE_WORDS
    words = facts.name.casefold().replace("_", " ").replace("-", " ").split()
    is_named = bool(words) and not _TEMPLATE_WORDS.isdisjoint({words[0], words[-1]})
    is_tagged = any(tag.casefold() in _TEMPLATE_WORDS for tag in facts.tags)
    if is_named or is_tagged or folders & known_folders or _TEMPLATE_COMMAND.search(vault.read(facts.path).text):
        return "is a template"
    return ""


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
