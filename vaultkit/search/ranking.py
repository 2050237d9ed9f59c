"""Ranking of passages by the words of a question: BM25 over names, headings and text, and a naive Bayes model."""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, fsum, log
from typing import NamedTuple

from vaultkit.search.naive_bayes import Place, PlaceModel
from vaultkit.search.passages import PassageEntry
from vaultkit.search.stemming import Language
from vaultkit.search.vocabulary import Vocabulary

_NAME_WEIGHT, _HEADING_WEIGHT, _BODY_WEIGHT = 3.0, 1.3, 1.0
"""The weights of a word in the name of a passage, in the headings above it, and in its text."""
_SATURATION, _LENGTH_PENALTY = 0.6, 0.15
"""The BM25 parameters k1 and b: how soon repeated words add no more, and how much a long text lowers a score."""
_STOP_WORD_WEIGHT, _SYNONYM_WEIGHT = 0.05, 0.9
"""The weights of a stop word, and of a synonym of a word in the question."""
_SECTION_WEIGHT = 0.6
"""The weight of the score of a section, added to the score of each of its pieces."""
_MAX_EXACT_WORDS = 2
"""The number of content words up to which a question is expected to use the words of the notes."""
_UNKNOWN_NAME_FACTOR = 2.0
"""The factor for the weight of a name in the question that is in no note."""
_MIN_FULL_COVERAGE_SHARE = 0.99
"""The coverage, from 0 to 1, above which a name counts as contained in a question."""
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
"""The weights of rulings, and of examples and callouts in rule notes, compared with the GM's rules."""
_MEAN_HEADING_WORDS, _MEAN_BODY_WORDS = 4.0, 40.0
"""The mean numbers of words in the headings and the text of an entry, in a vault without games."""


class RankedEntry(NamedTuple):
    """An entry with its score.

    `coverage` is the share of the question's weight that its section covers, from 0 to 1. `is_supported` says whether
    the question contains the whole name of the entry, or two words of the section that say something, or one that
    begins with a capital letter.
    """

    score: float
    entry: PassageEntry
    coverage: float
    is_supported: bool


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


