"""Reads the score sheets of a game with real cards, box by box."""

from collections.abc import Iterator, Mapping

from vaultkit.games.hands import TAROKKA, TAROKKA_BY_RARITY, TAROKKA_NAMES, Category
from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Tally
from vaultkit.games.words import Seat

UNKNOWN = "unknown"
"""The answer for a hand that nobody wrote down."""
_CATEGORIES = {name: category for category, name in TAROKKA_NAMES.items()}


def count(common: Mapping[str, Answer]) -> int:
    """How many games were played."""
    games = common.get("games", 1)
    return games if isinstance(games, int) else 1


def rows(common: Mapping[str, Answer]) -> Iterator[str]:
    """The rows of the sheet: `game.1`, `game.2`..."""
    return (f"game.{number}" for number in range(1, count(common) + 1))


def order(options: Options) -> tuple[Category, ...]:
    """The hands, strongest first (PG-37)."""
    return TAROKKA_BY_RARITY if options["order"] == "rarity" else TAROKKA


def hand(tally: Tally, seat: Seat, game: str) -> Category | None:
    """The hand, None where nobody wrote it down."""
    return _CATEGORIES.get(str(tally.seats[seat].answers.get(f"{game}.hand", UNKNOWN)))


def place(tally: Tally, seat: Seat, game: str) -> int:
    """The place, the last one where there is none."""
    return tally.seats[seat].number(f"{game}.place") or len(tally.seats)


def wins(tally: Tally, seat: Seat) -> int:
    """How many first places the seat has."""
    return sum(place(tally, seat, game) == 1 for game in rows(tally.common))


def strength(tally: Tally, category: Category) -> int:
    """The place of a hand from the weakest, 0."""
    return order(tally.options)[::-1].index(category)


def named(tally: Tally, game: str) -> str:
    """How a sentence about one game of several begins."""
    return f"Game {game.removeprefix('game.')}: " if count(tally.common) > 1 else ""
