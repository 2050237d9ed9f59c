"""Answers to questions in a few words: the passages that match best, as the command `ask` shows them."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property

from vaultkit.compendium import Compendium, card_text
from vaultkit.errors import InvalidError, NothingFound, UsageError
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.search.game_search import GameSearch
from vaultkit.search.note_search import NoteSearch
from vaultkit.search.passages import Passage, PassageEntry, unique_places
from vaultkit.search.query import Query
from vaultkit.search.ranking import RankedEntry, Ranking
from vaultkit.search.related_words import is_listed
from vaultkit.search.section_index import HEADING, SectionIndex
from vaultkit.search.stemming import (
    ENGLISH,
    Language,
    guess_language,
    language,
    language_codes,
    name_key,
    split_words,
)
from vaultkit.session.rulings import is_ruling_id, player_questions, ruling, rulings
from vaultkit.spelling import did_you_mean
from vaultkit.text import join_words
from vaultkit.vault.note_facts import name_of

MAX_PASSAGE_COUNT = 8
"""The maximum number of passages of an answer."""
FindOptionsInForce = Callable[[GameInfo], Options]
"""A function that returns the values of all options in force for a game, or an empty mapping if none is set."""

_MIN_SCORE_RATIO = 0.56
"""The share of the best score that another passage must reach to be a part of the answer."""
_MIN_COVERAGE, _MIN_SUPPORTED_COVERAGE = 0.4, 0.33
"""The share of a question's weight that a section must contain to answer, and that if it is named or two words fit."""
_MAX_OTHER_PASSAGE_COUNT = 5
"""The maximum number of passages of an answer that is not about games."""
_MAX_HOUSE_RULE_LINES = 3
"""The maximum number of house rules in an answer."""
_LINK_TARGET_OR_FORMULA = re.compile(r"\]\([^)\n]*\)|\S+\+\S+")
"""The target of a Markdown link, or a formula, which no question contains."""
_GENERAL_PAGE = "general"
"""The page of the rulings for all games."""
_MAX_MENTION_COUNT = 3
"""The maximum number of notes that are named because they mention what a question is about."""
_MIN_NAME_SIMILARITY_PERCENT = 75
"""The minimum similarity of a name that is suggested."""


