"""From cards as written to the cards of a deck, each at most once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from vaultkit.cards import Card
from vaultkit.cards.known import known_deck
from vaultkit.compendium.cardline import Facts
from vaultkit.compendium.compare import Comparison, problem_of, unread_hint
from vaultkit.compendium.words import Words, folded
from vaultkit.compendium.written import WrittenCard
from vaultkit.errors import Problem, Severity


def matched(path: str, items: tuple[WrittenCard, ...], kind: str, words: Words, *, hint: str = "") -> "Matching":
    """The cards that `items` are in a deck of that kind, whose note is at `path`; `hint` is for missing cards."""
    known = known_deck(kind)
    matching = Matching(Comparison(path, known, words) if known else None)
    for item in items:
        matching.take(item)
    matching.finish(items, words, hint)
    return matching


def slug(name: str) -> str:
    """A name as an id: `the-deck-s-owner`; `card` for a name without letters and digits."""
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-") or "card"


@dataclass
class Matching:
    """Gathers the cards of one deck, each as it is written. `_seen` has what stands for each id, even if faulty."""

    comparison: Comparison | None
    cards: list[tuple[Card, WrittenCard]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _seen: dict[str, WrittenCard] = field(default_factory=dict)

    def take(self, item: WrittenCard) -> None:
        if self.comparison is None:
            self._add(item, self._own_card(item))
            return
        meant = self.comparison.identify(item)
        if isinstance(meant, Problem):
            self.problems.append(meant)
        elif meant.id in self._seen:
            self._twice(item, self._seen[meant.id], meant)
        else:
            self._seen[meant.id] = item
            card, problem = self.comparison.verify(item, meant)
            self.problems.extend([problem] if problem else [])
            self._add(item, card)

    def finish(self, items: tuple[WrittenCard, ...], words: Words, hint: str) -> None:
        """What can be said only when all cards are seen."""
        if self.comparison is None:
            self.problems.extend(_unread(items, words))
        elif items and (missing := self.comparison.missing(self._seen, hint)):
            self.problems.append(missing)

    def _add(self, item: WrittenCard, card: Card | None) -> None:
        if card is not None:
            self.cards.append((card, item))

    def _own_card(self, item: WrittenCard) -> Card:
        """A card of a deck that nobody knows. Some decks hold two of a name; the second one is `goblin-2`."""
        facts, plain, number = item.facts or Facts(), slug(item.name), 1
        card_id = plain
        while card_id in self._seen:
            number += 1
            card_id = f"{plain}-{number}"
        if number > 1 and item.link == self._seen[plain].link:
            hint = "Links lead to the first one only; rename the other."
            self.problems.append(_twice_of(item, self._seen[plain], item.name, hint, "warning"))
        self._seen[card_id] = item
        name = item.name if number == 1 else f"{item.name} ({number})"
        return Card(card_id, name, facts.suits, facts.rank, facts.traits)

    def _twice(self, item: WrittenCard, first: WrittenCard, card: Card) -> None:
        """Two cards of one name, or two names for one suit and rank."""
        what = item.name if folded(item.name) == folded(first.name) else card.title
        self.problems.append(_twice_of(item, first, what, "Take one of them out, or rename it."))


def _twice_of(item: WrittenCard, first: WrittenCard, what: str, hint: str, severity: Severity = "error") -> Problem:
    place = f"in line {first.line}" if first.path == item.path else f"'{first.path}'"
    same = folded(first.name) == folded(item.name)
    called = "" if same else f" under the names '{first.name}' and '{item.name}'"
    message = f"'{what}' is in this deck twice{called}; the other one is {place}."
    return Problem(item.path, item.line, 1, "card-twice", message, hint, severity)


def _unread(items: tuple[WrittenCard, ...], spoken: Words) -> Iterator[Problem]:
    """Cards of a deck that nobody knows, whose lines look like rank and suit and cannot be read.

    A short line in italics may be anything. It is taken for rank and suit where other cards have such, where it holds
    a rank, or where most cards have one that is built alike.
    """
    unread = [item for item in items if item.facts is None and item.unread is not None]
    others = any(item.facts and item.facts.suits for item in items)
    alike = _are_alike(unread, len(items))
    for item in unread:
        assert item.unread is not None
        if others or alike or item.unread.certain or _holds_rank(item.unread.text, spoken):
            message = f"'{item.name}' has '{item.unread.text}', which is not read as rank and suit."
            hint = unread_hint(item, spoken)
            yield replace(problem_of(item, "card-line", message, hint, line=item.unread.line), severity="warning")


def _holds_rank(text: str, spoken: Words) -> bool:
    told = text.split()
    return any(map(spoken.is_rank, (*told[:1], *told[-1:])))


def _are_alike(unread: list[WrittenCard], count: int) -> bool:
    """Whether most cards have three words with the same one in the middle: `Drei der Kelche`, `Vier der Kelche`."""
    lines = [item.unread.text.split() for item in unread if item.unread]
    middles = {line[1] for line in lines if len(line) == 3 and line[1].islower() and line[1].isalpha()}
    first, last = {line[0] for line in lines}, {line[-1] for line in lines}
    return 2 * len(lines) > count > 3 and len(middles) == 1 and len(first) > 2 and len(last) < len(lines)
