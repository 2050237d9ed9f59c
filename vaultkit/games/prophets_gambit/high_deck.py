"""What a High card asks for, in a line told when it is turned, and where the card goes after that (PG-15)."""

from dataclasses import dataclass

from vaultkit.games.prophets_gambit.rules import Rules
from vaultkit.games.prophets_gambit.state import GambitState, Step
from vaultkit.games.turn import Turn


@dataclass(frozen=True, slots=True)
class SetAside(Step):
    """What was turned goes to the High discard pile, unless somebody keeps it."""

    def begin(self, state: GambitState) -> Turn:
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
