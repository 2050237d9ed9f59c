"""Inventories of the Deck of Destiny: a character's cards, listed in the note's property `destiny-inventory`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from vaultkit.cards import Deck
from vaultkit.compendium.deck_of_destiny import INVENTORY_PROPERTY, CardNames, find_card_id, suggest_card
from vaultkit.errors import InvalidError, MissingNote, UsageError, VaultkitError
from vaultkit.spelling import suggest_by_words
from vaultkit.text import group, join_words
from vaultkit.vault import Note, Vault
from vaultkit.vault.note_facts import Facts, texts
from vaultkit.vault.writing.properties import edit_list, set_property
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.write_steps import refuse_generated

AFTER_LABEL = "Inventory"
"""The label of the fact in an outcome whose cards are the inventory after the encounter."""


EMPTY_INVENTORY_ADVICE = "Hand out a card as treasure, or play with empty = draw-one (DD-4)."
"""The advice for a character without cards, who has nothing left to stake."""


@dataclass(frozen=True, slots=True)
class Stake:
    """The cards that a character brings into an encounter: the ids `own`, and `elsewhere` those of others (DD-15).

    `note` is the character's note, as a vault path; `fresh` says that the inventory is still to be dealt. `remarks` are
    about entries in other inventories that do not count, or that count only once although they are repeated.
    """

    note: str
    own: tuple[str, ...]
    elsewhere: tuple[str, ...]
    fresh: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, object]:
        """The game's options that follow from the stake."""
        inventory_option: dict[str, object] = {} if self.fresh else {"inventory": len(self.own)}
        return {**inventory_option, "elsewhere": len(self.elsewhere)}

    @property
    def known(self) -> dict[str, tuple[str, ...]]:
        """The cards of the game's chance turns that are not left to chance, by the turn's name."""
        inventory_cards = {} if self.fresh else {"inventory": self.own}
        return {**inventory_cards, "elsewhere": self.elsewhere}


@dataclass(frozen=True, slots=True)
class Change:
    """An inventory before and after an encounter, in card ids; `before` is None for a character without one."""

    note: str
    before: tuple[str, ...] | None
    after: tuple[str, ...]

    @property
    def gained(self) -> tuple[str, ...]:
        """The cards that the encounter brought."""
        return tuple(card for card in self.after if card not in (self.before or ()))


def stake(vault: Vault, deck: Deck, character: str, *, new: bool = False, decks: Iterable[Deck] = ()) -> Stake:
    """Return the stake of the character whose note `character` names; with `new`, the inventory is still to be dealt.

    `decks` are other decks of the vault, whose cards may be in the inventories of other characters. Raises MissingNote
    for the note, UsageError if `new` and there is an inventory, and InvalidError if an inventory is missing or has a
    card that the deck lacks or that another character has.
    """
    note = _find_character(vault, character)
    has_inventory = note.property(INVENTORY_PROPERTY) is not None
    if new and has_inventory:
        hint = f"Leave out --new-inventory, or delete the property '{INVENTORY_PROPERTY}' from the note."
        raise UsageError(f"{note.name} has an inventory already.", where=note.path, hint=hint)
    if not new and not has_inventory:
        hint = "Deal one with --new-inventory."
        raise InvalidError(f"{note.name} has no inventory for the Deck of Destiny.", where=note.path, hint=hint)
    names = _card_names(deck)
    own = _read_own_cards(note, deck, names)
    cards_by_path = dict(other_inventories(vault, names, note.path))
    _refuse_shared(note, own, cards_by_path, deck)
    elsewhere = tuple(dict.fromkeys(chain.from_iterable(cards_by_path.values())))
    unknown_entries = _unknown_entry_remarks(vault, note.path, [names, *map(_card_names, decks)])
    remarks = (*unknown_entries, *_duplicate_remarks(cards_by_path, names))
    return Stake(note.path, own, elsewhere, new, remarks)


def check_writable(vault: Vault, staked: Stake) -> None:
    """Raise WriteError if it is clear before the encounter that the inventory could not be written after it."""
    note = vault.read(staked.note)
    refuse_generated(note)
    set_property(note, INVENTORY_PROPERTY, ["?"])


def _find_character(vault: Vault, name: str) -> Note:
    """Return the note that `name` names. Raises MissingNote that suggests notes with an inventory first."""
    try:
        return vault.find_to_write(name)
    except MissingNote as error:
        names = [facts.name for facts in vault.note_facts if facts.property(INVENTORY_PROPERTY) is not None]
        error.hint = suggest_by_words(name, dict(zip(names, names, strict=True))) or error.hint
        raise


def _card_names(deck: Deck) -> dict[str, str]:
    return {card.id: card.name for card in deck}


