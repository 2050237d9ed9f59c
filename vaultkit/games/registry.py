"""Every game by its id; a game's rules are imported only when it is played."""

from difflib import get_close_matches
from typing import TYPE_CHECKING

from vaultkit.errors import UsageError
from vaultkit.games import deck_of_destiny, dragon_citadel, propheta, prophets_gambit, turn_of_fate
from vaultkit.games.info import GameInfo, load

if TYPE_CHECKING:
    from vaultkit.games.base import AnyGame
    from vaultkit.games.tally import ScoreKeeping

__all__ = ["GAMES", "GameInfo", "find", "rules", "score_keeping"]

_PACKAGES = (prophets_gambit, deck_of_destiny, propheta, turn_of_fate, dragon_citadel)

GAMES: dict[str, GameInfo] = {package.INFO.id: package.INFO for package in _PACKAGES}
"""The games that there are, in the order in which they are listed."""


def find(name: str) -> GameInfo:
    """The game that goes by `name`: its id, title or alias, in any case. Raises UsageError with a suggestion."""
    wanted = name.strip().lower()
    for info in GAMES.values():
        if wanted in {info.id, info.title.lower(), *(alias.lower() for alias in info.aliases)}:
            return info
    near = _near(wanted.replace(" ", "-"))
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Games: {', '.join(GAMES)}."
    raise UsageError(f"There is no game '{name}'.", hint=hint)


def _near(wanted: str) -> list[str]:
    """The ids, in quotes, that begin so; without any the one that is written most alike."""
    begun = [name for name in GAMES if len(wanted) > 1 and name.startswith(wanted)]
    return [f"'{name}'" for name in begun or get_close_matches(wanted, GAMES, n=1, cutoff=0.5)]


def rules(name: str) -> "AnyGame":
    """The rules of a game, ready to play. Raises UsageError with a suggestion for a game that there is not."""
    return find(name).rules()


def score_keeping(name: str) -> "ScoreKeeping":
    """How a game's score is kept on paper. Raises UsageError for a game whose score cannot be told afterwards."""
    info = find(name)
    if not info.score_keeping:
        dealt = " --real-cards" if info.refereeing else ""
        raise UsageError(
            f"The score of {info.title} cannot be written down afterwards.",
            hint=f"Play it here instead: vaultkit play {info.id}{dealt}",
        )
    keeping: ScoreKeeping = load(info.score_keeping)()
    return keeping
