"""Problems of logged games: notes whose totals, winners and properties contradict the scores in their tables."""

from collections.abc import Iterator
from contextlib import suppress

from vaultkit.campaign.logged_game import GAME_SCORE, GameReader, PlayedGame
from vaultkit.campaign.score_checks.contradictions import Contradictions, find_contradictions
from vaultkit.campaign.score_table import find_edited_totals
from vaultkit.errors import InvalidError, Problem, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.settings import load
from vaultkit.vault import Note, Vault


class GameChecker:
    """A reader of the contradictions in the notes of a vault's games."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        party: tuple[str, ...] = ()
        with suppress(VaultkitError):  # faulty settings are a problem of their own
            party = tuple(load(vault.root).players)
        self._reader, self._sheets = GameReader(vault, party), ScoreSheets(vault)

    def read(self, note: Note) -> tuple[PlayedGame, Contradictions]:
        """Return the game in a note, and the contradictions of the note."""
        game = self._reader.read(self._vault.facts[note.path])
        return game, find_contradictions(note, game, find_sheet(game, self._sheets), self._vault)


def find_sheet(game: PlayedGame, sheets: ScoreSheets) -> ScoreSheet | None:
    """Return the score sheet that a game was logged with, else the current one; None for a built-in or unknown game."""
    if game.definition:
        with suppress(InvalidError):  # without that definition, the numbers in the note are used
            return sheets.find_by_definition(game.game, game.definition)
    return None if game.game in GAMES else sheets.defined.get(game.game)


def find_score_problems(
    note: Note, game: PlayedGame, contradictions: Contradictions, vault: Vault
) -> Iterator[Problem]:
    """Yield the problem of a game's note whose parts contradict each other."""
    if contradictions:
        hint = "To derive the rest from the scores: vaultkit check --fix. To change the scores: vaultkit log --edit"
        line = contradictions.line(note)
        yield Problem(note.path, line, 1, GAME_SCORE, contradictions.message, hint, "warning")
        return
    for line, message in find_edited_totals(vault, game):
        hint = "The property counts. Correct the one that is wrong."  # also in Obsidian's Bases
        yield Problem(game.note, line, 1, GAME_SCORE, message, hint, "warning")
