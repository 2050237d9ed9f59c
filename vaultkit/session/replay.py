"""Replaying the game in a journal."""

from dataclasses import replace
from pathlib import Path

import msgspec

from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.game import AnyGame
from vaultkit.session.history import GameHistory, Step
from vaultkit.session.journal import Contents, read
from vaultkit.session.journal_records import Header, Line
from vaultkit.session.options import settle_recorded


def replay(path: Path, game: AnyGame, deck: Deck) -> tuple[Contents, tuple[Step, ...]]:
    """Return the contents of a journal, and the steps of the game that it records, without locking the journal.

    Raises InvalidError for a journal that cannot be read, or does not fit the game or the deck.
    """
    contents, history = restore(read(path), game, deck, str(path))
    return contents, tuple(history.steps)


def restore(contents: Contents, game: AnyGame, deck: Deck, where: str) -> tuple[Contents, GameHistory]:
    """Return the contents of a journal with two corrections, and the game that it records.

    The returned header has every option, and the outcome in the end record is computed from the steps. `where` is the
    path for messages. Raises InvalidError for a journal that does not fit the game or the deck.
    """
    header = contents.header
    if header.game != game.id:
        raise InvalidError(f"The journal is of {header.game}, not of {game.id}.", where=where)
    if header.fingerprint != deck.fingerprint:
        raise InvalidError(
            f"The game was played with another deck: the cards of '{deck.title}' have changed since.",
            where=where,
            hint="Bring the deck note back to what it was, or discard the game.",
        )
    header = complete_header(header, game, where)
    try:
        history = GameHistory(game, deck, header.seats, header.options)
    except UsageError as error:
        raise _misfit_error(error, where) from error
    history.replay(contents.steps, where)
    return replace(contents, header=header, lines=_replace_outcome(contents, history, where)), history


def complete_header(header: Header, game: AnyGame, where: str) -> Header:
    """Return the header with a value for every option of the game.

    An option that the header does not contain did not exist when the game was recorded, and gets the value that it then
    had in effect. Raises InvalidError for options that do not fit the game.
    """
    try:
        return msgspec.structs.replace(header, options=settle_recorded(game, header.options))
    except UsageError as error:
        raise _misfit_error(error, where) from error


def _misfit_error(error: UsageError, where: str) -> InvalidError:
    return InvalidError(f"Line 1 of the journal does not fit the game: {error}", where=where)


def _replace_outcome(contents: Contents, history: GameHistory, where: str) -> tuple[Line, ...]:
    """Return the lines, with the outcome in the end record, if there is one, replaced by that of the replayed game.

    The recorded outcome is not trusted, because people can edit the file. Raises InvalidError if the replayed game is
    not over.
    """
    if contents.end is None:
        return contents.lines
    *lines, end_line = contents.lines
    outcome = history.outcome()
    if outcome is None:
        message = f"Line {end_line.number} of the journal does not fit the game: it is not over."
        raise InvalidError(message, where=where, hint="It was changed by hand.")
    return (*lines, Line(end_line.number, msgspec.structs.replace(contents.end, outcome=outcome)))
