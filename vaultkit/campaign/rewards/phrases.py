"""How the cells of a reward table speak of rolls, in English and, with a link or a number, in other languages."""

import re

from vaultkit.campaign.rewards.coins import COIN_WORDS

FIRST = 0xE000  # private characters, which stand for links while the words around them are read
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_COUNT = rf"[0-9]*d[0-9]+(?:\s*[+\-\u2212]\s*[0-9]+)?|[0-9]+|\ban?\b|\b(?:{'|'.join(_NUMBERS)})\b"
LINK = "[\ue000-\uf8ff]"
_ROLL = rf"(?:(?P<count>{_COUNT})\s+)?\brolls?\s+(?:(?P<times>{'|'.join(_TIMES)}|(?:{_COUNT})\s+times)\s+)?on\s+"
AND, OR = r"and|plus|und|sowie|et|y|e", r"or|oder|ou|o"
"""Between two rewards, also in the languages into which people have put their rule notes."""
_JOINS = rf"(?:{AND}|{OR}|with|mit|con|avec)\b"
_WORD = rf"(?!{_JOINS}|(?:{'|'.join(COIN_WORDS)})\b)[^\W\d_]+(?:['\u2019.\-][^\W\d_]+)*[.:]?\s+"
_LINKED = rf"(?:(?<![\w+.,])(?P<several>{_COUNT})\s*(?:[x\u00d7*]\s*|-)?(?:{_WORD}){{0,4}})?(?P<bare>{LINK})"
PHRASE = re.compile(
    rf"{_ROLL}(?:the\s+)?(?:(?P<link>{LINK})|(?P<words>[^\ue000-\uf8ff]+?)"
    rf"(?=\s*(?:,|;|\band\b|\bor\b|\bplus\b|&)+\s*(?:(?:{_COUNT})\s+)?rolls?\b|\s*\Z))|{_LINKED}",
    re.IGNORECASE,
)
LEADING = re.compile(rf"(?:^|[,;.&+]|\b{_JOINS})\s*(?P<words>(?:{_WORD}){{1,4}})\Z", re.IGNORECASE)
"""A few words that do no more than lead to a table: `tira`, `Würfe auf`."""
TABLE = re.compile(r"\bta[bv]", re.IGNORECASE)
"""Table, Tabelle, tabla, tavola."""
UNLINKED = re.compile(
    rf"(?P<several>{_COUNT})\s*(?:[x\u00d7*]\s*|-)?(?:{_WORD}){{1,4}}\[?(?P<words>ta(?:b[a-z]+|vola)\s+\w{{1,3}})\]?",
    re.IGNORECASE,
)
"""`1 Wurf auf Tabelle A`, without a link."""
BETWEEN = re.compile(rf"(?:^|\s)(?:{AND}|&|\+|,|;)+(?=\s|$)|^[,;]|[,;]$", re.IGNORECASE)
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def number_said(said: str) -> str:
    """A count in figures or words as a number, dice as they are: `2` of `twice`."""
    word = said.lower().removesuffix("times").strip()
    if word in ("a", "an"):
        return "1"
    if word in _TIMES:
        return str(_TIMES[word])
    return str(_NUMBERS.index(word) + 1) if word in _NUMBERS else word


def trimmed(text: str) -> str:
    """Without the conjunctions at both ends, which joined it to a phrase."""
    text = re.sub(rf"^\s*(?:(?:{AND})\b|[,;&+]|\s)*", "", text, flags=re.IGNORECASE)
    return re.sub(rf"(?:\b(?:{AND})\b|[,;&+]|\s)*$", "", text, flags=re.IGNORECASE)
