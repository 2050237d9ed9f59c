"""The setup of encounters with a given inventory, for examples and tests."""

from vaultkit.games.deck_of_destiny.game import DeckOfDestiny
from vaultkit.games.deck_of_destiny.state import DestinyState
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.turn import draw_move


def _make_encounter(arrangement: Arrangement) -> DestinyState:
    """Return the beginning of an encounter of a character who owns exactly the cards of the zone `inventory`."""
    owned_cards = arrangement.cards("inventory")
    state = DeckOfDestiny().new(
        arrangement.seats, {**arrangement.options, "inventory": len(owned_cards)}, arrangement.deck
    )
    if owned_cards:
        state.apply(draw_move(*owned_cards))
    return state


ARRANGER = Arranger((), ("inventory",), (), _make_encounter)
