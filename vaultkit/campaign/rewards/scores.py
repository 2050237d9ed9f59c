"""The score sheet in the note of a game, read back. What somebody has edited there counts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.campaign.played import Participant, PlayedGame
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.games.dragon_citadel import scoring
from vaultkit.vault import Note, Vault
from vaultkit.vault.subpath import comparable
from vaultkit.vault.tables import Row, TableBlock, plain, tables

CROWNS = "crowns"
PLAYER = "player"
COLUMNS = (*scoring.SUITS, CROWNS)
_FEWEST = 3
"""So many of its columns make a table the score sheet; the others are then missed."""
_SUM = r"[0-9]{1,4}(?:\s*\+\s*[0-9]{1,4})*?"
_HEROES = r"(?P<heroes>[0-9]{1,2})\s*hero(?:e?s)?"
_CELL = re.compile(rf"(?P<sum>{_SUM})(?:\s*\+\s*{_HEROES})?|(?P<alone>[0-9]{{1,2}})\s*hero(?:e?s)?", re.IGNORECASE)
_NOTHING = frozenset("-\u2013\u2014\u2212")
_ROLLS = re.compile(r"[0-9]+ x row [0-9]+")


@dataclass(frozen=True)
class Scored:
    """One player's score sheet: `swords.total`, `swords.heroes` ... `crowns.count`."""

    player: Participant
    parts: Mapping[str, int]


def read_scores(game: PlayedGame, vault: Vault) -> tuple[Scored, ...]:
    """The score sheets of all who played, from the game's note; from its journal, if the note has none.

    Raises InvalidError that names the line of what cannot be read.
    """
    if not game.participants:
        raise InvalidError(
            "This note does not say who played.", where=game.note, hint="List them in its property 'players'."
        )
    sheet = _of_note(game, vault)
    if sheet is None:
        return _of_journal(game, vault)
    rows = sheet.rows_of(game.participants, vault)
    return tuple(Scored(player, sheet.of(player, row)) for player, row in zip(game.participants, rows, strict=True))


def unknown_players(game: PlayedGame, vault: Vault) -> tuple[str, ...]:
    """Names of the score sheet that are not among the note's players."""
    sheet = _of_note(game, vault)
    if sheet is None:
        return ()
    known = sheet.rows_of(game.participants, vault)
    return tuple(sheet.name(row) for row in sheet.rows if row not in known)


def _of_note(game: PlayedGame, vault: Vault) -> "_Sheet | None":
    note = vault.read(game.note)
    return next(filter(None, (_sheet(block, note) for block in tables(note))), None)


@dataclass(frozen=True)
class _Sheet:
    note: Note
    line: int
    columns: Mapping[str, int]
    rows: tuple[Row, ...]

    def of(self, player: Participant, row: Row | None) -> Mapping[str, int]:
        if row is None:
            raise _unreadable(self.note, self.line, f"The score sheet has no row for {player.name}.")
        return dict(self._parts(row))

    def rows_of(self, players: Sequence[Participant], vault: Vault) -> list[Row | None]:
        """Each player's row, None for none; of two players with one name, the first has the upper row."""
        found: list[Row | None] = []
        for player in players:
            found.append(next((row for row in self._rows_of(player, vault) if row not in found), None))
        return found

    def _rows_of(self, player: Participant, vault: Vault) -> Iterator[Row]:
        """Rows with a link to the player's note, then those with the player's name, or another of the note's."""
        names = {player.name.casefold()}
        facts = vault.facts.get(player.note)
        if facts:
            names.update(alias.casefold() for alias in facts.aliases)
        yield from (row for row in self.rows if player.note and self._linked(row, vault) == player.note)
        yield from (row for row in self.rows if self.name(row).casefold() in names)

    def name(self, row: Row) -> str:
        return plain(row.cells[self.columns[PLAYER]])

    def _linked(self, row: Row, vault: Vault) -> str | None:
        link = next((link for link in self.note.links if link.line == row.line), None)
        return vault.files.resolve(link.path, self.note.path).path if link and not link.external else None

    def _parts(self, row: Row) -> Iterator[tuple[str, int]]:
        for suit in scoring.SUITS:
            total, heroes = self._numbers(row, suit)
            yield f"{suit}.total", total
            yield f"{suit}.heroes", heroes
        crowns, heroes = self._numbers(row, CROWNS)
        if heroes:
            raise self._refused(row, CROWNS, "Crowns have no heroes.")
        yield "crowns.count", crowns

    def _numbers(self, row: Row, column: str) -> tuple[int, int]:
        """Total and heroes of a cell: `17 + 1 hero`, `8 + 9`, `1 hero`, a dash for nothing."""
        cell = plain(row.cells[self.columns[column]])
        if cell in _NOTHING:
            return 0, 0
        match = _CELL.fullmatch(cell)
        if match is None:
            raise self._refused(row, column, "Write a number, 0 for nothing, or a total with heroes: 17 + 1 hero.")
        total = sum(map(int, re.findall("[0-9]+", match["sum"] or "")))
        return total, int(match["heroes"] or match["alone"] or 0)

    def _refused(self, row: Row, column: str, hint: str) -> InvalidError:
        cell = plain(row.cells[self.columns[column]])
        what = f"'{cell}' is no score" if cell else "There is no score"
        return InvalidError(
            f"{what}: {column.capitalize()} of {self.name(row)}.", where=f"{self.note.path}:{row.line}", hint=hint
        )


