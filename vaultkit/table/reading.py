"""A reading on the table: face down, turned card by card, and logged once when it ends."""

from collections.abc import Callable
from pathlib import Path

from vaultkit.campaign.log import Logged
from vaultkit.campaign.readings.reading import Reading
from vaultkit.campaign.readings.reading_page import text_lines
from vaultkit.compendium.spreads.spread import plain_shape
from vaultkit.errors import VaultkitError
from vaultkit.games.turn import drawn
from vaultkit.games.words import Event, Sentence, Zone
from vaultkit.scene.scene import Scene
from vaultkit.session import Step
from vaultkit.table.door import Client
from vaultkit.table.ending import Recording
from vaultkit.table.host import Holding, Outdated, Refused, Words, new_question
from vaultkit.table.opening import Opening
from vaultkit.table.sight import Ending, LaidCard, LaidSpread, Sight

_CHANCE = "turn"


class ReadingOnTable(Holding):
    """A reading, with the cards of it that lie open. `log` writes it down; None where that is not wished."""

    def __init__(self, reading: Reading, root: Path, log: Callable[[], Logged] | None) -> None:
        self._recording = Recording(log, root)
        self._ending: Ending | None = None
        self._reading = reading
        self._turned: list[int] = []
        self._steps: list[Step] = []
        self._question = new_question()
        self._shape = reading.spread.shape or plain_shape(len(reading.cards))

    @property
    def logged(self) -> Logged | None:
        """The notes that were written; None before the end, and where nothing is to be written."""
        return self._recording.logged

    @property
    def is_begun(self) -> bool:
        """Whether anybody has seen a card."""
        return bool(self._turned)

    def sight(self, client: Client) -> Sight:
        """The spread as all see it."""
        steps = self._steps[client.steps :]
        deck = self._reading.deck.deck
        client.marks.forget_all_but([self._reading.cards[at].card.id for at in self._turned])
        return Sight(
            scene=self._scene(),
            deck=deck,
            marks=client.marks,
            question=self._question,
            spread=self._spread(),
            ending=self._ending,
            fresh=tuple(
                event.sentence.speak(str, lambda card: deck[card].title) for step in steps for event in step.events
            ),
            steps=len(self._steps),
        )

    def obey(self, client: Client, order: Words) -> str:  # noqa: ARG002
        """Turn a card, or end it; once it has ended, close the table."""
        if order.get("question") != self._question:
            raise Outdated
        match order["do"]:
            case "turn" if self._ending:
                raise Refused("The reading has ended.")
            case "turn":
                self._turn(self._place(order.get("card")))
            case "write-again":
                self._write_again()
            case "finish":
                self.finish()
            case _:
                raise Refused("A reading knows no such order.")
        return ""

    def finish(self) -> None:
        """End the reading and log it, unless nobody has seen a card of it; close the table where it has ended."""
        if self._ending or not self._turned:
            self.closed = True
        else:
            self._end()

    def _turn(self, place: int) -> None:
        self._turned.append(place)
        position, entry = self._reading.laid[place]
        card = entry.card.id
        said = Sentence("{v0}: the {c0}." if position.name else "The {c0}.", (), (card,), (position.name,))
        event = Event(_CHANCE, said, "", (), cards=(card,), reveals=True)
        self._steps.append(Step(len(self._steps) + 1, drawn(card), (event,), chance=_CHANCE))
        self._question = new_question()
        if len(self._turned) == len(self._reading.cards):
            self._end()

    def _place(self, number: object) -> int:
        """The place of the card to be turned, counted from 0; without a number the next one."""
        left = [place for place in range(len(self._reading.cards)) if place not in self._turned]
        if number is None:
            wanted = left[:1]
        else:
            wanted = [place for place in left if type(number) is int and place == number - 1]
        if not wanted:
            raise Refused("That card lies open already, or is none of these.")
        return wanted[0]

    def _write_again(self) -> None:
        """Write the missing notes again if writing failed."""
        if self._ending and self._ending.failure:
            self._end()

    def _end(self) -> None:
        self._ending = self._recording.write()
        self.over = not self._ending.failure
        self._question = new_question()

    def _scene(self) -> Scene:
        """The zones and the news; nobody is asked anything."""
        zones = tuple(map(self._zone, range(len(self._reading.cards))))
        news = tuple((step, event) for step in self._steps for event in step.events)
        return Scene(self._reading.spread.title, (), None, zones, None, (), {}, news, ())

    def _zone(self, place: int) -> Zone:
        position, entry = self._reading.laid[place]
        title = Sentence("{v0}", values=(position.name or f"Card {place + 1}",))
        return Zone(title, (entry.card.id,)) if place in self._turned else Zone(title, hidden=1)

    def _spread(self) -> LaidSpread:
        latest = self._turned[-1] + 1 if self._turned else 0
        places = tuple(map(self._laid, range(len(self._reading.cards))))
        return LaidSpread(self._reading.question, self._shape, places, latest)

    def _laid(self, place: int) -> LaidCard:
        position, entry = self._reading.laid[place]
        name = position.name or f"Card {place + 1}"
        if place not in self._turned:
            return LaidCard(place + 1, name, position.meaning)
        return LaidCard(place + 1, name, position.meaning, entry.card, text_lines(entry.text))


def show_reading(reading: Reading, root: Path, log: Callable[[], Logged] | None, opening: Opening) -> Logged | None:
    """Turn a reading card by card in the browser; what was logged at its end, None where nothing was to be.

    Raises KeyboardInterrupt where the host leaves before anybody has seen a card, and what logging it raises.
    """
    again = f"The same cards again: --seed {reading.seed}"
    table = ReadingOnTable(reading, root, log)
    opening.serve(table)
    if not table.is_begun:
        opening.tell(f"No card was turned, so nothing is written. {again}")
        raise KeyboardInterrupt
    if not table.over and log:
        try:
            return log()
        except VaultkitError:
            opening.tell(again)
            raise
    return table.logged
