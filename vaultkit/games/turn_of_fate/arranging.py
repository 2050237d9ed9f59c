"""Turn of Fate in the middle of a game, with the cards that somebody wants."""

from typing import Any

from vaultkit.games.arrangement import Arrangement, Arranger
from vaultkit.games.turn import Pile
from vaultkit.games.turn_of_fate.rules import RIVAL, FateCards, FateRules, cards_of
from vaultkit.games.turn_of_fate.state import Deeds, FatePosition, FateState
from vaultkit.games.turn_of_fate.turns import BeginTurn

HAND = 3
_LATE = 9
"""A turn in which nothing is special any more."""


def arrange(laid: Arrangement, known: tuple[str, str] = ("", ""), **more: Any) -> FateState:
    """A turn about to begin; where the game stands is said by the temple of the first seat, Moons unless named.

    Decks that are named hold what is left to draw, and what lies in no place then is out of the game. `known` are
    Fates that a seat has seen besides; `more` are fields of the position.
    """
    cards, first = cards_of(laid.deck), laid.at or MOMENTS[0]
    temples = (first, RIVAL[first])
    hands = [laid.dealt("hand", seat, HAND, _may_hold(laid, cards, temples[1 - seat])) for seat in range(laid.seats)]
    of_table = [laid.stacks(zone, seat) for zone in ("congregation", "temple") for seat in range(laid.seats)]
    lying = [card for zone in (*of_table, laid.stacks("agora")) for stack in zone for card in stack]
    seen = frozenset(card for card in lying if card in cards.fates)
    fates, citizens = (
        laid.cards(name) if laid.names(name) else laid.rest(frozenset(among))
        for name, among in (("fates", cards.fates), ("citizens", cards.citizens))
    )
    position = FatePosition(
        citizens=Pile(citizens),
        fates=Pile(fates, laid.cards("bottom")),
        hands=hands,
        known=[seen | {*hand, *also.split()} for hand, also in zip(hands, known, strict=True)],
        congregations=of_table[: laid.seats],
        vowed=of_table[laid.seats :],
        deeds=[Deeds() for _ in hands],
        agora=laid.stacks("agora"),
        removed=laid.rest(),
        **{"temples": temples, "mover": laid.turn or 0, "number": _LATE, **more},
    )
    return FateState(FateRules(laid.seats, laid.options, laid.people, cards), position, [BeginTurn()])


def _may_hold(laid: Arrangement, cards: FateCards, rival: str) -> frozenset[str]:
    """The Fates without the suit of a rival."""
    return frozenset(card for card in cards.fates if rival not in laid.deck[card].suits)


MOMENTS = ("Moons", "Wyrms", "Suns", "Leaves")
ARRANGER = Arranger(("hand", "congregation", "temple"), ("agora", "fates", "citizens", "bottom"), MOMENTS, arrange)
