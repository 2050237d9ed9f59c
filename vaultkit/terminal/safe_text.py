"""Text from notes and people on its way to a terminal: nothing in it may steer the terminal or reorder a line."""

import re
from unicodedata import category

from vaultkit.text import JOINERS

_ESCAPE_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]"  # colours, cursor movements
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, device strings
    r"|\x1b[ -/]*[0-~]?"
)
_UNUSUAL_CHARACTER = re.compile(r"[^ -~]")


def strip_controls(text: str, *, lines: bool = False) -> str:
    """Return the text without control, escape and bidi characters; without `lines`, line ends become spaces."""
    text = _ESCAPE_SEQUENCE.sub("", re.sub(r"\r\n?|[\x85\u2028\u2029]", "\n", text))
    return _UNUSUAL_CHARACTER.sub(lambda match: _replace_character(match[0], lines), text)


def _replace_character(character: str, lines: bool) -> str:
    if character == "\n":
        return "\n" if lines else " "
    if character == "\t":
        return " "
    kind = category(character)
    if kind == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    return "" if kind in {"Cc", "Cf"} and character not in JOINERS else character
