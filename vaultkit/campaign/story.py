"""The story of a finished game: the beginning, its turning points and the end, in phrases that are data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from vaultkit.campaign.phrases import Phrases
from vaultkit.campaign.phrasing import Filling, Phrasing
from vaultkit.campaign.story_facts import Ending, Moment, lead_of
from vaultkit.campaign.turning_points import Course, Measures, Stroke, runs, sole_leader, turn, worth_telling
from vaultkit.games.options import Options
from vaultkit.games.words import Outcome, Score, Sentence
from vaultkit.wording import NUMBERS, listing

STROKES = 7
"""The highest number of events that a story tells."""
MATTERED = 5
"""The highest number of cards that are listed as having mattered."""
_NUMBERS = ("no", *NUMBERS[1:])
_MEANING = {"leaves": "other", "changes": ""}
"""The case for what happened to a card, if it has another name than the meaning."""


@dataclass(frozen=True, slots=True)
class Story:
    """A story in `sentences`, with a `headline` for the campaign's line.

    `cards` are the cards that mattered, each with a sentence on what it did.
    """

    sentences: tuple[Sentence, ...] = ()
    headline: Sentence | None = None
    cards: tuple[tuple[str, Sentence], ...] = ()


def tell_story(course: Course, outcome: Outcome, phrases: Phrases, key: str, options: Options | None = None) -> Story:
    """Return the story of a game that was played move by move.

    `key` decides which of its phrases come first; `options` are the game's options, which say whether all played
    against the game.
    """
    teller = _Teller(course, outcome, phrases, Phrasing(phrases, key), options or {})
    return Story(tuple(teller.sentences()), teller.result("headline"), tuple(teller.cards()))


def tell_scores(outcome: Outcome, phrases: Phrases, key: str) -> Story:
    """Return the short story of a game of which only the scores are known.

    It is empty if a score is missing or there is only one seat.
    """
    scores = tuple(map(outcome.score, range(len(outcome.ranks))))
    if len(scores) < 2 or None in scores:
        return Story()
    nothing = Course((), (), 0, "", counts=False)
    teller = _Teller(nothing, outcome, phrases, Phrasing(phrases, key), {})
    return Story(tuple(filter(None, (teller.result("result"), teller.last()))))


@dataclass
class _Teller:
    """The state of one story while it is told.

    `_chapter` is the last chapter that was told, `_chosen` are the events to tell, `_told` the events told so far,
    `_known` how the seats stood when they were last mentioned.
    """

    course: Course
    outcome: Outcome
    phrases: Phrases
    speaker: Phrasing
    options: Options
    _chapter: int = 0
    _chosen: tuple[Stroke, ...] = ()
    _told: list[Stroke] = field(default_factory=list)
    _known: Measures = ()

    @property
    def ending(self) -> Ending:
        return Ending(self.course, self.outcome, self.options)

    @property
    def together(self) -> bool:
        """Whether all play against the game."""
        return self.options.get("mode") == "coop"

    def sentences(self) -> Iterator[Sentence]:
        """Yield the opening, the turning points with the standings halfway between them, and the end."""
        half = self.course.chapters // 2
        chosen = list(runs(worth_telling(self.course, STROKES, self.phrases.kinds), self.course.strokes))
        self._chosen = tuple(chain.from_iterable(chosen))
        told = (
            self.speaker.say("opening", ("against", self._mode, self._size), self._whole, self.ending),
            *chain.from_iterable(map(self._passage, (run for run in chosen if run[-1].chapter <= half))),
            self._halfway(half) if not any(run[0].chapter <= half < run[-1].chapter for run in chosen) else None,
            *chain.from_iterable(map(self._passage, (run for run in chosen if run[-1].chapter > half))),
            self._gone(),
            self.speaker.say("end", (self.outcome.kind,), self._whole, self.ending),
            self.result("result"),
            self._in_front(),
        )
        return filter(None, told)

    def result(self, kind: str) -> Sentence | None:
        """Return a sentence on who won and how; the case is the drama of the game, else the kind of ending."""
        ending = self.outcome.kind
        settled = str(self.options.get(ending, ""))
        cases = (f"{ending}-same", settled, f"{ending}-against", ending, "equal", "same", "nobody", *self._dramas)
        return self.speaker.say(kind, cases, self._whole, self.ending)

    @property
    def _dramas(self) -> tuple[str, ...]:
        """The cases of how rivals can win, the most telling first."""
        if self.together:
            return ()
        return ("shared", "joint", "level", "surge", "comeback", "close", "clear")

    def last(self) -> Sentence | None:
        """Return a sentence on who came last, if there are more than two seats and one of them came last alone."""
        ranks = self.outcome.ranks
        seat = ranks.index(max(ranks))
        filling = {"who": seat, "score": self._points(self.outcome.score(seat))}
        return self.speaker.say("last", (self.outcome.kind,), filling, self.ending)

    def cards(self) -> Iterator[tuple[str, Sentence]]:
        """Yield the cards that changed the standings most, each once with a sentence on what it did.

        For an event with several cards it is the last one, which caused the change.
        """
        by_weight = sorted(
            worth_telling(self.course, 4 * STROKES, self.phrases.kinds), key=lambda stroke: -stroke.swing
        )
        done = dict[str, Sentence]()
        for stroke in by_weight:
            cards = stroke.event.cards
            is_new = cards and cards[-1] not in done and len(cards) <= 2 and len(done) < MATTERED
            if is_new and (stroke in self._told or not self.course.counts):
                sentence = self._deed(stroke)
                done.update({cards[-1]: sentence} if sentence else {})
        yield from done.items()

    def _deed(self, stroke: Stroke) -> Sentence | None:
        """Return what the last card of an event did; there are more words for a card of the winning hand."""
        cards, kind = stroke.event.cards, stroke.event.kind
        filling = {**self._filling(stroke), "card": cards[0], "with": cards[-1], "hand": self.ending.hands[0][0]}
        cases = (*(f"{kind}-{case}" for case in ("made", *self._cases(stroke))), kind)
        return self.speaker.say("card", cases, filling, self._moment([stroke]))

    def _moment(self, run: Sequence[Stroke]) -> Moment:
        return Moment(run, self.course, tuple(self._told), self.options)

    @property
    def _mode(self) -> str:
        return "together" if self.together else "rivals"

    @property
    def _size(self) -> str:
        return "alone" if len(self.outcome.ranks) == 1 else "several"

    @property
    def _whole(self) -> Filling:
        """The facts of the whole game that a phrase may name."""
        outcome, ending = self.outcome, self.ending
        (hand, ranks), (foe, others) = ending.hands
        best, against = self.course.final_cards
        first = ending.first
        return {
            "winners": outcome.winners,
            "players": tuple(range(len(outcome.ranks))),
            "who": outcome.winners[0] if outcome.winners else 0,
            "second": ending.second,
            "leader": first,
            "score": self._points(outcome.score(first[0]) if first else None),
            "margin": self._points(ending.margin) if ending.margin else "",
            "hand": hand,
            "foe": foe,
            "ranks": ranks,
            "others": others,
            "best": best,
            "against": against,
            "lost": self.course.lost,
            "chapter": self.course.chapter_name,
            "length": _counted(self.course.chapters, self.course.chapter_name),
            "dealt": next(iter(outcome.reason.cards), None),
        }

    def _halfway(self, half: int) -> Sentence | None:
        leaders, stand = self.course.leader_at(half)
        if not self.course.counts or self.together or self.course.chapters < 6 or not max(stand, default=0):
            return None
        if self._known == stand or len(stand) < 2:
            return None
        best = max(stand)
        others = max((points for points in stand if points < best), default=best)
        seconds = tuple(seat for seat, points in enumerate(stand) if points == others < best)
        self._chapter, self._known = half, stand
        second, lead = (seconds if len(seconds) == 1 else ()), self._points(best - others)
        filling = {"leader": leaders, "second": second, "score": self._points(best), "lead": lead, "number": half,
                   "chapter": self.course.chapter_name}  # fmt: skip
        cases = ("level",) if len(leaders) > 1 else ()
        return self.speaker.say("halfway", cases, filling)

    def _passage(self, run: Sequence[Stroke]) -> Iterator[Sentence | None]:
        """Yield sentences on a run of events: who had come to lead, the events, and the seat most raised or lowered.

        The last is told only if no points are counted.
        """
        if run[-1] is self._chosen[-1]:
            yield self._gone(run[0])
        yield self._meanwhile(run[0])
        sentence = self._stroke(run)
        yield sentence
        changes = dict(enumerate(run[-1].changes))
        if not sentence or self.course.counts or not changes:
            return
        up, down = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
        case, seat = ("up", up) if changes[up] >= -changes[down] else ("down", down)
        yield self.speaker.say(f"{run[-1].event.kind}-{case}", (), {"who": seat}, self._moment(run))

    def _meanwhile(self, stroke: Stroke) -> Sentence | None:
        """Return a sentence on who had taken the lead before an event, by an event that is not told."""
        leader = sole_leader(stroke.before)
        if not self.course.counts or self.together or not self._known or leader in (None, sole_leader(self._known)):
            return None
        taken = self.course.lead_taken(leader, stroke, self._told[-1] if self._told else None)
        if taken is None or not taken.event.cards or taken.gain <= 0:
            lead = self._points(lead_of(stroke.before, leader))
            return self.speaker.say("meanwhile", ("plain",), {"leader": leader, "lead": lead})
        filling = {"leader": leader, "lead": self._points(lead_of(taken.after, leader)), "card": taken.event.cards[-1]}
        return self.speaker.say("meanwhile", (), filling)

    def _stroke(self, run: Sequence[Stroke]) -> Sentence | None:
        """Return a sentence on one event, or on several of one kind in a row, of one seat or of several."""
        last = run[-1]
        filling = {**self._filling(last), "when": self._when(last.chapter)}
        if len(run) > 1:
            seats = tuple(dict.fromkeys(stroke.who for stroke in run))
            filling["cards"] = tuple(dict.fromkeys(stroke.event.cards[-1] for stroke in run if stroke.event.cards))
            filling["gain"] = filling["points"] = self._points(sum(stroke.gain for stroke in run))
            filling["count"] = _NUMBERS[len(run)]
            filling["chapters"] = self._chapters(run)
            filling["who"] = seats if len(seats) > 1 else seats[0]
        several = "all" if isinstance(filling["who"], tuple) else "run"
        cases = self._cases(last) if len(run) == 1 else (several,)
        sentence = self.speaker.say(last.event.kind, cases, filling, self._moment(run))
        if sentence:
            self._chapter = last.chapter
            self._told += run
            self._known = last.after
        return sentence

    def _gone(self, until: Stroke | None = None) -> Sentence | None:
        """Return a sentence on the seats that forfeited before an event, or at all, and are not mentioned otherwise."""
        named = {stroke.who for stroke in (*self._told, *self._chosen) if stroke.event.kind == "forfeit"}
        earlier = takewhile(lambda stroke: stroke is not until, self.course.strokes)
        gone = [stroke for stroke in earlier if stroke.event.kind == "forfeit" and stroke.who not in named]
        if not gone:
            return None
        seats = tuple(dict.fromkeys(stroke.who for stroke in gone))
        filling = {"who": seats, "chapters": self._chapters(gone)}
        sentence = self.speaker.say("forfeit", ("before",), filling, self._moment(gone))
        self._told[:0] = gone if sentence else ()
        return sentence

    def _chapters(self, run: Sequence[Stroke]) -> str:
        """Return the chapters of several events in words: `round 4`, `rounds 4 and 5`, `rounds 4, 6 and 9`."""
        numbers = list(dict.fromkeys(stroke.chapter for stroke in run))
        return f"{self.course.chapter_name}{'s' if len(numbers) > 1 else ''} {listing(map(str, numbers))}"

    def _cases(self, stroke: Stroke) -> tuple[str, ...]:
        """Return the cases of a phrase, in the order in which they are tried.

        They are about the card, what happened to it, another seat concerned, and the change of the lead.
        """
        card, detail = next(iter(stroke.event.cards), ""), stroke.event.detail
        change = self._mode if self.together or not self.course.counts else turn(stroke)
        became = _MEANING.get(stroke.meaning, stroke.meaning)
        taken = self.course.taken_before(stroke)
        back = "" if taken is None else ("back", "again")[taken in self._told]
        kinds = (detail, became, back)
        named = chain.from_iterable((f"{kind}-{change}", kind) for kind in kinds if kind)
        nobody, first = ("nobody" if stroke.who is None else ""), ("first" if stroke in self._chosen[:1] else "")
        other = "other" if stroke.other is not None else ""
        cases = (card, nobody, first, f"same-{change}", *named, change if change == "lead" else "", other, change)
        return tuple(filter(None, cases))

    def _filling(self, stroke: Stroke) -> dict[str, object]:
        event, who, stand = stroke.event, stroke.who, stroke.after
        cards, taken = event.cards, self.course.taken_before(stroke)
        own = stand[who] if who is not None else 0
        gain = self._gained(stroke.gain)
        return {
            "who": who,
            "other": stroke.other,
            "card": cards[0] if len(cards) in (1, 2) else None,
            "with": cards[1] if len(cards) == 2 else None,
            "cards": cards,
            "dealt": stroke.dealt or None,
            "chapter": self.course.chapter_name if stroke.chapter else "",
            "number": stroke.chapter or "",
            "points": gain,
            "gain": gain,
            "loss": self._gained(stroke.loss),
            "score": self._gained(own),
            "lead": self._gained(abs(lead_of(stand, who))),
            "left": _number(len(stand) - stroke.out - 1) if stroke.out + 1 < len(stand) else "",
            "hand": event.detail.partition(", ")[0],
            "earlier": f"{self.course.chapter_name} {taken.chapter}" if taken else "",
        }

    def _in_front(self) -> Sentence | None:
        """Return a sentence on when the winner came to lead; None if that was in the first chapter or the last third.

        It is also None if that event has been told.
        """
        if not self.course.counts or self.together or not self.ending.margin:
            return None
        winner = self.outcome.winners[0]
        number = self.course.in_front_since(winner)
        if any(stroke.chapter == number and sole_leader(stroke.after) == winner for stroke in self._told):
            return None
        if not 1 < number <= self.course.last_third:
            return None
        filling = {**self._whole, "chapter": self.course.chapter_name, "number": number}
        return self.speaker.say("in-front", (self.outcome.kind,), filling, self.ending)

    def _when(self, chapter: int) -> str:
        """Return when an event happened in words, relative to the last chapter told if that is near."""
        if not chapter:
            return ""
        gap, first = chapter - self._chapter, self._chapter == 0
        far = "last" if chapter == self.course.chapters > 1 else "at"
        case = far if first or gap not in {0, 1} else ("same", "next")[gap]
        return self.speaker.mention("when", case, {"chapter": self.course.chapter_name, "number": chapter})

    def _gained(self, points: float) -> str:
        """Return points in words, "" if no points are counted or there are none."""
        return self._points(points) if self.course.counts and points > 0 else ""

    def _points(self, points: Score | None) -> str:
        unit = "point" if points == 1 else "points"
        return "" if points is None else f"{points:g} {unit}"


def _counted(number: int, noun: str) -> str:
    return f"{_number(number)} {noun}s" if number > 1 else ""


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
