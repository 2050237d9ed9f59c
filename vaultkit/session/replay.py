"""Playing a journal again, from its header and its moves."""

from pathlib import Path

from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.base import AnyGame
from vaultkit.session.history import History, Step
from vaultkit.session.journal import Contents, read
from vaultkit.session.options import settle


def replay(path: Path, game: AnyGame, deck: Deck) -> tuple[Contents, tuple[Step, ...]]:
    """The contents of a journal and the steps that they lead to. Nothing is written or locked.

    Raises InvalidError for a journal that does not fit the game or the deck.
    """
    contents = read(path)
    return contents, tuple(restore(contents, game, deck, str(path)).steps)


def restore(contents: Contents, game: AnyGame, deck: Deck, where: str) -> History:
    """The game as the journal left it. Raises InvalidError for one that does not fit the game or the deck."""
    header = contents.header
    if header.game != game.id:
        raise InvalidError(f"The journal is of {header.game}, not of {game.id}.", where=where)
    if header.fingerprint != deck.fingerprint:
        raise InvalidError(
            f"The game was played with another deck: the cards of '{deck.title}' have changed since.",
            where=where,
            hint="Bring the deck note back to what it was, or discard the game.",
        )
    try:
        history = History(game, deck, header.seats, settle(game, header.options))
    except UsageError as error:
        raise InvalidError(f"Line 1 of the journal does not fit the game: {error}", where=where) from error
    history.replay(contents.course, where)
    return history
