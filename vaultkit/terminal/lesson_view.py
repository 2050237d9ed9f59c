"""`learn` in the terminal: a lesson is shown beat by beat, and the moves are asked for."""

from contextlib import suppress
from functools import partial

from rich.console import Console
from rich.text import Text

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.games.turn import Move
from vaultkit.host.advice import Advice
from vaultkit.host.orders import Action, Reply, UndoMove
from vaultkit.scene.lesson import Ask, Beat, Begin, Cite, Lay, Lesson, Look, Pause, Result, Say, Tell
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.move_prompt import MovePrompt
from vaultkit.terminal.note_text import plain_lines
from vaultkit.terminal.real_card_commands import TurnDialog
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.screen import Screen
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.text import format_count

_WELCOME = (
    "You sit in the first seat and make its moves; the others play as the example wants. Type the letter of a move or "
    "the name of a card, ? for the rule, hint for the move of the example, q to leave. Nothing is kept, so nothing can "
    "go wrong."
)
_OTHERWISE = {"hint": "the move of the example", "q": "leave; nothing of a lesson is kept"}
HELP = tuple((keys, _OTHERWISE.get(keys, meaning)) for keys, meaning in commands.HELP if keys != "u")
_WAIT_PROMPTS = {"words": "It is your move: press Enter.", "mistake": "To try again, press Enter."}
"""Said before a move is asked for, so that words which stand above the table are read."""


class LessonView:
    """A lesson on a stage, with the example that lies on the table."""

    def __init__(self, lesson: Lesson, stage: GameConsole) -> None:
        self.lesson, self.stage = lesson, stage
        self._table: Lay | None = None

    def run(self) -> None:
        """Go through all of it, or until the person leaves."""
        stage, lesson = self.stage, self.lesson
        stage.heading(f"{lesson.title}: {format_count(len(lesson.examples), 'example')}")
        stage.show(Text(strip_controls(lesson.opening, lines=True)), Text(), Text(_WELCOME))
        stage.show(*renderables.signs(stage.look, stage.width))
        try:
            self._run_beats()
        except EOFError:
            stage.show(Text("\nThat was a part of it. The rest is there whenever you like."))
        else:
            stage.show(Text(lesson.farewell))

    def _run_beats(self) -> None:
        beats, move = self.lesson.course(), None
        with suppress(StopIteration):
            while True:
                move = self._show_beat(beats.send(move))

    def _show_beat(self, beat: Beat) -> Move | None:
        """Show a beat; the move, where it asks for one."""
        stage = self.stage
        match beat:
            case Begin(heading):
                stage.heading(strip_controls(heading))
            case Lay():
                self._table = beat
            case Say(words, is_warning):
                stage.show(Text(strip_controls(words), stage.look.style("warning" if is_warning else "notable")))
            case Cite(passage):
                stage.show(renderables.passage(passage, self.stage.look))
                stage.show_gap()
            case Tell(news):
                stage.show(*renderables.story(news, self._speaker))
            case Result(outcome):
                stage.show(*renderables.result(outcome, self._speaker))
            case Pause(go_on):
                stage.wait(f"To {go_on}, press Enter.")
            case Ask():
                return self._ask_move(beat)
            case Look():
                pass  # what came of the move stands on the screen already
        return None

    @property
    def _current_lay(self) -> Lay:
        assert self._table, "the cards lie on the table"
        return self._table

    @property
    def _speaker(self) -> TerminalText:
        return TerminalText(self._current_lay.session.name, self._current_lay.session.deck, self.stage.look)

    def _order(self, action: Action, is_confirmed: bool) -> Reply:  # noqa: ARG002
        """Accept a move. Raises UndoRefused, because an example has no undo."""
        if isinstance(action, UndoMove):
            self._current_lay.session.plan_undo(None)
        return Reply()

    def _ask_move(self, beat: Ask) -> Move:
        if beat.reason:
            self.stage.wait(_WAIT_PROMPTS[beat.reason])
        session, answer = self._current_lay.session, None
        advice, seats = Advice(session, self._current_lay.reference), range(session.view(0).seats)
        while answer is None:
            dialog = TurnDialog(session, beat.turn, self.stage, self._speaker, advice, seats, self._order)
            answer = MovePrompt(dialog, beat.turn, help=HELP).ask()
        return answer[0]


def teach(notes: GameNotes, console: Console, script: str | None, *, plain: bool, ascii_only: bool) -> None:
    """Go through the examples of a game at this screen."""
    lesson = lesson_of(notes, partial(plain_lines, examples=False))
    screen = Screen.open(console, (SeatSpec(""),), script, plain=plain, ascii_only=ascii_only)
    LessonView(lesson, screen.stage(notes.deck_note.deck)).run()
