"""`learn --table`: a lesson on the table, page after page, with the words of the note beside the cards."""

from collections.abc import Sequence
from dataclasses import replace

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.cards import Deck
from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Move
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
from vaultkit.web import page_html
from vaultkit.web.game_host import find_offer
from vaultkit.web.help_requests import HelpAnswerer, markdown_to_text
from vaultkit.web.host_thread import OrderData, OrderOutdated, OrderRefused, TableActivity, new_question
from vaultkit.web.page_model import LessonPage, LessonParagraph, PageModel
from vaultkit.web.seat_sessions import Client
from vaultkit.web.startup import TableLauncher

_WELCOME = (
    "You sit in the first seat and make its moves; the others play as the example wants. Touch a card or a move. Hint "
    "tells the move of the example. Nothing is kept, so nothing can go wrong."
)
_LEFT_EARLY_MESSAGE = "That was a part of it. The rest is there whenever you like."


class LessonOnTable(TableActivity):
    """A lesson, with the page of it that is open: all that is said up to where the person goes on, or is to move."""

    def __init__(self, lesson: Lesson, deck: Deck) -> None:
        self._lesson = lesson
        self._deck = deck
        self._beats = lesson.course()
        self._session: ExampleSession | None = None
        self._help: HelpAnswerer | None = None
        self._scene = Scene(lesson.title, (), None, (), None, (), {}, (), ())
        self._heading = f"Learn {lesson.title}"
        opening = LessonParagraph("note", _split_lines(lesson.opening))
        self._turn_page(None, [opening, LessonParagraph("say", (_WELCOME,))])

    def sight(self, client: Client) -> PageModel:
        """The page, and the cards as the learner may see them."""
        client.marks.retain_cards(self._scene.cards)
        sentences = [line for paragraph in self._page.words if paragraph.kind != "note" for line in paragraph.lines]
        return PageModel(
            scene=self._scene,
            deck=self._session.deck if self._session else self._deck,
            marks=client.marks,
            question=self._question,
            fresh=tuple(sentences) if client.steps < self._page.number else (),
            steps=self._page.number,
            lesson=self._page,
        )

    def obey(self, client: Client, order: OrderData) -> str:
        """Go on, make a move, close the table, or say something to whoever asks."""
        answer = self._help.answer(order, self._scene, client.marks) if self._help else None
        if answer is not None:
            return page_html.render_answers(answer)
        if order.get("question") != self._question:
            raise OrderOutdated
        match order["do"]:
            case "next" if self._page.goes_on:
                self._turn_page(None)
            case "offer":
                self._turn_page(find_offer(self._scene.offers, order.get("offer")).move)
            case "finish":
                self.closed = True
            case _:
                raise OrderRefused("The lesson knows no such order now.")
        return ""

    def _turn_page(self, move: Move | None, words: Sequence[LessonParagraph] = ()) -> None:
        """Send the move, and open the page that comes next."""
        beat, paragraphs = self._next_beat(move), [*words]
        while beat and not isinstance(beat, Pause | Look | Ask):
            paragraphs += self._read_beat(beat)
            beat = self._next_beat(None)
        if beat is None:
            self.over, self._heading = True, "The end of the lesson"
            paragraphs.append(LessonParagraph("say", (self._lesson.farewell,)))
        self.changes += 1
        self._question = new_question()
        self._scene = self._scene_at(beat)
        label, is_look = _next_label(beat), beat == Look()
        self._page = LessonPage(self.changes, self._heading, tuple(paragraphs), label, is_look=is_look)

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
                self._session, self._help = session, HelpAnswerer(session, reference)
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


def teach_at_table(notes: GameNotes, launcher: TableLauncher) -> None:
    """Go through the examples of a game in the browser."""
    lesson = lesson_of(notes, markdown_to_text)
    table = LessonOnTable(lesson, notes.deck_note.deck)
    launcher.serve(table)
    launcher.tell(lesson.farewell if table.over else _LEFT_EARLY_MESSAGE)


def _next_label(beat: Beat | None) -> str:
    """The words of the button that goes on; "" where there is none."""
    if isinstance(beat, Look):
        return "Take it back"
    return capitalize_first(beat.go_on) if isinstance(beat, Pause) else ""


def _split_lines(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.splitlines()))
