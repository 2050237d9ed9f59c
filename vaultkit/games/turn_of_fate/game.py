"""The game of Turn of Fate as the registry knows it."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import Game, ShortMemory
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Move, Pile, Rng
from vaultkit.games.turn_of_fate import sampling, text
from vaultkit.games.turn_of_fate.ending import ENDINGS
from vaultkit.games.turn_of_fate.facts import SEATS, Rules, facts
from vaultkit.games.turn_of_fate.headings import OF_OPTIONS
from vaultkit.games.turn_of_fate.options import OPTIONS
from vaultkit.games.turn_of_fate.setup import first_steps
from vaultkit.games.turn_of_fate.state import FateState, Position, Tally
from vaultkit.games.turn_of_fate.tally import FateTally
from vaultkit.games.turn_of_fate.view import FateView
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone


class TurnOfFate(Game[FateView]):
    """Rulings TF-1 to TF-32."""

    id = "turn-of-fate"
    title = "Turn of Fate"
    seats = (SEATS, SEATS)
    deck = "decktet"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    option_headings: ClassVar[Mapping[str, str]] = OF_OPTIONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS
    short_memory = ShortMemory(
        "closed", ("play", "wild", "pass"), (), "Only the last two turns may be looked up (TF-28)."
    )
    story = ("play", "wild")

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> FateState:  # noqa: ARG002
        if seats != SEATS:
            raise UsageError(
                f"Turn of Fate is for {SEATS} players, not {seats}.", hint="Add or leave out seats: --seat NAME."
            )
        cards = facts(deck)
        position = Position(
            citizens=Pile(cards.citizens),
            fates=Pile(cards.fates),
            hands=[(), ()],
            known=[frozenset(), frozenset()],
            congregations=[(), ()],
            vowed=[(), ()],
            tallies=[Tally(), Tally()],
        )
        return FateState(Rules(options, cards), position, first_steps())

    def label(self, move: Move) -> Sentence:
        return text.label(move)

    def table(self, view: FateView) -> tuple[Zone, ...]:
        return text.table(view)

    def determinize(self, view: FateView, rng: Rng) -> FateState:
        return sampling.determinize(view, rng)

    def score_keeping(self) -> FateTally:
        return FateTally()

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        return text.score_tables(outcome)