class Answers:
    """A search for answers in the notes of a vault and in the rulings.

    Passages about the game with the id `game` are preferred; "" prefers no game. `language_code` is the language of the
    notes; "" if it is to be guessed.
    """

    def __init__(
        self, compendium: Compendium, find_options: FindOptionsInForce, game: str = "", language_code: str = ""
    ) -> None:
        self._compendium, self._vault = compendium, compendium.vault
        self._find_options = find_options
        self._game, self._language_code = game, language_code
        self._rankings: dict[tuple[Language, frozenset[str]], Ranking] = {}

    def ask(self, words: str) -> tuple[Passage, ...]:
        """Return the passages that answer a question, the best first, and then the house rules that overrule them.

        `words` is the question, or the number of a ruling. At most `MAX_PASSAGE_COUNT` passages are returned. Raises
        NothingFound with a hint if nothing matches, or if there is no ruling with the number.
        """
        if self._game and any(language(code).asks_house_rules(words) for code in language_codes()):
            return self._list_house_rules()
        find = self._find_ruling if is_ruling_id(words) else self._find_by_words
        entries = self._find_in_game(words) or find(words)
        house_rule_passages = [*dict.fromkeys(rule for entry in entries for rule in self._find_overruling(entry))][
            :_MAX_HOUSE_RULE_LINES
        ]
        passages = (
            _with_ruling_text(entry.passage) for entry in entries[: MAX_PASSAGE_COUNT - len(house_rule_passages)]
        )
        return (*passages, *house_rule_passages)

    def _list_house_rules(self) -> tuple[Passage, ...]:
        """Return the house rules of the game being played, or a passage that says that there are none."""
        from vaultkit.session.options import house_rules

        info = GAMES[self._game]
        options = self._find_options(info)
        rules = house_rules(info.rules(), options) if options else ()
        return tuple(Passage(info.title, rule, "House rule:") for rule in rules) or (
            Passage("House rules", f"{info.title} is played without house rules.", ""),
        )

    def _find_in_game(self, words: str) -> list[PassageEntry]:
        """Return the entries of the game being played that answer a question; [] if they do not, or no game is."""
        if not self._game or is_ruling_id(words) or not name_key(words):
            return []
        question = self._parse_question(words)
        if question.games - {self._game}:
            return []
        search = self._game_search(question.language)
        question = question.correct_spelling(self._ranking(question).occurs, self._vault_words)
        return search.find(question)

    @cache  # noqa: B019 - a search lives as long as the answers
    def _game_search(self, question_language: Language) -> GameSearch:
        entries = [entry for entry in self._index.game_entries if self._game in entry.games]
        own_entries = [*map(_add_questions, (*entries, *_ruling_entries({self._game})))]
        path = next((entry.passage.note for entry in entries if not entry.passage.card), "")
        note = self._vault.read(path) if path else None
        ranking = Ranking(own_entries, question_language, self._index.vocabulary)
        return GameSearch(self._game, own_entries, ranking, note, question_language)

    def _find_ruling(self, words: str) -> list[PassageEntry]:
        page_ruling = ruling(words)
        games = {info.id for info in GAMES.values() if info.prefix == page_ruling.id.partition("-")[0]}
        entries = _ruling_entries(games or {*GAMES})
        return [entry for entry in entries if entry.passage.ruling == page_ruling.id]

    def _find_by_words(self, words: str) -> list[PassageEntry]:
        """Return the entries that answer a question in words. Raises NothingFound if there are none.

        For a game that the question names and that has only a score sheet, an entry says so: before the others if the
        question is only its name, else after them.
        """
        if not name_key(words):
            raise UsageError("There is no word in this question.", hint="Ask for a name, or in words: ask raven")
        question = self._parse_question(words)
        entries = self._find_entries(question)
        spaced_key = f" {name_key(words)} "
        for title, game in self._index.score_sheets:
            names = {f" {name_key(name)} " for name in (title, game)}
            if spaced_key in names:
                entries.insert(0, _make_sheet_entry(title, game))
            elif any(name in spaced_key for name in names) and not self._has_rules(question, title):
                entries = [
                    entry for entry in entries if entry.has_words(question.language.stems(title), question.language)
                ]
                entries.append(_make_sheet_entry(title, game))
        if not entries:
            raise self._nothing_found(question)
        return entries

    def _nothing_found(self, question: Query) -> NothingFound:
        """Return the error for a question that nothing answers, with the notes that mention its subject."""
        paths_by_name = self._notes.unwritten_names(question)
        topic = max(paths_by_name, key=len, default="")
        if not topic:
            return NothingFound(f"Nothing in your notes about {question.topic}.", hint=self._suggest(question))
        names = [*dict.fromkeys(map(name_of, paths_by_name[topic]))][:_MAX_MENTION_COUNT]
        verb = "names" if len(names) == 1 else "name"
        error = NothingFound(f"Nothing in your notes about {topic}; {join_words(names)} {verb} it.")
        error.mentions = (*paths_by_name[topic],)
        return error

    def _parse_question(self, words: str) -> Query:
        if self._language_code and self._language_code not in language_codes():
            hint = f"Set ask.language to one of: {', '.join(language_codes())}."
            raise InvalidError(f"ask knows no language '{self._language_code}'.", hint=hint)
        default_code = self._language_code or self._index.language
        code = guess_language(split_words(words), default_code)
        stems = language(ENGLISH).content_stems(words)
        is_english = code == self._index.language and stems and all(is_listed(stem, ENGLISH) for stem in stems)
        return Query(words, language(ENGLISH if is_english and not self._language_code else code))

    def _has_rules(self, question: Query, title: str) -> bool:
        return self._ranking(question).has_all(question.language.stems(title))

    @cached_property
    def _index(self) -> SectionIndex:
        index_file = self._vault.index_file
        return SectionIndex(self._compendium, index_file.with_suffix(".words") if index_file else None)

    @cached_property
    def _notes(self) -> NoteSearch:
        return NoteSearch(self._vault, self._index)

    @cached_property
    def _games_of_vault(self) -> frozenset[str]:
        """The games whose rules are in this vault."""
        return frozenset().union(*(entry.games for entry in self._index.game_entries if not entry.passage.card))

    def _ranking(self, question: Query) -> Ranking:
        """Return the ranking of rule notes and cards, with the rulings of the games that matter."""
        games = self._games_of_vault.union(question.games, {self._game} - {""})
        key = question.language, games
        if key not in self._rankings:
            entries = map(_add_questions, (*self._index.game_entries, *_ruling_entries(games)))
            self._rankings[key] = Ranking(entries, question.language, self._index.vocabulary)
        return self._rankings[key]

    def _find_entries(self, question: Query) -> list[PassageEntry]:
        """Return the entries with the name that the question asks for, then others by rank."""
        games = question.games or frozenset({self._game} - {""})
        named_entries = self._notes.find_named(question)
        if not named_entries:
            question = question.correct_spelling(self._ranking(question).occurs, self._vault_words)
            named_entries = self._notes.find_named(question)
        ranked = self._rank(question, games)
        ranked_entries = _select_entries(ranked, question.language)
        if not named_entries:
            return self._add_card_rules(question, ranked, ranked_entries, games)
        keys = {*question.name_keys()}
        same_named = [entry for entry in ranked_entries if not entry.subjects and name_key(entry.name) in keys]
        own_entries = self._add_card_rules(question, ranked, same_named, games) if same_named else []
        note_entries = [entry for kind, entry in named_entries if kind < HEADING]
        other_entries = [entry for kind, entry in named_entries if kind >= HEADING]
        first_entries = [*own_entries, *note_entries] if games else [*note_entries, *own_entries]
        return unique_places([*first_entries, *other_entries, *ranked_entries])[:_MAX_OTHER_PASSAGE_COUNT]

    def _rank(self, question: Query, games: Collection[str]) -> list[RankedEntry]:
        """Return the entries that contain enough of a question, the best first."""
        ranking = self._ranking(question)
        words = [*dict.fromkeys(question.words)]
        note_rows, is_unknown = self._notes.rank(question, words, ranking.occurs)
        game_rows = ranking.rank(words, games, question.capitalized_words)
        if not is_unknown:
            game_rows = [row for row in game_rows if row.coverage >= _min_coverage(row)]
        return sorted([*game_rows, *note_rows], key=lambda row: -row.score)

    def _vault_words(self, first_letter: str) -> set[str]:
        """Return the words of the notes, and of the names of cards, that begin with a letter."""
        names = (entry.name for entry in self._index.game_entries)
        game_words = {word for name in names for word in name_key(name).split() if word.startswith(first_letter)}
        return self._index.vocabulary.words(first_letter) | game_words

    def _add_card_rules(
        self, question: Query, ranked: Sequence[RankedEntry], entries: list[PassageEntry], games: Collection[str]
    ) -> list[PassageEntry]:
        """Return entries with the rules about the card that the question names, if the first entry is that card."""
        question_language = question.language
        if not entries or not entries[0].passage.card:
            return entries
        query_words, name_words = {*question.content_words}, {*question_language.content_stems(entries[0].name)}
        if not query_words <= name_words:
            return entries
        sections = (row for row in ranked if not (row.entry.piece or row.entry.aside))
        card_rules = _find_rule(query_words, sections, games, question_language) if query_words == name_words else []
        if card_rules or len({entry.rank for entry in entries if entry.passage.card}) > 1:
            return [*card_rules, *entries]
        rank_words, rank_games = question_language.stems(entries[0].rank), games or entries[0].games
        if len(rank_games) != 1 or not rank_words:
            return entries
        rows = self._ranking(question).rank(rank_words, rank_games)
        return [*entries, *_find_rule(rank_words, rows, rank_games, question_language)]

    def _find_overruling(self, entry: PassageEntry) -> Iterator[Passage]:
        """Yield the house rules that overrule the passage of an entry; there are none for a card."""
        passage = entry.passage
        games = entry.games or ({self._game} - {""} if passage.ruling else ())
        for info in () if passage.card else (GAMES[game] for game in games):
            if options := self._find_options(info):
                from vaultkit.session.options import find_overruling_rules

                ruling_of_rule = find_overruling_rules(info.rules(), options, (), passage.heading, (passage.ruling,))
                yield from (
                    Passage(info.title, rule, "House rule:", ruling=ruling_id)
                    for rule, ruling_id in ruling_of_rule.items()
                )

    def _suggest(self, question: Query) -> str:
        """Return a hint with the nearest name of a note, heading, card or game, or with what can be asked."""
        names = [
            *self._index.names(),
            *(entry.name for entry in self._index.game_entries if entry.passage.card),
            *(info.title for info in GAMES.values() if info.id in self._games_of_vault),
        ]
        advice = (
            "Ask for a card, for words of a rule, or for a ruling: ask DC-12"
            if self._games_of_vault
            else "Ask for the name of a note or heading, or in words that your notes use."
        )
        return did_you_mean(question.topic, names, min_score=_MIN_NAME_SIMILARITY_PERCENT, suffix=advice)


