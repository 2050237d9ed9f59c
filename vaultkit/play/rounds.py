"""Rounds that nobody at the screen takes part in any more: a line each instead of every move."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from vaultkit.games.words import Score, Seat, Sentence
from vaultkit.play import pages
from vaultkit.play.columns import Columns
from vaultkit.play.speaking import Speaker, capital
from vaultkit.scene.scene import Scene, Told, scene_of_screen
from vaultkit.session import Session

_TITLE = len("Round 99")


class Rounds:
    """Sums up a round once the next one has begun, or the game is over."""

    def __init__(self, session: Session, speaker: Speaker) -> None:
        self._session, self._speaker = session, speaker
        self._told: list[Told] = []
        self._heading: tuple[Sentence, ...] = ()
        self._points: dict[Seat, Score] = {}

    def are_watched(self) -> bool:
        """Whether all people at the screen are out, and others play on."""
        session = self._session
        out = {one.seat for one in session.game.standing(session.view(0)) if one.out}
        return bool(session.people) and out.issuperset(session.people)

    def add_latest(self) -> Iterator[RenderableType]:
        """Take in the latest step. Yields the line of a round that is over with it, and says at first what comes."""
        scene = scene_of_screen(self._session, len(self._session.steps) - 1)
        if not self._heading:
            yield Text("From here on each round is told in a line; vaultkit replay shows every move.", self._faint)
            self._begin(scene)
        if scene.heading != self._heading:
            yield self._line(scene)
            self._begin(scene)
        self._told += scene.news
        if self._session.outcome:
            yield self._line(scene)

    @property
    def _faint(self) -> str:
        return self._speaker.look.style("faint")

    def _begin(self, scene: Scene) -> None:
        self._told, self._heading, self._points = [], scene.heading, _points(scene)

    def _line(self, scene: Scene) -> RenderableType:
        """The notable events of a round, and by how much seats stand better or worse after it."""
        speaker = self._speaker
        words = [pages.sentence(step, event, speaker) for step, event in self._told if event.notable]
        changes = ((seat, points - self._points.get(seat, 0), points) for seat, points in _points(scene).items())
        gains = [f"{speaker.seat(seat)} {change:+g}, now {points:g}" for seat, change, points in changes if change]
        words += [Text(f"{'; '.join(gains)}.")] if gains else []
        text = Text(" ").join(words or [Text("Nobody gains anything.")])
        title = capital(speaker.words(self._heading[0])) if self._heading else "Meanwhile"
        if speaker.look.plain:
            return Text(f"{title}: ").append_text(text)
        return Columns([(Text(f"{title:<{_TITLE}}", self._faint), text)], margin=1)


def _points(scene: Scene) -> dict[Seat, Score]:
    return {one.seat: one.points for one in scene.standings if one.points is not None}
