"""The game of Prophet's Gambit as the registry knows it."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import Game
from vaultkit.games.options import Option, Options
from vaultkit.games.prophets_gambit import sampling, text
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.headings import OF_OPTIONS
from vaultkit.games.prophets_gambit.options import OPTIONS
from vaultkit.games.prophets_gambit.rounds import Round
from vaultkit.games.prophets_gambit.rules import make_rules
from vaultkit.games.prophets_gambit.setup import ChooseDealer
from vaultkit.games.prophets_gambit.state import GambitState, Position
from vaultkit.games.prophets_gambit.step import Step
from vaultkit.games.prophets_gambit.tally import GambitTally
from vaultkit.games.prophets_gambit.view import GambitView
from vaultkit.games.turn import Move, Pile, Rng
from vaultkit.games.words import Event, Outcome, Seat, Sentence, Table, Zone


class ProphetsGambit(Game[GambitView]):
    """Rulings PG-1 to PG-41."""

    id = "prophets-gambit"
    title = "Prophet's Gambit"
    seats = (3, 5)
    deck = "tarokka"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    option_headings: ClassVar[Mapping[str, str]] = OF_OPTIONS
    endings: ClassVar[Mapping[str, str]] = {
        "reveal": "The hands are revealed",
        "donjon": "The Donjon ends it",
        "match": "A match is decided",
    }

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> GambitState:
        _check(seats, options)
        rules = make_rules(seats, options, people, deck)
        position = Position(
            common=Pile(rules.cards.common),
            high=Pile(rules.cards.high),
            hands=[()] * seats,
            fates=[None] * seats,
            shown=[()] * seats,
            kept=[()] * seats,
            known=[frozenset()] * seats,
        )
        return GambitState(rules, position, whole_game())

    def label(self, move: Move) -> Sentence:
        return text.label(move)

    def table(self, view: GambitView) -> tuple[Zone, ...]:
        return text.table(view)

    def determinize(self, view: GambitView, rng: Rng) -> GambitState:
        return sampling.determinize(view, rng)

    def moment(self, event: Event) -> tuple[str, str] | None:
        """What was risked: who turns which card of the High Deck."""
        return ("high-card", event.cards[0]) if event.kind == "high-card" and event.notable else None

    def score_keeping(self) -> GambitTally:
        return GambitTally()

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        return text.score_tables(outcome)


def whole_game() -> list[Step]:
    """All that is to be done, the last step first."""
    return [Reveal(), Execution(), Round(2), Round(1), ChooseDealer()]


def _check(seats: int, options: Options) -> None:
    """Raises UsageError where the cards do not go round, or a dealer is named who does not sit there."""
    fewest, most = ProphetsGambit.seats
    if not fewest <= seats <= most:
        hint = "Add or leave out seats: --seat NAME. For six, 43 Common cards would be needed, and there are 40."
        raise UsageError(f"Prophet's Gambit is for {fewest} to {most} players, not {seats}.", hint=hint)
    if seats == most and options["opening"] == "each-round-deal-7":
        raise UsageError(
            "Seven cards each do not go round at five players (PG-1).",
            hint="Play with three or four, or with --set opening=once.",
        )
    dealer = options["dealer"]
    if isinstance(dealer, int) and dealer >= seats:
        raise UsageError(
            f"There is no seat {dealer} to deal (PG-38).", hint=f"The seats are 0 to {seats - 1}; or dealer=random."
        )
