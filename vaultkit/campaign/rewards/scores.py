"""The score sheet in the note of a game, read back. What somebody has edited there counts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.campaign.keys import SESSION
from vaultkit.campaign.played import Participant, PlayedGame, originals, played_games
from vaultkit.campaign.scoretable import PLAYER, ScoreTable, score_table
from vaultkit.errors import InvalidError, MissingNote, NothingFound, UsageError, VaultkitError
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.games.words import listing
from vaultkit.session.ids import by_ending, one_by_ending
from vaultkit.session.store import Store
from vaultkit.spelling import did_you_mean_by
from vaultkit.vault import Note, Vault
from vaultkit.vault.subpath import comparable
from vaultkit.vault.tables import Row, TableBlock, tables
from vaultkit.vault.writing.history.entry import JOURNALS

CROWNS = "crowns"
COLUMNS = (*scoring.SUITS, CROWNS)
_FEWEST = 3
"""So many of its columns make a table the score sheet; the others are then missed."""
_SUM = r"[0-9]{1,4}(?:\s*\+\s*[0-9]{1,4})*?"
_HEROES = r"(?P<heroes>[0-9]{1,2})\s*hero(?:e?s)?"
_CELL = re.compile(rf"(?P<sum>{_SUM})(?:\s*\+\s*{_HEROES})?|(?P<alone>[0-9]{{1,2}})\s*hero(?:e?s)?", re.IGNORECASE)
_NOTHING = frozenset("-\u2013\u2014\u2212")
_ROLLS = re.compile(r"[0-9]+ [x×] row [0-9]+")


@dataclass(frozen=True)
class Scored:
    """One player's score sheet: `swords.total`, `swords.heroes` ... `crowns.count`.

    `line` is that of the row in the game's note, 0 without one, and `total` the sum that the row names, if it does.
    """

    player: Participant
    parts: Mapping[str, int]
    line: int = 0
    total: int | None = None


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
    rows = sheet.table.of(game.participants, vault)
    return tuple(sheet.of(player, row) for player, row in zip(game.participants, rows, strict=True))


def unknown_players(game: PlayedGame, vault: Vault) -> tuple[str, ...]:
    """Names of the score sheet that are not among the note's players."""
    sheet = _of_note(game, vault)
    if sheet is None:
        return ()
    known = sheet.table.of(game.participants, vault)
    return tuple(sheet.table.name(row) for row in sheet.table.rows if row not in known)


def _of_note(game: PlayedGame, vault: Vault) -> "_Sheet | None":
    note = vault.read(game.note)
    return next(filter(None, (_sheet(block, note) for block in tables(note))), None)


@dataclass(frozen=True)
class _Sheet:
    table: ScoreTable

    def of(self, player: Participant, row: Row | None) -> Scored:
        if row is None:
            raise _unreadable(self.table, self.table.line, f"The score sheet has no row for {player.name}.")
        return Scored(player, dict(self._parts(row)), row.line, self.table.total(row))

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
        cell = self.table.cell(row, column)
        if cell in _NOTHING:
            return 0, 0
        match = _CELL.fullmatch(cell)
        if match is None:
            raise self._refused(row, column, "Write a number, 0 for nothing, or a total with heroes: 17 + 1 hero.")
        total = sum(map(int, re.findall("[0-9]+", match["sum"] or "")))
        return total, int(match["heroes"] or match["alone"] or 0)

    def _refused(self, row: Row, column: str, hint: str) -> InvalidError:
        cell = self.table.cell(row, column)
        what = f"'{cell}' is no score" if cell else "There is no score"
        message = f"{what}: {column.capitalize()} of {self.table.name(row)}."
        return InvalidError(message, where=f"{self.table.note.path}:{row.line}", hint=hint)


def _sheet(block: TableBlock, note: Note) -> _Sheet | None:
    """A table as the score sheet, None if it is another one."""
    table = score_table(block, note)
    if table is None:
        return None
    missing = [name for name in COLUMNS if name not in table.columns]
    if len(COLUMNS) - len(missing) < _FEWEST or _is_rolls(block, note):
        return None
    if missing:
        raise _unreadable(table, table.line, f"The score sheet has no column {missing[0].capitalize()}.")
    last = max(table.columns[name] for name in (PLAYER, *COLUMNS))
    short = next((row for row in table.rows if len(row.cells) <= last), None)
    if short:
        raise _unreadable(table, short.line, "This row of the score sheet is cut off.")
    return _Sheet(table)


