"""A parser of told sentences: the phrase, and the values of its placeholders."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from vaultkit.campaign.story_phrases import CARD_PLACES, SEAT_PLACES, load_phrases
from vaultkit.games.messages import Seat, Sentence

SEAT, CARD = r"<s(\d+)>", r"<c:([^>]+)>"
POINTS = ("points", "gain", "loss", "score", "lead", "margin")
_LIST = r"(?:, | and )"
SEVERAL = {
    "seat": rf"<s\d+>(?:{_LIST}<s\d+>)*",
    "card": rf"<c:[^>]+>(?:{_LIST}(?:the )?<c:[^>]+>)*",
}


@dataclass(frozen=True)
class Parsed:
    """One reading of a sentence: its phrase's `kind` and `case`, and the values of its placeholders."""

    kind: str
    case: str
    phrase: str
    fill: Mapping[str, object]

    def seat(self, place: str) -> Seat | None:
        seats = self.fill.get(place, ())
        return seats[0] if isinstance(seats, tuple) and seats else None

    def seats(self, place: str) -> tuple[Seat, ...]:
        seats = self.fill.get(place, ())
        assert isinstance(seats, tuple)
        return seats

    def cards(self, place: str) -> tuple[str, ...]:
        cards = self.fill.get(place, ())
        assert isinstance(cards, tuple)
        return cards

    def text(self, place: str) -> str:
        return str(self.fill.get(place, ""))


def mark_names(sentence: Sentence) -> str:
    """Return the sentence with marks for seats and cards."""
    return sentence.render(lambda seat: f"<s{seat}>", lambda card: f"<c:{card}>")


def readings(game: str, sentence: Sentence, kinds: tuple[str, ...] = ()) -> list[Parsed]:
    """Return every way in which a shipped phrase of the game makes this sentence.

    `kinds` limits the kinds of phrases.
    """
    text, found = mark_names(sentence), list[Parsed]()
    for kind, case, phrase, places, pattern in _patterns(game):
        if (kinds and kind not in kinds) or (not kinds and kind in {"card", "headline", "when"}):
            continue
        if match := pattern.fullmatch(text):
            fill = {place: _value(place, value) for place, value in zip(places, match.groups(), strict=True)}
            found.append(Parsed(kind, case, phrase, fill))
    return found


def _value(place: str, text: str) -> object:
    if place in SEAT_PLACES:
        return tuple(int(seat) for seat in re.findall(SEAT, text))
    if place in CARD_PLACES:
        return tuple(re.findall(CARD, text))
    return text


@lru_cache(maxsize=8)
def _patterns(game: str) -> tuple[tuple[str, str, str, tuple[str, ...], re.Pattern[str]], ...]:
    return tuple(_list_patterns(game))


def _list_patterns(game: str) -> Iterator[tuple[str, str, str, tuple[str, ...], re.Pattern[str]]]:
    for (kind, case), several in load_phrases(game, None).by_key.items():
        for phrase in several:
            pieces = phrase.pieces
            source = "".join(_place(piece) if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))
            if pieces[0] and kind != "card":
                source = f"(?i:{re.escape(pieces[0][0])}){source[len(re.escape(pieces[0][0])) :]}"
            words = "".join(f"{{{piece}}}" if number % 2 else piece for number, piece in enumerate(pieces))
            yield kind, case, words, phrase.fields, re.compile(source)


def _place(place: str) -> str:
    if place in SEAT_PLACES:
        return f"({SEVERAL['seat']})"
    if place in CARD_PLACES:
        return f"({SEVERAL['card']})"
    return r"(-?[\d.]+ points?)" if place in POINTS else "([^<>]+?)"
