"""Positions of Propheta between two tricks, for examples and tests."""

from vaultkit.games.arrangement import Arrangement, Arranger
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.propheta.rules import make_rules
from vaultkit.games.propheta.state import PLAY, ProphetaPosition


def _make(laid: Arrangement) -> ProphetaState:
    """Build a game in which the seat whose turn it is leads a trick.

    All hands get the size of the largest one in the setup; cards that lie nowhere are set aside.
    """
    seats, leader = range(laid.seats), laid.turn or 0
    rules = make_rules(laid.seats, laid.options, laid.people, laid.deck)
    size = max(map(len, laid.each("hand")))
    hands = [rules.cards.in_order(laid.dealt("hand", seat, size)) for seat in seats]
    predictions = [rules.cards.in_order(cards) for cards in laid.each("prophecies")]
    aside = laid.rest()
    at = ProphetaPosition(hands, predictions, [()] * laid.seats, aside, leader, PLAY, leader, leader)
    return ProphetaState(rules, at)


ARRANGER = Arranger(("hand", "prophecies"), (), (), _make)
