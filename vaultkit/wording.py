"""How words are put together in every message: lists and counts."""

from collections.abc import Iterable


def listing(words: Iterable[str], last: str = "and") -> str:
    """`A, B and C`."""
    *first, end = tuple(words) or ("",)
    return f"{', '.join(first)} {last} {end}" if first else end


def counted(number: int, noun: str) -> str:
    """`no notes`, `1 note`, `2 notes`."""
    return f"{number or 'no'} {noun if number == 1 else f'{noun}s'}"
