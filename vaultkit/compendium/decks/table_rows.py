"""Cards as the rows of tables: `Name | Rank | Suits | Image | Text | ...`, the names perhaps links to notes."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from vaultkit.cards.deck import known_deck
from vaultkit.compendium.decks import card_line, markers, raw_cards
from vaultkit.compendium.decks.card_line import CardFacts, Words
from vaultkit.compendium.decks.raw_cards import TEXT_HEADINGS, WrittenCard
from vaultkit.errors import Problem
from vaultkit.text import name_key
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.subpath import to_subpath
from vaultkit.vault.tables import BREAK, Row, TableBlock, markdown_tables


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


def find_card_rows(note: Note, start: int, end: int) -> Iterator[CardRow]:
    """Yield the rows of all card tables between two offsets of a note.

    In a card table, the name is the first column, or there is a column of suits or ranks.
    """
    for block, columns, name_heading in _find_card_tables(note, card_line.read_translations(note)[0]):
        if start <= block.start < end:
            subpath = _heading_above(note, block)
            rows = (CardRow(_cells_by_column(columns, row), name_heading, row.line, subpath) for row in block.rows)
            yield from (row for row in rows if row.cells)


def check_headings(note: Note) -> Iterator[Problem]:
    """Yield a warning for each card table whose ranks and suits seem to stand under headings that are not read."""
    translations = card_line.read_translations(note)[0]
    for block, columns, _ in _find_card_tables(note, translations):
        indexes = find_rank_suit_columns(columns, block, translations)
        if column_numbers := [index for index in indexes if columns[index] not in KNOWN_HEADINGS]:
            yield _heading_problem(note, block, column_numbers)


def _find_card_tables(note: Note, translations: Words) -> Iterator[tuple[TableBlock, list[str], str]]:
    """Yield the tables of cards, each with its headings and the heading of the names."""
    for block in markdown_tables(note):
        columns = read_headings(note, block, translations)
        if name_heading := name_column(columns, translations):
            yield block, columns, name_heading


def name_link(row: CardRow, note: Note) -> Link | None:
    """Return the link in the cell of the card's name, or None."""
    cell = row.cells.get(row.named, "")
    row_links = (link for link in note.links if link.line == row.line and not link.embed and not link.external)
    return next((link for link in row_links if note.text[link.start : link.end] in cell), None)


def read_card_row(row: CardRow, note: Note, vault: Vault, words: Words) -> WrittenCard:
    """Return the card of one row; if the row links to a note, that note fills in what the row lacks."""
    facts = _read_facts(row, words)
    link = name_link(row, note)
    image = row.first(IMAGE_HEADINGS)
    row_card = WrittenCard(
        name=_card_name(row, link) or _describe_facts(facts),
        path=note.path,
        link=f"{note.path}#{row.subpath}" if row.subpath else note.path,
        line=row.line,
        facts=facts,
        form="row",
        image=raw_cards.find_picture(image, note, vault),
        text="\n\n".join(_cell_markdown(row.cells[column]) for column in TEXT_HEADINGS if row.cells.get(column)),
        lost=image if raw_cards.is_lost(image, note, vault) else "",
    )
    return raw_cards.join_linked_card(row_card, link, vault, words) if link else row_card


def _heading_problem(note: Note, block: TableBlock, column_numbers: Sequence[int]) -> Problem:
    headings = " and ".join(f"'{plain_cell(block.header.cells[index])}'" for index in column_numbers)
    seem = f"columns {headings} seem" if len(column_numbers) > 1 else f"column {headings} seems"
    message = f"The {seem} to give rank and suits of the cards; under other headings they are only traits."
    hint = "The headings that are read: 'Name' or 'Card', 'Rank', 'Suits' or 'Suit'."
    return Problem(note.path, block.header.line, 1, "card-columns", message, hint, "warning")


def _cells_by_column(columns: list[str], row: Row) -> dict[str, str]:
    return {column: cell for column, cell in zip(columns, row.cells, strict=False) if cell}


def _heading_above(note: Note, block: TableBlock) -> str:
    headings_above = note.outline.headings_above(block.start)
    if not headings_above:
        return ""
    subpath = to_subpath(headings_above[-1].text)
    return subpath if note.outline.find_heading(subpath) == headings_above[-1] else ""


def _card_name(row: CardRow, link: Link | None) -> str:
    cell = row.cells.get(row.named, "")
    if link is None:
        return plain_cell(cell)
    if link.text and link.text != link.target:
        return plain_cell(link.text)
    return link.path.rpartition("/")[2].removesuffix(".md") or link.subpath


