"""Positions of Prophet's Gambit set up in the middle of a game, for examples and tests."""

from vaultkit.games.arrangement import Arrangement, Arranger
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.rounds import Lead, Round, Turns
from vaultkit.games.prophets_gambit.rules import GambitRules, make_rules
from vaultkit.games.prophets_gambit.state import GambitPosition, GambitState, GambitTask, leader
from vaultkit.games.turn import Pile

OPENING, FIRST, SECOND, EXECUTION, REVEAL = "opening", "round 1", "round 2", "execution", "reveal"
HANDS = {OPENING: 6, FIRST: 5, SECOND: 4, EXECUTION: 3, REVEAL: 3}
"""The number of cards in a hand at each moment."""


def position(laid: Arrangement, rules: GambitRules) -> GambitPosition:
    """Build a position in which every seat still has its turn.

    All Common cards that lie nowhere else are the Common Deck; if the setup names that deck, they are discarded.
    """
    cards, everybody = rules.cards, range(rules.seats)
    common, dealer, at = frozenset(cards.common), rules.options["dealer"], laid.at or FIRST
    hands = [laid.dealt("hand", seat, HANDS[at], common) for seat in everybody]
    shown = [laid.dealt("shown", seat, at != OPENING, common) for seat in everybody]
    fates: list[str | None] = [laid.dealt("fate", seat, 1, common)[0] for seat in everybody]
    kept = laid.each("kept")
    focus = laid.dealt("focus", None, 1, common)[0]
    rest = laid.rest(common)
    deck, discard = (laid.cards("common"), rest) if laid.names("common") else (rest, ())
    return GambitPosition(
        common=Pile(deck),
        high=Pile(tuple(card for card in cards.high if not any(card in keeping for keeping in kept))),
        hands=[tuple(sorted(hand, key=cards.place.__getitem__)) for hand in hands],
        fates=fates,
        shown=shown,
        kept=kept,
        known=[frozenset() for _ in everybody],
        dealer=dealer if isinstance(dealer, int) else 0,
        round=1 if at in (OPENING, FIRST) else 2,
        focus=focus,
        discard=(*discard, *laid.cards("discard")),
        waiting=() if at in (EXECUTION, REVEAL) else tuple(everybody),
    )


def _make(laid: Arrangement) -> GambitState:
    """Build a round that begins with the Fate privilege, or with the turn of a given seat and the seats after it."""
    rules = make_rules(laid.seats, laid.options, laid.people, laid.deck)
    at, moment = position(laid, rules), laid.at or FIRST
    ending: list[GambitTask] = [Reveal(), Execution()]
    if moment in (EXECUTION, REVEAL):
        return GambitState(rules, at, ending[: 2 - (moment == REVEAL)])
    later = [*ending, *([Round(2)] if at.round == 1 else [])]
    if laid.turn is None:
        return GambitState(rules, at, [*later, *([Round(1)] if moment == OPENING else [Turns(), Lead()])])
    order = rules.clockwise(leader(GambitState(rules, at, [])))
    at.waiting = order[order.index(laid.turn) :]
    return GambitState(rules, at, [*later, Turns()])


ARRANGER = Arranger(("hand", "shown", "fate", "kept"), ("focus", "common", "discard"), tuple(HANDS), _make)
