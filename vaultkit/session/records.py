"""The lines of a journal: what each may say, and how it is written and read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec

from vaultkit.errors import InvalidError
from vaultkit.games.options import Value
from vaultkit.games.words import Outcome, Seat
from vaultkit.session.seats import SeatSpec

SCHEMA = 1
_UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)  # bytes that are no text raise a ValueError


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: everything about a game that is settled before the first card is dealt.

    `options` are complete. `notes` is the caller's own (`campaign`, `character`...), handed back at resume. `known`
    holds the answers to chance turns, by name, that are no luck because they were known before the game. With
    `real_cards` people deal from the deck on the table and say what was turned; `unseen` then lists the chance turns
    and verbs of moves whose cards nobody tells the app: until a card is shown, another one stands in for it.
    """

    schema: int = SCHEMA
    game: str
    version: str
    session: str
    seed: int
    seats: tuple[SeatSpec, ...]
    options: dict[str, Value]
    deck: str
    fingerprint: str
    started: datetime
    real_cards: bool = False
    unseen: tuple[str, ...] = ()
    notes: dict[str, str] = {}
    known: dict[str, tuple[str, ...]] = {}

    def __post_init__(self) -> None:
        if not is_in_reach(self.started):
            raise ValueError("it was begun at no time that clocks know")

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits there, seat by seat."""
        return tuple(seat.name for seat in self.seats)


def is_in_reach(when: datetime) -> bool:
    """Whether a time can be told in every time zone."""
    return datetime.min.year < when.year < datetime.max.year


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Any later line, exactly one of: a seat's `move`, an answer of `chance`, an `undo_to`, a `swap`, or the `end`.

    A `swap` puts two cards in each other's place in all steps so far: one was shown, and the other had stood in for it.
    `n` numbers the steps of the game as it now stands, so it goes back after an undo. `tale` is a person's tale of
    their move (TF-29). `free` marks an undo that the safe rule would have refused (G-8); `at` is when the game ended.
    """

    n: int = 0
    seat: Seat | None = None
    move: str = ""
    auto: bool = False
    tale: str = ""
    chance: str = ""
    cards: tuple[str, ...] = ()
    undo_to: int | None = None
    free: bool = False
    swap: tuple[str, str] | None = None
    end: Outcome | None = None
    at: datetime | None = None

    @property
    def is_step(self) -> bool:
        return bool(self.move or self.chance)

    def exchange(self, others: Mapping[str, str]) -> "Entry":
        """The same step with other cards in the places of some."""
        move = " ".join(others.get(word, word) for word in self.move.split())
        return msgspec.structs.replace(self, move=move, cards=tuple(others.get(card, card) for card in self.cards))

    def __post_init__(self) -> None:
        told = (self.undo_to, self.swap, self.end)
        said = (bool(self.move), bool(self.chance), *(one is not None for one in told))
        if sum(said) != 1 or (self.n < 1) is self.is_step or (self.seat is None) is bool(self.move):
            raise ValueError("it is neither a move, a deal, an undo, a swap nor the end")
        if self.tale and not self.move:
            raise ValueError("it tells of a move, and there is none")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry and the number of its line in the file."""

    number: int
    entry: Entry


def encode(record: Header | Entry) -> bytes:
    """One line, newline included. A line without its newline was never finished."""
    return msgspec.json.encode(record) + b"\n"


def decode_header(line: bytes, where: str) -> Header:
    """The header. Raises InvalidError for another schema or anything that is not a header."""
    try:
        schema = msgspec.json.decode(line, type=_Schema).schema
    except _UNREADABLE as error:
        raise InvalidError(f"Line 1 of the journal cannot be read: {error}", where=where) from error
    if schema != SCHEMA:
        newer = schema > SCHEMA
        raise InvalidError(
            f"The journal is written in schema {schema}, and this vaultkit reads schema {SCHEMA}.",
            where=where,
            hint="Update vaultkit to go on with this game." if newer else "",
        )
    try:
        return msgspec.json.decode(line, type=Header)
    except _UNREADABLE as error:
        raise InvalidError(f"Line 1 of the journal cannot be read: {error}", where=where) from error


def decode_entry(line: bytes, number: int, where: str) -> Line:
    """One later line. Raises InvalidError that names the line."""
    try:
        return Line(number, msgspec.json.decode(line, type=Entry))
    except _UNREADABLE as error:
        raise InvalidError(f"Line {number} of the journal cannot be read: {error}", where=where) from error


class _Schema(msgspec.Struct):
    schema: int
