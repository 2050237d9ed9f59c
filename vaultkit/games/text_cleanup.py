"""Cleanup of the texts of a definition: it tidies white space and refuses characters that cannot be printed."""

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import category

from vaultkit.schema import Path, SchemaError
from vaultkit.text import lookalike_key

_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text after them."""
_MULTILINE_KEYS = {("form", "panels", "text"), ("form", "panels", "items"), ("form", "panels", "after")}
"""The keys of texts that may have several lines: Markdown of a printed sheet."""


def tidy_texts(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a definition with each text on one line, apart from the paragraphs of a printed sheet.

    Raises SchemaError for a control character, which no sheet, note or terminal can show.
    """
    return {key: _tidy(value, (key,)) for key, value in table.items()}


def _tidy(value: Any, path: Path) -> Any:
    if isinstance(value, dict):
        return {key: _tidy(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_tidy(item, (*path, index)) for index, item in enumerate(value)]
    return _tidy_text(value, path) if isinstance(value, str) else value


def _tidy_text(text: str, path: Path) -> str:
    keys = tuple(step for step in path if isinstance(step, str))
    tidy_text = text if keys in _MULTILINE_KEYS else " ".join(text.split()) or text
    if control := next((sign for sign in tidy_text if _is_control(sign)), ""):
        message = f"'{keys[-1]}' has a control character, U+{ord(control):04X}, which cannot be printed."
        raise SchemaError(path, message, "Delete it, or type the text again.")
    return tidy_text


def _is_control(character: str) -> bool:
    return character in _BIDI_CONTROLS or (category(character) in {"Cc", "Cs"} and character not in "\t\n\r")


def find_twin(words: Sequence[str]) -> tuple[int, int] | None:
    """Return the indexes of two words that look alike, or None. Empty words do not count."""
    index_by_key: dict[str, int] = {}
    for index, key in enumerate(map(lookalike_key, words)):
        if key and key in index_by_key:
            return index_by_key[key], index
        index_by_key[key] = index
    return None
