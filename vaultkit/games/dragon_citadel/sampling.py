"""A whole state out of what one seat knows."""

from vaultkit.games.dragon_citadel.state import CitadelState, Position
from vaultkit.games.dragon_citadel.view import CitadelView
from vaultkit.games.turn import Pile, Rng


def determinize(view: CitadelView, rng: Rng) -> CitadelState:
    """A state with the same view for the seat; hidden hands, the dealer's hand and the deck are dealt at random."""
    seen = view.seen
    unseen = sorted(card for card in view.rules.cards.ids if card not in seen)
    rng.shuffle(unseen)
    hands = []
    for known, size in zip(view.hands, view.hand_sizes, strict=True):
        missing = size - len(known)
        hands.append((*known, *unseen[:missing]))
        del unseen[:missing]
    dealer_hand = tuple(unseen[: view.dealer_hand_size])
    del unseen[: view.dealer_hand_size]
    position = Position(
        deck=Pile(tuple(sorted(unseen)), view.bottom),
        hands=hands,
        crowns=list(view.crowns),
        won=list(view.won),
        active=view.active,
        discard=view.discard,
        dealer_hand=dealer_hand,
        dealer_card=view.dealer_card,
        played=view.played,
        covered=view.covered,
        shown=view.shown,
        rounds=view.rounds,
        forfeits=view.forfeits,
        end=view.end,
    )
    state = CitadelState(view.rules, position, list(view.pending))
    state.stack = [step.unmasked(state, rng) for step in state.stack]
    return state
