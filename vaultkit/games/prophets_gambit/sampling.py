"""A whole state out of what one seat knows."""

from vaultkit.games.prophets_gambit.state import GambitState, Position
from vaultkit.games.prophets_gambit.view import GambitView
from vaultkit.games.turn import Pile, Rng


def determinize(view: GambitView, rng: Rng) -> GambitState:
    """A state with the same view for the seat; hidden hands, Fates and both decks are dealt at random."""
    cards, seen = view.rules.cards, view.seen
    unseen = [card for card in cards.common if card not in seen]
    rng.shuffle(unseen)
    hands = []
    for known, size in zip(view.hands, view.hand_sizes, strict=True):
        missing = size - len(known)
        hands.append(tuple(sorted((*known, *unseen[:missing]), key=cards.place.__getitem__)))
        del unseen[:missing]
    fates = [
        unseen.pop() if fate is None and dealt else fate for fate, dealt in zip(view.fates, view.dealt, strict=True)
    ]
    known_by: list[frozenset[str]] = [frozenset()] * view.seats
    known_by[view.seat] = view.remembered
    position = Position(
        common=Pile(tuple(sorted(unseen))),
        high=Pile(tuple(card for card in cards.high if card not in seen)),
        hands=hands,
        fates=fates,
        shown=list(view.shown),
        kept=list(view.kept),
        known=known_by,
        dealer=view.dealer,
        round=view.round,
        focus=view.focus,
        discard=view.discard,
        high_discard=view.high_discard,
        turned=view.turned,
        waiting=view.waiting,
        forced=view.forced,
        risks=view.risks,
        reshuffles=view.reshuffles,
        judged=view.judged,
        donjon=view.donjon,
        over=view.over,
    )
    state = GambitState(view.rules, position, [])
    state.stack = [step.unmasked(state, rng) for step in view.pending]
    state.settle()
    return state
