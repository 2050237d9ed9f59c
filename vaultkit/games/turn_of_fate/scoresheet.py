"""The score sheet of Turn of Fate: who led which temple, and what lies in each Congregation and Temple."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from vaultkit.cards.known import known_deck
from vaultkit.games.definition import Column, Definition, Question
from vaultkit.games.scoresheet import Doubt, ScoreSheet, Tally, miscounted, seats_of
from vaultkit.games.turn_of_fate.ending import ENDINGS, result, temples_fact
from vaultkit.games.turn_of_fate.rules import CITIZENS, RIVAL, SEATS, FateCards, cards_of, total
from vaultkit.games.turn_of_fate.state import End
from vaultkit.games.words import Outcome, Seat, Sentence

PILES = {"congregation": "congregation", "temple-pile": "temple"}
"""The rows of the sheet, each with what score parts call it (`scoring.sheet`)."""
CALLED = {"congregation": "Congregation", "temple": "Temple"}
BOXES = {
    "count": ("count", "Count the Citizens there; their number is not added."),
    "citizens": ("worth", "Then what those without your rival's suit are worth, at face value."),
    "doubled": ("Triumphs worth", "Triumphs are those with your rival's suit: twice their face value."),
    "fates": ("Fates worth", "Fates are all that was played on them: Aces 1, Crowns 10."),
}
"""The name of each box of a pile, and what counts in it."""
TEMPLES = {suit.lower(): suit for suit in ("Moons", "Wyrms", "Suns", "Leaves")}
NO_TEMPLE = "temple"
"""Stands for a temple that nobody wrote down."""


def _pile_boxes(row: str) -> Iterator[Column]:
    for box, (words, how) in BOXES.items():
        count, title = box == "count", f"{CALLED[PILES[row]]}, {words}"
        most, rulings = CITIZENS if count else None, ("TF-25", "TF-26")
        yield Column(f"{row}.{box}", title, most=most, default=0, rulings=rulings, how=how, summed=not count)


class FateSheet(ScoreSheet):
    """Who led which temple, and what lies in each Congregation and Temple (TF-25)."""

    definition = Definition(
        title="Turn of Fate",
        players=(SEATS, SEATS),
        columns=(
            Column("temple", "Devoted to", TEMPLES, rulings=("TF-1", "TF-2")),
            *(column for row in PILES for column in _pile_boxes(row)),
            Column("score", "Score", rulings=("TF-25",), asked=False),
        ),
    )

    def last(self, tally: Tally) -> tuple[Question, ...]:  # noqa: ARG002
        rulings = ("TF-22", "TF-23", "TF-24")
        return (Question("outcome", "How did it end?", choices=ENDINGS, default="no-fate", rulings=rulings),)

    def impossible(self, tally: Tally) -> Iterator[Doubt]:
        """Of the temples, the Citizens, and the Fates."""
        yield from _temples(tally)
        yield from _odd(tally)
        yield from _citizens(tally)
        yield from _fates(tally)

    def miscounts(self, tally: Tally) -> Iterator[Doubt]:
        for seat in seats_of(tally):
            made = _parts(tally, seat)["total"]
            yield from miscounted(tally, seat, "score", "the score", made, rulings=("TF-25",))
            yield from _uncounted(tally, seat)

    def outcome(self, tally: Tally) -> Outcome:
        """As the rules tell it; turns, Moments of Truth and wild Crowns are not on paper, and are left out."""
        kind, temples = str(tally.common.get("outcome")), temples_of(tally)
        scores = [_parts(tally, seat) for seat in seats_of(tally)]
        facts = (temples_fact(temples),) if len(temples) == SEATS and all(map(RIVAL.get, temples)) else ()
        return result(End(kind if kind in ENDINGS else "no-fate"), scores, temples, tally.options, facts)


def _parts(tally: Tally, seat: Seat) -> dict[str, int]:
    """The seat's score in the form of `scoring.sheet`."""
    seat_tally = tally.seats[seat]
    found = {f"{name}.{part}": seat_tally.number(f"{row}.{part}") for row, name in PILES.items() for part in BOXES}
    return {**found, "total": total(found)}


def temples_of(tally: Tally) -> tuple[str, ...]:
    """Each seat's temple by its suit; the rival's where only one is written down (TF-2)."""
    said = [str(seat.answers.get("temple", "")).capitalize() for seat in tally.seats]
    known = [temple if temple in RIVAL else "" for temple in said]
    others = [
        next((other for place, other in enumerate(known) if place != seat and other), "") for seat in seats_of(tally)
    ]
    return tuple(own or RIVAL.get(other, NO_TEMPLE) for own, other in zip(known, others, strict=True))


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


