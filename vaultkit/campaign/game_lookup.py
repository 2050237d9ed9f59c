"""Logged games by what people call them: a number, a note, or the id of the session."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property, partial

from vaultkit.campaign.dates import format_day
from vaultkit.campaign.logged_game import PlayedGame, find_originals, played_games
from vaultkit.campaign.property_names import SESSION
from vaultkit.campaign.scoresheets.input_formats import take_date
from vaultkit.campaign.unlogged_games import find_unlogged_games
from vaultkit.campaign.unreadable_notes import refuse_unread
from vaultkit.errors import InvalidError, MissingNote, NothingFound, UsageError, VaultkitError
from vaultkit.session.journal_store import Store
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.session.session_ids import find_id, find_ids
from vaultkit.spelling import did_you_mean_by
from vaultkit.text import lookalike_key
from vaultkit.vault import Vault
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.history.entry import JOURNALS_FOLDER

_MAX_DIGIT_COUNT = 3
"""The most digits of a number of a game; four digits may be the last letters of an id."""
_MAX_LISTED_GAMES = 5
_MOMENT_LENGTH = len("2026-11-03T22:15:00")
"""The length of an ISO time without its zone."""


class GameLookup:
    """A lookup among all logged games of a vault. `party` are the players of the settings."""

    def __init__(self, vault: Vault, party: Sequence[str] = ()) -> None:
        self._vault = vault
        self.games = tuple(played_games(vault, party))

    @cached_property
    def originals(self) -> tuple[PlayedGame, ...]:
        """The games, the one logged last first, without the copies of notes that sync tools leave."""
        _, originals_by_copy = find_originals(self._vault.note_facts)
        originals = [game for game in self.games if game.note not in originals_by_copy]
        moments = logging_moments(self._vault)
        days = {game.session: (game.date.isoformat() if game.date else "", "") for game in originals}
        logged = {**days, **moments}
        return tuple(sorted(originals, key=lambda game: (logged[game.session], game.order), reverse=True))

    def find(self, name: str, hint: Callable[[], str] | None = None) -> PlayedGame:
        """Return the game that `name` means: a session id, its last letters, or the name or path of its note.

        `hint` returns the hint if there is none. Raises NothingFound, or InvalidError for a note that cannot be read.
        """
        games_by_session = {game.session: game for game in self.originals}
        session = find_id(games_by_session, name)
        return games_by_session[session] if session else self._find_by_note(name, hint or partial(self._hint, name))

    def find_numbered(self, name: str, today: date | None = None) -> PlayedGame:
        """Return the game that `name` means; a number counts from 1, the game logged last, and "" is that game.

        A game or a day is enough if only one logged game fits; `today` is the day from which `yesterday` counts.
        Raises NothingFound, with the games that fit, or InvalidError for a note that cannot be read.
        """
        word = name.strip() or "1"
        if re.fullmatch(r"\d+(?:[\s,]+\d+)+", word):
            hint = f"Begin with {word.split()[0].strip(',')} only; after --delete, other games have new numbers."
            raise UsageError("One game at a time.", hint=hint)
        if not (word.isdecimal() and len(word) <= _MAX_DIGIT_COUNT):
            return self._find_by_words(word, today or date.max)
        if not 1 <= int(word) <= len(self.originals):
            count = len(self.originals)
            message = f"There is no game number {word}." if count else "No game is logged in this vault yet."
            hint = f"1 is the newest, {count} the oldest." if count > 1 else "Only one game is logged."
            hint = hint if count else "Log one with: vaultkit log GAME"
            raise NothingFound(message, where=str(self._vault.root), hint=hint)
        return self.originals[int(word) - 1]

    def _find_by_words(self, words: str, today: date) -> PlayedGame:
        """Return the game with an id, a note, a title or a day. Raises NothingFound or InvalidError."""
        try:
            return self.find(words)
        except NothingFound as error:
            matches = self._match(words, today)
            if len(matches) == 1:
                return matches[0]
            if matches:
                message = f"'{words}' may be {len(matches)} logged games."
                hint = f"Name one by its number: {self.list_numbered(matches)}."
                raise NothingFound(message, where=str(self._vault.root), hint=hint) from error
            raise

    def _match(self, words: str, today: date) -> list[PlayedGame]:
        """Return the games with a title, id or alias, or a note's name without its last number; or a day; or both."""
        day, other_words = take_date(words.split(), today)
        name, sheets = lookalike_key(" ".join(other_words)), ScoreSheets(self._vault)
        with suppress(VaultkitError):
            name = lookalike_key(sheets.find_info(name).id) if name else ""

        def fits(game: PlayedGame) -> bool:
            note_name = name_of(game.note)
            names = (game.game, sheets.current_id(game.game), game.title, note_name, note_name.rpartition(" ")[0])
            return name in ("", *map(lookalike_key, names)) and day in (None, str(game.date))

        whole_name = lookalike_key(words)
        by_note = [
            game for game in self.originals if lookalike_key(name_of(game.note).rpartition(" ")[0]) == whole_name
        ]
        return by_note or [game for game in self.originals if (name or day) and fits(game)]

    def list_numbered(self, games: Sequence[PlayedGame]) -> str:
        """Return games with their numbers: `1 Skat, 3 November 2026; 2 Hearts, 1 November 2026`."""
        numbers = {game.session: number for number, game in enumerate(self.originals, 1)}
        texts = [f"{numbers[game.session]} {describe_game(game)}" for game in games[:_MAX_LISTED_GAMES]]
        rest = len(games) - len(texts)
        return "; ".join(texts) + (f" and {rest} more" if rest else "")

    def _hint(self, name: str) -> str:
        newest = f"Logged games: {self.list_numbered(self.originals)}." if self.games else "No game is logged yet."
        return unlogged_hint(self._vault, name) or similar_game_hint(self.games, name) or newest

    def _find_by_note(self, name: str, hint: Callable[[], str]) -> PlayedGame:
        """Return the game whose note `name` names.

        Raises NothingFound, or InvalidError for a note that cannot be read.
        """
        vault = self._vault
        try:
            note = vault.find(name)
        except MissingNote as error:
            refuse_unread(vault, SESSION, name.strip())
            message = f"No logged game is called '{name}'."
            raise NothingFound(message, where=str(vault.root), hint=hint()) from error
        played_game = next((game for game in self.games if game.note == note.path), None)
        if played_game is None:
            if note.problems:
                message = f"The properties of this note cannot be read: {note.problems[0].message}"
                raise InvalidError(message, where=f"{note.path}:{note.problems[0].line}", hint="See: vaultkit check")
            raise NothingFound("This is not the note of a game.", where=note.path, hint=hint())
        return played_game