def _read_own_cards(note: Note, deck: Deck, names: CardNames) -> tuple[str, ...]:
    """Return the ids of the cards in the inventory of `note`.

    Raises InvalidError for a card that the deck lacks, or that is listed twice.
    """
    entries = texts(note.property(INVENTORY_PROPERTY))
    cards = [find_card_id(text, names) for text in entries]
    for text, card in zip(entries, cards, strict=True):
        if card is None:
            message = f"The deck '{deck.title}' has no card '{text}'."
            raise InvalidError(message, where=_property_place(note.path), hint=suggest_card(text, names))
        if cards.count(card) > 1:
            hint = "Delete one of the two."
            raise InvalidError(
                f"The inventory names {deck[card].name} twice.", where=_property_place(note.path), hint=hint
            )
    return tuple(card for card in cards if card)


def other_inventories(vault: Vault, names: CardNames, own_path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the vault path and the cards of every inventory in a note other than the one at `own_path`.

    Entries that name no card in `names` belong to another deck and are left out.
    """
    for facts, entries in _other_entries(vault, own_path):
        yield facts.path, tuple(card for text in entries if (card := find_card_id(text, names)))


def _other_entries(vault: Vault, own_path: str) -> Iterator[tuple[Facts, tuple[str, ...]]]:
    for facts in vault.note_facts:
        entries = texts(facts.property(INVENTORY_PROPERTY))
        if entries and facts.path != own_path:
            yield facts, entries


def _unknown_entry_remarks(vault: Vault, own_path: str, decks: Sequence[CardNames]) -> Iterator[str]:
    """Yield a sentence for each inventory with entries that are no cards of any deck, and so do not count."""
    for facts, entries in _other_entries(vault, own_path):
        unknown = [f"'{text}'" for text in entries if not any(find_card_id(text, names) for names in decks)]
        if unknown:
            verb_phrase = "is not a card" if len(unknown) == 1 else "are not cards"
            yield f"{join_words(unknown)} in the inventory of {facts.path} {verb_phrase} of any deck here: not counted."


def _duplicate_remarks(cards_by_path: dict[str, tuple[str, ...]], names: CardNames) -> Iterator[str]:
    """Yield a sentence for each card that is in the inventories of others more than once."""
    for card, paths in group((card, path) for path, cards in cards_by_path.items() for card in cards).items():
        if len(set(paths)) > 1:
            yield f"{names[card]} is in several inventories: {join_words(paths)}. A deck has each card once."
        elif len(paths) > 1:
            yield f"{names[card]} is twice in the inventory of {paths[0]}. A deck has each card once."


def _refuse_shared(note: Note, own_cards: Sequence[str], cards_by_path: dict[str, tuple[str, ...]], deck: Deck) -> None:
    for path, cards in cards_by_path.items():
        for card in cards:
            if card in own_cards:
                message = f"{deck[card].name} is in two inventories: here and in {path}."
                hint = "A deck has each card once. Delete it from one of the two."
                raise InvalidError(message, where=_property_place(note.path), hint=hint)


def _property_place(path: str) -> str:
    return f"{path} ({INVENTORY_PROPERTY})"


def plan_inventory(change: Change, note: Note, names: CardNames) -> Splice | None:
    """Return the splice that writes the inventory after the encounter.

    None if the note is up to date, or if its inventory has changed since the encounter began. Entries that stay are not
    touched. Raises WriteError if it cannot be written without damage to something else.
    """
    if has_inventory_changed(change, note, names):
        return None
    gained = [names[card] for card in change.gained]
    return edit_list(note, INVENTORY_PROPERTY, lambda text: find_card_id(text, names) in change.after, gained)


def has_inventory_changed(change: Change, note: Note, names: CardNames) -> bool:
    """Return whether the inventory in the note differs from the one that the encounter began with."""
    value = note.property(INVENTORY_PROPERTY)
    if change.before is None or value is None:
        return (change.before is None) is not (value is None)
    return {find_card_id(text, names) for text in texts(value)} != set(change.before)


def reason_not_written(change: Change, vault: Vault, names: CardNames) -> str:
    """Return a sentence for the GM on why the inventory cannot be written; "" if it can."""
    inventory_text = f"The encounter leaves: {', '.join(names[card] for card in change.after) or 'no cards'}."
    try:
        note = vault.read(change.note)
        _ = note.text  # raises InvalidError if it is not UTF-8
        if has_inventory_changed(change, note, names):
            return f"The inventory in {change.note} has changed since and was left alone. {inventory_text}"
        if new_holders := _new_holders(change, vault, names):
            return (
                f"{new_holders} The inventory in {change.note} was left alone, "
                f"since a deck has each card once. {inventory_text}"
            )
        plan_inventory(change, note, names)
    except MissingNote:
        return f"The note {change.note} is gone, so its inventory was not written. {inventory_text}"
    except VaultkitError as error:
        return f"The inventory in {change.note} could not be written: {error.message} {inventory_text}"
    return ""


def _new_holders(change: Change, vault: Vault, names: CardNames) -> str:
    """Return a sentence on another character whose inventory now has cards that the encounter gained; "" for none."""
    for path, cards in other_inventories(vault, names, change.note):
        shared_names = [names[card] for card in change.gained if card in cards]
        if shared_names:
            verb = "is" if len(shared_names) == 1 else "are"
            return f"{join_words(shared_names)} {verb} in the inventory of {path} by now."
    return ""
