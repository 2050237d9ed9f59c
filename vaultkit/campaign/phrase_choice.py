"""Phrases in turn, filled with seats, cards and words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from vaultkit.campaign.story_facts import GameEnding, StoryMoment, holds
from vaultkit.campaign.story_phrases import CARDS, SEATS, Phrases
from vaultkit.games.messages import Seat, Sentence, TextTemplate
from vaultkit.text import capitalize_first, listing

MOST_USES = 3
"""How often one phrase may come in one story."""
FALLBACKS = ("any", "plain")
"""The cases for whatever has no case of its own, and for what no other phrase can say."""

Filling = Mapping[str, object]
"""Seats, cards and words by the names of their places; a place without anything is not there, or None or ""."""


@dataclass
class Phrasing:
    """Chooses phrases in turn, so that none comes too often or twice in a row, and fills them."""

    phrases: Phrases
    key: str
    _uses: Counter[object] = field(default_factory=Counter)
    _last: tuple[str, ...] = ()
    _begins: object = None

    def say(
        self, kind: str, cases: Sequence[str], filling: Filling, about: StoryMoment | GameEnding | None = None
    ) -> Sentence | None:
        """A sentence for this kind of thing; None if there is no phrase that can be filled.

        A case counts only if its facts are true of what it is `about`; without that, if it has none.
        """
        true = (case for case in (*cases, *FALLBACKS) if self._is_true(kind, case, about))
        tried = (self._matching_phrases(kind, case, filling) for case in true)
        fits = next((fits for fits in tried if fits is not None), [])
        if not fits:
            return None
        phrase = min(fits, key=lambda one: (self._uses[one.pieces], self._beginning(one, filling) == self._begins))
        self._uses[phrase.pieces] += 1
        self._last, self._begins = phrase.pieces, self._beginning(phrase, filling)
        sentence = _fill(phrase, filling)
        return sentence if kind == "card" else _capitalise(sentence)

    def _is_true(self, kind: str, case: str, about: StoryMoment | GameEnding | None) -> bool:
        if (kind, case) not in self.phrases.by_key:
            return False
        found = self.phrases.cases.get((kind, case))
        facts = found.facts if found else ()
        return all(about is not None and holds(fact, about) for fact in facts)

    def _matching_phrases(self, kind: str, case: str, filling: Filling) -> list[TextTemplate] | None:
        """The phrases of a case that can be filled, beginning somewhere; none where it has none at all.

        None sends on to the next case: this one is not there, or nothing of it can be filled.
        """
        found = self.phrases.by_key.get((kind, case))
        if not found:
            return None if found is None else []
        offset = crc32(f"{self.key} {kind}.{case}".encode())
        turned = [found[(offset + place) % len(found)] for place in range(len(found))]
        return [phrase for phrase in turned if self._fits(phrase, filling)] or None

    def mention(self, kind: str, case: str, filling: Filling) -> str:
        """A few words within a sentence, whichever of them came least often."""
        found = self.phrases.by_key.get((kind, case))
        if not found:
            return ""
        phrase = min(found, key=lambda one: self._uses[one.pieces])
        self._uses[phrase.pieces] += 1
        return _fill(phrase, filling).render(str, str)

    def _fits(self, phrase: TextTemplate, filling: Filling) -> bool:
        filled = all(filling.get(place) not in (None, "", ()) for place in phrase.fields)
        return filled and phrase.pieces != self._last and self._uses[phrase.pieces] < MOST_USES

    def _beginning(self, phrase: TextTemplate, filling: Filling) -> object:
        """The seat that a sentence would begin with, or its first word."""
        return phrase.pieces[0].partition(" ")[0] or filling[phrase.fields[0]]


def _fill(phrase: TextTemplate, filling: Filling) -> Sentence:
    """The phrase as a sentence: seats and cards stay places, and all words are values, to be escaped where they go."""
    seats, cards, values = list[Seat](), list[str](), list[str]()
    words = run = ""
    for place, text in zip(("", *phrase.fields), phrase.pieces[::2], strict=True):
        if place in SEATS or place in CARDS:
            letter, named = ("s", seats) if place in SEATS else ("c", cards)
            words += _literal(run, values) + _number_fields(filling[place], named, letter)
            run = text
        else:
            run += f"{filling[place] if place else ''}{text}"
    return Sentence(words + _literal(run, values), tuple(seats), tuple(cards), tuple(values))


def _capitalise(sentence: Sentence) -> Sentence:
    """A sentence begins with a capital, unless it begins with a name."""
    if not sentence.words.startswith("{v0}"):
        return sentence
    first, *others = map(str, sentence.values)
    return replace(sentence, values=(capitalize_first(first), *others))


def _literal(text: str, values: list[str]) -> str:
    """Words as a value; white space around them stays outside, since values lose theirs."""
    if not text.strip():
        return text
    values.append(text.strip())
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{{v{len(values) - 1}}}{after}"


def _number_fields(thing: object, named: list[Any], letter: str) -> str:
    """Places for one thing or several, as `{s0}, {s1} and {s2}`."""
    start = len(named)
    named += thing if isinstance(thing, tuple) else (thing,)
    return listing(f"{{{letter}{number}}}" for number in range(start, len(named)))
