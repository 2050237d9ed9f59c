"""Reads the score sheets of a game with real cards, deal by deal."""

from collections.abc import Mapping, Sequence

from vaultkit.games.propheta.scoring import Sheet
from vaultkit.games.tally import Answer, Tally, seats_of
from vaultkit.games.words import Seat

PARTS = ("tricks", "mutable", "fixed", "cardinal")
"""The boxes of a deal, in the order of `scoring.Sheet`."""


def count(common: Mapping[str, Answer]) -> int:
    """How many deals were played."""
    deals = common.get("deals", 1)
    return deals if isinstance(deals, int) else 1


def numbers(common: Mapping[str, Answer]) -> range:
    """The numbers of the deals, from 1."""
    return range(1, count(common) + 1)


def sheet(tally: Tally, seat: Seat, deal: int) -> Sheet:
    """The sheet of a seat for one deal."""
    return Sheet(*(tally.seats[seat].number(f"deal.{deal}.{part}") for part in PARTS))


def deals(tally: Tally) -> Sequence[Sequence[Sheet]]:
    """The sheets of all seats, deal by deal."""
    return [[sheet(tally, seat, deal) for seat in seats_of(tally)] for deal in numbers(tally.common)]


def target(tally: Tally) -> int:
    """The points that the match was played to, 0 for none (VA-19)."""
    points = tally.options["target"]
    return points if isinstance(points, int) else 0
