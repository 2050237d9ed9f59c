"""A lesson, page after page, with the words of the note beside the cards."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from vaultkit.cards import Deck
from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Move
from vaultkit.host.advice import Advice, AdviceQuery, Answer
from vaultkit.host.interface import Host
from vaultkit.host.orders import Command, Order, OrderRefused, PlayMove, UndoMove, Viewer
from vaultkit.host.view_state import LessonPage, ViewState
from vaultkit.scene.lesson import (
    LEARNER_SEAT_INDEX,
    Ask,
    Beat,
    Begin,
    Lay,
    Lesson,
    Look,
    Pause,
    Result,
    Say,
    Tell,
)
from vaultkit.scene.scene import Scene, scene_of_seat
from vaultkit.session.examples.playback import ExampleSession


class LessonHost(Host):
    """A lesson, with the page of it that is open: all that is said up to where the person goes on, or is to move.

    `session` is the example on the table, and `advice` the advice on it; both are None before the first example.
    """

    def __init__(self, lesson: Lesson, deck: Deck) -> None:
        super().__init__()
        self.lesson = lesson
        self.session: ExampleSession | None = None
        self.advice: Advice | None = None
        self._deck = deck
        self._is_hinted = False
        self._news: list[Sentence] = []
        self._beats = lesson.course()
        self._scene = Scene(lesson.title, (), None, (), None, (), {}, (), ())
        self._heading = f"Learn {lesson.title}"
        self._turn_page(None)

    def view(self, viewer: Viewer) -> ViewState:  # noqa: ARG002
        """Return the page, and the cards as the learner may see them."""
        deck = self.session.deck if self.session else self._deck
        scene = self._scene
        if not self._is_hinted:  # the consequences would tell which move is meant
            scene = replace(scene, offers=tuple(replace(offer, consequences=()) for offer in scene.offers))
        return ViewState(scene=scene, deck=deck, question=self._question, news=self._news, lesson=self.page)

    def answer(self, viewer: Viewer, query: AdviceQuery) -> Sequence[Answer]:  # noqa: ARG002
        """Answer a query about the example. Raises OrderRefused."""
        if self.advice is None:
            raise OrderRefused("The lesson does not know this order now.")
        answers = self.advice.answer(query, self._scene)
        if query.kind == "hint" and not self._is_hinted:
            self._is_hinted = True
            self.revision += 1
        return answers

    def _obey(self, viewer: Viewer, order: Order) -> None:  # noqa: ARG002
        match order.action:
            case Command.NEXT if isinstance(self.page.stop, Pause | Look):
                self._turn_page(None)
            case PlayMove(move) if move in [offer.move for offer in self._scene.offers]:
                self._turn_page(move)
            case UndoMove() if self.session:
                self.session.plan_undo(None)
            case _:
                raise OrderRefused("The lesson does not know this order now.")

    def _turn_page(self, move: Move | None) -> None:
        """Send the move, and open the page that comes next."""
        beat, all_beats = self._next_beat(move), list[Beat]()
        while not isinstance(beat, Pause | Look | Ask | None):
            all_beats.append(beat)
            if isinstance(beat, Begin):
                self._heading = beat.heading
            if isinstance(beat, Lay):
                self.session, self.advice = beat.session, Advice(beat.session, beat.reference)
            beat = self._next_beat(None)
        if beat is None:
            self.over, self._heading = True, "The end of the lesson"
            all_beats.append(Say(self.lesson.farewell))
        self._renew_question()
        self._is_hinted = False
        self._news += _news_sentences(all_beats)
        self._scene = self._scene_at(beat)
        self.page = LessonPage(self.revision, self._heading, tuple(all_beats), beat, isinstance(beat, Look))

    def _next_beat(self, move: Move | None) -> Beat | None:
        try:
            return self._beats.send(move)
        except StopIteration:
            return None

    def _scene_at(self, beat: Beat | None) -> Scene:
        """Return the table as the learner sees it; with a question if they are to move."""
        if self.session is None:
            return self._scene
        if isinstance(beat, Ask):
            return scene_of_seat(self.session, beat.turn.seat)
        return replace(scene_of_seat(self.session, LEARNER_SEAT_INDEX), question=None, offers=(), refusals={})


def _news_sentences(beats: Iterable[Beat]) -> Iterator[Sentence]:
    for beat in beats:
        match beat:
            case Say(words):
                yield Sentence("{v0}", values=(words,))
            case Tell(news):
                yield from (event.sentence for _, event in news)
            case Result(outcome):
                yield outcome.reason
