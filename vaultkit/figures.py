"""Numbers out of texts that anybody may have written."""

_MOST = 18
"""Figures of the longest number that is read: nobody means more, and Python refuses thousands."""


def whole_number(text: str) -> int | None:
    """The whole number that a text of figures alone is; None for any other text, and for figures without end."""
    return int(text) if text.isdecimal() and len(text) <= _MOST else None
