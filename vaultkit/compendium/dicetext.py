"""Dice that stand in plain words, as in `4d8 cp` or `2d6 × 10 gold pieces`, rolled in place."""

import re

from vaultkit.compendium.dice import Dice, Generator
from vaultkit.errors import UsageError

_TERM = r"(?:[0-9]{1,3}d(?:[0-9]{1,4}|%)(?:k[hl]?[0-9]{0,3})?|d(?:2|3|4|6|8|10|12|20|100|%))(?![\w%])"
_SIGN = r"\s?[+\-\u2212\u2013]\s?"
_DICE = re.compile(
    rf"(?<![\w.,+-])(?P<dice>{_TERM}(?:{_SIGN}(?:{_TERM}|[0-9]{{1,4}}(?![\w.%])))*)"
    r"(?:\s?[*x\u00d7]\s?(?P<times>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(?!\w))?"
    r"(?:\s(?!(?:and|or|of|to|in|on|at|for|with)\b)[^\W\d_]+\b)?",
    re.IGNORECASE,
)
"""Dice, what they are multiplied with, and the word that says what there are so many of."""


def with_rolls(text: str, rng: Generator) -> str:
    """The text with what its dice rolled in brackets behind them and their unit: `4d8 cp (19) and 2d6 rats (5)`."""
    return _DICE.sub(lambda match: f"{match[0]}{_rolled(match, rng)}", text)


def _rolled(match: re.Match[str], rng: Generator) -> str:
    """What the dice rolled, "" for more dice than anybody rolls."""
    try:
        dice = Dice.parse(match["dice"])
    except UsageError:
        return ""
    return f" ({dice.roll(rng) * int((match['times'] or '1').replace(',', ''))})"
