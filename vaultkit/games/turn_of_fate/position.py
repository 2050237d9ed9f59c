"""Positions of Turn of Fate set up in the middle of a game, for examples and tests."""

from typing import Any

from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.turn import Pile
from vaultkit.games.turn_of_fate.rules import RIVAL, FateCards, FateRules, make_cards
from vaultkit.games.turn_of_fate.state import Deeds, FatePosition, FateState
from vaultkit.games.turn_of_fate.turns import BeginTurn

HAND_SIZE = 3
_MIDGAME_TURN_INDEX = 9
"""The number of the turn in such a position: an ordinary turn, past the start of the game."""


def arrange(setup: Arrangement, known_fates: tuple[str, str] = ("", ""), **overrides: Any) -> FateState:
    """Build a game of Turn of Fate at the beginning of a turn.

    `setup.at` names the suit of the first seat's temple, Moons if it is empty. The zones `fates` and `citizens` are the
    draw piles, and `bottom` are the Fates at the bottom of their pile, in a known order. A pile that `setup` does not
    name gets all its cards that lie nowhere else; cards left over are out of the game. `known_fates` holds a text for
    each seat: the ids, separated by spaces, of Fates that the seat has seen although they do not lie open. Further
    keyword arguments override fields of FatePosition.
    """
    cards, first_temple = make_cards(setup.deck), setup.at or MOMENTS[0]
    temples = (first_temple, RIVAL[first_temple])
    hands = [
        setup.given_or_dealt_cards("hand", seat, HAND_SIZE, _allowed_fates(setup, cards, temples[1 - seat]))
        for seat in range(setup.seats)
    ]
    seat_stacks = [setup.stacks(zone, seat) for zone in ("congregation", "temple") for seat in range(setup.seats)]
    open_cards = [card for zone in (*seat_stacks, setup.stacks("agora")) for stack in zone for card in stack]
    open_fates = frozenset(card for card in open_cards if card in cards.fates)
    fates, citizens = (
        setup.cards(name) if setup.names(name) else setup.deal_rest(frozenset(among))
        for name, among in (("fates", cards.fates), ("citizens", cards.citizens))
    )
    position = FatePosition(
        citizens=Pile(citizens),
        fates=Pile(fates, setup.cards("bottom")),
        hands=hands,
        known=[open_fates | {*hand, *extra_ids.split()} for hand, extra_ids in zip(hands, known_fates, strict=True)],
        congregations=seat_stacks[: setup.seats],
        vowed=seat_stacks[setup.seats :],
        deeds=[Deeds() for _ in hands],
        agora=setup.stacks("agora"),
        removed=setup.deal_rest(),
        **{"temples": temples, "mover": setup.turn or 0, "number": _MIDGAME_TURN_INDEX, **overrides},
    )
    return FateState(FateRules(setup.seats, setup.options, setup.people, cards), position, [BeginTurn()])


def _allowed_fates(setup: Arrangement, cards: FateCards, rival_temple: str) -> frozenset[str]:
    """Return the Fates that may be dealt to a hand: all that do not show the suit of the rival's temple."""
    return frozenset(card for card in cards.fates if rival_temple not in setup.deck[card].suits)


MOMENTS = ("Moons", "Wyrms", "Suns", "Leaves")
"""The suits that the temple of the first seat may have; one of them is named as the moment of a position."""
ARRANGER = Arranger(("hand", "congregation", "temple"), ("agora", "fates", "citizens", "bottom"), MOMENTS, arrange)
