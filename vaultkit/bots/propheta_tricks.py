"""Fast playing of the rest of a deal of Propheta by the rules of thumb, without prompts, views or events."""

from collections.abc import Iterator

from vaultkit.bots.greedy_propheta import best_card_index, claims_of
from vaultkit.bots.propheta_bitsets import index_of
from vaultkit.games.messages import Seat
from vaultkit.games.propheta.deal import ProphetaState, close_deal, turn_up
from vaultkit.games.propheta.rules import common_traits, fulfillable_prophecies, playable_cards, winner_index
from vaultkit.games.propheta.state import PLAY, ProphetaPosition, Trick


def play_on(state: ProphetaState) -> ProphetaState | None:
    """Return the state after the last trick of the deal, or None if no trick is being played.

    `state` must not be used afterwards, because its position is changed.
    """
    if state.at.phase != PLAY:
        return None
    TrickPlayer(state).play()
    return ProphetaState(state.rules, state.at)


class TrickPlayer:
    """A player of the remaining tricks of a deal, for all seats.

    `own` contains the mask of each seat's hand and prophecies, `shown` is the mask of the cards that all players have
    seen and remember.
    """

    def __init__(self, state: ProphetaState) -> None:
        self.at, self.rules, self.cards = state.at, state.rules, state.rules.cards
        self.index = index_of(self.cards, self.rules.literal, self.rules.seats)
        self.own = [
            self.index.mask((*hand, *prophecies)) for hand, prophecies in zip(*self._hands_and_prophecies, strict=True)
        ]
        self.shown = self.index.mask(_find_cards_seen_by_all(self.at, self.rules.remembers_all))

    @property
    def _hands_and_prophecies(self) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        return self.at.hands, self.at.predictions

    def play(self) -> None:
        """Play to the end of the deal, and add up its points."""
        while self.at.hands[self.at.actor]:
            while len(self.at.trick) < self.rules.seats:
                self._put_down()
            self._finish_trick()
        close_deal(self.rules, self.at)

    def _put_down(self) -> None:
        """Put down the best allowed card of the seat that must play next, by the rules of thumb."""
        at, index, seat, trick = self.at, self.index, self.at.actor, self.at.trick
        hand = at.hands[seat]
        allowed_cards = playable_cards(hand, trick[0], self.cards) if trick and self.rules.must_follow else hand
        card = allowed_cards[0]
        if len(allowed_cards) > 1:
            unseen = index.all & ~(self.shown | self.own[seat])
            claims = claims_of(at.predictions[seat], self.cards)
            card = allowed_cards[
                best_card_index(allowed_cards, index[trick], claims, unseen, len(at.hands) - len(trick) - 1)
            ]
        hand_index = hand.index(card)
        at.hands[seat] = hand[:hand_index] + hand[hand_index + 1 :]
        at.trick = (*trick, card)
        at.actor = self.rules.left[seat]
        self.shown |= index.bit[card]
        self.own[seat] &= ~index.bit[card]

    def _finish_trick(self) -> None:
        """Give the full trick to its winner, and turn up the fulfilled prophecies."""
        at, rules, cards = self.at, self.rules, self.at.trick
        seat: Seat = (at.leader + winner_index(cards, self.cards, rules.literal)) % rules.seats
        if not rules.remembers_all and at.tricks:
            self.shown &= ~self.index.mask(at.tricks[-1].cards)
        at.tricks, at.trick = (*at.tricks, Trick(at.leader, cards, seat)), ()
        at.leader = at.actor = seat
        at.shared = common_traits(cards, self.cards)
        if at.shared:
            self._turn_up_prophecies()

    def _turn_up_prophecies(self) -> None:
        """Turn up the most valuable prophecy of each seat that the trick fulfils."""
        at, points = self.at, self.cards.points
        for seat in range(self.rules.seats):
            if cards := fulfillable_prophecies(at.predictions[seat], at.shared, seat == at.leader, self.cards):
                card = max(cards, key=points.__getitem__)
                turn_up(at, seat, card)
                self.shown |= self.index.bit[card]


def _find_cards_seen_by_all(at: ProphetaPosition, all_tricks: bool) -> Iterator[str]:
    yield from at.trick
    for trick in at.tricks if all_tricks else at.tricks[-1:]:
        yield from trick.cards
    for seat in at.fulfilled:
        yield from (prophecy.card for prophecy in seat)
