"""The lobby of a table with phones: the codes by which people sit down in seats, and the loss of seats.

It is used in the thread of the game only.
"""

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from vaultkit.errors import UsageError
from vaultkit.games.messages import Seat
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import OrderRefused
from vaultkit.web.roster import HAND, LOST_SEAT, SCREEN, SEAT_COLOURS, Invitation, Roster, SeatStatus
from vaultkit.web.saved_tables import SavedPhones, SavedSeat
from vaultkit.web.seat_sessions import Client, SeatSessions, new_secret, secret_hash

_SEAT_CODE_SECONDS = 60.0
"""Seconds for which the code of one seat is valid, and the seat's former phone may object."""
_TICKET_SECONDS = 600.0
"""Seconds for which a ticket is valid, in which people choose a seat."""
_MAX_TICKET_COUNT = 32
"""The maximum number of valid tickets; if there are more, the oldest becomes invalid."""
MAX_TYPED_CODE_CHARS = 20
"""The maximum length of a typed code with blanks and hyphens; the secret in a QR code is longer."""
_SHOWN_SECONDS = 58.0
"""Seconds for which the code of one seat is shown, less than it is valid, since a page may be rendered late."""
_CODE_LETTERS = "23456789bcdfghjkmnpqrstvwxyz"
_TYPED_CODE_CHARS = 8
_THINGS = ("bell", "crown", "key", "lantern", "moon", "raven", "rose", "ship", "star", "sword", "tower", "wolf")
_SENT_AWAY_MESSAGE = "The host has sent this phone away."
_MOVED_MESSAGE = "Your seat has moved to another phone."
_OBJECTED_MESSAGE = "You objected, so nobody holds your seat now. Ask the host for a new code."


STAND_IN_STRATEGY = "fair"
"""The bot that plays for an absent person."""


@dataclass
class _SeatCode:
    """A code for one seat that is valid until a time, or for any free seat.

    With `is_on_phone`, the phone in the seat shows the code, else the screen.
    """

    text: str
    typed: str
    seat: Seat | None = None
    made: float = 0.0
    is_on_phone: bool = False

    def is_valid(self, now: float) -> bool:
        return self.seat is None or now < self.made + _SEAT_CODE_SECONDS

    def is_shown(self, now: float) -> bool:
        return self.seat is None or now < self.made + _SHOWN_SECONDS


@dataclass
class _Ticket:
    """A ticket of somebody who had a code, and is choosing a seat."""

    seat: Seat | None
    until: float


@dataclass
class _LostPhone:
    """A phone that had a seat, and may object to the phone that has it now until a time."""

    why: str
    seat: Seat
    until: float = 0.0
    client: Client | None = None


