"""The scoring of Propheta: 1 point for a trick, and 2, 4 or 6 for a prophecy turned up (VA-15, VA-16)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vaultkit.games.propheta.rules import ProphetaCards


class Sheet(NamedTuple):
    """The score of a seat: the numbers of tricks and, by modality, of prophecies turned up."""

    tricks: int = 0
    mutable: int = 0
    fixed: int = 0
    cardinal: int = 0

    @classmethod
    def from_prophecies(cls, tricks: int, predictions: Iterable[str], cards: ProphetaCards) -> "Sheet":
        """Return the sheet of a seat from its number of tricks and the prophecies it turned up."""
        counts = Counter(cards.modality[card] for card in predictions)
        return cls(tricks, counts["Mutable"], counts["Fixed"], counts["Cardinal"])

    @property
    def predictions(self) -> int:
        """The number of prophecies turned up."""
        return self.mutable + self.fixed + self.cardinal

    @property
    def total(self) -> int:
        """The points for all tricks and prophecies."""
        return self.tricks + 2 * self.mutable + 4 * self.fixed + 6 * self.cardinal


def sum_sheets(sheets: Iterable[Sheet]) -> Sheet:
    """Return the sum of a seat's sheets of several deals, as a sheet."""
    return Sheet(*map(sum, zip(*sheets, strict=True)))


def total_points(deals: Sequence[Sequence[Sheet]], seats: int) -> tuple[int, ...]:
    """Return each seat's points over all deals (VA-19)."""
    return tuple(sum(deal[seat].total for deal in deals) for seat in range(seats))


def ranking_key(sheet: Sheet, tiebreak: str) -> tuple[int, int]:
    """Return the key by which a seat is ranked: its points, then a tie-break by the option `tiebreak` (VA-18)."""
    return sheet.total, {"predictions": sheet.predictions, "tricks": sheet.tricks}.get(tiebreak, 0)


def is_reached(points: Sequence[int], target: int) -> bool:
    """Return whether a match is over: a seat has reached the target and is alone at the top (VA-19)."""
    most_points = max(points)
    return most_points >= target and points.count(most_points) == 1
