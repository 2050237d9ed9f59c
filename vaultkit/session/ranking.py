"""Which passages say most about some words: BM25 over their names, headings and text, and Bayes over what is asked."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, log, log1p

from vaultkit.session.passages import Entry
from vaultkit.session.stems import ALIKE, FAINT, stems
from vaultkit.spelling import nearest

_NAME, _UNDER, _BODY = 3.0, 1.3, 1.0
"""The weight of a word in a passage's name, in the headings above it, and in its text."""
_SATURATION, _LENGTH = 0.6, 0.15
"""How soon more of one word counts for little, and how much a long text is at a disadvantage."""
_WEAK, _SIMILAR = 0.05, 0.9
"""The weight of a word that says little by itself, and of one that means much the same as that of the question."""
_SECTION = 0.6
"""The weight of its section for a piece of it."""
_LIKE, _LONG = 75, 4
"""Per cent of letters in common with a word that may be meant, and the letters that a misspelt word has at least."""
_ASKED, _LIKENESS, _BACK = 3.0, 1.2, 0.5
"""The weight of a question that a passage answers, and how much it must be like the one that is asked, both ways."""
_TYPE = 8.0
"""How much more a word that says little by itself (who, may, how many) says in a question than in a text."""
_FACT = 1.5
"""How much more a card says that has both the card's name and what is asked about it."""
_LEAN, _SMOOTH = 0.4, 0.3
"""How readily the words of a question tell its game, and how little a single use of a word tells."""
_GENERAL, _ELSEWHERE = 0.7, 0.3
"""The weight of a passage about no game, and of one about another game than the one that is meant."""
_OURS, _ASIDE = 0.85, 0.8
"""The weight of our rulings beside the GM's own notes, and of an aside beside a rule."""
_PAIR = 0.3
"""The weight of two words in a row beside that of one word, in how likely a place is."""
_DOUBT, _TRUST = 40, 0.08
"""So many words must be told of a place before they weigh much, and how much its likelihood counts."""

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Indexed:
    """An entry with how much each of its words counts, and with those of its name apart."""

    entry: Entry
    counts: Mapping[str, float]
    name: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return self.name.union(self.counts)


class _Likelihood:
    """How likely each place is what a question is about, by the words and pairs of words told of it (naive Bayes)."""

    def __init__(self, told: Iterable[tuple[Place, Sequence[str]]]) -> None:
        self._told: defaultdict[Place, Counter[str]] = defaultdict(Counter)
        self._all = Counter[str]()
        for place, words in told:
            for counts in (self._told[place], self._all):
                counts.update(_parts(words))

    def of(self, words: Iterable[str]) -> dict[Place, float]:
        """For each place the part of its score that it keeps; the most likely one keeps all of it."""
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
    """The words and their pairs, also the first and the last one with nothing beside it."""
    yield from words
    yield from map(" ".join, zip(("", *words), (*words, ""), strict=True))


class Ranking:
    """Scores entries for the words of a question."""

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
        """The words, each misspelt one as the word that may be meant."""
        return [*dict.fromkeys(self._meant(word) for word in words)]

    def has_all(self, words: Iterable[str]) -> bool:
        """Whether every word that tells something stands in some entry, or one that means much the same."""
        return all(word in FAINT or _likeness(word, self._spread) for word in words)

    def _meant(self, word: str) -> str:
        if word in self._spread or word in FAINT or word in ALIKE or len(word) < _LONG:
            return word
        return nearest(word, self._spread, like=_LIKE) or word

    def best(self, words: Iterable[str], games: Collection[str]) -> list[tuple[float, Entry]]:
        """The entries that say something of the words, with their scores, the best first.

        A piece is scored together with its section. `games` are those that are meant, none for any.
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
            return ranked  # a card is asked for by its name, and players' questions tell nothing of it
        likely = self._likelihood.of(worth)
        return sorted(((score * likely[entry.place], entry) for score, entry in ranked), key=lambda row: -row[0])

    @cached_property
    def _likelihood(self) -> _Likelihood:
        return _Likelihood(self._told)

    def _like(self, words: Mapping[str, float]) -> dict[Place, float]:
        """The score of each place for the question most like this one that it answers."""
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
        """The worth of each word of a question, whose type tells something too."""
        return {word: self._worth(word) * (_TYPE if word in FAINT else 1.0) for word in words}

    def _leaning(self, words: Iterable[str]) -> dict[str, float]:
        """The part of its score that a game's passage keeps, by how well the words fit that game."""
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
        """The words that it says, by their worth; times the part of the question, and of its name, that they are."""
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
        """A word is worth more the fewer passages say it; one that none says, as much as what means the same."""
        spread = self._spread[word] or max((self._spread[other] for other in ALIKE.get(word, ())), default=0)
        rarity = log(1 + (len(self._indexed) - spread + 0.5) / (spread + 0.5))
        return rarity * _WEAK if word in FAINT else rarity


def _counts(fields: Sequence[Sequence[str]], lengths: Sequence[float]) -> Mapping[str, float]:
    counts: dict[str, float] = {}
    for words, length, weight in zip(fields, lengths, (_UNDER, _BODY), strict=True):
        norm = weight / (1 - _LENGTH + _LENGTH * len(words) / max(length, 1.0))
        for word, times in Counter(words).items():
            counts[word] = counts.get(word, 0.0) + times * norm
    return counts


def _lean(entry: Entry, leaning: Mapping[str, float]) -> float:
    return max((leaning.get(game, 1.0) for game in entry.games), default=1.0)


def _is_fact(one: _Indexed, words: Iterable[str]) -> bool:
    """Whether the words name a card, and a thing that its text says of it."""
    asked = {*words} - FAINT
    told = bool(one.entry.passage.card) and one.name - FAINT < asked
    return told and all(_likeness(word, one.words) for word in asked)


def _telling(words: Iterable[str]) -> set[str]:
    """Those of the words that tell something, and those that mean much the same."""
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
    """The part of its score that an entry keeps, by whose words it is and what game it is about."""
    kind = (_OURS if entry.passage.ruling else 1.0) * (_ASIDE if entry.aside else 1.0)
    if not games or not entry.games.isdisjoint(games):
        return kind
    return kind * (_ELSEWHERE if entry.games else _GENERAL)
