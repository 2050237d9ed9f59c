"""The two rounds: the Fate privilege, then one turn each, to Play or to Risk."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.prophets_gambit.drawing import Discard, Draw, DrawFate, affordable, left_to_draw
from vaultkit.games.prophets_gambit.high_deck import TurnHighCard
from vaultkit.games.prophets_gambit.rules import DECLINE, DRAW, KEEP, PLAY, REPLACE, RISK, ROUNDS, TIES
from vaultkit.games.prophets_gambit.setup import Opening
from vaultkit.games.prophets_gambit.state import Step
from vaultkit.games.turn import Move, Prompt, Turn
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.prophets_gambit.state import GambitState


def tie_order(state: "GambitState") -> tuple[Seat, ...]:
    """The seats in the order that settles every tie, the best first (PG-6)."""
    assert state.at.dealer is not None
    rules, dealer = state.rules, state.at.dealer
    return rules.clockwise(dealer) if rules.says("tie_from", "dealer") else rules.from_left_of(dealer)


def leader(state: "GambitState") -> Seat:
    """Who shows the highest number (PG-2, PG-5); with no number on the table all are tied (PG-4)."""
    return max(tie_order(state), key=lambda seat: _shown(state, seat))


def _shown(state: "GambitState", seat: Seat) -> int:
    """The number that the seat shows, -1 for none."""
    number = state.rules.cards.number[state.top(seat)]
    return -1 if number is None else number


def coming_first(state: "GambitState") -> str:
    """What settles a tie (PG-6), as words that follow a name."""
    place = "dealer" if state.rules.says("tie_from", "dealer") else "dealer's left"
    return f"comes first from the {place}"


def why_leading(state: "GambitState", seat: Seat) -> str:
    """What makes the leader one, as words that follow `{s0}`."""
    first = coming_first(state)
    if _shown(state, seat) < 0:
        return f"{first}, since nobody shows a number,"
    if is_tied(state, seat):
        return f"ties for the highest number, {first}"
    return "shows the highest number"


def is_tied(state: "GambitState", seat: Seat) -> bool:
    """Whether somebody else shows the same number, or none either (PG-4)."""
    return sum(_shown(state, other) == _shown(state, seat) for other in range(state.seats)) > 1


@dataclass(frozen=True, slots=True)
class Round(Step):
    """Round `number`: an opening where every round has one (PG-1), the Fate privilege, and the turns."""

    number: int

    def begin(self, state: "GambitState") -> Turn:
        state.at.round = self.number
        opening = self.number == 1 or state.rules.says("opening", "each-round-deal-7")
        openings = (Opening(tuple(range(state.seats))),) if opening else ()
        state.then(*openings, Lead(), Turns())
        return None


@dataclass(frozen=True, slots=True)
class Lead(Step):
    """Whoever shows the highest number may replace the Fate, and begins (PG-10)."""

    def begin(self, state: "GambitState") -> Turn:
        seat = leader(state)
        state.at.waiting = state.rules.clockwise(seat)
        words = f"Round {{v0}}: {{s0}} {why_leading(state, seat)} and begins, with the {{c0}}."
        rule, cards, values = TIES if is_tied(state, seat) else ROUNDS, (state.top(seat),), (state.at.round,)
        state.tell("round", words, rule, ("PG-4", "PG-6", "PG-10"), seats=(seat,), cards=cards, values=values)
        state.then(Privilege(seat))
        return None


@dataclass(frozen=True, slots=True)
class Privilege(Step):
    """Keep the Fate, or discard it face up for a new one (PG-10); none where no card can be drawn (PG-11)."""

    seat: Seat

    def begin(self, state: "GambitState") -> Turn:
        words = f"{{s0}} {why_leading(state, self.seat)} and begins. {{s0}}, do you keep your Fate or replace it?"
        text = Sentence(words, (self.seat,))
        moves = (KEEP, REPLACE) if affordable(state, 1) else (KEEP,)
        return Prompt(self.seat, text, ROUNDS, ("PG-10", "PG-11"), moves)

    def take(self, state: "GambitState", move: Move) -> None:
        at, seat = state.at, self.seat
        if move == KEEP:
            state.tell("keep", "{s0} keeps the Fate.", ROUNDS, ("PG-10",), seats=(seat,))
            return
        old = at.fates[seat]
        assert old is not None
        at.fates[seat] = None
        at.discard += (old,)
        words = "{s0} discards the {c0} as Fate and takes a new one."
        state.tell("replace", words, ROUNDS, ("PG-10",), seats=(seat,), cards=(old,), reveals=True, notable=True)
        state.then(DrawFate(seat, ROUNDS))


@dataclass(frozen=True, slots=True)
class Turns(Step):
    """The turns of a round that are still to come, one after the other."""

    def begin(self, state: "GambitState") -> Turn:
        at = state.at
        if at.waiting:
            seat, at.waiting = at.waiting[0], at.waiting[1:]
            state.then(OneTurn(seat), self)
        return None


@dataclass(frozen=True, slots=True)
class OneTurn(Step):
    """Play a card, or discard one to Risk the High Deck; a marionette plays what it was told to (PG-28)."""

    seat: Seat

    def begin(self, state: "GambitState") -> Turn:
        at, facts, seat = state.at, state.rules.cards, self.seat
        hand = at.hands[seat]
        if at.forced and at.forced[0] == seat:
            return self._as_told(state, at.forced[1])
        moves = [facts.play[card] for card in hand]
        if len(at.high):
            moves += [facts.risk[card] for card in hand]
        text = Sentence("{s0}, do you play a card, or discard one to risk the High Deck?", (seat,))
        return Prompt(seat, text, ROUNDS, ("PG-8", "PG-13", "PG-14"), tuple(moves))

    def _as_told(self, state: "GambitState", way: str) -> Prompt:
        play, cards = state.rules.cards.play, told_cards(state, self.seat, way)
        words = "{s0}, the {c0} makes you play your {v0} numbered card. Which one?"
        if state.rules.cards.number[cards[0]] is None:
            words = "{s0}, the {c0} makes you play, and you hold no numbered card. Which one?"
        text = Sentence(words, (self.seat,), ("marionette",), (way,))
        return Prompt(self.seat, text, PLAY, ("PG-28",), tuple(play[card] for card in cards))

    def take(self, state: "GambitState", move: Move) -> None:
        seat, card, at = self.seat, move.operands[0], state.at
        if at.forced and at.forced[0] == seat:
            at.forced = None
        if move.verb == "risk":
            state.throw(seat, card)
            words = "{s0} discards the {c0} to risk the High Deck."
            state.tell("risk", words, RISK, ("PG-14",), seats=(seat,), cards=(card,), reveals=True)
            state.then(TurnHighCard(seat))
            return
        state.from_hand(seat, card)
        at.shown[seat] += (card,)
        state.tell("play", "{s0} plays the {c0}.", PLAY, ("PG-5",), seats=(seat,), cards=(card,), reveals=True)
        if may_draw(state, seat, card):
            state.then(MayDraw(seat, card))


def told_cards(state: "GambitState", seat: Seat, way: str) -> tuple[str, ...]:
    """The highest or lowest numbered cards of the hand, or the whole hand if it has none (PG-28)."""
    hand, number = state.at.hands[seat], state.rules.cards.number
    numbers = [value for card in hand if (value := number[card]) is not None]
    if not numbers:
        return hand
    wanted = max(numbers) if way == "highest" else min(numbers)
    return tuple(card for card in hand if number[card] == wanted)


def may_draw(state: "GambitState", seat: Seat, card: str) -> bool:
    """PG-8: a Master, or a number lower than the one that the right neighbour shows; and a card to draw (PG-11)."""
    if not left_to_draw(state):
        return False
    facts = state.rules.cards
    if card in facts.masters:
        return True
    own, right = facts.number[card], facts.number[state.top((seat - 1) % state.seats)]
    return own is not None and right is not None and own < right


@dataclass(frozen=True, slots=True)
class MayDraw(Step):
    """After a play that earns it: draw a card and then discard one, or leave it (PG-9)."""

    seat: Seat
    card: str

    def begin(self, state: "GambitState") -> Turn:
        right = (self.seat - 1) % state.seats
        master = self.card in state.rules.cards.masters
        why = "you have played a Master" if master else "you have played a lower number than {s1} shows"
        text = Sentence(f"{{s0}}, {why}: do you draw a card and then discard one?", (self.seat, right))
        return Prompt(self.seat, text, PLAY, ("PG-8", "PG-9"), (DRAW, DECLINE))

    def take(self, state: "GambitState", move: Move) -> None:
        if move == DRAW:
            state.then(Draw(self.seat), Discard(self.seat, PLAY, ("PG-9",)))
        else:
            state.tell("decline", "{s0} does not draw.", PLAY, ("PG-9",), seats=(self.seat,))
