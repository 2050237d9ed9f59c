"""Character references of HTML such as `&amp;` and `&#65;`."""

import re

_ENDLESS = re.compile("&#[0-9]{99,}")


def unescaped(text: str) -> str:
    """Return the text with HTML character references replaced by their characters."""
    from html import unescape  # slow to import: it loads thousands of names

    return unescape(bounded(text))


def bounded(text: str) -> str:
    """Return the text with very long numeric references, which Python cannot parse, replaced by invalid ones.

    The replacements have the same length, so that all offsets stay valid, and stand for no character either.
    """
    return _ENDLESS.sub(lambda found: f"&#x{'f' * (len(found[0]) - 3)}", text)
