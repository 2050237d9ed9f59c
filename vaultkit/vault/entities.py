"""References of HTML such as `&amp;` and `&#65;`, and the characters that they stand for."""

import re

_ENDLESS = re.compile("&#[0-9]{99,}")


def unescaped(text: str) -> str:
    """The text with characters in the place of its references."""
    from html import unescape  # with thousands of names

    return unescape(bounded(text))


def bounded(text: str) -> str:
    """The text without references of figures without end, which Python refuses to read; no place in it moves.

    What takes their place stands for no character, either.
    """
    return _ENDLESS.sub(lambda found: f"&#x{'f' * (len(found[0]) - 3)}", text)
