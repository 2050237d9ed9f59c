"""What the conformance suite must know of Dragon Citadel's state: where every card is, and what a seat cannot see."""

from dataclasses import replace
from random import Random
from typing import Any

from vaultkit.games.dragon_citadel.commit import Commit
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.turn import Move, Pile

HEADINGS = {
    "The Cards", "Numbers", "Heroes", "Crowns", "The Seer", "Setting Up", "Number Round", "Hero Round", "Crown Round",
    "Open Crowns", "End of the Round", "Forfeit", "Co-operative Play", "Competitive Play", "Ending the Game",
    "Scoring", "House Rules",
}  # fmt: skip


def census(state: CitadelState) -> list[str]:
    """Every card, wherever it lies."""
    at = state.at
    piles = (*at.hands, *at.crowns, *at.won, at.discard, at.dealer_hand, at.deck.unknown, at.deck.bottom)
    cards = [card for pile in piles for card in pile]
    cards += [card for _, card in (*at.played, *at.covered)]
    return cards + ([at.dealer_card] if at.dealer_card else [])


def permuted(state: CitadelState, seat: int, rng: Random) -> CitadelState:
    """The state with all that `seat` cannot see dealt out anew, sealed cards of others included."""
    copy, at = state.clone(), state.at
    others = () if state.rules.coop else (hand for owner, hand in enumerate(at.hands) if owner != seat)
    hidden = [card for hand in others for card in hand if card not in at.shown]
    hidden += [*at.deck.unknown, *at.dealer_hand]
    shuffled = hidden.copy()
    rng.shuffle(shuffled)
    place = dict(zip(hidden, shuffled, strict=True))

    def moved(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(place.get(card, card) for card in cards)

    copy.at.hands = [
        hand if owner == seat or state.rules.coop else tuple(rng.sample(moved(hand), len(hand)))
        for owner, hand in enumerate(at.hands)
    ]
    copy.at.deck = Pile(moved(at.deck.unknown), at.deck.bottom)
    copy.at.dealer_hand = moved(at.dealer_hand)
    copy.stack = [_resealed(step, seat, moved) for step in copy.stack]
    copy._settle()
    return copy


def _resealed(step: Any, seat: int, moved: Any) -> Any:
    if not isinstance(step, Commit):
        return step
    made = tuple(
        (who, move if who == seat or move is None else Move(move.verb, moved(move.operands))) for who, move in step.made
    )
    return replace(step, made=made)


def sound(state: CitadelState) -> bool:
    """Who is out has no hand, and the joker is never won or kept."""
    at, cards = state.at, state.rules.cards
    return (
        all(len(hand) <= 5 and (seat in at.active or not hand) for seat, hand in enumerate(at.hands))
        and len(at.dealer_hand) <= 5
        and cards.joker not in at.dealer_hand
        and all(cards.is_crown(card) for crowns in at.crowns for card in crowns)
        and all(0 < cards.strength[card] < 11 for won in at.won for card in won)
    )
