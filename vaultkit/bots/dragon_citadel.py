"""Rules of thumb for Dragon Citadel: win with low cards, keep heroes and Crowns, and the joker for the last moment."""

from vaultkit.games.dragon_citadel import rules
from vaultkit.games.dragon_citadel.number_round import RANK_BY_WORD
from vaultkit.games.dragon_citadel.open_crowns import OwnersCover, failed_seats
from vaultkit.games.dragon_citadel.rules import CROWN_STRENGTH, HERO_STRENGTH
from vaultkit.games.dragon_citadel.state import CitadelView
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Move

MIN_BID_STRENGTH = 4
"""The strength below which a losing bid with a card is worse than a pass in competitive play."""

SAFE_THROW_STRENGTH = 8
"""The strength of a card that a seat can throw without having to pay a Crown."""


def choose(view: CitadelView) -> Move:
    """Return the move that the rules of thumb like best; the first of equals."""
    return max(view.moves, key=lambda move: _rate_move(move, view))


def _rate_move(move: Move, view: CitadelView) -> float:
    """Return the worth of a move, which can be compared with other moves of the same prompt; a pass is worth 0."""
    match move.verb:
        case "joker":
            worth = _rate_joker(view)
        case "bid" if view.rules.ascending:
            worth = _rate_auction_bid(move.operands[0], view)
        case "play" | "bid":
            worth = _rate_answer(move.operands[0], view)
        case "crown":
            worth = _rate_crown(view)
        case "throw" | "show":
            worth = _rate_throw(move.operands[0], view)
        case "forfeit":
            worth = -_seat_value(int(move.operands[0]), view)
        case _:
            worth = 0.0
    return worth


def _rate_answer(card: str, view: CitadelView) -> float:
    """Return the worth of answering the dealer's card with `card`; the lowest card that suffices is best."""
    cards, dealer_card = view.rules.cards, view.at.dealer_card
    assert dealer_card is not None, "cards are put down in a round"
    if cards.round_of(dealer_card) != "number":
        return 30.0 - _keeping_value(card, view)
    if cards.strength[card] > cards.strength[dealer_card]:
        return _rate_win(card, view)
    if view.rules.coop:
        return 20.0 - cards.strength[card]
    return cards.strength[card] - MIN_BID_STRENGTH


def _rate_win(card: str, view: CitadelView) -> float:
    """Return the worth of winning a number round with a card.

    In co-op a lost round costs nothing, so Crowns and heroes are not worth it, and a player with fewer wins is
    preferred. In competitive play every winning card is worth it, the lowest one most.
    """
    card_value = _keeping_value(card, view)
    if not view.rules.coop:
        return 40.0 - card_value
    holder = next(seat for seat, hand in enumerate(view.at.hands) if card in hand)
    return 40.0 - card_value - 0.5 * len(view.at.won[holder]) if card_value < 10 else -card_value


def _keeping_value(card: str, view: CitadelView) -> float:
    """Return the worth of keeping a card in hand; Crowns are worth most, then heroes, then high numbers."""
    cards = view.rules.cards
    if cards.is_crown(card):
        return 20.0
    return 15.0 if cards.is_hero(card) else float(cards.strength[card])


def _rate_auction_bid(rank: str, view: CitadelView) -> float:
    """Return the worth of bidding a rank at auction; the lowest rank that beats the dealer's card is best."""
    assert view.at.dealer_card is not None
    strength = RANK_BY_WORD[rank]
    return 20.0 - strength if strength > view.rules.cards.strength[view.at.dealer_card] else -1.0


def _rate_crown(view: CitadelView) -> float:
    """Return the worth of spending an open Crown, which is positive if it is needed to save the seat or the party."""
    cards, task = view.rules.cards, view.pending[-1]
    if isinstance(task, OwnersCover):
        return 1.0 if task.seat == view.seat else -1.0
    if view.rules.coop:
        moves = view.prompt.moves if view.prompt else ()
        unsaved_seats = () if view.at.rounds[-1] == "number" else failed_seats(view)
        return 1.0 if len(moves) > len(unsaved_seats) else -1.0
    strongest = max(map(cards.strength.__getitem__, view.at.hands[view.seat]), default=0)
    return 1.0 if strongest < SAFE_THROW_STRENGTH else -1.0


def _rate_throw(card: str, view: CitadelView) -> float:
    """Return the worth of throwing or showing a card, which is greatest for the highest number.

    Heroes and Crowns are worth less than numbers from 6 on.
    """
    strength = view.rules.cards.strength[card]
    return {HERO_STRENGTH: 5.5, CROWN_STRENGTH: 5.0}.get(strength, float(strength))


def _seat_value(seat: Seat, view: CitadelView) -> float:
    """Return what the party loses if a seat goes: its hand, and its open Crowns."""
    return sum(_keeping_value(card, view) for card in view.at.hands[seat]) + 25.0 * len(view.at.crowns[seat])


def _rate_joker(view: CitadelView) -> float:
    """Return the worth of the joker, which ends the game: positive if that wins or prevents a defeat, else negative."""
    if view.rules.coop:
        if view.rules.has_option("seer", "party-wins"):
            return 100.0
        is_near_ruin = len(view.at.active) == 1 and view.moves[0].verb in {"throw", "crown", "pass"}
        return 50.0 if is_near_ruin and view.rules.has_option("seer", "truce") else -100.0
    in_danger = view.moves[0].verb in {"throw", "show"}
    return 50.0 if in_danger and _leads(view) else -100.0


def _leads(view: CitadelView) -> bool:
    """Return whether the seat has the best score of all active seats (DC-32)."""
    options, cards = view.rules.options, view.rules.cards
    sheets = {seat: rules.count_parts(view.at.won[seat], len(view.at.crowns[seat]), cards) for seat in view.at.active}
    total_of_seat = {seat: rules.champion_score(parts, options) for seat, parts in sheets.items()}
    return total_of_seat[view.seat] >= max(total_of_seat.values())