def _is_rolls(block: TableBlock, note: Note) -> bool:
    """Whether it is the table of what has been earned, which has the same columns."""
    above = [heading.text for heading in note.headings if heading.line < block.header.line]
    told = any(_ROLLS.search(cell) for row in block.rows for cell in row.cells)
    return told or (bool(above) and comparable(above[-1]) == "reward rolls")


def _unreadable(table: ScoreTable, line: int, message: str) -> InvalidError:
    return InvalidError(
        message,
        where=f"{table.note.path}:{line}",
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
        end = read(vault.root / JOURNALS / f"{game.session}.jsonl").end
    except VaultkitError:
        return ()
    return end.end.scores if end and end.end else ()


def _titles() -> str:
    """The games whose scores earn something."""
    return listing(tuple(info.title for info in GAMES.values() if info.rewards), "or")


def game_of(game: PlayedGame) -> GameInfo | None:
    """The game of a note, if its score earns something; the session tells it where the note has lost its tag."""
    return next((info for info in GAMES.values() if info.rewards and _is_of(game, info)), None)


def _is_of(game: PlayedGame, info: GameInfo) -> bool:
    return game.game == info.id or (not game.game and f"-{info.id}-" in game.session)


def find_game(vault: Vault, wanted: str, party: Sequence[str] = ()) -> PlayedGame:
    """The game that `wanted` means: a session id, its last letters, or the name or path of its note.

    "" is for the newest one that earns something; `party` are the players of the settings. Raises NothingFound with a
    suggestion or with all that are meant, and UsageError for another game.
    """
    games = tuple(played_games(vault, party))
    copied = copies(vault)
    single = [game for game in games if game.note not in copied]
    if not wanted.strip():
        return _newest([game for game in single if game_of(game)], vault)
    by_id = {game.session: game for game in single}
    session = one_by_ending(by_id, wanted)
    found = by_id[session] if session else _by_note(vault, games, wanted)
    if found is None:
        raise NothingFound(
            f"There is no note of a game '{wanted}'.", where=str(vault.root), hint=_hint(vault, games, wanted)
        )
    if not game_of(found):
        raise UsageError(
            f"Only {_titles()} has rewards, and this was {found.title}.",
            where=found.note,
            hint=_without_a_name(),
        )
    return found


def copies(vault: Vault) -> Mapping[str, str]:
    """Notes of a session that another note tells, too, as a sync tool leaves them, by that other note."""
    return originals(vault.note_facts)[1]


def _without_a_name() -> str:
    return f"Without a name, the newest game of {_titles()} is taken: vaultkit rewards"


def _newest(games: Sequence[PlayedGame], vault: Vault) -> PlayedGame:
    if not games:
        raise NothingFound(
            f"No game of {_titles()} has a note in this vault yet.",
            where=str(vault.root),
            hint=" ".join(
                f"Play one with: vaultkit play {info.id}. One at the table is written down with: vaultkit log {info.id}"
                for info in GAMES.values()
                if info.rewards
            ),
        )
    return max(games, key=lambda game: game.order)


def _by_note(vault: Vault, games: Sequence[PlayedGame], wanted: str) -> PlayedGame | None:
    try:
        note = vault.find(wanted)
    except MissingNote:
        return None
    found = next((game for game in games if game.note == note.path), None)
    if found is None:
        raise NothingFound("This is not the note of a game.", where=note.path, hint=f"It has no property {SESSION}.")
    return found


def _hint(vault: Vault, games: Sequence[PlayedGame], wanted: str) -> str:
    played = by_ending(Store(vault.root / JOURNALS).ids(), wanted)
    if len(played) == 1:
        return f"That game has no note yet. Write it with: vaultkit log --session {played[0]}"
    known = [game for game in games if game_of(game)]
    names = {name: name for game in known for name in (game.session, game.note)}
    names |= {game.session[-4:]: game.session for game in known}
    names |= {game.note.rpartition("/")[2].removesuffix(".md"): game.note for game in known}
    return did_you_mean_by(wanted, names) or _without_a_name()
