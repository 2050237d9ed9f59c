"""Numbers in text from untrusted sources."""

_MAX_NUMBER_LENGTH = 18
"""The most digits of a number that is read: nobody needs more, and Python refuses thousands."""


def parse_whole_number(text: str) -> int | None:
    """Return the whole number that `text` is, or None if it has anything but digits, or more than 18 of them."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_NUMBER_LENGTH else None
