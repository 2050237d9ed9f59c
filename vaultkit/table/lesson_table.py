"""`learn --table`: a lesson on the table, page after page, with the words of the note beside the cards."""

from collections.abc import Sequence
from dataclasses import replace

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.cards import Deck
from vaultkit.games.turn import Move
from vaultkit.games.words import Sentence
from vaultkit.scene.lesson import LEARNER, Ask, Beat, Begin, Cite, Lay, Lesson, Look, Pause, Result, Say, Tell
from vaultkit.scene.scene import Scene, scene_of_seat
from vaultkit.session.rehearsal import Rehearsal
from vaultkit.table import drawing
from vaultkit.table.consulting import Consulting, plain
from vaultkit.table.door import Client
from vaultkit.table.game import offer_at
from vaultkit.table.host import Holding, Outdated, Refused, Words, new_question
from vaultkit.table.opening import Opening
from vaultkit.table.sight import LessonPage, Paragraph, Sight
from vaultkit.wording import capital

_WELCOME = (
    "You sit in the first seat and make its moves; the others play as the example wants. Touch a card or a move. Hint "
    "tells the move of the example. Nothing is kept, so nothing can go wrong."
)
_LEFT = "That was a part of it. The rest is there whenever you like."


class LessonOnTable(Holding):
    """A lesson, with the page of it that is open: all that is said up to where the person goes on, or is to move."""

    def __init__(self, lesson: Lesson, deck: Deck) -> None:
        self._lesson = lesson
        self._deck = deck
        self._course = lesson.course()
        self._session: Rehearsal | None = None
        self._consulting: Consulting | None = None
        self._scene = Scene(lesson.title, (), None, (), None, (), {}, (), ())
        self._heading = f"Learn {lesson.title}"
        self._turn_page(None, [Paragraph("note", _lines(lesson.opening)), Paragraph("say", (_WELCOME,))])

    def sight(self, client: Client) -> Sight:
        """The page, and the cards as the learner may see them."""
        client.marks.forget_all_but(self._scene.cards)
        heard = [line for one in self._page.words if one.kind != "note" for line in one.lines]
        return Sight(
            scene=self._scene,
            deck=self._session.deck if self._session else self._deck,
            marks=client.marks,
            question=self._question,
            fresh=tuple(heard) if client.steps < self._page.number else (),
            steps=self._page.number,
            lesson=self._page,
        )

    def obey(self, client: Client, order: Words) -> str:
        """Go on, make a move, close the table, or say something to whoever asks."""
        answer = self._consulting.answer(order, self._scene, client.marks) if self._consulting else None
        if answer is not None:
            return drawing.asides(answer)
        if order.get("question") != self._question:
            raise Outdated
        match order["do"]:
            case "next" if self._page.goes_on:
                self._turn_page(None)
            case "offer":
                self._turn_page(offer_at(self._scene.offers, order.get("offer")).move)
            case "finish":
                self.closed = True
            case _:
                raise Refused("The lesson knows no such order now.")
        return ""

    def _turn_page(self, move: Move | None, words: Sequence[Paragraph] = ()) -> None:
        """Send the move, and open the page that comes next."""
        beat, found = self._next(move), [*words]
        while beat and not isinstance(beat, Pause | Look | Ask):
            found += self._take_in(beat)
            beat = self._next(None)
        if beat is None:
            self.over, self._heading = True, "The end of the lesson"
            found.append(Paragraph("say", (self._lesson.farewell,)))
        self.changes += 1
        self._question = new_question()
        self._scene = self._scene_at(beat)
        self._page = LessonPage(self.changes, self._heading, tuple(found), _goes_on(beat), is_look=beat == Look())

    def _next(self, move: Move | None) -> Beat | None:
        try:
            return self._course.send(move)
        except StopIteration:
            return None

    def _take_in(self, beat: Beat) -> list[Paragraph]:
        """The words of a beat."""
        match beat:
            case Begin(heading):
                self._heading = heading
            case Lay(session, reference):
                self._session, self._consulting = session, Consulting(session, reference)
            case Say(words):
                return [Paragraph("say", (words,))]
            case Cite(passage):
                return [Paragraph("note", _lines(passage.text), passage.title)]
            case Tell(news):
                return [Paragraph("news", tuple(self._speak(event.sentence) for _, event in news))]
            case Result(outcome):
                return [Paragraph("news", (self._speak(outcome.reason),))]
        return []

    def _scene_at(self, beat: Beat | None) -> Scene:
        """The table as the learner sees it; with a question where they are to move."""
        if self._session is None:
            return self._scene
        if isinstance(beat, Ask):
            return scene_of_seat(self._session, beat.turn.seat)
        return replace(scene_of_seat(self._session, LEARNER), question=None, offers=(), refusals={})

    def _speak(self, sentence: Sentence) -> str:
        assert self._session, "somebody plays"
        return self._session.words(sentence)


def teach_at_table(notes: GameNotes, opening: Opening) -> None:
    """Go through the examples of a game in the browser."""
    lesson = lesson_of(notes, plain)
    table = LessonOnTable(lesson, notes.deck_note.deck)
    opening.serve(table)
    opening.tell(lesson.farewell if table.over else _LEFT)


def _goes_on(beat: Beat | None) -> str:
    """The words of the button that goes on; "" where there is none."""
    if isinstance(beat, Look):
        return "Take it back"
    return capital(beat.go_on) if isinstance(beat, Pause) else ""


def _lines(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.splitlines()))
