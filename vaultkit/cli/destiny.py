"""What the Deck of Destiny takes from the vault: whose inventory is staked, and on which encounter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer

from vaultkit.campaign import encounter, inventory
from vaultkit.cli.table import GameTable
from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny import DeckOfDestiny
from vaultkit.games.deck_of_destiny.rules import playable
from vaultkit.session.options import settle
from vaultkit.session.seats import SeatSpec

CharacterOption = Annotated[
    str | None, typer.Option("--character", help="Deck of Destiny: the note whose inventory is played with.")
]
EncounterOption = Annotated[
    str | None, typer.Option("--encounter", help="Deck of Destiny: the note that says what is faced.")
]
NewInventoryOption = Annotated[
    bool, typer.Option("--new-inventory", help="Deck of Destiny: deal the character's first inventory.")
]


@dataclass(frozen=True)
class Staked:
    """What the notes say of a game: its options, what its journal remembers, and cards that are not left to luck."""

    options: dict[str, object]
    notes: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    name: str = ""
    """The character's, for the seat."""

    def seats(self, table: GameTable, given: Sequence[str]) -> tuple[SeatSpec, ...]:
        """The seats that were named; without any the character sits down."""
        return table.seats(tuple(given) or ((self.name,) if self.name else ()))


def staked(table: GameTable, given: Sequence[str], character: str | None, faced: str | None, new: bool) -> Staked:
    """The character and the encounter of a game, if it has any.

    Raises UsageError for a game that knows neither, MissingNote or InvalidError for what is wrong in their notes.
    """
    if character is None and faced is None and not new:
        return Staked(table.options(given))
    if table.info.id != DeckOfDestiny.id:
        raise UsageError(f"{table.info.title} has no characters and encounters.", hint="The Deck of Destiny has them.")
    if character is None and new:
        raise UsageError("Whose inventory is it?", hint="Name the character's note: --character NOTE")
    vault = table.workspace.vault
    facing = encounter.read(vault, faced) if faced is not None else None
    options = table.options(given, facing.options if facing else {})
    notes = {"encounter": facing.note, "on_loss": facing.on_loss} if facing else {}
    if character is None:
        return Staked(options, notes)
    deck = playable(table.deck_note.deck, str(settle(table.game, options)["deck"]))
    stake = inventory.stake(vault, deck, character, new=new)
    inventory.check(vault, stake)
    name = vault.read(stake.note).name
    return Staked({**options, **stake.options}, {**notes, "character": stake.note}, stake.known, name)
