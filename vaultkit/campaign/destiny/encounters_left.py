"""Encounters that were left before their end: their cards are on the table, and not in any other's veiled deck."""

from collections.abc import Iterable, Iterator

from vaultkit.campaign.destiny.inventory import Change, others, stale
from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.games.deck_of_destiny import DeckOfDestiny
from vaultkit.games.words import listing
from vaultkit.session.records import Header
from vaultkit.session.store import Saved
from vaultkit.vault import Vault
from vaultkit.vault.facts import name_of

CHARACTER = "character"
"""The note of a session's header that names the character's, as a vault path."""


def refuse(games: Iterable[Saved], deck: Deck) -> None:
    """Raise InvalidError if an encounter of a character with this deck is not over: its cards cannot be dealt twice."""
    for game in games:
        header = game.contents.header if game.contents else None
        if game.standing == "running" and header and header.game == DeckOfDestiny.id and header.deck == deck.kind:
            character = header.notes.get(CHARACTER)
            if character:
                raise InvalidError(
                    f"An encounter of {name_of(character)} is not over, and its cards are on the table.",
                    where=str(game.path),
                    hint=f"Go on with: vaultkit resume {game.id}. To give it up: vaultkit sessions --discard {game.id}",
                )


def changes(header: Header, vault: Vault, deck: Deck) -> Iterator[str]:
    """What the GM should know before an encounter goes on: inventories that were edited since it began."""
    path = header.notes.get(CHARACTER)
    if not path:
        return
    names = {card.id: card.name for card in deck}
    try:
        is_stale = stale(Change(path, header.known.get("inventory"), ()), vault.read(path), names)
    except VaultkitError as error:
        yield f"{path}: {error.message} At the end you are told which cards the encounter leaves."
        return
    if is_stale:
        yield (
            f"The inventory in {path} has changed since this encounter began, which goes on with the cards of then. "
            "At the end the note is left alone, and you are told which cards the encounter leaves. "
            "To have it written, put the inventory back as it was."
        )
    for other, cards in others(vault, names, path):
        new = [names[card] for card in cards if card not in header.known.get("elsewhere", ())]
        if new:
            is_there = "is" if len(new) == 1 else "are"
            yield f"{listing(tuple(new))} {is_there} in the inventory of {other} since this encounter began."
