"""A reading on the table: face down, turned card by card, and logged once when it ends."""

from collections.abc import Callable
from pathlib import Path

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.reading import Reading, text_lines
from vaultkit.compendium.spreads import build_plain_shape
from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Event, Sentence, Zone
from vaultkit.games.turn import draw_move
from vaultkit.scene.scene import Scene
from vaultkit.session import Step
from vaultkit.web.ending_page import EndingRecorder
from vaultkit.web.host_thread import OrderData, OrderOutdated, OrderRefused, TableActivity, new_question
from vaultkit.web.page_model import EndingModel, PageModel, SpreadCard, SpreadModel
from vaultkit.web.seat_sessions import Client
from vaultkit.web.startup import TableLauncher

_CHANCE_ID = "turn"


class ReadingOnTable(TableActivity):
    """A reading, with the cards of it that lie open. `log` writes it down; None where that is not wished."""

    def __init__(self, reading: Reading, root: Path, log: Callable[[], LogResult] | None) -> None:
        self._recorder = EndingRecorder(log, root)
        self._ending: EndingModel | None = None
        self._reading = reading
        self._turned_places: list[int] = []
        self._steps: list[Step] = []
        self._question = new_question()
        self._shape = reading.spread.shape or build_plain_shape(len(reading.cards))

    @property
    def logged(self) -> LogResult | None:
        """The notes that were written; None before the end, and where nothing is to be written."""
        return self._recorder.logged

    @property
    def is_begun(self) -> bool:
        """Whether anybody has seen a card."""
        return bool(self._turned_places)

    def sight(self, client: Client) -> PageModel:
        """The spread as all see it."""
        steps = self._steps[client.steps :]
        deck = self._reading.deck.deck
        client.marks.retain_cards([self._reading.cards[at].card.id for at in self._turned_places])
        return PageModel(
            scene=self._scene(),
            deck=deck,
            marks=client.marks,
            question=self._question,
            spread=self._spread_model(),
            ending=self._ending,
            fresh=tuple(
                event.sentence.render(str, lambda card: deck[card].title) for step in steps for event in step.events
            ),
            steps=len(self._steps),
        )

    def obey(self, client: Client, order: OrderData) -> str:  # noqa: ARG002
        """Turn a card, or end it; once it has ended, close the table."""
        if order.get("question") != self._question:
            raise OrderOutdated
        match order["do"]:
            case "turn" if self._ending:
                raise OrderRefused("The reading has ended.")
            case "turn":
                self._turn_card(self._choose_place(order.get("card")))
            case "write-again":
                self._write_again()
            case "finish":
                self.finish()
            case _:
                raise OrderRefused("A reading knows no such order.")
        return ""

    def finish(self) -> None:
        """End the reading and log it, unless nobody has seen a card of it; close the table where it has ended."""
        if self._ending or not self._turned_places:
            self.closed = True
        else:
            self._end()

    def _turn_card(self, place: int) -> None:
        self._turned_places.append(place)
        position, entry = self._reading.positions_with_cards[place]
        card = entry.card.id
        sentence = Sentence("{v0}: the {c0}." if position.name else "The {c0}.", (), (card,), (position.name,))
        event = Event(_CHANCE_ID, sentence, "", (), cards=(card,), reveals=True)
        self._steps.append(Step(len(self._steps) + 1, draw_move(card), (event,), chance=_CHANCE_ID))
        self._question = new_question()
        if len(self._turned_places) == len(self._reading.cards):
            self._end()

    def _choose_place(self, number: object) -> int:
        """The place of the card to be turned, counted from 0; without a number the next one."""
        hidden_places = [place for place in range(len(self._reading.cards)) if place not in self._turned_places]
        if number is None:
            candidates = hidden_places[:1]
        else:
            candidates = [place for place in hidden_places if type(number) is int and place == number - 1]
        if not candidates:
            raise OrderRefused("That card lies open already, or is none of these.")
        return candidates[0]

    def _write_again(self) -> None:
        """Write the missing notes again if writing failed."""
        if self._ending and self._ending.failure:
            self._end()

    def _end(self) -> None:
        self._ending = self._recorder.write()
        self.over = not self._ending.failure
        self._question = new_question()

    def _scene(self) -> Scene:
        """The zones and the news; nobody is asked anything."""
        zones = tuple(map(self._zone, range(len(self._reading.cards))))
        news = tuple((step, event) for step in self._steps for event in step.events)
        return Scene(self._reading.spread.title, (), None, zones, None, (), {}, news, ())

    def _zone(self, place: int) -> Zone:
        position, entry = self._reading.positions_with_cards[place]
        title = Sentence("{v0}", values=(position.name or f"Card {place + 1}",))
        return Zone(title, (entry.card.id,)) if place in self._turned_places else Zone(title, hidden=1)

    def _spread_model(self) -> SpreadModel:
        latest = self._turned_places[-1] + 1 if self._turned_places else 0
        places = tuple(map(self._spread_card, range(len(self._reading.cards))))
        return SpreadModel(self._reading.question, self._shape, places, latest)

    def _spread_card(self, place: int) -> SpreadCard:
        position, entry = self._reading.positions_with_cards[place]
        name = position.name or f"Card {place + 1}"
        if place not in self._turned_places:
            return SpreadCard(place + 1, name, position.meaning)
        return SpreadCard(place + 1, name, position.meaning, entry.card, text_lines(entry.text))


def show_reading(
    reading: Reading, root: Path, log: Callable[[], LogResult] | None, launcher: TableLauncher
) -> LogResult | None:
    """Turn a reading card by card in the browser; what was logged at its end, None where nothing was to be.

    Raises KeyboardInterrupt where the host leaves before anybody has seen a card, and what logging it raises.
    """
    table = ReadingOnTable(reading, root, log)
    launcher.serve(table)
    if not table.is_begun:
        launcher.tell(f"No card was turned, so nothing is written. {reading.repeat_hint}")
        raise KeyboardInterrupt
    if not table.over and log:
        try:
            return log()
        except VaultkitError:
            launcher.tell(reading.repeat_hint)
            raise
    return table.logged
