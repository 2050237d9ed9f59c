"""`ask`: the passages that answer a question in a few words, the best first."""

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property

from vaultkit.compendium import Compendium
from vaultkit.errors import NothingFound
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.session.options import overruling
from vaultkit.session.passages import (
    Entry,
    Passage,
    card_entries,
    heading_entries,
    rule_entries,
    ruling_entries,
    with_text,
)
from vaultkit.session.ranking import Ranking
from vaultkit.session.rulings import is_number, ruling
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.session.stems import FAINT, stems
from vaultkit.spelling import did_you_mean

LINES = 8
"""The most lines of an answer."""
HouseRules = Callable[[GameInfo], Options]
"""Every option's value in a game as it is in force; none where nothing sets any."""

Ranked = tuple[float, Entry]
"""An entry with its score."""

_NEAR = 0.56
"""The part of the best passage's score that another one must reach."""
_MOST_RULES = 3
"""The most house rules in an answer."""
_NARROW, _WIDE = 20, 100


class Answers:
    """Answers questions out of a vault's notes and our rulings, more readily about the `game` that is played."""

    def __init__(self, compendium: Compendium, house_rules: HouseRules, game: str = "") -> None:
        self._compendium = compendium
        self._house_rules = house_rules
        self._game = game

    def ask(self, words: str) -> tuple[Passage, ...]:
        """The passages that answer, the best first, and below them the house rules that overrule them.

        There are never more of them than an answer has lines. Raises NothingFound, with a hint, if nothing answers.
        """
        found = self._numbered(words) if is_number(words) else self._named(words)
        if not found:
            raise NothingFound(f"No note, card or ruling answers '{words}'.", hint=self._hint(words))
        rules = [*dict.fromkeys(rule for entry in found for rule in self._overruling(entry))][:_MOST_RULES]
        passages = (with_text(entry.passage, self._compendium.vault) for entry in found[: LINES - len(rules)])
        return (*passages, *rules)

    def _numbered(self, words: str) -> list[Entry]:
        number = ruling(words).id
        return [entry for entry in self._rulings if entry.passage.ruling == number]

    def _named(self, words: str) -> list[Entry]:
        """The entries that answer, below the game that the words name if that is known by its score sheet alone.

        Where no rule or card has the game's name, other rules say nothing of it.
        """
        run = _run(words)
        meant = [info for info in self._sheets if _run(info.title) in run or _run(info.id) in run]
        strange = [info for info in meant if not self._ranking.has_all(stems(info.title))]
        if strange:
            return [*self._elsewhere(stems(words)), *map(_sheet_entry, strange)]
        alone = [info for info in meant if run in (_run(info.title), _run(info.id))]
        return [*map(_sheet_entry, alone), *self._ranked(words)]

    @cached_property
    def _sheets(self) -> tuple[GameInfo, ...]:
        """The games that are known by their score sheets alone."""
        return tuple(sheet.info for sheet in ScoreSheets(self._compendium.vault).defined.values())

    def _ranked(self, words: str) -> list[Entry]:
        games, telling = games_named(stems(words))
        if not games and self._game:
            games = {self._game}
        elsewhere = [] if self._ranking.has_all(telling) else self._elsewhere(telling)
        if elsewhere:
            return elsewhere
        known = self._ranking.known(telling)
        ranked = self._ranking.best(known, games)
        found = _chosen(ranked) if ranked else []
        wanted, name = {*known} - FAINT, {*stems(found[0].name)} - FAINT if found else set()
        if not found or not found[0].passage.card or not wanted <= name:
            return found
        if wanted == name and (rule := _rule_of_card(known, ranked, games)):
            return [*rule, *found]
        if len({one.rank for one in found if one.passage.card}) > 1:
            return found
        return [*found, *self._rule_of_rank(found[0].rank, games or found[0].games)]

    def _rule_of_rank(self, name: str, games: Collection[str]) -> list[Entry]:
        """The passage of the one game that is meant about cards of this rank."""
        rank = stems(name)
        if len(games) != 1 or not rank:
            return []
        rules = (one for _, one in self._ranking.best(rank, games) if not (one.passage.card or one.passage.ruling))
        return [one for one in rules if one.games.issuperset(games) and {*rank} <= {*stems(one.body)}][:1]

    def _elsewhere(self, words: Sequence[str]) -> list[Entry]:
        """Headings and names of all notes that have every word that tells something."""
        telling = {*words} - FAINT
        ranked = Ranking(heading_entries(self._compendium.vault, telling)).best(words, ())
        return _chosen([row for row in ranked if telling <= {*stems(f"{row[1].name} {row[1].under}")}])

    @cached_property
    def _rulings(self) -> tuple[Entry, ...]:
        return tuple(ruling_entries())

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking((*rule_entries(self._compendium), *card_entries(self._compendium), *self._rulings))

    def _overruling(self, entry: Entry) -> Iterator[Passage]:
        """The house rules that say otherwise than a passage; a card's text is not overruled."""
        passage = entry.passage
        for info in () if passage.card else (GAMES[game] for game in entry.games or {self._game} - {""}):
            if options := self._house_rules(info):
                rules = overruling(info.rules(), options, (), passage.heading, (passage.ruling,))
                yield from (Passage(info.title, rule, "House rule:", ruling=number) for rule, number in rules.items())

    def _hint(self, words: str) -> str:
        names = [card.name for deck in self._compendium.decks for card in deck.deck]
        titles = (info.title for info in GAMES.values())
        return did_you_mean(
            words, (*names, *titles), then="Ask for a card, for words of a rule, or for a ruling: ask DC-12"
        )


