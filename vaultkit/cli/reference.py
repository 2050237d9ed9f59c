"""What `?` shows at the table: the GM's own rule note and deck note, our rulings where those are silent."""

from vaultkit.compendium import DeckNote, RuleNote, rulenote
from vaultkit.compendium.places import address
from vaultkit.errors import VaultkitError
from vaultkit.play.notetext import plain_lines
from vaultkit.play.reference import Passage
from vaultkit.vault.facts import name_of


class NoteReference:
    """Passages out of one rule note (None if the vault has none) and one deck note."""

    def __init__(self, rules: RuleNote | None, deck: DeckNote) -> None:
        self._rules = rules
        self._deck = deck

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        """The GM's passage under that heading; without one, the rulings."""
        section = self._rules.note.section(heading) if self._rules else None
        if section and self._rules:
            return Passage(heading, plain_lines(section), self._rules.note.name)
        found = [ruling for number in rulings if (ruling := _ruling(number))]
        text = "\n\n".join(f"{ruling.id}: {ruling.title}\n{plain_lines(ruling.text)}" for ruling in found)
        return Passage(heading, text, ", ".join(ruling.id for ruling in found)) if found else None

    def card(self, card_id: str) -> Passage | None:
        entry = self._deck.by_id.get(card_id)
        if entry is None:
            return None
        source = self._deck.note.name if self._deck.headed else name_of(address(entry)[0])
        return Passage(entry.card.title, plain_lines(entry.text), source)


def _ruling(number: str) -> rulenote.Ruling | None:
    try:
        return rulenote.ruling(number)
    except VaultkitError:
        return None
