"""Dice in the usual notation, such as `2d6+1`, and the numbers of a roll table's rows, such as `01-05`."""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Protocol

import msgspec

from vaultkit.errors import UsageError
from vaultkit.vault.tables import plain_cell_text

MAX_DICE = 1000
MAX_SIDES = 1_000_000
MAX_BONUS = 1_000_000
MAX_LABEL_CHARS = 300
"""The longest text that is searched for numbers, which may be links."""
OPEN_SPAN_DISTANCE = 10**10
"""The upper end of a span such as `7+`, higher than any roll; negated, the lower end of one such as `<= 3`."""

Span = tuple[int, int]
"""A range of numbers from the first to the second, both included."""

_TERM = re.compile(r"([+-]?)(?:([0-9]{0,7})d([0-9]{1,7}|%)(?:k([hl]?)([0-9]{1,7})?)?|([0-9]{1,7}))")
_SPACED_DIGITS = re.compile(r"[0-9]\s+[0-9]")
_SYNTAX_HINT = "Write dice as d20, 2d6+1, d8+d12, d% or 4d6kh3."
_DICE_WORD = re.compile(r"\s*[+-]?\s*[0-9]*[dD][0-9%][\sdDkKhHlL0-9%+-]*")
_FOREIGN_DIE_LETTER = re.compile("[wWkKtT\u043a\u041a\u0434\u0414]")
_MARKUP = re.compile(r"[\[`~*_]|==|<[A-Za-z/]")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")


class Generator(Protocol):
    """The part of `random.Random` that dice need."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""


class Term(msgspec.Struct, frozen=True):
    """A term of `count` dice with `sides` sides each, added or subtracted.

    `keep` is how many dice count: the highest ones, the lowest ones if it is negative, all of them if it is 0.
    """

    count: int
    sides: int
    keep: int = 0
    negative: bool = False

    @property
    def span(self) -> Span:
        dice_count = abs(self.keep) or self.count
        return (-dice_count * self.sides, -dice_count) if self.negative else (dice_count, dice_count * self.sides)

    def roll(self, rng: Generator) -> int:
        # random() is the only method whose sequence of numbers Python keeps stable between versions.
        dice = sorted(int(rng.random() * self.sides) + 1 for _ in range(self.count))
        total = sum(dice[: -self.keep] if self.keep < 0 else dice[-self.keep :])
        return -total if self.negative else total

    def __str__(self) -> str:
        # `d66` alone means two dice read as tens and ones, see `Dice`.
        count = "" if self.count == 1 and self.sides != 66 else str(self.count)
        keep_end = "h" if self.keep > 0 else "l"
        keep = f"k{keep_end}{abs(self.keep)}" if self.keep else ""
        return f"{'-' if self.negative else '+'}{count}d{self.sides}{keep}"


class Dice(msgspec.Struct, frozen=True, dict=True):
    """Dice to be rolled and added up, with a constant number added.

    `tens_and_ones` makes a d66: two six-sided dice, read as tens and ones; `1d66` has 66 sides.
    """

    terms: tuple[Term, ...]
    added: int = 0
    tens_and_ones: bool = False

    @classmethod
    def parse(cls, text: str) -> "Dice":
        """Parse dice such as `2d6+1`; `str` of the result can be parsed again. Raise UsageError for any other text."""
        if _SPACED_DIGITS.search(text):
            raise _no_dice_error(text)
        expression = "".join(_DASHES.sub("-", text).split()).lower()
        if expression == "d66":
            return cls((Term(2, 6),), tens_and_ones=True)
        terms: list[Term] = []
        added = end = 0
        for match in _match_terms(expression, text):
            sign, count, sides, _, _, number = match.groups()
            if number is not None:
                added += -int(number) if sign == "-" else int(number)
            elif count == "" and sides == "66":
                raise UsageError(f"'{text}' adds to a d66.", hint="Roll a d66 by itself; 1d66 has 66 sides.")
            else:
                terms.append(_parse_term(match, text))
            end = match.end()
        if end != len(expression) or not end:
            raise _no_dice_error(text)
        if sum(term.count for term in terms) > MAX_DICE or abs(added) > MAX_BONUS:
            hint = f"At most {MAX_DICE} dice, with at most {MAX_BONUS} added or subtracted."
            raise UsageError(f"'{_shorten(text)}' is too much to roll.", hint=hint)
        return cls(tuple(terms), added)

    @cached_property
    def lowest(self) -> int:
        return 11 if self.tens_and_ones else self.added + sum(term.span[0] for term in self.terms)

    @cached_property
    def highest(self) -> int:
        return 66 if self.tens_and_ones else self.added + sum(term.span[1] for term in self.terms)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The ranges of all numbers that can be rolled; a d66 has one for each tens digit."""
        if self.tens_and_ones:
            return tuple((tens + 1, tens + 6) for tens in range(10, 70, 10))
        return ((self.lowest, self.highest),)

    def roll(self, rng: Generator) -> int:
        """Return one roll. A generator in a given state gives the same number on every machine."""
        if self.tens_and_ones:
            die = Term(1, 6)
            return 10 * die.roll(rng) + die.roll(rng)
        return self.added + sum(term.roll(rng) for term in self.terms)

    def __str__(self) -> str:
        if self.tens_and_ones:
            return "d66"
        constant_text = f"{self.added:+d}" if self.added or not self.terms else ""
        return f"{''.join(map(str, self.terms))}{constant_text}".removeprefix("+")


