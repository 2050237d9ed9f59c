"""Search in one game that is being played: in its rules, its cards and its rulings."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from vaultkit.compendium.card_text import plain_words
from vaultkit.search.passages import PassageEntry, unique_places
from vaultkit.search.query import Query
from vaultkit.search.ranking import RankedEntry, Ranking
from vaultkit.search.sections import own_text, section_bounds
from vaultkit.search.stemming import Language
from vaultkit.vault import Note

MAX_PASSAGE_COUNT = 3
"""The maximum number of passages of an answer about the game being played."""
_MIN_SCORE_RATIO = 0.6
"""The share of the best score that another passage must reach to be a part of the answer."""
_MIN_COVERAGE_SHARE = 0.55
"""The share of a question's weight that a passage of the game must contain to answer instead of other notes."""
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+")


class GameSearch:
    """A search in the entries of one game, by `ranking`, and in the text of its rule note, None if there is none."""

    def __init__(
        self, game: str, entries: Iterable[PassageEntry], ranking: Ranking, note: Note | None, language: Language
    ) -> None:
        self._game, self._ranking, self._note, self._language = game, ranking, note, language
        self._entries = [*entries]
        self._sections = [
            entry for entry in self._entries if not (entry.piece or entry.passage.card or entry.passage.ruling)
        ]

    def find(self, question: Query) -> list[PassageEntry]:
        """Return the entries that answer a question, the best first; [] if the game does not answer it."""
        language, words = self._language, {*question.content_words} - self._language.game_words
        rows = self._ranking.rank([*dict.fromkeys(question.words)], {self._game}, question.capitalized_words)
        if words <= language.goal_words | language.win_words:
            asks_goal = words or not language.goal_words.isdisjoint(question.words)
            answers = [] if asks_goal else [row for row in rows if row.coverage and not row.entry.piece]
            return self._select(answers) or self._find_goal()
        defined = self._find_defined({*question.content_words})
        fitting = [row for row in rows if defined or row.coverage >= _MIN_COVERAGE_SHARE]
        best = sorted(self._select(fitting), key=lambda entry: not self._is_rule(entry))
        rules = [row.entry for row in fitting if row.coverage >= _MIN_COVERAGE_SHARE and self._is_rule(row.entry)]
        if rules and not any(map(self._is_rule, (*defined, *best))):
            best.insert(0 if defined else 1, rules[0])
            return unique_places([*best[:1], *defined, *best[1:]] if defined else best)[:MAX_PASSAGE_COUNT]
        return unique_places([*defined, *best])[:MAX_PASSAGE_COUNT]

    def _select(self, rows: Sequence[RankedEntry]) -> list[PassageEntry]:
        """Return the first entries, whose scores are close to the best one."""
        entries = [row.entry for row in rows if row.score >= rows[0].score * _MIN_SCORE_RATIO]
        return entries[:MAX_PASSAGE_COUNT]

    def _is_rule(self, entry: PassageEntry) -> bool:
        return not (entry.passage.card or entry.passage.ruling or entry.aside)

    def _find_goal(self) -> list[PassageEntry]:
        """Return the passages that say what the game is about, and who wins it."""
        goal_words, win_words = self._language.goal_words, self._language.win_words
        stated = [entry for entry in self._entries if self._is_rule(entry) and self._stems(entry.name) & goal_words]
        rows = self._ranking.rank(sorted(win_words), {self._game})
        scores = {row.entry.place: row.score for row in rows if not row.entry.piece}
        winning = [entry for entry in self._sections if scores.get(entry.place) and not entry.aside]
        winning.sort(key=lambda entry: -scores[entry.place])
        best_score = scores[winning[0].place] if winning else 0.0
        winning = [entry for entry in winning if scores[entry.place] >= best_score * _MIN_SCORE_RATIO]
        return unique_places([*(stated[:1] or self._sections[:1]), *winning])[:MAX_PASSAGE_COUNT]

    def _find_defined(self, words: Collection[str]) -> list[PassageEntry]:
        """Return the entries that define a term: sections and cards with its name, and lines that explain it."""
        namesakes = [entry for entry in self._entries if self._stems(entry.name) == words and not entry.passage.ruling]
        sections = [entry for entry in namesakes if not (entry.piece or entry.passage.card)]
        cards = [entry for entry in namesakes if entry.passage.card]
        return [*sections, *self._find_in_note(words), *(entry for entry in namesakes if entry.piece), *cards[:1]]

    def _find_in_note(self, words: Collection[str]) -> list[PassageEntry]:
        """Return the first lines of the rule note that explain a term: in bold, or at the beginning of a sentence."""
        if self._note is None:
            return []
        bold, beginnings = list[PassageEntry](), list[PassageEntry]()
        for heading, _ in section_bounds(self._note):
            section = next((entry for entry in self._sections if entry.passage.heading == heading.text), None)
            for line in own_text(self._note, heading.text).splitlines() if section else ():
                if any(self._is_term(plain_words(match[2]), words) for match in _BOLD.finditer(line)):
                    bold.append(_quote(section, line))
                if any(self._begins_definition(sentence, words) for sentence in _SENTENCE_END.split(plain_words(line))):
                    beginnings.append(_quote(section, line))
        return bold[:2] or beginnings[:1]

    def _is_term(self, text: str, words: Collection[str]) -> bool:
        """Return whether a text is a term, perhaps with a word such as `your` before it."""
        return len(text.split()) <= len(words) + 1 and self._stems(text) == words

    def _begins_definition(self, sentence: str, words: Collection[str]) -> bool:
        verb = self._language.defining_verbs.search(sentence)
        subject = self._language.content_stems(sentence[: verb.start()]) if verb else []
        return bool(subject) and {*subject[: len(words)]} == words

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(self._language.content_stems(text))


def _quote(section: PassageEntry | None, line: str) -> PassageEntry:
    assert section is not None, "only lines of sections are read"
    passage = replace(section.passage, text=plain_words(line), whole=section.passage.text)
    return replace(section, passage=passage, piece=True)
