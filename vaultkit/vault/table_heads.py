"""Heads of tables: delimiter rows, and the dice that a head names, in the letters of several languages."""

import re
from collections.abc import Iterator, Sequence

_FOREIGN_LETTER = "[wWkKtT\u043a\u041a\u0434\u0414]"
"""The letter for a die in German, Polish, Czech, Scandinavian languages, Russian and others: `W6`, `k6`, `T6`, `к6`."""
_FOREIGN_SIDES = r"(?:2|3|4|6|8|10|12|20|30|66|100|1000|%)(?![0-9%])"
"""The sides of dice that are read with a letter other than d, so that a `T7` or `K9` stays a name."""
_TERM = rf"(?:[0-9]{{1,3}}\s?)?(?:[dD]\s?(?:[0-9]{{1,7}}|%)(?:k[hl]?[0-9]{{0,2}})?|{_FOREIGN_LETTER}{_FOREIGN_SIDES})"
_DICE = re.compile(rf"(?<![\w.,]){_TERM}(?:\s?[+\-\u2212\u2013]\s?(?:{_TERM}|[0-9]{{1,3}}(?![\w%])))*(?![\w%])")
_WORDS_AROUND_DIE = re.compile(r"\b(?:rolls?|results?|die|dice|number|no|nr)\b\.?|[\W_]", re.IGNORECASE)
"""The words and signs that may stand around the die in the head of a column of numbers."""
DIE = re.compile(rf"[dD] ?[0-9%]|{_FOREIGN_LETTER}[0-9%]")
"""The beginning of a die, such as `d20`, `d%` or `W6`."""
_ROLL_WORD = re.compile(
    "%|rolls?|dice|die|percent(?:ile|age)?|w[uü]rf(?:el|elwurf)?|rzut|kość|kostka|hod|slag|kast|tärning|terning|"
    "tiradas?|dados?|tiro|lanzamiento|lancer?|jet|dés?|бросок|кубик|кость"
)
"""A word for rolling dice in the head of a column."""
_WORD_AROUND_ROLL = re.compile("a|of|on|the|you|number|results?|resultado|ergebnis|total|table|del?|la|le|der|do")
_WORD = re.compile(r"[^\W\d_]+|%")
_DELIMITER_ROW = re.compile(r"([\r\n][ \t>]*+)((?=[^\r\n]*\|)[|:-][-|: \t]*+)(?=[\r\n]|\Z)")
_DELIMITER_CELL = re.compile(r":?-{2,}:?|:-:?|-:")


def find_dice(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the dice that a text names, each with its start and end; a `W6` is `d6`, with the English letter."""
    for match in _DICE.finditer(text):
        name = match[0] if "d" in match[0].lower() else re.sub(_FOREIGN_LETTER, "d", match[0])
        yield name, match.start(), match.end()


def is_bare_die(cell: str) -> bool:
    """Return whether a cell names one die and nothing else, as in `d100`, `dice: 1d22`, `**W6**` or `Roll (d6)`."""
    if not _DICE.search(cell):  # fast path: most cells name none
        return False
    return len({name for name, _, _ in find_dice(cell)}) == 1 and not _WORDS_AROUND_DIE.sub("", _DICE.sub("", cell))


def mentions_roll(cell: str) -> bool:
    """Return whether a cell has a word for rolling, as in `Roll`, `%`, `Wurf` or `Bardic Die`."""
    return any(map(_ROLL_WORD.fullmatch, _WORD.findall(cell.lower())))


def is_roll_word(cell: str) -> bool:
    """Return whether a cell says only that something is rolled, as in `Roll`, `**Dice Roll**`, `%` or `Wurf`."""
    others = [word for word in _WORD.findall(cell.lower()) if not _ROLL_WORD.fullmatch(word)]
    return mentions_roll(cell) and all(map(_WORD_AROUND_ROLL.fullmatch, others))


def untab_delimiter_rows(text: str) -> str:
    """Return the text, of the same length, with spaces for tabs in delimiter rows, where the parser allows no tabs."""
    if "\t" not in text or "|" not in text:
        return text
    return _DELIMITER_ROW.sub(lambda match: match[1] + match[2].replace("\t", " "), text)


def split_at_heads(rows: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the indices of the rows of each table in `rows`, the cells of one table, of which the first is its head.

    A second table begins with a head inside the first: the row above a delimiter row, which belongs to no table, or a
    row that begins with a die if the first head begins with one or with a word for rolling.
    """
    tables = [[0]]
    is_rolled = bool(rows and rows[0]) and (is_bare_die(rows[0][0]) or is_roll_word(rows[0][0]))
    for index, cells in enumerate(rows[1:], 1):
        signs = "".join(cells)
        if signs and not signs.strip(":-") and all(_DELIMITER_CELL.fullmatch(cell) for cell in cells if cell):
            if len(tables[-1]) > 1:
                tables.append([tables[-1].pop()])
        elif is_rolled and len(tables[-1]) > 1 and cells and is_bare_die(cells[0]):
            tables.append([index])
        else:
            tables[-1].append(index)
    return tables
