"""The setup of positions in the middle of a game of Dragon Citadel, for examples and tests."""

from vaultkit.games.dragon_citadel.dealer import NextRound
from vaultkit.games.dragon_citadel.rules import make_rules
from vaultkit.games.dragon_citadel.state import CitadelPosition, CitadelState
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.turn import Pile, draw_move

HAND_SIZE = 5


def make_round(
    arrangement: Arrangement, forfeited_seats: tuple[int, ...] = (), bottom_cards: tuple[str, ...] = ()
) -> CitadelState:
    """Return the state in which the dealer has just turned the given card of a round, or turns one next.

    The seats in `forfeited_seats` are out. Cards that are given nowhere are in the deck or, if the deck is given, in
    the discard pile. `bottom_cards` are the known cards under the deck.
    """
    seats = range(arrangement.seats)
    hands = [
        arrangement.given_or_dealt_cards("hand", seat, 0 if seat in forfeited_seats else HAND_SIZE) for seat in seats
    ]
    dealer_hand, dealer_cards, undealt_cards = (
        arrangement.cards("dealer hand"),
        arrangement.cards("dealer"),
        arrangement.deal_rest(),
    )
    deck, discard = (arrangement.cards("deck"), undealt_cards) if arrangement.names("deck") else (undealt_cards, ())
    position = CitadelPosition(
        deck=Pile((*(() if dealer_hand else dealer_cards), *deck), bottom_cards),
        hands=hands,
        crowns=arrangement.cards_by_seat("crowns"),
        won=arrangement.cards_by_seat("won"),
        active=tuple(seat for seat in seats if seat not in forfeited_seats),
        discard=discard,
        dealer_hand=dealer_hand,
    )
    state = CitadelState(
        make_rules(arrangement.seats, arrangement.options, arrangement.people, arrangement.deck),
        position,
        [NextRound()],
    )
    if dealer_cards:
        state.apply(draw_move(*dealer_cards))
    return state


ARRANGER = Arranger(("hand", "crowns", "won"), ("dealer", "dealer hand", "deck"), (), make_round)
