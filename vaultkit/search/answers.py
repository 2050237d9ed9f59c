"""Answers to questions in a few words: the passages that match best, as the command `ask` shows them."""

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property

from vaultkit.compendium import Compendium
from vaultkit.errors import NothingFound
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.search.passages import (
    Passage,
    PassageEntry,
    card_entries,
    heading_entries,
    rule_entries,
    ruling_entries,
    with_text,
)
from vaultkit.search.ranking import Ranking
from vaultkit.search.stemming import STOP_WORDS, stems
from vaultkit.session.options import find_overruling_rules
from vaultkit.session.rulings import is_ruling_id, ruling
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.spelling import did_you_mean

MAX_LINES = 8
"""The maximum number of lines of an answer."""
FindOptionsInForce = Callable[[GameInfo], Options]
"""A function that returns the values of all options in force for a game, or an empty mapping if none is set."""

ScoredEntry = tuple[float, PassageEntry]
"""An entry after its score."""

_MIN_SCORE_RATIO = 0.56
"""The share of the best score that another passage must reach to be a part of the answer."""
_MAX_HOUSE_RULE_LINES = 3
"""The maximum number of house rules in an answer."""
_MIN_WRAP_COLUMNS, _MAX_LINE_CHARS = 20, 100


class Answers:
    """A search for answers in the notes of a vault and in the rulings.

    Passages about the game with the id `game` are preferred; "" prefers no game.
    """

    def __init__(self, compendium: Compendium, find_options: FindOptionsInForce, game: str = "") -> None:
        self._compendium = compendium
        self._find_options = find_options
        self._game = game

    def ask(self, words: str) -> tuple[Passage, ...]:
        """Return the passages that answer a question, the best first, and then the house rules that overrule them.

        `words` is the question, or the number of a ruling. At most `MAX_LINES` passages are returned. Raises
        NothingFound with a hint if nothing matches, or if there is no ruling with the number.
        """
        entries = self._find_ruling(words) if is_ruling_id(words) else self._find_by_words(words)
        if not entries:
            raise NothingFound(f"No note, card or ruling answers '{words}'.", hint=self._suggest_question(words))
        house_rule_passages = [*dict.fromkeys(rule for entry in entries for rule in self._find_overruling(entry))][
            :_MAX_HOUSE_RULE_LINES
        ]
        passages = (
            with_text(entry.passage, self._compendium.vault)
            for entry in entries[: MAX_LINES - len(house_rule_passages)]
        )
        return (*passages, *house_rule_passages)

    def _find_ruling(self, words: str) -> list[PassageEntry]:
        ruling_id = ruling(words).id
        return [entry for entry in self._rulings if entry.passage.ruling == ruling_id]

    def _find_by_words(self, words: str) -> list[PassageEntry]:
        """Return the entries that answer a question in words.

        If the question names a game that has only a score sheet, and whose title is not found in rules and cards, only
        the headings of notes are searched. An entry that says so comes last.
        """
        spaced_question = _spaced_stems(words)
        matching_games = [
            info
            for info in self._sheet_only_games
            if _spaced_stems(info.title) in spaced_question or _spaced_stems(info.id) in spaced_question
        ]
        unknown_games = [info for info in matching_games if not self._ranking.has_all(stems(info.title))]
        if unknown_games:
            return [*self._search_headings(stems(words)), *map(_make_sheet_entry, unknown_games)]
        games_named_alone = [
            info for info in matching_games if spaced_question in (_spaced_stems(info.title), _spaced_stems(info.id))
        ]
        return [*map(_make_sheet_entry, games_named_alone), *self._rank_entries(words)]

    @cached_property
    def _sheet_only_games(self) -> tuple[GameInfo, ...]:
        """The games that have a score sheet but no rules in vaultkit."""
        return tuple(sheet.info for sheet in ScoreSheets(self._compendium.vault).defined.values())

    def _rank_entries(self, words: str) -> list[PassageEntry]:
        """Return the entries that match a question, the best first.

        If a word of the question occurs in no rule, card or ruling, the headings and names of all notes are searched
        before them.
        """
        games, question_words = find_named_games(stems(words))
        if not games and self._game:
            games = {self._game}
        heading_matches = [] if self._ranking.has_all(question_words) else self._search_headings(question_words)
        if heading_matches:
            return heading_matches
        corrected_words = self._ranking.correct_words(question_words)
        ranked = self._ranking.rank(corrected_words, games)
        entries = _select_entries(ranked) if ranked else []
        query_words, name_words = (
            {*corrected_words} - STOP_WORDS,
            {*stems(entries[0].name)} - STOP_WORDS if entries else set(),
        )
        if not entries or not entries[0].passage.card or not query_words <= name_words:
            return entries
        if query_words == name_words and (card_rules := _find_rule_of_card(corrected_words, ranked, games)):
            return [*card_rules, *entries]
        if len({entry.rank for entry in entries if entry.passage.card}) > 1:
            return entries
        return [*entries, *self._find_rule_of_rank(entries[0].rank, games or entries[0].games)]

    def _find_rule_of_rank(self, rank_text: str, games: Collection[str]) -> list[PassageEntry]:
        """Return the best entry of the rules of a game that contains all words of a rank, in a list.

        The list is empty if there is none, if there is not exactly one game, or if the rank is "".
        """
        rank_words = stems(rank_text)
        if len(games) != 1 or not rank_words:
            return []
        rules = (
            entry
            for _, entry in self._ranking.rank(rank_words, games)
            if not (entry.passage.card or entry.passage.ruling)
        )
        return [entry for entry in rules if entry.games.issuperset(games) and {*rank_words} <= {*stems(entry.body)}][:1]

    def _search_headings(self, words: Sequence[str]) -> list[PassageEntry]:
        """Return entries for the headings and names of notes that contain all words except stop words."""
        content_words = {*words} - STOP_WORDS
        ranked = Ranking(heading_entries(self._compendium.vault, content_words)).rank(words, ())
        return _select_entries([row for row in ranked if content_words <= {*stems(f"{row[1].name} {row[1].under}")}])

    @cached_property
    def _rulings(self) -> tuple[PassageEntry, ...]:
        return tuple(ruling_entries())

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking((*rule_entries(self._compendium), *card_entries(self._compendium), *self._rulings))

    def _find_overruling(self, entry: PassageEntry) -> Iterator[Passage]:
        """Yield the house rules that overrule the passage of an entry; there are none for a card."""
        passage = entry.passage
        for info in () if passage.card else (GAMES[game] for game in entry.games or {self._game} - {""}):
            if options := self._find_options(info):
                ruling_of_rule = find_overruling_rules(info.rules(), options, (), passage.heading, (passage.ruling,))
                yield from (
                    Passage(info.title, rule, "House rule:", ruling=ruling_id)
                    for rule, ruling_id in ruling_of_rule.items()
                )

    def _suggest_question(self, words: str) -> str:
        names = [card.name for deck in self._compendium.decks for card in deck.deck]
        titles = (info.title for info in GAMES.values())
        return did_you_mean(
            words, (*names, *titles), suffix="Ask for a card, for words of a rule, or for a ruling: ask DC-12"
        )


