"""Inventories of the Deck of Destiny: each lives in its character's note, as the property `destiny-inventory`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.words import Outcome
from vaultkit.vault import Note, Vault
from vaultkit.vault.facts import Facts, texts
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.writing.properties import set_property
from vaultkit.vault.writing.splice import Splice
from vaultkit.vault.writing.write import refuse_generated

PROPERTY = "destiny-inventory"
AFTER = "Inventory"
"""The fact of an outcome whose cards are the inventory after the encounter."""

CardNames = Mapping[str, str]
"""Names of cards by id."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What a character brings to an encounter, in card ids: `own`, and `elsewhere` what others own (DD-15).

    `note` is the character's, as a vault path; `fresh` says that the inventory is still to be dealt.
    """

    note: str
    own: tuple[str, ...]
    elsewhere: tuple[str, ...]
    fresh: bool = False

    @property
    def options(self) -> dict[str, object]:
        """The game's options that follow from it."""
        own: dict[str, object] = {} if self.fresh else {"inventory": len(self.own)}
        return {**own, "elsewhere": len(self.elsewhere)}

    @property
    def known(self) -> dict[str, tuple[str, ...]]:
        """What the chance turns of the game draw, by name: these cards are no luck."""
        own = {} if self.fresh else {"inventory": self.own}
        return {**own, "elsewhere": self.elsewhere}


@dataclass(frozen=True, slots=True)
class Change:
    """An inventory before and after an encounter, in card ids; `before` is None for a character who had none yet."""

    note: str
    before: tuple[str, ...] | None
    after: tuple[str, ...]


def stake(vault: Vault, deck: Deck, character: str, *, new: bool = False) -> Stake:
    """The stake of the character whose note goes by that name; with `new` one who has no inventory yet.

    Raises MissingNote or InvalidError for the note, for a card that the deck lacks, or that somebody else holds.
    """
    note = vault.find(character)
    has_one = note.property(PROPERTY) is not None
    if new and has_one:
        hint = f"Leave out --new-inventory, or take the property '{PROPERTY}' out of the note."
        raise UsageError(f"{note.name} has an inventory already.", where=note.path, hint=hint)
    if not new and not has_one:
        hint = "Deal one with --new-inventory."
        raise InvalidError(f"{note.name} has no inventory for the Deck of Destiny.", where=note.path, hint=hint)
    own = _own(note, deck)
    others = {facts.path: cards for facts, cards in _others(vault, deck, note.path)}
    _refuse_shared(note, own, others, deck)
    return Stake(note.path, own, tuple(dict.fromkeys(chain.from_iterable(others.values()))), new)


def check(vault: Vault, staked: Stake) -> None:
    """Raise WriteError if the inventory could not be written after the encounter, as far as it is known before it."""
    note = vault.read(staked.note)
    refuse_generated(note)
    set_property(note, PROPERTY, ["?"])


def _own(note: Note, deck: Deck) -> tuple[str, ...]:
    names = {card.id: card.name for card in deck}
    said = texts(note.property(PROPERTY))
    found = [card_id(text, names) for text in said]
    for text, card in zip(said, found, strict=True):
        if card is None:
            hint = f"Cards are written as the deck has them, such as {deck.cards[0].name}."
            raise InvalidError(f"The deck '{deck.title}' has no card '{text}'.", where=_where(note.path), hint=hint)
        if found.count(card) > 1:
            hint = "Take one of the two out."
            raise InvalidError(f"The inventory names {deck[card].name} twice.", where=_where(note.path), hint=hint)
    return tuple(card for card in found if card)


def _others(vault: Vault, deck: Deck, own: str) -> Iterator[tuple[Facts, tuple[str, ...]]]:
    """The inventories in all other notes; what is no card of this deck belongs to another one."""
    names = {card.id: card.name for card in deck}
    for facts in vault.note_facts:
        said = texts(facts.property(PROPERTY))
        if said and facts.path != own:
            yield facts, tuple(card for text in said if (card := card_id(text, names)))


def _refuse_shared(note: Note, own: Sequence[str], others: Mapping[str, tuple[str, ...]], deck: Deck) -> None:
    for path, cards in others.items():
        for card in cards:
            if card in own:
                raise InvalidError(
                    f"{deck[card].name} is in two inventories: here and in {path}.",
                    where=_where(note.path),
                    hint="A deck has each card once. Take it out of one of the two.",
                )


def _where(path: str) -> str:
    return f"{path} ({PROPERTY})"


def card_id(text: str, names: CardNames) -> str | None:
    """The card that an entry means by its name or id, plain or as a link; None if the deck has none such."""
    plain = text.strip()
    if plain.startswith("[[") and plain.endswith("]]"):
        shown, path, subpath = split_wikilink(plain[2:-2])
        return next((found for part in (shown, subpath.lstrip("#"), path) if (found := card_id(part, names))), None)
    wanted = " ".join(plain.casefold().split())
    return next((card for card, name in names.items() if wanted in {card.casefold(), name.casefold()}), None)


def change_of(outcome: Outcome, note: str, before: tuple[str, ...] | None) -> Change:
    """What an encounter made of the inventory that was `before`."""
    return Change(note, before, dict(outcome.facts)[AFTER].cards)


def write(change: Change, note: Note, names: CardNames) -> Splice | None:
    """The inventory as it is after the encounter; None if the note has it so, or if it is no longer what it was."""
    return None if stale(change, note, names) else set_property(note, PROPERTY, [names[card] for card in change.after])


def stale(change: Change, note: Note, names: CardNames) -> bool:
    """Whether the inventory in the note is another one than the encounter began with."""
    value = note.property(PROPERTY)
    if change.before is None or value is None:
        return (change.before is None) is not (value is None)
    return {card_id(text, names) for text in texts(value)} != set(change.before)


def remark(change: Change, vault: Vault, names: CardNames) -> str:
    """What to tell the GM where the inventory cannot be written; "" where it can."""
    listed = ", ".join(names[card] for card in change.after) or "no cards"
    try:
        is_stale = stale(change, vault.read(change.note), names)
    except VaultkitError:
        return f"The note {change.note} is gone, so its inventory was not written: {listed}."
    if is_stale:
        return f"The inventory in {change.note} has changed since and was left alone. The encounter leaves: {listed}."
    return ""
