"""The story of a finished game, told from its events alone, whatever the game.

A chapter is what a game numbers itself: an event whose words begin with `Round {v0}:` opens chapter `round`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.games.words import Event, Outcome, Seat, Sentence
from vaultkit.wording import counted, listing

EVENTS = 8
"""How many events are told at most; with what is said about the whole game that makes about a dozen sentences."""

_CHAPTER = re.compile(r"(\w+) \{v0\}:")


@dataclass(frozen=True, slots=True)
class _Dated:
    """An event with the number of its chapter, 0 before the first; `name` is what the game calls a chapter."""

    event: Event
    chapter: int
    name: str


def tell_story(events: Iterable[Event], outcome: Outcome) -> tuple[Sentence, ...]:
    """How long it was, who led halfway, each notable event with its chapter, who won how often, and the end."""
    dated = list(_chapters(events))
    notable = _choose([one for one in dated if one.event.notable])
    half = dated[-1].chapter // 2 if dated else 0
    course = (
        *_opening(dated, outcome),
        *_course([one for one in notable if one.chapter <= half], 0),
        *_halfway(dated, half, len(outcome.ranks)),
        *_course([one for one in notable if one.chapter > half], half),
        *_wins(dated),
    )
    return (*course, _with_end(outcome.reason)) if course else ()


def _chapters(events: Iterable[Event]) -> Iterator[_Dated]:
    chapter, name = 0, ""
    for event in events:
        values, found = event.sentence.values, _CHAPTER.match(event.sentence.words)
        if found and values and isinstance(values[0], int):
            chapter, name = values[0], found[1].lower()
        yield _Dated(event, chapter, name)


def _choose(notable: Sequence[_Dated]) -> list[_Dated]:
    """Where there are too many, those of the rarest kinds, in the order in which they happened."""
    often = Counter(one.event.kind for one in notable)
    rarest = sorted(range(len(notable)), key=lambda place: often[notable[place].event.kind])
    return [notable[place] for place in sorted(rarest[:EVENTS])]


def _opening(dated: Sequence[_Dated], outcome: Outcome) -> Iterator[Sentence]:
    """`The game went 17 rounds: 11 number, 3 hero, 3 Crown.` with what the outcome says of the chapters."""
    if not dated or dated[-1].chapter < 2:
        return
    last, facts = dated[-1], dict(outcome.facts)
    said = facts.get(f"{last.name.capitalize()}s")
    lead = f"The game went {last.chapter} {last.name}s"
    yield _with_end(replace(said, words=f"{lead}: {said.words}") if said else Sentence(lead))


def _course(dated: Iterable[_Dated], last: int) -> Iterator[Sentence]:
    """The events; the first of each chapter says which that is."""
    for one in dated:
        sentence, words = one.event.sentence, one.event.sentence.words
        chapter = f"In {one.name} {one.chapter} {words[:1].lower()}{words[1:]}"
        yield replace(sentence, words=chapter) if one.chapter > last else sentence
        last = max(last, one.chapter)


def _halfway(dated: Sequence[_Dated], half: int, seats: int) -> Iterator[Sentence]:
    """Who had won most by then; nothing where that says nothing."""
    won = _won(one for one in dated if one.chapter <= half)
    most = max(won.values(), default=0)
    leaders = tuple(sorted(seat for seat in won if won[seat] == most))
    if half > 1 and most > 1 and len(leaders) < seats:
        times = "twice" if most == 2 else f"{most} times"
        each = " each" if len(leaders) > 1 else ""
        yield Sentence(f"Halfway, after {dated[-1].name} {half}, {{seats}} had won most often, {times}{each}.", leaders)


def _wins(dated: Sequence[_Dated]) -> Iterator[Sentence]:
    won = _won(dated)
    if won and dated[-1].chapter > 1:
        seats = tuple(seat for seat, _ in sorted(won.items(), key=lambda item: (-item[1], item[0])))
        best = won[seats[0]]
        rounds = counted(best, dated[-1].name)
        others = (f"{{s{place}}} {won[seat]}" for place, seat in enumerate(seats[1:], 1))
        numbers = listing((f"{{s0}} had won {rounds}", *others))
        equal = len(seats) > 1 and len(set(won.values())) == 1
        yield Sentence(f"By the end {f'{{seats}} had won {rounds} each' if equal else numbers}.", seats)


def _won(dated: Iterable[_Dated]) -> Counter[Seat]:
    return Counter(one.event.seat for one in dated if one.event.kind == "won" and one.event.seat is not None)


def _with_end(sentence: Sentence) -> Sentence:
    return sentence if sentence.words.endswith((".", "!", "?")) else replace(sentence, words=f"{sentence.words}.")
