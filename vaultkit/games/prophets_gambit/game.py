"""The game of Prophet's Gambit as the registry knows it."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import Game
from vaultkit.games.options import Option, Options
from vaultkit.games.prophets_gambit import ending, text
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.rounds import Round
from vaultkit.games.prophets_gambit.rules import OF_OPTIONS, make_rules
from vaultkit.games.prophets_gambit.setup import ChooseDealer
from vaultkit.games.prophets_gambit.state import GambitState, GambitView, Position, Step
from vaultkit.games.prophets_gambit.tally import GambitTally
from vaultkit.games.turn import Move, Pile, Rng
from vaultkit.games.words import Event, Outcome, Seat, Sentence, Table, Zone

OPTIONS = (
    Option("opening", "PG-1", ("once", "each-round-deal-7"), "One opening from six cards, or one a round from seven."),
    Option("master_number", "PG-2", ("none", 10, 0), "The number of a Master, if it has one."),
    Option("master_rank", "PG-3", (10, "low", "none"), "Where a Master stands in a sequence, if it can stand in one."),
    Option("tie_from", "PG-6", ("left-of-dealer", "dealer"), "Where the count begins that settles every tie."),
    Option("tie_compare", "PG-7", ("ranks", "category-only"), "Whether hands of one category compare by their ranks."),
    Option("exhaust", "PG-11", ("reshuffle", "no-draw"), "What happens when the Common Deck is empty."),
    Option("donjon_execution", "PG-20", ("skip", "hold"), "Whether the Focus is judged after the Donjon."),
    Option("innocent", "PG-24", ("literal", "others-only"), "Whether the Innocent's own Risks leave them alone too."),
    Option("marionette", "PG-28", ("at-turn", "immediate"), "When a marionette plays the card it was told to play."),
    Option("ghost", "PG-30", ("any", "top"), "Which cards of the discard pile the Ghost can take."),
    Option("four_card", "PG-36", ("strict", "scaled"), "Whether four cards can be a Family, a Village or a Guild."),
    Option("order", "PG-37", ("seed", "rarity"), "The order of hands as written, or the rarer always higher."),
    Option("dealer", "PG-38", ("random", 0, 1, 2, 3, 4, "winner-of-last"), "Who deals: by lot, a seat, or the winner."),
)


class ProphetsGambit(Game[GambitState, GambitView]):
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

    def outcome(self, state: GambitState) -> Outcome | None:
        return ending.outcome(state)

    def label(self, move: Move) -> Sentence:
        return text.label(move)

    def table(self, view: GambitView) -> tuple[Zone, ...]:
        return text.table(view)

    def determinize(self, view: GambitView, rng: Rng) -> GambitState:
        return determinize(view, rng)

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


def determinize(view: GambitView, rng: Rng) -> GambitState:
    """A state with the same view for the seat; hidden hands, Fates and both decks are dealt at random."""
    cards, seen = view.rules.cards, view.seen
    unseen = [card for card in cards.common if card not in seen]
    rng.shuffle(unseen)
    hands = []
    for known, size in zip(view.hands, view.hand_sizes, strict=True):
        missing = size - len(known)
        hands.append(tuple(sorted((*known, *unseen[:missing]), key=cards.place.__getitem__)))
        del unseen[:missing]
    fates = [
        unseen.pop() if fate is None and dealt else fate for fate, dealt in zip(view.fates, view.dealt, strict=True)
    ]
    known_by: list[frozenset[str]] = [frozenset()] * view.seats
    known_by[view.seat] = view.remembered
    position = Position(
        common=Pile(tuple(sorted(unseen))),
        high=Pile(tuple(card for card in cards.high if card not in seen)),
        hands=hands,
        fates=fates,
        shown=list(view.shown),
        kept=list(view.kept),
        known=known_by,
        dealer=view.dealer,
        round=view.round,
        focus=view.focus,
        discard=view.discard,
        high_discard=view.high_discard,
        turned=view.turned,
        waiting=view.waiting,
        forced=view.forced,
        risks=view.risks,
        reshuffles=view.reshuffles,
        judged=view.judged,
        donjon=view.donjon,
        over=view.over,
    )
    state = GambitState(view.rules, position, [])
    state.stack = [step.unmasked(state, rng) for step in view.pending]
    state.settle()
    return state
