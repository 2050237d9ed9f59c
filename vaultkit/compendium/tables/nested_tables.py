"""Tables within a cell of a roll table, such as `d4: 1 Owl; 2-4 Bat`, and the numbers in front of listed items."""

import re
from collections.abc import Sequence
from itertools import islice

from vaultkit.compendium.tables.dice import Dice, Generator, insert_rolls, parse_spans
from vaultkit.errors import UsageError
from vaultkit.vault.table_heads import find_dice
from vaultkit.vault.tables import BREAK, Row, plain_cell_text

MAX_NESTED_DICE_COUNT = 20
"""How many dice of a cell may begin a table within it; a hostile cell might have thousands."""
_ITEM = re.compile(
    r"(?P<label>\W{0,3}[0-9]{1,7}(?:\s?(?:[-\u2010-\u2015]|to|bis)\s?[0-9]{1,7}|\+)?)"
    r"(?:[.):=*_`\]\s]|(?<=\s)[-\u2010-\u2015](?=\s))+(?P<text>\S.*)",
    re.DOTALL,
)
"""A number or a range and what it means: `1. Owl`, `**2-3**: Bat`, `4 – Cat`."""
_ROW_END = re.compile(r"</(?:tr|li|p|caption)>|<(?:li|tr)\b[^<>]*>", re.IGNORECASE)
_CELL_END = re.compile(r"</t[dh]>", re.IGNORECASE)
_ENTRY_BREAK = re.compile(r"\s*(?:;|,(?=\s*[0-9])|(?<=[.!?])\s(?=[0-9]{1,4}\b))\s*|\s+(?=[0-9]{1,4}[.):]\s)")
_HEAD = re.compile(r"[^0-9;:]{0,60}[:;]?\s*")
"""The words between the die of a nested table and its first number."""


def split_item(text: str) -> tuple[str, str]:
    """Return the numbers in front of an item, and its words; "" and the whole text if it begins with no number."""
    match = _ITEM.match(text)
    return (match["label"].strip(), match["text"]) if match else ("", text)


def merge_nested_rows(first: Row, more: Sequence[Row], die: str, width: int) -> Row:
    """Return one row of `width` cells whose last one has the nested rows in order, after the die that they need."""
    lines = [" ".join(filter(None, row.cells[1:])) for row in (first, *more)]
    return Row((first.cells[0], *("",) * (width - 2), f"{plain_cell_text(die)}: {'; '.join(lines)}"), first.line)


def roll_cell(cell: str, rng: Generator) -> str:
    """Return the plain words of a cell, with its dice rolled; of a table within it, only the entry that was rolled.

    `Smell: d4: 1 tar; 2-4 mint` becomes `Smell: d4 (3) mint`.
    """
    marked_text = _CELL_END.sub(" ", _ROW_END.sub("; ", BREAK.sub("; ", cell)))
    text = plain_cell_text(marked_text)
    for name, start, end in islice(find_dice(text), MAX_NESTED_DICE_COUNT):
        if nested := _roll_entries(name, text[end:], rng):
            return f"{insert_rolls(text[:start].rstrip('(').lstrip('; '), rng)}{nested}"
    return insert_rolls(plain_cell_text(cell), rng)


def _roll_entries(name: str, text: str, rng: Generator) -> str:
    """Return the die, its number and the entry that it rolled, or "" if the text is no complete table for it."""
    try:
        dice = Dice.parse(name)
    except UsageError:
        return ""
    head = _HEAD.match(text)
    entries = _ENTRY_BREAK.split(text[head.end() :].strip(" ;)")) if head else []
    pairs = [split_item(entry) for entry in entries if entry]
    spans = [parse_spans(label, dice) for label, _ in pairs]
    covered = sorted(span for row in spans for span in row)
    edges = [dice.lowest - 1, *(last for _, last in covered)]
    is_complete = all(spans) and [first for first, _ in covered] == [edge + 1 for edge in edges[:-1]]
    if len(pairs) < 2 or not is_complete or edges[-1] != dice.highest:
        return ""
    number = dice.roll(rng)
    entry = next(entry for row, (_, entry) in zip(spans, pairs, strict=True) for a, b in row if a <= number <= b)
    return f"{dice} ({number}) {insert_rolls(entry, rng)}"
