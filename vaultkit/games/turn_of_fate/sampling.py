"""A whole state out of what one seat knows."""

from vaultkit.games.turn import Pile, Rng
from vaultkit.games.turn_of_fate.state import FateState, FateView, Position
from vaultkit.games.turn_of_fate.turns import is_stuck

TRIES = 20
"""Deals tried for one in which the rival, who is deciding, has not lost the game already."""


def determinize(view: FateView, rng: Rng) -> FateState:
    """A state with the same view for the seat; the rival's hand and both decks are dealt at random."""
    seen = view.seen
    state = _dealt(view, seen, rng)
    if view.to_act == view.rival and not view.citizens_unknown and view.number:
        tries = 1
        while is_stuck(state, view.rival) and tries < TRIES:
            state = _dealt(view, seen, rng)
            tries += 1
    return state


def _dealt(view: FateView, seen: frozenset[str], rng: Rng) -> FateState:
    under, rivals_hand, unknown = _hidden(view, seen, rng)
    hands = [view.hand, rivals_hand]
    position = Position(
        citizens=Pile(_citizens(view, seen), view.citizens_under),
        fates=Pile(unknown, under),
        hands=hands if view.seat == 0 else hands[::-1],
        known=_known(view, seen, rivals_hand, under),
        congregations=list(view.congregations),
        vowed=list(view.vowed),
        tallies=list(view.tallies),
        agora=view.agora,
        removed=view.removed,
        player_1=view.player_1,
        temples=view.temples,
        mover=view.mover,
        number=view.number,
        active=view.active,
        idle=view.idle,
        end=view.end,
    )
    return FateState(view.rules, position, list(view.pending))


def _hidden(view: FateView, seen: frozenset[str], rng: Rng) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The known bottom of the deck, the rival's hand and the rest of the deck.

    What the rival put under the deck bears the seat's own suit, and nothing in the rival's hand does (TF-9).
    """
    facts = view.rules.cards
    barred = facts.bearing[view.temples[view.seat]] if view.temples else frozenset()
    unseen = sorted(fate for fate in facts.fates if fate not in seen)
    rng.shuffle(unseen)
    cycled = [fate for fate in unseen if fate in barred]
    under = tuple(cycled.pop() if card is None else card for card in view.under)
    known = view.hands[view.rival]
    free = [fate for fate in unseen if fate not in barred]
    hand = (*known, *free[: view.hand_sizes[view.rival] - len(known)])
    placed = {*hand, *under}
    return under, hand, tuple(sorted(fate for fate in unseen if fate not in placed))


def _citizens(view: FateView, seen: frozenset[str]) -> tuple[str, ...]:
    """Those who have not come up yet."""
    return tuple(citizen for citizen in view.rules.cards.citizens if citizen not in seen)


def _known(
    view: FateView, seen: frozenset[str], rivals_hand: tuple[str, ...], under: tuple[str, ...]
) -> list[frozenset[str]]:
    """What each of the two has seen: the seat as its view says, the rival what has passed through that hand."""
    own = seen.intersection(view.rules.cards.fates)
    table = own.difference(view.hand, under)
    unseen_under = (card for card, known in zip(under, view.under, strict=True) if known is None)
    rivals = table.union(rivals_hand, unseen_under, view.shown)
    return [own, rivals] if view.seat == 0 else [rivals, own]
