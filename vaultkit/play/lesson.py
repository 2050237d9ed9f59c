"""`learn` in the terminal: a lesson is shown beat by beat, and the moves are asked for."""

from contextlib import suppress
from functools import partial

from rich.console import Console
from rich.text import Text

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.games.turn import Move
from vaultkit.play import commands, pages
from vaultkit.play.asking import Asking
from vaultkit.play.deciding import Decision
from vaultkit.play.notetext import plain_lines
from vaultkit.play.plain import safe
from vaultkit.play.screen import Screen
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.scene.lesson import Ask, Beat, Begin, Cite, Lay, Lesson, Look, Pause, Result, Say, Tell
from vaultkit.session.seats import SeatSpec
from vaultkit.wording import counted

_WELCOME = (
    "You sit in the first seat and make its moves; the others play as the example wants. Type the letter of a move or "
    "the name of a card, ? for the rule, hint for the move of the example, q to leave. Nothing is kept, so nothing can "
    "go wrong."
)
_OTHERWISE = {"hint": "the move of the example", "q": "leave; nothing of a lesson is kept"}
HELP = tuple((keys, _OTHERWISE.get(keys, meaning)) for keys, meaning in commands.HELP if keys != "u")
_FIRST = {"words": "It is your move: press Enter.", "mistake": "To try again, press Enter."}
"""Said before a move is asked for, so that words which stand above the table are read."""


class LessonOnStage:
    """A lesson on a stage, with the example that lies on the table."""

    def __init__(self, lesson: Lesson, stage: Stage) -> None:
        self.lesson, self.stage = lesson, stage
        self._table: Lay | None = None

    def run(self) -> None:
        """Go through all of it, or until the person leaves."""
        stage, lesson = self.stage, self.lesson
        stage.heading(f"{lesson.title}: {counted(len(lesson.examples), 'example')}")
        stage.show(Text(safe(lesson.opening, lines=True)), Text(), Text(_WELCOME))
        stage.show(*pages.signs(stage.look, stage.width))
        try:
            self._follow()
        except EOFError:
            stage.show(Text("\nThat was a part of it. The rest is there whenever you like."))
        else:
            stage.show(Text(lesson.farewell))

    def _follow(self) -> None:
        course, move = self.lesson.course(), None
        with suppress(StopIteration):
            while True:
                move = self._show(course.send(move))

    def _show(self, beat: Beat) -> Move | None:
        """Show a beat; the move, where it asks for one."""
        stage = self.stage
        match beat:
            case Begin(heading):
                stage.heading(safe(heading))
            case Lay():
                self._table = beat
            case Say(words, is_warning):
                stage.show(Text(safe(words), stage.look.style("warning" if is_warning else "notable")))
            case Cite(passage):
                stage.show(pages.passage(passage, self.stage.look))
                stage.gap()
            case Tell(news):
                stage.show(*pages.story(news, self._speaker))
            case Result(outcome):
                stage.show(*pages.result(outcome, self._speaker))
            case Pause(go_on):
                stage.wait(f"To {go_on}, press Enter.")
            case Ask():
                return self._ask(beat)
            case Look():
                pass  # what came of the move stands on the screen already
        return None

    @property
    def _laid(self) -> Lay:
        assert self._table, "the cards lie on the table"
        return self._table

    @property
    def _speaker(self) -> Speaker:
        return Speaker(self._laid.session.name, self._laid.session.deck, self.stage.look)

    def _ask(self, beat: Ask) -> Move:
        if beat.reason:
            self.stage.wait(_FIRST[beat.reason])
        session, reference, move = self._laid.session, self._laid.reference, None
        seats = range(session.view(0).seats)
        while move is None:
            asking = Asking(session, beat.turn, self.stage, self._speaker, reference, seats)
            move = Decision(asking, beat.turn, help=HELP).ask()
        return move


def teach(notes: GameNotes, console: Console, script: str | None, *, plain: bool, ascii_only: bool) -> None:
    """Go through the examples of a game at this screen."""
    lesson = lesson_of(notes, partial(plain_lines, examples=False))
    screen = Screen.open(console, (SeatSpec(""),), script, plain=plain, ascii_only=ascii_only)
    LessonOnStage(lesson, screen.stage(notes.deck_note.deck)).run()
