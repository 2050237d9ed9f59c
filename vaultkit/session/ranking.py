"""Ranking passages by the words of a question: BM25 over names, headings and text, and naive Bayes."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, log, log1p

from vaultkit.session.passages import Entry
from vaultkit.session.stems import ALIKE, FAINT, stems
from vaultkit.spelling import nearest

_NAME, _UNDER, _BODY = 3.0, 1.3, 1.0
"""The weights of a word in the name of a passage, in the headings above it, and in its text."""
_SATURATION, _LENGTH = 0.6, 0.15
"""How soon repeated words stop adding to a score, and how much the length of a text lowers it."""
_WEAK, _SIMILAR = 0.05, 0.9
"""The weights of a stop word, and of a synonym of a word in the question."""
_SECTION = 0.6
"""The weight of the score of a section, added to the score of each of its pieces."""
_LIKE, _LONG = 75, 4
"""The percentage of letters that a corrected word has in common, and the minimum length of a misspelt word."""
_ASKED, _LIKENESS, _BACK = 3.0, 1.2, 0.5
"""The weight of a question that a passage answers, and the exponents of its likeness as a whole and in reverse."""
_TYPE = 8.0
"""How much more a stop word such as "who", "may" or "how many" weighs in a question than in a text."""
_FACT = 1.5
"""The factor for a card whose name, and whose text about the rest of the question, match."""
_LEAN, _SMOOTH = 0.4, 0.3
"""The weight with which the words of a question determine its game, and the smoothing for rare words."""
_GENERAL, _ELSEWHERE = 0.7, 0.3
"""The weights of a passage about no game, and of a passage about a game other than the one of the question."""
_OURS, _ASIDE = 0.85, 0.8
"""The weights of a ruling compared with notes of the GM, and of an example or callout compared with a rule."""
_PAIR = 0.3
"""The weight of a pair of adjacent words compared with a single word, in the likelihood of a place."""
_DOUBT, _TRUST = 40, 0.08
"""The number of words that a place needs before they weigh much, and the weight of the likelihood."""

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Indexed:
    """An entry with the weight of each of its words, and the words of its name."""

    entry: Entry
    counts: Mapping[str, float]
    name: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        """All words of the entry."""
        return self.name.union(self.counts)


class _Likelihood:
    """The likelihood that a question is about each place, by words and word pairs (naive Bayes)."""

    def __init__(self, told: Iterable[tuple[Place, Sequence[str]]]) -> None:
        self._told: defaultdict[Place, Counter[str]] = defaultdict(Counter)
        self._all = Counter[str]()
        for place, words in told:
            for counts in (self._told[place], self._all):
                counts.update(_parts(words))

    def of(self, words: Iterable[str]) -> dict[Place, float]:
        """Return the factor for the score of each place. The most likely place has the factor 1."""
        weights = {part: _PAIR if " " in part else 1.0 for part in _parts([*words]) if part in self._all}
        whole, weight = self._all.total(), sum(weights.values())
        found = {
            place: sum(weights[part] * log1p(told[part] / _DOUBT * whole / self._all[part]) for part in weights)
            - weight * log1p(told.total() / _DOUBT)
            for place, told in self._told.items()
        }
        best = max(found.values(), default=0.0)
        return {place: exp(_TRUST * (value - best)) for place, value in found.items()}


def _parts(words: Sequence[str]) -> Iterator[str]:
    """Yield the words and the pairs of adjacent words.

    The first and the last word also form a pair with an empty word.
    """
    yield from words
    yield from map(" ".join, zip(("", *words), (*words, ""), strict=True))


class Ranking:
    """A ranking of entries by the words of a question."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        read = [(entry, stems(entry.name), stems(entry.under), stems(entry.body)) for entry in entries]
        lengths = [sum(len(words[side]) for _, *words in read) / (len(read) or 1) for side in (1, 2)]
        self._indexed = [
            _Indexed(entry, _counts((under, body), lengths), frozenset(name)) for entry, name, under, body in read
        ]
        self._spread = Counter(word for one in self._indexed for word in one.words)
        asked = [(entry.place, stems(question)) for entry, *_ in read for question in entry.asked]
        self._told = [(entry.place, name + body) for entry, name, _, body in read if not entry.piece] + asked
        self._questions = [(place, self._typed(words)) for place, words in asked]
        self._names = {one.name - FAINT for one in self._indexed}
        said = [(one.entry.games, one.words) for one in self._indexed]
        said += [(entry.games, frozenset(stems(question))) for entry, *_ in read for question in entry.asked]
        self._sizes = Counter(game for games, _ in said for game in games)
        self._by_game = Counter((word, game) for games, words in said for game in games for word in words)

    def known(self, words: Iterable[str]) -> list[str]:
        """Return the words with spelling corrected, without duplicates."""
        return [*dict.fromkeys(self._meant(word) for word in words)]

    def has_all(self, words: Iterable[str]) -> bool:
        """Return whether each word, or a synonym of it, occurs in some entry. Stop words are ignored."""
        return all(word in FAINT or _likeness(word, self._spread) for word in words)

    def _meant(self, word: str) -> str:
        """Return the word, or the most similar word of an entry if it seems misspelt."""
        if word in self._spread or word in FAINT or word in ALIKE or len(word) < _LONG:
            return word
        return nearest(word, self._spread, like=_LIKE) or word

    def best(self, words: Iterable[str], games: Collection[str]) -> list[tuple[float, Entry]]:
        """Return the entries that contain some of the words, with their scores, the best first.

        The score of a section is added to its pieces. `games` are the games that the question is about; it is empty for
        any.
        """
        worth = {word: self._worth(word) for word in words}
        asked = _telling(worth) or worth.keys()
        is_name = worth.keys() - FAINT in self._names
        like = {} if is_name else self._like(worth)
        leaning = {} if games or is_name else self._leaning(word for word in worth if word not in FAINT)
        found = [
            (self._score(one, worth) * (_FACT if _is_fact(one, worth) else 1.0), one.entry)
            for one in self._indexed
            if not asked.isdisjoint(one.words) or (one.entry.place in like and not one.entry.piece)
        ]
        wholes = {entry.place: score for score, entry in found if not entry.piece}
        joined = (
            (score + _SECTION * wholes.get(entry.place, 0.0) + like.get(entry.place, 0.0), entry)
            for score, entry in found
        )
        weighted = ((score * _part(entry, games) * _lean(entry, leaning), entry) for score, entry in joined)
        ranked = sorted(weighted, key=lambda row: -row[0])
        if is_name or not ranked or ranked[0][1].passage.card:
            return ranked  # people ask for a card by its name, and the questions of players are not about cards
        likely = self._likelihood.of(worth)
        return sorted(((score * likely[entry.place], entry) for score, entry in ranked), key=lambda row: -row[0])

    @cached_property
    def _likelihood(self) -> _Likelihood:
        return _Likelihood(self._told)

    def _like(self, words: Mapping[str, float]) -> dict[Place, float]:
        """Return, for each place, the score of the most similar question that the place answers."""
        worth, whole = self._typed(words), sum(words.values())
        found: dict[Place, float] = {}
        telling = _telling(words)
        for place, own in self._questions:
            if telling and telling.isdisjoint(own):
                continue
            like = _shared(worth, own) / sum(worth.values()) * (_shared(own, worth) / sum(own.values())) ** _BACK
            found[place] = max(found.get(place, 0.0), _ASKED * whole * like**_LIKENESS)
        return found

    def _typed(self, words: Iterable[str]) -> dict[str, float]:
        """Return the weight of each word in a question, where stop words count more than in a text."""
        return {word: self._worth(word) * (_TYPE if word in FAINT else 1.0) for word in words}

    def _leaning(self, words: Iterable[str]) -> dict[str, float]:
        """Return, for each game, the factor for passages about it, by how well the words fit the game."""
        fit = dict.fromkeys(self._sizes, 0.0)
        for word in words:
            meant = (word,) if word in self._spread else ALIKE.get(word, ())
            shares = {game: sum(self._by_game[one, game] for one in meant) / size for game, size in self._sizes.items()}
            mean = sum(shares.values()) / (len(shares) or 1)
            for game, share in shares.items() if mean else ():
                fit[game] += log((share / mean + _SMOOTH) / (1 + _SMOOTH))
        best = max(fit.values(), default=0.0)
        return {game: exp(_LEAN * (value - best)) for game, value in fit.items()}

    def _score(self, one: _Indexed, worth: Mapping[str, float]) -> float:
        """Return the score of an entry for the words of a question.

        It is the sum of the weights of the words that the entry contains, times the part of the question that it
        covers, increased by the part of its name that the question covers.
        """
        named = {word: _likeness(word, one.name) for word in worth}
        name = sum(map(self._worth, one.name)) or 1.0
        whole = min(1.0, sum(worth[word] * part for word, part in named.items()) / name)
        told = covered = 0.0
        for word, value in worth.items():
            likeness = _likeness(word, one.counts)
            count = likeness * _most(word, one.counts) + named[word] * _NAME * whole
            told += value * count / (count + _SATURATION)
            covered += value * max(likeness, named[word])
        return told * covered / sum(worth.values()) * (1 + whole)

    @cache  # noqa: B019 - a ranking lives as long as the answer
    def _worth(self, word: str) -> float:
        """Return the weight of a word: the fewer entries contain it, the greater.

        A word that no entry contains weighs as much as its most frequent synonym.
        """
        spread = self._spread[word] or max((self._spread[other] for other in ALIKE.get(word, ())), default=0)
        rarity = log(1 + (len(self._indexed) - spread + 0.5) / (spread + 0.5))
        return rarity * _WEAK if word in FAINT else rarity


