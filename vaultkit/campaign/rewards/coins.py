"""Coins among the words of a reward: `3d6 (11) pp in a hollow candlestick`, `25 gp`, `GP: 4d6 (13)`."""

import re
from collections import Counter
from collections.abc import Mapping

from vaultkit.campaign.rewards.pieces import Words, joined, part, spoken

UNITS = ("pp", "gp", "ep", "sp", "cp")
"""The kinds of coins, the dearest first."""
_METALS = {"platinum": "pp", "gold": "gp", "electrum": "ep", "silver": "sp", "copper": "cp"}
COIN_WORDS = (*UNITS, *_METALS)
_UNIT = rf"(?P<unit>{'|'.join(COIN_WORDS)})"
_NUMBER = r"[0-9][0-9,]*"
_ROLLED = r"(?:[0-9]*d[0-9%][0-9dkhl%+\-\u2212\u2013*x\u00d7, ]{0,60})"
"""Dice in all the ways of `compendium.dicetext`, which puts what they rolled behind them."""
_GOES_ON = r"and|plus|with|in|inside|of|from|on|at|under|[a-z]{2,}(?:ed|en|wn)"
_END = rf"(?:\s(?:pieces?|coins?)\b)?(?=\s*(?:\Z|[.;,]|\b(?:{_GOES_ON})\b))"
"""What may follow coins; other words would make them the price of something, as in `50 gp gems`."""
_COINS = re.compile(
    rf"(?:^|(?<=\s)|(?<=;)){_ROLLED}\((?P<rolled>{_NUMBER})\)\s?{_UNIT}{_END}"
    rf"|(?:^|(?<=;\s)){_UNIT.replace('unit', 'column')}:\s"
    rf"(?:{_ROLLED}\((?P<of_column>{_NUMBER})\)|(?P<plain>{_NUMBER}))(?=\s*(?:\Z|;))"
    rf"|(?:^|(?<=;\s)|(?<=\band\s)|(?<=,\s))(?P<fixed>{_NUMBER})\s?{_UNIT.replace('unit', 'kind')}{_END}",
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
    rest = (part(pieces, *_trimmed(text, start, end)) for start, end in kept)
    return joined([things for things in rest if things], ", "), found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the words at its ends that joined it to coins, or nothing."""
    stretch = _EMPTY_COLUMN.sub(lambda match: " " * len(match[0]), text[start:end])
    lead = _JOINS.match(stretch)
    first = lead.end() if lead else 0
    last = len(stretch)
    while last > first and (
        tail := re.search(r"(?:[\s,;]|\b(?:and|plus|with|of|holding|containing))\Z", stretch[first:last], re.IGNORECASE)
    ):
        last = first + tail.start()
    return start + first, start + last


def spoken_coins(coins: Mapping[str, int]) -> str:
    """`3 pp, 1,200 gp`; "" for none."""
    return ", ".join(f"{coins[unit]:,} {unit}" for unit in UNITS if coins.get(unit))
