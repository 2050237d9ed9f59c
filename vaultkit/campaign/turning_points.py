"""The key events of a finished game, with how far each event changed the standings.

The steps are replayed on a fresh state, and each seat is measured from its own view (`Game.standing`).
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from math import sqrt
from operator import sub
from typing import Any

from vaultkit.games.base import AnyGame, State, View
from vaultkit.games.facts import GameFact
from vaultkit.games.ledger import Page
from vaultkit.games.words import Event, Outcome, Seat
from vaultkit.grouping import group
from vaultkit.session.history import Step

Measures = tuple[float, ...]
_UNSURE = 0.4
"""The weight of a change of the standings if no points are counted, since hands change with every card drawn."""
_CHAPTER = re.compile(r"(\w+) \{v0\}:")


@dataclass(frozen=True, slots=True)
class Stroke:
    """An event that a story has phrases for; `before` and `after` are the standings around its step.

    `chapter` is the number that the game gives its rounds, 0 before the first; `dealt` is the chapter's first card, ""
    for none. `changes` says how far each seat moved, up to the next key event if no points are counted; `out` is how
    many seats had forfeited. `facts` are the facts of its step that concern its cards, `following` the events up to the
    next key event, including that event.
    """

    event: Event
    chapter: int
    before: Measures
    after: Measures
    dealt: str = ""
    changes: Measures = ()
    out: int = 0
    facts: tuple[GameFact, ...] = ()
    following: tuple[Event, ...] = ()

    @property
    def who(self) -> Seat | None:
        return self.event.seat

    @property
    def other(self) -> Seat | None:
        """The other seat that its facts are about, such as the former owner of a card."""
        seats = (seat for fact in self.facts for seat in (fact.seat, fact.other))
        return next((seat for seat in seats if seat not in {None, self.who}), None)

    @property
    def meaning(self) -> str:
        """The fate of its card, from its facts: it `stays`, `joins`, `leaves` or `changes`, or saves `everybody`.

        A card that joins comes from nobody, one that leaves goes to nobody, and one that changes goes to another seat.
        """
        for fact in self.facts:
            if fact.kind == "fulfilled" and fact.seat is None:
                return "everybody"
            if fact.kind == "other" and fact.seat == fact.other == self.who is not None:
                return "stays"
            if fact.kind == "moved" and self.who is not None:
                return "leaves" if fact.seat is None else "joins" if fact.other is None else "changes"
        return ""

    @property
    def loss(self) -> float:
        """The amount by which it lowered the standing of the other seat."""
        return 0 if self.other is None else self.before[self.other] - self.after[self.other]

    @property
    def swing(self) -> float:
        """The largest change of any seat's standing."""
        return max(map(abs, self.changes), default=0.0)

    @property
    def gain(self) -> float:
        """The amount by which it raised the standing of the seat that acted."""
        return 0 if self.who is None else self.after[self.who] - self.before[self.who]


