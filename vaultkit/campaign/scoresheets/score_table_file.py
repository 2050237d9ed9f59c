"""Tables of scores as spreadsheets, notes and chats have them: a row for each round, or a row for each player."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultkit.campaign.scoresheets.answer_parser import is_blank
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, PaperSeat, PaperWords
from vaultkit.errors import InvalidError
from vaultkit.games.definition import Rounds
from vaultkit.games.scoresheet import SCORE, ScoreSheet
from vaultkit.text import lookalike_key, name_key, name_sort_key
from vaultkit.vault.text_positions import LINE_END

_NAME_HEADS = frozenset(
    ["player", "players", "name", "names", "spieler", "joueur", "jugador", "giocatore", "プレイヤー", "名前"]
)
_TOTAL_LABELS = frozenset(["total", "totals", "sum", "score", "summe", "gesamt", "somme", "totale", "合計", "計"])
_NUMBERED_LABEL = re.compile(r"(\D*?)\s*(\d{1,3})(?:\D+)??\s*[.:,)]?\s*(\D*)")
_RULE = re.compile(r"[\s|:=-]*-[\s|:=-]*")
"""The line below the header of a Markdown table."""
_HINT = "Write the players into the first row, and the answers of a round into each other; or a row for each player."


def is_table(text: str) -> bool:
    """Return whether a text is a table and not TOML: its first line has separators and no `=`."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    is_toml = "=" in line or re.match(r"\s*(?:\[|#(?!\s*[\t;,|]))", line)
    return bool(re.search(r"[\t;,|]", line)) and not is_toml


@dataclass(frozen=True)
class _FileRow:
    """A row of a table with its cells and its place."""

    cells: tuple[str, ...]
    where: str


def read_table(text: str, where: str, sheet: ScoreSheet) -> PaperRecord:
    """Return the scores in the table of the file `where`. Raises InvalidError, with the line, for another table."""
    rows = list(_rows(text, where))
    if len(rows) < 2 or len(rows[0].cells) < 2:
        raise InvalidError("This is not a table of scores.", where=where, hint=_HINT)
    head, *body = rows
    if too_long := next((row for row in body if any(row.cells[len(head.cells) :])), None):
        count = len([*filter(None, too_long.cells)])
        raise InvalidError(f"This row has {count} cells, and the first row {len(head.cells)}.", where=too_long.where)
    is_by_player = _has_players_in_rows(head, sheet)
    seats = _players_in_rows(head, body) if is_by_player else _players_in_columns(head, body, sheet)
    return PaperRecord(sheet.id, seats=tuple(seats), where=where)


def _rows(text: str, where: str) -> Iterator[_FileRow]:
    """Yield the rows with any content, by the separator that the first of them has."""
    lines = LINE_END.split(text)
    first_line = next(filter(str.strip, lines), "")
    separator = next((sign for sign in "\t;|," if sign in first_line), ",")
    if separator == "|":
        lines = ["" if _RULE.fullmatch(line) else line.strip().removeprefix("|").removesuffix("|") for line in lines]
    reader = csv.reader(lines, delimiter=separator)
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield _FileRow(tuple(cell.strip().replace("\\-", "-") for cell in cells), f"{where}:{reader.line_num}")
    except csv.Error as error:
        message = "A cell of this table is too long, or its quote is not closed."
        raise InvalidError(message, where=f"{where}:{reader.line_num}", hint=_HINT) from error


def _has_players_in_rows(head: _FileRow, sheet: ScoreSheet) -> bool:
    """Return whether the header names columns of the sheet, and not players."""
    if lookalike_key(head.cells[0]) in _NAME_HEADS:
        return True
    columns = sheet.definition.columns
    names = {lookalike_key(name) for column in columns for name in (column.key, column.label)}
    return any(lookalike_key(cell) in names for cell in head.cells[1:])


def _players_in_rows(head: _FileRow, body: Sequence[_FileRow]) -> Iterator[PaperSeat]:
    keys = [_total_key(cell) or lookalike_key(cell) for cell in head.cells[1:]]
    for row in body:
        if not row.cells[0]:
            raise InvalidError("This row has no player.", where=row.where, hint=_HINT)
        cells = zip(keys, row.cells[1:], strict=False)
        words = {key: PaperWords(cell, row.where) for key, cell in cells if not is_blank(cell)}
        yield PaperSeat(row.cells[0], words, row.where)


def _players_in_columns(head: _FileRow, body: Sequence[_FileRow], sheet: ScoreSheet) -> Iterator[PaperSeat]:
    start = 1 if _has_labels(head, body, sheet) else 0
    keys = _round_keys(body, start, sheet)
    if len({name_key(name) for name in head.cells[start:]}) < len(head.cells[start:]):
        raise InvalidError("The first row has a name twice, or a column without a name.", where=head.where, hint=_HINT)
    for column, name in enumerate(head.cells[start:], start):
        if not name:
            raise InvalidError("A column has no name.", where=head.where, hint=_HINT)
        cells = [(key, row.where, "".join(row.cells[column:][:1])) for key, row in zip(keys, body, strict=True)]
        words = {key: PaperWords(cell, where) for key, where, cell in cells if not is_blank(cell)}
        yield PaperSeat(name, words, head.where)


def _has_labels(head: _FileRow, body: Sequence[_FileRow], sheet: ScoreSheet) -> bool:
    """Return whether the first column labels the rows, such as `Deal 3`, `3` or `Swords`."""
    labels = [row.cells[0] for row in body]
    rounds, word = sheet.definition.rounds, lookalike_key(head.cells[0])
    is_counted = len(labels) > 1 and sorted(labels, key=name_sort_key) == [str(n) for n in range(1, len(labels) + 1)]
    has_words = any(re.search(r"[^\W\d_]", label) for label in labels if not _total_key(label))
    return not word or is_counted or has_words or bool(rounds and word in (rounds.id, lookalike_key(rounds.name)))


def _round_keys(body: Sequence[_FileRow], start: int, sheet: ScoreSheet) -> list[str]:
    """Return the key of each row: that of a box in a round, or the name of a column of the whole game."""
    definition, keys = sheet.definition, list[str]()
    rounds = definition.rounds
    columns = [column for column in definition.columns if column.is_asked and definition.is_per_round(column)]
    for number, row in enumerate(body, 1):
        label = row.cells[0] if start else str(number)
        if total := _total_key(label):
            keys.append(total)
        elif rounds is None or not (match := _NUMBERED_LABEL.fullmatch(label or str(number))):
            keys.append(lookalike_key(label))
        else:
            keys.append(_box_key(rounds, int(match[2]), match[3] or (columns[0].key if len(columns) == 1 else "")))
        if keys[-1] in keys[:-1]:
            raise InvalidError(f"The row '{label}' appears twice.", where=row.where, hint=_HINT)
    return keys


def _box_key(rounds: Rounds, number: int, column: str) -> str:
    return f"{rounds.id}.{number}.{lookalike_key(column)}" if column else f"{rounds.id}.{number}"


def _total_key(label: str) -> str:
    """Return the key of the final score if a label means the total, else ""."""
    return SCORE.key if lookalike_key(label.rstrip(":")) in _TOTAL_LABELS else ""
