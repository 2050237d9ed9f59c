"""Encounters that begin with an inventory chosen by hand."""

from vaultkit.games.arrangement import Arrangement, Arranger
from vaultkit.games.deck_of_destiny.game import DeckOfDestiny
from vaultkit.games.deck_of_destiny.state import DestinyState
from vaultkit.games.turn import drawn


def _make(laid: Arrangement) -> DestinyState:
    """Return an encounter at its beginning, of a character who owns exactly the cards of the zone `inventory`."""
    owned = laid.cards("inventory")
    state = DeckOfDestiny().new(laid.seats, {**laid.options, "inventory": len(owned)}, laid.deck)
    if owned:
        state.apply(drawn(*owned))
    return state


ARRANGER = Arranger((), ("inventory",), (), _make)
