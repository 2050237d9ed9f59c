"""A reader of HTML tables in notes, which converters write where Markdown tables are not enough."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from vaultkit.text import parse_whole_number
from vaultkit.vault.dialect import elements
from vaultkit.vault.entities import mask_huge_references
from vaultkit.vault.note import Note

MAX_SPAN_COUNT = 50
"""The maximum number of rows or columns that a cell may span; a hostile table might declare more."""
_ROW_AND_CELL_TAGS = {"tr": "tr", "td": "td", "th": "td"}


@dataclass(slots=True)
class _Cell:
    text: str = ""
    rows: int = 1
    columns: int = 1


@dataclass(slots=True)
class HtmlTable:
    """An HTML table: the start and end of its tags in the note's text, and its rows.

    A row is the number of its line in the note, from 1, and its cells as Markdown.
    """

    start: int
    end: int = 0
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def find_html_tables(note: Note) -> Iterator[HtmlTable]:
    """Yield the HTML tables of a note in order; a table within a cell becomes part of the cell's text."""
    for _, start, end in elements(note.body, note.body_start, {"HtmlBlock"}):
        reader = _TableReader(note, start)
        reader.feed(mask_huge_references(note.text[start:end]))
        yield from (table for table in reader.tables if table.end and table.rows)


class _TableReader(HTMLParser):
    """A parser that collects the tables of one HTML block."""

    def __init__(self, note: Note, start: int) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[HtmlTable] = []
        self._note = note
        self._start = start
        self._first_line = note.places.line(start)
        self._depth = 0
        self._row: list[_Cell] = []
        self._row_line = 0
        self._open_addresses: list[str] = []
        self._carried: dict[int, tuple[int, str]] = {}
        """By column, the number of further rows into which a cell spans, and its text there."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "table":
            self._depth += 1
            if self._depth == 1:
                self._carried = {}
                self.tables.append(HtmlTable(self._start + self._current_offset()))
        elif self._depth == 1 and tag == "tr":
            self._row, self._row_line = [], self._first_line + self.getpos()[0] - 1
        elif self._depth == 1 and tag in ("td", "th"):
            self._row.append(
                _Cell(rows=_parse_span(attributes.get("rowspan")), columns=_parse_span(attributes.get("colspan")))
            )
        elif tag == "a":
            self._open_addresses.append(attributes.get("href") or attributes.get("data-href") or "")
            self._add_text("[")
        elif tag == "br":
            self._add_text("<br>")
        elif self._depth > 1 and tag in _ROW_AND_CELL_TAGS:
            self._add_text("; " if tag == "tr" else " ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self._depth:
            self._depth -= 1
            if not self._depth:
                self.tables[-1].end = self._start + self._current_offset() + len("</table>")
        elif self._depth == 1 and tag == "tr" and self._row:
            self.tables[-1].rows.append((self._row_line, self._expand_row()))
            self._row = []
        elif tag == "a" and self._open_addresses:
            address = self._open_addresses.pop()
            self._add_text(f"]({address})" if address else "]")

    def handle_data(self, data: str) -> None:
        self._add_text(data.replace("|", "\\|"))

    def _add_text(self, text: str) -> None:
        if self._depth and self._row:
            self._row[-1].text += text

    def _current_offset(self) -> int:
        """Return the offset of the parser's position in the HTML text."""
        line, column = self.getpos()
        lines = self.rawdata.split("\n")
        return sum(len(text_line) + 1 for text_line in lines[: line - 1]) + column

    def _expand_row(self) -> list[str]:
        """Return the texts of the current row's cells, one for each column, with the ones of cells that span rows.

        A cell that spans columns has its text in the first of them. One that spans rows repeats its text in each row,
        except in the table's first column, where the text may be the number of a roll.
        """
        cells: list[str] = []
        for cell in self._row:
            cells += self._take_carried_cells(len(cells))
            text = " ".join(cell.text.split()).removeprefix("; ")
            for column_index in range(cell.columns):
                content = "" if column_index else text
                if cell.rows > 1:
                    self._carried[len(cells)] = (cell.rows - 1, content if cells else "")
                cells.append(content)
        return [*cells, *self._take_carried_cells(len(cells))]

    def _take_carried_cells(self, column: int) -> Sequence[str]:
        cells: list[str] = []
        while column in self._carried:
            rows_left, text = self._carried.pop(column)
            if rows_left > 1:
                self._carried[column] = (rows_left - 1, text)
            cells.append(text)
            column += 1
        return cells


def _parse_span(value: str | None) -> int:
    return min(parse_whole_number(value or "") or 1, MAX_SPAN_COUNT)
