"""The registry of built-in games, by id. The rules of a game are imported only when it is played."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from vaultkit.errors import UnknownName
from vaultkit.games import deck_of_destiny, dragon_citadel, propheta, prophets_gambit, turn_of_fate
from vaultkit.games.game_info import GameInfo
from vaultkit.spelling import did_you_mean, suggest_names

if TYPE_CHECKING:
    from vaultkit.games.game import AnyGame

__all__ = ["GAMES", "GameInfo", "find", "rules", "suggest_games"]

_PACKAGES = (prophets_gambit, deck_of_destiny, propheta, turn_of_fate, dragon_citadel)

GAMES: dict[str, GameInfo] = {package.INFO.id: package.INFO for package in _PACKAGES}
"""All built-in games by id, in the order in which they are listed."""


def by_title() -> dict[str, str]:
    """Return the ids of the games by their casefolded titles and aliases."""
    return {name.casefold(): info.id for info in GAMES.values() for name in (info.title, *info.aliases)}


def find(name: str) -> GameInfo:
    """Return the game with this id, title or alias, ignoring case. Raises UsageError with a suggestion."""
    key = name.strip().lower()
    for info in GAMES.values():
        if key in {info.id, info.title.lower(), *(alias.lower() for alias in info.aliases)}:
            return info
    hint = suggest_games(key, GAMES) or f"Games: {', '.join(GAMES)}."
    raise UnknownName(f"There is no game '{name}'.", hint=hint)


def suggest_games(name: str, ids: Iterable[str]) -> str:
    """Return a hint with the `ids` that begin with `name`, or else the most similar one; "" if there is none."""
    prefix, game_ids = name.replace(" ", "-"), list(ids)
    matching_ids = [game_id for game_id in game_ids if len(prefix) > 1 and game_id.startswith(prefix)]
    return suggest_names(*matching_ids) if matching_ids else did_you_mean(prefix, game_ids, min_score=65)


def rules(name: str) -> "AnyGame":
    """Return the rules of a game, ready to play. Raises UsageError with a suggestion for an unknown game."""
    return find(name).rules()
