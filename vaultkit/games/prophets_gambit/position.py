"""The setup of positions in the middle of a game of Prophet's Gambit, for examples and tests."""

from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.rounds import GambitRound, Lead, Turns
from vaultkit.games.prophets_gambit.rules import GambitRules, make_rules
from vaultkit.games.prophets_gambit.state import GambitPosition, GambitState, GambitTask, leader
from vaultkit.games.turn import Pile

OPENING, FIRST, SECOND, EXECUTION, REVEAL = "opening", "round 1", "round 2", "execution", "reveal"
HANDS = {OPENING: 6, FIRST: 5, SECOND: 4, EXECUTION: 3, REVEAL: 3}
"""The number of cards in a hand, by the moment of the game."""


def position(setup: Arrangement, rules: GambitRules) -> GambitPosition:
    """Return a position at the setup's moment; in a round every seat still has its turn.

    Common cards that are given nowhere are in the Common Deck or, if that is given, in the discard pile.
    """
    cards, everybody = rules.cards, range(rules.seats)
    common, dealer, at = frozenset(cards.common), rules.options["dealer"], setup.at or FIRST
    hands = [setup.cards_or_deal("hand", seat, HANDS[at], common) for seat in everybody]
    shown_cards = [setup.cards_or_deal("shown", seat, at != OPENING, common) for seat in everybody]
    fates: list[str | None] = [setup.cards_or_deal("fate", seat, 1, common)[0] for seat in everybody]
    kept_cards = setup.cards_by_seat("kept")
    focus = setup.cards_or_deal("focus", None, 1, common)[0]
    rest = setup.deal_rest(common)
    deck, discard = (setup.cards("common"), rest) if setup.names("common") else (rest, ())
    return GambitPosition(
        common=Pile(deck),
        high=Pile(tuple(card for card in cards.high if not any(card in keeping for keeping in kept_cards))),
        hands=[tuple(sorted(hand, key=cards.place.__getitem__)) for hand in hands],
        fates=fates,
        shown=shown_cards,
        kept=kept_cards,
        known=[frozenset() for _ in everybody],
        dealer=dealer if isinstance(dealer, int) else 0,
        round=1 if at in (OPENING, FIRST) else 2,
        focus=focus,
        discard=(*discard, *setup.cards("discard")),
        waiting=() if at in (EXECUTION, REVEAL) else tuple(everybody),
    )


def _make(setup: Arrangement) -> GambitState:
    """Return the state at the setup's moment.

    A round begins with the Fate privilege, or if the setup has a turn, with that seat and those after it.
    """
    rules = make_rules(setup.seats, setup.options, setup.people, setup.deck)
    at, moment = position(setup, rules), setup.at or FIRST
    ending: list[GambitTask] = [Reveal(), Execution()]
    if moment in (EXECUTION, REVEAL):
        return GambitState(rules, at, ending[: 2 - (moment == REVEAL)])
    later = [*ending, *([GambitRound(2)] if at.round == 1 else [])]
    if setup.turn is None:
        return GambitState(rules, at, [*later, *([GambitRound(1)] if moment == OPENING else [Turns(), Lead()])])
    order = rules.clockwise(leader(GambitState(rules, at, [])))
    at.waiting = order[order.index(setup.turn) :]
    return GambitState(rules, at, [*later, Turns()])


ARRANGER = Arranger(("hand", "shown", "fate", "kept"), ("focus", "common", "discard"), tuple(HANDS), _make)
