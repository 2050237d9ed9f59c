"""Parts of messages: lists, counts, capitals, and numbers in words."""

from collections.abc import Iterable

NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""The first numbers in words, from 0."""


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence: `A, B and C`."""
    *first, end = tuple(words) or ("",)
    return f"{', '.join(first)} {last} {end}" if first else end


def capitalize_first(words: str) -> str:
    """Return the words with the first letter in upper case and the others unchanged."""
    return words[:1].upper() + words[1:]


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun: `no notes`, `1 note`, `2 notes`."""
    return f"{number or 'no'} {noun if number == 1 else f'{noun}s'}"
