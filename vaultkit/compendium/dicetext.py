"""Dice that stand in plain words, as in `4d8 cp` or `2d6 × 10 gold pieces`, rolled in place."""

import re

from vaultkit.compendium.dice import Dice, Generator
from vaultkit.errors import UsageError

_TERM = r"(?:[0-9]{1,3}d(?:[0-9]{1,4}|%)(?:k[hl]?[0-9]{0,3})?|d(?:2|3|4|6|8|10|12|20|100|%))(?![\w%])"
_SIGN = r"\s?[+\-\u2212\u2013]\s?"
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7}"
_COINS = r"[cseg]p|pp|(?:copper|silver|electrum|gold|platinum)(?:\s(?:pieces|coins))?"
_DICE = re.compile(
    rf"(?<![\w.,+-])(?P<mean>(?:{_NUMBER})\s?\()?"
    rf"(?P<all>(?P<dice>{_TERM}(?:{_SIGN}(?:{_TERM}|[0-9]{{1,4}}(?![\w.%])))*)"
    rf"(?:\s?[*x\u00d7]\s?(?P<times>{_NUMBER})(?!\w))?)(?(mean)\))"
    rf"(?:\s?\((?:{_NUMBER})(?P<in_brackets>\s?(?:{_COINS}))?\)"
    rf"|(?P<coins>\s?(?:{_COINS}))\s?\((?:{_NUMBER})(?:\s?(?:{_COINS}))?\))?",
    re.IGNORECASE,
)
"""Dice, what they are multiplied with, and the average that books print before them, or behind them or their coins."""
_DOES = re.compile(r"\b(?:heals?|regains?|restores?|deals?)\s(?:for\s)?\(?\Z", re.IGNORECASE)
_KINDS = (
    "extra|additional|bonus|temporary|points of|acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|"
    "psychic|radiant|slashing|thunder"
)
_HARM = re.compile(rf"\)?(?:\s(?:{_KINDS}))*\s(?:damage|hp|hit points?)\b", re.IGNORECASE)
"""What follows dice that are rolled when something is used, not when it is found."""


def with_rolls(text: str, rng: Generator) -> str:
    """The text with what its dice rolled in brackets behind them: `4d8 (19) cp and 2d6 × 10 (1,240) rats`.

    An average that a book prints there gives way: `5d6 × 100 (1,700 gp)` becomes `5d6 × 100 (1,800) gp`, and
    `7 (2d6) rats` becomes `2d6 (9) rats`. Dice of damage and healing stay as they are, since those are rolled each time
    that it happens.
    """
    return _DICE.sub(lambda match: _rolled(match, rng), text)


def _rolled(match: re.Match[str], rng: Generator) -> str:
    """Dice with what they rolled; as they are where they are an effect, or more than anybody rolls."""
    text = match.string
    before, after = text[max(match.start() - 20, 0) : match.start()], text[match.end() : match.end() + 60]
    if _DOES.search(before) or _HARM.match(after):
        return match[0]
    try:
        dice = Dice.parse(match["dice"])
    except UsageError:
        return match[0]
    number = dice.roll(rng) * int((match["times"] or "1").replace(",", ""))
    unit = match["coins"] or match["in_brackets"] or ""
    return f"{match['all']} ({number:,}){' ' * bool(unit)}{unit.strip()}"
