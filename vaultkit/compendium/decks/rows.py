"""Cards as the rows of tables: `Name | Rank | Suits | Image | Text | ...`, the names perhaps links to notes."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from vaultkit.cards.known import known_deck
from vaultkit.compendium.decks import cardline, cardnotes, marks, pictures, words
from vaultkit.compendium.decks.cardline import CardFacts
from vaultkit.compendium.decks.words import Words
from vaultkit.compendium.decks.written_cards import TEXTS, WrittenCard
from vaultkit.errors import Problem
from vaultkit.sorting import name_key
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.subpath import find_heading, to_subpath
from vaultkit.vault.tables import BREAK, Row, TableBlock, tables


class CardRow(msgspec.Struct, frozen=True):
    """A row as cells by lower-case column, with the column of the name, its line, and the heading above its table."""

    cells: Mapping[str, str]
    named: str
    line: int
    subpath: str

    def first(self, columns: tuple[str, ...]) -> str:
        return next((self.cells[column] for column in columns if self.cells.get(column)), "")


def tables_of(note: Note, start: int, end: int) -> Iterator[list[CardRow]]:
    """Yield the card tables between two offsets: the name is their first column, or stands beside a suit or rank."""
    for block, columns, named in _card_tables(note, words.read(note)[0]):
        if start <= block.start < end:
            subpath = _heading_above(note, block)
            rows = (CardRow(_cells(columns, row), named, row.line, subpath) for row in block.rows)
            yield [row for row in rows if row.cells]


def problems(note: Note) -> Iterator[Problem]:
    """Yield a warning for each card table with columns that seem to be rank and suits under other headings."""
    spoken = words.read(note)[0]
    for block, columns, _ in _card_tables(note, spoken):
        if found := [number for number in pair(columns, block, spoken) if columns[number] not in TOLD]:
            yield _mistaken(note, block, found)


def _card_tables(note: Note, spoken: Words) -> Iterator[tuple[TableBlock, list[str], str]]:
    """Yield the tables of cards, each with its headings and the heading of the names."""
    for block in tables(note):
        columns = read(note, block, spoken)
        if named := name_column(columns, spoken):
            yield block, columns, named


def linked(row: CardRow, note: Note) -> Link | None:
    """Return the link in the cell of the card's name, or None."""
    cell = row.cells.get(row.named, "")
    here = (link for link in note.links if link.line == row.line and not link.embed and not link.external)
    return next((link for link in here if note.text[link.start : link.end] in cell), None)


def card(row: CardRow, note: Note, vault: Vault, words: Words) -> WrittenCard:
    """Return the card of one row; if the row links to a note, that note fills in what the row lacks."""
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


def _facts(row: CardRow, words: Words) -> CardFacts:
    told = {*SUITS, *IMAGES, *TEXTS, row.named, "rank"}
    suits = cardline.suits(plain(row.first(SUITS)), words)
    rank = words.rank(plain(row.cells.get("rank", "")).strip(DASHES))
    traits = {column: plain(cell) for column, cell in row.cells.items() if column and column not in told}
    return CardFacts(suits, rank, traits, row.line)


def _described(facts: CardFacts) -> str:
    """Return a name for a row without one, such as `3 of Swords`."""
    return f"{facts.rank} of {' and '.join(facts.suits)}" if facts.suits else str(facts.rank or "")


def _text(cell: str) -> str:
    """Return a cell as Markdown for use outside of a table."""
    return BREAK.sub("\n", cell.replace("\\|", "|"))


NAMES = ("name", "card")
SUITS = ("suits", "suit")
IMAGES = ("image", "picture", "art")
TOLD = frozenset({*NAMES, *SUITS, *IMAGES, *TEXTS, "rank"})
"""The headings of columns with a known meaning."""
_MEANT = {"rank": ("number", "value"), "suit": ("colour", "color")}
"""The headings that mean rank or suit if no other column has that heading, and the cells fit."""
DASHES = "-–— "
"""The signs of an empty cell."""
_MARKS = re.compile(r"[*`]+")
_FEW = 4
"""The number of rows from which columns can be judged."""


def read(note: Note, block: TableBlock, spoken: Words) -> list[str]:
    """Return the headings of a table in lower case.

    Suits and rank get the names `suits`, `suit` and `rank` if the deck's words or the cells show them.
    """
    columns = [cell.strip(" *_`").lower() for cell in block.header.cells]
    if spoken.translate:
        _translate(columns, block, spoken)
    meant = _meant(columns, block, spoken)
    taken = [*columns]
    for name, number in meant.items():
        taken[number] = name
    is_known = known_deck(marks.kind_of(note)) is not None
    return columns if is_known and not _tells_cards(taken, meant, block) else taken


def _tells_cards(columns: Sequence[str], meant: Mapping[str, int], block: TableBlock) -> bool:
    """Return whether rank and suit identify each card of a deck that is known by names: red and black do not."""
    if not (_has("rank", columns) and _has("suit", columns)):
        return False
    suit = meant.get("suit")
    return suit is None or _make_pairs(_words_in(block, columns.index("rank")), _words_in(block, suit))


