"""Rules of thumb for Turn of Fate: prefer vows, then Citizens that can be kept; play Crowns only for many points."""

from vaultkit.games.messages import Seat
from vaultkit.games.turn import Move
from vaultkit.games.turn_of_fate.rules import Stack, citizen_points
from vaultkit.games.turn_of_fate.state import FateView

VOW_SHARE = 1.0
"""The share of the points of a vowed Citizen that its owner is expected to keep."""
SAFE_SHARE, UNSAFE_SHARE = 0.9, 0.35
"""The expected shares of a Citizen's points in a Congregation, if the rival has no Fate for it, and if it has one."""
RIVAL_DRAW_COUNT = 1
"""The number of Fates that the rival is expected to draw while a Citizen is in danger."""
CROWN_PENALTY = 8.0
"""The points that a Crown must bring besides its own ten, because it can be used for a vow later."""
SECOND_DRAW_BONUS = 8.0
"""The worth of drawing a second card, which a seat may do if it plays no Fate."""
TEMPLE_WORTH = {"Wyrms": 4.0, "Leaves": 3.0, "Suns": 2.0, "Moons": 1.0}
"""The worth of each temple, by its wins in games between equal players."""
DECISIVE_SCORE = 1000.0
"""A worth greater than that of any move that does not end the game."""


def choose(view: FateView) -> Move:
    """Return the move that the rules of thumb like best; the first of equals."""
    return max(view.moves, key=lambda move: _rate_move(move, view))


def _rate_move(move: Move, view: FateView) -> float:
    """Return the worth of a move, which can be compared with other moves of the same prompt."""
    assert view.prompt is not None
    if any(move == last for last, _ in view.prompt.ends):
        return DECISIVE_SCORE if _final_lead(move, view) > 0 else -DECISIVE_SCORE
    match move.verb:
        case "temple":
            return TEMPLE_WORTH[move.operands[0]]
        case "introduce":
            return _rate_introduction(view)
        case "play" | "wild":
            return _rate_fate(move, view)
        case _:
            return SECOND_DRAW_BONUS if _may_draw(view) else 0.0


def _final_lead(move: Move, view: FateView) -> int:
    """Return the seat's final lead in points after a pass or a vow that ends the game."""
    own_points, rival_points = (_sum_points(view, seat) for seat in (view.seat, 1 - view.seat))
    if move.verb in {"play", "wild"}:
        fate, citizen = move.operands[-2:]
        stack, temple = _find_stack(view, citizen), view.at.temples[view.seat]
        own_points += citizen_points((*stack, fate), temple, view.rules.cards)
        if stack in view.at.congregations[view.seat]:
            own_points -= citizen_points(stack, temple, view.rules.cards)
    return own_points - rival_points


def _sum_points(view: FateView, seat: Seat) -> int:
    stacks = (*view.at.congregations[seat], *view.at.vowed[seat])
    return sum(citizen_points(stack, view.at.temples[seat], view.rules.cards) for stack in stacks)


def _find_stack(view: FateView, citizen: str) -> Stack:
    return next(stack for stack in view.at.in_play if stack[0] == citizen)


def _may_draw(view: FateView) -> bool:
    """Return whether the seat may draw a card if it plays no Fate.

    It may not when it is asked whether to introduce a Citizen.
    """
    return view.moves[0].verb in {"play", "wild"} and bool(view.at.fates.unknown)


def _rate_fate(move: Move, view: FateView) -> float:
    """Return how much a Fate improves the seat's expected points compared with the rival's, less a Crown's penalty."""
    *_, fate, citizen = move.operands
    cards = view.rules.cards
    own_stacks = view.at.congregations[view.seat]
    rival_stacks = view.at.congregations[1 - view.seat]
    stack = _find_stack(view, citizen)
    new_stack = (*stack, fate)
    is_own, is_rivals = stack in own_stacks, stack in rival_stacks
    is_moment = cards.is_moment(fate, stack[-1], is_own)
    worth_before = 0.0
    if is_own or is_rivals:
        sign, owner = (1, view.seat) if is_own else (-1, 1 - view.seat)
        worth_before = sign * _expected_points(stack, owner, view)
    worth_before += CROWN_PENALTY if fate in cards.crowns else 0.0
    if is_rivals and not is_moment:
        return -worth_before
    if is_moment and not is_rivals:
        return VOW_SHARE * citizen_points(new_stack, view.at.temples[view.seat], cards) - worth_before
    return _expected_points(new_stack, view.seat, view) - worth_before


def _expected_points(stack: Stack, owner: Seat, view: FateView) -> float:
    """Return the points that a Citizen in a Congregation is expected to bring its owner."""
    chance_of_match = _own_match_chance if owner == 1 - view.seat else _rival_match_chance
    share = SAFE_SHARE - (SAFE_SHARE - UNSAFE_SHARE) * chance_of_match(stack[-1], view)
    return share * citizen_points(stack, view.at.temples[owner], view.rules.cards)


def _own_match_chance(top: str, view: FateView) -> float:
    """Return 1 if the seat holds a Fate that matches the card on top of a stack, else 0."""
    return float(not view.rules.cards.matching[top].isdisjoint(view.at.hands[view.seat]))


def _rival_match_chance(top: str, view: FateView) -> float:
    """Return the chance that the rival holds or soon draws a Fate that matches the card on top of a stack."""
    cards, visible_cards = view.rules.cards, view.seen
    matching_fates, excluded_fates = cards.matching[top], cards.bearing[view.at.temples[view.seat]]
    if not matching_fates.isdisjoint(view.at.hands[1 - view.seat]):
        return 1.0
    unseen = [fate for fate in cards.fates if fate not in visible_cards and fate not in excluded_fates]
    other_share = sum(fate not in matching_fates for fate in unseen) / max(1, len(unseen))
    return float(1 - other_share ** (len(view.at.hands[1 - view.seat]) + RIVAL_DRAW_COUNT)) if unseen else 0.0


def _rate_introduction(view: FateView) -> float:
    """Return the worth of introducing a Citizen, negative if the Citizens still to come favour the rival's temple."""
    own_points, rival_points = (_points_to_come(view, view.at.temples[seat]) for seat in (view.seat, 1 - view.seat))
    return own_points - rival_points + 0.5


def _points_to_come(view: FateView, temple: str) -> float:
    """Return the points of the Citizens of a temple that have not been introduced yet."""
    cards, seen_cards, bottom = view.rules.cards, view.seen, view.at.citizens.bottom
    citizens = (c for c in cards.citizens if temple in cards.suits[c] and (c not in seen_cards or c in bottom))
    return float(sum(citizen_points((citizen,), temple, cards) for citizen in citizens))
