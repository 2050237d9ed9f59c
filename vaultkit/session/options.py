"""Options that every game has, and how they are merged with a game's own."""

from collections.abc import Mapping
from typing import Any

from vaultkit.games.base import Game
from vaultkit.games.options import Option, Options, Value, resolve

UNDO = Option(
    "undo",
    "G-8",
    ("safe", "off", "free"),
    "How far a decision may be taken back: until something new was seen or dealt, never, or always (marked in the log)",
)
COMMON: tuple[Option, ...] = (UNDO,)


def all_options(game: Game[Any]) -> tuple[Option, ...]:
    """What `--set` and the settings accept for a game: its own options, then the common ones."""
    return (*game.options, *COMMON)


def settle(game: Game[Any], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option's value, common ones included. Raises UsageError for an unknown key or value."""
    return resolve(all_options(game), given, game.title)


def of_game(game: Game[Any], options: Options) -> dict[str, Value]:
    """The part of settled options that the game itself knows."""
    return {option.key: options[option.key] for option in game.options}


def changed(game: Game[Any], options: Options) -> dict[str, Value]:
    """The settled options that differ from their defaults (G-11, G-12)."""
    return {option.key: options[option.key] for option in all_options(game) if options[option.key] != option.default}
