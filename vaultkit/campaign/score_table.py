"""The table of scores in the note of a game: the row of each player, and totals that differ from the properties."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.campaign.logged_game import Participant, PlayedGame
from vaultkit.compendium.words import ENGLISH, VaultWords, load_readable_words
from vaultkit.text import name_key
from vaultkit.vault import Note, Vault
from vaultkit.vault.subpath import comparable_heading
from vaultkit.vault.tables import Row, TableBlock, markdown_tables, plain_cell_text

PLAYER, TOTAL = "player", "total"
_NUMBER = r"-?[0-9]{1,6}(?:\.[0-9]{1,2})?"
_LAST_CELL = re.compile(rf"^[ \t]*\|.*\|[ \t]*({_NUMBER})[ \t]*\|[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True)
class ScoreTable:
    """A table of `note` with a row for each player. `line` is the line of its header.

    `columns` are the indexes of columns by their headings, as `comparable_heading` returns them; PLAYER is always
    among them. Empty rows are left out.
    """

    note: Note
    line: int
    columns: Mapping[str, int]
    rows: tuple[Row, ...]

    def find_rows(self, players: Sequence[Participant], vault: Vault) -> list[Row | None]:
        """Return the row of each player, None for none; if two players have one name, the first has the upper row."""
        player_rows: list[Row | None] = []
        for player in players:
            free_rows = (row for row in self._matching_rows(player, vault) if row not in player_rows)
            player_rows.append(next(free_rows, None))
        return player_rows

    def cell(self, row: Row, column: str) -> str:
        """Return the plain text of a row in a column, "" if the row ends before it or there is no such column."""
        index = self.columns.get(column, len(row.cells))
        return plain_cell_text(row.cells[index]) if index < len(row.cells) else ""

    def total(self, row: Row) -> int | float | None:
        """Return the number in the column TOTAL, None if there is none."""
        cell = self.cell(row, TOTAL).replace("\u2212", "-")
        return (float(cell) if "." in cell else int(cell)) if re.fullmatch(_NUMBER, cell) else None

    def _matching_rows(self, player: Participant, vault: Vault) -> Iterator[Row]:
        """Yield the rows with a link to the player's note, then the rows with the player's name or an alias."""
        facts = vault.facts.get(player.note)
        names = {name_key(name) for name in (player.name, *(facts.aliases if facts else ()))}
        yield from (row for row in self.rows if player.note and self._note_of(row, vault) == player.note)
        yield from (row for row in self.rows if name_key(self.cell(row, PLAYER)) in names)

    def _note_of(self, row: Row, vault: Vault) -> str | None:
        link = next((link for link in self.note.links if link.line == row.line), None)
        return vault.files.resolve(link.path, self.note.path).path if link and not link.external else None


def score_table(block: TableBlock, note: Note, words: VaultWords = ENGLISH) -> ScoreTable | None:
    """Return a table of `note` as a table of scores, None if it has no column of players.

    Its columns PLAYER and TOTAL may be named in `words`, too.
    """
    english_names = {comparable_heading(words(name.capitalize())): name for name in (PLAYER, TOTAL)}
    texts = (comparable_heading(plain_cell_text(cell)) for cell in block.header.cells)
    headings = [english_names.get(text, text) for text in texts]
    columns = {head: headings.index(head) for head in headings}
    rows = tuple(row for row in block.rows if any(row.cells))
    return ScoreTable(note, block.header.line, columns, rows) if PLAYER in columns else None


def describe_mismatch(player: Participant, total: float | None, counting_score: float) -> str:
    """Return a clause on a player's numbers in a note that differ from the `counting_score`, "" if none differs.

    An example: `the total says 26 and the property of the score says 27`. `total` is the total in the player's row.
    """
    numbers = {"the total": total, "the property of the score": player.score}
    others = ((label, number) for label, number in numbers.items() if number not in (None, counting_score))
    clauses = (f"{label} says {number:g}" for label, number in others)
    return " and ".join(clauses)


def find_edited_totals(note: Note, game: PlayedGame, vault: Vault) -> Iterator[tuple[int, str]]:
    """Yield the line and a sentence for each total in a game's table that differs from the property of the score."""
    scores = Counter(float(candidate.score) for candidate in game.participants if candidate.score is not None)
    if scores <= Counter(map(float, _LAST_CELL.findall(note.text))):  # as vaultkit writes it; parsing the table is slow
        return
    words = load_readable_words(vault.root)
    score_tables = (score_table(block, note, words) for block in markdown_tables(note))
    if table := next((candidate for candidate in score_tables if candidate and TOTAL in candidate.columns), None):
        for player, row in zip(game.participants, table.find_rows(game.participants, vault), strict=True):
            total = table.total(row) if row else None
            if row and total is not None and (mismatch := describe_mismatch(player, total, total)):
                yield row.line, f"The total of {player.name} is {total:g} here, but {mismatch}."