def _ruling_entries(games: Collection[str]) -> Iterator[PassageEntry]:
    """Yield an entry for every ruling of some games, and for every general one if there is a game.

    The passages have no text; `_with_ruling_text` adds it.
    """
    for page in (_GENERAL_PAGE, *(game for game in GAMES if game in games)) if games else ():
        for page_ruling in rulings(page).values():
            passage = Passage(page_ruling.title, "", page_ruling.id, ruling=page_ruling.id)
            body = _LINK_TARGET_OR_FORMULA.sub(" ", page_ruling.text)
            yield PassageEntry(passage, page_ruling.title, "", body, frozenset({page} & GAMES.keys()))


def _add_questions(entry: PassageEntry) -> PassageEntry:
    """Return an entry with the questions of players that its ruling, or its section of a rule note, answers."""
    if entry.passage.ruling:
        return replace(entry, questions=player_questions("rulings", entry.passage.ruling))
    if entry.piece or entry.passage.card:
        return entry
    questions = (player_questions(game, entry.passage.heading) for game in sorted(entry.games))
    return replace(entry, questions=sum(questions, ()))


def _with_ruling_text(passage: Passage) -> Passage:
    """Return the passage; if it is that of a ruling, with the decision as its text."""
    if passage.ruling and not passage.text:
        return replace(passage, text=card_text.plain_words(ruling(passage.ruling).answer))
    return passage


