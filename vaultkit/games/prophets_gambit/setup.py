"""The dealer, the deal, and the opening."""

from dataclasses import dataclass

from vaultkit.games.prophets_gambit.commit import Commit, Question
from vaultkit.games.prophets_gambit.playing import Draw, DrawFate
from vaultkit.games.prophets_gambit.rules import OPENING, SETTING_UP
from vaultkit.games.prophets_gambit.state import GambitState, Step
from vaultkit.games.turn import Chance, Move, Turn
from vaultkit.games.words import Seat, Sentence

FIRST_HAND = {"once": 6, "each-round-deal-7": 7}
"""How many cards each player is dealt, by the option `opening` (PG-1)."""


@dataclass(frozen=True, slots=True)
class ChooseDealer(Step):
    """PG-38, G-2: a seat that was named, or one by lot; the winner of the last game is unknown in a first one."""

    def begin(self, state: GambitState) -> Turn:
        named = state.rules.options["dealer"]
        if isinstance(named, int):
            self._name(state, named)
            return None
        seats = tuple(str(seat) for seat in range(state.seats))
        return Chance("dealer", Sentence("Who deals?"), ("PG-38", "G-2", "G-7"), options=seats)

    def take(self, state: GambitState, move: Move) -> None:
        self._name(state, int(move.operands[0]))

    def _name(self, state: GambitState, seat: Seat) -> None:
        state.at.dealer = seat
        state.tell("dealer", "{s0} deals.", SETTING_UP, ("PG-38", "G-2"), seats=(seat,))
        state.then(TurnFocus(), DealFates(), DealHands())


@dataclass(frozen=True, slots=True)
class TurnFocus(Step):
    """PG-39: whoever sits at the dealer's left turns the Focus; there is nothing to decide."""

    def begin(self, state: GambitState) -> Turn:
        return Chance("focus", Sentence("The Focus is turned."), ("PG-39", "G-7"), pile=state.at.common)

    def take(self, state: GambitState, move: Move) -> None:
        at = state.at
        assert at.dealer is not None
        at.common = at.common.without(move.operands)
        at.focus = move.operands[0]
        left = (at.dealer + 1) % state.seats
        words = "{s0} turns the Focus: the {c0}."
        state.tell("focus", words, SETTING_UP, ("PG-39",), seats=(left,), cards=move.operands, reveals=True)


@dataclass(frozen=True, slots=True)
class DealFates(Step):
    """One card each, face down, from the dealer's left."""

    def begin(self, state: GambitState) -> Turn:
        assert state.at.dealer is not None
        state.then(*(DrawFate(seat, ruling="G-1") for seat in state.rules.from_left_of(state.at.dealer)))
        return None


@dataclass(frozen=True, slots=True)
class DealHands(Step):
    """Six cards each, or seven where every round has an opening (PG-1)."""

    def begin(self, state: GambitState) -> Turn:
        assert state.at.dealer is not None
        count = FIRST_HAND[str(state.rules.options["opening"])]
        seats = state.rules.from_left_of(state.at.dealer)
        state.then(*(Draw(seat, count, "deal", SETTING_UP, "PG-1") for seat in seats))
        return None


@dataclass(frozen=True, slots=True)
class Opening(Commit):
    """Everybody shows a card at the same time (PG-1)."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        show = state.rules.cards.show
        return tuple([show[card] for card in state.at.hands[seat]])

    def question(self, state: GambitState, seat: Seat) -> Question:  # noqa: ARG002
        return Sentence("{s0}, which card do you show, in secret until all have chosen?", (seat,)), OPENING, OPENED

    def conclude(self, state: GambitState, chosen: tuple[tuple[Seat, tuple[str, ...]], ...]) -> None:
        for seat, (card,) in chosen:
            state.from_hand(seat, card)
            state.at.shown[seat] += (card,)
        parts = [f"{{s{place}}} the {{c{place}}}" for place in range(len(chosen))]
        words = f"All show a card: {', '.join(parts)}."
        seats, cards = tuple(seat for seat, _ in chosen), tuple(card for _, (card,) in chosen)
        state.tell("opening", words, OPENING, OPENED, seats=seats, cards=cards, reveals=True)


OPENED = ("PG-1", "G-3")