def describe_game(game: PlayedGame) -> str:
    """Return the title and the day of a game: `Skat, 3 November 2026`."""
    return f"{game.title}, {format_day(game.date)}" if game.date else game.title


def logging_moments(vault: Vault) -> Mapping[str, tuple[str, str]]:
    """Return, by session, when the history says that a game was logged: the time, and the number of the entry.

    The history folder names the command of each entry, so that no other entries are read.
    """
    moments: dict[str, tuple[str, str]] = {}
    for entry in History(vault).entries("log"):  # newest first: a game that is logged again is newer
        if entry.session and not entry.undone:
            moments.setdefault(entry.session, (entry.when[:_MOMENT_LENGTH], entry.id))
    return moments


def unlogged_hint(vault: Vault, name: str) -> str:
    """Return a hint on the game without a note that `name` means by its id, title or note; "" if there is none."""
    journals = vault.root / JOURNALS_FOLDER
    journal_ids = find_ids(Store(journals).ids(), name)
    if len(journal_ids) != 1:
        words, sheets = f" {lookalike_key(name)} ", ScoreSheets(vault)
        games = find_unlogged_games(vault, journals)
        keys = {game: map(lookalike_key, (game.game, sheets.title(game.game))) for game in games}
        game = next((game for game in games if any(f" {key} " in words for key in keys[game])), None)
        return f"{game.title(sheets)} ({game.standing}) can be logged again: {game.command}" if game else ""
    refuse_unread(vault, SESSION, journal_ids[0])
    return f"That game has no note yet. Write it with: vaultkit log --session {journal_ids[0]}"


def similar_game_hint(games: Iterable[PlayedGame], name: str) -> str:
    """Return a hint on the game with a similar id or note, "" if there is none."""
    sessions_by_name: dict[str, str] = {}
    for game in games:
        sessions_by_name |= {game.session: game.session, game.session[-4:]: game.session}
        sessions_by_name |= {game.note: game.note, name_of(game.note): game.note}
    return did_you_mean_by(name, sessions_by_name)
