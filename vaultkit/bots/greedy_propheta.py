"""Rules of thumb for Propheta: foretell what is likely and dear, then play each card for what it may bring at once."""

from functools import lru_cache

from vaultkit.games.propheta import rules
from vaultkit.games.propheta.deal import ProphetaView
from vaultkit.games.propheta.rules import CONDITIONS, ProphetaCards
from vaultkit.games.turn import Move

OFTEN = {
    2: {"Fire": 0.24, "Earth": 0.32, "Air": 0.24, "Water": 0.26},
    3: {"Fire": 0.05, "Earth": 0.10, "Air": 0.05, "Water": 0.13},
    4: {"Fire": 0.01, "Earth": 0.03, "Air": 0.01, "Water": 0.07},
}
"""How often a trick fulfils each element, by the number of players (VA-23)."""

STEERED = 2.0
"""How much likelier that gets for somebody who plays towards it."""

KEEP = 0.05
"""Points that a step on the ladder of ranks is worth in the hand: of equal cards the lower one goes."""


def choose(view: ProphetaView) -> Move:
    """The move that the rules of thumb like best; the first of equals."""
    assert view.prompt is not None, "a bot is asked only when it has to decide"
    unseen = _all(view.rules.cards) - view.seen
    return max(view.prompt.moves, key=lambda move: _worth(move, view, unseen))


def _worth(move: Move, view: ProphetaView, unseen: frozenset[str]) -> float:
    """How good a move looks; only comparisons within one prompt mean anything."""
    match move.verb:
        case "predict":
            return _foretelling(move.operands[0], view)
        case "play":
            return _playing(move.operands[0], view, unseen)
        case "reveal":
            return float(view.rules.cards.points[move.operands[0]])
    return 0.0


def _foretelling(card: str, view: ProphetaView) -> float:
    """Points times the chance that some trick fulfils it, less what the card would do in the hand."""
    facts = view.rules.cards
    again = 1 + sum(_same_sign(laid, card, facts) for laid in view.at.predictions[view.seat])
    tricks = (view.rules.hand_size - view.rules.predictions) / again
    often = min(1.0, STEERED * OFTEN[view.seats][facts.element[card]])
    chance = 1 - (1 - often * _by_role(card, 1 / view.seats, facts)) ** tricks
    return float(facts.points[card] * chance - KEEP * _rank(card, facts))


def _same_sign(one: str, other: str, facts: ProphetaCards) -> bool:
    return (facts.element[one], facts.modality[one]) == (facts.element[other], facts.modality[other])


def _by_role(card: str, winning: float, facts: ProphetaCards) -> float:
    """The chance of winning or losing the trick as the prophecy demands it."""
    return {"Cardinal": winning, "Fixed": 1 - winning, "Mutable": 1.0}[facts.modality[card]]


def _rank(card: str, facts: ProphetaCards) -> float:
    """How high a card stands when its own element is led, from 0 for the 0 and 1 for a scrap."""
    return float(facts.ladder[facts.element[card]][card] // 4)


def _playing(card: str, view: ProphetaView, unseen: frozenset[str]) -> float:
    """The trick and the best prophecy, each times its chance, less what the card would do later."""
    facts, cards, best = view.rules.cards, (*view.at.trick, card), 0.0
    winning = _winning(cards, unseen, view)
    if shared := rules.common_traits(cards, facts):
        for laid in view.at.predictions[view.seat]:
            if common := shared & CONDITIONS[facts.element[laid]]:
                worth = facts.points[laid] * _by_role(laid, winning, facts)
                best = max(best, worth * _fitting(common, unseen, view.seats - len(cards), facts))
    return winning + best - KEEP * _rank(card, facts)


def _winning(cards: tuple[str, ...], unseen: frozenset[str], view: ProphetaView) -> float:
    """The chance that the last of `cards` wins the trick, if those to come are any of the unseen."""
    facts, literal = view.rules.cards, view.rules.literal
    to_come = view.seats - len(cards)
    if not _leads(cards, facts, literal):
        return 0.0
    beaten_by = unseen & _stronger(cards, facts, literal) if to_come else ()
    return float((1 - len(beaten_by) / len(unseen)) ** to_come)


def _fitting(common: int, unseen: frozenset[str], to_come: int, facts: ProphetaCards) -> float:
    """The chance that each of the cards to come has one of these traits, if they are any of the unseen."""
    return (len(unseen & _sharing(common, facts)) / len(unseen)) ** to_come if to_come else 1.0


@lru_cache(maxsize=8)
def _all(facts: ProphetaCards) -> frozenset[str]:
    return frozenset(facts.ids)


@lru_cache(maxsize=1 << 14)
def _leads(cards: tuple[str, ...], facts: ProphetaCards, literal: bool) -> bool:
    """Whether the last of `cards` wins a trick that ends with it."""
    return rules.winner(cards, facts, literal) == len(cards) - 1


@lru_cache(maxsize=1 << 14)
def _stronger(cards: tuple[str, ...], facts: ProphetaCards, literal: bool) -> frozenset[str]:
    """Every card that would take the trick from the last of `cards`, if it were put down next."""
    last = len(cards) - 1
    return frozenset(card for card in facts.ids if rules.winner((*cards, card), facts, literal) != last)


@lru_cache(maxsize=1 << 12)
def _sharing(common: int, facts: ProphetaCards) -> frozenset[str]:
    """Every card that has one of these traits, at least."""
    return frozenset(card for card in facts.ids if facts.traits[card] & common)
