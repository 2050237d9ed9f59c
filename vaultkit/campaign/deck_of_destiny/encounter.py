"""Encounters of the Deck of Destiny, read from notes: the opponent or task, and what a loss means (DD-11, DD-14)."""

from collections.abc import Iterable, Iterator

from vaultkit.campaign.deck_of_destiny.inventory import Change, has_inventory_changed, other_inventories
from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.deck_of_destiny import INFO
from vaultkit.games.deck_of_destiny.rules import OPTIONS
from vaultkit.games.options import Value
from vaultkit.session.journal_records import Agreement, Header
from vaultkit.session.journal_store import SavedJournal
from vaultkit.text import join_words
from vaultkit.vault import Note, Vault
from vaultkit.vault.note_facts import name_of, texts

KINDS = ("combative", "passive")
"""The kinds of encounter; the second is that of an encounter which asks for a hand, if its note names no kind."""
OPTION_PROPERTIES = ("strength", "requires", "reward")
"""The properties of an encounter's note that are options of the game."""


def read_encounter(vault: Vault, name: str) -> tuple[Agreement, dict[str, Value]]:
    """Return what the journal keeps of the encounter that the note called `name` describes, and options of the game.

    Raises MissingNote if there is no such note, and InvalidError if one of its properties is wrong.
    """
    note = vault.find(name)
    raw_options = {key: text for key in OPTION_PROPERTIES if (text := _property_text(note, key))}
    known_options = (option for option in OPTIONS if option.key in raw_options)
    try:
        options = {option.key: option.parse(raw_options[option.key]) for option in known_options}
    except UsageError as error:
        raise InvalidError(error.message, where=note.path, hint=error.hint) from error
    agreement = Agreement(encounter=note.path, on_loss=_property_text(note, "on_loss"))
    return agreement, {**options, **_kind_options(note, options)}


def _property_text(note: Note, key: str) -> str:
    """Return the values of a property as one line of text; "" if the note lacks the property."""
    return " ".join(" ".join(texts(note.property(key))).split())


def _kind_options(note: Note, options: dict[str, Value]) -> dict[str, Value]:
    """Return the options that follow from the property `kind`: a combative encounter requires no hand.

    A note without `kind` describes a passive encounter if it asks for a hand, else a combative one (DD-9). Raises
    InvalidError for an unknown kind, and for a note that lacks what its kind needs.
    """
    asks_for_hand = options.get("requires", "none") != "none"
    kind = _property_text(note, "kind").lower() or KINDS[asks_for_hand]
    if kind not in KINDS:
        raise InvalidError(f"'{kind}' is not a kind of encounter.", where=note.path, hint=f"Kinds: {', '.join(KINDS)}.")
    if kind == "passive" and not asks_for_hand:
        hint = "Write the hand under 'requires', such as: requires: flush"
        raise InvalidError("A passive encounter asks for a hand, and this one names none.", where=note.path, hint=hint)
    if kind == "combative":
        if not asks_for_hand and "strength" not in options:
            hint = "Write the opponent's cards under 'strength', from 1 to 7, or the hand under 'requires'."
            raise InvalidError("This note describes no encounter.", where=note.path, hint=hint)
        return {"requires": "none"}
    return {}


def refuse_running_encounter(journals: Iterable[SavedJournal], deck: Deck) -> None:
    """Raise InvalidError if an encounter of any character is running with this deck: cards cannot be dealt twice."""
    for journal in journals:
        header = journal.contents.header if journal.contents else None
        character = header.agreement.character if header and journal.standing == "running" else ""
        if character and header and header.game == INFO.id and header.deck == deck.kind:
            message = f"An encounter of {name_of(character)} is not over, and its cards are on the table."
            hint = (
                f"Continue with: vaultkit resume {journal.id}. To give it up: vaultkit sessions --discard {journal.id}"
            )
            raise InvalidError(message, where=str(journal.path), hint=hint)


def report_inventory_edits(header: Header, vault: Vault, deck: Deck) -> Iterator[str]:
    """Yield sentences for the GM on each inventory that was edited since the encounter began.

    They concern the inventory of the character in the encounter, and cards that others have received since.
    """
    path = header.agreement.character
    if not path:
        return
    names = {card.id: card.name for card in deck}
    try:
        is_stale = has_inventory_changed(Change(path, header.known.get("inventory"), ()), vault.read(path), names)
    except VaultkitError as error:
        yield f"{path}: {error.message} At the end vaultkit lists the cards that the encounter leaves."
        return
    if is_stale:
        yield (
            f"The inventory in {path} has changed since this encounter began, which continues with the old cards. "
            "At the end the note is left alone, and vaultkit lists the cards that the encounter leaves. "
            "To let vaultkit write it, restore the old inventory."
        )
    for owner_path, cards in other_inventories(vault, names, path):
        new_names = [names[card] for card in cards if card not in header.known.get("elsewhere", ())]
        if new_names:
            verb = "is" if len(new_names) == 1 else "are"
            yield f"{join_words(new_names)} {verb} in the inventory of {owner_path} since this encounter began."
