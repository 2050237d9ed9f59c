"""The scoring of Dragon Citadel: totals, heroes, Crowns, and the reward rolls that they earn (DC-32 to DC-36)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vaultkit.games.dragon_citadel.rules import CitadelCards
from vaultkit.games.options import Options

SUITS = ("swords", "stars", "glyphs", "coins")
COUNTED_PARTS = (*(f"{suit}.{part}" for suit in SUITS for part in ("total", "heroes")), "crowns.count")
"""The names of the score parts that `count_parts` counts from cards."""
ROW_MAX_TOTALS = (15, 25, 35, 45)
"""The highest total of each row of the reward table (DC-33)."""

TREASURE_ROLLS_PER_ROW = (1, 1, 2, 1)
"""The number of rolls on an individual treasure table that one roll on each row means (DC-36)."""

MAGIC_ITEM_TABLES = ("A", "B", "C", "D")
TREASURE_TABLES = ("Challenge 0-4", "Challenge 5-10", "Challenge 5-10", "Challenge 11-16")


@dataclass(frozen=True, slots=True)
class RewardRolls:
    """A number (`count`) of rolls on a row of the reward table, from 1 to 4; the row 0 stands for no roll."""

    count: int
    row: int

    def __str__(self) -> str:
        return f"{self.count} × row {self.row}" if self.count else "–"


def reward_rolls(total: int, heroes: int, hero_only: str = "none") -> RewardRolls:
    """Return the rolls that a suit earns: one on the row of its total, and one more there for each hero (DC-33).

    Without a total, heroes earn nothing or, if `hero_only` is `row1`, one roll each on row 1 (DC-34).
    """
    if total > 0:
        return RewardRolls(1 + heroes, reward_row(total))
    if heroes and hero_only == "row1":
        return RewardRolls(heroes, 1)
    return RewardRolls(0, 0)


def crown_rolls(count: int) -> RewardRolls:
    """Return the roll that open Crowns earn, on the row of their number, or on row 4 for more than four (DC-35)."""
    return RewardRolls(1, min(count, 4)) if count else RewardRolls(0, 0)


def reward_row(total: int) -> int:
    """Return the row of a suit's total from 1 to 45 (DC-33), and row 4 for a higher one on a wrong sheet."""
    return next((row for row, max_total in enumerate(ROW_MAX_TOTALS, 1) if total <= max_total), len(ROW_MAX_TOTALS))


def reward_parts(parts: Mapping[str, int], options: Options) -> dict[str, int]:
    """Return the reward rolls that a score sheet earns, as `swords.rolls`, `swords.row` and so on for each row."""
    hero_only = str(options["hero_only"])
    rolls_by_row = {name: reward_rolls(parts[f"{name}.total"], parts[f"{name}.heroes"], hero_only) for name in SUITS}
    rolls_by_row["crowns"] = crown_rolls(parts["crowns.count"])
    return {
        f"{name}.{key}": value
        for name, reward in rolls_by_row.items()
        for key, value in (("rolls", reward.count), ("row", reward.row))
    }


def count_parts(won: Iterable[str], crowns: int, cards: CitadelCards) -> dict[str, int]:
    """Return the score parts of the cards that a seat has won: `swords.total`, `swords.heroes` ... `crowns.count`.

    `crowns` is the number of its open Crowns.
    """
    parts = {f"{name}.{part}": 0 for name in SUITS for part in ("total", "heroes")}
    for card in won:
        if card in cards.suit:
            name = cards.suit[card].lower()
            if cards.is_hero(card):
                parts[f"{name}.heroes"] += 1
            else:
                parts[f"{name}.total"] += cards.strength[card]
    return {**parts, "crowns.count": crowns}


def champion_score(parts: Mapping[str, int], options: Options) -> int:
    """Return the score by which the individual champion is found (DC-32)."""
    total = sum(parts[f"{name}.total"] for name in SUITS)
    if options["champion"] == "sum":
        return total
    return total + 10 * hero_count(parts) + 10 * parts["crowns.count"]


def hero_count(parts: Mapping[str, int]) -> int:
    """Return how many heroes a seat has won."""
    return sum(parts[f"{name}.heroes"] for name in SUITS)
