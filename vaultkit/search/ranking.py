"""Ranking of passages by the words of a question, with BM25 over names, headings and text, and with naive Bayes."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, log, log1p

from vaultkit.search.passages import PassageEntry
from vaultkit.search.stemming import STOP_WORDS, SYNONYMS, stems
from vaultkit.spelling import find_nearest

_NAME_WEIGHT, _HEADING_WEIGHT, _BODY_WEIGHT = 3.0, 1.3, 1.0
"""The weights of a word in the name of a passage, in the headings above it, and in its text."""
_SATURATION, _LENGTH_PENALTY = 0.6, 0.15
"""The BM25 parameters k1 and b: how soon repeated words add no more, and how much a long text lowers a score."""
_STOP_WORD_WEIGHT, _SYNONYM_WEIGHT = 0.05, 0.9
"""The weights of a stop word, and of a synonym of a word in the question."""
_SECTION_WEIGHT = 0.6
"""The weight of the score of a section, added to the score of each of its pieces."""
_MIN_SIMILARITY_PERCENT, _MIN_CORRECTED_LENGTH = 75, 4
"""The minimum similarity of a word to its correction, and the minimum length of a word that is corrected."""
_QUESTION_WEIGHT, _LIKENESS_EXPONENT, _REVERSE_EXPONENT = 3.0, 1.2, 0.5
"""The weight of the likeness to a known question, the exponent of it, and that of the share of the known question."""
_QUESTION_WORD_FACTOR = 8.0
"""The factor by which stop words such as "who", "may" or "how many" weigh more in a question than in a text."""
_CARD_FACT_FACTOR = 1.5
"""The factor for the entry of a card that the question names and that contains all other words of the question."""
_GAME_FIT_WEIGHT, _GAME_FIT_SMOOTHING = 0.4, 0.3
"""The weight of how well the words of a question fit each game, and the smoothing of that for rare words."""
_GENERAL_WEIGHT, _OTHER_GAME_WEIGHT = 0.7, 0.3
"""The weights of a passage about all games, and of a passage about another game than the question."""
_RULING_WEIGHT, _ASIDE_WEIGHT = 0.85, 0.8
"""The weights of rulings, compared with notes of the GM, and of examples and callouts, compared with rules."""
_WORD_PAIR_WEIGHT = 0.3
"""The weight of a pair of adjacent words, compared with a single word, in the likelihood of a place."""
_DOUBT_WORDS, _LIKELIHOOD_WEIGHT = 40, 0.08
"""The number of words of a place below which the likelihood is smoothed strongly, and the weight of the likelihood."""

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _IndexedEntry:
    """An entry with the weights of the words in its headings and text (`counts`), and the words of its name."""

    entry: PassageEntry
    counts: Mapping[str, float]
    name: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        """All words of the entry."""
        return self.name.union(self.counts)


class _Likelihood:
    """A naive Bayes model of which place a question is about, by words and pairs of adjacent words."""

    def __init__(self, place_words: Iterable[tuple[Place, Sequence[str]]]) -> None:
        self._place_counts: defaultdict[Place, Counter[str]] = defaultdict(Counter)
        self._total_counts = Counter[str]()
        for place, words in place_words:
            for counts in (self._place_counts[place], self._total_counts):
                counts.update(_words_and_pairs(words))

    def factors(self, words: Iterable[str]) -> dict[Place, float]:
        """Return the factor for the score of each place, which is 1 for the most likely place."""
        weights = {
            term: _WORD_PAIR_WEIGHT if " " in term else 1.0
            for term in _words_and_pairs([*words])
            if term in self._total_counts
        }
        total_count, total_weight = self._total_counts.total(), sum(weights.values())
        log_scores = {
            place: sum(
                weights[term] * log1p(counts[term] / _DOUBT_WORDS * total_count / self._total_counts[term])
                for term in weights
            )
            - total_weight * log1p(counts.total() / _DOUBT_WORDS)
            for place, counts in self._place_counts.items()
        }
        best = max(log_scores.values(), default=0.0)
        return {place: exp(_LIKELIHOOD_WEIGHT * (value - best)) for place, value in log_scores.items()}


def _words_and_pairs(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, and the pairs of adjacent words.

    The first word also forms a pair with an empty word before it, and the last word with an empty word after it.
    """
    yield from words
    yield from map(" ".join, zip(("", *words), (*words, ""), strict=True))


