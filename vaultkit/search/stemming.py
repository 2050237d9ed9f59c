"""Word stems for comparing questions with passages: words without endings, and numbers as digits."""

import re
from functools import lru_cache

from vaultkit.text import NUMBER_WORDS

_WORD_PATTERN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth")
_ENDING_PATTERN = re.compile(r"(?<=..)(?:['’]s|(?<=.)ing|(?<=.)ed|(?<=[sxz])es|(?<=[cs]h)es|(?<![suix'])s)$")
_DOUBLED_CONSONANT = re.compile(r"([bdgmnprt])\1$")
# The basic form of each irregular form.
_IRREGULAR_FORMS = {
    form: word
    for word, forms in {
        "begin": "began begun",
        "choose": "chose chosen",
        "deal": "dealt",
        "draw": "drew drawn",
        "give": "gave given",
        "hold": "held",
        "keep": "kept",
        "leave": "left leaves",
        "lose": "lost",
        "pay": "paid",
        "show": "shown",
        "take": "took taken",
        "throw": "threw thrown",
        "win": "won",
    }.items()
    for form in forms.split()
}
# Phrases that mean one word; the name of the group is that word.
_PHRASE_PATTERN = re.compile(
    r"\b(?:(?P<sum>(?:add|adds|adding|added) up)"
    r"|(?P<flee>(?:run|walk|get)(?:s|ning|ing|ting)? away|back(?:s|ing)? out)"
    r"|(?P<skip>(?:hold|holds|holding|held) back)"
    r"|(?P<undo>(?:take|takes|taking|took|taken) back)"
    r"|(?P<empty>(?:run|runs|running|ran) (?:out|dry)|used up)"
    r"|(?P<forfeit>(?:is|are|am|be|go|goes|went|knocked|thrown) out)"
    r"|(?P<must>(?:have|has|had|need|needs) to|(?:am|are|is) (?:i|we|you|he|she|they) (?:forced|obliged|made) to)"
    r"|(?P<may>(?:am|are|is) (?:i|we|you|he|she|they) allowed(?: to)?|is it allowed(?: to)?)"
    r"|(?P<reveal>(?:turn|turns|turned|turning|flip|flips|flipped) (?:up|over)))\b"
)
_STOP_WORD_TEXT = (
    "a about all am an and any are as at be been but by can could did do does for from go had has have he her him "
    "his how i if in is it its just keep let make many may me mean meaning might much must my no not of on only "
    "or our out rule rules say says she should so still than that the their them then there these they this to up "
    "want was we were what when where which who whom whose why will with would you your "
    "after again allowed also anyone anything because before else enough even ever everyone everything fine happen "
    "halfway instead later need now really somebody someone something through use when while yet"
)
_SYNONYM_GROUPS = (
    "sum total",
    "ally friend teammate",
    "balance fair",
    "battle combat combative duel fight",
    "beat defeat win",
    "begin first start",
    "best big biggest greatest high highest most strongest top",
    "both two",
    "chance likely luck odd often probability",
    "chance lot random",
    "change exchange replace swap switch trade",
    "check inspect look peek see",
    "choose decide pick select",
    "citizen people person personality",
    "color colour",
    "co-operative coop cooperative party team together",
    "cost pay penalty price punish spend",
    "deck pile stack",
    "destroy die kill",
    "discard throw toss",
    "double twice",
    "earlier old previous",
    "earn gain get receive reward win",
    "eliminate forfeit",
    "empty none nothing without",
    "end finish over stop",
    "enemy foe monster opponent rival",
    "enter join",
    "equal identical level same tie",
    "escape flee retreat",
    "flip reveal turn",
    "flush guild",
    "fulfil true",
    "gift loot prize reward spoils treasure",
    "grab steal take",
    "hidden private secret",
    "keep retain",
    "kind type",
    "lay place play put",
    "least low lowest smallest weakest worst",
    "limit maximum",
    "lose loss",
    "open public visible",
    "pass refuse skip",
    "person people player us",
    "point score worth",
    "prediction prophecy",
    "reshuffle shuffle",
    "sequence straight village",
    "speak talk",
    "story tale",
    "strength strong",
    "trip triple",
    "undo back",
    "duty force must obliged require",
    "allow may",
)
"""Groups of words that players use for the same thing."""


def stems(text: str) -> list[str]:
    """Return the stems of all words of a text, in their order.

    Phrases such as `run out` are first replaced by one word.
    """
    return [
        stem(word)
        for word in _WORD_PATTERN.findall(_PHRASE_PATTERN.sub(lambda match: match.lastgroup or "", text.casefold()))
    ]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a word in lower case: the basic form without its ending, or a number as digits.

    `ties` and `tied` become `ti`, `bidding` becomes `bid`, and `three` and `third` become `3`.
    """
    if word in _ORDINALS:
        return str(_ORDINALS.index(word) + 2)
    if word in NUMBER_WORDS:
        return str(NUMBER_WORDS.index(word))
    word = _IRREGULAR_FORMS.get(word, word)
    if len(word) > 3:
        word = re.sub(r"(?<=..)ie[sd]$", "y", word) if len(word) > 4 else re.sub(r"ie[sd]$", "ie", word)
        word = _DOUBLED_CONSONANT.sub(r"\1", _ENDING_PATTERN.sub("", word))
    return word.removesuffix("e") if len(word) > 2 else word


STOP_WORDS = frozenset(map(stem, _STOP_WORD_TEXT.split()))
"""The stems of words that say little by themselves."""

_STEM_GROUPS = [{stem(word) for word in line.split()} for line in _SYNONYM_GROUPS]
SYNONYMS = {
    one: frozenset(other for group in _STEM_GROUPS if one in group for other in group) - {one}
    for one in sorted(set().union(*_STEM_GROUPS))
}
"""The stems of the synonyms of each stem that has any."""
