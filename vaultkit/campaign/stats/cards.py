"""The cards that a game's note says decided the game."""

import posixpath
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts
from vaultkit.vault.links import Link
from vaultkit.vault.subpath import comparable, find_heading, to_subpath

SECTION = "Cards That Mattered"


@dataclass(frozen=True)
class Card:
    """A card as it is linked: `note` is a vault path, "" if there is none; `subpath` is what stands behind `#`."""

    name: str
    note: str
    subpath: str

    @cached_property
    def key(self) -> tuple[str, str]:
        """What tells it from all others."""
        return self.note, comparable(self.subpath) or self.name.casefold()


class CardReader:
    """Reads the cards of many games, and remembers where links lead: there are few cards, and many games."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._cards: dict[tuple[str, str, str], Card] = {}

    def cards(self, facts: Facts) -> tuple[Card, ...]:
        """The cards linked in the note's section of them, each once."""
        headings = facts.anchors.headings
        found = next((one for one in headings if _is_section(one.text)), None)
        if found is None:
            return ()
        end = next((one.start for one in headings if one.start > found.start and one.level <= found.level), None)
        links = (link for link in facts.links if link.start >= found.end and (end is None or link.start < end))
        cards = [self._card(link, facts.path) for link in links if link.kind in _KINDS and not link.external]
        return tuple({card.key: card for card in reversed(cards)}.values())[::-1]

    def _card(self, link: Link, source: str) -> Card:
        place = (link.path, link.subpath, posixpath.dirname(source) if link.path else source)
        if place not in self._cards:
            self._cards[place] = self._read(link, source)
        return self._cards[place]

    def _read(self, link: Link, source: str) -> Card:
        """A heading as its note spells it; a card with a note of its own by the name of that."""
        found = self._vault.files.resolve(link.path, source).path if link.path else source
        last = link.subpath.rpartition("#")[2]
        if found is None or not found.lower().endswith(".md"):
            return Card(last or link.text, "", last or link.path)
        if not link.subpath:
            return Card(posixpath.basename(found)[:-3], found, "")
        facts = self._vault.facts.get(found)
        heading = find_heading(facts.anchors.headings, link.subpath) if facts else None
        name = to_subpath(heading.text) if heading else last
        return Card(name, found, name if heading else link.subpath)


@lru_cache(maxsize=1_000)
def _is_section(heading: str) -> bool:
    return comparable(heading) == comparable(SECTION)


_KINDS = frozenset({"wikilink", "markdown"})


@dataclass(frozen=True, slots=True)
class CardCount:
    """How many games a card decided, in all and by the games' titles, the most first."""

    card: Card
    games: int
    by_game: tuple[tuple[str, int], ...]


def counted(told: Iterable[tuple[str, Sequence[Card]]]) -> tuple[CardCount, ...]:
    """The cards of games, each game with its title; the most frequent first."""
    cards: dict[tuple[str, str], Card] = {}
    titles: dict[tuple[str, str], Counter[str]] = {}
    for title, decided in told:
        for card in decided:
            cards[card.key] = card
            titles.setdefault(card.key, Counter())[title] += 1
    found = (CardCount(card, titles[key].total(), tuple(_ordered(titles[key]))) for key, card in cards.items())
    return tuple(sorted(found, key=lambda one: (-one.games, one.card.name.casefold(), one.card.note)))


def _ordered(titles: Counter[str]) -> list[tuple[str, int]]:
    return sorted(titles.items(), key=lambda item: (-item[1], item[0].casefold()))