def find_named_games(words: Sequence[str]) -> tuple[set[str], list[str]]:
    """Return the ids of the games that some stems name, and the other stems.

    If there are no other stems, the stems of the titles of the games are returned in their place.
    """
    remaining_text, games = f" {' '.join(words)} ", set()
    for info in GAMES.values():
        for name in filter(None, (info.title, *info.aliases, info.id, info.short)):
            if (name_text := _spaced_stems(name)) in remaining_text:
                games.add(info.id)
                remaining_text = remaining_text.replace(name_text, " ")
    return games, remaining_text.split() or [word for game in sorted(games) for word in stems(GAMES[game].title)]


def _spaced_stems(text: str) -> str:
    """Return the stems of a text with spaces around each, so that a part of the result matches whole stems only."""
    return f" {' '.join(stems(text))} "


def _select_entries(ranked: Sequence[ScoredEntry]) -> list[PassageEntry]:
    """Return the best entry of each place, if its score is close to the best score of all.

    Entries with the same name as the best one come first: rules of the GM, then cards, then rulings.
    """
    close_entries = (entry for score, entry in ranked if score >= ranked[0][0] * _MIN_SCORE_RATIO)
    entry_of_place: dict[tuple[str, ...], PassageEntry] = {}
    for entry in close_entries:
        entry_of_place.setdefault(entry.place, entry)
    entries = [*entry_of_place.values()]
    same_named_entries = [entry for entry in entries if entry.name and stems(entry.name) == stems(entries[0].name)]
    return [
        *sorted(same_named_entries, key=_kind_order),
        *(entry for entry in entries if entry not in same_named_entries),
    ]


def _find_rule_of_card(
    words: Iterable[str], ranked: Sequence[ScoredEntry], games: Collection[str]
) -> list[PassageEntry]:
    """Return the best section of the rules of the games that contains all words except stop words, in a list.

    The list is empty if there is no such section.
    """
    content_words = {*words} - STOP_WORDS
    rules = (
        entry for _, entry in ranked if not (entry.piece or entry.aside or entry.passage.card or entry.passage.ruling)
    )
    return [entry for entry in rules if not entry.games.isdisjoint(games) and content_words <= {*stems(entry.body)}][:1]


def _make_sheet_entry(info: GameInfo) -> PassageEntry:
    text = f"{info.title} has no rules here, only a score: vaultkit print scores {info.id}, vaultkit log {info.id}"
    return PassageEntry(Passage(info.title, text, "Score sheet:"), info.title, "", text)


def _kind_order(entry: PassageEntry) -> int:
    """Return the sort key of an entry, which puts rules of the GM first, then cards, then rulings."""
    return 2 if entry.passage.ruling else int(bool(entry.passage.card))


def lines(passages: Sequence[Passage], width: int = 0) -> list[str]:
    """Return passages as at most `MAX_LINES` lines of text, with an equal number of lines for each passage.

    Lines are wrapped after `width` characters. If `width` is 0, each passage is one line, which is shortened if it is
    very long.
    """
    max_passage_lines = max(1, MAX_LINES // len(passages))
    texts = (f"{passage.source} {_titled_text(passage)}" for passage in passages)
    if not width:
        return [textwrap.shorten(text, max_passage_lines * _MAX_LINE_CHARS, placeholder=" …") for text in texts]
    wrapper = textwrap.TextWrapper(
        max(width, _MIN_WRAP_COLUMNS), subsequent_indent="  ", max_lines=max_passage_lines, placeholder=" …"
    )
    return [line for text in texts for line in wrapper.wrap(text)]


def _titled_text(passage: Passage) -> str:
    """Return the text of a passage after its title, or without it if the link or the text contains the title."""
    if passage.heading == passage.title or passage.text.startswith(passage.title) or not passage.text:
        return passage.text
    return f"{passage.title}: {passage.text}"
