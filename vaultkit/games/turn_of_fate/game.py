"""The game of Turn of Fate as the registry knows it."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import Game, ShortMemory
from vaultkit.games.options import Option, Options, SwitchOption
from vaultkit.games.turn import Move, Pile, Rng
from vaultkit.games.turn_of_fate import ending, sampling, text
from vaultkit.games.turn_of_fate.ending import ENDINGS
from vaultkit.games.turn_of_fate.facts import OF_OPTIONS, SEATS, Rules, facts
from vaultkit.games.turn_of_fate.setup import first_steps
from vaultkit.games.turn_of_fate.state import FateState, FateView, Position, Tally
from vaultkit.games.turn_of_fate.tally import FateTally
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone

OPTIONS = (
    Option("temples", "TF-1", ("by-card", "chosen", "random"), "How Player 1 comes by a temple."),
    Option("first", "G-2", ("random", 0, 1, "winner-of-last"), "Who is Player 1 and turns up the first Citizen."),
    Option("sailor", "TF-1", ("leaves", "redraw", "choose"), "What the Sailor means as the first Citizen."),
    Option("ace_discard", "TF-18", ("bottom", "removed"), "Where the Ace goes that pays for a wild Crown."),
    Option("introduce", "TF-20", ("one", "refill-to-4", "optional"), "How many Citizens a turn introduces."),
    SwitchOption(
        "special_replace", "TF-21", ("no", "yes"), "Whether another Citizen follows the Bard or the Huntress."
    ),
    Option("tiebreak", "TF-27", ("shared", "temple-count", "underdog"), "Who wins when the scores are level."),
    Option("memory", "TF-28", ("open", "closed"), "Whether the table shows what lies in the Temple piles."),
)


class TurnOfFate(Game[FateState, FateView]):
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

    def outcome(self, state: FateState) -> Outcome | None:
        return ending.outcome(state)

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
