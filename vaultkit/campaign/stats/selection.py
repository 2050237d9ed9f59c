"""Selection of games by title, players and days."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from datetime import date

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.players import Players
from vaultkit.campaign.stats.game_list import CountedGame, GameList, gather_games
from vaultkit.campaign.stats.statistics import Statistics
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import NothingFound, UsageError
from vaultkit.spelling import did_you_mean_by, map_words_to_names
from vaultkit.text import name_key, name_sort_key


@dataclass(frozen=True)
class Selection:
    """A filter for games: those called one of `games`, with all `players`, from the day `since` to the day `until`.

    Fields that are empty or None do not filter. A game without a date is excluded if a day is given.
    """

    games: Sequence[str] = ()
    players: Sequence[str] = ()
    since: date | None = None
    until: date | None = None

    @classmethod
    def parse(cls, games: Sequence[str], players: Sequence[str], since: str, until: str) -> "Selection":
        """Parse a selection from command-line words.

        Raises UsageError for a day that cannot be read, and for days in the wrong order.
        """
        first_day, last_day = _parse_day("--since", since), _parse_day("--until", until)
        if first_day and last_day and first_day > last_day:
            message = f"There are no days between --since {first_day} and --until {last_day}."
            raise UsageError(message, hint="Swap the two days.")
        return cls(games, players, first_day, last_day)

    def __bool__(self) -> bool:
        return bool(self.games or self.players or self.since or self.until)

    def compute_statistics(self, workspace: Workspace, *, bots: bool, tell: Callable[[GameList], object]) -> Statistics:
        """Return the statistics of the selected games. Raises each error of `find_sessions`."""
        sessions, players = self.find_sessions(workspace, tell)
        return Statistics.from_sessions(sessions, bots=bots).keep_pairs_of(players)

    def find_sessions(
        self, workspace: Workspace, tell: Callable[[GameList], object]
    ) -> tuple[tuple[CountedGame, ...], frozenset[str]]:
        """Return the selected games and the identities of `players`; `tell` receives all games of the vault first.

        Raises NothingFound for a player who is in no game, and if a selection is given that fits no game; UsageError
        for an unknown game.
        """
        game_list = gather_games(workspace.vault, workspace.settings.players)
        tell(game_list)
        kinds = {_find_kind(workspace, game_list, name) for name in self.games}
        players = frozenset(_find_player(workspace, game_list, name) for name in self.players)
        sessions = self.filter_sessions(game_list.sessions, kinds, players)
        if self and not sessions:
            days = [session.game.date for session in game_list.sessions if session.game.date]
            hint = f"There are games from {min(days)} to {max(days)}." if days else "No game is logged yet."
            raise NothingFound("No logged game matches.", where=str(workspace.root), hint=hint)
        return sessions, players

    def filter_sessions(
        self, sessions: Sequence[CountedGame], kinds: Set[str] = frozenset(), players: Set[str] = frozenset()
    ) -> tuple[CountedGame, ...]:
        """Return the sessions within the days, of one of the `kinds`, and with all `players` (their identities)."""
        in_time = (session for session in sessions if self._has_day(session.game.date))
        of_kinds = (item for item in in_time if not kinds or kinds & {item.kind, item.game.game})
        return tuple(item for item in of_kinds if players <= {player.identity for player in item.game.participants})

    def _has_day(self, day: date | None) -> bool:
        if day is None:
            return self.since is None and self.until is None
        return (self.since or day) <= day <= (self.until or day)


def _parse_day(option: str, text: str) -> date | None:
    try:
        return read_date(text) if text.strip() else None
    except UsageError as error:
        error.hint = f"Write the year, the month and the day: {option} 2026-11-03"
        raise


def _find_kind(workspace: Workspace, game_list: GameList, name: str) -> str:
    """Return the kind of the game that `name` means: its id, or its title if only notes name the game.

    Raises UsageError for an unknown game.
    """
    for session in game_list.sessions:
        if name_key(name) in {name_key(session.kind), name_key(session.title)}:
            return session.kind
    return workspace.score_sheets.find_info(name).id


def _find_player(workspace: Workspace, game_list: GameList, name: str) -> str:
    """Return the identity of a participant, by the note that `name` means, else by the name as it is written.

    Raises NothingFound, with a suggestion, if there is no such participant.
    """
    players = {player.identity: player for session in game_list.sessions for player in session.game.participants}
    note = Players(workspace.vault, workspace.settings.players).note(name)
    matching_keys = [key for key, player in players.items() if name_key(player.name) == name_key(name)]
    if note in players or matching_keys:
        return note if note in players else min(matching_keys)
    names = sorted({player.name for player in players.values()}, key=name_sort_key)
    player_list = f"Players: {', '.join(names[:12])}." if names else "No game is logged yet."
    hint = did_you_mean_by(name, map_words_to_names(names), min_score=50) or player_list
    raise NothingFound(f"There is no player '{name}' in the logged games.", where=str(workspace.root), hint=hint)
