"""Every game of a vault that has a score sheet: the five, the vault's own, and those that ship with vaultkit."""

from collections.abc import Mapping
from functools import cached_property

from vaultkit.errors import UsageError
from vaultkit.games import registry
from vaultkit.games.info import GameInfo
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.session.scoresheets import Faults, defined_games, names_of
from vaultkit.vault import Vault


class ScoreSheets:
    """The score sheets of a vault, or without one those that need none."""

    def __init__(self, vault: Vault | None) -> None:
        self._vault = vault

    def find(self, name: str) -> ScoreSheet:
        """The game that goes by `name`: its id, title or alias, in any case.

        Raises InvalidError that names file and line for one whose definition is faulty, UsageError for none.
        """
        found = self.known(name)
        return self.defined[found.id] if found.id in self.defined else registry.score_sheet(found.id)

    def known(self, name: str) -> GameInfo:
        """As `find`, whether the game has a score sheet or not."""
        wanted = name.strip().casefold()
        if info := next((info for info in registry.GAMES.values() if wanted in names_of(info)), None):
            return info
        for raw, fault in self.faults:
            if wanted in (raw.game, raw.title.casefold()):
                raise fault
        if found := next((sheet.info for sheet in self.defined.values() if wanted in names_of(sheet.info)), None):
            return found
        ids = (*registry.GAMES, *self.defined)
        raise UsageError(f"There is no game '{name}'.", hint=registry.near(wanted, ids) or f"Games: {', '.join(ids)}.")

    def title(self, game: str) -> str:
        """The title of the game with this id, or the id of one that there is not."""
        if game in registry.GAMES:
            return registry.GAMES[game].title
        return self.defined[game].title if game in self.defined else game

    @property
    def defined(self) -> Mapping[str, ScoreSheet]:
        """The games that are known by a definition, by their ids; the vault's own hide those of ours."""
        return self._read[0]

    @property
    def faults(self) -> Faults:
        """Definitions that cannot be used, and why."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[Mapping[str, ScoreSheet], Faults]:
        return defined_games(self._vault)
