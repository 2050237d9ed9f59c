"""What `?` shows at the table: the GM's own rule note and deck note, our rulings where those are silent."""

import re
from collections.abc import Callable

from vaultkit.campaign.rulings import Ruling, ruling
from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.compendium.cardrules import line_of
from vaultkit.compendium.linking.places import address
from vaultkit.errors import VaultkitError
from vaultkit.play.lookup import bare
from vaultkit.play.notetext import plain_lines
from vaultkit.play.reference import Passage
from vaultkit.vault.facts import name_of

HouseRules = Callable[[str, tuple[str, ...]], tuple[str, ...]]
"""The house rules, a sentence each, that overrule what a note says under a heading, or our rulings."""


class NoteReference:
    """Passages out of one rule note (None if the vault has none) and one deck note."""

    def __init__(self, rules: RuleNote | None, deck: DeckNote, house_rules: HouseRules = lambda *_: ()) -> None:
        self._rules = rules
        self._deck = deck
        self._house_rules = house_rules

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        """The GM's passage under that heading; without one, the rulings. House rules that overrule it stand below."""
        section = self._rules.note.section(heading) if self._rules else None
        if section and self._rules:
            return Passage(heading, self._overruled(plain_lines(section), heading, rulings), self._rules.note.name)
        found = [one for number in rulings if (one := _ruling(number))]
        text = "\n\n".join(f"{one.id}: {one.title}\n{plain_lines(one.text)}" for one in found)
        source = ", ".join(one.id for one in found)
        return Passage(heading, self._overruled(text, heading, rulings), source) if found else None

    def _overruled(self, text: str, heading: str, rulings: tuple[str, ...]) -> str:
        """The text, and below it what is played instead where a house rule says otherwise."""
        told = [f"House rule, whatever stands above: {rule}" for rule in self._house_rules(heading, rulings)]
        return "\n".join([text.strip(), "", *told]) if told else text

    def section(self, words: str) -> Passage | None:
        """The GM's passage under that heading, else under the first one with these words in it."""
        if self._rules is None or not words.strip():
            return None
        note = self._rules.note
        whole = re.compile(rf"(?<!\w){re.escape(bare(words))}(?!\w)")
        titles = [heading.text for heading in note.headings]
        named = [title for title in titles if bare(title) == bare(words)]
        for title in (*named, *(title for title in titles if whole.search(title.casefold()))):
            if section := note.section(title):
                return Passage(title, self._overruled(plain_lines(section), title, ()), note.name)
        return None

    def card(self, card_id: str) -> Passage | None:
        """A card's text; before it what the rule note says in a line that opens with the card's name in bold."""
        entry = self._deck.by_id.get(card_id)
        if entry is None:
            return None
        source = self._deck.note.name if self._deck.headed else name_of(address(entry)[0])
        said = line_of(self._rules.note, entry.card.name) if self._rules else ""
        if not said or self._rules is None:
            return Passage(entry.card.title, plain_lines(entry.text), source)
        text = plain_lines(f"{said}\n\n{entry.text}")
        return Passage(entry.card.title, text, f"{self._rules.note.name}, {source}", complete=True)


def _ruling(number: str) -> Ruling | None:
    try:
        return ruling(number)
    except VaultkitError:
        return None
