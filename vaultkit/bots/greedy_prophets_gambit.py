"""Rules of thumb for Prophet's Gambit: keep the three cards that go best with Fate and Focus, and draw when you may."""

from collections.abc import Sequence
from functools import lru_cache

from vaultkit.games.hands import HandValue, Ranking
from vaultkit.games.prophets_gambit.final_hand import final_value, possible_threes
from vaultkit.games.prophets_gambit.rules import ABOVE_NINE
from vaultkit.games.prophets_gambit.state import GambitView
from vaultkit.games.turn import Move
from vaultkit.games.words import Seat

FOCUS_LIVES = 0.75
"""How much the hand with the Focus counts; the rest goes to the hand that it leaves if it is killed."""

A_DRAW = 0.25
"""The worth of drawing a card, in categories of hands."""

A_RISK, POOR = 0.15, 2.5
"""The worth of a High card to a hand that counts less than `POOR`, such as a pair; better hands avoid the risk."""


def choose(view: GambitView) -> Move:
    """The move that the rules of thumb like best; the first of equals."""
    return max(view.moves, key=lambda move: _worth(move, view))


def _worth(move: Move, view: GambitView) -> float:
    """How good a move looks; only comparisons within one prompt mean anything."""
    match move.verb:
        case "play" | "risk" | "show":
            worth = _turn(move, view)
        case "discard" | "pass" | "offer":
            worth = _own(_without(_hand(view), move.operands), view)
        case "take":
            worth = _own((*_hand(view), move.operands[0]), view)
        case "demand":
            worth = -_left_to_others(move.operands[0], view)
        case "keep":
            worth = _own(_hand(view), view)
        case "replace":
            worth = _new_fate(view)
        case "save":
            worth = _saving(view)
        case "target" | "order":
            worth = _aiming(move, view)
        case _:
            worth = 1.0 if move.verb == "draw-one" else 0.0
    return worth


def _hand(view: GambitView) -> tuple[str, ...]:
    return view.at.hands[view.seat]


def _fate(view: GambitView) -> str | None:
    return view.at.fates[view.seat]


def _scalar(value: HandValue) -> float:
    """A hand as one number: its category counts one each, and its ranks less and less."""
    return value.strength + sum(rank / (ABOVE_NINE + 1.0) ** place for place, rank in enumerate(value.ranks, 1))


def promise(hand: Sequence[str], fate: str | None, focus: str | None, ranking: Ranking) -> float:
    """The best that three of these cards make with this Fate and this Focus, alive or dead."""
    return max([_worth_of_three(three, fate, focus, ranking) for three in possible_threes(hand)])


def _promise(hand: Sequence[str], fate: str | None, view: GambitView) -> float:
    return promise(hand, fate, view.at.focus, view.rules.cards.ranking)


@lru_cache(maxsize=1 << 16)
def _worth_of_three(three: tuple[str, ...], fate: str | None, focus: str | None, ranking: Ranking) -> float:
    """The worth of three cards. It is cached, because most of them come up again with the next move."""
    killed = _scalar(final_value(three, fate, None, ranking))
    alive = killed if focus is None else _scalar(final_value(three, fate, focus, ranking))
    return FOCUS_LIVES * alive + (1 - FOCUS_LIVES) * killed


def _own(hand: Sequence[str], view: GambitView) -> float:
    return _promise(hand, _fate(view), view)


def _without(hand: Sequence[str], cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(card for card in hand if card not in cards)


def _turn(move: Move, view: GambitView) -> float:
    """The worth of the cards left in the hand, and of what the move earns."""
    card = move.operands[0]
    left = _own(_without(_hand(view), (card,)), view)
    if move.verb == "risk":
        return left + (A_RISK if left < POOR else -A_RISK)
    number = view.rules.cards.number[card] or 0
    if move.verb == "play" and _earns_draw(card, view):
        return left + A_DRAW - number / 1000
    return left + number / 1000


def _earns_draw(card: str, view: GambitView) -> bool:
    """Whether a play lets the seat draw (PG-8)."""
    cards = view.rules.cards
    if card in cards.masters:
        return True
    own, right = cards.number[card], cards.number[view.at.shown[view.seat - 1][-1]]
    return own is not None and right is not None and own < right


def _left_to_others(card: str, view: GambitView) -> float:
    """How good a hand that was looked at is without the card."""
    owner = next(seat for seat, hand in enumerate(view.at.hands) if seat != view.seat and card in hand)
    return _promise(_without(view.at.hands[owner], (card,)), view.at.fates[owner] or None, view)


def _new_fate(view: GambitView) -> float:
    """The average worth of a new Fate, drawn from all unseen cards."""
    seen = view.seen
    unseen = [card for card in view.rules.cards.common if card not in seen]
    return sum(_promise(_hand(view), card, view) for card in unseen) / max(1, len(unseen))


def _saving(view: GambitView) -> float:
    """Above 0 if the Focus lifts the own hand into a higher category, which others may not manage."""
    ranking = view.rules.cards.ranking
    alive, killed = (final_value(_hand(view), _fate(view), focus, ranking) for focus in (view.at.focus, None))
    return alive.strength - killed.strength - 0.5


def _aiming(move: Move, view: GambitView) -> float:
    """At whoever shows the highest number; a marionette is made to let go of that lead."""
    target: Seat = int(move.operands[0])
    shown = view.rules.cards.number[view.at.shown[target][-1]] or 0
    return shown + (0.5 if move.operands[1:] == ("lowest",) else 0.0)
