"""Ranking of notes by how much of a question each covers, in the same words or in words that mean about the same."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import exp, fsum, log
from operator import mul
from typing import NamedTuple

from vaultkit.search.passages import PassageEntry
from vaultkit.search.ranking import RankedEntry
from vaultkit.search.related_words import find_rank, find_related
from vaultkit.search.section_index import SectionIndex, SectionPlace
from vaultkit.search.stemming import ENGLISH, GERMAN, Language

_RELATED_SHARE, _SYNONYM_SHARE, _NEAR_SHARE, _COMPOUND_SHARE = 0.85, 0.9, 0.75, 0.5
"""The shares that other words count: related ones at most, synonyms, near ones, and compounds or their parts."""
_HALF_WEIGHT_COUNT = 216
"""The number of words of a language that are more frequent than the one that weighs half as much as a rare one."""
_AMOUNT, _AMOUNT_SHARE, _DIGIT = "#", 0.6, re.compile(r"\d")
"""The stem of all numbers, the share that it counts of a word such as "cost" for which a number is the answer."""
_TABLE, _CELL_MARK = "|", " | "
"""The stem of all tables, which counts like `_AMOUNT` of a word such as "list", and the mark between cells."""
_UNKNOWN_FACTOR = 0.7
"""The factor for the weight of a word that is in no note in any form."""
_NOTE_WEIGHT = 0.75
"""The weight of passages of notes, compared with rules, rulings and cards of games."""
_MAX_SCORE_GAP = 1.5
"""The difference of log odds from the best passage up to which another is a part of the answer."""
_MAX_WHOLE_LENGTH = 640
"""The length, in characters, up to which a note or a section is quoted as a whole."""
_MIN_OWN_SHARE = 0.95
"""The share of what a note covers that one of its sections must cover to be quoted instead of the whole note."""
_SENTENCE_END = re.compile(r"(?<=[.!?…;:])[\"'”’»)\]]*\s+")
_MAX_SECTION_COUNT = 24
"""The maximum number of sections that are read and ranked."""


class Features(NamedTuple):
    """Measurements of a section for a question; shares are of the weight of all words of the question.

    The log odds that the section answers it are the sum of these values, each with its weight in `WEIGHTS`.
    """

    window: float
    """The largest share that a sentence covers together with the heading and the names of the note."""
    exact: float
    """The share of words that are themselves in the section, its heading or a name of the note."""
    heading: float
    """1 if the question covers all words of the heading, else 0."""
    amount: float
    """1 if an amount is asked for and the section has a number, else 0."""
    length: float
    """The logarithm of the number of different words in the section."""
    links: float
    """1 if the section is mostly links to other notes, else 0."""
    short: float
    """The share of one word of the question, or of two, if all weighed the same."""
    title: float
    """The share that the heading and the names of the note cover."""
    part: float
    """The share of the longest name of a piece, such as the first cell of a row, that is in the question as a whole."""
    weight: float
    """The weight of what the section covers together with its note, as a share of that of the rarest word."""


WEIGHTS = Features(
    window=3.84,
    exact=3.06,
    heading=1.94,
    amount=1.13,
    length=-0.89,
    links=-2.43,
    short=-9.79,
    title=1.87,
    part=2.72,
    weight=2.26,
)
"""The weights of the features, which `scripts.ask_weights` learns."""


class QuestionTerm(NamedTuple):
    """A word of a question: its stem, its weight, and the stems that count as the word, each with a share of it."""

    stem: str
    weight: float
    shares: Mapping[str, float]

    def match(self, words: Container[str]) -> float:
        """Return the largest share of the word that is among some stems."""
        return max((share for stem, share in self.shares.items() if stem in words), default=0.0)


class NoteRanking:
    """A ranking of the sections of a vault's notes, whose words are stems of one language."""

    def __init__(self, index: SectionIndex, language: Language) -> None:
        self._index, self._language = index, language

    def terms(self, words: Iterable[str], names: Container[str]) -> list[QuestionTerm]:
        """Return the words of a question that say something. `names` are words for which there are no others."""
        return [self._term(word, word in names) for word in words if word not in self._language.stop_words]

    def _term(self, word: str, is_name: bool) -> QuestionTerm:
        shares = {word: 1.0}
        for stem, share in () if is_name else self._related_shares(word):
            if stem not in self._language.stop_words and (stem in (_AMOUNT, _TABLE) or self._count(stem)):
                shares[stem] = max(share, shares.get(stem, 0.0))
        count = self._count(word) or max(map(self._count, shares))
        rank = find_rank(word, self._language.code)
        factor = 1.0 if count else _UNKNOWN_FACTOR
        weight = factor * log(1 + self._index.size / (count + 0.5)) * rank / (rank + _HALF_WEIGHT_COUNT)
        return QuestionTerm(word, weight, shares)

    def _count(self, stem: str) -> int:
        return self._index.vocabulary.count(stem, self._language)

    def _related_shares(self, word: str) -> Iterable[tuple[str, float]]:
        """Yield other words that count as a word, each with its share."""
        code, vocabulary = self._language.code, self._index.vocabulary
        has_verb_ending = code == GERMAN and word.endswith("t")
        related = find_related(word, code) or (find_related(word[:-1], code) if has_verb_ending else {})
        yield from ((stem, nearness * _RELATED_SHARE) for stem, nearness in related.items())
        yield from ((stem, _SYNONYM_SHARE) for stem in self._language.synonyms.get(word, ()))
        yield from ((_AMOUNT, _AMOUNT_SHARE) for _ in range(word in self._language.amount_words))
        yield from ((_TABLE, _AMOUNT_SHARE) for _ in range(word in self._language.table_words))
        yield from ((stem, _NEAR_SHARE) for stem in self._language.near_words.get(word, ()))
        yield from ((stem, _COMPOUND_SHARE) for stem in vocabulary.compounds(word, self._language))
        if code == GERMAN:
            yield from ((stem, 1.0) for stem in ([word[:-1]] if has_verb_ending else []) + [f"{word}t"])
        if code != ENGLISH:  # endings that the question or the note leaves out
            yield from ((self._language.stem(form), 1.0) for form in vocabulary.forms(word, self._language))
        if not self._count(word):
            yield from ((stem, 1.0) for stem in vocabulary.related_stems(word, self._language))

    def find_sections(self, terms: Iterable[QuestionTerm]) -> list[SectionPlace]:
        """Return the sections that may answer a question."""
        weighted_stems = [(term.weight, term.shares) for term in terms]
        return self._index.find_sections(weighted_stems, self._language, _MAX_SECTION_COUNT)

    def rank(
        self,
        terms: Sequence[QuestionTerm],
        entries: Iterable[PassageEntry],
        read_whole: Callable[[str], PassageEntry],
        *,
        asks_amount: bool = False,
    ) -> list[RankedEntry]:
        """Return the passages that are likely to answer a question, the best first.

        `entries` are sections and their pieces. A short note is one passage, which `read_whole` returns for its path.
        If the question `asks_amount`, passages with a number are preferred.
        """
        total = fsum(term.weight for term in terms)
        rows = [
            (fsum(map(mul, WEIGHTS, features)), entry)
            for features, entry in self.candidates(terms, entries, read_whole, asks_amount=asks_amount)
        ]
        least = max(0.0, max((score for score, _ in rows), default=0.0) - _MAX_SCORE_GAP)
        return [
            RankedEntry(_NOTE_WEIGHT * total / (1 + exp(-score / 2)), entry, 1.0, is_supported=True)
            for score, entry in sorted(rows, key=lambda row: -row[0])
            if score >= least
        ]

    def candidates(
        self,
        terms: Sequence[QuestionTerm],
        entries: Iterable[PassageEntry],
        read_whole: Callable[[str], PassageEntry],
        *,
        asks_amount: bool,
    ) -> Iterator[tuple[Features, PassageEntry]]:
        """Yield the features of each section, and the passage to quote from it."""
        sections: defaultdict[tuple[str, ...], list[PassageEntry]] = defaultdict(list)
        for entry in entries if terms else ():
            sections[entry.place].append(entry)
        whole_notes = {path: read_whole(path) for path in {path for path, *_ in sections}}
        for (path, *_), section_entries in sections.items():
            features, own_share = self._measure(terms, section_entries, asks_amount)
            is_short = len(whole_notes[path].passage.text) <= _MAX_WHOLE_LENGTH
            is_whole = not own_share or (own_share < _MIN_OWN_SHARE and is_short)
            yield features, whole_notes[path] if is_whole else self._best_part(terms, section_entries)

    def _measure(
        self, terms: Sequence[QuestionTerm], entries: Sequence[PassageEntry], asks_amount: bool
    ) -> tuple[Features, float]:
        """Return the features of a section, and its share of what its note covers of words that do not name the note.

        The first entry is that of the section, the others are its pieces.
        """
        section, total = entries[0], fsum(term.weight for term in terms)
        weights = [term.weight / total for term in terms]

        def match(words: Container[str]) -> list[float]:
            return [term.match(words) for term in terms]

        def cover(*shares: Iterable[float]) -> float:
            return fsum(map(mul, weights, map(max, *shares)))

        heading = frozenset[str]() if section.name in section.subjects else self._stems(section.name)
        texts = (text for entry in entries[1:] or entries for text in _SENTENCE_END.split(entry.body))
        sentences = [self._stems(text) for text in texts]
        all_names, body = self._stems(" ".join(section.subjects)), frozenset[str]().union(*sentences)
        body |= {_TABLE} if _CELL_MARK in section.passage.text else frozenset()
        in_names, own, in_heading = match(all_names), match(body | heading), match(heading)
        covered = [*map(max, in_names, own, match(self._stems(section.under) | self._stems(section.context)))]
        words, heading_words = body | heading | all_names, heading - self._language.stop_words
        features = Features(
            window=max(cover(match(sentence), in_heading, in_names) for sentence in sentences),
            exact=fsum(weight for weight, term in zip(weights, terms, strict=True) if term.stem in words),
            heading=float(bool(heading_words) and heading_words <= {stem for term in terms for stem in term.shares}),
            amount=float(asks_amount and _AMOUNT in body),
            length=log(1 + len(body)),
            links=float(section.is_index),
            short=1 / max(len(terms), 2),
            title=cover(in_heading, in_names),
            part=self._name_weight(terms, [self._stems(entry.name) for entry in entries[1:] if entry.name]) / total,
            weight=cover(covered, covered) * total / log(1 + self._index.size / 1.5),
        )
        others = [weight * (share < 1) for weight, share in zip(weights, in_names, strict=True)]
        return features, fsum(map(mul, others, own)) / (fsum(map(mul, others, covered)) or 1.0)

    def _best_part(self, terms: Sequence[QuestionTerm], entries: Sequence[PassageEntry]) -> PassageEntry:
        """Return a section, the first of some entries, or its best piece if it is long and the piece covers as much."""
        section, *pieces = entries
        if not pieces or len(section.passage.text) <= _MAX_WHOLE_LENGTH // 2:
            return section
        piece = max(pieces, key=lambda piece: self._piece_score(terms, piece))
        is_enough = self._piece_score(terms, piece)[0] >= _MIN_OWN_SHARE * self._piece_score(terms, section)[0]
        return piece if is_enough or len(section.passage.text) > _MAX_WHOLE_LENGTH else section

    def _name_weight(self, terms: Iterable[QuestionTerm], names: Iterable[Collection[str]]) -> float:
        """Return the largest weight of a name of a note that the question contains as a whole, 0 if there is none."""
        weight_of_stem = {term.stem: term.weight for term in terms}
        return max(
            (
                fsum(weight_of_stem.get(word, 0.0) for word in name)
                for name in names
                if self._language.stop_words.union(weight_of_stem).issuperset(name)
            ),
            default=0.0,
        )

    def _piece_score(self, terms: Iterable[QuestionTerm], piece: PassageEntry) -> tuple[float, int]:
        words = self._stems(f"{piece.name} {piece.body}")
        return fsum(term.weight * term.match(words) for term in terms), -len(words)

    @cache  # noqa: B019 - a ranking lives as long as the answer
    def _stems(self, text: str) -> frozenset[str]:
        stems = frozenset(self._language.stems(text))
        has_amount = _DIGIT.search(text) or not stems.isdisjoint(self._language.number_words)
        return stems.union((_AMOUNT,) if has_amount else ())
