"""The lobby of a table with phones: who sits down in which seat by which code, and who loses it again.

Only the host's thread enters it.
"""

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from typing import Protocol

from vaultkit.errors import UsageError
from vaultkit.games.words import Seat
from vaultkit.table.company import GONE, HAND, SCREEN, Company, Invitation, Sitting
from vaultkit.table.door import Client, Door, new_secret, secret_hash
from vaultkit.table.saved_tables import SavedPhones, SavedSeat

_MINUTE = 60.0
"""Seconds for which the code of one seat leads in, and the old phone may object."""
_TICKET = 600.0
"""Seconds that people have to choose a seat."""
_TICKETS = 32
"""So many may be choosing at once; the first of them has to begin anew."""
MAX_TYPED_CODE_CHARS = 20
"""Characters of what a person types as a code, with blanks and hyphens; the secret behind a QR code is longer."""
_SHOWN_SECONDS = 58.0
"""Seconds for which the code of one seat is shown. A page may be drawn late, and shows no code that is invalid."""
_LETTERS = "23456789bcdfghjkmnpqrstvwxyz"
_LENGTH = 8
_COLOURS = ("red", "green", "blue", "golden", "white", "silver")
_THINGS = ("bell", "crown", "key", "lantern", "moon", "raven", "rose", "ship", "star", "sword", "tower", "wolf")
_SIGNS = tuple(f"{colour} {thing}" for colour, thing in product(_COLOURS, _THINGS))
_AWAY = "The host has sent this phone away."
_MOVED = "Your seat has moved to another phone."
_OBJECTED = "You objected, so nobody holds your seat now. Ask the host for a new code."


STAND_IN = "fair"
"""The bot that plays for a person."""


class Hands(Protocol):
    """The game, as far as it concerns who plays."""

    is_paused: bool

    @property
    def bots(self) -> Collection[Seat]:
        """The seats of people for whom bots play."""

    def lend(self, seat: Seat, strategy: str) -> None:
        """Let a bot decide for a person. Raises UsageError where that cannot be."""

    def give_back(self, seat: Seat) -> None:
        """Let the person decide again. Raises UsageError where no bot does it for them."""


class NoSeat(Exception):
    """Nobody sits down; the sentence says why."""


@dataclass
class _Code:
    """A way in: to one seat until some time, or to any that is free.

    With `is_on_phone` the phone that has the seat shows it, else the screen does.
    """

    text: str
    typed: str
    seat: Seat | None = None
    made: float = 0.0
    is_on_phone: bool = False

    def is_valid(self, now: float) -> bool:
        return self.seat is None or now < self.made + _MINUTE

    def is_shown(self, now: float) -> bool:
        return self.seat is None or now < self.made + _SHOWN_SECONDS


@dataclass
class _Ticket:
    """Somebody who had a code, and chooses now."""

    seat: Seat | None
    until: float


@dataclass
class _Lost:
    """A phone that had a seat. Until some time it may object to the phone that has it now."""

    why: str
    seat: Seat
    until: float = 0.0
    client: Client | None = None