class Ranking:
    """An index that ranks entries by the words of a question. All words are stems."""

    def __init__(self, entries: Iterable[PassageEntry]) -> None:
        stemmed_entries = [(entry, stems(entry.name), stems(entry.under), stems(entry.body)) for entry in entries]
        mean_lengths = [
            sum(len(words[column]) for _, *words in stemmed_entries) / (len(stemmed_entries) or 1) for column in (1, 2)
        ]
        self._indexed = [
            _IndexedEntry(entry, _weigh_words((under, body), mean_lengths), frozenset(name))
            for entry, name, under, body in stemmed_entries
        ]
        self._entry_counts = Counter(word for indexed in self._indexed for word in indexed.words)
        questions = [(entry.place, stems(question)) for entry, *_ in stemmed_entries for question in entry.questions]
        self._place_words = [
            (entry.place, name + body) for entry, name, _, body in stemmed_entries if not entry.piece
        ] + questions
        self._questions = [(place, self._question_weights(words)) for place, words in questions]
        self._name_word_sets = {indexed.name - STOP_WORDS for indexed in self._indexed}
        game_words = [(indexed.entry.games, indexed.words) for indexed in self._indexed]
        game_words += [
            (entry.games, frozenset(stems(question))) for entry, *_ in stemmed_entries for question in entry.questions
        ]
        self._entry_counts_by_game = Counter(game for games, _ in game_words for game in games)
        self._entry_counts_by_word_and_game = Counter(
            (word, game) for games, words in game_words for game in games for word in words
        )

    def correct_words(self, words: Iterable[str]) -> list[str]:
        """Return the words without duplicates, with the spelling of unknown words corrected."""
        return [*dict.fromkeys(self._correct_word(word) for word in words)]

    def has_all(self, words: Iterable[str]) -> bool:
        """Return whether each word that is no stop word, or a synonym of it, occurs in some entry."""
        return all(word in STOP_WORDS or _likeness(word, self._entry_counts) for word in words)

    def _correct_word(self, word: str) -> str:
        """Return the word, or the most similar word of all entries if the word is unknown."""
        if word in self._entry_counts or word in STOP_WORDS or word in SYNONYMS or len(word) < _MIN_CORRECTED_LENGTH:
            return word
        return find_nearest(word, self._entry_counts, min_score=_MIN_SIMILARITY_PERCENT) or word

    def rank(self, words: Iterable[str], games: Collection[str]) -> list[tuple[float, PassageEntry]]:
        """Return the scores and entries of all entries that contain some of the words, the best first.

        A part of the score of a section is added to that of each of its pieces. `games` are the games that the question
        is about, none if it does not say.
        """
        word_weights = {word: self._word_weight(word) for word in words}
        query_words = _expand_words(word_weights) or word_weights.keys()
        is_name = word_weights.keys() - STOP_WORDS in self._name_word_sets
        question_scores = {} if is_name else self._question_scores(word_weights)
        game_factors = (
            {} if games or is_name else self._game_factors(word for word in word_weights if word not in STOP_WORDS)
        )
        scored_entries = [
            (
                self._score(indexed, word_weights)
                * (_CARD_FACT_FACTOR if _is_card_fact(indexed, word_weights) else 1.0),
                indexed.entry,
            )
            for indexed in self._indexed
            if not query_words.isdisjoint(indexed.words)
            or (indexed.entry.place in question_scores and not indexed.entry.piece)
        ]
        section_scores = {entry.place: score for score, entry in scored_entries if not entry.piece}
        joined_scores = (
            (
                score + _SECTION_WEIGHT * section_scores.get(entry.place, 0.0) + question_scores.get(entry.place, 0.0),
                entry,
            )
            for score, entry in scored_entries
        )
        weighted_scores = (
            (score * _entry_factor(entry, games) * _game_factor(entry, game_factors), entry)
            for score, entry in joined_scores
        )
        ranked = sorted(weighted_scores, key=lambda row: -row[0])
        if is_name or not ranked or ranked[0][1].passage.card:
            return ranked  # people ask for a card by its name, and the questions of players are not about cards
        place_factors = self._likelihood.factors(word_weights)
        return sorted(((score * place_factors[entry.place], entry) for score, entry in ranked), key=lambda row: -row[0])

    @cached_property
    def _likelihood(self) -> _Likelihood:
        return _Likelihood(self._place_words)

    def _question_scores(self, words: Mapping[str, float]) -> dict[Place, float]:
        """Return, for each place, the score of the most similar one of the known questions that it answers."""
        asked_weights, total_weight = self._question_weights(words), sum(words.values())
        scores: dict[Place, float] = {}
        content_words = _expand_words(words)
        for place, question_weights in self._questions:
            if content_words and content_words.isdisjoint(question_weights):
                continue
            likeness = (
                _sum_shared_weights(asked_weights, question_weights)
                / sum(asked_weights.values())
                * (_sum_shared_weights(question_weights, asked_weights) / sum(question_weights.values()))
                ** _REVERSE_EXPONENT
            )
            scores[place] = max(scores.get(place, 0.0), _QUESTION_WEIGHT * total_weight * likeness**_LIKENESS_EXPONENT)
        return scores

    def _question_weights(self, words: Iterable[str]) -> dict[str, float]:
        """Return the weight of each word of a question, in which stop words weigh more than in a text."""
        return {
            word: self._word_weight(word) * (_QUESTION_WORD_FACTOR if word in STOP_WORDS else 1.0) for word in words
        }

    def _game_factors(self, words: Iterable[str]) -> dict[str, float]:
        """Return, for each game, a factor for the scores of passages about it, by how well the words fit the game."""
        fit_of_game = dict.fromkeys(self._entry_counts_by_game, 0.0)
        for word in words:
            variants = (word,) if word in self._entry_counts else SYNONYMS.get(word, ())
            shares = {
                game: sum(self._entry_counts_by_word_and_game[variant, game] for variant in variants) / size
                for game, size in self._entry_counts_by_game.items()
            }
            mean = sum(shares.values()) / (len(shares) or 1)
            for game, share in shares.items() if mean else ():
                fit_of_game[game] += log((share / mean + _GAME_FIT_SMOOTHING) / (1 + _GAME_FIT_SMOOTHING))
        best = max(fit_of_game.values(), default=0.0)
        return {game: exp(_GAME_FIT_WEIGHT * (value - best)) for game, value in fit_of_game.items()}

    def _score(self, indexed: _IndexedEntry, word_weights: Mapping[str, float]) -> float:
        """Return the score of an entry for the words of a question.

        The score is the sum of the weights of the words that the entry contains, times the share of the question that
        it covers, times 1 plus the share of its name that the question covers.
        """
        name_likeness = {word: _likeness(word, indexed.name) for word in word_weights}
        name_weight = sum(map(self._word_weight, indexed.name)) or 1.0
        name_coverage = min(
            1.0,
            sum(word_weights[word] * likeness_to_name for word, likeness_to_name in name_likeness.items())
            / name_weight,
        )
        total = covered = 0.0
        for word, weight in word_weights.items():
            likeness = _likeness(word, indexed.counts)
            weighted_count = (
                likeness * _find_highest_weight(word, indexed.counts)
                + name_likeness[word] * _NAME_WEIGHT * name_coverage
            )
            total += weight * weighted_count / (weighted_count + _SATURATION)
            covered += weight * max(likeness, name_likeness[word])
        return total * covered / sum(word_weights.values()) * (1 + name_coverage)

    @cache  # noqa: B019 - a ranking lives as long as the answer
    def _word_weight(self, word: str) -> float:
        """Return the weight of a word, which is greater the fewer entries contain the word.

        A word that no entry contains weighs as much as its most frequent synonym.
        """
        entry_count = self._entry_counts[word] or max(
            (self._entry_counts[synonym] for synonym in SYNONYMS.get(word, ())), default=0
        )
        rarity = log(1 + (len(self._indexed) - entry_count + 0.5) / (entry_count + 0.5))
        return rarity * _STOP_WORD_WEIGHT if word in STOP_WORDS else rarity


