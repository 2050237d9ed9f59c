"""Cards as the rows of tables: `Name | Rank | Suits | Image | Text | ...`, the names perhaps links to notes."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from vaultkit.cards.standard_decks import known_deck
from vaultkit.compendium.decks import card_line, card_notes, card_picture, markers, rank_words
from vaultkit.compendium.decks.card_line import CardFacts
from vaultkit.compendium.decks.rank_words import Words
from vaultkit.compendium.decks.raw_cards import TEXTS, WrittenCard
from vaultkit.errors import Problem
from vaultkit.text import name_key
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.subpath import find_heading, to_subpath
from vaultkit.vault.tables import BREAK, Row, TableBlock, tables


class CardRow(msgspec.Struct, frozen=True):
    """A row of a card table: its cells by lower-case heading.

    `named` is the heading of the column with the card's name, `line` the row's line, `subpath` the heading above the
    table, as in a link.
    """

    cells: Mapping[str, str]
    named: str
    line: int
    subpath: str

    def first(self, columns: tuple[str, ...]) -> str:
        return next((self.cells[column] for column in columns if self.cells.get(column)), "")


def tables_of(note: Note, start: int, end: int) -> Iterator[list[CardRow]]:
    """Yield the rows of each card table between two offsets of a note.

    In a card table, the name is the first column, or there is a column of suits or ranks.
    """
    for block, columns, name_heading in _card_tables(note, rank_words.read(note)[0]):
        if start <= block.start < end:
            subpath = _heading_above(note, block)
            rows = (CardRow(_cells(columns, row), name_heading, row.line, subpath) for row in block.rows)
            yield [row for row in rows if row.cells]


def problems(note: Note) -> Iterator[Problem]:
    """Yield a warning for each card table whose ranks and suits seem to stand under headings that are not read."""
    translations = rank_words.read(note)[0]
    for block, columns, _ in _card_tables(note, translations):
        if column_numbers := [
            number
            for number in find_rank_suit_columns(columns, block, translations)
            if columns[number] not in KNOWN_HEADINGS
        ]:
            yield _mistaken(note, block, column_numbers)


def _card_tables(note: Note, translations: Words) -> Iterator[tuple[TableBlock, list[str], str]]:
    """Yield the tables of cards, each with its headings and the heading of the names."""
    for block in tables(note):
        columns = read(note, block, translations)
        if name_heading := name_column(columns, translations):
            yield block, columns, name_heading


def name_link(row: CardRow, note: Note) -> Link | None:
    """Return the link in the cell of the card's name, or None."""
    cell = row.cells.get(row.named, "")
    here = (link for link in note.links if link.line == row.line and not link.embed and not link.external)
    return next((link for link in here if note.text[link.start : link.end] in cell), None)


def card(row: CardRow, note: Note, vault: Vault, words: Words) -> WrittenCard:
    """Return the card of one row; if the row links to a note, that note fills in what the row lacks."""
    facts = _facts(row, words)
    link = name_link(row, note)
    image = row.first(IMAGES)
    row_card = WrittenCard(
        name=_name(row, link) or _describe_facts(facts),
        path=note.path,
        link=f"{note.path}#{row.subpath}" if row.subpath else note.path,
        line=row.line,
        facts=facts,
        form="row",
        image=card_picture.find_picture(image, note, vault),
        text="\n\n".join(_text(row.cells[column]) for column in TEXTS if row.cells.get(column)),
        lost=image if card_picture.is_lost(image, note, vault) else "",
    )
    return card_notes.join_linked_card(row_card, link, vault, words) if link else row_card


def _mistaken(note: Note, block: TableBlock, column_numbers: Sequence[int]) -> Problem:
    headings = " and ".join(f"'{plain_cell(block.header.cells[number])}'" for number in column_numbers)
    seem = f"columns {headings} seem" if len(column_numbers) > 1 else f"column {headings} seems"
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
        return plain_cell(cell)
    if link.text and link.text != link.target:
        return plain_cell(link.text)
    return link.path.rpartition("/")[2].removesuffix(".md") or link.subpath


