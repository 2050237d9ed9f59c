"""Playing a trick: the lead, the cards that follow, and who wins it (VA-4 to VA-11)."""

from functools import lru_cache
from typing import TYPE_CHECKING

from vaultkit.games.propheta import judging, told
from vaultkit.games.propheta.headings import PLAYING
from vaultkit.games.propheta.phase import REVEAL, Phase, Told, operand
from vaultkit.games.propheta.view import Trick
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.propheta.state import ProphetaState

_RULINGS = ("VA-4", "VA-5", "VA-6")


class Play(Phase):
    """One card from every hand, clockwise from the leader."""

    def turn(self, state: "ProphetaState") -> Prompt:
        rules, seat = state.rules, state.actor
        offers, text = rules.cards.play, _question(seat, state.trick[0] if state.trick else None)
        moves = tuple([offers[card] for card in _playable(state)])
        return Prompt(seat, text, PLAYING, _RULINGS, moves, ask_always=rules.must_follow and _has_more(state))

    def take(self, state: "ProphetaState", move: Move) -> Told:
        rules, seat, trick = state.rules, state.actor, state.trick
        card = operand(move, "play")
        if card not in _playable(state):
            raise state.refused(move)
        hand = state.hands[seat]
        place = hand.index(card)
        state.hands[seat] = hand[:place] + hand[place + 1 :]
        state.trick = (*trick, card)
        state.actor = rules.left[seat]
        if not trick:
            return told.led(seat, card, len(state.tricks) + 1, rules.target > 0)
        events = told.played(seat, card)
        return events + _won(state) if len(trick) + 1 == rules.seats else events


def _playable(state: "ProphetaState") -> tuple[str, ...]:
    rules, trick = state.rules, state.trick
    hand = state.hands[state.actor]
    return judging.playable(hand, trick[0], True, rules.cards) if rules.must_follow and trick else hand


def _has_more(state: "ProphetaState") -> bool:
    """Whether a card played without a question would tell the others that the rest of the hand must not be (G-6)."""
    return len(state.hands[state.actor]) > 1 and state.rules.people != {state.actor}


def _won(state: "ProphetaState") -> Told:
    """The trick goes to its winner, who leads the next one, after prophecies have been turned up."""
    rules, cards = state.rules, state.trick
    facts = rules.cards
    place = judging.winner(cards, facts, rules.literal)
    winner = (state.leader + place) % rules.seats
    state.tricks = (*state.tricks, Trick(state.leader, cards, winner))
    state.trick = ()
    state.shared = common = judging.shared(cards, facts)
    state.leader = state.actor = winner
    state.phase = REVEAL
    zero_beat_all = cards[place] in facts.zeros and not facts.scraps.issuperset(cards[:place] + cards[place + 1 :])
    return told.won(winner, cards[place], common, zero_beat_all, rules.target > 0)


@lru_cache(maxsize=1024)
def _question(seat: Seat, lead: str | None) -> Sentence:
    if lead is None:
        return Sentence("{s0} leads: which card?", (seat,))
    return Sentence("{s0}, which card do you play to the {c0}?", (seat,), (lead,))
