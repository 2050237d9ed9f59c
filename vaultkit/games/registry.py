"""Every game by its id; a game's rules are imported only when it is played."""

from collections.abc import Callable
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame
from vaultkit.spelling import did_you_mean, hint_at


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What can be said of a game without loading its rules.

    `seats` are the fewest and most under any options; `rules` loads them.
    """

    id: str
    title: str
    aliases: tuple[str, ...]
    seats: tuple[int, int]
    deck: str
    rules: Callable[[], AnyGame]


def _dragon_citadel() -> AnyGame:
    from vaultkit.games.dragon_citadel import DragonCitadel

    return DragonCitadel()


def _deck_of_destiny() -> AnyGame:
    from vaultkit.games.deck_of_destiny import DeckOfDestiny

    return DeckOfDestiny()


def _turn_of_fate() -> AnyGame:
    from vaultkit.games.turn_of_fate import TurnOfFate

    return TurnOfFate()


def _propheta() -> AnyGame:
    from vaultkit.games.propheta import Propheta

    return Propheta()


def _prophets_gambit() -> AnyGame:
    from vaultkit.games.prophets_gambit import ProphetsGambit

    return ProphetsGambit()


GAMES: dict[str, GameInfo] = {
    info.id: info
    for info in (
        GameInfo("prophets-gambit", "Prophet's Gambit", (), (3, 5), "tarokka", _prophets_gambit),
        GameInfo("deck-of-destiny", "Deck of Destiny", ("The Deck of Destiny",), (1, 1), "french52", _deck_of_destiny),
        GameInfo("propheta", "Propheta", ("Vates",), (2, 4), "astromancy", _propheta),
        GameInfo("turn-of-fate", "Turn of Fate", (), (2, 2), "decktet", _turn_of_fate),
        GameInfo("dragon-citadel", "Dragon Citadel", ("The Dragon Citadel",), (2, 7), "tarokka", _dragon_citadel),
    )
}


def find(name: str) -> GameInfo:
    """The game that goes by `name`: its id, title or alias, in any case. Raises UsageError with a suggestion."""
    wanted = name.strip().lower()
    for info in GAMES.values():
        if wanted in {info.id, info.title.lower(), *(alias.lower() for alias in info.aliases)}:
            return info
    hint = _near(wanted.replace(" ", "-")) or f"Games: {', '.join(GAMES)}."
    raise UsageError(f"There is no game '{name}'.", hint=hint)


def _near(wanted: str) -> str:
    """A hint that names the ids that begin so; without any the one that is written most alike."""
    begun = [name for name in GAMES if len(wanted) > 1 and name.startswith(wanted)]
    return hint_at(*begun) if begun else did_you_mean(wanted, GAMES, like=50)


def rules(name: str) -> AnyGame:
    """The rules of a game, ready to play. Raises UsageError with a suggestion for a game that there is not."""
    return find(name).rules()
