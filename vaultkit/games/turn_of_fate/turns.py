"""A turn from beginning to end: play, draw, introduce, and the three ways in which the game is over."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.turn import Move, Prompt, Turn
from vaultkit.games.turn_of_fate.drawing import Draw
from vaultkit.games.turn_of_fate.ends import HOLD_ENDS, IDLE_TURNS, ending_moves, is_stuck, nobody_comes, nobody_left
from vaultkit.games.turn_of_fate.facts import INTRODUCE, PASS
from vaultkit.games.turn_of_fate.headings import PLAYING, YOUR_TURN
from vaultkit.games.turn_of_fate.introducing import introduce, turn_up
from vaultkit.games.turn_of_fate.playing import befall, fate_moves
from vaultkit.games.turn_of_fate.step import Step
from vaultkit.games.words import Sentence

if TYPE_CHECKING:
    from vaultkit.games.turn_of_fate.state import FateState

QUESTIONS = tuple(Sentence("{s0}, which Fate do you play, and on whom?", (seat,)) for seat in (0, 1))


@dataclass(frozen=True, slots=True)
class BeginTurn(Step):
    """The next turn, unless its player can do nothing any more."""

    def begin(self, state: "FateState") -> Turn:
        at = state.at
        if is_stuck(state, at.mover):
            state.finish("no-fate", at.mover)
        else:
            at.number += 1
            at.active = False
            state.then(Play())
        return None


@dataclass(frozen=True, slots=True)
class Play(Step):
    """Step 1: one Fate, or none (TF-11). Always asked: a silent pass would tell the rival that nothing matches."""

    def begin(self, state: "FateState") -> Turn:
        seat = state.at.mover
        moves = (*fate_moves(state, seat), PASS)
        wild = state.at.temples[seat] in state.rules.cards.wild
        rulings = ("TF-11", "TF-12", "TF-18") if wild else ("TF-11", "TF-12")
        return Prompt(
            seat, QUESTIONS[seat], PLAYING, rulings, moves, ask_always=True, ends=ending_moves(state, seat, moves)
        )

    def take(self, state: "FateState", move: Move) -> None:
        at, seat = state.at, state.at.mover
        if move == PASS:
            words = "Turn {v0}: {s0} plays no Fate."
            state.tell("pass", words, YOUR_TURN, ("TF-11",), seats=(seat,), values=(at.number,))
            state.then(Draw(seat, 2), AfterDraw())
            return
        at.active = True
        befall(state, seat, move)
        if nobody_left(state):
            state.finish("nobody-left")
        else:
            state.then(Draw(seat, 1), AfterDraw())


@dataclass(frozen=True, slots=True)
class AfterDraw(Step):
    """The printed end is tested for the mover once more (TF-22)."""

    def begin(self, state: "FateState") -> Turn:
        if is_stuck(state, state.at.mover):
            state.finish("no-fate", state.at.mover)
        else:
            state.then(Introduce())
        return None


@dataclass(frozen=True, slots=True)
class Introduce(Step):
    """Step 4: one new Citizen, as many as make four, or as the player likes (TF-20)."""

    def begin(self, state: "FateState") -> Turn:
        if nobody_comes(state):
            state.then(EndTurn())
            return None
        if state.rules.says("introduce", "optional"):
            seat, last = state.at.mover, state.at.idle and not state.at.active
            text = Sentence("{s0}, do you introduce a new Citizen?", (seat,))
            return Prompt(seat, text, YOUR_TURN, ("TF-20",), (INTRODUCE, PASS), ends=HOLD_ENDS if last else ())
        state.then(TurnUp())
        return None

    def take(self, state: "FateState", move: Move) -> None:
        if move == INTRODUCE:
            state.then(TurnUp())
            return
        state.tell("hold", "{s0} introduces nobody.", YOUR_TURN, ("TF-20",), seats=(state.at.mover,))
        state.then(EndTurn())


@dataclass(frozen=True, slots=True)
class TurnUp(Step):
    """One Citizen is introduced, and another after the Bard or the Huntress where TF-21 says so."""

    def begin(self, state: "FateState") -> Turn:
        return turn_up(state, state.at.mover, ("TF-20", "TF-21"))

    def take(self, state: "FateState", move: Move) -> None:
        at, rules, card = state.at, state.rules, move.operands[0]
        at.citizens = at.citizens.without((card,))
        at.active = True
        introduce(state, card, at.mover)
        replaced = card in rules.cards.specials and rules.says("special_replace", "yes")
        if replaced and len(at.citizens):
            state.then(TurnUp())
        else:
            state.then(Introduce() if rules.says("introduce", "refill-to-4") else EndTurn())


@dataclass(frozen=True, slots=True)
class EndTurn(Step):
    """The game is over if nobody is left (TF-24) or nothing happens any more (TF-23); else the rival is next."""

    def begin(self, state: "FateState") -> Turn:
        at = state.at
        at.idle = 0 if at.active else at.idle + 1
        if nobody_left(state):
            state.finish("nobody-left")
        elif at.idle == IDLE_TURNS:
            state.finish("stalled")
        else:
            at.mover = 1 - at.mover
            state.then(BeginTurn())
        return None
