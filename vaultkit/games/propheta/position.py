"""The setup of positions of Propheta between two tricks, for examples and tests."""

from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.propheta.rules import make_rules
from vaultkit.games.propheta.state import PLAY, ProphetaPosition


def _make_state(setup: Arrangement) -> ProphetaState:
    """Return the state in which the seat whose turn it is leads a trick.

    All hands are filled to the size of the largest one in the setup; cards that are left over are set aside.
    """
    seats, leader = range(setup.seats), setup.turn or 0
    rules = make_rules(setup.seats, setup.options, setup.people, setup.deck)
    hand_size = max(map(len, setup.cards_by_seat("hand")))
    hands = [rules.cards.sort_cards(setup.given_or_dealt_cards("hand", seat, hand_size)) for seat in seats]
    predictions = [rules.cards.sort_cards(cards) for cards in setup.cards_by_seat("prophecies")]
    aside_cards = setup.deal_rest()
    at = ProphetaPosition(hands, predictions, [()] * setup.seats, aside_cards, leader, PLAY, leader, leader)
    return ProphetaState(rules, at)


ARRANGER = Arranger(("hand", "prophecies"), (), (), _make_state)
