"""How words are put together in every message: lists and counts, and numbers in words."""

from collections.abc import Iterable

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""The first numbers in words."""


def listing(words: Iterable[str], last: str = "and") -> str:
    """`A, B and C`."""
    *first, end = tuple(words) or ("",)
    return f"{', '.join(first)} {last} {end}" if first else end


def capital(words: str) -> str:
    """The words with a capital in front; others stay as they are."""
    return words[:1].upper() + words[1:]


def counted(number: int, noun: str) -> str:
    """`no notes`, `1 note`, `2 notes`."""
    return f"{number or 'no'} {noun if number == 1 else f'{noun}s'}"
