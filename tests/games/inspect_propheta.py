"""Knowledge of Propheta for the conformance suite: hidden cards and invariants."""

from random import Random

from tests.games.permuting import Permutation
from vaultkit.games.propheta import rules
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.propheta.state import Trick
from vaultkit.games.turn import Move


def permute(state: ProphetaState, seat: int, rng: Random) -> ProphetaState:
    """Return a state with all cards that `seat` cannot see dealt anew, including the sealed choices of others."""
    copy, new = state.clone(), Permutation(_hidden(state, seat), rng)
    at = copy.at
    at.hands = [new.cards(hand) for hand in at.hands]
    at.predictions = [new.cards(laid) for laid in at.predictions]
    at.tricks = tuple(trick._replace(cards=new.cards(trick.cards)) for trick in at.tricks)
    at.aside = new.cards(at.aside)
    at.committed = tuple(Move(move.verb, new.cards(move.operands)) if move else None for move in at.committed)
    return ProphetaState(copy.rules, at)


def _hidden(state: ProphetaState, seat: int) -> list[str]:
    others = [owner for owner in range(state.seats) if owner != seat]
    piles = [state.at.hands[owner] for owner in others]
    if not state.at.shown:
        piles += [*(state.at.predictions[owner] for owner in others), state.at.aside]
    if not state.rules.remembers_all:
        piles += [trick.cards for trick in state.at.tricks[:-1]]
    return [card for pile in piles for card in pile]


def sound(state: ProphetaState) -> bool:
    """Return whether every trick went to its winner, and no hand contradicts what was seen of it."""
    rules = state.rules
    return (
        all(
            len(laid) + len(up) <= rules.predictions
            for laid, up in zip(state.at.predictions, state.at.fulfilled, strict=True)
        )
        and (not state.at.tricks or state.at.leader == state.at.tricks[-1].winner)
        and len(state.at.trick) < rules.seats
        and all(trick.winner == _winner(state, trick) for trick in _remembered(state))
        and all(_follows(state, trick) for trick in _remembered(state) if rules.must_follow)
    )


def _remembered(state: ProphetaState) -> tuple[Trick, ...]:
    return state.at.tricks if state.rules.remembers_all else state.at.tricks[-1:]


def _winner(state: ProphetaState, trick: Trick) -> int:
    place = rules.winner_index(trick.cards, state.rules.cards, state.rules.literal)
    return (trick.leader + place) % state.seats


def _follows(state: ProphetaState, trick: Trick) -> bool:
    facts = state.rules.cards
    lead = facts.element[trick.cards[0]]
    return not any(
        facts.element[held] == lead
        for step, card in enumerate(trick.cards)
        if facts.element[card] != lead and card not in facts.numbers
        for held in state.at.hands[(trick.leader + step) % state.seats]
    )
