"""Ids of games: letters and digits of any script, with hyphens between words."""

import re
from unicodedata import category, normalize


def is_game_id(text: str) -> bool:
    """Return whether `text` is an id of a game in its normal form, such as `chess-960`."""
    return bool(text) and text == to_game_id(text)


def to_game_id(words: str) -> str:
    """Return words as an id: composed, in lower case, with hyphens for all but letters, their marks, and digits.

    Return "" for words without letters and digits.
    """
    folded = normalize("NFC", normalize("NFC", words).casefold())
    signs = "".join(sign if category(sign)[0] in "LMN" else "-" for sign in folded)
    pieces = (piece for piece in re.split("-+", signs) if any(category(sign)[0] in "LN" for sign in piece))
    return "-".join(pieces)
