"""Text copied from one note into another with its links intact, and the coins that it mentions."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from vaultkit.compendium.tables.roll_tables import Roll
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.tables import plain_cell_text
from vaultkit.vault.writing.escape import escape_markdown
from vaultkit.vault.writing.link_style import Linker


@dataclass(frozen=True, slots=True)
class Piece:
    """Plain text with the target of its link: `note` is a vault path, "" for text without a link."""

    text: str
    note: str = ""
    subpath: str = ""


Words = tuple[Piece, ...]
"""A text as pieces, of which some are links."""


def link_words(text: str, links: Iterable[Link], note: Note, vault: Vault) -> Words:
    """Split the plain `text` into pieces; some are the `links` of `note` that lead to a file of the vault.

    `links` are in the order of their words in `text`. The words of links that lead nowhere stay plain.
    """
    pieces: list[Piece] = []
    offset = 0
    for link in links:
        link_text = plain_cell_text(note.text[link.start : link.end])
        target = vault.resolve(link, note.path).path
        link_start = text.find(link_text, offset) if link_text and target else -1
        if target and link_start >= 0:
            pieces += [Piece(text[offset:link_start]), Piece(link_text, target, link.subpath)]
            offset = link_start + len(link_text)
    return tuple(piece for piece in (*pieces, Piece(text[offset:])) if piece.text)


def link_roll(roll: Roll, text: str, vault: Vault) -> Words:
    """Return the `text` of a roll with the links of its row."""
    note, row = roll.table.note, roll.row
    cells = " ".join(row.cells) if row else ""
    row_links = (link for link in note.links if row and link.line == row.line)
    links = (link for link in row_links if note.text[link.start : link.end] in cells)
    return link_words(text, links, note, vault)


def text_of(words: Words) -> str:
    """Return the text of the pieces without its links."""
    return "".join(piece.text for piece in words)


def markdown_of(words: Words, linker: Linker, source: str, *, table: bool = False) -> str:
    """Return the pieces as Markdown for the note at the path `source`; `table` escapes it for a table cell."""
    return "".join(_piece_markdown(piece, linker, source, table) for piece in words)


def _piece_markdown(piece: Piece, linker: Linker, source: str, table: bool) -> str:
    if piece.note:
        return linker.link(piece.note, source, piece.text, piece.subpath, table=table)
    before = " " * piece.text[:1].isspace()
    after = " " * (piece.text[-1:].isspace() and bool(piece.text.strip()))
    return f"{before}{escape_markdown(piece.text)}{after}"


def join_words(texts: Iterable[Words], separator: str) -> Words:
    """Return several texts as one, with `separator` between them."""
    return tuple(piece for words in texts for piece in (Piece(separator), *words))[1:]


UNITS = ("pp", "gp", "ep", "sp", "cp")
"""The abbreviations of coins, the most valuable first."""
_UNIT_BY_METAL = {"platinum": "pp", "gold": "gp", "electrum": "ep", "silver": "sp", "copper": "cp"}
COIN_WORDS = (*UNITS, *_UNIT_BY_METAL)
_UNIT = "|".join(COIN_WORDS)
_NUMBER = r"[0-9][0-9,]{0,20}"
_DICE = r"(?:[0-9]*d[0-9%][0-9dkhl%+\-\u2212\u2013*x\u00d7, ]{0,60})"
"""Dice in each notation of `compendium.tables.dice`, which appends the rolled total in parentheses."""
_GOES_ON = r"and|plus|with|in|inside|of|from|on|at|under|[a-z]{2,}(?:ed|en|wn)"
_END = rf"(?:\s(?:pieces?|coins?)\b)?(?=\s*(?:\Z|[.;,]|\b(?:{_GOES_ON})\b))"
"""Words and marks that may follow coins. Other words make the coins the price of a thing, as in `50 gp gems`."""
_COINS = re.compile(
    rf"(?:(?:^|(?<=[\s;])){_DICE}\((?P<rolled>{_NUMBER})\)|(?:^|(?<=;\s)|(?<=\band\s)|(?<=,\s))(?P<fixed>{_NUMBER}))"
    rf"\s?(?P<unit>{_UNIT}){_END}"
    rf"|(?:^|(?<=;\s))(?P<column>{_UNIT}):\s(?:{_DICE}\((?P<of_dice>{_NUMBER})\)|(?P<plain>{_NUMBER}))(?=\s*(?:\Z|;))",
    re.IGNORECASE,
)
"""Coins such as `2d6 (7) gp` and `50 gold pieces`, or the cell of a column of coins: `GP: 50`."""
_THING = r"(?:;|(?:,\s*)?\b(?:and|plus|with)\b|,\s*(?:an?|the|one|two|three|four|five|six|[0-9]+)\b)"
_DRESSING = re.compile(rf".*?(?=\Z|{_THING})", re.IGNORECASE)
"""Words that describe coins, such as the container they lie in, up to the next thing."""
_EMPTY_COLUMN = re.compile(rf"(?:^|;\s)(?:{'|'.join(UNITS)}):\s[-\u2013\u2014]+(?=\Z|;)", re.IGNORECASE)
_BETWEEN_COINS = re.compile(
    r"(?:[\s,;.]|\b(?:and|plus|with)\b)*(?P<kept>.*?)(?:[\s,;]|\b(?:and|plus|with|of|holding|containing))*",
    re.IGNORECASE | re.DOTALL,
)
"""Text between coins; the words at its ends that joined it to them, such as `and`, are outside the group `kept`."""


def split_coins(words: Words) -> tuple[Words, Mapping[str, int]]:
    """Return the words without coins, and the amount of coins by unit.

    The value of a thing, as in `a pearl worth 25 gp`, does not count as coins.
    """
    text = text_of(words)
    coins: Counter[str] = Counter()
    boundaries = [0]
    for match in _COINS.finditer(text):
        unit = (match["unit"] or match["column"]).lower()
        amount = match["rolled"] or match["fixed"] or match["of_dice"] or match["plain"]
        coins[_UNIT_BY_METAL.get(unit, unit)] += int(amount.replace(",", ""))
        dressing = _DRESSING.match(text, match.end())
        boundaries += [match.start(), dressing.end() if dressing else match.end()]
    if not coins:
        return words, {}
    stretches = zip(boundaries[::2], [*boundaries[1::2], len(text)], strict=True)
    return join_words(filter(None, (_cut_words(words, text, *stretch) for stretch in stretches)), ", "), coins


def _cut_words(words: Words, text: str, start: int, end: int) -> Words:
    """Return the pieces between two offsets of their `text`, without words such as `and` that joined them to coins.

    A link that is cut short keeps its target.
    """
    stretch = _EMPTY_COLUMN.sub(lambda match: " " * len(match[0]), text[start:end])
    match = _BETWEEN_COINS.fullmatch(stretch)
    kept_start, kept_end = (start + match.start("kept"), start + match.end("kept")) if match else (start, end)
    cut_pieces, piece_start = [], 0
    for piece in words:
        text = piece.text[max(kept_start - piece_start, 0) : max(kept_end - piece_start, 0)]
        cut_pieces.append(replace(piece, text=text))
        piece_start += len(piece.text)
    return tuple(piece for piece in cut_pieces if piece.text)


def coin_text(coins: Mapping[str, int]) -> str:
    """Return coins as text, such as `3 pp, 1,200 gp`; "" if there are none."""
    return ", ".join(f"{coins[unit]:,} {unit}" for unit in UNITS if coins.get(unit))
