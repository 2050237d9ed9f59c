"""A Risk: the top card of the High Deck is turned, carried out in full, and set aside (PG-15)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.prophets_gambit import effects_on_all, effects_on_one, effects_on_self
from vaultkit.games.prophets_gambit.rules import HIGH_DECK, Rules
from vaultkit.games.prophets_gambit.state import Step
from vaultkit.games.turn import Chance, Move, Turn
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.prophets_gambit.state import GambitState


EFFECTS: dict[str, Callable[["GambitState", Seat], None]] = {
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


@dataclass(frozen=True, slots=True)
class TurnHighCard(Step):
    """The top card of the High Deck is turned for `seat`."""

    seat: Seat

    def begin(self, state: "GambitState") -> Turn:
        text = Sentence("{s0} turns the top card of the High Deck.", (self.seat,))
        return Chance("high-card", text, ("PG-13", "PG-15", "G-7"), pile=state.at.high, seat=self.seat)

    def take(self, state: "GambitState", move: Move) -> None:
        at, seat, card = state.at, self.seat, move.operands[0]
        at.high = at.high.without((card,))
        at.turned = card
        at.risks = (*at.risks, (seat, card))
        words, rulings = "{s0} turns the {c0}.", ("PG-15",)
        state.tell("high-card", words, HIGH_DECK, rulings, seats=(seat,), cards=(card,), reveals=True, notable=True)
        _tell_meaning(state, seat, card)
        state.then(SetAside())
        EFFECTS[card](state, seat)


def _tell_meaning(state: "GambitState", seat: Seat, card: str) -> None:
    """What the card asks for, and whom it passes by; nothing of a card that its own Innocent stops (PG-24)."""
    immune = [other for other in range(state.seats) if other not in state.affected(seat)]
    words, stopped = meaning(state.rules, card), seat in immune and card in STOPPED_BY_OWN_INNOCENT
    if words and not stopped:
        state.tell("meaning", words, HIGH_DECK, ("PG-15",), seats=(seat,), cards=(card,))
    for other in immune:
        if leaves_out(card, own=other == seat):
            state.tell("left-out", "{s0} has the Innocent and is left out.", HIGH_DECK, ("PG-24",), seats=(other,))


@dataclass(frozen=True, slots=True)
class SetAside(Step):
    """What was turned goes to the High discard pile, unless somebody keeps it."""

    def begin(self, state: "GambitState") -> Turn:
        at = state.at
        if at.turned is not None:
            at.high_discard = (*at.high_discard, at.turned)
            at.turned = None
        return None


_MEANING = {
    "beast": "The {c0}: everyone discards a card, clockwise from {s0}, then everyone draws one.",
    "darklord": "The {c0}: {s0} looks through another player's hand and picks a card of it to be discarded; "
    "the other draws a new one.",
    "donjon": "The {c0} ends the game: all discard down to three cards. There is no Execution, the Focus is safe.",
    "ghost": "The {c0}: {s0} takes any card of the discard pile into the hand, then discards one.",
    "horseman": "The {c0}: {s0} draws two cards, then discards two of the whole hand.",
    "marionette": "The {c0}: {s0} names a player whose turn is still to come this round; on that turn they must Play "
    "their highest or their lowest number, as {s0} says now.",
    "raven": "The {c0}: everyone chooses a card in secret, then all are passed to the left at the same time.",
    "tempter": "The {c0}: {s0} gives a card to another player and takes one of theirs, unseen.",
}
_UNDER_OPTION = {
    ("donjon", "donjon_execution", "hold"): "The {c0} ends the rounds: all discard down to three cards. "
    "The Execution follows.",
    ("ghost", "ghost", "top"): "The {c0}: {s0} takes the top card of the discard pile into the hand, "
    "then discards one.",
    ("marionette", "marionette", "immediate"): "The {c0}: {s0} names a player whose turn is still to come this round; "
    "they must Play their highest or their lowest number at once, as {s0} says.",
}
_ROUND_THE_TABLE = {"beast", "mists", "raven"}
_AIMED_AT_OTHERS = {"darklord", "marionette", "seer", "tempter"}
STOPPED_BY_OWN_INNOCENT = frozenset({"ghost", "horseman", "tempter"})
"""Those of the explained cards that do nothing where the Innocent's holder turns them (PG-24)."""


def meaning(rules: Rules, card: str) -> str | None:
    """What a High card does under the options in force, `{s0}` having turned it; None where its events say it all."""
    for (named, option, value), words in _UNDER_OPTION.items():
        if named == card and rules.says(option, value):
            return words
    return _MEANING.get(card)


def leaves_out(card: str, *, own: bool) -> bool:
    """Whether a High card passes the Innocent by (PG-24); `own` says that the Innocent's holder turned it."""
    return card in _ROUND_THE_TABLE or (card in _AIMED_AT_OTHERS and not own)
