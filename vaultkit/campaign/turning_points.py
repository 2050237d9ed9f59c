"""The events of a finished game, with how far each event moved how the seats stood.

The steps are played once more on a fresh state, and each seat is measured from its own view (`Game.standing`).
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from math import sqrt
from operator import sub
from typing import Any

from vaultkit.games.base import AnyGame, State
from vaultkit.games.words import Event, Outcome, Seat
from vaultkit.session.history import Step

Measures = tuple[float, ...]
_UNSURE = 0.4
"""The weight of a swing where no points are counted, and hands change with every card that is drawn."""
_CHAPTER = re.compile(r"(\w+) \{v0\}:")


@dataclass(frozen=True, slots=True)
class Stroke:
    """An event that a story has phrases for; `before` and `after` are how the seats stood around its step.

    `chapter` is what the game numbers itself, 0 before the first; `dealt` the first card of it, "" for none. `changes`
    are how far each seat moved, where no points are counted until the next stroke; `out` how many had forfeited.
    """

    event: Event
    chapter: int
    before: Measures
    after: Measures
    dealt: str = ""
    changes: Measures = ()
    out: int = 0

    @property
    def who(self) -> Seat | None:
        return self.event.seat

    @property
    def other(self) -> Seat | None:
        """The first other seat that the event is about."""
        return next((seat for seat in self.event.sentence.seats if seat != self.who), None)

    @property
    def texts(self) -> tuple[str, ...]:
        """The words among the values of its sentence, such as a hand's name."""
        return tuple(value for value in self.event.sentence.values if isinstance(value, str))

    @property
    def swing(self) -> float:
        """How far the standing moved."""
        return max(map(abs, self.changes), default=0.0)

    @property
    def gain(self) -> float:
        """By how much it moved the standing of who did it."""
        return 0 if self.who is None else self.after[self.who] - self.before[self.who]


