"""How words are put together in every message: lists, counts, suggestions."""

from collections.abc import Iterable, Mapping


def listing(words: Iterable[str], last: str = "and") -> str:
    """`A, B and C`."""
    *first, end = tuple(words) or ("",)
    return f"{', '.join(first)} {last} {end}" if first else end


def counted(number: int, noun: str) -> str:
    """`no notes`, `1 note`, `2 notes`."""
    return f"{number or 'no'} {noun if number == 1 else f'{noun}s'}"


def did_you_mean(wanted: str, known: Mapping[str, str] | Iterable[str], otherwise: str = "", near: float = 0.6) -> str:
    """`Did you mean 'Bram'?` for the name most like `wanted`, else `otherwise`.

    `known` are names, or what is compared with the name behind each. `near` is how alike two must be, of 1.
    """
    from difflib import get_close_matches

    names = known if isinstance(known, Mapping) else {name: name for name in known}
    found = get_close_matches(wanted, names, n=1, cutoff=near)
    return f"Did you mean '{names[found[0]]}'?" if found else otherwise
