"""A reader of journals of version 0.3 (schema 1), a format that is supported forever and never written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.games.ledger import LedgerLine
from vaultkit.games.scoresheet import Tally
from vaultkit.session.journal_records import (
    DECODE_ERRORS,
    SCHEMA,
    Agreement,
    AnyRecord,
    DealRecord,
    EndRecord,
    EntryRecord,
    Header,
    MoveRecord,
    PaperHeader,
    ScoresRecord,
    SwapRecord,
    UndoRecord,
    is_valid_in_every_zone,
)
from vaultkit.text import parse_whole_number

_RECORDS_BY_KEY: Mapping[str, tuple[str, type[AnyRecord]]] = {
    "move": ("move", MoveRecord), "chance": ("chance", DealRecord), "undo_to": ("to", UndoRecord),
    "swap": ("cards", SwapRecord), "end": ("outcome", EndRecord),
}  # fmt: skip
"""By the key that tells what a line of schema 1 is: the key and the record of today."""


def decode_header(line: bytes) -> Header:
    """Return the header in the first line of the journal of a game or a match in schema 1.

    Raises one of `DECODE_ERRORS` if the line cannot be decoded.
    """
    fields = msgspec.json.decode(line, type=dict[str, Any])
    agreement = _convert_agreement(msgspec.convert(fields.pop("notes", {}), dict[str, str]))
    kind = "match" if agreement.match_games and not agreement.match else "game"
    header = msgspec.convert({**fields, "kind": kind, "schema": SCHEMA}, Header)
    return msgspec.structs.replace(header, agreement=agreement)


def _convert_agreement(notes: dict[str, str]) -> Agreement:
    return Agreement(
        campaign=notes.get("campaign"),
        is_logged=notes.get("log") != "no",
        tells_story="story" in notes,
        gm=notes.get("gm", ""),
        character=notes.get("character", ""),
        encounter=notes.get("encounter", ""),
        on_loss=notes.get("on_loss", ""),
        settled_options=tuple(notes.get("settled", "").split()),
        match=notes.get("match", ""),
        match_games=parse_whole_number(notes.get("match-of", "")) or 0,
    )


def decode_record(line: bytes) -> AnyRecord:
    """Return the record in a line after the first of a journal in schema 1.

    Raises one of `DECODE_ERRORS` if the line cannot be decoded.
    """
    values = msgspec.json.decode(line, type=dict[str, Any])
    fields = {key: value for key, value in values.items() if value not in ("", None)}
    keys = [key for key in _RECORDS_BY_KEY if key in fields]
    if len(keys) != 1:
        raise ValueError("it is neither a move, a deal, an undo, a swap nor the end")
    new_key, record_type = _RECORDS_BY_KEY[keys[0]]
    fields[new_key] = fields.pop(keys[0])
    return msgspec.convert(fields, record_type)


@dataclass(frozen=True)
class _EntryLog:
    """The entries of a game on paper that is recorded entry by entry; `ended` is None until it is over."""

    started: datetime
    entries: tuple[LedgerLine, ...] = ()
    ended: datetime | None = None
    wants_log: bool = True


@dataclass(frozen=True)
class _Paper:
    """A game on paper: its scores, and its entries (`record`) if it was recorded entry by entry."""

    game: str
    date: date
    names: tuple[str, ...]
    tally: Tally
    note: str = ""
    forced: bool = False
    campaign: str | None = None
    record: _EntryLog | None = None
    definition: str = ""


class _PaperFile(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of the file of a game on paper."""

    schema: int = 1
    session: str
    version: str
    paper: _Paper

    def check(self) -> None:
        """Raise ValueError for contents with the right types but impossible values."""
        paper, entry_log = self.paper, self.paper.record
        if self.schema != 1:
            raise ValueError(f"it is written in schema {self.schema}, and this vaultkit reads schema 1")
        if not paper.names or len(paper.names) != len(paper.tally.seats):
            raise ValueError("there are not as many players as scores")
        times = [time for time in (entry_log.started, entry_log.ended) if time] if entry_log else []
        if not all(map(is_valid_in_every_zone, times)) or len({time.tzinfo is None for time in times}) > 1:
            raise ValueError("their start or end time is not valid")


def read_paper(path: Path) -> tuple[PaperHeader, tuple[AnyRecord, ...]]:
    """Return the header and the records of the file of a game on paper, converted to schema 2.

    Raises InvalidError for a file that cannot be read or decoded.
    """
    try:
        file = msgspec.json.decode(files.read_state(path), type=_PaperFile)
        file.check()
        if file.session != path.stem:
            raise ValueError(f"they are those of {file.session}, under another name")
    except (*DECODE_ERRORS, OSError) as error:
        raise InvalidError(str(error), where=str(path)) from error
    paper, entry_log = file.paper, file.paper.record
    header = PaperHeader(
        session=file.session,
        version=file.version,
        game=paper.game,
        date=paper.date,
        names=paper.names,
        options=dict(paper.tally.options),
        started=entry_log.started if entry_log else None,
        agreement=Agreement(campaign=paper.campaign, is_logged=entry_log.wants_log if entry_log else True),
        definition=paper.definition,
    )
    records: list[AnyRecord] = []
    if entry_log:
        records += [EntryRecord(n=n, words=words) for n, words in enumerate(entry_log.entries, 1)]
    if not entry_log or entry_log.ended:
        scores = ScoresRecord(
            seats=paper.tally.seats,
            common=dict(paper.tally.common),
            note=paper.note,
            forced=paper.forced,
            at=entry_log.ended if entry_log else None,
        )
        records.append(scores)
    return header, tuple(records)
