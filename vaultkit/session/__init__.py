"""Game sessions: the players, the seeded random answers, and a journal from which any game can be resumed."""

from typing import TYPE_CHECKING

from vaultkit.lazy import lazy_attributes

if TYPE_CHECKING:
    from vaultkit.session.history import Step
    from vaultkit.session.journal_store import Store
    from vaultkit.session.seats import SeatSpec, parse_seats
    from vaultkit.session.session import Session

__all__ = ["SeatSpec", "Session", "Step", "Store", "parse_seats"]

__getattr__ = lazy_attributes(
    __name__, history="Step", seats="SeatSpec parse_seats", session="Session", journal_store="Store"
)
