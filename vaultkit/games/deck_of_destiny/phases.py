"""The three phases: what the player lays, what is turned up, and where one may walk away."""

from dataclasses import dataclass

from vaultkit.games.deck_of_destiny.headings import PHASE_1, PHASE_2, PHASE_3
from vaultkit.games.deck_of_destiny.rules import (
    BOARD,
    DONE,
    FIRST_TURNED,
    MOST_ADDED,
    PROCEED,
    RETREAT,
    TURN_ONE,
    TURN_THREE,
)
from vaultkit.games.deck_of_destiny.state import PLAYER, DestinyState, Step
from vaultkit.games.deck_of_destiny.verdict import Last, OpponentShows, retreat
from vaultkit.games.turn import Chance, Move, Prompt, Turn
from vaultkit.games.words import Sentence

HEADINGS = {1: PHASE_1, 2: PHASE_2, 3: PHASE_3}


@dataclass(frozen=True, slots=True)
class Lay(Step):
    """Phase 1: one card from the inventory."""

    def turn(self, state: DestinyState) -> Turn:
        text = Sentence("Which card does {s0} lay first?", (PLAYER,))
        moves = tuple(map(state.rules.cards.play.__getitem__, state.at.inventory))
        return Prompt(PLAYER, text, PHASE_1, ("DD-3",), moves)

    def take(self, state: DestinyState, move: Move) -> Step:
        state.lay(move.operands[0], 1)
        words = "{s0} lays the {c0}."
        state.tell("lay", words, PHASE_1, ("DD-3",), cards=move.operands, notable=True)
        self._begin(state)
        return PickThree() if state.rules.says("pick_reveal", "yes") else TurnUp(1, tuple(range(FIRST_TURNED)))

    def _begin(self, state: DestinyState) -> None:
        """What is dealt face down, in words; which cards they are is found out when they are turned up."""
        strength = state.rules.strength
        if strength:
            cards = "one card" if strength == 1 else "{v0} cards"
            words = f"The opponent is dealt {cards}, face down, and the board five."
            state.tell("deal", words, PHASE_1, ("DD-14", "DD-17"), values=(strength,))
        else:
            state.tell("deal", "The board is dealt five cards, face down.", PHASE_1, ("DD-17",))


@dataclass(frozen=True, slots=True)
class PickThree(Step):
    """DD-8: the player points at three cards; they are all alike."""

    def turn(self, state: DestinyState) -> Turn:  # noqa: ARG002
        text = Sentence("Which three cards of the board does {s0} turn up?", (PLAYER,))
        return Prompt(PLAYER, text, PHASE_1, ("DD-8",), TURN_THREE)

    def take(self, state: DestinyState, move: Move) -> Step:  # noqa: ARG002
        return TurnUp(1, _places(move))


@dataclass(frozen=True, slots=True)
class PickOne(Step):
    """DD-8: the same for the fourth card."""

    def turn(self, state: DestinyState) -> Turn:
        text = Sentence("Which card of the board does {s0} turn up?", (PLAYER,))
        moves = tuple(TURN_ONE[str(place + 1)] for place in state.at.face_down)
        return Prompt(PLAYER, text, PHASE_2, ("DD-8",), moves)

    def take(self, state: DestinyState, move: Move) -> Step:  # noqa: ARG002
        return TurnUp(2, _places(move))


def _places(move: Move) -> tuple[int, ...]:
    return tuple(int(place) - 1 for place in move.operands)


@dataclass(frozen=True, slots=True)
class TurnUp(Step):
    """Cards of the board are turned up, in phase 1 or 2."""

    phase: int
    places: tuple[int, ...]

    def turn(self, state: DestinyState) -> Turn:
        count = len(self.places)
        words = "Which card of the board is turned up?" if count == 1 else "Which cards of the board are turned up?"
        return Chance("board", Sentence(words), ("DD-8",), state.at.veiled, count)

    def take(self, state: DestinyState, move: Move) -> Step:
        state.turn_up(self.places, move.operands)
        words = "The board shows the {c0}." if len(self.places) == 1 else "The board shows {cards}."
        rule = HEADINGS[self.phase]
        state.tell("board", words, rule, ("DD-8",), cards=move.operands, reveals=True)
        return GoOn(self.phase)


@dataclass(frozen=True, slots=True)
class GoOn(Step):
    """DD-12: go on or retreat, at the end of phases 1 and 2 alone."""

    phase: int

    def turn(self, state: DestinyState) -> Turn:
        last = " This is the last chance to retreat." if self.phase == 2 else ""
        text = Sentence(f"Does {{s0}} go on, or retreat?{last}", (PLAYER,))
        ends = ((RETREAT, self._price(state)),)
        return Prompt(PLAYER, text, HEADINGS[self.phase], ("DD-3", "DD-12"), (PROCEED, RETREAT), ends=ends)

    def _price(self, state: DestinyState) -> Sentence:
        """What a retreat costs (DD-3)."""
        laid = len(state.at.own)
        cards = "the card" if laid == 1 else f"the {laid} cards"
        fate = "come back" if state.rules.says("keep_on_retreat", "yes") else "are lost"
        if laid == 1:
            fate = fate.replace("come", "comes").replace("are", "is")
        return Sentence(f"Retreat: the encounter ends, and {cards} on the table {fate}")

    def take(self, state: DestinyState, move: Move) -> Step:
        if move == RETREAT:
            return retreat(state, self.phase)
        state.tell("proceed", "{s0} goes on.", HEADINGS[self.phase], ("DD-12",))
        return Add(self.phase + 1)


@dataclass(frozen=True, slots=True)
class Add(Step):
    """Phases 2 and 3: cards are added one by one; nothing is turned up before the player is done."""

    phase: int

    def most(self, state: DestinyState) -> int:
        """How many cards may be added in this phase: in the third no more than in the second (DD-6)."""
        return MOST_ADDED if self.phase == 2 else len(state.at.laid[1])

    def turn(self, state: DestinyState) -> Turn:
        at = state.at
        left = min(self.most(state) - len(at.laid[self.phase - 1]), len(at.inventory))
        rulings = ("DD-3", "DD-7") if self.phase == 2 else ("DD-3", "DD-6", "DD-7")
        moves = tuple(map(state.rules.cards.add.__getitem__, at.inventory)) if left else ()
        return Prompt(PLAYER, self._text(left), HEADINGS[self.phase], rulings, (*moves, DONE))

    def _text(self, left: int) -> Sentence:
        if not left:
            return Sentence("{s0} can add no more cards.", (PLAYER,))
        cards = "one card" if left == 1 else f"up to {left} cards"
        return Sentence(f"{{s0}} may add {cards}.", (PLAYER,))

    def take(self, state: DestinyState, move: Move) -> Step:
        rule = HEADINGS[self.phase]
        if move != DONE:
            state.lay(move.operands[0], self.phase)
            rulings = ("DD-3",) if self.phase == 2 else ("DD-3", "DD-6")
            state.tell("add", "{s0} adds the {c0}.", rule, rulings, cards=move.operands)
            return self
        if not state.at.laid[self.phase - 1]:
            state.tell("add", "{s0} adds nothing.", rule, ("DD-6",) if self.phase == 3 else ("DD-7",))
        return self._next(state)

    def _next(self, state: DestinyState) -> Step:
        if self.phase == 3:
            return OpponentShows() if state.rules.strength else Last()
        return PickOne() if state.rules.says("pick_reveal", "yes") else TurnUp(2, (BOARD - 2,))
