"""The people around a table with phones, as one page may see them: who sits where, and how others sit down."""

from dataclasses import dataclass

from vaultkit.games.messages import Seat

SCREEN, HAND, LOST_SEAT = "screen", "hand", "gone"
"""Whose page it is: the big screen's, that of a phone in its seat, or that of a phone that has lost it."""
SEAT_COLOURS = ("red", "blue", "golden", "green", "violet", "white", "silver")
"""The colour of each seat, on all pages."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """A seat of a person: `by` is "phone", "bot", or "screen" where the hand lies behind a cover there.

    `sign` is what phone and screen show alike; `is_here` whether the phone is connected.
    """

    seat: Seat
    name: str
    by: str
    sign: str = ""
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class Invitation:
    """The way to a seat: its address with a code behind the `#`, and the code that can be typed in place of that.

    `name` is whose seat it is, "" for any.
    """

    base: str
    code: str
    typed: str
    seat: Seat | None = None
    name: str = ""

    @property
    def address(self) -> str:
        return f"{self.base}#{self.code}"


@dataclass(frozen=True, slots=True)
class Roster:
    """The people as one page may know them. `role` says whose page it is, `is_open` whether the game waits for them.

    `invitations` are the codes that this page shows; only a phone has a `sign` of its own. `is_late` says that no phone
    has come for long; `objects` that this page may object to its seat having moved.
    """

    role: str
    sittings: tuple[SeatStatus, ...] = ()
    is_open: bool = False
    is_paused: bool = False
    sign: str = ""
    name: str = ""
    invitations: tuple[Invitation, ...] = ()
    is_late: bool = False
    objects: bool = False
    news: str = ""