@dataclass(frozen=True, slots=True)
class Course:
    """A finished game as a story sees it. `counts` says whether the measures are the points of its score sheet."""

    strokes: tuple[Stroke, ...]
    stands: tuple[tuple[int, Measures], ...]
    chapters: int
    chapter_name: str
    counts: bool

    def without_changes(self) -> "Course":
        """The same where nobody can say how the seats stood: a stand-in lay where a card was not told."""
        return replace(self, strokes=tuple(replace(stroke, changes=()) for stroke in self.strokes))

    def leader_at(self, chapter: int) -> tuple[tuple[Seat, ...], Measures]:
        """Who led when that chapter was over, and how all stood."""
        stand = next((stand for number, stand in reversed(self.stands) if number <= chapter), ())
        return tuple(seat for seat, points in enumerate(stand) if points == max(stand)), stand

    @property
    def final_cards(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The cards of the hands that were made in the end, one's own and the opponent's."""
        made = {stroke.who is None: stroke.event.cards for stroke in self.strokes if stroke.event.kind == "hand"}
        return made.get(False, ()), made.get(True, ())

    def revealed(self, seats: tuple[Seat, ...]) -> str:
        """The hand that one seat revealed in the end, with its ranks; "" where there is none, or there are several."""
        shown = [stroke for stroke in self.strokes if stroke.event.kind == "reveal" and (stroke.who,) == seats]
        return next(iter(shown[-1].texts), "") if shown else ""

    def taken_before(self, stroke: Stroke) -> Stroke | None:
        """The stroke before with which the other seat had taken the card that is taken now."""
        earlier = takewhile(lambda one: one is not stroke, self.strokes)
        same = [one for one in earlier if one.event.notable and one.event.cards[:1] == stroke.event.cards[:1]]
        last = same[-1] if same else None
        is_theirs = last and last.other is not None and (last.who, last.other) == (stroke.other, stroke.who)
        return last if is_theirs else None

    @property
    def last_third(self) -> int:
        """The chapter after which a third of the game is left."""
        return self.chapters * 2 // 3

    def lead_taken(self, seat: Seat | None, before: Stroke) -> Stroke | None:
        """The last stroke before another one with which that seat came to lead."""
        earlier = takewhile(lambda one: one is not before, self.strokes)
        return next((one for one in reversed([*earlier]) if one.who == seat and turn(one) == "lead"), None)

    def in_front_since(self, seat: Seat) -> int:
        """The chapter in which that seat came to lead alone, and for good; 0 if it did not in the end."""
        led = [number if sole_leader(stand) == seat else 0 for number, stand in self.stands]
        return next(iter(led[len(led) - led[::-1].index(0) :] if 0 in led else led), 0)


def follow(game: AnyGame, state: State[Any], steps: Sequence[Step], outcome: Outcome, kinds: Container[str]) -> Course:
    """The strokes of these kinds in a game that began with `state`, which is played to its end."""

    def pages() -> Iterator[tuple[Sequence[Event], Measures]]:
        for step in steps:
            state.apply(step.move)
            yield step.events, _measure(game, state)

    return course_of(_measure(game, state), pages(), outcome, kinds)


def course_of(
    now: Measures, pages: Iterable[tuple[Sequence[Event], Measures]], outcome: Outcome, kinds: Container[str]
) -> Course:
    """The strokes of these kinds in a game by how the seats stood at first, and after the events of each page."""
    stands, strokes = list[tuple[int, Measures]](), list[Stroke]()
    chapter, name, dealt, out = 0, "", "", 0
    for events, after in pages:
        before, now = now, after
        public = [event for event in events if event.seen_by is None]
        for event in public:
            values, opens = event.sentence.values, _CHAPTER.match(event.sentence.words)
            if opens and values and isinstance(values[0], int):
                chapter, name, dealt = values[0], opens[1].lower(), next(iter(event.cards), "")
            if event.kind in kinds:
                last = event is _head(public, kinds)
                strokes.append(Stroke(event, chapter, before if last else now, now, dealt, (), out))
            out += event.kind == "forfeit"
        stands.append((chapter, now))
    counts = all(outcome.score(seat) == points for seat, points in enumerate(now)) and bool(now)
    return Course(tuple(_with_changes(strokes, counts)), tuple(stands), chapter, name, counts)


def _head(events: Sequence[Event], kinds: Container[str]) -> Event:
    """The one of a step's events that moved the standing: the last notable one, else the last."""
    found = [event for event in events if event.kind in kinds]
    return next((event for event in reversed(found) if event.notable), found[-1])


def _measure(game: AnyGame, state: State[Any]) -> Measures:
    stands = (game.standing(state.view(seat)) for seat in range(state.seats))
    return tuple(own[seat].measure if len(own) > seat else 0.0 for seat, own in enumerate(stands))


def _with_changes(strokes: Sequence[Stroke], counts: bool) -> Iterator[Stroke]:
    """Where no points are counted, the consequences of an event come in the steps after it, and are its swing, too."""
    for stroke, following in zip(strokes, (*strokes[1:], None)[: len(strokes)], strict=True):
        until = stroke.after if counts or following is None else following.before
        yield replace(stroke, changes=tuple(map(sub, until, stroke.before)))


def worth_telling(course: Course, most: int, kinds: Mapping[str, bool]) -> list[Stroke]:
    """The strokes worth telling, in their order: large swings, changes of the lead, the seldom, and the last.

    `kinds` says of each whether there is anything to say of it.
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
    """Moments of one kind that are told together: those of one seat with nothing of that kind between, and forfeits."""
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
    return one.who == other.who or (one.event.kind == "forfeit" and other.chapter - one.chapter <= 2)


def turn(stroke: Stroke) -> str:
    """Where it left whoever did it: in a new `lead`, `ahead` as before, `level` or `behind`; "" for one seat alone."""
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
    """The seat that alone stood best; None where there was none."""
    best = [seat for seat, points in enumerate(stand) if points == max(stand)]
    return best[0] if len(best) == 1 else None


def _best_other(stand: Measures, who: Seat) -> float:
    return max(points for seat, points in enumerate(stand) if seat != who)
