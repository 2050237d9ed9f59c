"""Decoding of HTML character references such as `&amp;` and `&#65;`."""

import re

_HUGE_REFERENCE = re.compile("&#[0-9]{99,}")


def unescape_references(text: str) -> str:
    """Return the text with HTML character references replaced by their characters."""
    from html import unescape  # slow to import: it loads thousands of names

    return unescape(mask_huge_references(text))


def mask_huge_references(text: str) -> str:
    """Return the text with very long numeric references, which Python cannot parse, replaced by invalid ones.

    The replacements have the same length, so that offsets stay valid.
    """
    return _HUGE_REFERENCE.sub(lambda match: f"&#x{'f' * (len(match[0]) - 3)}", text)
