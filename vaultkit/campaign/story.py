"""The story of a finished game: the beginning, its turning points and the end, in phrases from data files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from vaultkit.campaign.phrase_choice import Filling, Phrasing
from vaultkit.campaign.story_facts import GameEnding, StoryMoment, describe_hand, lead_of
from vaultkit.campaign.story_phrases import Phrases
from vaultkit.campaign.turning_points import (
    GameTimeline,
    KeyEvent,
    Measures,
    group_runs,
    lead_change,
    select_key_events,
    sole_leader,
)
from vaultkit.games.concession import CONCEDED
from vaultkit.games.messages import Outcome, Score, Sentence
from vaultkit.games.options import Options
from vaultkit.text import join_words, number_word

MAX_EVENTS_PER_STORY = 7
"""The highest number of events that a story tells."""
TEAM_WIN = {"winners": "team"}
"""The options for the story of a game that a team of several players won."""
MAX_CARDS_PER_STORY = 5
"""The highest number of cards that are listed as having mattered."""
_DRAMAS = ("shared", "joint", "level", "surge", "comeback", "close", "clear")
"""The cases of how rivals can win, the most telling first."""
_CASE_BY_MEANING = {"leaves": "other", "changes": ""}
"""The case of a phrase by the meaning of a key event, for meanings that are not themselves the name of the case."""


@dataclass(frozen=True, slots=True)
class Story:
    """A story in `sentences`, with a `headline` for the campaign's line.

    `cards` are the cards that mattered, each with a sentence on what it did.
    """

    sentences: tuple[Sentence, ...] = ()
    headline: Sentence | None = None
    cards: tuple[tuple[str, Sentence], ...] = ()


def tell_story(
    timeline: GameTimeline,
    outcome: Outcome,
    phrases: Phrases,
    key: str,
    options: Options | None = None,
    *,
    number: int | None = None,
) -> Story:
    """Return the story of a game that was played move by move.

    `key` decides which of its phrases come first; `options` are the game's options, which say whether all played
    against the game. `number` is how many games came before, with which the openings and ends take turns; if it is
    None, they depend on `key`.
    """
    teller = _Teller(timeline, outcome, phrases, Phrasing(phrases, key, number), options or {})
    return Story(tuple(teller.sentences()), teller.result("headline"), tuple(teller.cards()))


def tell_scores(outcome: Outcome, phrases: Phrases, key: str, options: Options | None = None) -> Story:
    """Return the short story of a game of which only the scores are known.

    It is empty if there is only one seat, or if a score is missing of a game that scores decide. `options` may hold
    `TEAM_WIN`.
    """
    scores = tuple(map(outcome.score, range(len(outcome.ranks))))
    if len(scores) < 2 or (None in scores and outcome.kind not in {"won", "lost"}):
        return Story()
    empty_timeline = GameTimeline((), (), 0, "", counts=False)
    teller = _Teller(empty_timeline, outcome, phrases, Phrasing(phrases, key), options or {})
    return Story(tuple(filter(None, (teller.last_place(), teller.result("result")))))


@dataclass
class _Teller:
    """The state of one story while it is told.

    `_last_chapter` is the last chapter that was told, `_chosen_events` are the events to tell, `_told_events` the
    events told so far, `_known_standings` how the seats stood when they were last mentioned.
    """

    timeline: GameTimeline
    outcome: Outcome
    phrases: Phrases
    speaker: Phrasing
    options: Options
    _last_chapter: int = 0
    _chosen_events: tuple[KeyEvent, ...] = ()
    _told_events: list[KeyEvent] = field(default_factory=list)
    _known_standings: Measures = ()

    @property
    def ending(self) -> GameEnding:
        return GameEnding(self.timeline, self.outcome, self.options)

    @property
    def together(self) -> bool:
        """Whether all play against the game."""
        return self.options.get("mode") == "coop"

    def sentences(self) -> Iterator[Sentence]:
        """Yield the opening, the turning points with the standings halfway between them, and the end."""
        halfway = self.timeline.chapters // 2
        key_events = select_key_events(self.timeline, MAX_EVENTS_PER_STORY, self.phrases.kinds)
        self._chosen_events = tuple(key_events)
        runs = list(group_runs(key_events, self.timeline.key_events))
        first_half = [run for run in runs if run[-1].chapter <= halfway]
        second_half = [run for run in runs if run[-1].chapter > halfway]
        opening_cases = ("against", self._mode, "alone" if len(self.outcome.ranks) == 1 else "several")
        crosses_middle = any(run[0].chapter <= halfway for run in second_half)
        parts = (
            self.speaker.say("opening", opening_cases, self._game_values, self.ending),
            *chain.from_iterable(map(self._passage_sentences, first_half)),
            None if crosses_middle else self._halfway_sentence(halfway),
            *chain.from_iterable(map(self._passage_sentences, second_half)),
            self._forfeit_sentence(),
            self._lead_start_sentence(),
            self.speaker.say("end", (self.outcome.kind,), self._game_values, self.ending),
            self.result("result"),
        )
        return filter(None, parts)

    def result(self, kind: str) -> Sentence | None:
        """Return a sentence on who won and how; the case is the drama of the game, else the kind of ending."""
        ending = self.outcome.kind
        option_case = str(self.options.get(ending, ""))
        cases = (CONCEDED, "given-up", f"{ending}-same", option_case, f"{ending}-against", f"{ending}-made", ending,
                 "equal", "kickers", "same", "nobody", "team", *(() if self.together else _DRAMAS))  # fmt: skip
        return self.speaker.say(kind, cases, self._game_values, self.ending)

    def last_place(self) -> Sentence | None:
        """Return a sentence on who came last, if there are more than two seats and one of them came last alone."""
        ranks = self.outcome.ranks
        seat = ranks.index(max(ranks))
        filling = {"who": seat, "score": self._format_points(self.outcome.score(seat))}
        return self.speaker.say("last", (self.outcome.kind,), filling, self.ending)

    def cards(self) -> Iterator[tuple[str, Sentence]]:
        """Yield the cards that changed the standings most, each once with a sentence on what it did.

        For an event with several cards it is the last one, which caused the change.
        """
        sentences = dict[str, Sentence]()
        key_events = select_key_events(self.timeline, 4 * MAX_EVENTS_PER_STORY, self.phrases.kinds)
        for key_event in sorted(key_events, key=lambda event: -event.swing):
            cards = key_event.event.cards
            is_new = len(cards) in (1, 2) and cards[-1] not in sentences and len(sentences) < MAX_CARDS_PER_STORY
            if is_new and (key_event in self._told_events or not self.timeline.counts):
                sentence = self._deed_sentence(key_event)
                sentences.update({cards[-1]: sentence} if sentence else {})
        yield from sentences.items()

    def _deed_sentence(self, key_event: KeyEvent) -> Sentence | None:
        """Return a sentence on what the last card of an event did; there are more phrases for a card of that hand."""
        cards, kind, hand = key_event.event.cards, key_event.event.kind, self.ending.hands[0][0]
        filling = {**self._event_values(key_event), "card": cards[0], "with": cards[-1], "hand": hand}
        cases = (*(f"{kind}-{case}" for case in ("made", *self._cases(key_event))), kind)
        return self.speaker.say("card", cases, filling, self._create_moment([key_event]))

    def _create_moment(self, run: Sequence[KeyEvent]) -> StoryMoment:
        return StoryMoment(run, self.timeline, tuple(self._told_events), self.options, self.speaker.last_seats)

    @property
    def _mode(self) -> str:
        return "together" if self.together else "rivals"

    @property
    def _game_values(self) -> Filling:
        """The values about the whole game that a phrase may contain."""
        outcome, ending = self.outcome, self.ending
        (hand, ranks), (second_hand, second_ranks) = ending.hands
        best, against = self.timeline.final_cards
        chapters, first_seats, rewards = self.timeline.chapters, ending.first, self.timeline.events_of("reward")
        return {
            "winners": outcome.winners,
            "players": tuple(range(len(outcome.ranks))),
            "who": outcome.winners[0] if outcome.winners else 0,
            "second": ending.second,
            "leader": first_seats,
            "score": self._format_points(outcome.score(first_seats[0]) if first_seats else None),
            "margin": self._format_points(ending.margin) if ending.margin else "",
            "hand": hand,
            "own-hand": describe_hand(hand, ranks),
            "foe": second_hand,
            "other-hand": describe_hand(second_hand, second_ranks),
            "ranks": ranks,
            "others": second_ranks,
            "best": best,
            "against": against,
            "lost": self.timeline.lost,
            "price": self._count(len(self.timeline.lost), "card"),
            "asked": ending.asked_hand,
            "prize": self._count(sum(len(event.event.cards) for event in rewards), "card"),
            "chapter": self.timeline.chapter_name,
            "length": f"{number_word(chapters)} {self.timeline.chapter_name}s" if chapters > 1 else "",
            "dealt": next(iter(outcome.reason.cards), None),
        }

    def _halfway_sentence(self, halfway_chapter: int) -> Sentence | None:
        """Return a sentence on who leads after half of the chapters.

        None for a short, co-operative or unscored game, and if the standings are known already.
        """
        leaders, standings = self.timeline.leader_at(halfway_chapter)
        if not self.timeline.counts or self.together or self.timeline.chapters < 6 or not max(standings, default=0):
            return None
        if self._known_standings == standings or len(standings) < 2:
            return None
        best = max(standings)
        second_points = max((points for points in standings if points < best), default=best)
        seconds = tuple(seat for seat, points in enumerate(standings) if points == second_points < best)
        self._last_chapter, self._known_standings = halfway_chapter, standings
        second, lead = (seconds if len(seconds) == 1 else ()), self._format_points(best - second_points)
        filling = {"leader": leaders, "second": second, "score": self._format_points(best), "lead": lead,
                   "number": halfway_chapter, "chapter": self.timeline.chapter_name}  # fmt: skip
        cases = ("level",) if len(leaders) > 1 else ("more",) if self.speaker.last_seats == {*leaders} else ()
        return self.speaker.say("halfway", cases, filling)

    def _passage_sentences(self, run: Sequence[KeyEvent]) -> Iterator[Sentence | None]:
        """Yield sentences on a run of events, None for one that is not told.

        They tell of forfeits before the last event of the story, of who had come to lead, of the events, and of what
        they meant: a lead that lasted to the end or, if no points are counted, the hand that changed most.
        """
        if run[-1] is self._chosen_events[-1]:
            yield self._forfeit_sentence(run[0])
        yield self._lead_change_sentence(run[0])
        sentence = self._event_sentence(run)
        yield sentence
        changes, (hands, next_hands) = dict(enumerate(run[-1].changes)), run[-1].hands
        if sentence and not self.together:
            former = sole_leader(run[-1].before)
            yield self.speaker.say("turning", ("run",) * (len(run) > 1), {"former": former}, self._create_moment(run))
        if not sentence or self.timeline.counts or not changes:
            return
        most_raised, most_lowered = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
        case, seat = ("up", most_raised) if changes[most_raised] >= -changes[most_lowered] else ("down", most_lowered)
        filling: dict[str, object] = {"who": seat}
        if hands and next_hands:
            filling["was"], filling["now"] = (describe_hand(*text[seat].split(", ", 1)) for text in run[-1].hands)
        cases = ("more",) if seat == run[-1].who else ()
        yield self.speaker.say(f"{run[-1].event.kind}-{case}", cases, filling, self._create_moment(run))

    def _lead_change_sentence(self, key_event: KeyEvent) -> Sentence | None:
        """Return a sentence on who had taken the lead before an event, if that is not known from an event told."""
        leader = sole_leader(key_event.before)
        is_no_news = not self._known_standings or leader in (None, sole_leader(self._known_standings))
        if not self.timeline.counts or self.together or is_no_news:
            return None
        last_told = self._told_events[-1] if self._told_events else None
        more_case = ("more",) if self.speaker.last_seats == {leader} else ()
        lead_event = self.timeline.find_lead_taking(leader, key_event, last_told)
        if lead_event is None or not lead_event.event.cards or lead_event.gain <= 0:
            points = lead_of(key_event.before, leader)
            lead = self._format_points(points) if points != self.ending.margin else ""
            return self.speaker.say("meanwhile", (*more_case, "plain"), {"leader": leader, "lead": lead})
        lead = self._format_points(lead_of(lead_event.after, leader))
        return self.speaker.say(
            "meanwhile", more_case, {"leader": leader, "lead": lead, "card": lead_event.event.cards[-1]}
        )

    def _event_sentence(self, run: Sequence[KeyEvent]) -> Sentence | None:
        """Return a sentence on one event, or on several of one kind in a row, of one seat or of several."""
        last = run[-1]
        filling = {**self._event_values(last), "when": self._time_phrase(last.chapter)}
        if len(run) > 1:
            seats = tuple(dict.fromkeys(key_event.who for key_event in run))
            filling["cards"] = tuple(dict.fromkeys(event.event.cards[-1] for event in run if event.event.cards))
            filling["gain"] = filling["points"] = self._format_points(sum(key_event.gain for key_event in run))
            filling["count"] = number_word(len(run))
            filling["chapters"] = self._format_chapters(run)
            filling["who"] = seats if len(seats) > 1 else seats[0]
        several_case = "all" if isinstance(filling["who"], tuple) else "run"
        cases = self._cases(last) if len(run) == 1 else (f"more-{several_case}", several_case)
        sentence = self.speaker.say(last.event.kind, cases, filling, self._create_moment(run))
        if sentence:
            self._last_chapter = last.chapter
            self._told_events += run
            self._known_standings = last.after
        return sentence

    def _forfeit_sentence(self, until: KeyEvent | None = None) -> Sentence | None:
        """Return a sentence on the seats that forfeited before an event, or at all, and are not mentioned otherwise."""
        story_events = (*self._told_events, *self._chosen_events)
        story_seats = {event.who for event in story_events if event.event.kind == "forfeit"}
        earlier = takewhile(lambda event: event is not until, self.timeline.key_events)
        forfeits = [event for event in earlier if event.event.kind == "forfeit" and event.who not in story_seats]
        if not forfeits:
            return None
        seats = tuple(dict.fromkeys(key_event.who for key_event in forfeits))
        filling = {"who": seats, "chapters": self._format_chapters(forfeits)}
        sentence = self.speaker.say("forfeit", ("before",), filling, self._create_moment(forfeits))
        self._told_events[:0] = forfeits if sentence else ()
        self._last_chapter = 0 if sentence else self._last_chapter
        return sentence

    def _format_chapters(self, run: Sequence[KeyEvent]) -> str:
        """Return the chapters of several events in words: `round 4`, `rounds 4 and 5`, `rounds 4, 6 and 9`."""
        numbers = list(dict.fromkeys(key_event.chapter for key_event in run))
        return f"{self.timeline.chapter_name}{'s' if len(numbers) > 1 else ''} {join_words(map(str, numbers))}"

    def _cases(self, key_event: KeyEvent) -> tuple[str, ...]:
        """Return the cases of a phrase, in the order in which they are tried.

        They are about the card, what happened to it, another seat concerned, and the change of the lead.
        """
        card, detail = next(iter(key_event.event.cards), ""), key_event.event.detail
        change = self._mode if self.together or not self.timeline.counts else lead_change(key_event)
        meaning_case = _CASE_BY_MEANING.get(key_event.meaning, key_event.meaning)
        earlier_event = self.timeline.find_earlier_taking(key_event)
        regain_case = "" if earlier_event is None else ("back", "again")[earlier_event in self._told_events]
        kinds = (detail, meaning_case, regain_case)
        variants = chain.from_iterable((f"{kind}-{change}", kind) for kind in kinds if kind)
        nobody_case = "nobody" if key_event.who is None else ""
        first_case = "first" if key_event in self._chosen_events[:1] else ""
        lead_case = "lead" if change == "lead" else ""
        other_case = "other" if key_event.other is not None else ""
        more_cases = (*(f"more-{kind}" for kind in (*kinds, change) if kind), "more")
        cases = (nobody_case, first_case, *more_cases, f"same-{change}", card, *variants, lead_case, other_case, change)
        return tuple(filter(None, cases))

    def _event_values(self, key_event: KeyEvent) -> dict[str, object]:
        """Return the values about an event that a phrase may contain."""
        event, who, standings = key_event.event, key_event.who, key_event.after
        cards, earlier_event = event.cards, self.timeline.find_earlier_taking(key_event)
        left = len(standings) - key_event.out - 1
        lead, is_new_lead = abs(lead_of(standings, who)), lead_change(key_event) == "lead"
        own_points, former = standings[who] if who is not None else 0, sole_leader(key_event.before)
        gain = self._format_gain(key_event.gain)
        return {
            "who": who,
            "other": key_event.other,
            "card": cards[0] if len(cards) in (1, 2) else None,
            "with": cards[1] if len(cards) == 2 else None,
            "cards": cards,
            "dealt": key_event.dealt or None,
            "chapter": self.timeline.chapter_name if key_event.chapter else "",
            "number": key_event.chapter or "",
            "points": gain,
            "gain": gain,
            "loss": self._format_gain(key_event.loss),
            "score": self._format_gain(own_points),
            "lead": self._format_gain(lead) if is_new_lead or lead != self.ending.margin else "",  # the result tells it
            "former": former if former != who else None,
            "left": number_word(left) if left > 0 else "",
            "hand": event.detail.partition(", ")[0],
            "earlier": f"{self.timeline.chapter_name} {earlier_event.chapter}" if earlier_event else "",
        }

    def _lead_start_sentence(self) -> Sentence | None:
        """Return a sentence on when the winner came to lead; None if it was in the first chapter or the last third.

        None also if an event has told it, or if more than scores decided who won.
        """
        if not self.timeline.counts or self.together or not self.ending.margin or self.outcome.kind == CONCEDED:
            return None
        winner = self.outcome.winners[0]
        lead_chapter = self.timeline.find_lead_start(winner)
        told_events = (event for event in self._told_events if event.chapter == lead_chapter)
        if any(sole_leader(event.after) == winner for event in told_events):
            return None
        if not 1 < lead_chapter <= self.timeline.last_third:
            return None
        filling = {**self._game_values, "chapter": self.timeline.chapter_name, "number": lead_chapter}
        more_case = ("more",) if self.speaker.last_seats == {winner} else ()
        return self.speaker.say("in-front", (self.outcome.kind, *more_case), filling, self.ending)

    def _time_phrase(self, chapter: int) -> str:
        """Return when an event happened in words, relative to the last chapter told if that is near."""
        if not chapter:
            return ""
        gap, is_first = chapter - self._last_chapter, self._last_chapter == 0
        far_case = "last" if chapter == self.timeline.chapters > 1 else "at"
        case = far_case if is_first or gap not in {0, 1} else ("same", "next")[gap]
        return self.speaker.mention("when", case, {"chapter": self.timeline.chapter_name, "number": chapter})

    def _format_gain(self, points: float) -> str:
        """Return points in words, "" if no points are counted or there are none."""
        return self._count(points, "point") if self.timeline.counts else ""

    def _count(self, number: float, noun: str) -> str:
        """Return a number with its noun in words, "" for none."""
        return self.phrases.words.count(number, noun) if number > 0 else ""

    def _format_points(self, points: Score | None) -> str:
        """Return a number of points in words, such as `1 point`; "" for None."""
        return "" if points is None else self.phrases.words.count(points, "point")