def _facts(row: CardRow, words: Words) -> CardFacts:
    known_columns = {*SUITS, *IMAGES, *TEXTS, row.named, "rank"}
    suits = card_line.suits(plain_cell(row.first(SUITS)), words)
    rank = words.rank(plain_cell(row.cells.get("rank", "")).strip(DASHES))
    traits = {column: plain_cell(cell) for column, cell in row.cells.items() if column and column not in known_columns}
    return CardFacts(suits, rank, traits, row.line)


def _describe_facts(facts: CardFacts) -> str:
    """Return a name for a row without one, such as `3 of Swords`."""
    return f"{facts.rank} of {' and '.join(facts.suits)}" if facts.suits else str(facts.rank or "")


def _text(cell: str) -> str:
    """Return a cell as Markdown for use outside of a table."""
    return BREAK.sub("\n", cell.replace("\\|", "|"))


NAMES = ("name", "card")
SUITS = ("suits", "suit")
IMAGES = ("image", "picture", "art")
KNOWN_HEADINGS = frozenset({*NAMES, *SUITS, *IMAGES, *TEXTS, "rank"})
"""The headings of columns with a known meaning."""
_MEANT = {"rank": ("number", "value"), "suit": ("colour", "color")}
"""The headings that mean rank or suit if no other column has that heading, and the cells fit."""
DASHES = "-–— "
"""The characters that an empty cell may contain."""
_MARKS = re.compile(r"[*`]+")
_MIN_ROWS = 4
"""The minimum number of rows for guessing from the cells what a column means."""


def read(note: Note, block: TableBlock, translations: Words) -> list[str]:
    """Return the headings of a table in lower case.

    Suits and rank get the names `suits`, `suit` and `rank` if the deck's words or the cells show them.
    """
    columns = [cell.strip(" *_`").lower() for cell in block.header.cells]
    if translations.translate:
        _translate(columns, block, translations)
    numbers_by_name = _find_columns(columns, block, translations)
    renamed_columns = [*columns]
    for name, number in numbers_by_name.items():
        renamed_columns[number] = name
    is_known = known_deck(markers.kind_of(note)) is not None
    return columns if is_known and not _tells_cards(renamed_columns, numbers_by_name, block) else renamed_columns


def _tells_cards(columns: Sequence[str], numbers_by_name: Mapping[str, int], block: TableBlock) -> bool:
    """Return whether each pair of rank and suit belongs to one card; with suits such as red and black it does not."""
    if not (_has("rank", columns) and _has("suit", columns)):
        return False
    suit = numbers_by_name.get("suit")
    return suit is None or _make_pairs(_words_in(block, columns.index("rank")), _words_in(block, suit))


def _translate(columns: list[str], block: TableBlock, translations: Words) -> None:
    """Rename the columns that hold suits or ranks in the deck's own words."""
    if not _has("suit", columns):
        _rename(
            columns, "suits", [number for number, cells in _free(columns, block) if _are_suits(cells, translations)]
        )
    if not _has("rank", columns):
        _rename(columns, "rank", _ranks(columns, block, translations))


def _find_columns(columns: Sequence[str], block: TableBlock, translations: Words) -> dict[str, int]:
    """Map `rank` and `suit` to the index of the column that holds them under an alternative heading.

    A name is left out if several columns qualify for it, or if a column has that heading already.
    """
    free = tuple(_free(columns, block))
    ranks = [n for n, cells in free if columns[n] in _MEANT["rank"] and _are_ranks(cells, translations)]
    suits = [n for n, cells in free if columns[n] in _MEANT["suit"] and _are_few(cells)]
    candidates = {"rank": ranks, "suit": suits}
    return {name: places[0] for name, places in candidates.items() if len(places) == 1 and not _has(name, columns)}


def _has(name: str, columns: Sequence[str]) -> bool:
    return not {*SUITS}.isdisjoint(columns) if name == "suit" else name in columns


def _are_few(cells: Sequence[str]) -> bool:
    """Return whether the words of a column repeat often, as suits do."""
    folded_cells = [name_key(cell) for cell in cells if cell]
    return (
        len(folded_cells) >= _MIN_ROWS
        and 2 * len(set(folded_cells)) <= len(folded_cells)
        and not any(map(str.isdecimal, folded_cells))
    )


