"""What the Deck of Destiny takes from the vault: whose inventory is staked, and on which encounter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer

from vaultkit.campaign.destiny import encounter, inventory
from vaultkit.campaign.destiny.encounter import SETTLED
from vaultkit.campaign.result import PRICE
from vaultkit.cli.output import talk
from vaultkit.cli.table import GameTable, Screen
from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny.rules import without_aside
from vaultkit.games.info import load
from vaultkit.games.registry import GAMES
from vaultkit.games.words import Outcome, listing
from vaultkit.play.plain import safe
from vaultkit.session import Session
from vaultkit.session.options import settle
from vaultkit.session.seats import SeatSpec
from vaultkit.session.store import Store
from vaultkit.vault.facts import name_of

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
    if not table.info.characters:
        titles = listing(tuple(info.title for info in GAMES.values() if info.characters))
        raise UsageError(f"{table.info.title} has no characters and encounters.", hint=f"Known for them: {titles}.")
    if character is None and new:
        raise UsageError("Whose inventory is it?", hint="Name the character's note: --character NOTE")
    facing = encounter.read(table.workspace.vault, faced) if faced is not None else None
    asked = facing.options if facing else {}
    options = table.options(given, asked)
    notes = {"encounter": facing.note, "on_loss": facing.on_loss} if facing else {}
    said = {key for key, value in asked.items() if str(options[key]) == str(value)}
    if character is None:
        return Staked(options, {**notes, SETTLED: " ".join(sorted(said))})
    stake = _stake(table, str(settle(table.game, options)["deck"]), character, new)
    name = table.workspace.vault.read(stake.note).name
    notes |= {"character": stake.note, SETTLED: " ".join(sorted({*said, *stake.options}))}
    return Staked({**options, **stake.options}, notes, stake.known, name)


def _stake(table: GameTable, wanted: str, character: str, new: bool) -> inventory.Stake:
    """The character's cards of the deck that is `wanted`, which must not lie on the table in another encounter."""
    vault, compendium = table.workspace.vault, table.workspace.compendium
    deck = without_aside(table.deck_note.deck, wanted)
    others = [found.deck for found in compendium.decks if found.deck.kind != deck.kind]
    stake: inventory.Stake = load(table.info.characters)(vault, deck, character, new=new, decks=others)
    inventory.check(vault, stake)
    encounter.refuse(Store(table.workspace.journals).saved(), deck)
    for remark in stake.remarks:
        talk(f"Note: {remark}")
    return stake


def play_staked(table: GameTable, screen: Screen, session: Session, *, resumed: bool = False) -> Outcome | None:
    """Let the people play, and say what they face and, after a loss, what it costs; None if they left before the end.

    Of a game that is `resumed`, what was edited since in the inventories is said first.
    """
    notes = session.header.notes
    faced = name_of(notes["encounter"]) if "encounter" in notes else ""
    if resumed and session.outcome is None:
        for change in encounter.changes(session.header, table.workspace.vault, session.deck):
            talk(f"Note: {change}")
    if faced:
        _say(screen, f"The encounter: {faced}.")
    outcome = screen.play(table, session)
    if faced and outcome:
        _say(screen, f"The encounter was: {faced}.")
        if outcome.kind == "loss" and notes.get("on_loss"):
            _say(screen, f"{PRICE}: {notes['on_loss']}")
    return outcome


def _say(screen: Screen, text: str) -> None:
    screen.console.print(safe(text), soft_wrap=screen.plain, highlight=False, markup=False)
