"""The score sheet of Turn of Fate, on which each seat's temple, Congregation and Temple are written down."""

from collections.abc import Mapping, Sequence
from functools import cache

from vaultkit.cards.deck import known_deck
from vaultkit.games.messages import Outcome, Seat
from vaultkit.games.scoresheet import Doubts, ScoreSheet, Tally, doubt
from vaultkit.games.shares import find_conflict, group_subsets
from vaultkit.games.turn_of_fate.ending import ENDINGS, make_outcome, temples_fact
from vaultkit.games.turn_of_fate.rules import CITIZEN_COUNT, RIVAL, SEAT_COUNT, FateCards, make_cards, total_points
from vaultkit.games.turn_of_fate.state import FateEnd
from vaultkit.text import format_count, join_words

PILES = {"congregation": "congregation", "temple-pile": "temple"}
"""The name of a pile in the parts of a score, such as `temple.count`, by the name of its row on the sheet."""
BOXES = ("count", "citizens", "doubled", "fates")
"""The boxes of a pile: the number of Citizens, their points at face value, their doubled points, and the Fates'."""
TEMPLE_SUITS = {suit.lower(): suit for suit in RIVAL}
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
            yield doubt("TF-2", f"{{s0}} and {{s1}} are of the {own} and the {other}, which are not rivals.", 0, 1)
        count_breaks_ties = tally.options["tiebreak"] == "temple-count"
        for (seat, name), (count, citizens, doubled, fates) in boxes.items():
            pile = name.capitalize()
            if doubled % 2:
                doubled_words = f"{doubled} points of Citizens who are doubled in the {pile}"
                yield doubt("TF-25", f"{{s0}} has {doubled_words}, which is an odd number.", seat)
            if fates and not any((count, citizens, doubled)):
                yield doubt("TF-25", f"{{s0}} has Fates in the {pile} but no Citizen whom they befell.", seat)
            if count_breaks_ties and name == "temple" and any((citizens, doubled)) and not count:
                words = "{s0} has points in the Temple but no number of Citizens, which settles a tie."
                yield doubt("TF-27", words, seat)
        yield from _find_citizen_doubts(boxes, temples)
        cards, fate_points = basic_deck(), sum(fates for *_, fates in boxes.values())
        if fate_points > (max_fate_points := sum(cards.value[fate] for fate in cards.fates)):
            words = f"All Fates written down are worth {fate_points}, and those of the deck {max_fate_points}."
            yield doubt("TF-25", words)

    def outcome(self, tally: Tally) -> Outcome:
        """Return the outcome by the rules, without turns, Moments of Truth and wild Crowns, which are not on paper."""
        kind, temples = str(tally.common.get("outcome")), temples_of(tally)
        facts = (temples_fact(temples),) if len(temples) == SEAT_COUNT and all(map(RIVAL.get, temples)) else ()
        end = FateEnd(kind if kind in ENDINGS else "no-fate")
        return make_outcome(end, _scores(tally), temples, tally.options, facts)


def _scores(tally: Tally) -> Sequence[dict[str, int]]:
    """Return the parts of every seat's score: each box of its piles, such as `temple.count`, and the `total`."""
    part_names = {f"{row}.{box}": f"{name}.{box}" for row, name in PILES.items() for box in BOXES}
    sheets = [{name: seat.number(key) for key, name in part_names.items()} for seat in tally.seats]
    return [{**parts, "total": total_points(parts)} for parts in sheets]


def _boxes(tally: Tally) -> Mapping[Pile, tuple[int, ...]]:
    """Return the numbers in the boxes of every pile, in the order of `BOXES`."""
    piles = [(seat, name, parts) for seat, parts in enumerate(_scores(tally)) for name in PILES.values()]
    return {(seat, name): tuple(parts[f"{name}.{box}"] for box in BOXES) for seat, name, parts in piles}


def temples_of(tally: Tally) -> tuple[str, ...]:
    """Return the suit of each seat's temple; if only one is written down, the other is its rival (TF-2)."""
    temples = [TEMPLE_SUITS.get(str(seat.answers.get("temple")), "") for seat in tally.seats]
    return tuple(own or RIVAL.get(other, NO_TEMPLE) for own, other in zip(temples, reversed(temples), strict=True))


@cache
def basic_deck() -> FateCards:
    """Return the cards of the basic Decktet, the only deck that Turn of Fate is played with (TF-2)."""
    deck = known_deck("decktet")
    assert deck is not None, "the Decktet is known"
    return make_cards(deck)


def possible_groups(temple: str, pile_name: str, count: int, citizens: int, doubled: int) -> Sequence[frozenset[str]]:
    """Return the groups of Citizens with the given numbers that may make up the pile `pile_name` of a seat of `temple`.

    There are `count` Citizens, worth `citizens` points at face value and `doubled` points doubled. `count` is ignored
    if it is 0 although the pile has points: then nobody counted the Citizens, as only points matter.
    """
    groups = _groups_by_points(temple, pile_name).get((citizens, doubled), ())
    uncounted = not count and (citizens or doubled)
    return [people for people in groups if uncounted or len(people) == count]


@cache
def _groups_by_points(temple: str, pile_name: str) -> Mapping[tuple[int, int], Sequence[frozenset[str]]]:
    """Return all groups of Citizens that the pile `pile_name` of a seat of `temple` may hold, by their points.

    The points are those at face value and those of Citizens of the rival suit, which are doubled. Only a Temple may
    hold the Bard or the Huntress, and only the one whose vows they take (TF-4, TF-5).
    """
    cards, is_temple = basic_deck(), pile_name == "temple"
    outsiders = {citizen for citizen, owner in cards.specials.items() if not is_temple or owner != temple}
    allowed_citizens = [citizen for citizen in cards.citizens if citizen not in outsiders]
    rival_citizens = {citizen for citizen in allowed_citizens if RIVAL[temple] in cards.suits[citizen]}

    def points(people: frozenset[str]) -> tuple[int, int]:
        """Return the points of a group at face value, and the ones that are doubled."""
        own_points = sum(cards.value[citizen] for citizen in people - rival_citizens)
        return own_points, 2 * sum(cards.value[citizen] for citizen in people & rival_citizens)

    return group_subsets(allowed_citizens, points)


def _find_citizen_doubts(boxes: Mapping[Pile, tuple[int, ...]], temples: Sequence[str]) -> Doubts:
    """Yield a doubt if no Citizens of the deck make up the points of a pile, or of several piles together.

    Piles of an unknown temple or with an odd number of doubled points are left out.
    """
    groups = {
        (seat, name): possible_groups(temples[seat], name, *numbers[:3])
        for (seat, name), numbers in boxes.items()
        if temples[seat] in RIVAL and numbers[2] % 2 == 0
    }
    piles_in_conflict = find_conflict(groups)
    piles = []
    for number, (seat, name) in enumerate(piles_in_conflict):
        count, citizens, doubled, _ = boxes[seat, name]
        citizens_text = f"{format_count(count, 'Citizen') if count else 'Citizens'} worth {citizens}"
        piles.append(f"the {name.capitalize()} of {{s{number}}} ({citizens_text}, and {doubled} doubled)")
    if piles_in_conflict:
        why = "the deck has none who make that"
        if len(piles_in_conflict) > 1:
            why = f"each of the {CITIZEN_COUNT} exists once"
        words = f"There are no such Citizens for {join_words(piles)}: {why}."
        yield doubt("TF-5 TF-6 TF-25 TF-26", words, *(seat for seat, _ in piles_in_conflict))
