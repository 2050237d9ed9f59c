"""The value of the hand that a player reveals: three hand cards, the Fate, and the Focus unless it was killed."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from vaultkit.games.hands import HandRanking, HandValue
from vaultkit.games.prophets_gambit.rules import HAND_SIZE, cards_by_order
from vaultkit.games.prophets_gambit.state import GambitView


def final_value(hand: Sequence[str], fate: str | None, focus: str | None, ranking: HandRanking) -> HandValue:
    """Return the value of the revealed hand; pass None for a Fate that is not dealt or a Focus that was killed."""
    return ranking.value([*hand, *(card for card in (fate, focus) if card is not None)])


def remaining_hands(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Return all hands of three that can be left of a hand; the whole hand if it has fewer cards."""
    return combinations(hand, min(HAND_SIZE, len(hand)))


def best_final_value(
    view: GambitView, hand: Sequence[str] | None = None, *, has_focus: bool = True
) -> HandValue | None:
    """Return the value of the best hand that the viewer can still reveal without another card.

    `hand` stands in for the viewer's hand unless it is None. A marionette loses the card that it must play (PG-28). The
    result is None before any card is dealt.
    """
    at, cards = view.at, view.rules.cards
    hand_cards = tuple(at.hands[view.seat] if hand is None else hand)
    fate, focus = at.fates[view.seat], at.focus if has_focus else None
    if not hand_cards and fate is None:
        return None
    forced = at.forced if at.forced and at.forced[0] == view.seat else None
    forced_cards = cards_by_order(hand_cards, forced[1], cards) if forced else ()
    hands_after_order = [tuple(card for card in hand_cards if card != forced_card) for forced_card in forced_cards] or [
        hand_cards
    ]
    return max(
        final_value(three, fate, focus, cards.ranking)
        for hand_after_order in hands_after_order
        for three in remaining_hands(hand_after_order)
    )