def _temples(tally: Tally) -> Iterator[Doubt]:
    temples = temples_of(tally)
    if len(temples) == SEATS and RIVAL.get(temples[0]) != temples[1]:
        words = "{s0} and {s1} are of the {v0} and the {v1}, which are no rivals."
        yield Doubt(Sentence(words, (0, 1), (), temples), ("TF-2",))


def _odd(tally: Tally) -> Iterator[Doubt]:
    for seat in seats_of(tally):
        parts = _parts(tally, seat)
        for name, called in CALLED.items():
            doubled = parts[f"{name}.doubled"]
            if doubled % 2:
                words = "{s0} has {v0} points of Citizens who are doubled in the {v1}, which is an odd number."
                yield Doubt(Sentence(words, (seat,), (), (doubled, called)), ("TF-25",))


def _citizens(tally: Tally) -> Iterator[Doubt]:
    """Citizens such as the deck does not have, in one pile, or in several together."""
    temples = temples_of(tally)
    places = [
        (seat, name)
        for seat in seats_of(tally)
        for name in CALLED
        if temples[seat] in RIVAL and _is_even(tally, seat, name)
    ]
    group = conflict([_pile(tally, seat, name, temples[seat]) for seat, name in places])
    found = [places[place] for place in group]
    if len(found) == 1:
        yield _one_pile(tally, *found[0])
    elif found:
        yield _several_piles(found)


def _is_even(tally: Tally, seat: Seat, name: str) -> bool:
    return _parts(tally, seat)[f"{name}.doubled"] % 2 == 0


def _pile(tally: Tally, seat: Seat, name: str, temple: str) -> Pile:
    """A pile with points but without a count has not been counted, since only points matter."""
    count, citizens, doubled, _ = (_parts(tally, seat)[f"{name}.{part}"] for part in BOXES)
    counted = count or not (citizens or doubled)
    return Pile(temple, name == "temple", count if counted else None, citizens, doubled)


def _one_pile(tally: Tally, seat: Seat, name: str) -> Doubt:
    count, citizens, doubled, _ = (_parts(tally, seat)[f"{name}.{part}"] for part in BOXES)
    many = {0: "Citizens", 1: "one Citizen"}.get(count, f"{count} Citizens")
    words = "{s0} cannot have {v0} worth {v1}, and {v2} doubled, in the {v3}: the deck has none such."
    values = (many, citizens, doubled, CALLED[name])
    return Doubt(Sentence(words, (seat,), (), values), ("TF-5", "TF-25", "TF-26"))


def _several_piles(places: Sequence[tuple[Seat, str]]) -> Doubt:
    piles = ", ".join(f"the {CALLED[name]} of {{s{number}}}" for number, (_, name) in enumerate(places))
    before, comma, last = piles.rpartition(", ")
    both = f"{before} and {last}" if comma else last
    words = f"The Citizens that lie in {both} cannot all be there: each of the {CITIZENS} exists once."
    return Doubt(Sentence(words, tuple(seat for seat, _ in places)), ("TF-6", "TF-25"))


def _fates(tally: Tally) -> Iterator[Doubt]:
    """More points of Fates than the deck has, and Fates without a Citizen beneath."""
    cards, found = basic_deck(), 0
    for seat in seats_of(tally):
        parts = _parts(tally, seat)
        for name, called in CALLED.items():
            count, citizens, doubled, fates = (parts[f"{name}.{part}"] for part in BOXES)
            found += fates
            if fates and not (count or citizens or doubled):
                words = "{s0} has Fates in the {v0} but no Citizen whom they befell."
                yield Doubt(Sentence(words, (seat,), (), (called,)), ("TF-25",))
    most = sum(cards.value[fate] for fate in cards.fates)
    if found > most:
        words = "All Fates written down are worth {v0}, and those of the deck {v1}."
        yield Doubt(Sentence(words, values=(found, most)), ("TF-25",))


def _uncounted(tally: Tally, seat: Seat) -> Iterator[Doubt]:
    """Only this house rule makes the number of Citizens matter (TF-27)."""
    parts = _parts(tally, seat)
    uncounted = not parts["temple.count"] and (parts["temple.citizens"] or parts["temple.doubled"])
    if uncounted and tally.options["tiebreak"] == "temple-count":
        words = "{s0} has points in the Temple but no number of Citizens, which settles a tie."
        yield Doubt(Sentence(words, (seat,)), ("TF-27",))
