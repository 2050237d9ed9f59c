"""`learn` in the terminal: a lesson is shown beat by beat, and the moves are asked for."""

from functools import partial

from rich.console import Console
from rich.text import Text

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.host.lesson_host import LessonHost
from vaultkit.host.orders import Action, Command, Order, Reply
from vaultkit.scene.lesson import Ask, Beat, Begin, Cite, Look, Pause, Result, Say, Tell
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import ME
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
HELP = tuple((keys, _OTHERWISE.get(keys, meaning)) for keys, meaning in commands.HELP if keys not in {"u", "concede"})
_WAIT_PROMPTS = {"words": "It is your move: press Enter.", "mistake": "To try again, press Enter."}
"""Said before a move is asked for, so that words which stand above the table are read."""


class LessonView:
    """A lesson on a stage, with the example that lies on the table."""

    def __init__(self, host: LessonHost, stage: GameConsole) -> None:
        self.host, self.stage = host, stage

    def run(self) -> None:
        """Go through all of it, or until the person leaves. Raises KeyboardInterrupt for Ctrl+C."""
        stage, lesson = self.stage, self.host.lesson
        stage.heading(f"{lesson.title}: {format_count(len(lesson.examples), 'example')}")
        stage.show(Text(strip_controls(lesson.opening, lines=True)), Text(), Text(_WELCOME))
        stage.show(*renderables.signs(stage.look, stage.width))
        try:
            while (page := self.host.page).stop:
                self._go_on(page.stop)
                for beat in self.host.page.beats:
                    self._show_beat(beat)
        except (EOFError, KeyboardInterrupt) as leaving:
            stage.show(Text("\nThat was a part of it. The rest is there whenever you like."))
            if isinstance(leaving, KeyboardInterrupt):
                raise

    def _show_beat(self, beat: Beat) -> None:
        stage = self.stage
        match beat:
            case Begin(heading):
                stage.heading(strip_controls(heading))
            case Say(words) if self.host.over and words == self.host.lesson.farewell:
                stage.show(Text(words))
            case Say(words, is_warning):
                stage.show(Text(strip_controls(words), stage.look.style("warning" if is_warning else "notable")))
            case Cite(passage):
                stage.show(renderables.passage(passage, self.stage.look))
                stage.show_gap()
            case Tell(news):
                stage.show(*renderables.story(news, self._speaker))
            case Result(outcome):
                stage.show(*renderables.result(outcome, self._speaker))

    def _go_on(self, stop: Pause | Look | Ask) -> None:
        """Let the learner go on at the end of a page; what came of a move to be taken back is on the screen already."""
        if isinstance(stop, Ask):
            self._ask_move(stop)
            return
        if isinstance(stop, Pause):
            self.stage.wait(f"To {stop.go_on}, press Enter.")
        self._order(Command.NEXT)

    @property
    def _speaker(self) -> TerminalText:
        session = self.host.session
        assert session, "the cards lie on the table"
        return TerminalText(session.name, session.deck, self.stage.look)

    def _order(self, action: Action, is_confirmed: bool = False) -> Reply:
        return self.host.handle(ME, Order(self.host.view(ME).question, action, is_confirmed))

    def _ask_move(self, stop: Ask) -> None:
        if stop.reason:
            self.stage.wait(_WAIT_PROMPTS[stop.reason])
        session, advice, page = self.host.session, self.host.advice, self.host.page
        assert session and advice, "the cards lie on the table"
        while self.host.page is page:
            seats = range(session.view(0).seats)
            dialog = TurnDialog(session, stop.turn, self.stage, self._speaker, advice, seats, self._order)
            MovePrompt(dialog, stop.turn, help=HELP).ask()


def teach(notes: GameNotes, console: Console, script: str | None, *, plain: bool, ascii_only: bool) -> None:
    """Go through the examples of a game at this screen."""
    lesson = lesson_of(notes, partial(plain_lines, examples=False))
    screen = Screen.open(console, (SeatSpec(""),), script, plain=plain, ascii_only=ascii_only)
    deck = notes.deck_note.deck
    LessonView(LessonHost(lesson, deck), screen.stage(deck)).run()