def _sheet(block: TableBlock, note: Note) -> _Sheet | None:
    """A table as the score sheet, None if it is another one."""
    heads = [comparable(plain(cell)) for cell in block.header.cells]
    columns = {name: heads.index(name) for name in (PLAYER, *COLUMNS) if name in heads}
    if PLAYER not in columns or len(columns) < 1 + _FEWEST or _is_rolls(block, note):
        return None
    line = block.header.line
    for name in COLUMNS:
        if name not in columns:
            raise _unreadable(note, line, f"The score sheet has no column {name.capitalize()}.")
    rows = tuple(row for row in block.rows if any(row.cells))
    short = next((row for row in rows if len(row.cells) <= max(columns.values())), None)
    if short:
        raise _unreadable(note, short.line, "This row of the score sheet is cut off.")
    return _Sheet(note, line, columns, rows)


def _is_rolls(block: TableBlock, note: Note) -> bool:
    """Whether it is the table of what has been earned, which has the same columns."""
    above = [heading.text for heading in note.headings if heading.line < block.header.line]
    told = any(_ROLLS.search(cell) for row in block.rows for cell in row.cells)
    return told or (bool(above) and comparable(above[-1]) == "reward rolls")


def _unreadable(note: Note, line: int, message: str) -> InvalidError:
    return InvalidError(
        message,
        where=f"{note.path}:{line}",
        hint="Mend the table: Player, Swords, Stars, Glyphs, Coins and Crowns, and a row for each of the players.",
    )


def _of_journal(game: PlayedGame, vault: Vault) -> tuple[Scored, ...]:
    """Raises InvalidError where neither note nor journal has the scores."""
    scores = _outcome(game, vault)
    if len(scores) != len(game.participants):
        raise InvalidError(
            "This note has no score sheet.",
            where=game.note,
            hint="Give it a table with the columns Player, Swords, Stars, Glyphs, Coins and Crowns.",
        )
    keys = [f"{suit}.{part}" for suit in scoring.SUITS for part in ("total", "heroes")] + ["crowns.count"]
    parts = ({key: score.get(key, 0) for key in keys} for score in scores)
    return tuple(Scored(player, part) for player, part in zip(game.participants, parts, strict=True))


def _outcome(game: PlayedGame, vault: Vault) -> Sequence[Mapping[str, int]]:
    """What the game's journal says of the scores, nothing if there is none that can be read."""
    from vaultkit.session.journal import read

    if not re.fullmatch("[a-z0-9-]+", game.session):
        return ()
    try:
        end = read(vault.root / ".vaultkit" / "journals" / f"{game.session}.jsonl").end
    except VaultkitError:
        return ()
    return end.end.scores if end and end.end else ()
