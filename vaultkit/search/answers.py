"""Answers to questions, as `ask` gives them: the passages that match a few words, the best first."""

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
from vaultkit.session.rulings import is_number, ruling
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.spelling import did_you_mean

MAX_LINES = 8
"""The maximum number of lines of an answer."""
HouseRules = Callable[[GameInfo], Options]
"""A function that returns the value of every option in force for a game, or nothing if no option is set."""

Ranked = tuple[float, PassageEntry]
"""A score and its entry."""

_MIN_SCORE_RATIO = 0.56
"""The part of the best score that another passage must reach."""
_MAX_HOUSE_RULE_LINES = 3
"""The maximum number of house rules in an answer."""
_MIN_WRAP_COLUMNS, _MAX_LINE_CHARS = 20, 100


class Answers:
    """The answers to questions, found in the notes of a vault and the rulings.

    Passages about `game` are preferred; "" is for no game.
    """

    def __init__(self, compendium: Compendium, house_rules: HouseRules, game: str = "") -> None:
        self._compendium = compendium
        self._house_rules = house_rules
        self._game = game

    def ask(self, words: str) -> tuple[Passage, ...]:
        """Return the passages that answer, the best first, followed by the house rules that overrule them.

        There are at most as many as an answer has lines. Raises NothingFound with a hint if nothing matches.
        """
        entries = self._find_ruling(words) if is_number(words) else self._find_by_words(words)
        if not entries:
            raise NothingFound(f"No note, card or ruling answers '{words}'.", hint=self._hint(words))
        rules = [*dict.fromkeys(rule for entry in entries for rule in self._find_overruling(entry))][
            :_MAX_HOUSE_RULE_LINES
        ]
        passages = (with_text(entry.passage, self._compendium.vault) for entry in entries[: MAX_LINES - len(rules)])
        return (*passages, *rules)

    def _find_ruling(self, words: str) -> list[PassageEntry]:
        number = ruling(words).id
        return [entry for entry in self._rulings if entry.passage.ruling == number]

    def _find_by_words(self, words: str) -> list[PassageEntry]:
        """Return the entries that answer a question in words.

        If the question names a game that has only a score sheet, and no rule or card has that name, other rules are not
        searched. The result then ends with an entry for the game.
        """
        run = _spaced_stems(words)
        matching_games = [
            info for info in self._sheets if _spaced_stems(info.title) in run or _spaced_stems(info.id) in run
        ]
        strange = [info for info in matching_games if not self._ranking.has_all(stems(info.title))]
        if strange:
            return [*self._search_headings(stems(words)), *map(_sheet_entry, strange)]
        alone = [info for info in matching_games if run in (_spaced_stems(info.title), _spaced_stems(info.id))]
        return [*map(_sheet_entry, alone), *self._rank_entries(words)]

    @cached_property
    def _sheets(self) -> tuple[GameInfo, ...]:
        """The games that have only a score sheet."""
        return tuple(sheet.info for sheet in ScoreSheets(self._compendium.vault).defined.values())

    def _rank_entries(self, words: str) -> list[PassageEntry]:
        """Return the entries of rules, cards and rulings that match a question, the best first.

        Headings and names of all notes are searched if a word of the question occurs in no entry.
        """
        games, telling = games_named(stems(words))
        if not games and self._game:
            games = {self._game}
        elsewhere = [] if self._ranking.has_all(telling) else self._search_headings(telling)
        if elsewhere:
            return elsewhere
        corrected_words = self._ranking.correct_words(telling)
        ranked = self._ranking.rank(corrected_words, games)
        entries = _select_entries(ranked) if ranked else []
        query_words, name = (
            {*corrected_words} - STOP_WORDS,
            {*stems(entries[0].name)} - STOP_WORDS if entries else set(),
        )
        if not entries or not entries[0].passage.card or not query_words <= name:
            return entries
        if query_words == name and (rule := _rule_of_card(corrected_words, ranked, games)):
            return [*rule, *entries]
        if len({entry.rank for entry in entries if entry.passage.card}) > 1:
            return entries
        return [*entries, *self._rule_of_rank(entries[0].rank, games or entries[0].games)]

    def _rule_of_rank(self, name: str, games: Collection[str]) -> list[PassageEntry]:
        """Return the passage about cards with this rank in the rules of the game.

        Returns nothing if there are several games, or if the rank is "".
        """
        rank = stems(name)
        if len(games) != 1 or not rank:
            return []
        rules = (
            entry for _, entry in self._ranking.rank(rank, games) if not (entry.passage.card or entry.passage.ruling)
        )
        return [entry for entry in rules if entry.games.issuperset(games) and {*rank} <= {*stems(entry.body)}][:1]

    def _search_headings(self, words: Sequence[str]) -> list[PassageEntry]:
        """Return the headings and names of notes that contain all words of the question except stop words."""
        telling = {*words} - STOP_WORDS
        ranked = Ranking(heading_entries(self._compendium.vault, telling)).rank(words, ())
        return _select_entries([row for row in ranked if telling <= {*stems(f"{row[1].name} {row[1].under}")}])

    @cached_property
    def _rulings(self) -> tuple[PassageEntry, ...]:
        return tuple(ruling_entries())

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking((*rule_entries(self._compendium), *card_entries(self._compendium), *self._rulings))

    def _find_overruling(self, entry: PassageEntry) -> Iterator[Passage]:
        """Yield the house rules that contradict a passage.

        House rules do not overrule the text of a card.
        """
        passage = entry.passage
        for info in () if passage.card else (GAMES[game] for game in entry.games or {self._game} - {""}):
            if options := self._house_rules(info):
                rules = find_overruling_rules(info.rules(), options, (), passage.heading, (passage.ruling,))
                yield from (Passage(info.title, rule, "House rule:", ruling=number) for rule, number in rules.items())

    def _hint(self, words: str) -> str:
        names = [card.name for deck in self._compendium.decks for card in deck.deck]
        titles = (info.title for info in GAMES.values())
        return did_you_mean(
            words, (*names, *titles), suffix="Ask for a card, for words of a rule, or for a ruling: ask DC-12"
        )


