"""The people at a table with phones, as one page may see them: who has which seat, and how others sit down."""

from dataclasses import dataclass

from vaultkit.games.messages import Seat

SCREEN, HAND, LOST_SEAT = "screen", "hand", "gone"
"""The roles of pages: the big screen, a phone with a seat, and a phone that has lost its seat."""
SEAT_COLOURS = ("red", "blue", "golden", "green", "violet", "white", "silver")
"""The colour of each seat, on all pages."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """A seat of a person: `by` is "phone", "bot", or "screen" for a person who plays at the screen.

    `sign` is shown on the phone and on the screen; `is_here` says whether the phone is connected.
    """

    seat: Seat
    name: str
    by: str
    sign: str = ""
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to a seat: its address with a code after the `#`, and a code to type instead.

    `name` is the player of the seat, "" for any seat.
    """

    base: str
    code: str
    typed: str
    seat: Seat | None = None
    name: str = ""

    @property
    def address(self) -> str:
        return f"{self.base}#{self.code}"

    @property
    def is_local(self) -> bool:
        """Whether only this computer can open the address."""
        return "//127." in self.base


@dataclass(frozen=True, slots=True)
class Roster:
    """The people as one page may see them. `role` is that of the page; with `is_open` the game waits for people.

    `invitations` are the codes that this page shows; only a phone has a `sign`. `is_late` says that no phone has
    connected for long, `objects` that this page may object to the move of its seat to another phone.
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
