"""Logged games by what people call them: a number, a note, or the id of the session."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from vaultkit.campaign.logged_game import PlayedGame, find_originals, played_games
from vaultkit.campaign.property_names import SESSION
from vaultkit.campaign.unreadable_notes import refuse_unread
from vaultkit.errors import InvalidError, MissingNote, NothingFound
from vaultkit.session.journal_store import Store
from vaultkit.session.session_ids import find_id, find_ids
from vaultkit.spelling import did_you_mean_by
from vaultkit.vault import Vault
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.writing.history.entry import JOURNALS_FOLDER

_MAX_DIGIT_COUNT = 3
"""The most digits of a number of a game; four digits may be the last letters of an id."""


class GameLookup:
    """A lookup among all logged games of a vault. `party` are the players of the settings."""

    def __init__(self, vault: Vault, party: Sequence[str] = ()) -> None:
        self._vault = vault
        self.games = tuple(played_games(vault, party))

    @cached_property
    def originals(self) -> tuple[PlayedGame, ...]:
        """The games, the newest first, without the copies of notes that sync tools leave."""
        _, originals_by_copy = find_originals(self._vault.note_facts)
        originals = (game for game in self.games if game.note not in originals_by_copy)
        return tuple(sorted(originals, key=lambda game: game.order, reverse=True))

    def find(self, name: str, hint: Callable[[Sequence[PlayedGame]], str] | None = None) -> PlayedGame:
        """Return the game that `name` means: a session id, its last letters, or the name or path of its note.

        `hint` returns the hint if there is none. Raises NothingFound, or InvalidError for a note that cannot be read.
        """
        games_by_session = {game.session: game for game in self.originals}
        session = find_id(games_by_session, name)
        return games_by_session[session] if session else self._find_by_note(name, hint or self._hint_for(name))

    def find_numbered(self, name: str) -> PlayedGame:
        """Return the game that `name` means; a number counts from 1, the newest game, and "" is the newest.

        Raises NothingFound, or InvalidError for a note that cannot be read.
        """
        word = name.strip() or "1"
        if not (word.isdecimal() and len(word) <= _MAX_DIGIT_COUNT):
            return self.find(word)
        if not 1 <= int(word) <= len(self.originals):
            count = len(self.originals)
            message = f"There is no game number {word}." if count else "No game is logged in this vault yet."
            hint = f"1 is the newest, {count} the oldest." if count else "Log one with: vaultkit log GAME"
            raise NothingFound(message, where=str(self._vault.root), hint=hint)
        return self.originals[int(word) - 1]

    def _hint_for(self, name: str) -> Callable[[Sequence[PlayedGame]], str]:
        def hint(games: Sequence[PlayedGame]) -> str:
            default_hint = "Name its note, the end of its id, or its number: 1 is the newest."
            return unlogged_hint(self._vault, name) or similar_game_hint(games, name) or default_hint

        return hint

    def _find_by_note(self, name: str, hint: Callable[[Sequence[PlayedGame]], str]) -> PlayedGame:
        """Return the game whose note `name` names.

        Raises NothingFound, or InvalidError for a note that cannot be read.
        """
        vault = self._vault
        try:
            note = vault.find(name)
        except MissingNote as error:
            refuse_unread(vault, SESSION, name.strip())
            message = f"There is no note of a game '{name}'."
            raise NothingFound(message, where=str(vault.root), hint=hint(self.games)) from error
        played_game = next((game for game in self.games if game.note == note.path), None)
        if played_game is None:
            if note.problems:
                message = f"The properties of this note cannot be read: {note.problems[0].message}"
                raise InvalidError(message, where=f"{note.path}:{note.problems[0].line}", hint="See: vaultkit check")
            message = "This is not the note of a game."
            raise NothingFound(message, where=note.path, hint=f"It has no property {SESSION}.")
        return played_game


def unlogged_hint(vault: Vault, name: str) -> str:
    """Return a hint on the game without a note whose id `name` means, "" if there is none."""
    journal_ids = find_ids(Store(vault.root / JOURNALS_FOLDER).ids(), name)
    if len(journal_ids) != 1:
        return ""
    refuse_unread(vault, SESSION, journal_ids[0])
    return f"That game has no note yet. Write it with: vaultkit log --session {journal_ids[0]}"


def similar_game_hint(games: Iterable[PlayedGame], name: str) -> str:
    """Return a hint on the game with a similar id or note, "" if there is none."""
    sessions_by_name: dict[str, str] = {}
    for game in games:
        sessions_by_name |= {game.session: game.session, game.session[-4:]: game.session}
        sessions_by_name |= {game.note: game.note, name_of(game.note): game.note}
    return did_you_mean_by(name, sessions_by_name)
