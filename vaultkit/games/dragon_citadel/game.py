"""The game of Dragon Citadel as the registry knows it."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import Game
from vaultkit.games.dragon_citadel import ending, sampling, text
from vaultkit.games.dragon_citadel.dealer import first_steps
from vaultkit.games.dragon_citadel.ending import ENDINGS
from vaultkit.games.dragon_citadel.options import OPTIONS
from vaultkit.games.dragon_citadel.rules import OF_OPTIONS, facts, make_rules
from vaultkit.games.dragon_citadel.state import CitadelState, CitadelView, Position
from vaultkit.games.dragon_citadel.tally import CitadelTally
from vaultkit.games.options import Option, Options
from vaultkit.games.turn import Move, Pile, Rng
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone


class DragonCitadel(Game[CitadelState, CitadelView]):
    """Rulings DC-1 to DC-39."""

    id = "dragon-citadel"
    title = "Dragon Citadel"
    seats = (2, 7)
    deck = "tarokka"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    option_headings: ClassVar[Mapping[str, str]] = OF_OPTIONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> CitadelState:
        fewest, most = int(options["min_players"]), self.seats[1]
        if not fewest <= seats <= most:
            hint = "Two may play with --set min_players=2." if seats == 2 else "Add or leave out seats: --seat NAME."
            raise UsageError(f"Dragon Citadel is for {fewest} to {most} players, not {seats} (DC-3).", hint=hint)
        cards = facts(deck, str(options["joker"]))
        rules = make_rules(seats, options, people, cards)
        empty: list[tuple[str, ...]] = [() for _ in range(seats)]
        position = Position(Pile(cards.ids), empty.copy(), empty.copy(), empty.copy(), tuple(range(seats)))
        return CitadelState(rules, position, first_steps(seats, rules.dealer_has_hand))

    def outcome(self, state: CitadelState) -> Outcome | None:
        return ending.outcome(state)

    def label(self, move: Move) -> Sentence:
        return text.label(move)

    def table(self, view: CitadelView) -> tuple[Zone, ...]:
        return text.table(view)

    def determinize(self, view: CitadelView, rng: Rng) -> CitadelState:
        return sampling.determinize(view, rng)

    def score_keeping(self) -> CitadelTally:
        return CitadelTally()

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        return text.score_tables(outcome)