def _match_terms(expression: str, text: str) -> Iterator[re.Match[str]]:
    """Yield the terms one after the other; all but the first need a sign."""
    end = 0
    while match := _TERM.match(expression, end):
        if end and not match[1]:
            raise _no_dice_error(text)
        yield match
        end = match.end()


def _parse_term(match: re.Match[str], text: str) -> Term:
    """Return the dice of one term. Raise UsageError if it is out of bounds."""
    count = int(match[2] or 1)
    sides = 100 if match[3] == "%" else int(match[3])
    if not (0 < count <= MAX_DICE and 0 < sides <= MAX_SIDES):
        hint = f"Roll 1 to {MAX_DICE} dice of 1 to {MAX_SIDES} sides."
        raise UsageError(f"'{_shorten(text)}' cannot be rolled.", hint=hint)
    keep = 0 if match[4] is None else int(match[5] or 1)
    if match[4] is not None and not 0 < keep <= count:
        raise UsageError(f"'{_shorten(text)}' keeps dice that it does not roll.", hint=_SYNTAX_HINT)
    return Term(count, sides, -keep if match[4] == "l" else keep, match[1] == "-")


def _no_dice_error(text: str) -> UsageError:
    return UsageError(f"'{_shorten(text)}' is not a die.", hint=f"{_english_notation_hint(text)}{_SYNTAX_HINT}")


def _english_notation_hint(text: str) -> str:
    """Return a hint on how to write `1W6`, `2k6` or `1T20` with a d; "" for text that is not dice in any language."""
    if len(text) > 40 or not is_foreign(text):
        return ""
    return f"With a d, for die: {_FOREIGN_DIE_LETTER.sub('d', ''.join(text.split()))}. "


def is_dice(text: str) -> bool:
    """Return whether `text` is written like dice in any language, even with a mistake."""
    return _DICE_WORD.fullmatch(text) is not None or is_foreign(text)


def is_foreign(text: str) -> bool:
    """Return whether `text` is dice as in another language, such as `1W6`; a `W6` may be the name of a table."""
    return re.fullmatch(rf"\s*[0-9]{{1,3}}\s*{_FOREIGN_DIE_LETTER.pattern}\s*[0-9]{{1,4}}[\s0-9+-]*", text) is not None


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."


_NUMBER = r"-?[0-9]{1,7}"
_OR = "or|and|oder|und|o|y|ou|et|e|lub|i|eller|och|og|\u0438\u043b\u0438|\u0438"
_RANGE_SIGN = r"-|\.\.\.?|\u2026|~|(?<=\s)(?:to|thru|through|bis|a|\u00e0|do|til|till|\u0434\u043e)(?=\s)"
_MORE = (
    "higher|more|above|over|up|greater|mehr|h\u00f6her|dar\u00fcber|m\u00e1s|mais|plus|pi\u00f9|wi\u0119cej|mera?|fler[ea]?|"
    "\u0431\u043e\u043b\u044c\u0448\u0435|\u0432\u044b\u0448\u0435"
)
_LESS = (
    "lower|less|below|under|fewer|down|weniger|niedriger|darunter|menos|moins|meno|mniej|mindre|f\u00e4rre|f\u00e6rre|"
    "\u043c\u0435\u043d\u044c\u0448\u0435|\u043d\u0438\u0436\u0435"
)
_RANGE = re.compile(rf"({_NUMBER})(?:\s*(?:{_RANGE_SIGN})\s*({_NUMBER}))?")
_OPEN_UPWARD = re.compile(rf"({_NUMBER})\s*(?:\+|(?:(?:{_OR})\s+)?(?:{_MORE}))")
_OPEN_DOWNWARD = re.compile(rf"({_NUMBER})\s*(?:-|(?:(?:{_OR})\s+)?(?:{_LESS}))")
_COMPARISON = re.compile(rf"(<=|>=|<|>|\u2264|\u2265)\s*({_NUMBER})")
_EACH = re.compile(rf"[,/&]|\b(?:{_OR})\b")


