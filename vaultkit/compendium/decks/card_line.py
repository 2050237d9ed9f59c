"""Parsing of the line with a card's rank and suits.

It is like `*Three of Glyphs*`, `*2 of Moons and Knots · event*` or `*Drei der Glyphen*`.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from vaultkit.cards import Rank
from vaultkit.compendium.decks.rank_words import NO_TRANSLATIONS, Words
from vaultkit.text import name_key

_EMPHASISED_LINE = re.compile(r"\s*(?P<mark>[*_])(?P<inner>[^*_\n]+)(?P=mark)\s*")
_ENGLISH_FACTS = re.compile(r"(?!(?:an?|the)\s)(?P<rank>\S+(?:\s+\S+)?)\s+of\s+(?!an?\s)(?P<suits>\S.*)", re.IGNORECASE)
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


def parse_suits(text: str, words: Words = NO_TRANSLATIONS) -> tuple[str, ...]:
    """Parse suits from a text such as `Moons and Knots`, `Moons & Knots` or `Moons, Knots`; a dash means no suit.

    They may be in the deck's own words, such as `Monde und Knoten`.
    """
    text_before, known_suits, text_after = (
        _split_at_suits(name_key(text), words) if words.has_translations else ("", (), "")
    )
    if known_suits and not text_before.strip() and not text_after.strip():
        return known_suits
    parts = (part.strip() for part in re.split(r"\s+(?:and|&|\+)\s+|,|/", text))
    return tuple(words.suit(part) for part in parts if part.strip("-–— "))


def parse_card_line(line: str, words: Words = NO_TRANSLATIONS) -> CardFacts | None:
    """Parse a card line, and return its facts; None if the line is something else.

    If the deck note gives words of another language, rank and suit may stand in either order, with any connecting word
    between.
    """
    inner = emphasised_text(line)
    if inner is None:
        return None
    rank_and_suit_text, _, types = (part.strip() for part in inner.partition("·"))
    traits = {"types": types} if types else {}
    match = _ENGLISH_FACTS.fullmatch(rank_and_suit_text)
    if match is not None:
        return CardFacts(parse_suits(match["suits"], words), words.rank(match["rank"]), traits)
    rank_and_suits = _parse_translated(name_key(rank_and_suit_text), words) if words.has_translations else None
    return CardFacts(rank_and_suits[1], rank_and_suits[0], traits) if rank_and_suits else None


def emphasised_text(line: str) -> str | None:
    """Return the text of a line that is emphasised as a whole, without its marks; None for other lines."""
    match = _EMPHASISED_LINE.fullmatch(line) if len(line) <= _MAX_LINE_LENGTH else None
    return match["inner"].strip() or None if match else None


def looks_like_card_line(line: str) -> bool:
    """Return whether a line may be meant as rank and suit: emphasised, two to five words, and no sentence."""
    inner = emphasised_text(line)
    return inner is not None and 2 <= len(inner.split()) <= 5 and not inner.endswith(_SENTENCE_ENDS)


def _parse_translated(text: str, words: Words) -> tuple[Rank, tuple[str, ...]] | None:
    """Return rank and suits of folded text that has the rank at one end and the suits at the other, or None."""
    rank_first = re.match(rf"(?P<rank>{words.rank_pattern})(?!\w)(?P<rest>.*)", text)
    if rank_first and (known_suits := _suits_beside_rank(rank_first["rest"], words, are_last=True)):
        return words.rank(rank_first["rank"]), known_suits
    rank_last = re.fullmatch(rf"(?P<rest>.*)(?<!\w)(?P<rank>{words.rank_pattern})", text)
    if rank_last and (known_suits := _suits_beside_rank(rank_last["rest"], words, are_last=False)):
        return words.rank(rank_last["rank"]), known_suits
    return None


def _suits_beside_rank(text: str, words: Words, *, are_last: bool) -> tuple[str, ...]:
    """Return the suits at the end of `text` if `are_last`, else at its start; () if too many other words are in it."""
    text_before, known_suits, text_after = _split_at_suits(text, words)
    text_outside, text_between = (text_after, text_before) if are_last else (text_before, text_after)
    return () if text_outside.strip() or len(text_between.split()) > _MAX_CONNECTING_WORDS else known_suits


def _split_at_suits(text: str, words: Words) -> tuple[str, tuple[str, ...], str]:
    """Split folded text into the words before its suits, the suits, and the words after them.

    All three are empty if there are no suits, or if more than a comma or a short word separates the suits.
    """
    matches = list(re.finditer(rf"(?<!\w)(?:{words.suit_pattern})(?!\w)", text))
    gaps = [text[previous.end() : following.start()] for previous, following in pairwise(matches)]
    if not matches or not all(map(_BETWEEN_SUITS.fullmatch, gaps)):
        return "", (), ""
    return text[: matches[0].start()], tuple(words.suit(match[0]) for match in matches), text[matches[-1].end() :]
