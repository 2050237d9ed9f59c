"""Positions of Dragon Citadel set up by hand, in the middle of a game."""

from vaultkit.games.arrangement import Arrangement, Arranger
from vaultkit.games.dragon_citadel.dealer import Rounds
from vaultkit.games.dragon_citadel.rules import make_rules
from vaultkit.games.dragon_citadel.state import CitadelPosition, CitadelState
from vaultkit.games.turn import Pile, drawn

HAND = 5


def arrange(laid: Arrangement, out: tuple[int, ...] = (), bottom: tuple[str, ...] = ()) -> CitadelState:
    """Return a round whose card the dealer has just turned, or is about to turn if none is given.

    The seats in `out` have forfeited. All cards that are given nowhere are in the deck; if the deck is given, they were
    discarded earlier. `bottom` are the known cards under the deck.
    """
    seats = range(laid.seats)
    hands = [laid.dealt("hand", seat, 0 if seat in out else HAND) for seat in seats]
    held, turned, rest = laid.cards("dealer hand"), laid.cards("dealer"), laid.rest()
    deck, discard = (laid.cards("deck"), rest) if laid.names("deck") else (rest, ())
    position = CitadelPosition(
        deck=Pile((*(() if held else turned), *deck), bottom),
        hands=hands,
        crowns=laid.each("crowns"),
        won=laid.each("won"),
        active=tuple(seat for seat in seats if seat not in out),
        discard=discard,
        dealer_hand=held,
    )
    state = CitadelState(make_rules(laid.seats, laid.options, laid.people, laid.deck), position, [Rounds()])
    if turned:
        state.apply(drawn(*turned))
    return state


ARRANGER = Arranger(("hand", "crowns", "won"), ("dealer", "dealer hand", "deck"), (), arrange)