@lru_cache(maxsize=10_000)
def parse_spans(label: str, dice: Dice) -> tuple[Span, ...]:
    """Parse the rolls in a row's first cell, such as `01-05`, `7+`, `<= 3` or `1, 4`; () if it cannot be read.

    The numbers may be links, bold or code. On a d100 `00` and `0` are 100, on a d10 `0` is 10. A row without an upper
    limit ends at OPEN_SPAN_DISTANCE, one without a lower limit begins at -OPEN_SPAN_DISTANCE.
    """
    if len(label) > MAX_LABEL_CHARS:
        return ()
    words = plain_cell_text(label) if _MARKUP.search(label) else label
    label_text = _DASHES.sub("-", words.replace("\\", "")).strip("*_`~# \t\u00a0").rstrip(".:)%").lower()
    open_range = _parse_open_range(label_text)
    if open_range is not None:
        return (open_range,)
    ranges: list[Span] = []
    for part in _EACH.split(label_text):
        match = _RANGE.fullmatch(part.strip())
        range_spans = _parse_range(match[1], match[2] or match[1], dice) if match else ()
        if not range_spans:
            return ()
        ranges.extend(range_spans)
    return tuple(ranges)


def _parse_open_range(label_text: str) -> Span | None:
    """Return the span of a row without an upper or a lower limit, or None for any other row."""
    if match := _COMPARISON.fullmatch(label_text):
        sign, number = match[1], int(match[2])
        if sign in {"<", "<=", "\u2264"}:
            return -OPEN_SPAN_DISTANCE, number - (sign == "<")
        return number + (sign == ">"), OPEN_SPAN_DISTANCE
    if match := _OPEN_UPWARD.fullmatch(label_text):
        return int(match[1]), OPEN_SPAN_DISTANCE
    if match := _OPEN_DOWNWARD.fullmatch(label_text):
        return -OPEN_SPAN_DISTANCE, int(match[1])
    return None


def _parse_range(first: str, last: str, dice: Dice) -> tuple[Span, ...]:
    """Return the spans of a range as printed on the dice, whose highest face is all zeros."""
    if first == last and (_is_highest_face(first, dice) or (first == "0" and _is_decimal(dice))):
        return ((dice.highest, dice.highest),)
    if _is_highest_face(first, dice):  # 00-04 on a d100: 100, and 1 to 4
        return (1, int(last)), (dice.highest, dice.highest)
    ends_at_highest = (last == "0" and _is_decimal(dice) and int(first)) or _is_highest_face(last, dice)
    end = dice.highest if ends_at_highest else int(last)
    return ((int(first), end),) if int(first) <= end else ()


def _is_highest_face(digits: str, dice: Dice) -> bool:
    return dice.lowest == 1 and set(digits) == {"0"} and dice.highest == 10 ** len(digits)


def _is_decimal(dice: Dice) -> bool:
    """Return whether dice are read digit by digit, as a d10, d100 or d1000 is, so that 0 is the highest number."""
    return dice.lowest == 1 and dice.highest in {10, 100, 1000}


