"""A whole state out of what one seat knows."""

from vaultkit.games.dragon_citadel.bidding import crown_bidder
from vaultkit.games.dragon_citadel.state import CitadelState, CitadelView, Position
from vaultkit.games.turn import Pile, Rng
from vaultkit.games.words import Seat


def _dealer_hand(view: CitadelView, unseen: list[str]) -> tuple[str, ...]:
    """Taken from `unseen`; never with the joker, which the dealer does not keep (DC-2)."""
    fit = [card for card in unseen if card != view.rules.cards.joker]
    hand = tuple(fit[: view.dealer_hand_size])
    for card in hand:
        unseen.remove(card)
    return hand


def _promised_crowns(view: CitadelView, unseen: list[str]) -> dict[Seat, tuple[str, ...]]:
    """A Crown from `unseen` for a seat that has bid one at auction and shown none (DC-28)."""
    facts = view.rules.cards
    for step in view.pending:
        seat = crown_bidder(step)
        if seat is not None and not any(facts.is_crown(card) for card in view.hands[seat]):
            crown = next(card for card in unseen if facts.is_crown(card))
            unseen.remove(crown)
            return {seat: (crown,)}
    return {}


def determinize(view: CitadelView, rng: Rng) -> CitadelState:
    """A state with the same view for the seat; hidden hands, the dealer's hand and the deck are dealt at random."""
    seen = view.seen
    unseen = sorted(card for card in view.rules.cards.ids if card not in seen)
    rng.shuffle(unseen)
    dealer_hand = _dealer_hand(view, unseen)
    promised = _promised_crowns(view, unseen)
    hands = []
    for seat, (known, size) in enumerate(zip(view.hands, view.hand_sizes, strict=True)):
        held = (*known, *promised.get(seat, ()))
        missing = size - len(held)
        hands.append((*held, *unseen[:missing]))
        del unseen[:missing]
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
