"""The two rounds: the Fate privilege, then one turn each, to Play or to Risk."""

from collections.abc import Callable
from dataclasses import dataclass

from vaultkit.games.prophets_gambit import effects_on_all, effects_on_one, effects_on_self
from vaultkit.games.prophets_gambit.high_deck import STOPPED_BY_OWN_INNOCENT, SetAside, leaves_out, meaning
from vaultkit.games.prophets_gambit.playing import DrawFate, ForcedTurn, affordable, play_card
from vaultkit.games.prophets_gambit.rules import HIGH_DECK, KEEP, REPLACE, RISK, ROUNDS, TIES
from vaultkit.games.prophets_gambit.setup import Opening
from vaultkit.games.prophets_gambit.state import GambitState, Step, is_tied, leader, why_leading
from vaultkit.games.turn import Chance, Move, Prompt, Turn
from vaultkit.games.words import Seat, Sentence


@dataclass(frozen=True, slots=True)
class Round(Step):
    """Round `number`: an opening where every round has one (PG-1), the Fate privilege, and the turns."""

    number: int

    def begin(self, state: GambitState) -> Turn:
        state.at.round = self.number
        opening = self.number == 1 or state.rules.says("opening", "each-round-deal-7")
        openings = (Opening(tuple(range(state.seats))),) if opening else ()
        state.then(*openings, Lead(), Turns())
        return None


@dataclass(frozen=True, slots=True)
class Lead(Step):
    """Whoever shows the highest number may replace the Fate, and begins (PG-10)."""

    def begin(self, state: GambitState) -> Turn:
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

    def begin(self, state: GambitState) -> Turn:
        words = f"{{s0}} {why_leading(state, self.seat)} and begins. {{s0}}, do you keep your Fate or replace it?"
        text = Sentence(words, (self.seat,))
        moves = (KEEP, REPLACE) if affordable(state, 1) else (KEEP,)
        return Prompt(self.seat, text, ROUNDS, ("PG-10", "PG-11"), moves)

    def take(self, state: GambitState, move: Move) -> None:
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

    def begin(self, state: GambitState) -> Turn:
        at = state.at
        if at.waiting:
            seat, at.waiting = at.waiting[0], at.waiting[1:]
            state.then(OneTurn(seat), self)
        return None


@dataclass(frozen=True, slots=True)
class OneTurn(Step):
    """Play a card, or discard one to Risk the High Deck; a marionette cannot choose (PG-28)."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        at, facts, seat = state.at, state.rules.cards, self.seat
        hand = at.hands[seat]
        if at.forced and at.forced[0] == seat:
            state.then(ForcedTurn(seat))
            return None
        moves = [facts.play[card] for card in hand]
        if len(at.high):
            moves += [facts.risk[card] for card in hand]
        text = Sentence("{s0}, do you play a card, or discard one to risk the High Deck?", (seat,))
        return Prompt(seat, text, ROUNDS, ("PG-8", "PG-13", "PG-14"), tuple(moves))

    def take(self, state: GambitState, move: Move) -> None:
        seat, card = self.seat, move.operands[0]
        if move.verb == "risk":
            state.throw(seat, card)
            words = "{s0} discards the {c0} to risk the High Deck."
            state.tell("risk", words, RISK, ("PG-14",), seats=(seat,), cards=(card,), reveals=True)
            state.then(TurnHighCard(seat))
        else:
            play_card(state, seat, card)


@dataclass(frozen=True, slots=True)
class TurnHighCard(Step):
    """The top card of the High Deck is turned for `seat`."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        text = Sentence("{s0} turns the top card of the High Deck.", (self.seat,))
        return Chance("high-card", text, ("PG-13", "PG-15", "G-7"), pile=state.at.high, seat=self.seat)

    def take(self, state: GambitState, move: Move) -> None:
        at, seat, card = state.at, self.seat, move.operands[0]
        at.high = at.high.without((card,))
        at.turned = card
        at.risks = (*at.risks, (seat, card))
        words, rulings = "{s0} turns the {c0}.", ("PG-15",)
        state.tell("high-card", words, HIGH_DECK, rulings, seats=(seat,), cards=(card,), reveals=True, notable=True)
        _tell_meaning(state, seat, card)
        state.then(SetAside())
        EFFECTS[card](state, seat)


def _tell_meaning(state: GambitState, seat: Seat, card: str) -> None:
    """What the card asks for, and whom it passes by; nothing of a card that its own Innocent stops (PG-24)."""
    immune = [other for other in range(state.seats) if other not in state.affected(seat)]
    words, stopped = meaning(state.rules, card), seat in immune and card in STOPPED_BY_OWN_INNOCENT
    if words and not stopped:
        state.tell("meaning", words, HIGH_DECK, ("PG-15",), seats=(seat,), cards=(card,))
    for other in immune:
        if leaves_out(card, own=other == seat):
            state.tell("left-out", "{s0} has the Innocent and is left out.", HIGH_DECK, ("PG-24",), seats=(other,))


EFFECTS: dict[str, Callable[[GambitState, Seat], None]] = {
    "artifact": effects_on_self.artifact,
    "beast": effects_on_all.beast,
    "broken-one": effects_on_self.broken_one,
    "darklord": effects_on_one.darklord,
    "donjon": effects_on_all.donjon,
    "executioner": effects_on_self.executioner,
    "ghost": effects_on_self.ghost,
    "horseman": effects_on_self.horseman,
    "innocent": effects_on_self.innocent,
    "marionette": effects_on_one.marionette,
    "mists": effects_on_all.mists,
    "raven": effects_on_all.raven,
    "seer": effects_on_one.seer,
    "tempter": effects_on_one.tempter,
}