def _rename(columns: list[str], name: str, column_numbers: Sequence[int]) -> None:
    """Rename the column at the only index in `column_numbers`; do nothing if there are several or none."""
    if len(column_numbers) == 1:
        columns[column_numbers[0]] = name


def name_column(columns: Sequence[str], translations: Words) -> str | None:
    """Return the heading of the column with the cards' names, or None if the table has no cards."""
    has_suits, has_rank = _has("suit", columns), _has("rank", columns)
    name_heading = next((column for column in columns if column in NAMES), None)
    if name_heading:
        return name_heading if columns[0] == name_heading or has_suits or has_rank else None
    return (
        columns[0] if translations.translate and has_suits and has_rank and columns[0] not in KNOWN_HEADINGS else None
    )


def _free(columns: Sequence[str], block: TableBlock) -> Iterator[tuple[int, list[str]]]:
    """Yield the columns whose heading has no known meaning: the index, and the words of the cells."""
    for number, column in enumerate(columns):
        if column not in KNOWN_HEADINGS:
            yield number, _words_in(block, number)


def _words_in(block: TableBlock, number: int) -> list[str]:
    return [plain_cell("".join(row.cells[number : number + 1])).strip(DASHES) for row in block.rows]


def _are_suits(cells: Sequence[str], translations: Words) -> bool:
    """Return whether all cells of a column are suits that the deck's note gives."""
    known_suits = {name_key(suit) for suit in translations.suits.values()}
    suits = [suit for cell in cells for suit in card_line.suits(cell, translations)]
    return bool(suits) and all(name_key(suit) in known_suits for suit in suits)


def _ranks(columns: Sequence[str], block: TableBlock, translations: Words) -> list[int]:
    """Return the indexes of columns that hold only ranks.

    Columns of mere numbers count only if rank and suit identify each card.
    """
    rank_columns = [(number, cells) for number, cells in _free(columns, block) if _are_ranks(cells, translations)]
    in_words = [number for number, cells in rank_columns if any(name_key(cell) in translations.ranks for cell in cells)]
    if in_words:
        return in_words
    suits = [_words_in(block, number) for number, column in enumerate(columns) if column in SUITS]
    return [number for number, cells in rank_columns if suits and _make_pairs(cells, suits[0])]


def _are_ranks(cells: Sequence[str], translations: Words) -> bool:
    """Return whether all cells of a column are numbers, known ranks, or ranks that the deck's note gives."""
    return any(cells) and all(translations.is_rank(cell) for cell in cells if cell)


def find_rank_suit_columns(columns: Sequence[str], block: TableBlock, translations: Words) -> tuple[int, ...]:
    """Return the indexes of two columns that can only be rank and suits, or () if there are none."""
    cells = [_words_in(block, number) for number in range(len(columns))]
    free = [number for number, column in enumerate(columns) if column not in KNOWN_HEADINGS]
    ranks = [columns.index("rank")] if "rank" in columns else [n for n in free if _are_ranks(cells[n], translations)]
    suits = [number for number, column in enumerate(columns) if column in SUITS] or [n for n in free if n not in ranks]
    pairs = [(rank, suit) for rank in ranks for suit in suits if _make_pairs(cells[rank], cells[suit])]
    return pairs[0] if len(pairs) == 1 else ()


def _make_pairs(ranks: Sequence[str], suits: Sequence[str]) -> bool:
    """Return whether few ranks and few suits make up the cards, and no two cards have the same rank and suit."""
    pairs = [(name_key(rank), name_key(suit)) for rank, suit in zip(ranks, suits, strict=True) if rank and suit]
    enough = len(pairs) >= _MIN_ROWS and 2 * len(pairs) > len(ranks)
    distinct = [len({pair[place] for pair in pairs}) for place in (0, 1)]
    return enough and len(set(pairs)) == len(pairs) and all(1 < count <= len(pairs) // 2 for count in distinct)


def plain_cell(cell: str) -> str:
    """Return a cell's words, without links and emphasis."""
    return _MARKS.sub("", card_picture.without_links(cell)).strip()
