"""A lesson, page after page, with the words of the note beside the cards."""

from collections.abc import Sequence
from dataclasses import replace

from vaultkit.cards import Deck
from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Move
from vaultkit.host.advice import Advice, AdviceQuery, Answer
from vaultkit.host.interface import Host
from vaultkit.host.orders import Command, Order, OrderRefused, PlayMove, Viewer
from vaultkit.host.view_state import LessonPage, LessonParagraph, ViewState
from vaultkit.scene.lesson import (
    LEARNER_SEAT_INDEX,
    Ask,
    Beat,
    Begin,
    Cite,
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
from vaultkit.text import capitalize_first

_WELCOME = (
    "You sit in the first seat and make its moves; the others play as the example wants. Touch a card or a move. Hint "
    "tells the move of the example. Nothing is kept, so nothing can go wrong."
)


class LessonHost(Host):
    """A lesson, with the page of it that is open: all that is said up to where the person goes on, or is to move."""

    def __init__(self, lesson: Lesson, deck: Deck) -> None:
        super().__init__()
        self._lesson = lesson
        self._news: list[Sentence] = []
        self._deck = deck
        self._beats = lesson.course()
        self._session: ExampleSession | None = None
        self._advice: Advice | None = None
        self._scene = Scene(lesson.title, (), None, (), None, (), {}, (), ())
        self._heading = f"Learn {lesson.title}"
        opening = LessonParagraph("note", _split_lines(lesson.opening))
        self._turn_page(None, [opening, LessonParagraph("say", (_WELCOME,))])

    def view(self, viewer: Viewer) -> ViewState:  # noqa: ARG002
        """Return the page, and the cards as the learner may see them."""
        deck = self._session.deck if self._session else self._deck
        return ViewState(scene=self._scene, deck=deck, question=self._question, news=self._news, lesson=self._page)

    def answer(self, viewer: Viewer, query: AdviceQuery) -> Sequence[Answer]:  # noqa: ARG002
        """Answer a query about the example. Raises OrderRefused."""
        if self._advice is None:
            raise OrderRefused("The lesson knows no such order now.")
        return self._advice.answer(query, self._scene)

    def _obey(self, viewer: Viewer, order: Order) -> None:  # noqa: ARG002
        match order.action:
            case Command.NEXT if self._page.goes_on:
                self._turn_page(None)
            case PlayMove(move) if move in [offer.move for offer in self._scene.offers]:
                self._turn_page(move)
            case Command.FINISH:
                self.closed = True
            case _:
                raise OrderRefused("The lesson knows no such order now.")

    def _turn_page(self, move: Move | None, words: Sequence[LessonParagraph] = ()) -> None:
        """Send the move, and open the page that comes next."""
        beat, paragraphs = self._next_beat(move), [*words]
        while beat and not isinstance(beat, Pause | Look | Ask):
            paragraphs += self._read_beat(beat)
            beat = self._next_beat(None)
        if beat is None:
            self.over, self._heading = True, "The end of the lesson"
            paragraphs.append(LessonParagraph("say", (self._lesson.farewell,)))
        self._renew_question()
        lines = (line for paragraph in paragraphs if paragraph.kind != "note" for line in paragraph.lines)
        self._news += [Sentence("{v0}", values=(line,)) for line in lines]
        self._scene = self._scene_at(beat)
        label, is_look = _next_label(beat), beat == Look()
        self._page = LessonPage(self.revision, self._heading, tuple(paragraphs), label, is_look=is_look)

    def _next_beat(self, move: Move | None) -> Beat | None:
        try:
            return self._beats.send(move)
        except StopIteration:
            return None

    def _read_beat(self, beat: Beat) -> list[LessonParagraph]:
        """The words of a beat."""
        match beat:
            case Begin(heading):
                self._heading = heading
            case Lay(session, reference):
                self._session, self._advice = session, Advice(session, reference)
            case Say(words):
                return [LessonParagraph("say", (words,))]
            case Cite(passage):
                return [LessonParagraph("note", _split_lines(passage.text), passage.title)]
            case Tell(news):
                return [LessonParagraph("news", tuple(self._sentence_text(event.sentence) for _, event in news))]
            case Result(outcome):
                return [LessonParagraph("news", (self._sentence_text(outcome.reason),))]
        return []

    def _scene_at(self, beat: Beat | None) -> Scene:
        """The table as the learner sees it; with a question where they are to move."""
        if self._session is None:
            return self._scene
        if isinstance(beat, Ask):
            return scene_of_seat(self._session, beat.turn.seat)
        return replace(scene_of_seat(self._session, LEARNER_SEAT_INDEX), question=None, offers=(), refusals={})

    def _sentence_text(self, sentence: Sentence) -> str:
        assert self._session, "somebody plays"
        return self._session.words(sentence)


def _next_label(beat: Beat | None) -> str:
    """The words of the button that goes on; "" where there is none."""
    if isinstance(beat, Look):
        return "Take it back"
    return capitalize_first(beat.go_on) if isinstance(beat, Pause) else ""


def _split_lines(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.splitlines()))
