"""Whether one card beats the dealer's number, and who collects what."""

from vaultkit.games.dragon_citadel.rules import NUMBER
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.words import Seat


def resolve(state: CitadelState, seat: Seat, card: str) -> None:
    """The seat answers the dealer's number with `card`: DC-8, DC-9; a player's hero only wins (DC-14)."""
    at, facts = state.at, state.rules.cards
    dealt = state.dealt
    if facts.strength[card] < facts.strength[dealt]:
        state.lay(seat, card)
        words = "{s0} answers the {c0} with the {c1}. It is lower: the round is lost, without penalty."
        state.tell("lost", words, NUMBER, ("DC-9",), seats=(seat,), cards=(dealt, card))
        return
    state.from_hand(seat, card)
    at.dealer_card = None
    if facts.is_crown(card):
        at.won[seat] += (dealt,)
        at.crowns[seat] += (card,)
        words = "{s0} wins the {c0} with the {c1}, which now lies open."
    else:
        at.won[seat] += (dealt, card)
        words = "{s0} wins the {c0} with the {c1}."
    hero, hidden = facts.is_hero(card), not state.rules.coop and card not in at.shown
    rulings, cards = ("DC-8", "DC-14"), (dealt, card)
    state.tell("won", words, NUMBER, rulings, seats=(seat,), cards=cards, reveals=hidden, notable=hero)
