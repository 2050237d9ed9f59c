"""The names of sections and pieces of notes, as the search index keeps them."""

import re
from collections.abc import Iterator

from vaultkit.search.stemming import name_key

_PIECE_NAME = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?:\*{2,3}|__)(?P<bold>[^*_\n]{2,60}?)[.:]?(?:\*{2,3}|__)"
    r"|^[ \t]*>[ \t>]*\[![^\]\n]+\][+-]?[ \t]+(?P<callout>[^\n]{2,80})$"
    r"|^[ \t]*(?:-[ \t]+)?name:[ \t]*[\"']?(?P<field>[^\"'\n]{2,60})"
    r"|^[ \t|>]*\^(?P<block>[A-Za-z0-9-]+)[ \t]*$",
    re.MULTILINE,
)
"""The name of a piece: the bold beginning of a line, the title of a callout, a name in a statblock, or a block id."""
_ARTICLES = re.compile(r"(?:the|an?|der|die|das|le|la|les|el|los|las|il|lo|gli|i|os?|as?) (?=\w)")
"""Articles at the beginning of a name, which may be left out."""
_NAME_SEPARATOR = re.compile(r"\s+[-\u2013\u2014]+\s+|[:,;/|()&+]+\s*|^[\d.]+[.)]?\s+")
"""The signs between the parts of a name, such as `Handout 1 - Wanted Poster`, and a number before it."""


def find_piece_names(text: str) -> Iterator[str]:
    """Yield the names of the pieces of a Markdown text."""
    yield from (next(filter(None, match.groups())) for match in _PIECE_NAME.finditer(text))


def split_name(name: str) -> list[str]:
    """Return the parts of a name that are names of their own, none if it has only one part."""
    parts = [part for part in map(str.strip, _NAME_SEPARATOR.split(name)) if part and not part.isdecimal()]
    return [part for part in parts if part != name and not part.replace(" ", "").isdecimal()]


def without_article(name: str) -> str:
    """Return the key of a name, without an article at its beginning."""
    return _ARTICLES.sub("", name_key(name), count=1) if name else ""
