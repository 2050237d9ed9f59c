"""The lines of a journal in schema 2: their kinds, and how they are written and read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

import msgspec

from vaultkit.errors import InvalidError
from vaultkit.games.ledger import LedgerLine
from vaultkit.games.options import Value
from vaultkit.games.question import Answer
from vaultkit.games.scoresheet import SeatTally
from vaultkit.games.words import Outcome, Seat
from vaultkit.session.journal_files import kind_of_line
from vaultkit.session.seats import SeatSpec

SCHEMA = 2
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
"""Errors of decoding a line; bytes that are not UTF-8 raise a ValueError."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that was agreed before a game besides its rules, handed back when the game is resumed.

    `campaign` names the note in which the game is logged, None for that of the settings; `is_logged` is False where
    no note was wished for. `gm` is the name of a GM without a seat who plays what the rules leave to luck (DC-2).
    `character` and `encounter` are vault paths, `on_loss` is what the encounter's note says of a loss (DD-11).
    `settled_options` lists the options that notes of the vault have settled, which are no house rules. `match` is the
    id of the match that the game is part of; `match_games` the most games that a match may have, 0 for a single game.
    """

    campaign: str | None = None
    is_logged: bool = True
    tells_story: bool = False
    gm: str = ""
    character: str = ""
    encounter: str = ""
    on_loss: str = ""
    settled_options: tuple[str, ...] = ()
    match: str = ""
    match_games: int = 0


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a game or a match: everything that is settled before the first card is dealt.

    `options` are all that the `version` knew that wrote them (`options.settle_recorded`). `known` holds the answers to
    chance turns, by name, that are no luck because they were known before the game. With `real_cards` people deal from
    the deck on the table and say what was turned; `unseen` then lists the chance turns and verbs of moves whose cards
    nobody tells the app: until a card is shown, another one stands in for it. The header of a match is that of its
    first game.
    """

    kind: Literal["game", "match"] = "game"
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
    agreement: Agreement = Agreement()
    known: dict[str, tuple[str, ...]] = {}

    def __post_init__(self) -> None:
        if not is_in_reach(self.started):
            raise ValueError("it was begun at no time that clocks know")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, seat by seat."""
        return tuple(seat.name for seat in self.seats)


class PaperHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a game with real cards of which only the scores, or the deciding entries, are written down.

    `started` is there if it is written down entry by entry. `definition` is the id of the score sheet's definition, ""
    for a game that can be played here, and in files of version 0.3.
    """

    kind: Literal["paper"] = "paper"
    schema: int = SCHEMA
    session: str
    version: str
    game: str
    date: date
    names: tuple[str, ...]
    options: dict[str, Value]
    started: datetime | None = None
    agreement: Agreement = Agreement()
    definition: str = ""

    def __post_init__(self) -> None:
        if not self.names:
            raise ValueError("it has no players")
        if self.started is not None and not is_in_reach(self.started):
            raise ValueError("it was begun at no time that clocks know")


def is_in_reach(when: datetime) -> bool:
    """Return whether a time can be told in every time zone."""
    return datetime.min.year < when.year < datetime.max.year


class Record(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"
):
    """Any line of a journal but the first."""


class MoveRecord(Record, frozen=True, tag="move"):
    """A seat's move. `n` numbers the steps of the game as it now stands, so it goes back after an undo.

    `auto` marks a move that the app made because there was no other; `tale` is the player's tale of it (TF-29).
    """

    n: int
    seat: Seat
    move: str
    auto: bool = False
    tale: str = ""

    def exchange(self, others: Mapping[str, str]) -> "MoveRecord":
        """Return the move with other cards in the places of some."""
        move = " ".join(others.get(word, word) for word in self.move.split())
        return msgspec.structs.replace(self, move=move)


class DealRecord(Record, frozen=True, tag="deal"):
    """The answer to a chance turn, by its name."""

    n: int
    chance: str
    cards: tuple[str, ...] = ()

    def exchange(self, others: Mapping[str, str]) -> "DealRecord":
        """Return the deal with other cards in the places of some."""
        return msgspec.structs.replace(self, cards=tuple(others.get(card, card) for card in self.cards))


class UndoRecord(Record, frozen=True, tag="undo"):
    """Everything after step `to` is taken back. `free` marks an undo that the safe rule would have refused (G-8)."""

    to: int
    free: bool = False


class SwapRecord(Record, frozen=True, tag="swap"):
    """Two cards change places in all steps so far: one was shown, and the other had stood in for it."""

    cards: tuple[str, str]


class EndRecord(Record, frozen=True, tag="end"):
    """The end of a game; `at` is None where a journal of version 0.3 does not say when."""

    outcome: Outcome
    at: datetime | None = None


class EntryRecord(Record, frozen=True, tag="entry"):
    """An entry of a game that is written down with real cards, as it was typed. `n` numbers the entries."""

    n: int
    words: LedgerLine


class ScoresRecord(Record, frozen=True, tag="scores"):
    """The answers of each seat, and those that hold for all, of a game with real cards.

    `at` is when it ended, of a game that was written down entry by entry.

    `forced` says that somebody insisted on what is doubted; `note` is a free sentence.
    """

    seats: tuple[SeatTally, ...]
    common: dict[str, Answer] = {}
    note: str = ""
    forced: bool = False
    at: datetime | None = None


StepRecord = MoveRecord | DealRecord
AnyRecord = MoveRecord | DealRecord | UndoRecord | SwapRecord | EndRecord | EntryRecord | ScoresRecord
AnyHeader = Header | PaperHeader


@dataclass(frozen=True, slots=True)
class Line:
    """A record and the number of its line in the file, which is 2 for the first record."""

    number: int
    record: AnyRecord


class _Start(msgspec.Struct):
    schema: int


def encode(record: AnyHeader | AnyRecord) -> bytes:
    """Return one line, newline included. A line without its newline was never finished."""
    return msgspec.json.encode(record) + b"\n"


def schema_of(line: bytes, where: str) -> int:
    """Return the schema that a first line names. Raises InvalidError for one that this version cannot read."""
    try:
        schema = msgspec.json.decode(line, type=_Start).schema
    except UNREADABLE as error:
        raise unreadable(1, error, where) from error
    if not 1 <= schema <= SCHEMA:
        raise InvalidError(
            f"The journal is written in schema {schema}, and this vaultkit reads schemas 1 to {SCHEMA}.",
            where=where,
            hint="Update vaultkit to go on with this game." if schema > SCHEMA else "",
        )
    return schema


def decode_header(line: bytes, where: str) -> AnyHeader:
    """Return the header of schema 2 in a first line. Raises InvalidError for anything else."""
    try:
        if kind_of_line(line) == "paper":
            return msgspec.json.decode(line, type=PaperHeader)
        return msgspec.json.decode(line, type=Header)
    except UNREADABLE as error:
        raise unreadable(1, error, where) from error


def decode_record(line: bytes, number: int, where: str) -> Line:
    """Return the record in a later line. Raises InvalidError that names the line."""
    try:
        return Line(number, msgspec.json.decode(line, type=AnyRecord))
    except UNREADABLE as error:
        raise unreadable(number, error, where) from error


def unreadable(number: int, error: Exception, where: str) -> InvalidError:
    """Return the error of a line that cannot be decoded."""
    return InvalidError(f"Line {number} of the journal cannot be read: {error}", where=where)
