"""The end of an encounter: all is turned up, the hands are compared, and the cards go where they belong."""

from dataclasses import dataclass

from vaultkit.games.deck_of_destiny.headings import BEST_HAND, ENCOUNTERS, HOW_IT_ENDS, PHASE_1, PHASE_2, PHASE_3
from vaultkit.games.deck_of_destiny.rules import BOARD
from vaultkit.games.deck_of_destiny.state import PLAYER, Best, DestinyState, End, Over, Step, Tie
from vaultkit.games.turn import Chance, Move, Pile, Turn
from vaultkit.games.words import Sentence

MAKES = "{s0} makes"
"""How the sentence begins that names the player's best hand."""
MOST_TIES = 100
"""So many replays of equal hands, and they stay equal: a deck of the GM's own may know nothing else."""


@dataclass(frozen=True, slots=True)
class OpponentShows(Step):
    """DD-13: the opponent's cards are turned up first."""

    def turn(self, state: DestinyState) -> Turn:
        text = Sentence("Which cards does the opponent have?")
        return Chance("opponent", text, ("DD-13", "DD-14"), state.at.veiled, state.rules.strength)

    def take(self, state: DestinyState, move: Move) -> Step:
        cards = move.operands
        state.at = state.at._replace(veiled=state.at.veiled.without(cards), opponent=cards)
        words = "The opponent has {cards}."
        state.tell("opponent", words, PHASE_3, ("DD-13",), cards=cards, reveals=True)
        return Last()


@dataclass(frozen=True, slots=True)
class Last(Step):
    """DD-13: then whatever of the board is still face down; after a tie that is all of it."""

    def turn(self, state: DestinyState) -> Turn:
        count = len(state.at.face_down)
        words = "Which is the last card of the board?" if count == 1 else "Which cards of the board are turned up?"
        return Chance("board", Sentence(words), ("DD-13",), state.at.veiled, count)

    def take(self, state: DestinyState, move: Move) -> Step:
        count = len(move.operands)
        state.turn_up(state.at.face_down, move.operands)
        words = "The last card of the board is the {c0}." if count == 1 else "The new board is {cards}."
        state.tell("board", words, PHASE_3, ("DD-13",), cards=move.operands, reveals=True)
        return compare(state)


def compare(state: DestinyState) -> Step:
    """Both sides always find their best hand (DD-18)."""
    at, rules = state.at, state.rules
    best = Best(*rules.best(at.own, at.shown))
    _tell_best(state, f"{MAKES} {{v0}}: {{cards}}.", best)
    if rules.category is not None:
        won = rules.makes(rules.category, at.own, at.shown)
        return conclude(state, "win" if won else "loss", 3, best)
    against = Best(*rules.best(at.opponent, at.shown))
    _tell_best(state, "The opponent makes {v0}: {cards}.", against)
    if best.value == against.value:
        return _tied(state, best, against)
    return conclude(state, "win" if best.value > against.value else "loss", 3, best, against)


def _tell_best(state: DestinyState, words: str, best: Best) -> None:
    name = state.rules.cards.called(best.value.category)
    rulings = ("DD-5", "DD-16", "DD-18")
    state.tell("hand", words, BEST_HAND, rulings, cards=best.cards, values=(name,), notable=True)


def _tied(state: DestinyState, best: Best, against: Best) -> Step:
    """DD-10: a tie is not won, unless it is, or unless all but one's own cards is dealt anew."""
    rules, at = state.rules, state.at
    if rules.says("tie", "replay") and len(at.ties) < MOST_TIES:
        back = (*at.shown, *at.opponent)
        words = "The hands are equal: the opponent and the board are dealt new cards."
        state.tell("replay", words, HOW_IT_ENDS, ("DD-10",), notable=True)
        state.at = at._replace(
            veiled=Pile((*at.veiled.unknown, *back)),
            board=("",) * BOARD,
            opponent=(),
            ties=(*at.ties, Tie(at.shown, at.opponent)),
        )
        return OpponentShows()
    return conclude(state, "win" if rules.says("tie", "won") else "tie", 3, best, against)


def retreat(state: DestinyState, phase: int) -> Step:
    """DD-12: the encounter ends after this phase; 0 is before the first one (DD-4)."""
    if phase == 0:
        words = "{s0} owns no card, and retreats."
        state.tell("retreat", words, ENCOUNTERS, ("DD-4",), notable=True)
    else:
        rule = PHASE_1 if phase == 1 else PHASE_2
        state.tell("retreat", "{s0} retreats.", rule, ("DD-12",), notable=True)
    return conclude(state, "retreat", phase)


def conclude(
    state: DestinyState, kind: str, phase: int, best: Best | None = None, opponent_best: Best | None = None
) -> Step:
    """DD-3: all that lies on the table goes back to the veiled deck; then a win earns its reward (DD-2)."""
    at, rules = state.at, state.rules
    kept = rules.says(f"keep_on_{kind}", "yes") if kind in {"win", "retreat"} else False
    end = End(kind, phase, at.laid, at.shown, at.opponent, kept, best, opponent_best)
    _tell_fate(state, end)
    own = () if kept else end.own
    state.at = at._replace(
        veiled=Pile((*at.veiled.unknown, *own, *end.board, *end.opponent)),
        inventory=rules.cards.in_order((*at.inventory, *end.own)) if kept else at.inventory,
        laid=((), (), ()),
        board=("",) * BOARD,
        opponent=(),
        end=end,
    )
    return Reward() if kind == "win" and rules.reward else Over()


def _tell_fate(state: DestinyState, end: End) -> None:
    """What becomes of the played cards."""
    if not end.own:
        return
    words = "{s0} loses {cards}, which go back to the veiled deck."
    if end.kept:
        words = "{s0} takes {cards} back."
    elif len(end.own) == 1:
        words = "{s0} loses the {c0}, which goes back to the veiled deck."
    state.tell("fate", words, HOW_IT_ENDS, ("DD-3",), cards=end.own)


@dataclass(frozen=True, slots=True)
class Reward(Step):
    """DD-2: cards from the top of the shuffled veiled deck, as many as there are (G-5)."""

    def turn(self, state: DestinyState) -> Turn:
        veiled = state.at.veiled
        text = Sentence("Which cards does {s0} earn?", (PLAYER,))
        return Chance("reward", text, ("DD-2",), veiled, min(state.rules.reward, len(veiled)), seat=PLAYER)

    def take(self, state: DestinyState, move: Move) -> Step:
        state.draw(move.operands)
        state.at = state.at._replace(reward=move.operands)
        words = "{s0} earns {cards}."
        state.tell("reward", words, HOW_IT_ENDS, ("DD-2",), cards=move.operands, reveals=True, notable=True)
        return Over()
