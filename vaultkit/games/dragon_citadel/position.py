"""The setup of positions in the middle of a game of Dragon Citadel, for examples and tests."""

from vaultkit.games.dragon_citadel.dealer import Rounds
from vaultkit.games.dragon_citadel.rules import make_rules
from vaultkit.games.dragon_citadel.state import CitadelPosition, CitadelState
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.turn import Pile, draw_move

HAND_SIZE = 5


def arrange(arrangement: Arrangement, out: tuple[int, ...] = (), bottom: tuple[str, ...] = ()) -> CitadelState:
    """Return the state in which the dealer has just turned the given card of a round, or turns one next.

    The seats in `forfeited_seats` are out. Cards that are given nowhere are in the deck or, if the deck is given, in
    the discard pile. `bottom_cards` are the known cards under the deck.
    """
    seats = range(arrangement.seats)
    hands = [arrangement.cards_or_deal("hand", seat, 0 if seat in out else HAND_SIZE) for seat in seats]
    held, dealer_cards, rest = arrangement.cards("dealer hand"), arrangement.cards("dealer"), arrangement.deal_rest()
    deck, discard = (arrangement.cards("deck"), rest) if arrangement.names("deck") else (rest, ())
    position = CitadelPosition(
        deck=Pile((*(() if held else dealer_cards), *deck), bottom),
        hands=hands,
        crowns=arrangement.cards_by_seat("crowns"),
        won=arrangement.cards_by_seat("won"),
        active=tuple(seat for seat in seats if seat not in out),
        discard=discard,
        dealer_hand=held,
    )
    state = CitadelState(
        make_rules(arrangement.seats, arrangement.options, arrangement.people, arrangement.deck), position, [Rounds()]
    )
    if dealer_cards:
        state.apply(draw_move(*dealer_cards))
    return state


ARRANGER = Arranger(("hand", "crowns", "won"), ("dealer", "dealer hand", "deck"), (), arrange)
