"""Coins among the words of a reward: `3d6 pp (11) in a hollow candlestick`, `25 gp`, `GP: 4d6 (13)`."""

import re
from collections import Counter
from collections.abc import Mapping

from vaultkit.campaign.rewards.pieces import Words, part, spoken

UNITS = ("pp", "gp", "ep", "sp", "cp")
"""The kinds of coins, the dearest first."""
_METALS = {"platinum": "pp", "gold": "gp", "electrum": "ep", "silver": "sp", "copper": "cp"}
_UNIT = rf"(?P<unit>{'|'.join((*UNITS, *_METALS))})"
_ROLLED = r"(?:[0-9]*d[0-9]+[^A-Za-z()\[\];,]*)"
_GOES_ON = r"and|plus|with|in|inside|of|from|on|at|under|[a-z]{2,}(?:ed|en|wn)"
_END = rf"(?:\s(?:pieces?|coins?)\b)?(?=\s*(?:\Z|[.;,]|\b(?:{_GOES_ON})\b))"
"""What may follow coins; other words would make them the price of something, as in `50 gp gems`."""
_COINS = re.compile(
    rf"(?:^|(?<=\s)|(?<=;)){_ROLLED}\s?{_UNIT}\s\((?P<rolled>[0-9]+)\){_END}"
    rf"|(?:^|(?<=;\s)){_UNIT.replace('unit', 'column')}:\s"
    rf"(?:{_ROLLED}\s?\((?P<of_column>[0-9]+)\)|(?P<plain>[0-9][0-9,]*))(?=\s*(?:\Z|;))"
    rf"|(?:^|(?<=;\s)|(?<=\band\s)|(?<=,\s))(?P<fixed>[0-9][0-9,]*)\s?{_UNIT.replace('unit', 'kind')}{_END}",
    re.IGNORECASE,
)
_THING = r"(?:;|(?:,\s*)?\b(?:and|plus|with)\b|,\s*(?:an?|the|one|two|three|four|five|six|[0-9]+)\b)"
_DRESSING = re.compile(rf".*?(?=\Z|{_THING})", re.IGNORECASE)
"""What is told of coins, such as what they lie in, up to the next thing."""
_JOINS = re.compile(r"(?:[\s,;.]|\b(?:and|plus|with)\b)+", re.IGNORECASE)
_EMPTY_COLUMN = re.compile(rf"(?:^|;\s)(?:{'|'.join(UNITS)}):\s[-\u2013\u2014]+(?=\Z|;)", re.IGNORECASE)


def split_coins(pieces: Words) -> tuple[Words, Mapping[str, int]]:
    """What is no coins, and the coins by their kinds. Values of things, as in `a pearl worth 25 gp`, are none."""
    text = spoken(pieces)
    found: Counter[str] = Counter()
    kept: list[tuple[int, int]] = []
    done = 0
    for match in _COINS.finditer(text):
        unit = (match["unit"] or match["column"] or match["kind"]).lower()
        amount = match["rolled"] or match["of_column"] or match["plain"] or match["fixed"]
        found[_METALS.get(unit, unit)] += int(amount.replace(",", ""))
        kept.append((done, match.start()))
        dressing = _DRESSING.match(text, match.end())
        done = dressing.end() if dressing else match.end()
    if not found:
        return pieces, {}
    kept.append((done, len(text)))
    rest = tuple(piece for start, end in kept for piece in part(pieces, *_trimmed(text, start, end)))
    return rest, found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the words at its ends that joined it to coins, or nothing."""
    stretch = _EMPTY_COLUMN.sub(lambda match: " " * len(match[0]), text[start:end])
    lead = _JOINS.match(stretch)
    first = lead.end() if lead else 0
    last = len(stretch)
    while last > first and (tail := re.search(r"(?:[\s,;]|\band|\bplus)\Z", stretch[first:last], re.IGNORECASE)):
        last = first + tail.start()
    return start + first, start + last


def spoken_coins(coins: Mapping[str, int]) -> str:
    """`3 pp, 12 gp`; "" for none."""
    return ", ".join(f"{coins[unit]} {unit}" for unit in UNITS if coins.get(unit))