def _read_facts(row: CardRow, words: Words) -> CardFacts:
    known_columns = {*SUIT_HEADINGS, *IMAGE_HEADINGS, *TEXT_HEADINGS, row.named, "rank"}
    suits = card_line.parse_suits(plain_cell(row.first(SUIT_HEADINGS)), words)
    rank = words.rank(plain_cell(row.cells.get("rank", "")).strip(EMPTY_CELL_CHARS))
    traits = {column: plain_cell(cell) for column, cell in row.cells.items() if column and column not in known_columns}
    return CardFacts(suits, rank, traits, row.line)


def _describe_facts(facts: CardFacts) -> str:
    """Return a name for a row without one, such as `3 of Swords`."""
    return f"{facts.rank} of {' and '.join(facts.suits)}" if facts.suits else str(facts.rank or "")


def _cell_markdown(cell: str) -> str:
    """Return a cell as Markdown for use outside of a table."""
    return BREAK.sub("\n", cell.replace("\\|", "|"))


NAME_HEADINGS = ("name", "card")
SUIT_HEADINGS = ("suits", "suit")
IMAGE_HEADINGS = ("image", "picture", "art")
KNOWN_HEADINGS = frozenset({*NAME_HEADINGS, *SUIT_HEADINGS, *IMAGE_HEADINGS, *TEXT_HEADINGS, "rank"})
"""The headings of columns with a known meaning."""
_ALTERNATIVE_HEADINGS = {"rank": ("number", "value"), "suit": ("colour", "color")}
"""The headings that mean rank or suit if no other column has that heading, and the cells fit."""
EMPTY_CELL_CHARS = "-–— "
"""The characters that an empty cell may contain."""
_EMPHASIS_MARKS = re.compile(r"[*`]+")
_MIN_ROWS = 4
"""The minimum number of rows for guessing from the cells what a column means."""


def read_headings(note: Note, block: TableBlock, translations: Words) -> list[str]:
    """Return the headings of a table in lower case.

    Suits and rank get the names `suits`, `suit` and `rank` if the deck's words or the cells show them.
    """
    columns = [cell.strip(" *_`").lower() for cell in block.header.cells]
    if translations.has_translations:
        _rename_translated_columns(columns, block, translations)
    numbers_by_name = _find_columns(columns, block, translations)
    renamed_columns = [*columns]
    for name, index in numbers_by_name.items():
        renamed_columns[index] = name
    is_known = known_deck(markers.kind_of(note)) is not None
    return columns if is_known and not _identifies_cards(renamed_columns, numbers_by_name, block) else renamed_columns


def _identifies_cards(columns: Sequence[str], numbers_by_name: Mapping[str, int], block: TableBlock) -> bool:
    """Return whether each pair of rank and suit belongs to one card; with suits such as red and black it does not."""
    if not (_has_column("rank", columns) and _has_column("suit", columns)):
        return False
    suit_column, ranks = numbers_by_name.get("suit"), _column_words(block, columns.index("rank"))
    return suit_column is None or _are_unique_pairs(ranks, _column_words(block, suit_column))


def _rename_translated_columns(columns: list[str], block: TableBlock, translations: Words) -> None:
    """Rename the columns that hold suits or ranks in the deck's own words."""
    if not _has_column("suit", columns):
        free_columns = _columns_without_meaning(columns, block)
        suit_columns = [index for index, cells in free_columns if _are_suits(cells, translations)]
        _rename_only_column(columns, "suits", suit_columns)
    if not _has_column("rank", columns):
        _rename_only_column(columns, "rank", _find_rank_columns(columns, block, translations))


def _find_columns(columns: Sequence[str], block: TableBlock, translations: Words) -> dict[str, int]:
    """Map `rank` and `suit` to the index of the column that holds them under an alternative heading.

    A name is left out if several columns qualify for it, or if a column has that heading already.
    """
    candidates: dict[str, list[int]] = {"rank": [], "suit": []}
    for index, cells in _columns_without_meaning(columns, block):
        if columns[index] in _ALTERNATIVE_HEADINGS["rank"] and _are_ranks(cells, translations):
            candidates["rank"].append(index)
        if columns[index] in _ALTERNATIVE_HEADINGS["suit"] and _repeat_like_suits(cells):
            candidates["suit"].append(index)
    free_names = [name for name in candidates if not _has_column(name, columns)]
    return {name: candidates[name][0] for name in free_names if len(candidates[name]) == 1}


def _has_column(name: str, columns: Sequence[str]) -> bool:
    return not {*SUIT_HEADINGS}.isdisjoint(columns) if name == "suit" else name in columns


