"""Whether the Citizens can lie as several sheets have it: each of the eleven exists once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from vaultkit.cards.known import known_deck
from vaultkit.games.turn_of_fate.rules import RIVAL, FateCards, cards_of


@dataclass(frozen=True, slots=True)
class Pile:
    """A Congregation or a Temple as a sheet has it: how many Citizens, their points at face value and doubled.

    `temple` is the suit that its owner is devoted to; `count` is None where nobody counted. `vows` are those of a
    Temple, the only place for the Bard and the Huntress (TF-4, TF-5).
    """

    temple: str
    vows: bool
    count: int | None
    citizens: int
    doubled: int


@cache
def basic_deck() -> FateCards:
    """The cards of the basic Decktet, the only deck that this game is played with (TF-2)."""
    deck = known_deck("decktet")
    assert deck is not None, "the Decktet is known"
    return cards_of(deck)


def conflict(piles: Sequence[Pile]) -> tuple[int, ...]:
    """The smallest group of piles, by their places, that cannot be true together; none if all can."""
    if possible(piles):
        return ()
    groups = (group for size in range(1, len(piles) + 1) for group in combinations(range(len(piles)), size))
    return next(group for group in groups if not possible([piles[place] for place in group]))


def possible(piles: Sequence[Pile]) -> bool:
    """Whether Citizens of the deck make up these piles, none of them twice."""
    choices = sorted((_makings(pile) for pile in piles), key=len)
    return _possible(choices, frozenset(basic_deck().citizens))


def _possible(choices: Sequence[Sequence[frozenset[str]]], free: frozenset[str]) -> bool:
    if not choices:
        return True
    return any(people <= free and _possible(choices[1:], free - people) for people in choices[0])


def _makings(pile: Pile) -> Sequence[frozenset[str]]:
    """All groups of Citizens that would make up this pile alone."""
    found = _groups(pile.temple, pile.vows).get((pile.citizens, pile.doubled), ())
    return [people for people in found if pile.count in {None, len(people)}]


@cache
def _groups(temple: str, vows: bool) -> Mapping[tuple[int, int], Sequence[frozenset[str]]]:
    """The groups of Citizens that may lie in a pile of this temple, by their points at face value and doubled."""
    cards, found = basic_deck(), defaultdict[tuple[int, int], list[frozenset[str]]](list)
    able = [one for one in cards.citizens if one not in cards.specials or (vows and cards.specials[one] == temple)]
    rivals = {one for one in able if RIVAL[temple] in cards.suits[one]}
    for size in range(len(able) + 1):
        for people in combinations(able, size):
            plain = sum(cards.value[one] for one in people if one not in rivals)
            doubled = 2 * sum(cards.value[one] for one in people if one in rivals)
            found[plain, doubled].append(frozenset(people))
    return found
