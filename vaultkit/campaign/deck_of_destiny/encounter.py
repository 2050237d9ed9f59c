"""Encounters of the Deck of Destiny: notes that say what is faced, and what a loss would mean (DD-11, DD-14)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vaultkit.campaign.deck_of_destiny.inventory import Change, has_inventory_changed, other_inventories
from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.deck_of_destiny import INFO
from vaultkit.games.deck_of_destiny.rules import OPTIONS
from vaultkit.games.options import Option, Value
from vaultkit.session.journal_records import Header
from vaultkit.session.journal_store import SavedJournal
from vaultkit.text import listing
from vaultkit.vault import Note, Vault
from vaultkit.vault.note_facts import name_of, texts

KINDS = ("combative", "passive")
OPTION_PROPERTIES = ("strength", "requires", "reward")
"""The properties of an encounter's note that are options of the game."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter from its note, a vault path: options of the game, and the text for the log after a loss."""

    note: str
    options: dict[str, Value]
    on_loss: str = ""


def read_encounter(vault: Vault, name: str) -> Encounter:
    """Return the encounter in the note that `name` names. Raises MissingNote, or InvalidError for a wrong property."""
    note = vault.find(name)
    raw_options = {key: text for key in OPTION_PROPERTIES if (text := _text(note, key))}
    options = {
        option.key: _parse(note, option, raw_options[option.key]) for option in OPTIONS if option.key in raw_options
    }
    return Encounter(note.path, {**options, **_kind(note, options)}, _text(note, "on_loss"))


def _text(note: Note, key: str) -> str:
    return " ".join(" ".join(texts(note.property(key))).split())


def _parse(note: Note, option: Option, text: str) -> Value:
    try:
        return option.parse(text)
    except UsageError as error:
        raise InvalidError(error.message, where=note.path, hint=error.hint) from error


def _kind(note: Note, options: dict[str, Value]) -> dict[str, Value]:
    """Return the option that follows from `kind`; without `kind` an encounter that asks for a hand is passive (DD-9).

    Raises InvalidError for an unknown kind, and for a note that lacks what its kind needs.
    """
    passive = options.get("requires", "none") != "none"
    kind = _text(note, "kind").lower() or KINDS[passive]
    if kind not in KINDS:
        raise InvalidError(f"'{kind}' is no kind of encounter.", where=note.path, hint=f"Kinds: {', '.join(KINDS)}.")
    if kind == "passive" and not passive:
        hint = "Write the hand under 'requires', such as: requires: flush"
        raise InvalidError("A passive encounter asks for a hand, and this one names none.", where=note.path, hint=hint)
    if kind == "combative":
        if not passive and "strength" not in options:
            hint = "Write the opponent's cards under 'strength', from 1 to 7, or the hand under 'requires'."
            raise InvalidError("This note tells of no encounter.", where=note.path, hint=hint)
        return {"requires": "none"}
    return {}


def refuse_running(games: Iterable[SavedJournal], deck: Deck) -> None:
    """Raise InvalidError if an encounter of a character with this deck is running: its cards cannot be dealt twice."""
    for game in games:
        header = game.contents.header if game.contents else None
        if game.standing == "running" and header and header.game == INFO.id and header.deck == deck.kind:
            character = header.agreement.character
            if character:
                raise InvalidError(
                    f"An encounter of {name_of(character)} is not over, and its cards are on the table.",
                    where=str(game.path),
                    hint=f"Go on with: vaultkit resume {game.id}. To give it up: vaultkit sessions --discard {game.id}",
                )


def edits_since(header: Header, vault: Vault, deck: Deck) -> Iterator[str]:
    """Yield sentences for the GM on inventories that were edited since the encounter began."""
    path = header.agreement.character
    if not path:
        return
    names = {card.id: card.name for card in deck}
    try:
        is_stale = has_inventory_changed(Change(path, header.known.get("inventory"), ()), vault.read(path), names)
    except VaultkitError as error:
        yield f"{path}: {error.message} At the end you are told which cards the encounter leaves."
        return
    if is_stale:
        yield (
            f"The inventory in {path} has changed since this encounter began, which goes on with the cards of then. "
            "At the end the note is left alone, and you are told which cards the encounter leaves. "
            "To have it written, put the inventory back as it was."
        )
    for other, cards in other_inventories(vault, names, path):
        new = [names[card] for card in cards if card not in header.known.get("elsewhere", ())]
        if new:
            is_there = "is" if len(new) == 1 else "are"
            yield f"{listing(new)} {is_there} in the inventory of {other} since this encounter began."