_ONE_DICE_TERM = r"(?:[0-9]{1,3}d(?:[0-9]{1,4}|%)(?:k[hl]?[0-9]{0,3})?|d(?:2|3|4|6|8|10|12|20|100|%))(?![\w%])"
_SIGN = r"\s?[+\-\u2212\u2013]\s?"
_PRINTED_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7}"
_COINS = r"[cseg]p|pp|(?:copper|silver|electrum|gold|platinum)(?:\s(?:pieces|coins))?"
_DICE = re.compile(
    rf"(?<![\w.,+-])(?P<mean>(?:{_PRINTED_NUMBER})\s?\()?"
    rf"(?P<all>(?P<dice>{_ONE_DICE_TERM}(?:{_SIGN}(?:{_ONE_DICE_TERM}|[0-9]{{1,4}}(?![\w.%])))*)"
    rf"(?:\s?[*x\u00d7]\s?(?P<times>{_PRINTED_NUMBER})(?!\w))?)(?(mean)\))"
    rf"(?:\s?\((?:{_PRINTED_NUMBER})(?P<in_brackets>\s?(?:{_COINS}))?\)"
    rf"|(?P<coins>\s?(?:{_COINS}))\s?\((?:{_PRINTED_NUMBER})(?:\s?(?:{_COINS}))?\))?",
    re.IGNORECASE,
)
"""Dice, their multiplier, and the average that books print before them, or after them or their coins."""
_EFFECT_VERB = re.compile(r"\b(?:heals?|regains?|restores?|deals?)\s(?:for\s)?\(?\Z", re.IGNORECASE)
_EFFECT_ADJECTIVES = (
    "extra|additional|bonus|temporary|points of|acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|"
    "psychic|radiant|slashing|thunder"
)
_EFFECT_NOUN = re.compile(rf"\)?(?:\s(?:{_EFFECT_ADJECTIVES}))*\s(?:damage|hp|hit points?)\b", re.IGNORECASE)
"""Words after dice of an effect, such as damage, which are rolled each time the effect happens."""
_ONE_DIE = re.compile(r"1?d(?:[0-9]{1,4}|%)", re.IGNORECASE)
_RULE_WORDS = (
    "attack|check|core|dice|die|engine|future|game|licen[cs]e|logo|mechanic|modern|modifier|past|pool|probe|prova|"
    "prueba|publisher|result|roll|rules?|save|saving|scale|srd|system|table|test|teste|throw|tirada|tiro|value|wurf"
)
_RULE_WORD_AFTER_DIE = re.compile(rf"['\u2019]s\b|-[^\W\d]|\s(?:{_RULE_WORDS})\b", re.IGNORECASE)
"""Words after a die that is no amount, but the die itself or part of a name: `d6 roll`, `d20 System`."""
_RULE_WORD_AFTER_DICE = re.compile(rf"\s(?:{_RULE_WORDS}|pruebas|w[uü]rfe|proben)s?\b", re.IGNORECASE)
"""Rule words, also in the plural, after a d20; after other dice, plurals may be things: `d4 rolls of silk`."""
_SYSTEM_WORD = re.compile(r"\s(?:systems?|engine|mechanics?)\b", re.IGNORECASE)
_WORDS_BEFORE_DIE = re.compile(
    r"\b(?:an?|the|this|that|each|one|der|die|das|de[mnrs]|eine?[mnrs]?|une?|le|la|les|el|los|"
    r"una|uno|il|lo|gli|um|uma|o|os)\s\Z"
    r"|\b(?:tests?|jets?|lancers?|pruebas?|tiradas?|prov[ae]|tir[oi]|testes?|jogadas?|rzut(?:y|u|em)?|prob(?:e|en)|wurf|würfe)"
    r"(?:\s(?:con|com|d[aeiou]|del|des|mit|na|z))?\s\Z",
    re.IGNORECASE,
)
"""Words before a die that is no amount: the die itself, or part of a rule's name: `a d20`, `prueba con d20`."""


def insert_rolls(text: str, rng: Generator) -> str:
    """Return the text with the totals of its dice in brackets, as `4d8 (19) cp and 2d6 × 10 (1,240) rats`.

    The total replaces a printed average: `5d6 × 100 (1,700 gp)` becomes `5d6 × 100 (1,800) gp`, and `7 (2d6) rats`
    becomes `2d6 (9) rats`. Dice of damage and healing stay as they are, since they are rolled each time it happens. So
    do dice in names, `D20 Tests`, and dice that mean a die and no number, `a d6`.
    """
    return str(_DICE.sub(lambda match: _insert_total(match, rng), text))


def _insert_total(match: re.Match[str], rng: Generator) -> str:
    """Return matched dice followed by their total.

    Dice in names, dice of effects such as damage, and too many dice are returned unchanged.
    """
    text = match.string
    before, after = text[max(match.start() - 20, 0) : match.start()], text[match.end() : match.end() + 60]
    if _EFFECT_VERB.search(before) or _EFFECT_NOUN.match(after) or _is_name(before, match["dice"], after):
        return match[0]
    try:
        dice = Dice.parse(match["dice"])
    except UsageError:
        return match[0]
    total = dice.roll(rng) * int((match["times"] or "1").replace(",", ""))
    unit = match["coins"] or match["in_brackets"] or ""
    return f"{match['all']} ({total:,}){' ' * bool(unit)}{unit.strip()}"


def _is_name(text_before: str, dice: str, text_after: str) -> bool:
    """Return whether dice between two texts are part of a name, or mean a die and no number."""
    if not _ONE_DIE.fullmatch(dice):
        return _SYSTEM_WORD.match(text_after) is not None
    is_d20 = dice.lower().endswith("d20")
    if (is_d20 and _RULE_WORD_AFTER_DICE.match(text_after)) or _SYSTEM_WORD.match(text_after):
        return True
    return dice[0] in "dD" and bool(_RULE_WORD_AFTER_DIE.match(text_after) or _WORDS_BEFORE_DIE.search(text_before))
