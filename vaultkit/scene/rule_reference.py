"""The source in which front-ends look up rules and the texts of cards during play."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.compendium.card_rules import find_rule_line
from vaultkit.compendium.linking.card_targets import address
from vaultkit.errors import NothingFound
from vaultkit.search.answers import Answers
from vaultkit.search.passages import Passage
from vaultkit.session.rulings import known_ruling
from vaultkit.text import strip_article
from vaultkit.vault.note_facts import name_of

FindHouseRules = Callable[[str, tuple[str, ...]], Iterable[str]]
"""A function that returns the house rules, as sentences, that override the rules under a heading or some rulings."""


class Reference:
    """A source of passages about rules and cards. This base class finds nothing, as for a game without notes."""

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:  # noqa: ARG002
        """Return the passage under a heading of the rules, or else the rulings with the given ids, or None."""
        return None

    def section(self, words: str) -> Passage | None:  # noqa: ARG002
        """Return the passage under the heading that equals `words`, or else contains them, or None."""
        return None

    def card(self, card_id: str) -> Passage | None:  # noqa: ARG002
        """Return the text of a card, with what the rules say about it, or None if the card is unknown."""
        return None

    def ask(self, words: str) -> Sequence[Passage]:
        """Return the passages that answer a question, the best first. Raises NothingFound if there are none."""
        raise NothingFound(f"There are no notes here that could answer '{words}'.")

    @property
    def last_answer(self) -> Sequence[Passage]:
        """The passages that answered the last question; () if there was none."""
        return ()


@dataclass(frozen=True, eq=False)
class NoteReference(Reference):
    """A source of passages from one rule note (None if the vault has none) and one deck note.

    `plain` converts Markdown to plain text. `answers` finds answers to questions in all notes of the vault.
    """

    rules: RuleNote | None
    deck: DeckNote
    plain: Callable[[str], str]
    house_rules: FindHouseRules = lambda *_: ()
    answers: Answers | None = None

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        """Return the passage under a heading of the rule note, or else the rulings, or None if there are neither.

        The house rules that override the passage are added at its end.
        """
        section = self.rules.note.section(heading) if self.rules else None
        if section and self.rules:
            return Passage(heading, self._add_house_rules(self.plain(section), heading, rulings), self.rules.note.name)
        known_rulings = [*filter(None, map(known_ruling, rulings))]
        text = "\n\n".join(f"{ruling.id}: {ruling.title}\n{self.plain(ruling.text)}" for ruling in known_rulings)
        source = ", ".join(ruling.id for ruling in known_rulings)
        return Passage(heading, self._add_house_rules(text, heading, rulings), source) if known_rulings else None

    def _add_house_rules(self, text: str, heading: str, rulings: tuple[str, ...]) -> str:
        """Return the text, with the house rules that override it added at its end."""
        rules = [f"House rule, whatever stands above: {rule}" for rule in self.house_rules(heading, rulings)]
        return "\n".join([text.strip(), "", *rules]) if rules else text

    def section(self, words: str) -> Passage | None:
        """Return the passage under the heading of the rule note that equals `words`, or else contains them, or None.

        Case and a leading article are ignored.
        """
        if self.rules is None or not words.strip():
            return None
        note = self.rules.note
        heading_pattern = re.compile(rf"(?<!\w){re.escape(strip_article(words))}(?!\w)")
        titles = [heading.text for heading in note.headings]
        exact_titles = [title for title in titles if strip_article(title) == strip_article(words)]
        for title in (*exact_titles, *(title for title in titles if heading_pattern.search(title.casefold()))):
            if section := note.section(title):
                return Passage(title, self._add_house_rules(self.plain(section), title, ()), note.name)
        return None

    def ask(self, words: str) -> Sequence[Passage]:
        return self.answers.ask(words) if self.answers else super().ask(words)

    @property
    def last_answer(self) -> Sequence[Passage]:
        return self.answers.last_answer if self.answers else ()

    def card(self, card_id: str) -> Passage | None:
        """Return the text of a card after the line of the rule note that begins with its name in bold, or None."""
        entry = self.deck.by_id.get(card_id)
        if entry is None:
            return None
        source = self.deck.note.name if self.deck.headed else name_of(address(entry)[0])
        rule = find_rule_line(self.rules.note, entry.card.name) if self.rules else ""
        if not rule or self.rules is None:
            return Passage(entry.card.title, self.plain(entry.text), source)
        text = self.plain(f"{rule}\n\n{entry.text}")
        return Passage(entry.card.title, text, f"{self.rules.note.name}, {source}", complete=True)
