"""Titles of cards: broken into lines and made smaller down to the floor, never cut."""

from collections.abc import Callable

from vaultkit.errors import InvalidError

_MOST_LINES = 8
_FEW = 3
"""So many lines a title may have before it is made smaller."""
_ONE_LINE = 9.5
"""Down to this size a title is rather made smaller than broken."""
_STEP = 0.5

Width = Callable[[str, float], float]
"""The width in points of some words at a size."""


def fitted(
    text: str, width: Width, room: float, *, size: float, floor: float, one_line: float = _ONE_LINE
) -> tuple[tuple[str, ...], float]:
    """The title's lines and size: one line if that takes no smaller a size than `one_line` points.

    Raises InvalidError for a title that would fill the card.
    """
    while size > max(one_line, floor) and width(text, size) > room:
        size = max(floor, size - _STEP)
    while size > floor and any(width(word, size) > room for word in text.split()):
        size = max(floor, size - _STEP)
    while size > floor and len(broken(text, width, room, size)) > _FEW:
        size = max(floor, size - _STEP)
    lines = broken(text, width, room, size)
    if len(lines) > _MOST_LINES:
        over = len(" ".join(lines[_MOST_LINES:]).split())
        raise InvalidError(f"The title '{text[:40]}…' is {over} words too long for a card.", hint="Shorten it.")
    return tuple(lines), size


def broken(text: str, width: Width, room: float, size: float) -> list[str]:
    """Lines of whole words; a word that is wider than `room` by itself goes on in the next line."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width(longer, size) <= room:
            lines[-1] = longer
            continue
        lines += [""] if lines[-1] else []
        for character in word:
            if width(lines[-1] + character, size) > room:
                lines.append("")
            lines[-1] += character
    return lines
