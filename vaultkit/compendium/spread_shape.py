"""How the cards of a spread lie on the table: rows of places, each with the number of its position."""

from collections.abc import Sequence

from vaultkit.errors import InvalidError

Shape = tuple[tuple[int, ...], ...]
"""Rows from the top; a place holds the number of a position, counted from 1, or 0 for nothing."""

_WIDEST = 5
HINT = 'Write each row in quotes, with a number or a full stop for each place: shape = [". 2 .", "1 5 3", ". 4 ."].'


def parse_shape(rows: Sequence[object], count: int, where: str) -> Shape:
    """The shape of a spread of `count` positions. Raises InvalidError if one is missing, or there twice."""
    shape = tuple(tuple(_number(word, where) for word in str(row).split()) for row in rows)
    there = sorted(number for row in shape for number in row if number)
    if there != list(range(1, count + 1)):
        raise InvalidError(f"'shape' must have each number from 1 to {count} once.", where=where, hint=HINT)
    widest = max(map(len, shape))
    return tuple(row + (0,) * (widest - len(row)) for row in shape if row)


def plain_shape(count: int) -> Shape:
    """Even rows of five cards at most, for a spread that says nothing of its shape."""
    rows = -(-count // _WIDEST)
    widest = -(-count // rows)
    numbers = [*range(1, count + 1), *(0 for _ in range(rows * widest - count))]
    return tuple(tuple(numbers[start : start + widest]) for start in range(0, len(numbers), widest))


def _number(word: str, where: str) -> int:
    if set(word) <= {"."}:
        return 0
    if not (word.isascii() and word.isdigit()):
        raise InvalidError(f"'{word}' in 'shape' is neither a number nor a full stop.", where=where, hint=HINT)
    return int(word)