def games_named(words: Sequence[str]) -> tuple[set[str], list[str]]:
    """Return the ids of the games that are named among some stems, and the other stems.

    If there are no other stems, return the stems of the titles of the games instead.
    """
    rest, games = f" {' '.join(words)} ", set()
    for info in GAMES.values():
        for name in filter(None, (info.title, *info.aliases, info.id, info.short)):
            if (title := _spaced_stems(name)) in rest:
                games.add(info.id)
                rest = rest.replace(title, " ")
    return games, rest.split() or [word for game in sorted(games) for word in stems(GAMES[game].title)]


def _spaced_stems(text: str) -> str:
    """Return the stems of a text with a space around each, for finding them in another such text."""
    return f" {' '.join(stems(text))} "


def _select_entries(ranked: Sequence[Ranked]) -> list[PassageEntry]:
    """Return an entry for each place whose score is close to the best one.

    Entries with the same name as the best one come first, sorted by kind.
    """
    good = (entry for score, entry in ranked if score >= ranked[0][0] * _MIN_SCORE_RATIO)
    places: dict[tuple[str, ...], PassageEntry] = {}
    for entry in good:
        places.setdefault(entry.place, entry)
    entries = [*places.values()]
    alike = [entry for entry in entries if entry.name and stems(entry.name) == stems(entries[0].name)]
    return [*sorted(alike, key=_kind), *(entry for entry in entries if entry not in alike)]


def _rule_of_card(words: Iterable[str], ranked: Sequence[Ranked], games: Collection[str]) -> list[PassageEntry]:
    """Return the section of the rules of a game that contains all words of the question."""
    telling = {*words} - STOP_WORDS
    rules = (
        entry for _, entry in ranked if not (entry.piece or entry.aside or entry.passage.card or entry.passage.ruling)
    )
    return [entry for entry in rules if not entry.games.isdisjoint(games) and telling <= {*stems(entry.body)}][:1]


def _sheet_entry(info: GameInfo) -> PassageEntry:
    text = f"{info.title} has no rules here, only a score: vaultkit print scores {info.id}, vaultkit log {info.id}"
    return PassageEntry(Passage(info.title, text, "Score sheet:"), info.title, "", text)


def _kind(entry: PassageEntry) -> int:
    """Return a sort key: rules of the GM, then cards, then rulings."""
    return 2 if entry.passage.ruling else int(bool(entry.passage.card))


def lines(passages: Sequence[Passage], width: int = 0) -> list[str]:
    """Return the answer as text: at most `MAX_LINES` lines, with several lines for a passage if there is room.

    With a `width` of 0 nothing is wrapped, and long passages are cut.
    """
    each = max(1, MAX_LINES // len(passages))
    texts = (f"{passage.source} {_titled_text(passage)}" for passage in passages)
    if not width:
        return [textwrap.shorten(text, each * _MAX_LINE_CHARS, placeholder=" …") for text in texts]
    wrap = textwrap.TextWrapper(max(width, _MIN_WRAP_COLUMNS), subsequent_indent="  ", max_lines=each, placeholder=" …")
    return [line for text in texts for line in wrap.wrap(text)]


def _titled_text(passage: Passage) -> str:
    """Return the text of a passage after its title, or without it if the link or the text contains the title."""
    if passage.heading == passage.title or passage.text.startswith(passage.title) or not passage.text:
        return passage.text
    return f"{passage.title}: {passage.text}"
