"""Ranking of notes by how much of a question each covers, in the same words or in words that mean about the same."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import cache
from math import log, sqrt
from typing import NamedTuple

from vaultkit.search.passages import PassageEntry
from vaultkit.search.ranking import RankedEntry
from vaultkit.search.related_words import find_rank, find_related, is_thing
from vaultkit.search.section_index import SectionIndex, SectionPlace
from vaultkit.search.stemming import GERMAN, Language

_RELATED_SHARE, _SYNONYM_SHARE, _NEAR_SHARE, _COMPOUND_SHARE = 0.85, 0.9, 0.75, 0.5
"""The shares that other words count: related ones at most, synonyms, near ones, and compounds or their parts."""
_HALF_WEIGHT_COUNT = 216
"""The number of words of a language that are more frequent than the one that weighs half as much as a rare one."""
_AMOUNT, _AMOUNT_SHARE, _DIGIT = "#", 0.6, re.compile(r"\d")
"""The stem of all numbers, the share that it counts of a word such as "cost" for which a number is the answer."""
_UNKNOWN_FACTOR, _UNKNOWN_THING_FACTOR, _UNKNOWN_NAME_FACTOR = 0.5, 0.85, 1.3
"""The factors for the weight of a word that is in no note in any form: of any one, of a noun for a thing, of a name."""
_OWN_WEIGHT, _HEADING_FACTOR = 0.25, 1.3
"""The weight of what a section itself covers, compared with its note; and the factor for a word of its heading."""
_NAME_WEIGHT, _INDEX_WEIGHT, _BARE_WEIGHT = 0.15, 0.75, 0.5
"""The weights of a whole name of the note in the question, of a section of links, and of one of few words."""
_NOTE_WEIGHT = 0.75
"""The weight of passages of notes, compared with rules, rulings and cards of games."""
_LENGTH_PENALTY, _MIN_TEXT_WORDS = 0.003, 3
"""How much each word of a section lowers its score, and the number of words up to which it says little."""
_MIN_COVERAGE, _MIN_OTHER_COVERAGE = 0.4, 0.28
"""The shares of a question that an answer covers at least: of all its words, and of those that do not name the note."""
_MAX_SHORT_TERMS, _MIN_SHORT_COVERAGE, _MIN_HEADING_COVERAGE = 2, 0.66, 0.4
"""The number of words of a short question, and the shares of it that an answer covers, and one whose heading fits."""
_MIN_KEYWORD_SHARE, _MIN_NEAR_SHARE = 0.6, 0.5
"""The shares that the names, heading and text of a section cover of keywords, and of another short question."""
_MIN_OTHER_SHARE, _NAMED_SHARE = 0.3, 0.2
"""The share of words that do not name the note up to which none must fit; and how much those that name it soften it."""
_AMOUNT_FACTOR = 1.2
"""The factor for a section with a number, if the question asks for an amount."""
_MAX_WHOLE_LENGTH = 640
"""The length, in characters, up to which a note or a section is quoted as a whole."""
_MIN_OWN_SHARE = 0.95
"""The share of what a note covers that one of its sections must cover to be quoted instead of the whole note."""
_MAX_SECTION_COUNT = 24
"""The maximum number of sections that are read and ranked."""


class QuestionTerm(NamedTuple):
    """A word of a question: its stem, its weight, and the stems that count as the word, each with a share of it."""

    stem: str
    weight: float
    shares: Mapping[str, float]
    is_missing: bool
    """Whether it names a thing or a living being that is in no note."""

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
            if stem not in self._language.stop_words and (stem == _AMOUNT or self._count(stem)):
                shares[stem] = max(share, shares.get(stem, 0.0))
        count = self._count(word) or max(map(self._count, shares))
        rank = find_rank(word, self._language.code)
        is_missing = not count and (is_name or is_thing(word, self._language.code))
        unknown_factor = _UNKNOWN_NAME_FACTOR if is_name else _UNKNOWN_THING_FACTOR if is_missing else _UNKNOWN_FACTOR
        factor = 1.0 if count else unknown_factor
        weight = factor * log(1 + self._index.size / (count + 0.5)) * rank / (rank + _HALF_WEIGHT_COUNT)
        return QuestionTerm(word, weight, shares, is_missing)

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
        yield from ((stem, _NEAR_SHARE) for stem in self._language.near_words.get(word, ()))
        yield from ((stem, _COMPOUND_SHARE) for stem in vocabulary.compounds(word, self._language))
        if code == GERMAN:
            yield from ((stem, 1.0) for stem in ([word[:-1]] if has_verb_ending else []) + [f"{word}t"])
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
        is_keywords: bool = False,
    ) -> list[RankedEntry]:
        """Return the passages that cover enough of a question, the best first.

        `entries` are sections and their pieces. A short note is one passage, which `read_whole` returns for its path.
        If the question `asks_amount`, passages with a number are preferred. If it consists of keywords alone, they must
        stand together.
        """
        sections: defaultdict[str, defaultdict[str, list[PassageEntry]]] = defaultdict(lambda: defaultdict(list))
        for entry in entries:
            sections[entry.passage.note][entry.passage.heading].append(entry)
        rows: list[RankedEntry] = []
        for path, entries_of_section in sections.items():
            groups = entries_of_section.values()
            ranked_rows = [
                row for group in groups if (row := self._rank_section(terms, group, asks_amount, is_keywords))
            ]
            if not ranked_rows:
                continue
            best, own_share = max(ranked_rows, key=lambda row: row[0].score)
            if own_share < _MIN_OWN_SHARE and len((whole := read_whole(path)).passage.text) <= _MAX_WHOLE_LENGTH:
                rows.append(best._replace(entry=whole))
            else:
                rows += [row for row, _ in ranked_rows]
        return sorted(rows, key=lambda row: -row.score)

    def _rank_section(
        self, terms: Sequence[QuestionTerm], entries: Sequence[PassageEntry], asks_amount: bool, is_keywords: bool
    ) -> tuple[RankedEntry, float] | None:
        """Return the passage of a section that covers most of a question, and how much of that its own text covers.

        Return None if the note does not cover enough of the question.
        """
        section, pieces = entries[0], entries[1:]
        names = [self._stems(name) for name in section.subjects]
        note_words, own_words = frozenset().union(*names), self._stems(section.body)
        heading_words = frozenset[str]() if section.name in section.subjects else self._stems(section.name)
        all_words = note_words.union(heading_words, own_words, *map(self._stems, (section.under, section.context)))
        total = other_total = covered = other_covered = own_covered = own_score = near = 0.0
        for term in terms:
            weight, share = term.weight, term.weight * term.match(all_words)
            own, heading = weight * term.match(own_words), weight * term.match(heading_words)
            total += weight
            covered += share
            own_score += max(own, _HEADING_FACTOR * heading)
            near += max(own, heading, weight * term.match(note_words))
            if term.match(note_words) < 1:
                other_total += weight
                other_covered += share
                own_covered += max(own, heading)
        is_heading = bool(heading_words) and heading_words <= {term.stem for term in terms}
        is_heading = is_heading and not any(term.is_missing for term in terms)
        short_coverage = _MIN_HEADING_COVERAGE if is_heading else _MIN_SHORT_COVERAGE
        min_coverage = short_coverage if len(terms) <= _MAX_SHORT_TERMS else _MIN_COVERAGE
        if not terms or covered < min_coverage * total:
            return None
        if other_total > _MIN_OTHER_SHARE * total and other_covered < _MIN_OTHER_COVERAGE * other_total:
            return None
        named = _NAMED_SHARE * (covered - other_covered)
        own_share = own_covered / (other_covered or 1.0)
        other_covered, other_total = other_covered + named, other_total + named
        min_near = _MIN_KEYWORD_SHARE if is_keywords else _MIN_NEAR_SHARE if len(terms) <= _MAX_SHORT_TERMS else 0.0
        heading_fits = bool(heading_words) and all(any(stem in term.shares for term in terms) for stem in heading_words)
        if near < min_near * total and not heading_fits:
            return None
        score = covered + _OWN_WEIGHT * own_score + _NAME_WEIGHT * self._name_weight(terms, names)
        score *= sqrt(other_covered / other_total if other_total else 1.0) / (1 + _LENGTH_PENALTY * len(own_words))
        score *= _NOTE_WEIGHT * (_INDEX_WEIGHT if section.is_index else 1.0)
        if asks_amount and not self._language.number_words.union((_AMOUNT,)).isdisjoint(own_words):
            score *= _AMOUNT_FACTOR
        score *= _BARE_WEIGHT if len(own_words) < _MIN_TEXT_WORDS else 1.0
        entry = section
        if len(section.passage.text) > _MAX_WHOLE_LENGTH // 2 and pieces:
            piece = max(pieces, key=lambda piece: self._piece_score(terms, piece))
            is_whole = self._piece_score(terms, piece) >= _MIN_OWN_SHARE * self._piece_score(terms, section)
            entry = piece if is_whole or len(section.passage.text) > _MAX_WHOLE_LENGTH else section
        row = RankedEntry(score, entry, covered / (total or 1.0), is_supported=True)
        return row, own_share

    def _name_weight(self, terms: Iterable[QuestionTerm], names: Iterable[Collection[str]]) -> float:
        """Return the largest weight of a name of a note that the question contains as a whole, 0 if there is none."""
        weight_of_stem = {term.stem: term.weight for term in terms}
        return max(
            (
                sum(weight_of_stem.get(word, 0.0) for word in name)
                for name in names
                if self._language.stop_words.union(weight_of_stem).issuperset(name)
            ),
            default=0.0,
        )

    def _piece_score(self, terms: Iterable[QuestionTerm], piece: PassageEntry) -> float:
        words = self._stems(f"{piece.name} {piece.body}")
        return sum(term.weight * term.match(words) for term in terms) / (1 + _LENGTH_PENALTY * len(words))

    @cache  # noqa: B019 - a ranking lives as long as the answer
    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(self._language.stems(text)).union((_AMOUNT,) if _DIGIT.search(text) else ())