def _counts(fields: Sequence[Sequence[str]], lengths: Sequence[float]) -> Mapping[str, float]:
    """Return the weight of each word in the headings and the text of an entry, adjusted for their lengths."""
    counts: dict[str, float] = {}
    for words, length, weight in zip(fields, lengths, (_UNDER, _BODY), strict=True):
        norm = weight / (1 - _LENGTH + _LENGTH * len(words) / max(length, 1.0))
        for word, times in Counter(words).items():
            counts[word] = counts.get(word, 0.0) + times * norm
    return counts


def _lean(entry: Entry, leaning: Mapping[str, float]) -> float:
    """Return the largest of the factors of the games that an entry is about, 1 if there is none."""
    return max((leaning.get(game, 1.0) for game in entry.games), default=1.0)


def _is_fact(one: _Indexed, words: Iterable[str]) -> bool:
    """Return whether the words contain the name of a card and other words that are all in the entry of the card."""
    asked = {*words} - FAINT
    told = bool(one.entry.passage.card) and one.name - FAINT < asked
    return told and all(_likeness(word, one.words) for word in asked)


def _telling(words: Iterable[str]) -> set[str]:
    """Return the words without stop words, and the synonyms of all words that remain."""
    return {other for word in words if word not in FAINT for other in (word, *ALIKE.get(word, ()))}


def _shared(worth: Mapping[str, float], words: Container[str]) -> float:
    return sum(value * _likeness(word, words) for word, value in worth.items())


def _likeness(word: str, words: Container[str]) -> float:
    if word in words:
        return 1.0
    return _SIMILAR if any(other in words for other in ALIKE.get(word, ())) else 0.0


def _most(word: str, counts: Mapping[str, float]) -> float:
    return max(counts.get(other, 0.0) for other in (word, *ALIKE.get(word, ())))


def _part(entry: Entry, games: Collection[str]) -> float:
    """Return the factor for the score of an entry, by its kind and by the games that it is about."""
    kind = (_OURS if entry.passage.ruling else 1.0) * (_ASIDE if entry.aside else 1.0)
    if not games or not entry.games.isdisjoint(games):
        return kind
    return kind * (_ELSEWHERE if entry.games else _GENERAL)
