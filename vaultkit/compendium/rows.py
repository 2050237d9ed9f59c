"""Cards as the rows of tables: `Name | Rank | Suits | Image | Text | ...`, the names perhaps links to notes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.compendium import cardcolumns, cardline, cardnotes, pictures, words
from vaultkit.compendium.cardcolumns import DASHES, IMAGES, SUITS, TOLD, plain
from vaultkit.compendium.cardline import Facts
from vaultkit.compendium.words import Words
from vaultkit.compendium.written import TEXTS, WrittenCard
from vaultkit.errors import Problem
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.subpath import find_heading, to_subpath
from vaultkit.vault.tables import Row, TableBlock, tables


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
    spoken = words.read(note)[0]
    for block in tables(note):
        columns = cardcolumns.read(note, block, spoken)
        named = cardcolumns.name_column(columns, spoken)
        if named and start <= block.start < end:
            subpath = _heading_above(note, block)
            rows = (CardRow(_cells(columns, row), named, row.line, subpath) for row in block.rows)
            yield [row for row in rows if row.cells]


def problems(note: Note) -> Iterator[Problem]:
    """A warning for each card table in which columns seem to be rank and suits and have other headings."""
    spoken = words.read(note)[0]
    for block in tables(note):
        columns = cardcolumns.read(note, block, spoken)
        if cardcolumns.name_column(columns, spoken):
            found = [number for number in cardcolumns.pair(columns, block, spoken) if columns[number] not in TOLD]
            if found:
                yield _mistaken(note, block, found)


def linked(row: CardRow, note: Note) -> Link | None:
    """The link that stands for the card's name."""
    cell = row.cells.get(row.named, "")
    here = (link for link in note.links if link.line == row.line and not link.embed and not link.external)
    return next((link for link in here if note.text[link.start : link.end] in cell), None)


def card(row: CardRow, note: Note, vault: Vault, words: Words) -> WrittenCard:
    """The card of one row. What it does not say of a card that has a note of its own, that note says."""
    facts = _facts(row, words)
    link = linked(row, note)
    image = row.first(IMAGES)
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


def _mistaken(note: Note, block: TableBlock, found: Sequence[int]) -> Problem:
    headings = " and ".join(f"'{plain(block.header.cells[number])}'" for number in found)
    seem = f"columns {headings} seem" if len(found) > 1 else f"column {headings} seems"
    message = f"The {seem} to tell rank and suits of the cards; under other headings they are only traits."
    hint = "The headings that are read: 'Name' or 'Card', 'Rank', 'Suits' or 'Suit'."
    return Problem(note.path, block.header.line, 1, "card-columns", message, hint, "warning")


def _cells(columns: list[str], row: Row) -> dict[str, str]:
    return {column: cell for column, cell in zip(columns, row.cells, strict=False) if cell}


def _heading_above(note: Note, block: TableBlock) -> str:
    above = [heading for heading in note.headings if heading.start < block.start]
    if not above:
        return ""
    subpath = to_subpath(above[-1].text)
    return subpath if find_heading(note.headings, subpath) == above[-1] else ""


def _name(row: CardRow, link: Link | None) -> str:
    cell = row.cells.get(row.named, "")
    if link is None:
        return plain(cell)
    if link.text and link.text != link.target:
        return plain(link.text)
    return link.path.rpartition("/")[2].removesuffix(".md") or link.subpath


def _facts(row: CardRow, words: Words) -> Facts:
    told = {*SUITS, *IMAGES, *TEXTS, row.named, "rank"}
    suits = cardline.suits(plain(row.first(SUITS)), words)
    rank = words.rank(plain(row.cells.get("rank", "")).strip(DASHES))
    traits = {column: plain(cell) for column, cell in row.cells.items() if column and column not in told}
    return Facts(suits, rank, traits, row.line)


def _described(facts: Facts) -> str:
    """A name for a row that has none: `3 of Swords`."""
    return f"{facts.rank} of {' and '.join(facts.suits)}" if facts.suits else str(facts.rank or "")


def _text(cell: str) -> str:
    """A cell as Markdown outside of a table."""
    return re.sub(r"<br\s*/?>", "\n", cell.replace("\\|", "|"), flags=re.IGNORECASE)
