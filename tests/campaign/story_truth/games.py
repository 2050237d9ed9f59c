"""Finished games with all kinds of options, played at random or by bots, with their records and stories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from tests.campaign.story_truth.readers_by_hand import DestinyReader, GambitReader
from tests.campaign.story_truth.readers_by_score import CitadelReader, FateReader, ProphetaReader
from tests.campaign.story_truth.records import Deed, Record, Scores
from tests.games.conformance import LONGEST, Case, answer, deck_of, random_options, start
from vaultkit.bots.registry import make_bot
from vaultkit.campaign.story import Story, tell_story
from vaultkit.campaign.story_phrases import Phrases, load_phrases
from vaultkit.campaign.turning_points import replay_timeline
from vaultkit.cards import Deck
from vaultkit.games.concession import concession
from vaultkit.games.messages import Outcome
from vaultkit.games.options import resolve
from vaultkit.games.registry import rules
from vaultkit.games.turn import Chance, Prompt
from vaultkit.session.history import Step

READERS = {
    "turn-of-fate": FateReader,
    "dragon-citadel": CitadelReader,
    "propheta": ProphetaReader,
    "prophets-gambit": GambitReader,
    "deck-of-destiny": DestinyReader,
}
"""The reader class of each game."""


def record_of(
    game: str, options: Mapping[str, object], positions: Sequence[Any], outcome: Outcome, deck: Deck
) -> Record:
    """Return the record of a game from all its states, beginning before the first move."""
    reader = READERS[game](options, deck, positions[0])
    scores = [reader.scores(state) for state in positions]
    deeds, course = list[Deed](), list[tuple[int, Scores]]()
    for step, (before, after) in enumerate(pairwise(positions)):
        concessions = _new_concessions(before, after, options.get("mode") == "coop")
        chapter = course[-1][0] if concessions and course else reader.chapter_of(before, after)
        found = [*reader.deeds(before, after), *(("concede", seat, (), None, {}) for seat in concessions)]
        for kind, who, cards, other, facts in found:
            number = int(facts.get("chapter", chapter))
            deeds.append(Deed(kind, who, cards, number, scores[step], scores[step + 1], step, other, facts))
        course.append((chapter, scores[step + 1]))
    chapters = max((number for number, _ in course), default=0)
    out = tuple((number, reader.out(state)) for (number, _), state in zip(course, positions[1:], strict=True))
    name = reader.chapter_name
    return Record(
        game, options, outcome, tuple(deeds), tuple(course), chapters, name, reader.counts, tuple(positions), out, deck
    )


def _new_concessions(before: Any, after: Any, is_party: bool) -> tuple[int, ...]:
    """Return the seats that conceded in a step; of a party that gives up together only the first."""
    seats = after.at.concessions.seats[len(before.at.concessions.seats) :]
    return tuple(seats[:1] if is_party else seats)


@dataclass(frozen=True)
class Whole:
    """A finished game with all its positions."""

    case: Case
    positions: tuple[Any, ...]
    steps: tuple[Step, ...]

    @property
    def options(self) -> dict[str, object]:
        return dict(resolve(self.case.game.options, self.case.given, self.case.game.title))

    @property
    def record(self) -> Record:
        game, last = self.case.game, self.positions[-1]
        outcome = game.outcome(last)
        assert outcome is not None
        return record_of(game.id, self.options, self.positions, outcome, deck_of(game, self.case.given))

    def story(self, key: str, own: Phrases | None = None) -> Story:
        """Return the story in the phrases `own`, or in the shipped ones."""
        game, own = self.case.game, own or load_phrases(self.case.game.id, None)
        outcome = game.outcome(self.positions[-1])
        assert outcome is not None
        course = replay_timeline(game, self.positions[0].clone(), self.steps, outcome, own.kinds)
        return tell_story(course, outcome, own, key, self.options)


def play(game: str, seed: int) -> Whole:
    """Play a game with random options for odd seeds and default options for even ones.

    Bots play if the seed is a multiple of three; otherwise moves are random.
    """
    rng = Random(f"{game} {seed}")
    found = rules(game)
    given: dict[str, object] = random_options(found, rng) if seed % 2 else {}
    if not seed % 2 and game == "dragon-citadel" and seed % 4:
        given = {"mode": "competitive"}
    return play_case(Case(found, given), rng, bots=seed % 3 == 0)


def play_case(case: Case, rng: Random, *, bots: bool = False, concede_at: int = LONGEST) -> Whole:
    """Play a game to its end; the first seat that decides alone at or after the step `concede_at` concedes."""
    state, shy = start(case, rng), rng.random() < 0.8
    bot = make_bot("greedy")
    positions, steps = [state.clone()], list[Step]()
    while state.turn is not None and len(steps) < LONGEST:
        turn = state.turn
        chance = turn.name if isinstance(turn, Chance) else ""
        seat = turn.seat if isinstance(turn, Prompt) else None
        move = bot.choose(state.view(seat), case.game, rng) if bots and seat is not None else answer(state, rng, shy)
        if seat is not None and len(steps) >= concede_at and not state.at.concessions.seats:
            move = concession(seat)
        events = state.apply(move)
        steps.append(Step(len(steps) + 1, move, events, seat, chance))
        positions.append(state.clone())
    return Whole(case, tuple(positions), tuple(steps))
