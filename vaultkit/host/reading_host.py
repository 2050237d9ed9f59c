"""A reading on the table: face down, turned card by card, and logged once when it ends."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.reading import Reading, text_lines
from vaultkit.compendium.spreads import build_plain_shape
from vaultkit.games.messages import Sentence, Zone
from vaultkit.host.ending import EndingRecorder
from vaultkit.host.interface import Host
from vaultkit.host.orders import Order, OrderRefused, TurnCard, Viewer
from vaultkit.host.view_state import SpreadCard, SpreadModel, ViewState
from vaultkit.scene.scene import Scene
from vaultkit.text import format_count


class ReadingHost(Host):
    """A reading, with the cards of it that lie open.

    `log` writes down what lies open at the end; None where that is not wished.
    """

    def __init__(self, reading: Reading, root: Path, log: Callable[[Reading], LogResult] | None) -> None:
        super().__init__(EndingRecorder(log and (lambda: log(self.open_reading)), root))
        self._reading = reading
        self._turned_places: list[int] = []
        self._news: list[Sentence] = []
        self._shape = reading.spread.shape or build_plain_shape(len(reading.cards))
        positions = enumerate((position for position, _ in reading.positions_with_cards), 1)
        self._places = [SpreadCard(at, each.name or f"Card {at}", each.meaning) for at, each in positions]

    @property
    def open_reading(self) -> Reading:
        """The reading with the cards that lie open; nobody has seen the others."""
        return self._reading.limit_to(self._turned_places)

    @property
    def is_begun(self) -> bool:
        """Whether anybody has seen a card."""
        return bool(self._turned_places)

    def view(self, viewer: Viewer) -> ViewState:  # noqa: ARG002
        """Return the spread as everybody sees it."""
        latest = self._turned_places[-1] + 1 if self._turned_places else 0
        return ViewState(
            scene=self._scene(),
            deck=self._reading.deck.deck,
            question=self._question,
            spread=SpreadModel(self._reading.question, self._shape, tuple(self._places), latest),
            ending=self._ending,
            news=self._news,
        )

    def _obey(self, viewer: Viewer, order: Order) -> None:  # noqa: ARG002
        match order.action:
            case TurnCard() if self._ending:
                raise OrderRefused("The reading has ended.")
            case TurnCard(place):
                self._turn_card(self._choose_place(place))
            case _:
                raise OrderRefused("A reading does not know this order.")

    @property
    def _is_complete(self) -> bool:
        return self.is_begun

    def _warn_of_end(self) -> Sentence | None:
        count = len(self._reading.cards) - len(self._turned_places)
        end = "; only turned cards are written down" if self._recorder.log else ""
        return Sentence(f"{{v0}} still face down{end}.", values=(format_count(count, "card"),))

    def _turn_card(self, place: int) -> None:
        self._turned_places.append(place)
        position, entry = self._reading.positions_with_cards[place]
        self._places[place] = replace(self._places[place], card=entry.card, lines=text_lines(entry.text))
        words = "{v0}: the {c0}." if position.name else "The {c0}."
        self._news.append(Sentence(words, (), (entry.card.id,), (position.name,)))
        self._renew_question()
        if len(self._turned_places) == len(self._reading.cards):
            self._end()

    def _choose_place(self, number: int | None) -> int:
        """Return the index of the card to turn over; without a number, of the next one."""
        hidden_places = [place for place in range(len(self._reading.cards)) if place not in self._turned_places]
        candidates = hidden_places[:1] if number is None else [place for place in hidden_places if place == number - 1]
        if not candidates:
            raise OrderRefused("That card is face up already, or not one of these.")
        return candidates[0]

    def _scene(self) -> Scene:
        """Return the zones; nobody is asked anything."""
        zones = tuple(map(self._zone, range(len(self._reading.cards))))
        return Scene(self._reading.spread.title, (), None, zones, None, (), {}, (), ())

    def _zone(self, place: int) -> Zone:
        title, card = Sentence("{v0}", values=(self._places[place].name,)), self._places[place].card
        return Zone(title, (card.id,)) if card else Zone(title, hidden=1)
