"""Summaries of rounds that go on once all people at the screen are out: one for each, instead of every move."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vaultkit.games.messages import Score, Seat, Sentence
from vaultkit.scene.knowledge import StepEvent
from vaultkit.scene.scene import Scene, scene_of_screen
from vaultkit.session import Session


class RoundSummary(NamedTuple):
    """A summary of a finished round: its heading, its news, and the changes of points.

    `changes` holds each seat whose points changed, with the change and the points after it.
    """

    heading: tuple[Sentence, ...]
    news: Sequence[StepEvent]
    changes: Sequence[tuple[Seat, Score, Score]]


class SummarizedRounds:
    """A collector of the news of rounds; a round is summarized once the next one begins or the game is over."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._news: list[StepEvent] = []
        self._heading: tuple[Sentence, ...] = ()
        self._points_at_start: dict[Seat, Score] = {}

    @property
    def are_begun(self) -> bool:
        """Whether the news of a round is being collected."""
        return bool(self._heading)

    def are_people_out(self) -> bool:
        """Return whether there are people at the screen and all of them are out, so that they only watch."""
        session = self._session
        seats_out = {standing.seat for standing in session.game.standing(session.view(0)) if standing.out}
        return bool(session.people) and seats_out.issuperset(session.people)

    def add_latest_step(self) -> Iterator[RoundSummary]:
        """Take in the latest step of the game, and yield the summary of each round that has ended with it."""
        scene = scene_of_screen(self._session, len(self._session.steps) - 1)
        if not self._heading:
            self._begin_round(scene)
        if scene.heading != self._heading:
            yield self._summarize(scene)
            self._begin_round(scene)
        self._news += scene.news
        if self._session.outcome:
            yield self._summarize(scene)

    def _begin_round(self, scene: Scene) -> None:
        """Begin to collect the news of a round, and note everybody's points at its start."""
        self._news, self._heading, self._points_at_start = [], scene.heading, _points_by_seat(scene)

    def _summarize(self, scene: Scene) -> RoundSummary:
        """Return the summary of the round up to a scene, with the changes of points since its start."""
        changes = (
            (seat, total - self._points_at_start.get(seat, 0), total) for seat, total in _points_by_seat(scene).items()
        )
        return RoundSummary(self._heading, self._news, [change for change in changes if change[1]])


def _points_by_seat(scene: Scene) -> dict[Seat, Score]:
    return {standing.seat: standing.points for standing in scene.standings if standing.points is not None}
