"""Cards as the rows of tables: `Name | Rank | Suits | Image | Text | ...`, the names perhaps links to notes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vaultkit.compendium import cardline, cardnotes, pictures
from vaultkit.compendium.cardline import Facts
from vaultkit.compendium.words import Words
from vaultkit.compendium.written import TEXTS, WrittenCard
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.subpath import find_heading, to_subpath
from vaultkit.vault.tables import Row, TableBlock, tables

_NAMES = ("name", "card")
_SUITS = ("suits", "suit")
_IMAGES = ("image", "picture", "art")
_MARKS = re.compile(r"[*`]+")


@dataclass(frozen=True)
class CardRow:
    """A row as cells by lower-case column, the column that has the name, and the heading above its table."""

    cells: Mapping[str, str]
    named: str
    line: int
    subpath: str

    def first(self, columns: tuple[str, ...]) -> str:
        return next((self.cells[column] for column in columns if self.cells.get(column)), "")


def tables_of(note: Note, start: int, end: int) -> Iterator[list[CardRow]]:
    """The card tables between two offsets: they begin with the name, or have it beside a suit or rank."""
    for block in tables(note):
        columns = [cell.strip(" *_`").lower() for cell in block.header.cells]
        named = next((column for column in columns if column in _NAMES), None)
        if named and start <= block.start < end and (columns[0] == named or {*_SUITS, "rank"} & {*columns}):
            subpath = _heading_above(note, block)
            rows = (CardRow(_cells(columns, row), named, row.line, subpath) for row in block.rows)
            yield [row for row in rows if row.cells]


def linked(row: CardRow, note: Note) -> Link | None:
    """The link that stands for the card's name."""
    cell = row.cells.get(row.named, "")
    here = (link for link in note.links if link.line == row.line and not link.embed and not link.external)
    return next((link for link in here if note.text[link.start : link.end] in cell), None)


def card(row: CardRow, note: Note, vault: Vault, words: Words) -> WrittenCard:
    """The card of one row. What it does not say of a card that has a note of its own, that note says."""
    facts = _facts(row, words)
    link = linked(row, note)
    image = row.first(_IMAGES)
    written = WrittenCard(
        name=_name(row, link) or _described(facts),
        path=note.path,
        link=f"{note.path}#{row.subpath}" if row.subpath else note.path,
        line=row.line,
        facts=facts,
        form="row",
        image=pictures.named(image, note, vault),
        text="\n\n".join(_text(row.cells[column]) for column in TEXTS if row.cells.get(column)),
        lost=image if pictures.is_lost(image, note, vault) else "",
    )
    return cardnotes.joined(written, link, vault, words) if link else written


def _cells(columns: list[str], row: Row) -> dict[str, str]:
    return {column: cell for column, cell in zip(columns, row.cells, strict=False) if cell}


def _heading_above(note: Note, block: TableBlock) -> str:
    above = [heading for heading in note.headings if heading.start < block.start]
    if not above:
        return ""
    plain = to_subpath(above[-1].text)
    return plain if find_heading(note.headings, plain) == above[-1] else ""


def _name(row: CardRow, link: Link | None) -> str:
    cell = row.cells.get(row.named, "")
    if link is None:
        return _plain(cell)
    if link.text and link.text != link.target:
        return _plain(link.text)
    return link.path.rpartition("/")[2].removesuffix(".md") or link.subpath


def _facts(row: CardRow, words: Words) -> Facts:
    told = {*_SUITS, *_IMAGES, *TEXTS, row.named, "rank"}
    suits = cardline.suits(_plain(row.first(_SUITS)), words)
    rank = words.rank(_plain(row.cells.get("rank", "")).strip("-–—"))
    traits = {column: _plain(cell) for column, cell in row.cells.items() if column and column not in told}
    return Facts(suits, rank, traits, row.line)


def _described(facts: Facts) -> str:
    """A name for a row that has none: `3 of Swords`."""
    return f"{facts.rank} of {' and '.join(facts.suits)}" if facts.suits else str(facts.rank or "")


def _plain(cell: str) -> str:
    """A cell's words, without links and emphasis."""
    return _MARKS.sub("", pictures.shown(cell)).strip()


def _text(cell: str) -> str:
    """A cell as Markdown outside of a table."""
    return re.sub(r"<br\s*/?>", "\n", cell.replace("\\|", "|"), flags=re.IGNORECASE)
