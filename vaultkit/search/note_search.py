"""Search in the notes of a vault that are about no game: by the name for which a question asks, or by its words."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import cached_property

from vaultkit.errors import VaultkitError
from vaultkit.search.note_ranking import NoteRanking
from vaultkit.search.passages import PassageEntry
from vaultkit.search.query import Query
from vaultkit.search.ranking import RankedEntry
from vaultkit.search.section_index import HEADING, PART, PIECE, NamedPlace, SectionIndex, SectionPlace
from vaultkit.search.section_names import without_article
from vaultkit.search.sections import note_entry, section_entries, unwritten_names
from vaultkit.search.stemming import Language, guess_language, name_key, split_words
from vaultkit.vault import Vault


class NoteSearch:
    """A search in all notes of a vault but the rule notes and cards of games, which are in `index.game_entries`."""

    def __init__(self, vault: Vault, index: SectionIndex) -> None:
        self._vault, self._index = vault, index
        self._candidate_paths: list[str] = []
        """The notes that were read for the last question."""

    def rank(
        self, question: Query, words: Collection[str], occurs: Callable[[str], bool]
    ) -> tuple[list[RankedEntry], bool]:
        """Return the passages that cover enough of a question, and whether its subject is in no note.

        `words` are those of the question with their spelling corrected; `occurs` says whether one is in a note.
        """
        ranking = NoteRanking(self._index, question.language)
        terms = ranking.terms(words, question.capitalized_words)
        rows = ranking.rank(
            terms,
            self._read_sections(ranking.find_sections(terms)),
            self._read_note,
            asks_amount=question.language.asks_amount(question.text),
        )
        is_unknown = any(map(self._index.is_missing_number, question.numbered_keys())) or not all(
            map(occurs, question.capitalized_words.intersection(words))
        )
        unwritten_words = {*question.language.content_stems(" ".join(self.unwritten_names(question)))}
        return [] if is_unknown else [
            row for row in rows if row.entry.has_words(unwritten_words, question.language)
        ], is_unknown

    def unwritten_names(self, question: Query) -> dict[str, list[str]]:
        """Return the names in a question of notes that nobody has written, with the notes that mention each."""
        keys, mentions = {*question.inner_keys()}, defaultdict[str, list[str]](list)
        for path in self._candidate_paths:
            with suppress(VaultkitError):
                for name in unwritten_names(self._vault, self._vault.read(path).text):
                    if not keys.isdisjoint((name_key(name), without_article(name))):
                        mentions[name].append(path)
        return mentions

    def _read_note(self, path: str) -> PassageEntry:
        return note_entry(self._vault, self._vault.read(path), self._index.note_names(path))

    def _read_sections(self, places: Iterable[SectionPlace]) -> list[PassageEntry]:
        """Return the entries of sections and their pieces, without rule notes and cards."""
        numbers_by_path: defaultdict[str, set[int]] = defaultdict(set)
        for path, number in places:
            numbers_by_path[path].add(number)
        self._candidate_paths = [*numbers_by_path]
        entries: list[PassageEntry] = []
        for path, numbers in numbers_by_path.items():
            with suppress(VaultkitError):
                if path not in self._rule_paths:
                    entries += self._read_entries(path, numbers)
        return entries

    def _read_entries(self, path: str, numbers: Collection[int]) -> list[PassageEntry]:
        names = self._index.note_names(path)
        entries = section_entries(self._vault, self._vault.read(path), numbers=numbers, names=names)
        return [entry for entry in entries if entry.place[:2] not in self._card_places]

    @cached_property
    def _rule_paths(self) -> frozenset[str]:
        return frozenset(entry.passage.note for entry in self._index.game_entries if not entry.passage.card)

    @cached_property
    def _card_places(self) -> frozenset[tuple[str, ...]]:
        return frozenset(entry.place[:2] for entry in self._index.game_entries if entry.passage.card)

    def find_named(self, question: Query) -> list[tuple[int, PassageEntry]]:
        """Return the entries of notes, headings, tables and pieces with the name for which a question asks.

        Each follows the kind of its name. Sections of rule notes, and cards, are left out.
        """
        if question.is_only_game:
            return []
        for find_rows, keys in (
            (lambda key: self._index.find_names([key]), question.name_keys()),
            (self._find_longer_names, [question.topic] if question.says_something else []),
        ):
            for key in keys:
                entries = [(row.kind, entry) for row in find_rows(key) if (entry := self._named_entry(row, key))]
                if entries:
                    return sorted(entries, key=lambda row: (row[0], not _is_in_language(row[1], question.language)))
        return []

    def _find_longer_names(self, key: str) -> list[NamedPlace]:
        rows = self._index.find_longer_names(key)
        return [row for row in rows if row.place.path not in self._rule_paths]

    def _named_entry(self, named_place: NamedPlace, key: str) -> PassageEntry | None:
        """Return the entry of a note, a section or a piece with a name, or None if it cannot be read."""
        path, number = named_place.place
        if path in self._rule_paths and named_place.kind >= HEADING:
            return None
        with suppress(VaultkitError):
            if named_place.kind < HEADING or (named_place.kind == PART and not number):
                return self._read_note(path)
            entries = self._read_entries(path, {number})
            pieces = [entry for entry in entries if entry.piece and name_key(entry.name) == key]
            return next(iter(pieces if named_place.kind == PIECE else []), next(iter(entries), None))
        return None


def _is_in_language(entry: PassageEntry, question_language: Language) -> bool:
    return guess_language(split_words(entry.passage.text), question_language.code) == question_language.code
