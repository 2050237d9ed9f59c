"""A game at this screen: who answers, what `?` shows, and what a character faces."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from vaultkit.campaign.destiny.encounter import SETTLED
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.result import PRICE
from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.compendium.cardrules import line_of
from vaultkit.compendium.linking.card_places import address
from vaultkit.errors import UsageError
from vaultkit.games.words import Outcome
from vaultkit.play import line
from vaultkit.play.look import look_for
from vaultkit.play.lookup import bare
from vaultkit.play.notetext import plain_lines
from vaultkit.play.plain import safe
from vaultkit.play.sources import Script, Source, Terminal
from vaultkit.scene.reference import NoReference
from vaultkit.session import Session
from vaultkit.session.answers import Answers
from vaultkit.session.options import overruling
from vaultkit.session.passages import Passage
from vaultkit.session.rulings import known_ruling
from vaultkit.session.seats import SeatSpec
from vaultkit.vault.facts import name_of

HouseRules = Callable[[str, tuple[str, ...]], Iterable[str]]
"""The house rules, a sentence each, that overrule what a note says under a heading, or our rulings."""


@dataclass(frozen=True)
class Screen:
    """Where a game is shown, and who answers."""

    console: Console
    source: Source
    plain: bool = False
    ascii_only: bool = False

    @classmethod
    def open(
        cls, console: Console, seats: Sequence[SeatSpec], script: str | None, *, plain: bool, ascii_only: bool = False
    ) -> "Screen":
        """The screen for these seats, before anything is dealt; of a `script`, "-" is read from stdin.

        Raises UsageError where there are people and neither a terminal nor a script to ask, InvalidError for a
        script that cannot be read.
        """
        if script == "-":
            return cls(console, Script(console, "stdin", sys.stdin.read().splitlines()), plain, ascii_only)
        if script is not None:
            return cls(console, Script.from_file(console, Path(script)), plain, ascii_only)
        if any(seat.is_person for seat in seats) and not sys.stdin.isatty():
            raise UsageError("There is nobody to ask: this is no terminal.", hint="Give the moves with --script FILE.")
        return cls(console, Terminal(console), plain, ascii_only)

    def play(self, session: Session, notes: GameNotes) -> Outcome | None:
        """Let the people play, with the game's notes at hand; None if they left before the end.

        They are told what they face and, after a loss, what it costs.
        """
        header = session.header
        settled = header.notes.get(SETTLED, "").split()
        overruled = partial(overruling, session.game, header.options, settled)
        reference = NoteReference(notes.rule_note, notes.deck_note, overruled, notes.answers(session))
        faced = name_of(header.notes.get("encounter", ""))
        if faced:
            self._say(f"The encounter: {faced}.")
        look = look_for(self.console, session.deck, plain=self.plain, ascii_only=self.ascii_only)
        outcome = line.play(session, self.console, self.source, reference, look)
        if faced and outcome:
            self._say(f"The encounter was: {faced}.")
            if outcome.kind == "loss" and header.notes.get("on_loss"):
                self._say(f"{PRICE}: {header.notes['on_loss']}")
        return outcome

    def _say(self, text: str) -> None:
        self.console.print(safe(text), soft_wrap=self.plain, highlight=False, markup=False)


class NoteReference(NoReference):
    """The passages that `?` shows, out of one rule note (None if the vault has none) and one deck note.

    What is asked in words, all notes of the vault may answer.
    """

    def __init__(
        self,
        rules: RuleNote | None,
        deck: DeckNote,
        house_rules: HouseRules = lambda *_: (),
        answers: Answers | None = None,
    ) -> None:
        self._rules = rules
        self._deck = deck
        self._house_rules = house_rules
        self._answers = answers

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        """The GM's passage under that heading; without one, the rulings. House rules that overrule it stand below."""
        section = self._rules.note.section(heading) if self._rules else None
        if section and self._rules:
            return Passage(heading, self._overruled(plain_lines(section), heading, rulings), self._rules.note.name)
        found = [one for number in rulings if (one := known_ruling(number))]
        text = "\n\n".join(f"{one.id}: {one.title}\n{plain_lines(one.text)}" for one in found)
        source = ", ".join(one.id for one in found)
        return Passage(heading, self._overruled(text, heading, rulings), source) if found else None

    def _overruled(self, text: str, heading: str, rulings: tuple[str, ...]) -> str:
        """The text, and below it the house rules that say otherwise."""
        rules = [f"House rule, whatever stands above: {rule}" for rule in self._house_rules(heading, rulings)]
        return "\n".join([text.strip(), "", *rules]) if rules else text

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

    def ask(self, words: str) -> Sequence[Passage]:
        """Passages of the whole vault."""
        return self._answers.ask(words) if self._answers else super().ask(words)

    def card(self, card_id: str) -> Passage | None:
        """A card's text; before it the line of the rule note that opens with the card's name in bold."""
        entry = self._deck.by_id.get(card_id)
        if entry is None:
            return None
        source = self._deck.note.name if self._deck.headed else name_of(address(entry)[0])
        rule = line_of(self._rules.note, entry.card.name) if self._rules else ""
        if not rule or self._rules is None:
            return Passage(entry.card.title, plain_lines(entry.text), source)
        text = plain_lines(f"{rule}\n\n{entry.text}")
        return Passage(entry.card.title, text, f"{self._rules.note.name}, {source}", complete=True)