def _translate(columns: list[str], block: TableBlock, spoken: Words) -> None:
    """Rename the columns that hold suits or ranks in the deck's own words."""
    if not _has("suit", columns):
        _rename(columns, "suits", [number for number, cells in _free(columns, block) if _are_suits(cells, spoken)])
    if not _has("rank", columns):
        _rename(columns, "rank", _ranks(columns, block, spoken))


def _meant(columns: Sequence[str], block: TableBlock, spoken: Words) -> dict[str, int]:
    """Return the columns of rank and suit that stand under other headings; none if several qualify."""
    free = tuple(_free(columns, block))
    ranks = [n for n, cells in free if columns[n] in _MEANT["rank"] and _are_ranks(cells, spoken)]
    suits = [n for n, cells in free if columns[n] in _MEANT["suit"] and _are_few(cells)]
    found = {"rank": ranks, "suit": suits}
    return {name: places[0] for name, places in found.items() if len(places) == 1 and not _has(name, columns)}


def _has(name: str, columns: Sequence[str]) -> bool:
    return not {*SUITS}.isdisjoint(columns) if name == "suit" else name in columns


def _are_few(cells: Sequence[str]) -> bool:
    """Return whether the words of a column repeat often, as suits do."""
    said = [name_key(cell) for cell in cells if cell]
    return len(said) >= _FEW and 2 * len(set(said)) <= len(said) and not any(map(str.isdecimal, said))


def _rename(columns: list[str], name: str, found: Sequence[int]) -> None:
    """Rename the column if `column_numbers` has exactly one."""
    if len(found) == 1:
        columns[found[0]] = name


def name_column(columns: Sequence[str], spoken: Words) -> str | None:
    """Return the column of the names, or None if the table has no cards."""
    has_suits, has_rank = _has("suit", columns), _has("rank", columns)
    named = next((column for column in columns if column in NAMES), None)
    if named:
        return named if columns[0] == named or has_suits or has_rank else None
    return columns[0] if spoken.translate and has_suits and has_rank and columns[0] not in TOLD else None


def _free(columns: Sequence[str], block: TableBlock) -> Iterator[tuple[int, list[str]]]:
    """Yield the columns whose heading has no known meaning: the index, and the words of the cells."""
    for number, column in enumerate(columns):
        if column not in TOLD:
            yield number, _words_in(block, number)


def _words_in(block: TableBlock, number: int) -> list[str]:
    return [plain("".join(row.cells[number : number + 1])).strip(DASHES) for row in block.rows]


def _are_suits(cells: Sequence[str], spoken: Words) -> bool:
    """Return whether all cells of a column are suits that the deck's note gives."""
    known = {name_key(suit) for suit in spoken.suits.values()}
    found = [suit for cell in cells for suit in cardline.suits(cell, spoken)]
    return bool(found) and all(name_key(suit) in known for suit in found)


def _ranks(columns: Sequence[str], block: TableBlock, spoken: Words) -> list[int]:
    """Return the columns that hold only ranks. Mere numbers count only if every suit has one of each."""
    found = [(number, cells) for number, cells in _free(columns, block) if _are_ranks(cells, spoken)]
    in_words = [number for number, cells in found if any(name_key(cell) in spoken.ranks for cell in cells)]
    if in_words:
        return in_words
    suits = [_words_in(block, number) for number, column in enumerate(columns) if column in SUITS]
    return [number for number, cells in found if suits and _make_pairs(cells, suits[0])]


def _are_ranks(cells: Sequence[str], spoken: Words) -> bool:
    """Return whether all cells of a column are numbers, known ranks, or ranks that the deck's note gives."""
    return any(cells) and all(spoken.is_rank(cell) for cell in cells if cell)


def pair(columns: Sequence[str], block: TableBlock, spoken: Words) -> tuple[int, ...]:
    """Return the indexes of two columns that can only be rank and suits, or () if there are none."""
    cells = [_words_in(block, number) for number in range(len(columns))]
    free = [number for number, column in enumerate(columns) if column not in TOLD]
    ranks = [columns.index("rank")] if "rank" in columns else [n for n in free if _are_ranks(cells[n], spoken)]
    suits = [number for number, column in enumerate(columns) if column in SUITS] or [n for n in free if n not in ranks]
    pairs = [(rank, suit) for rank in ranks for suit in suits if _make_pairs(cells[rank], cells[suit])]
    return pairs[0] if len(pairs) == 1 else ()


def _make_pairs(ranks: Sequence[str], suits: Sequence[str]) -> bool:
    """Return whether few ranks and few suits make up the cards, and no two cards have the same rank and suit."""
    pairs = [(name_key(rank), name_key(suit)) for rank, suit in zip(ranks, suits, strict=True) if rank and suit]
    enough = len(pairs) >= _FEW and 2 * len(pairs) > len(ranks)
    distinct = [len({pair[place] for pair in pairs}) for place in (0, 1)]
    return enough and len(set(pairs)) == len(pairs) and all(1 < count <= len(pairs) // 2 for count in distinct)


def plain(cell: str) -> str:
    """Return a cell's words, without links and emphasis."""
    return _MARKS.sub("", pictures.without_links(cell)).strip()
