"""A game with characters from the vault: whose inventory is staked, and in which encounter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from vaultkit.campaign.destiny import encounter, inventory
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny.rules import without_aside
from vaultkit.games.info import load
from vaultkit.games.registry import GAMES
from vaultkit.session.options import settle
from vaultkit.session.records import Agreement
from vaultkit.session.store import Store
from vaultkit.wording import listing


@dataclass(frozen=True)
class Staked:
    """A game's options, the agreement for its journal, and the cards that are not left to chance.

    `character` is the name for the seat; `remarks` are for the GM.
    """

    options: dict[str, object]
    agreement: Agreement = field(default_factory=Agreement)
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    character: str = ""
    remarks: tuple[str, ...] = ()


def stake_on(game: GameNotes, given: Sequence[str], character: str | None, faced: str | None, new: bool) -> Staked:
    """Return the stake of a game's character and encounter, or only the options if it has neither.

    `assignments` are the options of `--set`; `new` deals a new inventory. Raises UsageError for a game without
    characters and encounters, MissingNote or InvalidError for errors in their notes.
    """
    if character is None and faced is None and not new:
        return Staked(game.options(given))
    if not game.info.characters:
        titles = listing(info.title for info in GAMES.values() if info.characters)
        raise UsageError(f"{game.info.title} has no characters and encounters.", hint=f"Known for them: {titles}.")
    if character is None and new:
        raise UsageError("Whose inventory is it?", hint="Name the character's note: --character NOTE")
    facing = encounter.read_encounter(game.workspace.vault, faced) if faced is not None else None
    asked = facing.options if facing else {}
    options = game.options(given, asked)
    agreement = Agreement(encounter=facing.note, on_loss=facing.on_loss) if facing else Agreement()
    settled = {key for key, value in asked.items() if str(options[key]) == str(value)}
    if character is None:
        return Staked(options, replace(agreement, settled_options=tuple(sorted(settled))))
    stake = _stake(game, str(settle(game.game, options)["deck"]), character, new)
    chosen = tuple(sorted({*settled, *stake.options}))
    agreement = replace(agreement, character=stake.note, settled_options=chosen)
    name = game.workspace.vault.read(stake.note).name
    return Staked({**options, **stake.options}, agreement, stake.known, name, stake.remarks)


def _stake(game: GameNotes, wanted: str, character: str, new: bool) -> inventory.Stake:
    """Return the character's cards of the chosen deck.

    Raises InvalidError if cards of the deck are on the table in another encounter, and WriteError if the inventory
    could not be written afterwards.
    """
    vault, deck = game.workspace.vault, without_aside(game.deck_note.deck, wanted)
    others = [found.deck for found in game.workspace.compendium.decks if found.deck.kind != deck.kind]
    stake: inventory.Stake = load(game.info.characters)(vault, deck, character, new=new, decks=others)
    inventory.check_writable(vault, stake)
    encounter.refuse_running(Store(game.workspace.journals).saved(), deck)
    return stake
