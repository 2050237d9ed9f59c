"""Places at which text without spaces may be broken into lines: Chinese, Japanese and Thai, word by word.

BudouX finds the words. Its Thai model was tried on sentences of game rules: names of foreign people aside, its words
are those of a dictionary. A word that is too long for its line is broken between letters.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from vaultkit.theme.bidi import can_shape

_THAI, _KANA = re.compile("[\u0e00-\u0e7f]"), re.compile("[\u3040-\u30ff]")
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3005-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Letters of scripts that are written without spaces between words, and are read by BudouX."""
_BOUND_TO_PREVIOUS = frozenset(
    "\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1f\uff01\u30fb\u30fc\u3005\u301c\u2026\u2025\u0e2f\u0e46"
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
)
"""Letters and signs that never begin a line, besides closing brackets and marks."""
_MAX_CHARS = 5_000


def has_unspaced_words(text: str) -> bool:
    """Return whether a text has words without spaces between them that can be told apart."""
    return bool(_UNSPACED.search(text)) and can_shape()


@lru_cache(maxsize=4_000)
def split_unspaced(text: str) -> Sequence[str]:
    """Return the parts of a text without spaces, between which a line may be broken."""
    if len(text) > _MAX_CHARS:
        return *split_unspaced(text[:_MAX_CHARS]), *split_unspaced(text[_MAX_CHARS:])
    parts = [""]
    for word in _load_parser(_model_of(text))(text):
        is_bound = parts[-1] and not _may_break(parts[-1][-1], word[0])
        parts[-1:] = [parts[-1] + word] if is_bound or not parts[-1] else [parts[-1], word]
    return tuple(parts)


def split_words(text: str) -> list[str]:
    """Return the parts of a text between which a line may be broken; one ends with a space if one follows."""
    parts, is_unspaced = list[str](), has_unspaced_words(text)
    for word in text.split():
        parts += split_unspaced(word) if is_unspaced else [word]
        parts[-1] += " "
    return [*parts[:-1], parts[-1].rstrip()] if parts else []


def split_letters(text: str, fits: Callable[[str], bool]) -> list[str]:
    """Return a text broken between letters into parts that fit; marks stay with their letters."""
    parts = [""]
    for index, character in enumerate(text):
        is_free = index > 0 and (_may_break(text[index - 1], character) or _are_plain(text[index - 1], character))
        parts += [""] if parts[-1] and is_free and not fits(parts[-1] + character) else []
        parts[-1] += character
    return parts


def _are_plain(before: str, after: str) -> bool:
    """Return whether two characters are of scripts with spaces, and the second one is no mark upon the first."""
    return not _UNSPACED.match(before) and not _UNSPACED.match(after) and unicodedata.category(after)[0] != "M"


def _model_of(text: str) -> str:
    if _THAI.search(text):
        return "thai"
    return "japanese" if _KANA.search(text) else "simplified_chinese"


@lru_cache(maxsize=4)
def _load_parser(model: str) -> Any:
    import budoux

    return getattr(budoux, f"load_default_{model}_parser")().parse


def _may_break(before: str, after: str) -> bool:
    """Return whether a line may be broken between two characters, one of which is of an unspaced script."""
    category = unicodedata.category(after)
    if after in _BOUND_TO_PREVIOUS or category[0] == "M" or category in {"Pe", "Pf"} or after in ")]}!?,.:;%":
        return False
    if unicodedata.category(before) in {"Ps", "Pi"}:
        return False
    is_thai_vowel_sign = after in "\u0e30\u0e32\u0e33\u0e45" or before in "\u0e40\u0e41\u0e42\u0e43\u0e44"
    return (
        bool(_UNSPACED.match(before) or _UNSPACED.match(after) or before in _BOUND_TO_PREVIOUS)
        and not is_thai_vowel_sign
    )