def _select_entries(ranked: Sequence[RankedEntry], question_language: Language) -> list[PassageEntry]:
    """Return the best entry of each place, if its score is close to the best score of all.

    Entries with the same name as the best one come first: rules of the GM, then cards, then rulings.
    """
    entries = unique_places(row.entry for row in ranked if row.score >= ranked[0].score * _MIN_SCORE_RATIO)
    if not entries:
        return []
    if entries[0].subjects:
        return entries[:_MAX_OTHER_PASSAGE_COUNT]
    name_words = question_language.stems(entries[0].name)
    same_named_entries = [
        entry for entry in entries if entry.name and question_language.stems(entry.name) == name_words
    ]
    return [
        *sorted(same_named_entries, key=lambda entry: (bool(entry.passage.ruling), bool(entry.passage.card))),
        *(entry for entry in entries if entry not in same_named_entries),
    ]


def _find_rule(
    words: Iterable[str], ranked: Iterable[RankedEntry], games: Collection[str], question_language: Language
) -> list[PassageEntry]:
    """Return the best passage of the rules of some games that contains all the words, in a list.

    The list is empty if there is no such passage.
    """
    rules = (row.entry for row in ranked if not (row.entry.passage.card or row.entry.passage.ruling))
    rules_of_games = (entry for entry in rules if not entry.games.isdisjoint(games))
    return [entry for entry in rules_of_games if {*words} <= {*question_language.stems(entry.body)}][:1]


def _min_coverage(row: RankedEntry) -> float:
    """Return the share of a question that an entry must contain to answer it."""
    return _MIN_SUPPORTED_COVERAGE if row.is_supported else _MIN_COVERAGE


def _make_sheet_entry(title: str, game: str) -> PassageEntry:
    text = f"{title} has no rules here, only a score: vaultkit print scores {game}, vaultkit log {game}"
    return PassageEntry(Passage(title, text, "Score sheet:"), title, "", text)
