"""The game of Propheta as the registry knows it."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import Game, ShortMemory
from vaultkit.games.options import Option, Options
from vaultkit.games.propheta import ending, sampling, text
from vaultkit.games.propheta.deal import PHASES
from vaultkit.games.propheta.options import OPTIONS
from vaultkit.games.propheta.rules import OF_OPTIONS, facts, make_rules
from vaultkit.games.propheta.state import ProphetaState, ProphetaView
from vaultkit.games.propheta.tally import ProphetaTally
from vaultkit.games.turn import Move, Rng
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone

CARDS = 48


class Propheta(Game[ProphetaState, ProphetaView]):
    """Rulings VA-1 to VA-23."""

    id = "propheta"
    title = "Propheta"
    seats = (2, 4)
    deck = "astromancy"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    option_headings: ClassVar[Mapping[str, str]] = OF_OPTIONS
    endings: ClassVar[Mapping[str, str]] = {
        "score": "All tricks are played",
        "match": "The target is reached",
        "deals": "All deals are played",
    }
    short_memory = ShortMemory(
        "last-trick", ("led",), ("won", "trick"), "Only the last trick may be looked up (VA-22)."
    )

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> ProphetaState:
        fewest, most = self.seats
        if not fewest <= seats <= most:
            hint = "Add or leave out seats: --seat NAME."
            raise UsageError(f"Propheta is for {fewest} to {most} players, not {seats}.", hint=hint)
        first = options["first"]
        if isinstance(first, int) and first >= seats:
            hint = f"Accepted: random, winner-of-last, or a seat from 0 to {seats - 1} (VA-20)."
            raise UsageError(f"With {seats} players there is no seat {first} to lead first.", hint=hint)
        if len(deck) != CARDS:
            hint = "Correct the deck note (VA-1)."
            raise UsageError(f"Propheta is played with {CARDS} cards; '{deck.title}' has {len(deck)}.", hint=hint)
        return ProphetaState(make_rules(seats, options, people, facts(deck)), PHASES)

    def outcome(self, state: ProphetaState) -> Outcome | None:
        return ending.outcome(state)

    def label(self, move: Move) -> Sentence:
        return text.label(move)

    def table(self, view: ProphetaView) -> tuple[Zone, ...]:
        return text.table(view)

    def determinize(self, view: ProphetaView, rng: Rng) -> ProphetaState:
        return sampling.determinize(view, rng)

    def score_keeping(self) -> ProphetaTally:
        return ProphetaTally()

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        return text.score_tables(outcome)
