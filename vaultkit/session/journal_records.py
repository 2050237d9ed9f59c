"""The kinds of lines in a journal of schemas 2 and 3, and functions to encode and decode them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

import msgspec

from vaultkit.errors import InvalidError
from vaultkit.games.ledger import LedgerLine
from vaultkit.games.messages import Outcome, Seat
from vaultkit.games.options import Value
from vaultkit.games.question import Answer
from vaultkit.games.scoresheet import SeatTally
from vaultkit.session.journal_files import kind_of_line
from vaultkit.session.seats import SeatSpec

SCHEMA = 3
"""The schema of new journals. Schema 2 has no line for a concession, and is read as schema 3."""
DECODE_ERRORS = (msgspec.MsgspecError, ValueError, RecursionError)
"""The exceptions that decoding a line can raise: ValueError is for bytes that are not UTF-8, for example."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The agreements before a game, besides its rules, that are needed again when it is resumed.

    `campaign` names the note in which the game is logged; None means the campaign of the settings. `is_logged` is False
    if the game is not logged. `tells_story` says that players add their own texts to moves (TF-29). `gm` is the name of
    a GM without a seat who makes the choices that the rules leave to luck (DC-2). `character` and `encounter` are vault
    paths, and `on_loss` is the text about a loss in the note of the encounter (DD-11). `settled_options` lists the
    options set by notes of the vault, which do not count as house rules. `match` is the id of the match that the game
    belongs to; `match_games` is the maximum number of games of a match, 0 for a single game. `asks_scores` says that
    the entries of a game on paper are answers to the questions of its score sheet, and not moves.
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
    asks_scores: bool = False


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of the journal of a game or a match, with everything that is decided before the first deal.

    `options` contains all options that the game had in that `version` of vaultkit. `deck` and `fingerprint` are the
    kind and the checksum of the deck. `known` maps the names of chance turns to answers that are not left to luck. With
    `real_cards` people deal from a physical deck and enter the cards that they turn; `unseen` then lists the names of
    chance turns and the verbs of moves whose cards nobody enters: placeholders are used until the cards are shown. The
    header of a match has the same fields, from which the headers of its games are made.
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
        if not is_valid_in_every_zone(self.started):
            raise ValueError("its start time is not valid")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in the order of the seats."""
        return tuple(seat.name for seat in self.seats)


class PaperHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of the journal of a game on paper, of which only scores or scoring entries are recorded.

    `started` is set if the game is recorded entry by entry while it is played. `definition` is the id of the definition
    of the score sheet; it is "" for a game that can be played in vaultkit, and in files of version 0.3.
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
        if self.started is not None and not is_valid_in_every_zone(self.started):
            raise ValueError("its start time is not valid")


def is_valid_in_every_zone(when: datetime) -> bool:
    """Return whether a time can be converted to every time zone."""
    return datetime.min.year < when.year < datetime.max.year


class Record(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"
):
    """The base class for the lines of a journal after the first."""


class MoveRecord(Record, frozen=True, tag="move"):
    """A move of a seat.

    `n` is the number of the step, which occurs again after an undo. `auto` marks a move that vaultkit made because it
    was the only one; `tale` is the player's own text about the move (TF-29).
    """

    n: int
    seat: Seat
    move: str
    auto: bool = False
    tale: str = ""

    def exchange(self, replacements: Mapping[str, str]) -> "MoveRecord":
        """Return a copy of the move with cards replaced as `replacements` maps them."""
        move = " ".join(replacements.get(word, word) for word in self.move.split())
        return msgspec.structs.replace(self, move=move)


class DealRecord(Record, frozen=True, tag="deal"):
    """The answer to the chance turn with the name `chance`, as the step with the number `n`."""

    n: int
    chance: str
    cards: tuple[str, ...] = ()

    def exchange(self, replacements: Mapping[str, str]) -> "DealRecord":
        """Return a copy of the deal with cards replaced as `replacements` maps them."""
        return msgspec.structs.replace(self, cards=tuple(replacements.get(card, card) for card in self.cards))


class ConcedeRecord(Record, frozen=True, tag="concede"):
    """The concession of a seat (G-14), as the step with the number `n`."""

    n: int
    seat: Seat

    def exchange(self, replacements: Mapping[str, str]) -> "ConcedeRecord":  # noqa: ARG002
        """Return the same concession, which names no card."""
        return self


class UndoRecord(Record, frozen=True, tag="undo"):
    """The undo of all steps after step `to`; `free` marks one that the rule "safe" would have refused (G-8)."""

    to: int
    free: bool = False


class SwapRecord(Record, frozen=True, tag="swap"):
    """The exchange of two cards in all steps so far, because a card is shown that had a placeholder."""

    cards: tuple[str, str]


class EndRecord(Record, frozen=True, tag="end"):
    """The end of a game. `at` is its time, None in journals of version 0.3 without the time."""

    outcome: Outcome
    at: datetime | None = None


class EntryRecord(Record, frozen=True, tag="entry"):
    """A typed entry in the score sheet of a game on paper; `n` is the number of the entry."""

    n: int
    words: LedgerLine


class ScoresRecord(Record, frozen=True, tag="scores"):
    """The scores of a game on paper: the answers of each seat, and the answers common to all seats.

    `note` is a free text. `forced` marks scores that vaultkit doubted and somebody confirmed. `at` is the time of the
    end of a game that was recorded entry by entry, None for other games.
    """

    seats: tuple[SeatTally, ...]
    common: dict[str, Answer] = {}
    note: str = ""
    forced: bool = False
    at: datetime | None = None


class EditRecord(Record, frozen=True, tag="edit"):
    """A correction of a game on paper: everything that may differ from the header and from earlier scores."""

    date: date
    names: tuple[str, ...]
    options: dict[str, Value]
    scores: ScoresRecord


StepRecord = MoveRecord | DealRecord | ConcedeRecord
AnyRecord = StepRecord | UndoRecord | SwapRecord | EndRecord | EntryRecord | ScoresRecord | EditRecord
AnyHeader = Header | PaperHeader


@dataclass(frozen=True, slots=True)
class Line:
    """A record and the number of its line in the file; the header is line 1."""

    number: int
    record: AnyRecord


class _SchemaLine(msgspec.Struct):
    schema: int


def encode(record: AnyHeader | AnyRecord) -> bytes:
    """Return a record as one line that ends in a newline. A line without a newline was not written completely."""
    return msgspec.json.encode(record) + b"\n"


def schema_of(line: bytes, where: str) -> int:
    """Return the number of the schema in the first line of a journal.

    `where` is the path for the message. Raises one of `DECODE_ERRORS` if the line cannot be decoded, and InvalidError
    if this version of vaultkit cannot read the schema.
    """
    schema = msgspec.json.decode(line, type=_SchemaLine).schema
    if not 1 <= schema <= SCHEMA:
        raise InvalidError(
            f"The journal is written in schema {schema}, and this vaultkit reads schemas 1 to {SCHEMA}.",
            where=where,
            hint="Update vaultkit to continue this game." if schema > SCHEMA else "",
        )
    return schema


def decode_header(line: bytes) -> AnyHeader:
    """Return the header in the first line of a journal in schema 2 or 3. Raises one of `DECODE_ERRORS`."""
    if kind_of_line(line) == "paper":
        return msgspec.json.decode(line, type=PaperHeader)
    return msgspec.json.decode(line, type=Header)


def decode_record(line: bytes) -> AnyRecord:
    """Return the record in a line after the first of a journal in schema 2 or 3. Raises one of `DECODE_ERRORS`."""
    record: AnyRecord = msgspec.json.decode(line, type=AnyRecord)
    return record