@dataclass(frozen=True, slots=True)
class Course:
    """A finished game as a story needs it. `counts` says whether the measures are the points of its score sheet.

    `key_events` are in the order of play; `stands` has the chapter and the standings after each step.
    """

    strokes: tuple[Stroke, ...]
    stands: tuple[tuple[int, Measures], ...]
    chapters: int
    chapter_name: str
    counts: bool

    def without_changes(self) -> "Course":
        """Return the timeline without changes of the standings.

        They are unknown if a placeholder lay in place of a card that nobody entered.
        """
        return replace(self, strokes=tuple(replace(stroke, changes=()) for stroke in self.strokes))

    def leader_at(self, chapter: int) -> tuple[tuple[Seat, ...], Measures]:
        """Return the seats that led at the end of a chapter, and the standings."""
        stand = next((stand for number, stand in reversed(self.stands) if number <= chapter), ())
        return tuple(seat for seat, points in enumerate(stand) if points == max(stand)), stand

    @property
    def out(self) -> frozenset[Seat]:
        """The seats that did not play on to the end."""
        return frozenset(one.who for one in self.strokes if one.event.kind == "forfeit" and one.who is not None)

    @property
    def lost(self) -> tuple[str, ...]:
        """The cards that were staked and lost."""
        fates = [one.event for one in self.strokes if one.event.kind == "fate" and one.event.detail == "lost"]
        return fates[-1].cards if fates else ()

    @property
    def final_cards(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The cards of the final hands, of the players' side and of the opponent."""
        made = {stroke.who is None: stroke.event.cards for stroke in self.strokes if stroke.event.kind == "hand"}
        return made.get(False, ()), made.get(True, ())

    @property
    def final_hands(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The final hands of the players' side and of the opponent, each with its ranks; "" if unknown."""
        made = {stroke.who is None: stroke.event.detail for stroke in self.strokes if stroke.event.kind == "hand"}
        return _split_hand(made.get(False, "")), _split_hand(made.get(True, ""))

    def revealed(self, seats: tuple[Seat, ...]) -> tuple[str, str]:
        """Return the hand that the only one of the seats revealed in the end, and its ranks.

        Both are "" if there is no such hand, or several seats are given.
        """
        shown = [stroke for stroke in self.strokes if stroke.event.kind == "reveal" and (stroke.who,) == seats]
        return _split_hand(shown[-1].event.detail if shown else "")

    def taken_before(self, stroke: Stroke) -> Stroke | None:
        """Return the key event by which the other seat had taken the card that is now taken from it.

        None if the card has belonged to the taker in between.
        """
        if stroke.other is None or not stroke.event.cards:
            return None
        earlier = takewhile(lambda one: one is not stroke, self.strokes)
        for one in reversed([*earlier]):
            moves = [fact for fact in one.facts if fact.kind == "moved" and stroke.event.cards[0] in fact.cards[:1]]
            for fact in moves:
                if (fact.seat, fact.other) == (stroke.other, stroke.who) and one.event.notable:
                    return one
                if fact.seat == stroke.who:
                    return None
        return None

    @property
    def last_third(self) -> int:
        """The chapter after which a third of the game is left."""
        return self.chapters * 2 // 3

    def lead_taken(self, seat: Seat | None, before: Stroke, since: Stroke | None = None) -> Stroke | None:
        """Return the last key event before `before`, and after `since` if given, with which a seat came to lead."""
        earlier = [*takewhile(lambda one: one is not before, self.strokes)]
        first = next((place for place, one in enumerate(earlier, 1) if one is since), 0)
        return next((one for one in reversed(earlier[first:]) if one.who == seat and turn(one) == "lead"), None)

    def in_front_since(self, seat: Seat) -> int:
        """Return the chapter from which a seat led alone to the end; 0 if it did not lead in the end."""
        led = [number if sole_leader(stand) == seat else 0 for number, stand in self.stands]
        return next(iter(led[len(led) - led[::-1].index(0) :] if 0 in led else led), 0)


def _split_hand(detail: str) -> tuple[str, str]:
    """Return a hand and its ranks from the detail of an event."""
    hand, _, ranks = detail.partition(", ")
    return hand, ranks


def follow(game: AnyGame, state: State[Any], steps: Sequence[Step], outcome: Outcome, kinds: Container[str]) -> Course:
    """Return the timeline of a game, by playing its steps from `state` to the end.

    `kinds` are the kinds of events that become key events.
    """

    def pages() -> Iterator[Page]:
        before = state.view(0)
        for step in steps:
            state.apply(step.move)
            after = state.view(0)
            yield Page(step.events, _measure(game, state), _facts(game, before, after, step.events, kinds))
            before = after

    return course_of(_measure(game, state), pages(), outcome, kinds)


def _facts(
    game: AnyGame, before: View, after: View, events: Sequence[Event], kinds: Container[str]
) -> tuple[GameFact, ...]:
    """Return the facts of a step that a story may tell, as everybody may know them once the game is over."""
    public = [event for event in events if event.seen_by is None]
    return tuple(game.facts(before, after, public)) if any(event.kind in kinds for event in public) else ()


def course_of(now: Measures, pages: Iterable[Page], outcome: Outcome, kinds: Container[str]) -> Course:
    """Return the timeline of a game from the first standings, `now`, and the events and standings of each page.

    `kinds` are the kinds of events that become key events.
    """
    stands, strokes, told = list[tuple[int, Measures]](), list[Stroke](), list[tuple[int, Event]]()
    starts = list[Measures]()
    chapter, name, dealt, out = 0, "", "", 0
    for events, after, facts in pages:
        before, now = now, after
        told += [(len(strokes), event) for event in events if event.kind not in kinds]
        public = [event for event in events if event.seen_by is None]
        for event in public:
            values, opens = event.sentence.values, _CHAPTER.match(event.sentence.words)
            if opens and values and isinstance(values[0], int):
                chapter, name, dealt = values[0], opens[1].lower(), next(iter(event.cards), "")
            if event.kind in kinds:
                last = event is _head(public, kinds)
                own = tuple(fact for fact in facts if _is_about(fact, event))
                strokes.append(Stroke(event, chapter, before if last else now, now, dealt, (), out, own))
                starts.append(before)
            out += event.kind == "forfeit"
        stands.append((chapter, now))
    counts = all(outcome.score(seat) == points for seat, points in enumerate(now)) and bool(now)
    return Course(
        tuple(_with_changes(_add_following_events(strokes, told), starts, counts)), tuple(stands), chapter, name, counts
    )


def _is_about(fact: GameFact, event: Event) -> bool:
    """Return whether a fact is about the card of an event or, for an event without a card, about its other seat."""
    if not event.cards:
        return fact.kind == "other" and fact.seat == event.seat and fact.other is not None
    return not set(event.cards).isdisjoint(fact.cards) and fact.kind != "revealed"


def _add_following_events(strokes: Sequence[Stroke], others: Sequence[tuple[int, Event]]) -> list[Stroke]:
    """Return the key events with the events that follow each of them.

    `others` are the events of other kinds, each with the number of key events before it.
    """
    after = group(others)
    nexts = [stroke.event for stroke in strokes]
    return [
        replace(stroke, following=(*after.get(number, ()), *nexts[number : number + 1]))
        for number, stroke in enumerate(strokes, 1)
    ]


def _head(events: Sequence[Event], kinds: Container[str]) -> Event:
    """Return the event of a step that changed the standings: the last notable one, else the last."""
    found = [event for event in events if event.kind in kinds]
    return next((event for event in reversed(found) if event.notable), found[-1])


def _measure(game: AnyGame, state: State[Any]) -> Measures:
    stands = (game.standing(state.view(seat)) for seat in range(state.seats))
    return tuple(own[seat].measure if len(own) > seat else 0.0 for seat, own in enumerate(stands))


def _with_changes(strokes: Sequence[Stroke], starts: Sequence[Measures], counts: bool) -> Iterator[Stroke]:
    """Yield the key events with the changes that they caused.

    If no points are counted, the consequences of an event come in the steps after it, and belong to it up to the step
    of the next key event; `starts` are the standings before the step of each.
    """
    for stroke, following in zip(strokes, (*starts[1:], None)[: len(strokes)], strict=True):
        until = stroke.after if counts or following is None else following
        yield replace(stroke, changes=tuple(map(sub, until, stroke.before)))


def worth_telling(course: Course, most: int, kinds: Mapping[str, bool]) -> list[Stroke]:
    """Return the key events worth telling, in their order, `limit` of them at most.

    They are large changes, changes of the lead, rare events and the last event. `kinds` says of each kind whether a
    phrase can tell it.
    """
    often = Counter(stroke.event.kind for stroke in course.strokes)
    widest = max((stroke.swing for stroke in course.strokes), default=0.0) or 1.0

    final = next((stroke for stroke in reversed(course.strokes) if stroke.event.notable), None)
    sure = 1.0 if course.counts else _UNSURE

    def weight(stroke: Stroke) -> float:
        rare = 0.8 / sqrt(often[stroke.event.kind]) if stroke.event.notable else 0.0
        lead = 0.4 if turn(stroke) == "lead" and stroke.chapter > 1 else 0.0
        last = 0.6 if stroke is final else 0.0
        return sure * stroke.swing / widest + rare + lead + last

    worth = [place for place, stroke in enumerate(course.strokes) if kinds[stroke.event.kind]]
    heaviest = sorted(worth, key=lambda place: -weight(course.strokes[place]))
    return [course.strokes[place] for place in sorted(heaviest[:most])]


def runs(chosen: Sequence[Stroke], every: Sequence[Stroke]) -> Iterator[list[Stroke]]:
    """Yield lists of key events to tell together.

    A list has consecutive events of one kind and one seat, or forfeits of any seats with at most 2 chapters in between.
    """
    following = {id(one): other for kind in {one.event.kind for one in every}
                 for one, other in pairwise([one for one in every if one.event.kind == kind])}  # fmt: skip
    run: list[Stroke] = []
    for stroke in chosen:
        if run and not (following.get(id(run[-1])) is stroke and _belong(run[-1], stroke)):
            yield run
            run = []
        run.append(stroke)
    if run:
        yield run


def _belong(one: Stroke, other: Stroke) -> bool:
    if len(one.event.cards) != len(other.event.cards) or one.who is None:
        return False
    if (one.other, one.meaning) != (other.other, other.meaning):
        return False
    return one.who == other.who or (one.event.kind == "forfeit" and other.chapter - one.chapter <= 2)


def turn(stroke: Stroke) -> str:
    """Return the position of the seat that acted after an event: a new `lead`, `ahead` as before, `level` or `behind`.

    "" if there is only one seat, if no seat acted, or if the standings did not change.
    """
    who = stroke.who
    if who is None or len(stroke.after) < 2 or stroke.before == stroke.after:
        return ""
    best_before, best = _best_other(stroke.before, who), _best_other(stroke.after, who)
    if stroke.after[who] == best:
        return "level"
    if stroke.after[who] < best:
        return "behind"
    return "ahead" if stroke.before[who] > best_before else "lead"


def sole_leader(stand: Measures) -> Seat | None:
    """Return the seat that alone stood best; None if there was none."""
    best = [seat for seat, points in enumerate(stand) if points == max(stand)]
    return best[0] if len(best) == 1 else None


def _best_other(stand: Measures, who: Seat) -> float:
    return max(points for seat, points in enumerate(stand) if seat != who)
