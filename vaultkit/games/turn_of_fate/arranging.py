"""Positions of Turn of Fate set up in the middle of a game, for examples and tests."""

from typing import Any

from vaultkit.games.arrangement import Arrangement, Arranger
from vaultkit.games.turn import Pile
from vaultkit.games.turn_of_fate.rules import RIVAL, FateCards, FateRules, cards_of
from vaultkit.games.turn_of_fate.state import Deeds, FatePosition, FateState
from vaultkit.games.turn_of_fate.turns import BeginTurn

HAND = 3
_LATE = 9
"""The number of an ordinary turn, past the start of the game."""


def arrange(laid: Arrangement, known: tuple[str, str] = ("", ""), **more: Any) -> FateState:
    """Build a game of Turn of Fate at the beginning of a turn.

    The moment `setup.at` is the suit of the first seat's temple, Moons if it is empty. The zones `fates` and `citizens`
    are the draw piles. If a pile is not named, it gets all its cards that lie nowhere else; cards left over are out of
    the game. `known_fates` holds, for each seat, ids of Fates that the seat has seen although they do not lie open,
    separated by spaces. `more` are fields of FatePosition to override.
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
    """Return the Fates that a hand may hold: all without the suit of the rival temple."""
    return frozenset(card for card in cards.fates if rival not in laid.deck[card].suits)


MOMENTS = ("Moons", "Wyrms", "Suns", "Leaves")
ARRANGER = Arranger(("hand", "congregation", "temple"), ("agora", "fates", "citizens", "bottom"), MOMENTS, arrange)