def _repeat_like_suits(cells: Sequence[str]) -> bool:
    """Return whether the words of a column repeat often, as suits do."""
    words = [name_key(cell) for cell in cells if cell]
    return len(words) >= max(_MIN_ROWS, 2 * len(set(words))) and not any(map(str.isdecimal, words))


def _rename_only_column(columns: list[str], name: str, column_numbers: Sequence[int]) -> None:
    """Rename the column at the only index in `column_numbers`; do nothing if there are several or none."""
    if len(column_numbers) == 1:
        columns[column_numbers[0]] = name


def name_column(columns: Sequence[str], translations: Words) -> str | None:
    """Return the heading of the column with the cards' names, or None if the table has no cards."""
    has_suits, has_rank = _has_column("suit", columns), _has_column("rank", columns)
    name_heading = next((column for column in columns if column in NAME_HEADINGS), None)
    if name_heading:
        return name_heading if columns[0] == name_heading or has_suits or has_rank else None
    if translations.has_translations and has_suits and has_rank and columns[0] not in KNOWN_HEADINGS:
        return columns[0]
    return None


def _columns_without_meaning(columns: Sequence[str], block: TableBlock) -> Iterator[tuple[int, list[str]]]:
    """Yield the columns whose heading has no known meaning: the index, and the words of the cells."""
    for index, column in enumerate(columns):
        if column not in KNOWN_HEADINGS:
            yield index, _column_words(block, index)


def _column_words(block: TableBlock, column_index: int) -> list[str]:
    cells = ("".join(row.cells[column_index : column_index + 1]) for row in block.rows)
    return [plain_cell(cell).strip(EMPTY_CELL_CHARS) for cell in cells]


def _are_suits(cells: Sequence[str], translations: Words) -> bool:
    """Return whether all cells of a column are suits that the deck's note gives."""
    known_suits = {name_key(suit) for suit in translations.suits.values()}
    suits = [suit for cell in cells for suit in card_line.parse_suits(cell, translations)]
    return bool(suits) and all(name_key(suit) in known_suits for suit in suits)


def _find_rank_columns(columns: Sequence[str], block: TableBlock, translations: Words) -> list[int]:
    """Return the indexes of columns that hold only ranks.

    Columns of mere numbers count only if rank and suit identify each card.
    """
    free_columns, known_ranks = _columns_without_meaning(columns, block), translations.ranks
    rank_columns = [(index, cells) for index, cells in free_columns if _are_ranks(cells, translations)]
    if word_columns := [index for index, cells in rank_columns if any(name_key(cell) in known_ranks for cell in cells)]:
        return word_columns
    suit_columns = [_column_words(block, index) for index, column in enumerate(columns) if column in SUIT_HEADINGS]
    return [index for index, cells in rank_columns if suit_columns and _are_unique_pairs(cells, suit_columns[0])]


def _are_ranks(cells: Sequence[str], translations: Words) -> bool:
    """Return whether all cells of a column are numbers, known ranks, or ranks that the deck's note gives."""
    return any(cells) and all(translations.is_rank(cell) for cell in cells if cell)


def find_rank_suit_columns(columns: Sequence[str], block: TableBlock, translations: Words) -> tuple[int, ...]:
    """Return the indexes of two columns that can only be rank and suits, or () if there are none."""
    cells = [_column_words(block, index) for index in range(len(columns))]
    free_columns = [index for index, column in enumerate(columns) if column not in KNOWN_HEADINGS]
    ranks = [columns.index("rank")] if "rank" in columns else []
    ranks = ranks or [index for index in free_columns if _are_ranks(cells[index], translations)]
    suits = [index for index, column in enumerate(columns) if column in SUIT_HEADINGS]
    suits = suits or [index for index in free_columns if index not in ranks]
    pairs = [(rank, suit) for rank in ranks for suit in suits if _are_unique_pairs(cells[rank], cells[suit])]
    return pairs[0] if len(pairs) == 1 else ()


def _are_unique_pairs(ranks: Sequence[str], suits: Sequence[str]) -> bool:
    """Return whether few ranks and few suits make up the cards, and no two cards have the same rank and suit."""
    pairs = [(name_key(rank), name_key(suit)) for rank, suit in zip(ranks, suits, strict=True) if rank and suit]
    if len(pairs) < _MIN_ROWS or 2 * len(pairs) <= len(ranks) or len(set(pairs)) < len(pairs):
        return False
    return all(1 < len({pair[side] for pair in pairs}) <= len(pairs) // 2 for side in (0, 1))


def plain_cell(cell: str) -> str:
    """Return a cell's words, without links and emphasis."""
    return _EMPHASIS_MARKS.sub("", raw_cards.without_links(cell)).strip()
