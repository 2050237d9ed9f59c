"""The score sheet of Turn of Fate, on which each seat's temple, Congregation and Temple are written down."""

from collections.abc import Mapping, Sequence
from functools import cache

from vaultkit.cards.standard_decks import known_deck
from vaultkit.games.messages import Outcome, Seat
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, conflict, doubt, sets_by
from vaultkit.games.turn_of_fate.ending import ENDINGS, result, temples_fact
from vaultkit.games.turn_of_fate.rules import CITIZEN_COUNT, RIVAL, SEAT_COUNT, FateCards, cards_of, total
from vaultkit.games.turn_of_fate.state import FateEnd
from vaultkit.text import format_count, listing

PILES = {"congregation": "congregation", "temple-pile": "temple"}
"""The name of a pile in the parts of a score, such as `temple.count`, by the name of its row on the sheet."""
BOXES = ("count", "citizens", "doubled", "fates")
"""The boxes of a pile: the number of Citizens, their points at face value, their doubled points, and the Fates'."""
TEMPLES = {suit.lower(): suit for suit in ("Moons", "Wyrms", "Suns", "Leaves")}
"""The suit of each temple, by the answer that is written on the sheet."""
NO_TEMPLE = "temple"
"""The value that stands for a temple that nobody wrote down; it is no suit."""
Pile = tuple[Seat, str]
"""A seat's Congregation or Temple: the seat, and `congregation` or `temple`."""


class FateSheet(ScoreSheet):
    """The score sheet of Turn of Fate: each seat's temple, and the boxes of its Congregation and Temple (TF-25)."""

    def find_rule_doubts(self, tally: Tally) -> Doubts:
        """Yield doubts about temples, Citizens and Fates on the sheet that the rules do not allow."""
        temples, boxes = temples_of(tally), _boxes(tally)
        if len(temples) == SEAT_COUNT and RIVAL.get(temples[0]) != temples[1]:
            own, other = temples
            yield doubt("TF-2", f"{{s0}} and {{s1}} are of the {own} and the {other}, which are no rivals.", 0, 1)
        settles = tally.options["tiebreak"] == "temple-count"
        for (seat, name), (count, citizens, doubled, fates) in boxes.items():
            pile = name.capitalize()
            if doubled % 2:
                worth = f"{doubled} points of Citizens who are doubled in the {pile}"
                yield doubt("TF-25", f"{{s0}} has {worth}, which is an odd number.", seat)
            if fates and not any((count, citizens, doubled)):
                yield doubt("TF-25", f"{{s0}} has Fates in the {pile} but no Citizen whom they befell.", seat)
            if settles and name == "temple" and any((citizens, doubled)) and not count:
                words = "{s0} has points in the Temple but no number of Citizens, which settles a tie."
                yield doubt("TF-27", words, seat)
        yield from _citizens(boxes, temples)
        cards, fate_points = basic_deck(), sum(fates for *_, fates in boxes.values())
        if fate_points > (most := sum(cards.value[fate] for fate in cards.fates)):
            yield doubt("TF-25", f"All Fates written down are worth {fate_points}, and those of the deck {most}.")

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome by the rules, without turns, Moments of Truth and wild Crowns, which are not on paper."""
        kind, temples = str(tally.common.get("outcome")), temples_of(tally)
        facts = (temples_fact(temples),) if len(temples) == SEAT_COUNT and all(map(RIVAL.get, temples)) else ()
        return result(FateEnd(kind if kind in ENDINGS else "no-fate"), _scores(tally), temples, tally.options, facts)


def _scores(tally: Tally) -> Sequence[dict[str, int]]:
    """Return the parts of every seat's score: each box of its piles, such as `temple.count`, and the `total`."""
    names = {f"{row}.{box}": f"{name}.{box}" for row, name in PILES.items() for box in BOXES}
    sheets = [{name: seat.number(key) for key, name in names.items()} for seat in tally.seats]
    return [{**parts, "total": total(parts)} for parts in sheets]


