"""The Deck of Destiny as the registry knows it."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import Game
from vaultkit.games.deck_of_destiny import outcome
from vaultkit.games.deck_of_destiny.headings import OF_OPTIONS
from vaultkit.games.deck_of_destiny.options import OPTIONS
from vaultkit.games.deck_of_destiny.outcome import ENDINGS, label, score_tables, table
from vaultkit.games.deck_of_destiny.rules import KINDS, make_rules
from vaultkit.games.deck_of_destiny.setup import first_step
from vaultkit.games.deck_of_destiny.state import DestinyState, DestinyView, Position
from vaultkit.games.deck_of_destiny.tally import DestinyTally
from vaultkit.games.deck_of_destiny.verdict import MAKES
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Move, Pile, Rng
from vaultkit.games.words import Event, Outcome, Seat, Sentence, Table, Zone


class DeckOfDestiny(Game[DestinyState, DestinyView]):
    """Rulings DD-1 to DD-20. One seat, one encounter."""

    id = "deck-of-destiny"
    title = "Deck of Destiny"
    seats = (1, 1)
    deck = "french52"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    option_headings: ClassVar[Mapping[str, str]] = OF_OPTIONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS

    def deck_for(self, options: Options) -> str:
        wanted = str(options["deck"])
        return KINDS.get(wanted, wanted)

    def new(
        self,
        seats: int,
        options: Options,
        deck: Deck,
        people: frozenset[Seat] = frozenset(),  # noqa: ARG002
    ) -> DestinyState:
        if seats != 1:
            hint = "One character faces an encounter alone: give --seat once."
            raise UsageError(f"The Deck of Destiny is for one player, not {seats}.", hint=hint)
        rules = make_rules(options, deck)
        return DestinyState(rules, Position(Pile(rules.cards.ids)), first_step(rules))

    def outcome(self, state: DestinyState) -> Outcome | None:
        return outcome.outcome(state)

    def label(self, move: Move) -> Sentence:
        return label(move)

    def table(self, view: DestinyView) -> tuple[Zone, ...]:
        return table(view)

    def determinize(self, view: DestinyView, rng: Rng) -> DestinyState:  # noqa: ARG002
        """The state itself: nothing in it is hidden but the order of a pile, which is drawn by chance."""
        return DestinyState(view.rules, view.at, view.step)

    def moment(self, event: Event) -> tuple[str, str] | None:
        """The hand that the player makes, and a retreat; which cards were laid says nothing by itself."""
        if event.kind == "hand" and event.sentence.words.startswith(MAKES):
            return f"made {event.sentence.values[0]}", ""
        return ("retreat", "") if event.kind == "retreat" else None

    def score_keeping(self) -> DestinyTally:
        return DestinyTally()

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        return score_tables(outcome)
