"""Finds what cannot be true in the score sheets that people filled in, and says why."""

from collections.abc import Iterator, Sequence

from vaultkit.games.tally import Doubt, Tally, crowd, miscounted, seats_of
from vaultkit.games.turn_of_fate.rules import CITIZENS, RIVAL, SEATS
from vaultkit.games.turn_of_fate.tally import answers
from vaultkit.games.turn_of_fate.tally.citizens import Pile, basic_deck, conflict
from vaultkit.games.words import Seat, Sentence

CALLED = {"congregation": "Congregation", "temple": "Temple"}


def doubts(tally: Tally) -> Iterator[Doubt]:
    """Everything that cannot be true of the temples, the Citizens, the Fates, and sums that are wrong."""
    yield from crowd(tally, "Turn of Fate", SEATS, SEATS)
    yield from _temples(tally)
    yield from _odd(tally)
    yield from _citizens(tally)
    yield from _fates(tally)
    for seat in seats_of(tally):
        total = answers.parts(tally, seat)["total"]
        yield from miscounted(tally, seat, "score", "the score", total, rulings=("TF-25",))
        yield from _uncounted(tally, seat)


def _temples(tally: Tally) -> Iterator[Doubt]:
    temples = answers.temples(tally)
    if len(temples) == SEATS and RIVAL.get(temples[0]) != temples[1]:
        words = "{s0} and {s1} are of the {v0} and the {v1}, which are no rivals."
        yield Doubt(Sentence(words, (0, 1), (), temples), ("TF-2",))


def _odd(tally: Tally) -> Iterator[Doubt]:
    for seat in seats_of(tally):
        parts = answers.parts(tally, seat)
        for name, called in CALLED.items():
            doubled = parts[f"{name}.doubled"]
            if doubled % 2:
                words = "{s0} has {v0} points of Citizens who are doubled in the {v1}, which is an odd number."
                yield Doubt(Sentence(words, (seat,), (), (doubled, called)), ("TF-25",))


def _citizens(tally: Tally) -> Iterator[Doubt]:
    """Citizens such as the deck does not have, in one pile, or in several together."""
    temples = answers.temples(tally)
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
    return answers.parts(tally, seat)[f"{name}.doubled"] % 2 == 0


def _pile(tally: Tally, seat: Seat, name: str, temple: str) -> Pile:
    """A pile with points but without a count has not been counted, since only points matter."""
    count, citizens, doubled, _ = (answers.parts(tally, seat)[f"{name}.{part}"] for part in answers.PARTS)
    counted = count or not (citizens or doubled)
    return Pile(temple, name == "temple", count if counted else None, citizens, doubled)


def _one_pile(tally: Tally, seat: Seat, name: str) -> Doubt:
    count, citizens, doubled, _ = (answers.parts(tally, seat)[f"{name}.{part}"] for part in answers.PARTS)
    many = f"{count} Citizens" if count > 1 else "one Citizen" if count == 1 else "Citizens"
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
        parts = answers.parts(tally, seat)
        for name, called in CALLED.items():
            count, citizens, doubled, fates = (parts[f"{name}.{part}"] for part in answers.PARTS)
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
    parts = answers.parts(tally, seat)
    uncounted = not parts["temple.count"] and (parts["temple.citizens"] or parts["temple.doubled"])
    if uncounted and tally.options["tiebreak"] == "temple-count":
        words = "{s0} has points in the Temple but no number of Citizens, which settles a tie."
        yield Doubt(Sentence(words, (seat,)), ("TF-27",))
