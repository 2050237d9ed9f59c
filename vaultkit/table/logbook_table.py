"""A game with real cards, light, on the table: people touch or type what decides, and all see how it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.entries import read_entry
from vaultkit.campaign.log import Logged
from vaultkit.campaign.logbook import Logbook
from vaultkit.errors import UsageError
from vaultkit.games.ledger import EntryRefused, LedgerLine, seat_of
from vaultkit.games.words import Sentence
from vaultkit.scene import lookup
from vaultkit.scene.reference import Reference
from vaultkit.scene.scene import Scene
from vaultkit.session.card_names import MOST_TOLD, cards_meant
from vaultkit.table import drawing
from vaultkit.table.consulting import aside_of, line_of, passages_on, standings_in
from vaultkit.table.door import Client
from vaultkit.table.ending import Close
from vaultkit.table.host import Holding, Outdated, Refused, Words, new_question
from vaultkit.table.pad import Pad, suits_of
from vaultkit.table.sight import Aside, Ending, Sight


@dataclass(frozen=True)
class _Advice:
    """Answers questions about a game of which the entries alone are known."""

    logbook: Logbook
    reference: Reference

    def answer(self, order: Words) -> Sequence[Aside] | None:
        """The answer; None where the order is no question. Raises Refused."""
        words = line_of(order.get("words"))
        match order["do"]:
            case "ask":
                return passages_on(words, self.reference)
            case "rule":
                return list(self._rule(words))
            case "who":
                return [standings_in(self.logbook.scene, self.say)]
            case "why":
                return list(self._why(line_of(order.get("card")) or words))
        return None

    def _rule(self, words: str) -> Iterator[Aside]:
        _, heading, rulings = self.logbook.ledger.question
        rule = None if words else self.reference.rule(heading, rulings)
        found = list(lookup.of_text(words, self.logbook.ledger.deck, self.reference)) if words else [rule]
        told = [aside_of(passage) for passage in found if passage]
        yield from told or [Aside(words or "The rule", ["Nothing is known of that."])]

    def _why(self, wanted: str) -> Iterator[Aside]:
        deck = self.logbook.ledger.deck
        cards = cards_meant(wanted, deck, deck.by_id)
        if not cards:
            raise Refused("That is no card here.")
        yield from (aside_of(lookup.of_card(card, self.reference)) for card in cards[:MOST_TOLD])

    def say(self, sentence: Sentence) -> str:
        deck = self.logbook.ledger.deck
        return sentence.speak(self.logbook.paper.names.__getitem__, lambda card: deck[card].title)


class LogbookOnTable(Holding):
    """A logbook, with the entry that is begun. `close` saves that it is over, and logs it."""

    def __init__(self, logbook: Logbook, reference: Reference, close: Close) -> None:
        self.logged: Logged | None = None
        self._logbook = logbook
        self._advice = _Advice(logbook, reference)
        self._close = close
        self._begun: LedgerLine = ()
        self._told: list[str] = []
        self._ending: Ending | None = None
        self._question = new_question()
        if logbook.is_over:
            self._end()

    def sight(self, client: Client) -> Sight:
        """The game as all at the table see it."""
        scene = self._scene()
        client.marks.forget_all_but(scene.cards)
        is_asked = not (self._logbook.ledger.over or self._ending)
        return Sight(
            scene=scene,
            deck=self._logbook.ledger.deck,
            marks=client.marks,
            question=self._question,
            ending=self._ending or self._doubtful_end(),
            fresh=tuple(self._told[client.steps :]),
            steps=len(self._told),
            pad=self._pad() if is_asked else None,
        )

    def obey(self, client: Client, order: Words) -> str:  # noqa: ARG002
        """Take in a card, a word or an entry, take one back, or end it."""
        answer = self._advice.answer(order)
        if answer is not None:
            return drawing.asides(answer)
        if order.get("question") != self._question:
            raise Outdated
        match order["do"]:
            case "name":
                self._name(line_of(order.get("words")), is_typed=order.get("typed") is True)
            case "write":
                self._write(self._begun)
            case "undo":
                self._take_back()
            case "write-again":
                self._write_again()
            case "finish":
                self._finish()
            case _:
                raise Refused("The table knows no such order.")
        self._change()
        return ""

    def _change(self) -> None:
        self.changes += 1
        self._question = new_question()

    def _scene(self) -> Scene:
        return replace(self._logbook.scene, news=tuple(self._logbook.news))

    def _pad(self) -> Pad:
        ledger, names = self._logbook.ledger, self._logbook.paper.names
        players = ((f"@{seat}", name, "") for seat, name in enumerate(names))
        words = ((word, word.capitalize(), meaning) for word, meaning in ledger.words.items())
        open_cards = set(ledger.expected(self._begun)).difference(self._begun)
        write = "Write it down" if self._begun else ""
        suits, named = suits_of(ledger.deck, open_cards), tuple(map(self._label, self._begun))
        return Pad("What was it?", suits, (*players, *words), named, write, self._logbook.forms)

    def _label(self, token: str) -> str:
        seat, card = seat_of(token), self._logbook.ledger.deck.by_id.get(token)
        if seat is not None:
            return self._logbook.paper.names[seat]
        return card.title if card else token

    def _name(self, words: str, *, is_typed: bool) -> None:
        """Write what was typed behind what is begun as one entry; what is touched goes behind it."""
        if self._logbook.ledger.over:
            raise Refused("The game is over.")
        names, ledger = self._logbook.paper.names, self._logbook.ledger
        if is_typed:
            self._write(self._read(words, names))
        elif words in ledger.deck.by_id:
            self._touch(words)
        elif words in ledger.words or words in {f"@{seat}" for seat in range(len(names))}:
            self._begun = (*self._begun, words)
        else:
            raise Refused("That is no card, player or word here.")

    def _read(self, words: str, names: Sequence[str]) -> LedgerLine:
        try:
            return read_entry(words, names, self._logbook.ledger, self._begun)
        except UsageError as error:
            raise Refused(error.in_full) from error

    def _touch(self, card: str) -> None:
        entry = (*self._begun, card)
        if card in self._begun or card not in self._logbook.ledger.expected(self._begun):
            self._check(entry)
        self._begun = entry

    def _check(self, entry: LedgerLine) -> None:
        try:
            self._logbook.check(entry)
        except EntryRefused as error:
            raise Refused(self._advice.say(error.sentence)) from error

    def _write(self, entry: LedgerLine) -> None:
        before = len(self._logbook.news)
        self._check(entry)
        self._logbook.write(entry)
        self._begun = ()
        self._told += [self._advice.say(event.sentence) for _, event in self._logbook.news[before:]]

    def _take_back(self) -> None:
        if self._begun:
            self._begun = self._begun[:-1]
        elif self._logbook.is_over or not self._logbook.record.entries:
            raise Refused("There is nothing to take back.")
        else:
            self._logbook.take_back()
            self._told.append("Taken back.")

    def _doubtful_end(self) -> Ending | None:
        """The end as the entries have it, for the people to say whether it is right."""
        ledger = self._logbook.ledger
        if not ledger.over:
            return None
        outcome = ledger.result()
        doubts = tuple(f"This cannot be true: {doubt}" for doubt in self._logbook.doubts)
        return Ending(outcome, ledger.game.score_tables(outcome), remarks=doubts, asks=True)

    def _finish(self) -> None:
        """Once all is written, that it is right; before and afterwards, the table closes."""
        if self._logbook.ledger.over and self._ending is None:
            self._end()
        else:
            self.closed = True

    def _write_again(self) -> None:
        """Write the missing notes again if writing failed."""
        if self._ending and self._ending.failure:
            self._end()

    def _end(self) -> None:
        self.logged, self._ending = self._close()
        self.over = not self._ending.failure
