"""Rules of thumb for Turn of Fate: vows first, then whoever can be kept, and Crowns and Aces not for small change."""

from vaultkit.games.turn import Move, Rng
from vaultkit.games.turn_of_fate import FateView
from vaultkit.games.turn_of_fate.facts import Stack
from vaultkit.games.turn_of_fate.scoring import worth
from vaultkit.games.words import Seat

SURE = 1.0
"""How much of a Citizen's points a Temple keeps until the end."""
LOCKED = 0.9
"""The same of a Congregation, where the card on top shows the own suit only: no more than a wild Crown can match it."""
LOOSE = 0.6
CROWN_PRICE = 8.0
"""Points that a Crown must bring beyond its own ten, since it will be good for vows later as well."""
ACE_PRICE = 3.0
HELD_BACK = 4.0
"""What the second card is worth that is drawn for not playing."""
FAVOURITE = {"Wyrms": 4.0, "Leaves": 3.0, "Suns": 2.0, "Moons": 1.0}
"""The temples as they fared in games between equals."""


def choose(view: FateView, rng: Rng) -> Move:  # noqa: ARG001
    """The move that the rules of thumb like best; the first of equals."""
    assert view.prompt is not None, "a bot is asked only when it has to decide"
    return max(view.prompt.moves, key=lambda move: _worth(move, view))


def _worth(move: Move, view: FateView) -> float:
    """How good a move looks; only comparisons within one prompt mean anything."""
    match move.verb:
        case "temple":
            return FAVOURITE[move.operands[0]]
        case "introduce":
            return _newcomer(view)
        case "play" | "wild":
            return _gain(move, view)
        case _:
            return HELD_BACK if _may_draw(view) else 0.0


def _may_draw(view: FateView) -> bool:
    """Whether holding back could bring a card; not at the question whether to introduce somebody."""
    assert view.prompt is not None
    return view.prompt.moves[0].verb in {"play", "wild"} and bool(view.fates_unknown)


def _gain(move: Move, view: FateView) -> float:
    """What a Fate changes in the balance of both players' hopes, less what its cards might still have done."""
    *_, fate, citizen = move.operands
    facts, mine, rivals = view.rules.cards, view.congregations[view.seat], view.congregations[view.rival]
    stack = next(stack for stack in view.in_play if stack[0] == citizen)
    after = (*stack, fate)
    own, foreign = stack in mine, stack in rivals
    moment = facts.is_moment(fate, stack[-1], own)
    before = _hope(stack, view.seat, view) if own else -_hope(stack, view.rival, view) if foreign else 0.0
    if foreign and not moment:
        return -before - _price(move, view)
    if moment and not foreign:
        return SURE * worth(after, view.temples[view.seat], facts) - before - _price(move, view)
    return _hope(after, view.seat, view) - before - _price(move, view)


def _hope(stack: Stack, owner: Seat, view: FateView) -> float:
    """What a Citizen in a Congregation is likely to bring its owner in the end."""
    facts, temple = view.rules.cards, view.temples[owner]
    locked = facts.suits[stack[-1]] == (temple,)
    return (LOCKED if locked else LOOSE) * worth(stack, temple, facts)


def _price(move: Move, view: FateView) -> float:
    facts = view.rules.cards
    spent = move.operands[:-1]
    return sum(CROWN_PRICE if card in facts.crowns else ACE_PRICE if card in facts.aces else 0.0 for card in spent)


def _newcomer(view: FateView) -> float:
    """Above 0 unless the Citizens who are still to come lean to the rival's temple."""
    own, rivals = (_coming(view, view.temples[seat]) for seat in (view.seat, view.rival))
    return own - rivals + 0.5


def _coming(view: FateView, temple: str) -> float:
    """The points of a temple's own Citizens who have not come up yet."""
    facts, seen = view.rules.cards, view.seen
    coming = (citizen for citizen in facts.citizens if citizen not in seen or citizen in view.citizens_under)
    return float(sum(worth((citizen,), temple, facts) for citizen in coming if temple in facts.suits[citizen]))
