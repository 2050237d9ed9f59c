"""Choice of phrases for a story; a chosen phrase is filled with seats, cards and words, and none is used too often."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from vaultkit.campaign.story_facts import GameEnding, StoryMoment, holds
from vaultkit.campaign.story_phrases import CARD_PLACES, SEAT_PLACES, Phrases
from vaultkit.games.messages import Seat, Sentence, TextTemplate
from vaultkit.text import capitalize_first

MAX_USES_PER_PHRASE = 3
"""The highest number of times that one phrase is used in a story."""
FALLBACKS = ("any", "plain")
"""The cases that are tried after the cases that a caller names."""
ONCE_KINDS = frozenset({"opening", "end", "result", "headline", "last"})
"""The kinds of which a story has one sentence; games in a row take turns with their phrases."""
MIN_TURN_COUNT = 10
"""The number of games in a row of which no two tell one of the `ONCE_KINDS` by the same phrase, if there are enough."""

Filling = Mapping[str, object]
"""The seats, cards and words for the fields of phrases; a field without a value is missing, None or ""."""


@dataclass
class Phrasing:
    """A chooser of phrases for one story; it uses none too often or twice in a row, and avoids repeating a name.

    `key` is a text that decides with which phrase of a case the story begins. `number` is how many games came before,
    None if that is not known. `last_named` are the seats and cards of the last sentence.
    """

    phrases: Phrases
    key: str
    number: int | None = None
    last_named: frozenset[Seat | str] = frozenset()
    _uses: Counter[object] = field(default_factory=Counter)
    _last_pieces: tuple[str, ...] = ()
    _last_beginning: object = None

    @property
    def last_seats(self) -> frozenset[Seat]:
        """The seats that the last sentence named."""
        return frozenset(name for name in self.last_named if isinstance(name, int))

    def say(
        self, kind: str, cases: Sequence[str], filling: Filling, about: StoryMoment | GameEnding | None = None
    ) -> Sentence | None:
        """Return a sentence for a kind of event, or None if no phrase can be filled.

        The cases are tried in their order. A case is skipped if it requires a fact that is not true of `about`. Without
        `about`, every case that requires facts is skipped.
        """
        true_cases = (case for case in (*cases, *FALLBACKS) if self._is_true(kind, case, about))
        phrase = (self._choose_by_number if kind in ONCE_KINDS else self._choose_by_use)(kind, true_cases, filling)
        if phrase is None:
            return None
        self._uses[phrase.pieces] += 1
        self._last_pieces, self._last_beginning = phrase.pieces, self._beginning(phrase, filling)
        sentence = _fill(phrase, filling, self.phrases.words.join)
        if kind == "card":
            return sentence
        self.last_named = frozenset((*sentence.seats, *sentence.cards))
        return _capitalize(sentence)

    def _choose_by_use(self, kind: str, cases: Iterable[str], filling: Filling) -> TextTemplate | None:
        """Return the least used phrase of the first case that has a usable one; among equals, one with fresh names."""

        def repetition(phrase: TextTemplate) -> tuple[int, int, bool]:
            sentence = _fill(phrase, filling, self.phrases.words.join)
            repeated_names = self.last_named & {*sentence.seats, *sentence.cards}
            is_same_beginning = self._beginning(phrase, filling) == self._last_beginning
            return self._uses[phrase.pieces], len(repeated_names), is_same_beginning

        for case in cases:
            if not (case_phrases := self.phrases.by_key[kind, case]):
                break  # this case has no phrases on purpose
            start = crc32(f"{self.key} {kind}.{case}".encode())
            if usable_phrases := self._find_usable(_rotate(case_phrases, start), filling):
                return min(usable_phrases, key=repetition)
        return None

    def _choose_by_number(self, kind: str, cases: Iterable[str], filling: Filling) -> TextTemplate | None:
        """Return the phrase whose turn it is in this game; a case with few phrases leaves turns to the next case.

        A vault's own phrases leave none, and none are left if the number of the game is not known. If no phrase has its
        turn, any usable one is returned.
        """
        usable_phrases: list[TextTemplate] = []
        number = crc32(self.key.encode()) if self.number is None else self.number
        for case in cases:
            case_phrases = self.phrases.by_key[kind, case]
            if not case_phrases:
                break
            is_shared = self.number is not None and (kind, case) not in self.phrases.own
            turn = number % max(len(case_phrases), MIN_TURN_COUNT if is_shared else 1)
            rotated_phrases = _rotate(case_phrases, turn)
            usable = self._find_usable(rotated_phrases, filling)
            if turn < len(case_phrases) and usable[:1] == rotated_phrases[:1]:
                return usable[0]
            usable_phrases += usable
        return next(iter(usable_phrases), None)

    def _is_true(self, kind: str, case: str, about: StoryMoment | GameEnding | None) -> bool:
        if (kind, case) not in self.phrases.by_key:
            return False
        requirements = self.phrases.cases.get((kind, case))
        facts = requirements.facts if requirements else ()
        return all(about is not None and holds(fact, about) for fact in facts)

    def mention(self, kind: str, case: str, filling: Filling) -> str:
        """Return the least used phrase of a case, filled, as words within a sentence; "" if the case has none."""
        case_phrases = self.phrases.by_key.get((kind, case))
        if not case_phrases:
            return ""
        phrase = min(case_phrases, key=lambda phrase: self._uses[phrase.pieces])
        self._uses[phrase.pieces] += 1
        return _fill(phrase, filling, self.phrases.words.join).render(str, str)

    def _find_usable(self, phrases: Iterable[TextTemplate], filling: Filling) -> list[TextTemplate]:
        """Return the phrases that can be filled and were not used too often or just now."""
        fresh = (phrase for phrase in phrases if phrase.pieces != self._last_pieces)
        rare = (phrase for phrase in fresh if self._uses[phrase.pieces] < MAX_USES_PER_PHRASE)
        return [phrase for phrase in rare if all(filling.get(place) not in (None, "", ()) for place in phrase.fields)]

    def _beginning(self, phrase: TextTemplate, filling: Filling) -> object:
        """Return the first word of the phrase, or the value of its first field if it begins with a field."""
        return phrase.pieces[0].partition(" ")[0] or filling[phrase.fields[0]]


def _rotate(phrases: Sequence[TextTemplate], start: int) -> Sequence[TextTemplate]:
    index = start % len(phrases)
    return [*phrases[index:], *phrases[:index]]


def _fill(phrase: TextTemplate, filling: Filling, join: Callable[[Iterable[str]], str]) -> Sentence:
    """Return the phrase as a sentence with fields for seats and cards, and with all text as values; `join` makes lists.

    An article before a list of cards is repeated: `the Ace and the Cave`.

    Values are escaped where the sentence is written; so the text of a vault's own phrases is escaped, too.
    """
    seats, cards, values = list[Seat](), list[str](), list[str]()
    words = literal_text = ""
    for field_name, text in zip(("", *phrase.fields), phrase.pieces[::2], strict=True):
        if field_name in SEAT_PLACES or field_name in CARD_PLACES:
            letter, collected = ("s", seats) if field_name in SEAT_PLACES else ("c", cards)
            article = "the " if f" {literal_text}".casefold().endswith(" the ") else ""
            fields = _add_fields(filling[field_name], collected, letter)
            listed_names = join([*fields[:1], *(f"{article}{field}" for field in fields[1:])])
            words += _add_literal(literal_text, values) + listed_names
            literal_text = text
        else:
            literal_text += f"{filling[field_name] if field_name else ''}{text}"
    return Sentence(words + _add_literal(literal_text, values), tuple(seats), tuple(cards), tuple(values))


def _capitalize(sentence: Sentence) -> Sentence:
    """Return the sentence with a capital first letter, unless it begins with a seat or card."""
    if not sentence.words.startswith("{v0}"):
        return sentence
    first, *others = map(str, sentence.values)
    return replace(sentence, values=(capitalize_first(first), *others))


def _add_literal(text: str, values: list[str]) -> str:
    """Append the stripped `text` to `values`; return its field, such as `{v0}`, between the stripped white space.

    A text of white space alone is returned unchanged.
    """
    if not text.strip():
        return text
    values.append(text.strip())
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{{v{len(values) - 1}}}{after}"


def _add_fields(value: object, collected: list[Any], letter: str) -> list[str]:
    """Append one or more seats or cards to `collected`; return their fields, such as `{s0}` and `{s1}`.

    `letter` is `s` for seats and `c` for cards.
    """
    start = len(collected)
    collected += value if isinstance(value, tuple) else (value,)
    return [f"{{{letter}{number}}}" for number in range(start, len(collected))]
