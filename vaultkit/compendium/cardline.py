"""The line of a card's rank and suits: `*Three of Glyphs*`, `*Two of Moons and Knots · event*`."""

import re
from dataclasses import dataclass, field

from vaultkit.cards import Rank

_LINE = re.compile(
    r"^\s*[*_](?P<rank>[^*_\n]+?)\s+of\s+(?P<suits>[^*_\n·]+?)\s*(?:·\s*(?P<types>[^*_\n]+?)\s*)?[*_]\s*$"
)
_LONGEST = 200
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a note says of one card; `line` is where it says so."""

    suits: tuple[str, ...] = ()
    rank: Rank = None
    traits: dict[str, str] = field(default_factory=dict)
    line: int = 0


def rank(word: str) -> Rank:
    """`Three` and `3` are 3; other words stay words; nothing is None."""
    text = word.strip()
    if text.isdecimal() and len(text) < 9:
        return int(text)
    if text.lower() in _WORDS:
        return _WORDS.index(text.lower())
    return text or None


def suits(words: str) -> tuple[str, ...]:
    """`Moons and Knots` or `Moons, Knots`."""
    return tuple(part.strip() for part in re.split(r"\s+and\s+|,|/", words) if part.strip())


def parse(line: str) -> Facts | None:
    """The facts of a card line, None if the line is something else."""
    match = _LINE.match(line) if len(line) <= _LONGEST else None
    if match is None:
        return None
    traits = {"types": match["types"]} if match["types"] else {}
    return Facts(suits(match["suits"]), rank(match["rank"]), traits)