class Ranking:
    """An index that ranks the entries of games by the words of a question. All words are stems of one language.

    `vocabulary` has the words of all notes.
    """

    def __init__(self, entries: Iterable[PassageEntry], language: Language, vocabulary: Vocabulary) -> None:
        self._language, self._vocabulary = language, vocabulary
        stems = language.stems
        stemmed_entries = [(entry, stems(entry.name), stems(entry.under), stems(entry.body)) for entry in entries]
        mean_lengths = [
            sum(len(fields[column]) for _, *fields in stemmed_entries) / len(stemmed_entries)
            if stemmed_entries
            else default
            for column, default in ((1, _MEAN_HEADING_WORDS), (2, _MEAN_BODY_WORDS))
        ]
        self._indexed = [
            _IndexedEntry(entry, _weigh_words((under, body), mean_lengths), frozenset(name))
            for entry, name, under, body in stemmed_entries
        ]
        self._entry_counts = Counter(word for indexed in self._indexed for word in indexed.words)
        questions = [(entry, stems(question)) for entry, *_ in stemmed_entries for question in entry.questions]
        self._place_words = [
            *((entry.place, name + body) for entry, name, _, body in stemmed_entries if not entry.piece),
            *((entry.place, words) for entry, words in questions),
        ]
        self._questions = [(entry.place, self._question_weights(words)) for entry, words in questions]
        self._name_word_sets = {indexed.name - language.stop_words for indexed in self._indexed}
        game_words = [
            *((indexed.entry.games, indexed.words) for indexed in self._indexed if indexed.entry.games),
            *((entry.games, frozenset(words)) for entry, words in questions),
        ]
        self._entry_counts_by_game = Counter(game for games, _ in game_words for game in games)
        self._entry_counts_by_word_and_game = Counter(
            (word, game) for games, words in game_words for game in games for word in words
        )

    def has_all(self, words: Iterable[str]) -> bool:
        """Return whether each word that is no stop word, or a synonym of it, occurs in some entry of a game."""
        return all(word in self._language.stop_words or self._likeness(word, self._entry_counts) for word in words)

    @cache  # noqa: B019 - a ranking lives as long as the answer
    def _synonyms(self, word: str) -> frozenset[str]:
        """Return the synonyms of a word, or if neither it nor they are known, the words that are related to it."""
        if self.occurs(word) or word in self._language.stop_words:
            return self._language.synonyms.get(word, frozenset())
        return self._vocabulary.related_stems(word, self._language)

    def occurs(self, word: str) -> bool:
        """Return whether a word or a synonym is in a note, a card or a ruling."""
        return any(map(self._count, (word, *self._language.synonyms.get(word, ()))))

    @cache  # noqa: B019 - a ranking lives as long as the answer
    def _count(self, word: str) -> int:
        return self._entry_counts[word] + self._vocabulary.count(word, self._language)

    def rank(
        self,
        words: Iterable[str],
        games: Collection[str],
        required_words: Container[str] = (),
    ) -> list[RankedEntry]:
        """Return all entries that contain some of the words, the best first.

        A part of the score of a section is added to that of each of its pieces. `games` are the games that the question
        is about, none if it does not say. `required_words` are words, such as names, that have no other words for them.
        """
        word_weights, stop_words = {word: self._word_weight(word) for word in words}, self._language.stop_words
        query_words = self._expand_words(word_weights) or word_weights.keys()
        content_words = word_weights.keys() - stop_words
        is_name = content_words in self._name_word_sets if content_words else not word_weights
        question_scores = {} if is_name else self._question_scores(word_weights)
        game_factors = (
            {} if games or is_name else self._game_factors(word for word in word_weights if word not in stop_words)
        )
        matches = [
            indexed
            for indexed in self._indexed
            if not query_words.isdisjoint(indexed.words)
            or (indexed.entry.place in question_scores and not indexed.entry.piece)
        ]
        coverages = self._coverages(matches, word_weights, question_scores, required_words)
        scores = [
            self._score(indexed, word_weights)
            * (_CARD_FACT_FACTOR if self._is_card_fact(indexed, word_weights) else 1.0)
            for indexed in matches
        ]
        section_scores = {
            match.entry.place: score for match, score in zip(matches, scores, strict=True) if not match.entry.piece
        }
        ranked = [
            RankedEntry(
                (
                    score
                    + _SECTION_WEIGHT * section_scores.get(match.entry.place, 0.0)
                    + question_scores.get(match.entry.place, 0.0)
                )
                * _entry_factor(match.entry, games)
                * max((game_factors.get(game, 1.0) for game in match.entry.games), default=1.0),
                match.entry,
                *coverages[match.entry.place],
            )
            for match, score in zip(matches, scores, strict=True)
        ]
        best = max(ranked, key=lambda row: row.score, default=None)
        # People ask for a card by its name, and the questions of players are not about cards.
        if best and self._questions and not (is_name or best.entry.passage.card):
            factors = self._likelihood.factors(word_weights)
            ranked = [row._replace(score=row.score * factors.get(row.entry.place, 1.0)) for row in ranked]
        return sorted(ranked, key=lambda row: -row.score)

    def _coverages(
        self,
        matches: Sequence[_IndexedEntry],
        word_weights: Mapping[str, float],
        question_scores: Container[Place],
        required_words: Container[str],
    ) -> dict[Place, tuple[float, bool]]:
        """Return `coverage` and `is_supported` of the entries of each place.

        A place with a known question that is similar is taken to contain the words of that question, too. In a long
        question, words that are in no note weigh less, since it may say in other words what a note says.
        """
        words_of_place: defaultdict[Place, set[str]] = defaultdict(set)
        for match in matches:
            words_of_place[match.entry.place].update(match.words)
        for place, question_weights in self._questions:
            if place in question_scores:
                words_of_place[place].update(question_weights)
        weights = {word: weight for word, weight in word_weights.items() if word not in self._language.stop_words}
        unknown_factor = min(1.0, _MAX_EXACT_WORDS / (len(weights) or 1))
        for word in weights:
            if not any(map(self._count, (word, *self._synonyms(word)))):
                weights[word] *= _UNKNOWN_NAME_FACTOR if word in required_words else unknown_factor
        total = fsum(weights.values()) or 1.0
        named_places = {match.entry.place for match in matches if self._is_named(match, word_weights)}
        return {
            place: (
                self._sum_shared_weights(weights, words) / total if weights else float(place in question_scores),
                place in named_places or self._is_supported(words, weights, required_words),
            )
            for place, words in words_of_place.items()
        }

    def _is_supported(self, words: Container[str], query_words: Iterable[str], required_words: Container[str]) -> bool:
        """Return whether two words of a question, or one that begins with a capital letter, are among `words`."""
        matches = [word for word in query_words if self._likeness(word, words)]
        return len(matches) > 1 or any(word in required_words for word in matches)

    def _is_named(self, indexed: _IndexedEntry, word_weights: Mapping[str, float]) -> bool:
        return self._name_coverage(indexed.name, word_weights) > _MIN_FULL_COVERAGE_SHARE

    @cached_property
    def _likelihood(self) -> PlaceModel:
        return PlaceModel(self._place_words)

    def _question_scores(self, words: Mapping[str, float]) -> dict[Place, float]:
        """Return, for each place, the score of the most similar one of the known questions that it answers."""
        asked_weights, total_weight = self._question_weights(words), fsum(words.values())
        scores: dict[Place, float] = {}
        content_words = self._expand_words(words)
        for place, question_weights in self._questions:
            if content_words and content_words.isdisjoint(question_weights):
                continue
            likeness = (
                self._sum_shared_weights(asked_weights, question_weights)
                / fsum(asked_weights.values())
                * (self._sum_shared_weights(question_weights, asked_weights) / fsum(question_weights.values()))
                ** _REVERSE_EXPONENT
            )
            scores[place] = max(scores.get(place, 0.0), _QUESTION_WEIGHT * total_weight * likeness**_LIKENESS_EXPONENT)
        return scores

    def _question_weights(self, words: Iterable[str]) -> dict[str, float]:
        """Return the weight of each word of a question, in which stop words weigh more than in a text."""
        stop_words = self._language.stop_words
        return {
            word: self._word_weight(word) * (_QUESTION_WORD_FACTOR if word in stop_words else 1.0) for word in words
        }

    def _game_factors(self, words: Iterable[str]) -> dict[str, float]:
        """Return, for each game, a factor for the scores of passages about it, by how well the words fit the game."""
        fit_of_game = dict.fromkeys(self._entry_counts_by_game, 0.0)
        for word in words:
            variants = (word,) if word in self._entry_counts else self._synonyms(word)
            shares = {
                game: fsum(self._entry_counts_by_word_and_game[variant, game] for variant in variants) / size
                for game, size in self._entry_counts_by_game.items()
            }
            mean = fsum(shares.values()) / (len(shares) or 1)
            for game, share in shares.items() if mean else ():
                fit_of_game[game] += log((share / mean + _GAME_FIT_SMOOTHING) / (1 + _GAME_FIT_SMOOTHING))
        best = max(fit_of_game.values(), default=0.0)
        return {game: exp(_GAME_FIT_WEIGHT * (value - best)) for game, value in fit_of_game.items()}

    def _score(self, indexed: _IndexedEntry, word_weights: Mapping[str, float]) -> float:
        """Return the score of an entry for the words of a question.

        The score is the sum of the weights of the words that the entry contains, times the share of the question that
        it covers, times 1 plus the share of its name that the question covers.
        """
        name_likeness = {word: self._likeness(word, indexed.name) for word in word_weights}
        name_coverage = self._name_coverage(indexed.name, word_weights, with_synonyms=True)
        total = covered = 0.0
        for word, weight in word_weights.items():
            likeness = self._likeness(word, indexed.counts)
            weighted_count = (
                likeness * max(indexed.counts.get(variant, 0.0) for variant in (word, *self._synonyms(word)))
                + name_likeness[word] * _NAME_WEIGHT * name_coverage
            )
            total += weight * weighted_count / (weighted_count + _SATURATION)
            covered += weight * max(likeness, name_likeness[word])
        return total * covered / fsum(word_weights.values()) * (1 + name_coverage)

    def _name_coverage(
        self, name: frozenset[str], word_weights: Mapping[str, float], *, with_synonyms: bool = False
    ) -> float:
        """Return the share of the weight of a name that the words of a question cover, from 0 to 1."""
        shared_weight = (
            self._sum_shared_weights(word_weights, name)
            if with_synonyms
            else fsum(weight for word, weight in word_weights.items() if word in name)
        )
        return min(1.0, shared_weight / fsum(map(self._word_weight, name))) if shared_weight else 0.0

    @cache  # noqa: B019 - a ranking lives as long as the answer
    def _word_weight(self, word: str) -> float:
        """Return the weight of a word, which is greater the fewer entries contain the word.

        A word that no entry contains weighs as much as its most frequent synonym.
        """
        count = self._count(word) or max(map(self._count, self._synonyms(word)), default=0)
        rarity = log(1 + (len(self._indexed) + self._vocabulary.size - count + 0.5) / (count + 0.5))
        return rarity * _STOP_WORD_WEIGHT if word in self._language.stop_words else rarity

    def _is_card_fact(self, indexed: _IndexedEntry, words: Iterable[str]) -> bool:
        """Return whether the words are the name of a card and other words, all of which the card's entry contains."""
        query_words = {*words} - self._language.stop_words
        is_card_named = bool(indexed.entry.passage.card) and indexed.name - self._language.stop_words < query_words
        return is_card_named and all(self._likeness(word, indexed.words) for word in query_words)

    def _expand_words(self, words: Iterable[str]) -> set[str]:
        """Return the words that are no stop words, and their synonyms."""
        content_words = (word for word in words if word not in self._language.stop_words)
        return {variant for word in content_words for variant in (word, *self._synonyms(word))}

    def _sum_shared_weights(self, word_weights: Mapping[str, float], words: Container[str]) -> float:
        return fsum(weight * self._likeness(word, words) for word, weight in word_weights.items())

    def _likeness(self, word: str, words: Container[str]) -> float:
        """Return 1 if the word is among `words`, a little less if only a synonym is, and else 0."""
        if word in words:
            return 1.0
        return _SYNONYM_WEIGHT if any(synonym in words for synonym in self._synonyms(word)) else 0.0


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


def _entry_factor(entry: PassageEntry, games: Collection[str]) -> float:
    """Return the factor for the score of an entry, by its kind and by whether it is about one of `games`."""
    kind_factor = (_RULING_WEIGHT if entry.passage.ruling else 1.0) * (_ASIDE_WEIGHT if entry.aside else 1.0)
    if not games or not entry.games.isdisjoint(games):
        return kind_factor
    return kind_factor * (_OTHER_GAME_WEIGHT if entry.games else _GENERAL_WEIGHT)
