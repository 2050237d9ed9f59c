"""The story of a finished game: how it began, its turning points, and the end, in phrases that are data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from vaultkit.campaign.phrases import Phrases
from vaultkit.campaign.phrasing import Filling, Phrasing
from vaultkit.campaign.turning_points import Course, Measures, Stroke, runs, sole_leader, turn, worth_telling
from vaultkit.games.words import Outcome, Score, Seat, Sentence
from vaultkit.wording import NUMBERS

STROKES = 7
"""Events that a story tells of at most."""
MATTERED = 5
"""Cards that mattered, at most."""
_NUMBERS = ("no", *NUMBERS[1:])
_CLOSE = 0.06
"""A lead of this part of the score, or of one point, is a close one."""


@dataclass(frozen=True, slots=True)
class Story:
    """`cards` are those that mattered, each with what it did; `headline` is for the campaign's line."""

    sentences: tuple[Sentence, ...] = ()
    headline: Sentence | None = None
    cards: tuple[tuple[str, Sentence], ...] = ()


def tell_story(course: Course, outcome: Outcome, phrases: Phrases, key: str, *, together: bool = False) -> Story:
    """The story of a game that was played move by move; `key` says which of its phrases come first.

    `together` says that all played against the game.
    """
    teller = _Teller(course, outcome, phrases, Phrasing(phrases, key), together)
    return Story(tuple(teller.sentences()), teller.result("headline"), tuple(teller.cards()))


def tell_scores(outcome: Outcome, phrases: Phrases, key: str) -> Story:
    """The short story of a game of which the scores are known; nothing where there are none, or one seat only."""
    scores = tuple(map(outcome.score, range(len(outcome.ranks))))
    if len(scores) < 2 or None in scores:
        return Story()
    nothing = Course((), (), 0, "", counts=False)
    teller = _Teller(nothing, outcome, phrases, Phrasing(phrases, key))
    return Story(tuple(filter(None, (teller.result("result"), teller.last()))))


