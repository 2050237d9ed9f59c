"""Knowledge of Dragon Citadel for the conformance suite: hidden cards and invariants."""

from random import Random

from tests.games.permuting import Permutation
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.turn import Pile


def permute(state: CitadelState, seat: int, rng: Random) -> CitadelState:
    """Return a state with all cards that `seat` cannot see dealt anew, including the sealed cards of others."""
    copy, at, coop = state.clone(), state.at, state.rules.coop
    others = () if coop else (hand for owner, hand in enumerate(at.hands) if owner != seat)
    hidden = [card for hand in others for card in hand if card not in at.shown]
    new = Permutation([*hidden, *at.deck.unknown, *at.dealer_hand], rng)
    copy.at.hands = [
        hand if owner == seat or coop else tuple(rng.sample(new.cards(hand), len(hand)))
        for owner, hand in enumerate(at.hands)
    ]
    copy.at.deck = Pile(new.cards(at.deck.unknown), at.deck.bottom)
    copy.at.dealer_hand = new.cards(at.dealer_hand)
    copy.stack = copy.stack if coop else [new.resealed(task, seat) for task in copy.stack]
    copy.run_until_turn()
    return copy


def sound(state: CitadelState) -> bool:
    """Return whether the invariants hold.

    Seats that are out hold no hand, jokers are neither won nor kept, and passes show the truth (DC-40).
    """
    at, cards = state.at, state.rules.cards
    return (
        all(len(hand) <= 5 and (seat in at.active or not hand) for seat, hand in enumerate(at.hands))
        and len(at.dealer_hand) <= 5
        and cards.joker not in at.dealer_hand
        and all(len(lack.cards.intersection(at.hands[lack.seat])) <= lack.drawn for lack in at.lacks)
        and all(cards.is_crown(card) for crowns in at.crowns for card in crowns)
        and all(0 < cards.strength[card] < 11 for won in at.won for card in won)
    )
