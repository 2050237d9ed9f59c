"""Rules of thumb for Dragon Citadel: win cheaply, keep heroes and Crowns, and the joker for the hour of ruin."""

from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.number import RANK_OF
from vaultkit.games.dragon_citadel.open_crowns import OwnersCover
from vaultkit.games.dragon_citadel.rules import CROWN_STRENGTH, HERO_STRENGTH
from vaultkit.games.dragon_citadel.state import CitadelView
from vaultkit.games.turn import Move
from vaultkit.games.words import Seat

LEAST_BID = 4
"""In competitive play a card below this strength is not worth a bid that can only lose."""

SAFE_THROW = 8
"""Who can throw a card of this strength need not pay a Crown to avoid the throw."""


def choose(view: CitadelView) -> Move:
    """The move that the rules of thumb like best; the first of equals."""
    return max(view.moves, key=lambda move: _worth(move, view))


def _worth(move: Move, view: CitadelView) -> float:
    """How good a move looks; only comparisons within one prompt mean anything, and passing is worth 0."""
    match move.verb:
        case "joker":
            worth = _joker(view)
        case "bid" if view.rules.ascending:
            worth = _announcing(move.operands[0], view)
        case "play" | "bid":
            worth = _answer(move.operands[0], view)
        case "crown":
            worth = _spending(view)
        case "throw" | "show":
            worth = _throwing(move.operands[0], view)
        case "forfeit":
            worth = -_use(int(move.operands[0]), view)
        case _:
            worth = 0.0
    return worth


def _answer(card: str, view: CitadelView) -> float:
    """A card put down for the dealer's: the cheapest that does it."""
    cards, dealt = view.rules.cards, view.at.dealer_card
    assert dealt is not None, "cards are put down in a round"
    if cards.round_of(dealt) != "number":
        return 30.0 - _price(card, view)
    if cards.strength[card] > cards.strength[dealt]:
        return _winning(card, view)
    if view.rules.coop:
        return 20.0 - cards.strength[card]
    return cards.strength[card] - LEAST_BID


def _winning(card: str, view: CitadelView) -> float:
    """In co-op a round may be lost without penalty, so only a number is worth winning with; wins are spread a little.

    Rivals must be outbid: there any winning card is worth it, the dearest last.
    """
    price = _price(card, view)
    if not view.rules.coop:
        return 40.0 - price
    holder = next(seat for seat, hand in enumerate(view.at.hands) if card in hand)
    return 40.0 - price - 0.5 * len(view.at.won[holder]) if price < 10 else -price


def _price(card: str, view: CitadelView) -> float:
    """The worth of keeping a card in the hand: Crowns and heroes answer Crowns, high numbers win rounds."""
    cards = view.rules.cards
    if cards.is_crown(card):
        return 20.0
    return 15.0 if cards.is_hero(card) else float(cards.strength[card])


def _announcing(rank: str, view: CitadelView) -> float:
    """At auction: the lowest bid that beats the dealer's card as well."""
    assert view.at.dealer_card is not None
    strength = RANK_OF[rank]
    return 20.0 - strength if strength > view.rules.cards.strength[view.at.dealer_card] else -1.0


def _spending(view: CitadelView) -> float:
    """An open Crown, where it saves somebody who is worth it; a rival never is."""
    cards, task = view.rules.cards, view.pending[-1]
    if isinstance(task, OwnersCover):
        return 1.0 if task.seat == view.seat else -1.0
    if view.rules.coop:
        moves = view.prompt.moves if view.prompt else ()
        return 1.0 if len(moves) > len(_unsaved(view)) else -1.0
    return 1.0 if max(map(cards.strength.__getitem__, view.at.hands[view.seat]), default=0) < SAFE_THROW else -1.0


def _unsaved(view: CitadelView) -> tuple[Seat, ...]:
    """Who has yet to be saved in a hero or Crown round; in a number round one Crown saves all."""
    if view.at.rounds[-1] == "number":
        return ()
    saved = {seat for seat, _ in (*view.at.played, *view.at.covered)}
    return tuple(seat for seat in view.at.active if seat not in saved)


def _throwing(card: str, view: CitadelView) -> float:
    """Throw or show the highest number; a hero or Crown is too good for that, unless it is all that saves a rival."""
    strength = view.rules.cards.strength[card]
    return {HERO_STRENGTH: 5.5, CROWN_STRENGTH: 5.0}.get(strength, float(strength))


def _use(seat: Seat, view: CitadelView) -> float:
    """How much the party would miss a seat: its hand, and the open Crowns that nobody could spend any more."""
    return sum(_price(card, view) for card in view.at.hands[seat]) + 25.0 * len(view.at.crowns[seat])


def _joker(view: CitadelView) -> float:
    """The end of the game: welcome if it wins, better than ruin, and otherwise never."""
    if view.rules.coop:
        if view.rules.says("seer", "party-wins"):
            return 100.0
        ruin = len(view.at.active) == 1 and view.moves[0].verb in {"throw", "crown", "pass"}
        return 50.0 if ruin and view.rules.says("seer", "truce") else -100.0
    in_danger = view.moves[0].verb in {"throw", "show"}
    return 50.0 if in_danger and _leads(view) else -100.0


def _leads(view: CitadelView) -> bool:
    """Whether the seat has the best score of those still in (DC-32)."""
    options, cards = view.rules.options, view.rules.cards
    sheets = {seat: scoring.sheet(view.at.won[seat], len(view.at.crowns[seat]), cards) for seat in view.at.active}
    totals = {seat: scoring.champion(parts, options) for seat, parts in sheets.items()}
    return totals[view.seat] >= max(totals.values())