def games_named(words: Sequence[str]) -> tuple[set[str], list[str]]:
    """The games that are named among the words, and the other words; without any, those of the games' titles."""
    rest, games = f" {' '.join(words)} ", set()
    for info in GAMES.values():
        for name in filter(None, (info.title, *info.aliases, info.id, info.short)):
            if (title := _run(name)) in rest:
                games.add(info.id)
                rest = rest.replace(title, " ")
    return games, rest.split() or [word for game in sorted(games) for word in stems(GAMES[game].title)]


def _run(text: str) -> str:
    """The stems of a text, as they are looked for among others."""
    return f" {' '.join(stems(text))} "


def _chosen(ranked: Sequence[Ranked]) -> list[Entry]:
    """One entry for each place that is nearly as good as the best; those of one name in the order of their kinds."""
    good = (entry for score, entry in ranked if score >= ranked[0][0] * _NEAR)
    places: dict[tuple[str, ...], Entry] = {}
    for entry in good:
        places.setdefault(entry.place, entry)
    found = [*places.values()]
    alike = [entry for entry in found if entry.name and stems(entry.name) == stems(found[0].name)]
    return [*sorted(alike, key=_kind), *(entry for entry in found if entry not in alike)]


def _rule_of_card(words: Iterable[str], ranked: Sequence[Ranked], games: Collection[str]) -> list[Entry]:
    """The section of a game's rules that speaks of a card, where none goes by its name."""
    telling = {*words} - FAINT
    rules = (one for _, one in ranked if not (one.piece or one.aside or one.passage.card or one.passage.ruling))
    return [one for one in rules if not one.games.isdisjoint(games) and telling <= {*stems(one.body)}][:1]


def _sheet_entry(info: GameInfo) -> Entry:
    text = f"{info.title} has no rules here, only a score: vaultkit print scores {info.id}, vaultkit log {info.id}"
    return Entry(Passage(info.title, text, "Score sheet:"), info.title, "", text)


def _kind(entry: Entry) -> int:
    """The GM's own rules first, then cards, then our rulings."""
    return 2 if entry.passage.ruling else int(bool(entry.passage.card))


def lines(passages: Sequence[Passage], width: int = 0) -> list[str]:
    """The answer as people read it: a line for each passage, or several where there is room, never more than `LINES`.

    Without a `width` nothing is wrapped, and what is long is cut.
    """
    each = max(1, LINES // len(passages))
    told = (f"{passage.source} {_spoken(passage)}" for passage in passages)
    if not width:
        return [textwrap.shorten(text, each * _WIDE, placeholder=" …") for text in told]
    wrap = textwrap.TextWrapper(max(width, _NARROW), subsequent_indent="  ", max_lines=each, placeholder=" …")
    return [line for text in told for line in wrap.wrap(text)]


def _spoken(passage: Passage) -> str:
    """The text, with what it is about before it where the link does not say that."""
    if passage.heading == passage.title or passage.text.startswith(passage.title) or not passage.text:
        return passage.text
    return f"{passage.title}: {passage.text}"
