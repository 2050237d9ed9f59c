"""Rules of thumb for Turn of Fate: vows first, then Citizens that can be kept, and Crowns only for many points."""

from vaultkit.games.turn import Move
from vaultkit.games.turn_of_fate.rules import Stack, worth
from vaultkit.games.turn_of_fate.state import FateView
from vaultkit.games.words import Seat

SURE = 1.0
"""The share of a Citizen's points that a Temple keeps until the end."""
SAFE, LOOSE = 0.9, 0.35
"""The shares of a Citizen's points that a Congregation keeps, if the rival has no Fate or a Fate for its top card."""
DRAWS = 1
"""The number of Fates that the rival may draw before a Citizen is out of danger, besides those in hand."""
CROWN_PRICE = 8.0
"""The points that a Crown must bring beyond its own ten, since it will be good for vows later as well."""
HELD_BACK = 8.0
"""The worth of the second card that a seat draws if it plays no Fate."""
FAVOURITE = {"Wyrms": 4.0, "Leaves": 3.0, "Suns": 2.0, "Moons": 1.0}
"""The worth of each temple, by its results in games between equal players."""
DECISIVE = 1000.0
"""A worth above that of any move that does not end the game."""


def choose(view: FateView) -> Move:
    """Return the move that the rules of thumb like best; the first of equals."""
    return max(view.moves, key=lambda move: _worth(move, view))


def _worth(move: Move, view: FateView) -> float:
    """Return how good a move looks, comparable only within one prompt."""
    assert view.prompt is not None
    if any(move == last for last, _ in view.prompt.ends):
        return DECISIVE if _lead_after(move, view) > 0 else -DECISIVE
    match move.verb:
        case "temple":
            return FAVOURITE[move.operands[0]]
        case "introduce":
            return _newcomer(view)
        case "play" | "wild":
            return _gain(move, view)
        case _:
            return HELD_BACK if _may_draw(view) else 0.0


def _lead_after(move: Move, view: FateView) -> int:
    """Return the seat's final lead after a move that ends the game: a pass, or a vow of the last Citizen."""
    mine, rivals = (_points(view, seat) for seat in (view.seat, 1 - view.seat))
    if move.verb in {"play", "wild"}:
        fate, citizen = move.operands[-2:]
        stack, temple = _stack(view, citizen), view.at.temples[view.seat]
        mine += worth((*stack, fate), temple, view.rules.cards)
        if stack in view.at.congregations[view.seat]:
            mine -= worth(stack, temple, view.rules.cards)
    return mine - rivals


def _points(view: FateView, seat: Seat) -> int:
    stacks = (*view.at.congregations[seat], *view.at.vowed[seat])
    return sum(worth(stack, view.at.temples[seat], view.rules.cards) for stack in stacks)


def _stack(view: FateView, citizen: str) -> Stack:
    return next(stack for stack in view.at.in_play if stack[0] == citizen)


def _may_draw(view: FateView) -> bool:
    """Return whether playing no Fate could bring a card.

    It cannot at the question whether to introduce a Citizen.
    """
    return view.moves[0].verb in {"play", "wild"} and bool(view.at.fates.unknown)


def _gain(move: Move, view: FateView) -> float:
    """Return how far a Fate moves the balance of both players' hopes, less the price of a Crown."""
    *_, fate, citizen = move.operands
    cards, mine, rivals = view.rules.cards, view.at.congregations[view.seat], view.at.congregations[1 - view.seat]
    stack = _stack(view, citizen)
    after = (*stack, fate)
    own, foreign = stack in mine, stack in rivals
    moment = cards.is_moment(fate, stack[-1], own)
    before = 0.0
    if own or foreign:
        before = _hope(stack, view.seat, view) if own else -_hope(stack, 1 - view.seat, view)
    if foreign and not moment:
        return -before - _price(move, view)
    if moment and not foreign:
        return SURE * worth(after, view.at.temples[view.seat], cards) - before - _price(move, view)
    return _hope(after, view.seat, view) - before - _price(move, view)


def _hope(stack: Stack, owner: Seat, view: FateView) -> float:
    """Return the points that a Citizen in a Congregation is likely to bring its owner."""
    danger = _fit(stack[-1], view) if owner == 1 - view.seat else _may_fit(stack[-1], view)
    return (SAFE - (SAFE - LOOSE) * danger) * worth(stack, view.at.temples[owner], view.rules.cards)


def _fit(top: str, view: FateView) -> float:
    """Return 1 if the seat holds a Fate for the card on top, else 0."""
    return float(not view.rules.cards.matching[top].isdisjoint(view.at.hands[view.seat]))


def _may_fit(top: str, view: FateView) -> float:
    """Return the chance that the rival soon holds a Fate for the card on top, out of the unseen Fates."""
    cards, seen = view.rules.cards, view.seen
    fitting, barred = cards.matching[top], cards.bearing[view.at.temples[view.seat]]
    if not fitting.isdisjoint(view.at.hands[1 - view.seat]):
        return 1.0
    unseen = [fate for fate in cards.fates if fate not in seen and fate not in barred]
    others = sum(fate not in fitting for fate in unseen) / max(1, len(unseen))
    return float(1 - others ** (len(view.at.hands[1 - view.seat]) + DRAWS)) if unseen else 0.0


def _price(move: Move, view: FateView) -> float:
    return CROWN_PRICE if move.operands[-2] in view.rules.cards.crowns else 0.0


def _newcomer(view: FateView) -> float:
    """Return a number above 0 unless the Citizens still to come favour the rival's temple."""
    own, rivals = (_coming(view, view.at.temples[seat]) for seat in (view.seat, 1 - view.seat))
    return own - rivals + 0.5


def _coming(view: FateView, temple: str) -> float:
    """Return the points of a temple's own Citizens that have not come up yet."""
    cards, seen = view.rules.cards, view.seen
    coming = (citizen for citizen in cards.citizens if citizen not in seen or citizen in view.at.citizens.bottom)
    return float(sum(worth((citizen,), temple, cards) for citizen in coming if temple in cards.suits[citizen]))
