"""The setup of examples in rule notes: the deck and the house rules with which they are played."""

from collections.abc import Mapping
from contextlib import suppress

from vaultkit.cards import Deck
from vaultkit.cards.deck import known_deck
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.decks import deck_note
from vaultkit.compendium.rule_note import RuleNote
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.session.examples.expectations import find_errors
from vaultkit.session.examples.parser import Example
from vaultkit.session.examples.playback import ExampleSession
from vaultkit.session.options import Layer, find_options_in_force, layers, settle
from vaultkit.settings import Settings, load
from vaultkit.vault import Note, Vault


class ExampleSetup:
    """A source of the decks and the house rules with which the examples in a vault are played."""

    def __init__(self, vault: Vault, compendium: Compendium) -> None:
        self._vault = vault
        self._compendium = compendium
        self._settings: Settings | None = None
        with suppress(VaultkitError):  # another check reports settings that cannot be read
            self._settings = load(vault.root)

    def options(self, note: Note, game: str) -> dict[str, object]:
        """Return the value of every option of a game with the id `game`, as set by the settings and the rule note."""
        note_options = {entry.key: entry.value for entry in RuleNote(game, note).entries if entry.is_pair}
        setting_layers = layers(self._settings, game) if self._settings else ()
        return {
            option_in_force.option.key: option_in_force.value
            for option_in_force in find_options_in_force(
                GAMES[game].rules(), (*setting_layers, Layer(note.path, note_options))
            )
        }

    def find_deck(self, example: Example, options: Mapping[str, object]) -> Deck:
        """Return the deck for an example.

        That is the vault's own deck of the kind that the game needs, if it is without mistakes, or else the standard
        deck of that kind. Raises InvalidError with note and line if there is neither.
        """
        game = GAMES[example.game].rules()
        kind = game.deck_for(settle(game, options))
        own_decks = [deck for deck in self._compendium.decks if deck.deck.kind == kind]
        if own_decks and deck_note.preferred_deck(own_decks).sound:
            return deck_note.preferred_deck(own_decks).deck
        if standard_deck := known_deck(kind):
            return standard_deck
        raise example.error(f"This vault has no sound deck '{kind}' for this example.")

    def create_rehearsal(self, note: Note, example: Example) -> ExampleSession:
        """Return the game of an example, before its first move.

        Raises InvalidError with note and line if there is no deck for it, or if it cannot begin as it says.
        """
        options = self.options(note, example.game)
        return ExampleSession.from_example(
            example, self.find_deck(example, {**options, **example.content.options}), options
        )


def try_example(setup: ExampleSetup, note: Note, example: Example | InvalidError) -> tuple[list[InvalidError], int]:
    """Return the errors of an example, and the number of steps that were played.

    An error that prevents the example from being played is the only one that is returned.
    """
    if isinstance(example, InvalidError):
        return [example], 0
    try:
        session = setup.create_rehearsal(note, example)
    except InvalidError as error:
        return [error], 0
    except UsageError as error:
        return [example.error(error.message, error.hint)], 0
    return find_errors(session), len(session.steps)
