"""Parsing of the line with a card's rank and suits.

It is like `*Three of Glyphs*`, `*2 of Moons and Knots · event*` or `*Drei der Glyphen*`.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from vaultkit.cards import Rank
from vaultkit.compendium.decks.rank_words import PLAIN, Words
from vaultkit.text import name_key

_EMPHASISED = re.compile(r"\s*(?P<mark>[*_])(?P<inner>[^*_\n]+)(?P=mark)\s*")
_ENGLISH = re.compile(r"(?!(?:an?|the)\s)(?P<rank>\S+(?:\s+\S+)?)\s+of\s+(?!an?\s)(?P<suits>\S.*)", re.IGNORECASE)
_BETWEEN_SUITS = re.compile(r"\s*(?:[,/&+]|(?<!\w)\w{1,3}(?!\w))?\s*")
_MAX_CONNECTING_WORDS = 3
"""The maximum number of words between a rank and a suit, as in `Drei von den Schwertern`."""
_MAX_LINE_LENGTH = 200
_SENTENCE_ENDS = tuple(".!?…:;,\"”»)'")


@dataclass(frozen=True, slots=True)
class CardFacts:
    """The suits, rank and traits of one card as a note gives them, and the line in which they stand."""

    suits: tuple[str, ...] = ()
    rank: Rank = None
    traits: dict[str, str] = field(default_factory=dict)
    line: int = 0


def suits(text: str, words: Words = PLAIN) -> tuple[str, ...]:
    """Parse suits from a text such as `Moons and Knots`, `Moons & Knots` or `Moons, Knots`; a dash means no suit.

    They may be in the deck's own words, such as `Monde und Knoten`.
    """
    before, known_suits, behind = _suits_in(name_key(text), words) if words.translate else ("", (), "")
    if known_suits and not before.strip() and not behind.strip():
        return known_suits
    parts = (part.strip() for part in re.split(r"\s+(?:and|&|\+)\s+|,|/", text))
    return tuple(words.suit(part) for part in parts if part.strip("-–— "))


def parse(line: str, words: Words = PLAIN) -> CardFacts | None:
    """Parse a card line, and return its facts; None if the line is something else.

    If the deck note gives words of another language, rank and suit may stand in either order, with any connecting word
    between.
    """
    inner = emphasised_text(line)
    if inner is None:
        return None
    main, _, types = (part.strip() for part in inner.partition("·"))
    traits = {"types": types} if types else {}
    match = _ENGLISH.fullmatch(main)
    if match is not None:
        return CardFacts(suits(match["suits"], words), words.rank(match["rank"]), traits)
    rank_and_suits = _parse_translated(name_key(main), words) if words.translate else None
    return CardFacts(rank_and_suits[1], rank_and_suits[0], traits) if rank_and_suits else None


def emphasised_text(line: str) -> str | None:
    """Return the text of a line that is emphasised as a whole, without its marks; None for other lines."""
    match = _EMPHASISED.fullmatch(line) if len(line) <= _MAX_LINE_LENGTH else None
    return match["inner"].strip() or None if match else None


def looks_like_card_line(line: str) -> bool:
    """Return whether a line may be meant as rank and suit: emphasised, two to five words, and no sentence."""
    inner = emphasised_text(line)
    return inner is not None and 2 <= len(inner.split()) <= 5 and not inner.endswith(_SENTENCE_ENDS)


def _parse_translated(text: str, words: Words) -> tuple[Rank, tuple[str, ...]] | None:
    """Return rank and suits of folded text that has the rank at one end and the suits at the other, or None."""
    first = re.match(rf"(?P<rank>{words.rank_pattern})(?!\w)(?P<rest>.*)", text)
    if first and (known_suits := _suits_at(first["rest"], words, last=True)):
        return words.rank(first["rank"]), known_suits
    last = re.fullmatch(rf"(?P<rest>.*)(?<!\w)(?P<rank>{words.rank_pattern})", text)
    if last and (known_suits := _suits_at(last["rest"], words, last=False)):
        return words.rank(last["rank"]), known_suits
    return None


def _suits_at(text: str, words: Words, *, last: bool) -> tuple[str, ...]:
    """Return the suits at the end of `text` if `are_last`, else at its start; () if too many other words are in it."""
    before, known_suits, behind = _suits_in(text, words)
    outside, between = (behind, before) if last else (before, behind)
    return () if outside.strip() or len(between.split()) > _MAX_CONNECTING_WORDS else known_suits


def _suits_in(text: str, words: Words) -> tuple[str, tuple[str, ...], str]:
    """Split folded text into the words before its suits, the suits, and the words after them.

    All three are empty if there are no suits, or if more than a comma or a short word separates the suits.
    """
    matches = list(re.finditer(rf"(?<!\w)(?:{words.suit_pattern})(?!\w)", text))
    gaps = [text[previous.end() : following.start()] for previous, following in pairwise(matches)]
    if not matches or not all(map(_BETWEEN_SUITS.fullmatch, gaps)):
        return "", (), ""
    return text[: matches[0].start()], tuple(words.suit(match[0]) for match in matches), text[matches[-1].end() :]
