"""The setup of positions in the middle of a game of Prophet's Gambit, for examples and tests."""

from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.rounds import BeginRound, GambitRound, Turns
from vaultkit.games.prophets_gambit.rules import GambitRules, make_rules
from vaultkit.games.prophets_gambit.state import GambitPosition, GambitState, GambitTask, find_leader
from vaultkit.games.turn import Pile

OPENING, FIRST, SECOND, EXECUTION, REVEAL = "opening", "round 1", "round 2", "execution", "reveal"
HAND_SIZES = {OPENING: 6, FIRST: 5, SECOND: 4, EXECUTION: 3, REVEAL: 3}
"""The number of cards in a hand, by the moment of the game."""


def make_position(setup: Arrangement, rules: GambitRules) -> GambitPosition:
    """Return a position at the setup's moment; in a round every seat still has its turn.

    Common cards that are given nowhere are in the Common Deck or, if that is given, in the discard pile.
    """
    cards, all_seats = rules.cards, range(rules.seats)
    common, dealer, moment = frozenset(cards.common), rules.options["dealer"], setup.at or FIRST
    hands = [setup.given_or_dealt_cards("hand", seat, HAND_SIZES[moment], common) for seat in all_seats]
    shown_cards = [setup.given_or_dealt_cards("shown", seat, moment != OPENING, common) for seat in all_seats]
    fates: list[str | None] = [setup.given_or_dealt_cards("fate", seat, 1, common)[0] for seat in all_seats]
    kept_cards = setup.cards_by_seat("kept")
    focus = setup.given_or_dealt_cards("focus", None, 1, common)[0]
    undealt_cards = setup.deal_rest(common)
    deck, discard = (setup.cards("common"), undealt_cards) if setup.names("common") else (undealt_cards, ())
    return GambitPosition(
        common=Pile(deck),
        high=Pile(tuple(card for card in cards.high if not any(card in kept_by_seat for kept_by_seat in kept_cards))),
        hands=[tuple(sorted(hand, key=cards.place.__getitem__)) for hand in hands],
        fates=fates,
        shown=shown_cards,
        kept=kept_cards,
        known=[frozenset() for _ in all_seats],
        dealer=dealer if isinstance(dealer, int) else 0,
        round=1 if moment in (OPENING, FIRST) else 2,
        focus=focus,
        discard=(*discard, *setup.cards("discard")),
        waiting=() if moment in (EXECUTION, REVEAL) else tuple(all_seats),
    )


def _make_state(setup: Arrangement) -> GambitState:
    """Return the state at the setup's moment.

    A round begins with the Fate privilege, or if the setup has a turn, with that seat and those after it.
    """
    rules = make_rules(setup.seats, setup.options, setup.people, setup.deck)
    at, moment = make_position(setup, rules), setup.at or FIRST
    ending_tasks: list[GambitTask] = [Reveal(), Execution()]
    if moment in (EXECUTION, REVEAL):
        return GambitState(rules, at, ending_tasks[: 2 - (moment == REVEAL)])
    later_tasks = [*ending_tasks, *([GambitRound(2)] if at.round == 1 else [])]
    if setup.turn is None:
        return GambitState(
            rules, at, [*later_tasks, *([GambitRound(1)] if moment == OPENING else [Turns(), BeginRound()])]
        )
    seats_in_order = rules.clockwise(find_leader(GambitState(rules, at, [])))
    at.waiting = seats_in_order[seats_in_order.index(setup.turn) :]
    return GambitState(rules, at, [*later_tasks, Turns()])


ARRANGER = Arranger(("hand", "shown", "fate", "kept"), ("focus", "common", "discard"), tuple(HAND_SIZES), _make_state)
