"""Stakes: the character's inventory that is staked in a game, and the encounter in which it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from vaultkit.campaign.deck_of_destiny import encounter, inventory
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny.rules import without_aside_cards
from vaultkit.games.game_info import load
from vaultkit.games.registry import GAMES
from vaultkit.session.journal_records import Agreement
from vaultkit.session.journal_store import Store
from vaultkit.session.options import settle
from vaultkit.text import join_words


@dataclass(frozen=True)
class GameStake:
    """The consequences of a character and an encounter for a game.

    `options` are the game's options, `agreement` is for its journal. `known` are the cards that are not left to chance,
    by the name of the chance turn. `character` is the name for the seat; `remarks` are for the GM.
    """

    options: dict[str, object]
    agreement: Agreement = field(default_factory=Agreement)
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    character: str = ""
    remarks: tuple[str, ...] = ()


def resolve_stake(
    game: GameNotes, assignments: Sequence[str], character: str | None, encounter_name: str | None, new: bool
) -> GameStake:
    """Return the stake of a game's character and encounter, or only the options if it has neither.

    `assignments` are the options of `--set`; `new` deals a new inventory. Raises UsageError for a game without
    characters and encounters, MissingNote or InvalidError for errors in their notes.
    """
    if character is None and encounter_name is None and not new:
        return GameStake(game.options(assignments))
    if not game.info.characters:
        titles = join_words(info.title for info in GAMES.values() if info.characters)
        raise UsageError(f"{game.info.title} has no characters and encounters.", hint=f"Known for them: {titles}.")
    if character is None and new:
        raise UsageError("Whose inventory is it?", hint="Name the character's note: --character NOTE")
    agreement, encounter_options = Agreement(), dict[str, str | int]()
    if encounter_name is not None:
        agreement, encounter_options = encounter.read_encounter(game.workspace.vault, encounter_name)
    options = game.options(assignments, encounter_options)
    encounter_keys = {key for key, value in encounter_options.items() if str(options[key]) == str(value)}
    if character is None:
        return GameStake(options, replace(agreement, settled_options=tuple(sorted(encounter_keys))))
    stake = _create_stake(game, str(settle(game.game, options)["deck"]), character, new)
    settled_keys = tuple(sorted({*encounter_keys, *stake.options}))
    agreement = replace(agreement, character=stake.note, settled_options=settled_keys)
    name = game.workspace.vault.read(stake.note).name
    return GameStake({**options, **stake.options}, agreement, stake.known, name, stake.remarks)


def _create_stake(game: GameNotes, deck_option: str, character: str, new: bool) -> inventory.Stake:
    """Return the character's cards of the chosen deck.

    Raises InvalidError if cards of the deck are on the table in another encounter, and WriteError if the inventory
    could not be written afterwards.
    """
    vault, deck = game.workspace.vault, without_aside_cards(game.deck_note.deck, deck_option)
    other_decks = [deck_note.deck for deck_note in game.workspace.compendium.decks if deck_note.deck.kind != deck.kind]
    stake: inventory.Stake = load(game.info.characters)(vault, deck, character, new=new, decks=other_decks)
    inventory.check_writable(vault, stake)
    encounter.refuse_running_encounter(Store(game.workspace.journals).list_journals(), deck)
    return stake