@dataclass
class Lobby:
    """The seats of `people`, by name; `kept` are the phones of a table that is opened again.

    The `game` must be there before anybody is let in.
    """

    people: Mapping[Seat, str]
    kept: SavedPhones | None = None
    changed: Callable[[], None] = lambda: None
    is_open: bool = True
    news: str = ""
    clock: Callable[[], float] = time.monotonic

    game: GameHost = field(init=False)

    def __post_init__(self) -> None:
        self._base = ""
        self._seats: dict[Seat, Client] = {}
        self._lost_phones: dict[str, _LostPhone] = {}
        self._codes: list[_SeatCode] = []
        self._tickets: dict[str, _Ticket] = {}
        self._opened = self.clock()
        self._visible_state: tuple[object, ...] = ()

    def open_at(self, sessions: SeatSessions, base: str) -> None:
        """Let people sit down at the address `base`; phones keep their seats if it has not changed."""
        self._sessions, self._base, self._opened = sessions, base, self.clock()
        code = None
        if self.kept and self.kept.base == base:
            self._restore(self.kept)
            code = self.kept.code
        elif self.kept and self.kept.base:
            self.news = "The address has changed, so every phone must join again with the code below."
        if self.is_open:
            self._codes = [_SeatCode(*(code or (new_secret(), _new_typed_code())))]

    def _restore(self, saved: SavedPhones) -> None:
        for seat, saved_seat in saved.seats.items():
            if seat in self.people:
                self._seats[seat] = self._sessions.add_client(saved_seat.key, str(seat))
                self._seats[seat].sign = saved_seat.sign
        bots = saved.bots if isinstance(saved.bots, Mapping) else dict.fromkeys(saved.bots, STAND_IN_STRATEGY)
        for seat, strategy in bots.items():
            with suppress(UsageError):
                self.game.lend(seat, strategy)
        self.is_open = not saved.is_begun

    @property
    def keeps(self) -> SavedPhones:
        """The state of the phones that is saved for opening the table again."""
        seats = {seat: SavedSeat(client.key, client.sign) for seat, client in self._seats.items()}
        code = next(((code.text, code.typed) for code in self._codes if code.seat is None), None)
        return SavedPhones(self._base, seats, dict(self.game.bots), not self.is_open, code)

    @property
    def clients(self) -> tuple[Client, ...]:
        return tuple(self._seats.values())

    def seat_of(self, client: Client) -> Seat | None:
        """Return the seat of a client, None without one."""
        return next((seat for seat, other in self._seats.items() if other is client), None)

    @property
    def phone_seats(self) -> Collection[Seat]:
        """The seats whose players have a phone."""
        return self._seats.keys()

    def has_phone(self, seat: Seat) -> bool:
        return seat in self._seats

    def issue_ticket(self, code: str) -> tuple[str, list[dict[str, object]]]:
        """Return a ticket for a code, and the seats to choose from. Raises OrderRefused."""
        self._drop_expired()
        seat_code = self._find_code(code)
        if seat_code is None:
            raise OrderRefused("That code is wrong or no longer valid. Use the one on the big screen.")
        ticket = new_secret()
        self._tickets[secret_hash(ticket)] = _Ticket(seat_code.seat, self.clock() + _TICKET_SECONDS)
        while len(self._tickets) > _MAX_TICKET_COUNT:
            del self._tickets[next(iter(self._tickets))]
        offered_seats = [seat_code.seat] if seat_code.seat is not None else list(self.people)
        seats: list[dict[str, object]] = [
            {"seat": seat, "name": self.people[seat], "free": seat_code.seat is not None or not self.has_phone(seat)}
            for seat in offered_seats
        ]
        return ticket, seats

    def take_seat(self, ticket: str, seat: object) -> tuple[Client, str]:
        """Sit down in a seat with a ticket, used up by that; return client and cookie. Raises OrderRefused."""
        self._drop_expired()
        open_ticket = self._tickets.get(secret_hash(ticket))
        if open_ticket is None or type(seat) is not int or seat not in self.people:
            raise OrderRefused("That took too long. Scan the code on the big screen again.")
        if open_ticket.seat is None and not self.is_open:
            raise OrderRefused("The game has begun. The host can give you a code for your seat.")
        if open_ticket.seat not in (None, seat) or (open_ticket.seat is None and self.has_phone(seat)):
            raise OrderRefused(f"{self.people[seat]} has already joined. Choose another seat.")
        del self._tickets[secret_hash(ticket)]
        cookie = new_secret()
        old = self._seats.get(seat)
        self._seats[seat] = client = self._sessions.add_client(secret_hash(cookie), str(seat))
        client.sign = self._choose_sign(seat)
        if old:
            self._add_lost_phone(old, _LostPhone(_MOVED_MESSAGE, seat, self.clock() + _SEAT_CODE_SECONDS, client))
        if seat in self.game.bots:
            self.game.lend(seat, None)
        self._codes = [code for code in self._codes if code.seat != seat]
        self.news = ""
        self.changed()
        return client, cookie

    def begin(self) -> None:
        """Close the lobby, whose code becomes invalid."""
        self.is_open = False
        self._codes = [entry for entry in self._codes if entry.seat is not None]
        self._tickets = {key: entry for key, entry in self._tickets.items() if entry.seat is not None}
        self.news = ""
        self.changed()

    def invite(self, seat: Seat, *, on_phone: bool = False) -> None:
        """Make a code for this seat that is valid for a minute, and replaces one that is shown at the same place."""
        self.withdraw_code(seat, on_phone=on_phone)
        self._codes.append(_SeatCode(new_secret(), _new_typed_code(), seat, self.clock(), on_phone))
        self.news = ""

    def withdraw_code(self, seat: Seat, *, on_phone: bool) -> None:
        """Make the code of this seat invalid that its phone, or with `on_phone` False the screen, shows."""
        self._codes = [code for code in self._codes if (code.seat, code.is_on_phone) != (seat, on_phone)]

    def send_away(self, seat: Seat) -> None:
        """Take the seat from its phone."""
        client = self._seats.pop(seat, None)
        if client:
            self._add_lost_phone(client, _LostPhone(_SENT_AWAY_MESSAGE, seat))
            self._forget_codes(seat)
            self.changed()

    def object(self, client: Client) -> None:
        """Free a seat to whose new phone its former phone objects, until the host decides. Raises OrderRefused."""
        lost_phone = self._lost_phones.get(client.key)
        is_late = lost_phone is None or self.clock() > lost_phone.until
        if lost_phone is None or is_late or self._seats.get(lost_phone.seat) is not lost_phone.client:
            raise OrderRefused("It is too late to object here. Tell the host.")
        now = self._seats.pop(lost_phone.seat)
        words = f"The phone that had {self.people[lost_phone.seat]}'s seat before objects to this one."
        self._add_lost_phone(now, _LostPhone(words, lost_phone.seat))
        self._lost_phones[client.key] = _LostPhone(_OBJECTED_MESSAGE, lost_phone.seat)
        self._forget_codes(lost_phone.seat)
        self.news = f"{self.people[lost_phone.seat]}'s old phone objects, so no phone has that seat now."
        self.changed()

    def refresh(self) -> bool:
        """Return whether a code has become invalid, or a phone has connected or disconnected, since the last call."""
        self._drop_expired()
        visible_codes = tuple(code.text for code in self._codes if code.is_shown(self.clock()))
        connected = ((seat, client.outbox.streams > 0) for seat, client in self._seats.items())
        state = (self._is_late(), visible_codes, *connected)
        changed, self._visible_state = state != self._visible_state, state
        return changed

    def company(self, client: Client) -> Roster:
        """Return the people at the table as a client may see them."""
        seat = self.seat_of(client)
        sittings = tuple(map(self._seat_status, self.people))
        if client.seat == SCREEN:
            invitations = tuple(self._invitations(None))
            late = self._is_late()
            game, news = self.game, self.news
            return Roster(
                SCREEN, sittings, self.is_open, game.is_paused, invitations=invitations, is_late=late, news=news
            )
        if seat is None:
            lost_phone = self._lost_phones.get(client.key) or _LostPhone(_SENT_AWAY_MESSAGE, 0)
            objects = self.clock() <= lost_phone.until and self._seats.get(lost_phone.seat) is lost_phone.client
            return Roster(LOST_SEAT, objects=objects, news=lost_phone.why)
        phone_statuses = tuple(SeatStatus(status.seat, status.name, status.by) for status in sittings)
        invitations = tuple(self._invitations(seat))
        name, is_paused = self.people[seat], self.game.is_paused
        return Roster(HAND, phone_statuses, self.is_open, is_paused, client.sign, name, invitations=invitations)

    def _seat_status(self, seat: Seat) -> SeatStatus:
        client = self._seats.get(seat)
        by = "bot" if seat in self.game.bots else "phone" if client else "screen"
        if client is None:
            return SeatStatus(seat, self.people[seat], by)
        return SeatStatus(seat, self.people[seat], by, client.sign, client.outbox.streams > 0)

    def _is_late(self) -> bool:
        return self.is_open and not self._seats and self.clock() - self._opened > _SEAT_CODE_SECONDS

    def _add_lost_phone(self, client: Client, lost_phone: _LostPhone) -> None:
        self._lost_phones[client.key] = lost_phone
        while len(self._lost_phones) > _MAX_TICKET_COUNT:
            self._sessions.forget(next(iter(self._lost_phones)))
            del self._lost_phones[next(iter(self._lost_phones))]

    def _forget_codes(self, seat: Seat) -> None:
        self._codes = [entry for entry in self._codes if entry.seat != seat]
        self._tickets = {key: entry for key, entry in self._tickets.items() if entry.seat != seat}

    def _find_code(self, text: str) -> _SeatCode | None:
        if len(text) > MAX_TYPED_CODE_CHARS:
            return next((code for code in self._codes if code.text == text), None)
        typed_code = "".join(letter for letter in text.lower() if letter in _CODE_LETTERS)
        return next((code for code in self._codes if code.typed == typed_code), None)

    def _drop_expired(self) -> None:
        now = self.clock()
        self._codes = [code for code in self._codes if code.is_valid(now)]
        self._tickets = {key: ticket for key, ticket in self._tickets.items() if ticket.until > now}

    def _invitations(self, phone: Seat | None) -> Iterator[Invitation]:
        """Yield the codes that the phone in a seat, or for None the screen, shows now."""
        now = self.clock()
        for code in self._codes:
            is_here = not code.is_on_phone if phone is None else code.is_on_phone and code.seat == phone
            if is_here and code.is_shown(now):
                name = "" if code.seat is None else self.people[code.seat]
                yield Invitation(self._base, code.text, f"{code.typed[:4]}-{code.typed[4:]}", code.seat, name)

    def _choose_sign(self, seat: Seat) -> str:
        """Return the sign of a seat: its colour and a thing that no other phone has."""
        used_things = {client.sign.rpartition(" ")[2] for client in self._seats.values()}
        thing = secrets.choice([thing for thing in _THINGS if thing not in used_things])
        return f"{SEAT_COLOURS[seat % len(SEAT_COLOURS)]} {thing}"


def _new_typed_code() -> str:
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_TYPED_CODE_CHARS))
