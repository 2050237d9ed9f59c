"""What the conformance suite must know of Propheta's state: where every card is, and what a seat cannot see."""

from random import Random

from vaultkit.games.propheta import rules
from vaultkit.games.propheta.state import ProphetaState, Trick

HEADINGS = {
    "The Cards", "Setting Up", "Playing a Trick", "Who Wins a Trick", "Prophecies", "Scoring", "How the Stars Fall",
}  # fmt: skip


def census(state: ProphetaState) -> list[str]:
    """Every card, wherever it lies."""
    tricks = (trick.cards for trick in state.tricks)
    turned_up = ((one.card for one in seat) for seat in state.fulfilled)
    piles = (*state.hands, *state.predictions, *turned_up, *tricks, state.trick, state.aside)
    return [card for pile in piles for card in pile]


def permuted(state: ProphetaState, seat: int, rng: Random) -> ProphetaState:
    """The state with all that `seat` cannot see dealt out anew, sealed choices of others included."""
    copy, hidden = state.clone(), _hidden(state, seat)
    shuffled = hidden.copy()
    rng.shuffle(shuffled)
    place = dict(zip(hidden, shuffled, strict=True))

    def moved(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(place.get(card, card) for card in cards)

    copy.hands = [moved(hand) for hand in state.hands]
    copy.predictions = [moved(laid) for laid in state.predictions]
    copy.tricks = tuple(Trick(trick.leader, moved(trick.cards), trick.winner) for trick in state.tricks)
    copy.aside = moved(state.aside)
    reveal = state.rules.cards.reveal
    copy.committed = tuple(reveal[moved(move.operands)[0]] if move.operands else move for move in state.committed)
    copy._turn = None
    return copy


def _hidden(state: ProphetaState, seat: int) -> list[str]:
    others = [owner for owner in range(state.seats) if owner != seat]
    piles = [state.hands[owner] for owner in others]
    if not state.shown:
        piles += [*(state.predictions[owner] for owner in others), state.aside]
    if not state.rules.remembers_all:
        piles += [trick.cards for trick in state.tricks[:-1]]
    return [card for pile in piles for card in pile]


def sound(state: ProphetaState) -> bool:
    """Every trick has gone where it should, and nobody holds what they have been seen not to hold."""
    rules = state.rules
    return (
        all(
            len(laid) + len(up) <= rules.predictions
            for laid, up in zip(state.predictions, state.fulfilled, strict=True)
        )
        and (not state.tricks or state.leader == state.tricks[-1].winner)
        and len(state.trick) < rules.seats
        and all(trick.winner == _winner(state, trick) for trick in _remembered(state))
        and all(_follows(state, trick) for trick in _remembered(state) if rules.must_follow)
    )


def _remembered(state: ProphetaState) -> tuple[Trick, ...]:
    return state.tricks if state.rules.remembers_all else state.tricks[-1:]


def _winner(state: ProphetaState, trick: Trick) -> int:
    place = rules.winner(trick.cards, state.rules.cards, state.rules.literal)
    return (trick.leader + place) % state.seats


def _follows(state: ProphetaState, trick: Trick) -> bool:
    facts = state.rules.cards
    lead = facts.element[trick.cards[0]]
    return not any(
        facts.element[held] == lead
        for step, card in enumerate(trick.cards)
        if facts.element[card] != lead and card not in facts.numbers
        for held in state.hands[(trick.leader + step) % state.seats]
    )
