"""Rules of thumb for Dragon Citadel: win cheaply, keep Crowns for Crown rounds, never end the game with the joker."""

from vaultkit.games.dragon_citadel import CitadelView
from vaultkit.games.turn import Move, Rng
from vaultkit.games.words import Seat

LEAST_BID = 4
"""In competitive play a card below this strength is worth more in the hand than a lost round."""


def choose(view: CitadelView, rng: Rng) -> Move:  # noqa: ARG001
    """The move that the rules of thumb like best; the first of equals."""
    assert view.prompt is not None, "a bot is asked only when it has to decide"
    moves = [move for move in view.prompt.moves if move.verb != "joker"] or list(view.prompt.moves)
    return max(moves, key=lambda move: _worth(move, view))


def _worth(move: Move, view: CitadelView) -> float:
    """How good a move looks; only comparisons within one prompt mean anything."""
    if move.verb in {"play", "bid"}:
        return _answer(move.operands[0], view)
    if move.verb == "crown":
        return 5.0
    if move.verb in {"throw", "show"}:
        return _thrown(move.operands[0], view)
    if move.verb == "forfeit":
        return -_use(int(move.operands[0]), view)
    return 0.0


def _answer(card: str, view: CitadelView) -> float:
    """A card put down for the dealer's: the cheapest that wins, a Crown only where nothing else does."""
    facts, dealt = view.rules.cards, view.dealer_card
    assert dealt is not None, "cards are put down in a round"
    strength = facts.strength[card]
    if facts.round_of(dealt) != "number":
        return 30.0 - _price(card, view) if view.rules.coop or facts.is_hero(dealt) else 20.0 - _price(card, view)
    if strength > facts.strength[dealt]:
        return 40.0 - _price(card, view)
    return 10.0 - strength if view.rules.coop or strength >= LEAST_BID else -1.0


def _price(card: str, view: CitadelView) -> float:
    """What a card is worth in the hand: Crowns and heroes answer Crowns, high numbers win rounds."""
    facts = view.rules.cards
    if facts.is_crown(card):
        return 20.0
    return 15.0 if facts.is_hero(card) else float(facts.strength[card])


def _thrown(card: str, view: CitadelView) -> float:
    """Throw or show just enough: a high number stays in the game, a hero or Crown is too good for that."""
    facts = view.rules.cards
    strength = facts.strength[card]
    return float(strength) if strength < 10 else 5.5 if facts.is_hero(card) else 5.0


def _use(seat: Seat, view: CitadelView) -> float:
    """How much the party would miss a seat: its hand, and the open Crowns that leave with it."""
    return sum(_price(card, view) for card in view.hands[seat]) + 25.0 * len(view.crowns[seat])