def _boxes(tally: Tally) -> Mapping[Pile, tuple[int, ...]]:
    """Return the numbers in the boxes of every pile, in the order of `BOXES`."""
    piles = [(seat, name, parts) for seat, parts in enumerate(_scores(tally)) for name in PILES.values()]
    return {(seat, name): tuple(parts[f"{name}.{box}"] for box in BOXES) for seat, name, parts in piles}


def temples_of(tally: Tally) -> tuple[str, ...]:
    """Return the suit of each seat's temple; if only one is written down, the other is its rival (TF-2)."""
    temples = [TEMPLES.get(str(seat.answers.get("temple")), "") for seat in tally.seats]
    return tuple(own or RIVAL.get(other, NO_TEMPLE) for own, other in zip(temples, reversed(temples), strict=True))


@cache
def basic_deck() -> FateCards:
    """Return the cards of the basic Decktet, the only deck that Turn of Fate is played with (TF-2)."""
    deck = known_deck("decktet")
    assert deck is not None, "the Decktet is known"
    return cards_of(deck)


def possible_groups(temple: str, name: str, count: int, citizens: int, doubled: int) -> Sequence[frozenset[str]]:
    """Return the groups of Citizens that may make up the pile `pile_name` of a seat of `temple`, with the given numbers.

    There are `count` Citizens, worth `citizens` points at face value and `doubled` points doubled. `count` is ignored
    if it is 0 although the pile has points: then nobody counted the Citizens, as only points matter.
    """
    groups = _groups(temple, name).get((citizens, doubled), ())
    uncounted = not count and (citizens or doubled)
    return [people for people in groups if uncounted or len(people) == count]


@cache
def _groups(temple: str, name: str) -> Mapping[tuple[int, int], Sequence[frozenset[str]]]:
    """Return all groups of Citizens that the pile `pile_name` of a seat of `temple` may hold, by their points.

    The points are those at face value and those of Citizens of the rival suit, which are doubled. Only a Temple may
    hold the Bard or the Huntress, and only the one whose vows they take (TF-4, TF-5).
    """
    cards, vows = basic_deck(), name == "temple"
    able = [
        citizen
        for citizen in cards.citizens
        if citizen not in cards.specials or (vows and cards.specials[citizen] == temple)
    ]
    rivals = {citizen for citizen in able if RIVAL[temple] in cards.suits[citizen]}

    def points(people: frozenset[str]) -> tuple[int, int]:
        """Return the points of a group at face value, and those that are doubled."""
        return sum(cards.value[citizen] for citizen in people - rivals), 2 * sum(
            cards.value[citizen] for citizen in people & rivals
        )

    return sets_by(able, points)


def _citizens(boxes: Mapping[Pile, tuple[int, ...]], temples: Sequence[str]) -> Doubts:
    """Yield a doubt if no Citizens of the deck make up the points of a pile, or of several piles together.

    Piles of an unknown temple or with an odd number of doubled points are left out.
    """
    even = {place: boxes[place] for place in boxes if temples[place[0]] in RIVAL and boxes[place][2] % 2 == 0}
    piles_in_conflict = conflict(
        {place: possible_groups(temples[place[0]], place[1], *numbers[:3]) for place, numbers in even.items()}
    )
    piles = []
    for number, (seat, name) in enumerate(piles_in_conflict):
        count, citizens, doubled, _ = boxes[seat, name]
        many = format_count(count, "Citizen") if count else "Citizens"
        piles.append(f"the {name.capitalize()} of {{s{number}}} ({many} worth {citizens}, and {doubled} doubled)")
    if piles_in_conflict:
        why = (
            f"each of the {CITIZEN_COUNT} exists once"
            if len(piles_in_conflict) > 1
            else "the deck has none who make that"
        )
        words = f"There are no such Citizens for {listing(piles)}: {why}."
        yield doubt("TF-5 TF-6 TF-25 TF-26", words, *(seat for seat, _ in piles_in_conflict))