def _weigh_words(fields: Sequence[Sequence[str]], lengths: Sequence[float]) -> Mapping[str, float]:
    """Return the weight of each word in the headings and the text of an entry.

    `fields` are the words of the headings and those of the text; `lengths` are the mean numbers of both in all entries.
    """
    weights: dict[str, float] = {}
    for words, length, weight in zip(fields, lengths, (_HEADING_WEIGHT, _BODY_WEIGHT), strict=True):
        occurrence_weight = weight / (1 - _LENGTH_PENALTY + _LENGTH_PENALTY * len(words) / max(length, 1.0))
        for word, occurrences in Counter(words).items():
            weights[word] = weights.get(word, 0.0) + occurrences * occurrence_weight
    return weights


def _game_factor(entry: PassageEntry, game_factors: Mapping[str, float]) -> float:
    """Return the largest factor of the games that an entry is about, 1 for an entry about all games."""
    return max((game_factors.get(game, 1.0) for game in entry.games), default=1.0)


def _is_card_fact(indexed: _IndexedEntry, words: Iterable[str]) -> bool:
    """Return whether the words are the name of a card and other words, all of which the entry of the card contains."""
    query_words = {*words} - STOP_WORDS
    is_card_named = bool(indexed.entry.passage.card) and indexed.name - STOP_WORDS < query_words
    return is_card_named and all(_likeness(word, indexed.words) for word in query_words)


def _expand_words(words: Iterable[str]) -> set[str]:
    """Return the words that are no stop words, and their synonyms."""
    return {variant for word in words if word not in STOP_WORDS for variant in (word, *SYNONYMS.get(word, ()))}


def _sum_shared_weights(word_weights: Mapping[str, float], words: Container[str]) -> float:
    return sum(weight * _likeness(word, words) for word, weight in word_weights.items())


def _likeness(word: str, words: Container[str]) -> float:
    """Return 1 if the word is among `words`, a little less if only a synonym is, and else 0."""
    if word in words:
        return 1.0
    return _SYNONYM_WEIGHT if any(synonym in words for synonym in SYNONYMS.get(word, ())) else 0.0


def _find_highest_weight(word: str, weights: Mapping[str, float]) -> float:
    return max(weights.get(variant, 0.0) for variant in (word, *SYNONYMS.get(word, ())))


def _entry_factor(entry: PassageEntry, games: Collection[str]) -> float:
    """Return the factor for the score of an entry, by its kind and by whether it is about one of `games`."""
    kind_factor = (_RULING_WEIGHT if entry.passage.ruling else 1.0) * (_ASIDE_WEIGHT if entry.aside else 1.0)
    if not games or not entry.games.isdisjoint(games):
        return kind_factor
    return kind_factor * (_OTHER_GAME_WEIGHT if entry.games else _GENERAL_WEIGHT)
