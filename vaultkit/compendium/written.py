"""Cards as a deck note has them, under headings or in a table, before anything is made of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vaultkit.compendium import cardline
from vaultkit.compendium.cardline import Facts
from vaultkit.vault import Heading, Link, Note, Vault
from vaultkit.vault.places import LINE_END
from vaultkit.vault.subpath import to_subpath
from vaultkit.vault.tables import Row, TableBlock, tables


@dataclass(frozen=True)
class WrittenCard:
    """A card as written. `subpath` is what a link to it has behind the `#`; `facts` is None if it has no such line."""

    name: str
    subpath: str
    line: int
    facts: Facts | None
    image: str | None = None
    text: str = ""


def cards(note: Note, vault: Vault) -> tuple[WrittenCard, ...]:
    """The cards of a deck note: the rows of its first table that begins with `Name`, else its card headings."""
    table = next((block for block in tables(note) if _first(block.header).casefold() == "name"), None)
    if table is not None:
        return tuple(_from_table(note, table))
    return tuple(_from_heading(note, heading, vault) for heading in _card_headings(note))


def _from_table(note: Note, table: TableBlock) -> Iterator[WrittenCard]:
    above = [heading for heading in note.headings if heading.start < table.start]
    subpath = to_subpath(above[-1].text) if above else ""
    keys = [cell.lower() for cell in table.header.cells]
    for row in table.rows:
        if name := _first(row):
            yield WrittenCard(name, subpath, row.line, _row_facts(keys, row))


def _first(row: Row) -> str:
    return row.cells[0] if row.cells else ""


def _row_facts(keys: list[str], row: Row) -> Facts:
    cells = dict(zip(keys[1:], row.cells[1:], strict=False))
    suits = cardline.suits(cells.pop("suits", "") or cells.pop("suit", ""))
    rank = cardline.rank(cells.pop("rank", ""))
    return Facts(suits, rank, {key: value for key, value in cells.items() if value}, row.line)


def _card_headings(note: Note) -> Iterator[Heading]:
    """Headings of level 3 below `Cards`; in a note without that heading, all of level 3."""
    below = next((heading for heading in note.headings if heading.text.casefold() == "cards"), None)
    start, end = (below.end, note.section_end(below)) if below else (note.body_start, len(note.text))
    return (heading for heading in note.headings if heading.level == 3 and start <= heading.start < end)


def _from_heading(note: Note, heading: Heading, vault: Vault) -> WrittenCard:
    end = note.section_end(heading)
    images = [link for link in note.links if link.embed and heading.end <= link.start < end]
    facts: Facts | None = None
    kept: list[str] = []
    for number, line in enumerate(LINE_END.split(note.text[heading.end : end]), note.places.line(heading.end)):
        parsed = cardline.parse(line) if facts is None else None
        if parsed is not None:
            facts = replace(parsed, line=number)
        elif not _is_image(line, number, images, note):
            kept.append(line)
    return WrittenCard(
        name=heading.text,
        subpath=to_subpath(heading.text),
        line=heading.line,
        facts=facts or cardline.parse(f"*{heading.text}*"),
        image=next((_file(link, note, vault) for link in images if not link.external), None),
        text="\n".join(kept).strip(),
    )


def _is_image(line: str, number: int, images: list[Link], note: Note) -> bool:
    """Whether a line is a picture and nothing else."""
    return any(link.line == number and line.strip() == note.text[link.start : link.end] for link in images)


def _file(link: Link, note: Note, vault: Vault) -> str | None:
    return vault.files.resolve(link.path, note.path).path
