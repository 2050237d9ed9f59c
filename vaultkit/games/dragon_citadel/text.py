"""What moves and zones are called, and the score tables."""

from collections.abc import Mapping

from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.bidding import RANK_OF, RANK_SPOKEN
from vaultkit.games.dragon_citadel.state import CitadelView
from vaultkit.games.turn import Move
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone

LABELS = {
    "play": "Play the {c0}",
    "bid": "Bid the {c0}",
    "throw": "Throw the {c0}",
    "show": "Show the {c0}",
    "crown": "Spend the open {c0}",
    "pass": "Pass",
    "joker": "Play the joker: the game ends at once",
    "draw": "{cards}",
}


def label(move: Move) -> Sentence:
    """What a move means, as an offer."""
    if move.verb == "bid" and move.operands[0] in RANK_OF:
        return Sentence("Bid {v0}", values=(RANK_SPOKEN[RANK_OF[move.operands[0]]],))
    if move.verb == "forfeit":
        return Sentence("{s0} forfeits", (int(move.operands[0]),))
    return Sentence(LABELS[move.verb], (), move.operands)


def table(view: CitadelView) -> tuple[Zone, ...]:
    """The dealer's card, hands, what lies open and what was won, and the piles."""
    zones = []
    if view.dealer_card is not None:
        zones.append(Zone(Sentence("Dealer's card"), (view.dealer_card,)))
    if view.played:
        zones.append(Zone(Sentence("Played by {seats}", _seats(view.played)), tuple(card for _, card in view.played)))
    if view.covered:
        cards = tuple(card for _, card in view.covered)
        zones.append(Zone(Sentence("Spent for {seats}", _seats(view.covered)), cards))
    zones.extend(_hands(view))
    for seat, crowns in enumerate(view.crowns):
        if crowns:
            zones.append(Zone(Sentence("Crowns of {s0}", (seat,)), crowns, owner=seat))
    for seat, won in enumerate(view.won):
        if won:
            zones.append(Zone(Sentence("Won by {s0}: {v0}", (seat,), values=(_sums(view, won),)), owner=seat))
    if view.rules.dealer_has_hand:
        zones.append(Zone(Sentence("Dealer's hand"), hidden=view.dealer_hand_size))
    zones.append(Zone(Sentence("Deck"), hidden=view.deck_size))
    zones.append(Zone(Sentence("Discard ({v0})", values=(len(view.discard),)), view.discard[-1:]))
    return tuple(zones)


def _sums(view: CitadelView, won: tuple[str, ...]) -> str:
    """Won cards as the score sheet counts them: `Swords 13, Stars 9 + 1 hero (4 cards)`."""
    parts = scoring.sheet(won, 0, view.rules.cards)
    sums = (
        f"{suit.capitalize()} {_cell(parts[f'{suit}.total'], parts[f'{suit}.heroes'])}"
        for suit in scoring.SUITS
        if parts[f"{suit}.total"] or parts[f"{suit}.heroes"]
    )
    return f"{', '.join(sums)} ({len(won)} card{'s' * (len(won) > 1)})"


def _seats(laid: tuple[tuple[Seat, str], ...]) -> tuple[Seat, ...]:
    return tuple(dict.fromkeys(seat for seat, _ in laid))


def _hands(view: CitadelView) -> list[Zone]:
    own = [view.seat] if view.seat in view.active else []
    others = [seat for seat in view.active if seat != view.seat]
    zones = []
    for seat in own + others:
        known = _in_order(view, view.hands[seat])
        hidden = view.hand_sizes[seat] - len(known)
        words = "Your hand" if seat == view.seat and not view.rules.coop else "Hand of {s0}"
        seats = () if words == "Your hand" else (seat,)
        zones.append(Zone(Sentence(words, seats), known, hidden, seat))
    return zones


def _in_order(view: CitadelView, cards: tuple[str, ...]) -> tuple[str, ...]:
    """A hand as people hold it: by suit, then from low to high, Crowns last."""
    facts = view.rules.cards
    place = {suit: number for number, suit in enumerate(dict.fromkeys(facts.suit.values()))}
    last = len(place)
    return tuple(
        sorted(cards, key=lambda card: (place.get(facts.suit.get(card, ""), last), facts.strength[card], card))
    )


def score_tables(outcome: Outcome) -> tuple[Table, ...]:
    """The party's score sheet, and the reward rolls that it earns (DC-33 to DC-36)."""
    seats = tuple(range(len(outcome.scores)))
    columns = ("Player", *(suit.capitalize() for suit in scoring.SUITS), "Crowns")
    sheet = Table("Score Sheet", (*columns, "Total"), tuple(_row(parts) for parts in outcome.scores), seats)
    return sheet, Table("Reward Rolls", columns, tuple(_rolls(parts) for parts in outcome.scores), seats)


def _row(parts: Mapping[str, int]) -> tuple[str, ...]:
    cells = (_cell(parts[f"{suit}.total"], parts[f"{suit}.heroes"]) for suit in scoring.SUITS)
    return ("", *cells, str(parts["crowns.count"]), str(parts["total"]))


def _cell(total: int, heroes: int) -> str:
    return f"{total} + {heroes} hero{'es' * (heroes > 1)}" if heroes else str(total)


def _rolls(parts: Mapping[str, int]) -> tuple[str, ...]:
    earned = (scoring.RewardRolls(parts[f"{row}.rolls"], parts[f"{row}.row"]) for row in (*scoring.SUITS, "crowns"))
    return ("", *map(str, earned))