@dataclass
class Lobby:
    """The seats of the `people`, by their names; `kept` are those that sat there before the table was opened again.

    `hands` is the game, which must be there before anybody is let in.
    """

    people: Mapping[Seat, str]
    kept: SavedPhones | None = None
    changed: Callable[[], None] = lambda: None
    is_open: bool = True
    news: str = ""
    clock: Callable[[], float] = time.monotonic

    hands: Hands = field(init=False)

    def __post_init__(self) -> None:
        self._base = ""
        self._seats: dict[Seat, Client] = {}
        self._lost: dict[str, _Lost] = {}
        self._codes: list[_Code] = []
        self._tickets: dict[str, _Ticket] = {}
        self._opened = self.clock()
        self._here: tuple[object, ...] = ()

    def open_at(self, door: Door, base: str) -> None:
        """Let people in at this address; those who sat here before sit here again, if it is the same."""
        self._door, self._base, self._opened = door, base, self.clock()
        code = None
        if self.kept and self.kept.base == base:
            self._restore(self.kept)
            code = self.kept.code
        elif self.kept and self.kept.base:
            self.news = "The address has changed since last time: every phone sits down anew with the code below."
        if self.is_open:
            self._codes = [_Code(*(code or (new_secret(), _typed())))]

    def _restore(self, kept: SavedPhones) -> None:
        for seat, one in kept.seats.items():
            if seat in self.people:
                self._seats[seat] = self._door.add(one.key, str(seat))
                self._seats[seat].sign = one.sign
        for seat in kept.bots.intersection(self.people):
            with suppress(UsageError):
                self.hands.lend(seat, STAND_IN)
        self.is_open = not kept.is_begun

    @property
    def keeps(self) -> SavedPhones:
        """All that must be known when the table is opened again."""
        seats = {seat: SavedSeat(client.key, client.sign) for seat, client in self._seats.items()}
        code = next(((code.text, code.typed) for code in self._codes if code.seat is None), None)
        return SavedPhones(self._base, seats, frozenset(self.hands.bots), not self.is_open, code)

    @property
    def clients(self) -> tuple[Client, ...]:
        return tuple(self._seats.values())

    def seat_of(self, client: Client) -> Seat | None:
        """The seat that this page has now."""
        return next((seat for seat, one in self._seats.items() if one is client), None)

    def has_phone(self, seat: Seat) -> bool:
        return seat in self._seats

    def knock(self, code: str) -> tuple[str, list[dict[str, object]]]:
        """A ticket for whoever has a code, and the seats to choose from. Raises NoSeat."""
        self._expire()
        known = self._code(code)
        if known is None:
            raise NoSeat("That code is not, or no longer, one of this table. Take the one that the big screen shows.")
        ticket = new_secret()
        self._tickets[secret_hash(ticket)] = _Ticket(known.seat, self.clock() + _TICKET)
        while len(self._tickets) > _TICKETS:
            del self._tickets[next(iter(self._tickets))]
        wanted = [known.seat] if known.seat is not None else list(self.people)
        seats: list[dict[str, object]] = [
            {"seat": seat, "name": self.people[seat], "free": known.seat is not None or not self.has_phone(seat)}
            for seat in wanted
        ]
        return ticket, seats

    def take(self, ticket: str, seat: object) -> tuple[Client, str]:
        """Sit down in a seat with a ticket, which is used up; the client with its cookie. Raises NoSeat."""
        self._expire()
        known = self._tickets.get(secret_hash(ticket))
        if known is None or type(seat) is not int or seat not in self.people:
            raise NoSeat("That took too long. Scan the code on the big screen again.")
        if known.seat is None and not self.is_open:
            raise NoSeat("The game has begun. The host can give you a code for your seat.")
        if known.seat not in (None, seat) or (known.seat is None and self.has_phone(seat)):
            raise NoSeat(f"{self.people[seat]} sits here already. Choose another seat.")
        del self._tickets[secret_hash(ticket)]
        cookie = new_secret()
        old = self._seats.get(seat)
        self._seats[seat] = client = self._door.add(secret_hash(cookie), str(seat))
        client.sign = self._sign()
        if old:
            self._lose(old, _Lost(_MOVED, seat, self.clock() + _MINUTE, client))
        if seat in self.hands.bots:
            self.hands.give_back(seat)
        self._codes = [one for one in self._codes if one.seat != seat]
        self.news = ""
        self.changed()
        return client, cookie

    def begin(self) -> None:
        """Close the lobby: its code leads nowhere any more."""
        self.is_open = False
        self._codes = [one for one in self._codes if one.seat is not None]
        self._tickets = {key: one for key, one in self._tickets.items() if one.seat is not None}
        self.news = ""
        self.changed()

    def invite(self, seat: Seat, *, on_phone: bool = False) -> None:
        """Make a code for this seat that is valid for a minute, in place of the one before at the same place."""
        self.withdraw(seat, on_phone=on_phone)
        self._codes.append(_Code(new_secret(), _typed(), seat, self.clock(), on_phone))
        self.news = ""

    def withdraw(self, seat: Seat, *, on_phone: bool) -> None:
        """Make the code of this seat invalid that its phone, or else the screen, shows."""
        self._codes = [code for code in self._codes if (code.seat, code.is_on_phone) != (seat, on_phone)]

    def send_away(self, seat: Seat) -> None:
        """Take the seat from its phone."""
        client = self._seats.pop(seat, None)
        if client:
            self._lose(client, _Lost(_AWAY, seat))
            self._forget_codes(seat)
            self.changed()

    def object(self, client: Client) -> None:
        """The phone that had a seat before objects: nobody has it then, until the host decides. Raises NoSeat."""
        lost = self._lost.get(client.key)
        if lost is None or self.clock() > lost.until or self._seats.get(lost.seat) is not lost.client:
            raise NoSeat("It is too late to object here. Tell the host.")
        now = self._seats.pop(lost.seat)
        self._lose(now, _Lost(f"The phone that had the seat of {self.people[lost.seat]} before objects.", lost.seat))
        self._lost[client.key] = _Lost(_OBJECTED, lost.seat)
        self._forget_codes(lost.seat)
        self.news = f"The old phone of {self.people[lost.seat]} objects: no phone has that seat now."
        self.changed()

    def tick(self) -> bool:
        """Whether anything has changed by itself that can be seen: a code has died, a phone has come or gone."""
        self._expire()
        shown = tuple(code.text for code in self._codes if code.is_shown(self.clock()))
        here = (self._is_late(), shown, *((seat, client.outbox.streams > 0) for seat, client in self._seats.items()))
        changed, self._here = here != self._here, here
        return changed

    def company(self, client: Client) -> Company:
        """The people as this page may know them."""
        seat = self.seat_of(client)
        sittings = tuple(map(self._sitting, self.people))
        if client.seat == SCREEN:
            invitations = tuple(self._invitations(None))
            late = self._is_late()
            return Company(
                SCREEN,
                sittings,
                self.is_open,
                self.hands.is_paused,
                invitations=invitations,
                is_late=late,
                news=self.news,
            )
        if seat is None:
            lost = self._lost.get(client.key) or _Lost(_AWAY, 0)
            objects = self.clock() <= lost.until and self._seats.get(lost.seat) is lost.client
            return Company(GONE, objects=objects, news=lost.why)
        known = tuple(Sitting(one.seat, one.name, one.by) for one in sittings)
        invitations = tuple(self._invitations(seat))
        return Company(
            HAND, known, self.is_open, self.hands.is_paused, client.sign, self.people[seat], invitations=invitations
        )

    def _sitting(self, seat: Seat) -> Sitting:
        client = self._seats.get(seat)
        by = "bot" if seat in self.hands.bots else "phone" if client else "screen"
        if client is None:
            return Sitting(seat, self.people[seat], by)
        return Sitting(seat, self.people[seat], by, client.sign, client.outbox.streams > 0)

    def _is_late(self) -> bool:
        return self.is_open and not self._seats and self.clock() - self._opened > _MINUTE

    def _lose(self, client: Client, lost: _Lost) -> None:
        self._lost[client.key] = lost
        while len(self._lost) > _TICKETS:
            self._door.forget(next(iter(self._lost)))
            del self._lost[next(iter(self._lost))]

    def _forget_codes(self, seat: Seat) -> None:
        self._codes = [one for one in self._codes if one.seat != seat]
        self._tickets = {key: one for key, one in self._tickets.items() if one.seat != seat}

    def _code(self, text: str) -> _Code | None:
        if len(text) > MAX_TYPED_CODE_CHARS:
            return next((code for code in self._codes if code.text == text), None)
        typed = "".join(letter for letter in text.lower() if letter in _LETTERS)
        return next((code for code in self._codes if code.typed == typed), None)

    def _expire(self) -> None:
        now = self.clock()
        self._codes = [code for code in self._codes if code.is_valid(now)]
        self._tickets = {key: one for key, one in self._tickets.items() if one.until > now}

    def _invitations(self, phone: Seat | None) -> Iterator[Invitation]:
        """Yield the codes that the phone in a seat shows now, or that the screen does."""
        now = self.clock()
        for code in self._codes:
            is_here = not code.is_on_phone if phone is None else code.is_on_phone and code.seat == phone
            if is_here and code.is_shown(now):
                yield self._invitation(code)

    def _invitation(self, code: _Code) -> Invitation:
        typed = f"{code.typed[:4]}-{code.typed[4:]}"
        name = "" if code.seat is None else self.people[code.seat]
        return Invitation(self._base, code.text, typed, code.seat, name)

    def _sign(self) -> str:
        taken = {client.sign for client in self._seats.values()}
        return secrets.choice([sign for sign in _SIGNS if sign not in taken])


def _typed() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
