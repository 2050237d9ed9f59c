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

from vaultkit.games.concession import CONCEDE
from vaultkit.games.facts import GameFact
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.ledger import Page
from vaultkit.games.messages import Event, Outcome, Seat, Standing
from vaultkit.session.history import Step
from vaultkit.text import group

Measures = tuple[float, ...]
"""The standings of the seats, in their order, as numbers; a higher number is better."""
Hands = tuple[str, ...]
"""The best hands of the seats, in their order, in words; empty in a game without hands."""
_UNSCORED_SWING_WEIGHT = 0.4
"""The weight of a change of the standings if no points are counted, since hands change with every card drawn."""
_CHAPTER = re.compile(r"(\w+) \{v0\}:")
"""The beginning of an event's sentence that opens a chapter, such as `Round {v0}:`."""


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """An event that a story has phrases for; `before` and `after` are the standings around its step.

    `chapter` is the number that the game gives its rounds, 0 before the first; `dealt` is the chapter's first card, ""
    for none. `changes` says how far each seat moved, up to the next key event if no points are counted; `out` is how
    many seats had forfeited. `facts` are the facts of its step that concern its cards, `following` the events up to the
    next key event, including that event. `hands` are the seats' hands before its step and up to the next key event, if
    known. `step` is the index of the standings after it among all standings.
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
    hands: tuple[Hands, Hands] = ((), ())
    step: int = 0

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
class GameTimeline:
    """A finished game as a story needs it. `counts` says whether the standings are the players' scores.

    `key_events` are in the order of play; `stands` has the chapter and the standings after each step. `chapters` is the
    number of chapters, `chapter_name` the game's word for one, such as `round`.
    """

    key_events: tuple[KeyEvent, ...]
    stands: tuple[tuple[int, Measures], ...]
    chapters: int
    chapter_name: str
    counts: bool

    def without_changes(self) -> "GameTimeline":
        """Return the timeline without changes of the standings.

        They are unknown if a placeholder lay in place of a card that nobody entered.
        """
        return replace(self, key_events=tuple(replace(key_event, changes=()) for key_event in self.key_events))

    def events_of(self, kind: str) -> list[KeyEvent]:
        return [key_event for key_event in self.key_events if key_event.event.kind == kind]

    def leader_at(self, chapter: int) -> tuple[tuple[Seat, ...], Measures]:
        """Return the seats that led at the end of a chapter, and the standings."""
        stand = next((stand for number, stand in reversed(self.stands) if number <= chapter), ())
        return tuple(seat for seat, points in enumerate(stand) if points == max(stand)), stand

    @property
    def out(self) -> frozenset[Seat]:
        """The seats that did not play on to the end."""
        return frozenset(key_event.who for key_event in self.events_of("forfeit") if key_event.who is not None)

    @property
    def lost(self) -> tuple[str, ...]:
        """The cards that were staked and lost."""
        fates = [key_event.event for key_event in self.events_of("fate") if key_event.event.detail == "lost"]
        return fates[-1].cards if fates else ()

    @property
    def final_cards(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The cards of the final hands, of the players' side and of the opponent."""
        cards_by_side = {key_event.who is None: key_event.event.cards for key_event in self.events_of("hand")}
        return cards_by_side.get(False, ()), cards_by_side.get(True, ())

    @property
    def final_hands(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The final hands of the players' side and of the opponent, each with its ranks; "" if unknown."""
        details_by_side = {key_event.who is None: key_event.event.detail for key_event in self.events_of("hand")}
        return _split_hand(details_by_side.get(False, "")), _split_hand(details_by_side.get(True, ""))

    def revealed_hand(self, seats: tuple[Seat, ...]) -> tuple[str, str]:
        """Return the hand that the only one of the seats revealed in the end, and its ranks.

        Both are "" if there is no such hand, or several seats are given.
        """
        reveals = [key_event for key_event in self.events_of("reveal") if (key_event.who,) == seats]
        return _split_hand(reveals[-1].event.detail if reveals else "")

    def find_earlier_taking(self, key_event: KeyEvent) -> KeyEvent | None:
        """Return the earlier key event by which the other seat took the card that this event takes from it.

        None if there is none, or if the card has belonged to the seat that now takes it in between.
        """
        if key_event.other is None or not key_event.event.cards:
            return None
        card, earlier = key_event.event.cards[0], takewhile(lambda event: event is not key_event, self.key_events)
        for candidate in reversed([*earlier]):
            for fact in candidate.facts:
                if fact.kind != "moved" or card not in fact.cards[:1]:
                    continue
                if (fact.seat, fact.other) == (key_event.other, key_event.who) and candidate.event.notable:
                    return candidate
                if fact.seat == key_event.who:
                    return None
        return None

    @property
    def last_third(self) -> int:
        """The chapter after which a third of the game is left."""
        return self.chapters * 2 // 3

    def find_lead_taking(self, seat: Seat | None, before: KeyEvent, since: KeyEvent | None = None) -> KeyEvent | None:
        """Return the last key event before `before`, and after `since` if given, with which a seat came to lead."""
        earlier = [*takewhile(lambda event: event is not before, self.key_events)]
        candidates = takewhile(lambda event: event is not since, reversed(earlier))
        return next((event for event in candidates if event.who == seat and lead_change(event) == "lead"), None)

    def leads_to_end(self, seat: Seat | None, step: int) -> bool:
        """Return whether a seat leads alone from the standings with the index `step` to the end."""
        return seat is not None and all(sole_leader(stand) == seat for _, stand in self.stands[step:])

    def find_lead_start(self, seat: Seat) -> int:
        """Return the chapter from which a seat led alone to the end; 0 if it did not lead in the end."""
        chapters = (number if sole_leader(stand) == seat else 0 for number, stand in reversed(self.stands))
        return [0, *takewhile(bool, chapters)][-1]


def _split_hand(detail: str) -> tuple[str, str]:
    """Return a hand and its ranks from the detail of an event."""
    hand, _, ranks = detail.partition(", ")
    return hand, ranks


def replay_timeline(
    game: AnyGame, state: State[Any], steps: Sequence[Step], outcome: Outcome, kinds: Container[str]
) -> GameTimeline:
    """Return the timeline of a game, by playing its steps from `state` to the end.

    `kinds` are the kinds of events that become key events.
    """

    def pages() -> Iterator[Page]:
        before = state.view(0)
        for step in steps:
            state.apply(step.move)
            after = state.view(0)
            facts = _find_facts(game, before, after, step.events, kinds)
            measures, hands = _measure(game, state)
            yield Page(step.events, measures, facts, hands)
            before = after

    return build_timeline(_measure(game, state)[0], pages(), outcome, kinds)


def _find_facts(
    game: AnyGame, before: View, after: View, events: Sequence[Event], kinds: Container[str]
) -> tuple[GameFact, ...]:
    """Return the facts of a step that a story may tell, as everybody may know them once the game is over."""
    public = [event for event in events if event.seen_by is None]
    return tuple(game.facts(before, after, public)) if any(event.kind in kinds for event in public) else ()


def build_timeline(standings: Measures, pages: Iterable[Page], outcome: Outcome, kinds: Container[str]) -> GameTimeline:
    """Return the timeline of a game from the `standings` at its start and the events and standings of each page.

    `kinds` are the kinds of events that become key events.
    """
    stands, key_events, other_events = list[tuple[int, Measures]](), list[KeyEvent](), list[tuple[int, Event]]()
    starts = list[tuple[Measures, Hands]]()
    hands: Hands = ()
    chapter, chapter_name, first_card, forfeit_count = 0, "", "", 0
    for events, after, facts, next_hands in pages:
        before, standings = standings, after
        other_events += [(len(key_events), event) for event in events if event.kind not in kinds]
        public = [event for event in events if event.seen_by is None]
        for event in public:
            values, chapter_match = event.sentence.values, _CHAPTER.match(event.sentence.words)
            if chapter_match and values and isinstance(values[0], int):
                chapter, chapter_name, first_card = values[0], chapter_match[1].lower(), next(iter(event.cards), "")
            if event.kind in kinds:
                is_decisive = event is _find_decisive_event(public, kinds)
                own_facts = tuple(fact for fact in facts if _is_about(fact, event))
                start = before if is_decisive else standings
                key_event = KeyEvent(event, chapter, start, standings, first_card, (), forfeit_count, own_facts)
                key_events.append(replace(key_event, step=len(stands)))
                starts.append((before, hands))
            forfeit_count += event.kind == "forfeit"
        stands.append((chapter, standings))
        hands = next_hands
    is_scored = all(outcome.score(seat) == points for seat, points in enumerate(standings)) and bool(standings)
    whole_events = _add_consequences(key_events, [*starts, (standings, hands)], group(other_events), is_scored)
    return GameTimeline(tuple(whole_events), tuple(stands), chapter, chapter_name, is_scored)


def _is_about(fact: GameFact, event: Event) -> bool:
    """Return whether a fact is about the card of an event or, for an event without a card, about its other seat."""
    if not event.cards:
        return fact.kind == "other" and fact.seat == event.seat and fact.other is not None
    return not set(event.cards).isdisjoint(fact.cards) and fact.kind != "revealed"


def _find_decisive_event(events: Sequence[Event], kinds: Container[str]) -> Event:
    """Return the event of a step to which its change of the standings belongs: the last notable one, else the last."""
    matching_events = [event for event in events if event.kind in kinds]
    return next((event for event in reversed(matching_events) if event.notable), matching_events[-1])


def _measure(game: AnyGame, state: State[Any]) -> tuple[Measures, Hands]:
    """Return the standings of all seats, each from its own view, as numbers and, in a game without points, as hands."""
    standings = (game.standing(state.view(seat))[seat : seat + 1] for seat in range(state.seats))
    own = [next(iter(standing), Standing(seat)) for seat, standing in enumerate(standings)]
    hands = (str(hand.words.values[0]) if hand.words and hand.points is None else "" for hand in own)
    return tuple(standing.measure for standing in own), tuple(hands)


def _add_consequences(
    key_events: Sequence[KeyEvent],
    starts: Sequence[tuple[Measures, Hands]],
    other_events: Mapping[int, Sequence[Event]],
    is_scored: bool,
) -> Iterator[KeyEvent]:
    """Yield the key events with the changes of the standings and hands that they caused, and the events that follow.

    If the game is not scored, an event takes effect in the steps after it: all changes up to the next step with a key
    event belong to it. `starts` are the standings and hands before the step of each key event, and those at the end;
    `other_events` are the events of other kinds, by the number of key events before them.
    """
    for number, (key_event, (_, hands)) in enumerate(zip(key_events, starts, strict=False), 1):
        later = (start for other, start in zip(key_events, starts, strict=False) if other.step > key_event.step)
        next_standings, next_hands = next(later, starts[-1])
        changes = tuple(map(sub, key_event.after if is_scored else next_standings, key_event.before))
        following = (*other_events.get(number, ()), *(other.event for other in key_events[number : number + 1]))
        yield replace(key_event, changes=changes, hands=(hands, next_hands), following=following)


def select_key_events(timeline: GameTimeline, limit: int, kinds: Mapping[str, bool]) -> list[KeyEvent]:
    """Return the key events worth telling, in their order, `limit` of them at most.

    They are large changes, changes of the lead and the one that lasted, rare events, concessions and the last event.
    `kinds` says for each kind of event whether a phrase can tell it.
    """
    counts_by_kind = Counter(key_event.event.kind for key_event in timeline.key_events)
    max_swing = max((key_event.swing for key_event in timeline.key_events), default=0.0) or 1.0

    final = next((key_event for key_event in reversed(timeline.key_events) if key_event.event.notable), None)
    swing_weight = 1.0 if timeline.counts else _UNSCORED_SWING_WEIGHT

    def weight(key_event: KeyEvent) -> float:
        rarity = 0.8 / sqrt(counts_by_kind[key_event.event.kind]) if key_event.event.notable else 0.0
        lead = 0.4 if lead_change(key_event) == "lead" and key_event.chapter > 1 else 0.0
        last = 0.6 if key_event is final else 0.0
        concession = 2.0 if key_event.event.kind == CONCEDE else 0.0
        decisive = 0.8 if lead and timeline.counts and timeline.leads_to_end(key_event.who, key_event.step) else 0.0
        return swing_weight * key_event.swing / max_swing + rarity + lead + last + decisive + concession

    tellable_indices = [index for index, key_event in enumerate(timeline.key_events) if kinds[key_event.event.kind]]
    indices_by_weight = sorted(tellable_indices, key=lambda place: -weight(timeline.key_events[place]))
    return [timeline.key_events[index] for index in sorted(indices_by_weight[:limit])]


def group_runs(selected: Sequence[KeyEvent], all_events: Sequence[KeyEvent]) -> Iterator[list[KeyEvent]]:
    """Yield the selected key events in lists, one for each sentence.

    The events of a list are of one kind and seat, with no other event of that kind between them in `all_events`; or
    they are forfeits of any seats, each at most 2 chapters after the previous one.
    """
    by_kind = group((event.event.kind, event) for event in all_events)
    next_of_kind = {id(first): second for events in by_kind.values() for first, second in pairwise(events)}
    run: list[KeyEvent] = []
    for key_event in selected:
        if run and not (next_of_kind.get(id(run[-1])) is key_event and _belong_together(run[-1], key_event)):
            yield run
            run = []
        run.append(key_event)
    if run:
        yield run


def _belong_together(first: KeyEvent, second: KeyEvent) -> bool:
    if len(first.event.cards) != len(second.event.cards) or first.who is None:
        return False
    if (first.other, first.meaning) != (second.other, second.meaning):
        return False
    return first.who == second.who or (first.event.kind == "forfeit" and second.chapter - first.chapter <= 2)


def lead_change(key_event: KeyEvent) -> str:
    """Return how the seat that acted stands after an event: `lead` (newly), `ahead` as before, `level` or `behind`.

    "" if there is only one seat, if no seat acted, or if the standings did not change.
    """
    who = key_event.who
    if who is None or len(key_event.after) < 2 or key_event.before == key_event.after:
        return ""
    best_before, best = _best_other(key_event.before, who), _best_other(key_event.after, who)
    if key_event.after[who] == best:
        return "level"
    if key_event.after[who] < best:
        return "behind"
    return "ahead" if key_event.before[who] > best_before else "lead"


def sole_leader(stand: Measures) -> Seat | None:
    """Return the seat that alone stood best; None if there was none."""
    best = [seat for seat, points in enumerate(stand) if points == max(stand)]
    return best[0] if len(best) == 1 else None


def _best_other(stand: Measures, who: Seat) -> float:
    return max(points for seat, points in enumerate(stand) if seat != who)
