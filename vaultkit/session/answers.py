"""`ask`: the passages that answer a question in a few words, the best first."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
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
from vaultkit.session.stems import FAINT, stems
from vaultkit.spelling import did_you_mean

LINES = 8
"""The most lines of an answer."""
HouseRules = Callable[[GameInfo], Options]
"""Every option's value in a game as it is in force; none where nothing sets any."""

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
        found = self._numbered(words) if is_number(words) else self._ranked(words)
        if not found:
            raise NothingFound(f"No note, card or ruling answers '{words}'.", hint=self._hint(words))
        rules = [*dict.fromkeys(rule for entry in found for rule in self._overruling(entry))][:_MOST_RULES]
        passages = (with_text(entry.passage, self._compendium.vault) for entry in found[: LINES - len(rules)])
        return (*passages, *rules)

    def _numbered(self, words: str) -> list[Entry]:
        number = ruling(words).id
        return [entry for entry in self._rulings if entry.passage.ruling == number]

    def _ranked(self, words: str) -> list[Entry]:
        games, telling = games_named(stems(words))
        if not games and self._game:
            games = {self._game}
        if self._ranking.has_all(telling):
            return _chosen(self._ranking.best(telling, games))
        elsewhere = self._elsewhere(telling)
        return elsewhere or _chosen(self._ranking.best(self._ranking.known(telling), games))

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
    """The games whose titles or ids are among the words, and the other words; all of them if there are no others."""
    rest, games = f" {' '.join(words)} ", set()
    for info in GAMES.values():
        for name in (info.title, *info.aliases, info.id):
            title = f" {' '.join(stems(name))} "
            if title in rest:
                games.add(info.id)
                rest = rest.replace(title, " ")
    return games, rest.split() or [*words]


def _chosen(ranked: Sequence[tuple[float, Entry]]) -> list[Entry]:
    """One entry for each place that is nearly as good as the best; those of one name in the order of their kinds."""
    good = (entry for score, entry in ranked if score >= ranked[0][0] * _NEAR)
    places: dict[tuple[str, ...], Entry] = {}
    for entry in good:
        places.setdefault(entry.place, entry)
    found = [*places.values()]
    alike = [entry for entry in found if entry.name and stems(entry.name) == stems(found[0].name)]
    return [*sorted(alike, key=_kind), *(entry for entry in found if entry not in alike)]


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