@dataclass
class _Teller:
    """One story in the making.

    `_chapter` is the one that was last told of, `_first` the first stroke that is told, `_told` all so far, `_known`
    how the seats stood when they were last told of.
    """

    course: Course
    outcome: Outcome
    phrases: Phrases
    speaker: Phrasing
    together: bool = False
    _chapter: int = 0
    _first: Stroke | None = None
    _told: list[Stroke] = field(default_factory=list)
    _known: Measures = ()

    def sentences(self) -> Iterator[Sentence]:
        """The opening, the turning points with how it stood halfway between them, and the end with its cause."""
        half = self.course.chapters // 2
        chosen = list(runs(worth_telling(self.course, STROKES, self.phrases.kinds), self.course.strokes))
        self._first = chosen[0][0] if chosen else None
        told = (
            self.speaker.say("opening", (self._mode, self._size), self._whole),
            *chain.from_iterable(map(self._passage, (run for run in chosen if run[-1].chapter <= half))),
            self._halfway(half) if not any(run[0].chapter <= half < run[-1].chapter for run in chosen) else None,
            *chain.from_iterable(map(self._passage, (run for run in chosen if run[-1].chapter > half))),
            self._gone(),
            self.speaker.say("end", (self.outcome.kind,), self._whole),
            self.result("result"),
            self._cause(),
        )
        return filter(None, told)

    def result(self, kind: str) -> Sentence | None:
        """Who won, and how: the case is the drama that it had, else the kind of ending."""
        return self.speaker.say(kind, tuple(self._dramas()), self._whole)

    def last(self) -> Sentence | None:
        """Who came last, where there are more than two and one did."""
        ranks = self.outcome.ranks
        if len(ranks) < 3 or ranks.count(max(ranks)) > 1 or max(ranks) == 1:
            return None
        seat = ranks.index(max(ranks))
        return self.speaker.say(
            "last", (self.outcome.kind,), {"who": seat, "score": self._points(self.outcome.score(seat))}
        )

    def cards(self) -> Iterator[tuple[str, Sentence]]:
        """The cards that swung the standing most, each once; of an event with several it is the last, which did it."""
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
        """The deed of the last card of a stroke; more is said of one that went into the winning hand."""
        cards, word = stroke.event.cards, next(iter(stroke.texts), "")
        hand, _ = self._hands()
        case = (
            "made" if cards[-1] in self.course.final_cards[0] else word or ("other" if stroke.other is not None else "")
        )
        filling = {**self._filling(stroke), "card": cards[0], "with": cards[-1], "hand": hand}
        return self.speaker.say("card", (f"{stroke.event.kind}-{case}", stroke.event.kind), filling)

    @property
    def _mode(self) -> str:
        return "together" if self.together else "rivals"

    @property
    def _size(self) -> str:
        return "alone" if len(self.outcome.ranks) == 1 else "several"

    @property
    def _whole(self) -> Filling:
        """The facts of the whole game that a phrase may name."""
        outcome, margin = self.outcome, self._margin
        second = tuple(seat for seat, rank in enumerate(outcome.ranks) if rank == 2)
        first = tuple(seat for seat, rank in enumerate(outcome.ranks) if rank == 1)
        hand, foe = self._hands()
        best, against = self.course.final_cards
        ranks, others = self.course.revealed(first), self.course.revealed(second)
        return {
            "winners": outcome.winners,
            "players": tuple(range(len(outcome.ranks))),
            "who": outcome.winners[0] if outcome.winners else 0,
            "second": second,
            "leader": first,
            "score": self._points(outcome.score(first[0]) if first else None),
            "margin": self._points(margin) if margin else "",
            "hand": hand,
            "foe": foe or others.partition(", ")[0],
            "ranks": ranks.partition(", ")[2],
            "others": others.partition(", ")[2],
            "best": best,
            "against": against,
            "lost": next((one.event.cards for one in reversed(self.course.strokes) if one.event.kind == "fate"), ()),
            "chapter": self.course.chapter_name,
            "length": _counted(self.course.chapters, self.course.chapter_name),
            "dealt": next(iter(outcome.reason.cards), None),
        }

    def _hands(self) -> tuple[str, str]:
        """The hands that were made in the end, one's own and that of the opponent, "" where there is none."""
        made = {stroke.who is None: stroke.texts for stroke in self.course.strokes
                if stroke.event.kind == "hand"}  # fmt: skip
        if not made:
            return next((value for value in self.outcome.reason.values if isinstance(value, str)), ""), ""
        return next(iter(made.get(False, ())), ""), next(iter(made.get(True, ())), "")

    @property
    def _is_chosen(self) -> bool:
        """Whether it was said who has won, whatever the scores are."""
        return self.outcome.kind == "winner"

    @property
    def _margin(self) -> float | None:
        """By how much the first was ahead of the second; None without that, and where more than scores decided."""
        ranks = self.outcome.ranks
        by_rank = [self.outcome.score(seat) for seat in sorted(range(len(ranks)), key=ranks.__getitem__)]
        scores = [score for score in by_rank if score is not None]
        if len(self.outcome.winners) != 1 or len(scores) < max(2, len(ranks)) or self._is_chosen:
            return None
        is_in_order = scores in (sorted(scores), sorted(scores, reverse=True))
        return abs(scores[0] - scores[1]) if is_in_order else None

    def _dramas(self) -> Iterator[str]:
        """The cases of how it was won, the most telling first."""
        outcome, winners = self.outcome, self.outcome.winners
        best, margin = (outcome.score(winners[0]) if winners else None), self._margin
        hand, foe = self._whole["hand"], self._whole["foe"]
        first, second = ([seat for seat, rank in enumerate(outcome.ranks) if rank == place] for place in (1, 2))
        same = "same" if hand and hand == foe else ""
        level = first and second and outcome.scores[first[0]] == outcome.scores[second[0]]
        yield from (f"{outcome.kind}-{same}", outcome.kind, "equal" if same and level else "", same)
        if not winners:
            yield "nobody"
        if self.together or best is None or self._is_chosen:
            return
        if len(winners) > 1:
            yield "shared"
        is_clear = bool(margin) and (margin or 0) >= abs(best) / 3
        if margin == 0:
            yield "level"
        if len(winners) == 1 and self._was_behind(winners[0]):
            yield "surge" if is_clear else "comeback"
        if margin and margin <= max(1, _CLOSE * abs(best)):
            yield "close"
        if is_clear:
            yield "clear"

    def _was_behind(self, winner: Seat) -> bool:
        """Whether the winner was behind when two thirds of the game were over."""
        if not self.course.counts or self.course.chapters < 3:
            return False
        leaders, _ = self.course.leader_at(self.course.last_third)
        return winner not in leaders

    def _halfway(self, half: int) -> Sentence | None:
        leaders, stand = self.course.leader_at(half)
        if not self.course.counts or self.together or self.course.chapters < 6 or not max(stand, default=0):
            return None
        if self._known == stand:
            return None
        others = sorted((points for seat, points in enumerate(stand) if seat not in leaders), reverse=True)
        if not others:
            return None
        seconds = tuple(seat for seat, points in enumerate(stand) if points == others[0])
        seconds = seconds if len(seconds) == 1 else ()
        self._chapter, self._known = half, stand
        filling = {"leader": leaders, "second": seconds, "score": self._points(stand[leaders[0]]),
                   "lead": self._points(stand[leaders[0]] - others[0]), "number": half,
                   "chapter": self.course.chapter_name}  # fmt: skip
        cases = ("level",) if len(leaders) > 1 else ()
        return self.speaker.say("halfway", cases, filling)

    def _passage(self, run: Sequence[Stroke]) -> Iterator[Sentence | None]:
        """Who had come to lead, a stroke and, where no points tell it, whom it raised or brought down."""
        yield self._meanwhile(run[0])
        sentence = self._stroke(run)
        yield sentence
        changes = dict(enumerate(run[-1].changes))
        if not sentence or self.course.counts or not changes:
            return
        up, down = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
        case, seat = ("up", up) if changes[up] >= -changes[down] else ("down", down)
        if abs(changes[seat]) >= 1:
            yield self.speaker.say(f"{run[-1].event.kind}-{case}", (), {"who": seat})

    def _meanwhile(self, stroke: Stroke) -> Sentence | None:
        """Who had taken the lead before a stroke, with a card that is not told."""
        leader = sole_leader(stroke.before)
        if not self.course.counts or self.together or not self._known or leader in (None, sole_leader(self._known)):
            return None
        others = [points for seat, points in enumerate(stroke.before) if seat != leader]
        lead, taken = self._points(max(stroke.before) - max(others)), self.course.lead_taken(leader, stroke)
        card = taken.event.cards[-1] if taken and taken.event.cards else None
        return self.speaker.say("meanwhile", (), {"leader": leader, "lead": lead, "card": card})

    def _stroke(self, run: Sequence[Stroke]) -> Sentence | None:
        """One stroke, or several of one kind in a row: of one seat, or of several."""
        last = run[-1]
        filling = {**self._filling(last), "when": self._when(last.chapter)}
        if len(run) > 1:
            seats = tuple(dict.fromkeys(stroke.who for stroke in run))
            filling["cards"] = tuple(dict.fromkeys(stroke.event.cards[-1] for stroke in run if stroke.event.cards))
            filling["gain"] = self._points(sum(stroke.gain for stroke in run))
            filling["count"] = _NUMBERS[len(run)]
            filling["chapters"] = _span(self.course.chapter_name, run[0].chapter, last.chapter)
            filling["who"] = seats if len(seats) > 1 else seats[0]
        several = "all" if isinstance(filling["who"], tuple) else "run"
        cases = self._cases(last) if len(run) == 1 else (several,)
        sentence = self.speaker.say(last.event.kind, cases, filling)
        if sentence:
            self._chapter = last.chapter
            self._told += run
            self._known = last.after
        return sentence

    def _gone(self) -> Sentence | None:
        """Who had left the game without a word so far."""
        named = {stroke.who for stroke in self._told if stroke.event.kind == "forfeit"}
        gone = [stroke for stroke in self.course.strokes if stroke.event.kind == "forfeit" and stroke.who not in named]
        if not gone:
            return None
        seats = tuple(dict.fromkeys(stroke.who for stroke in gone))
        chapters = _span(self.course.chapter_name, gone[0].chapter, gone[-1].chapter)
        return self.speaker.say("forfeit", ("before",), {"who": seats, "chapters": chapters})

    def _cases(self, stroke: Stroke) -> tuple[str, ...]:
        """The cases of a phrase: the card, another seat, nobody, a stroke for the party, the change among rivals."""
        card = next(iter(stroke.event.cards), "")
        other = "other" if stroke.other is not None and stroke.who is not None else ""
        change = self._mode if self.together or not self.course.counts else turn(stroke)
        first = "first" if stroke is self._first else ""
        lead = "lead" if change == "lead" else ""
        taken = self.course.taken_before(stroke)
        back = "" if taken is None else ("back", "again")[taken in self._told]
        nobody, word = ("nobody" if stroke.who is None else ""), next(iter(stroke.texts), "")
        is_answer = self._told and stroke.chapter == self._chapter and stroke.who != self._told[-1].who
        same = f"same-{change}" if change and is_answer else ""
        cases = (card, word, nobody, first, same, f"{back}-{lead}" if back and lead else "", back, lead, other, change)
        return tuple(filter(None, cases))

    def _filling(self, stroke: Stroke) -> dict[str, object]:
        event, who, stand = stroke.event, stroke.who, stroke.after
        cards, texts = event.cards, stroke.texts
        numbers = [value for value in event.sentence.values if isinstance(value, int)]
        others = [points for seat, points in enumerate(stand) if seat != who]
        own = stand[who] if who is not None else 0
        loss = stroke.before[stroke.other] - stand[stroke.other] if stroke.other is not None else 0
        return {
            "who": who,
            "other": stroke.other,
            "card": cards[0] if len(cards) in (1, 2) else None,
            "with": cards[1] if len(cards) == 2 else None,
            "cards": cards,
            "dealt": stroke.dealt or None,
            "chapter": self.course.chapter_name if stroke.chapter else "",
            "number": stroke.chapter or "",
            "points": self._points(next(iter(numbers), 0)),
            "gain": self._gained(stroke.gain),
            "loss": self._gained(loss),
            "score": self._gained(own),
            "lead": self._gained(abs(own - max(others, default=own))),
            "left": _number(len(stand) - stroke.out - 1) if stroke.out + 1 < len(stand) else "",
            "hand": next(iter(texts), ""),
            "earlier": f"{self.course.chapter_name} {taken.chapter}"
            if (taken := self.course.taken_before(stroke))
            else "",
        }

    def _cause(self) -> Sentence | None:
        """The winner's one stroke without which the second had won, else since when they led; no news is None."""
        margin, winners = self._margin, self.outcome.winners
        if not self.course.counts or self.together or len(winners) != 1 or not margin:
            return None
        own = [stroke for stroke in self.course.strokes if stroke.who == winners[0] and stroke.event.cards]
        decisive = [stroke for stroke in own if stroke.gain > margin]
        if len(decisive) != 1:
            return self._in_front(winners[0])
        best = decisive[0]
        if self._told and best is self._told[-1]:
            return None
        filling = {**self._whole, **self._filling(best), "margin": self._points(margin), "card": best.event.cards[-1]}
        return self.speaker.say("cause", (self.outcome.kind, best.event.kind), filling)

    def _in_front(self, winner: Seat) -> Sentence | None:
        """Since when the winner had led, where that is news, and neither the very first nor the last third."""
        number = self.course.in_front_since(winner)
        if any(stroke.chapter == number and sole_leader(stroke.after) == winner for stroke in self._told):
            return None
        if not 1 < number <= self.course.last_third:
            return None
        filling = {**self._whole, "chapter": self.course.chapter_name, "number": number}
        return self.speaker.say("in-front", (self.outcome.kind,), filling)

    def _when(self, chapter: int) -> str:
        """Where in the game: relative to what was told before, where that is near."""
        if not chapter:
            return ""
        gap, first = chapter - self._chapter, self._chapter == 0
        far = "last" if chapter == self.course.chapters > 1 else "at"
        case = far if first or gap > 1 else ("same", "next")[gap]
        return self.speaker.mention("when", case, {"chapter": self.course.chapter_name, "number": chapter})

    def _gained(self, points: float) -> str:
        """Points where the measures are points, and there are any."""
        return self._points(points) if self.course.counts and points > 0 else ""

    def _points(self, points: Score | None) -> str:
        unit = "point" if points == 1 else "points"
        return "" if points is None else f"{points:g} {unit}"


def _counted(number: int, noun: str) -> str:
    return f"{_number(number)} {noun}s" if number > 1 else ""


def _span(noun: str, first: int, last: int) -> str:
    """One chapter or several, as in `round 4`, `rounds 4 and 5`, `rounds 4 to 6`."""
    word = "and" if last - first == 1 else "to"
    return f"{noun} {last}" if first == last else f"{noun}s {first} {word} {last}"


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
