"""`learn` in the terminal: a lesson is shown beat by beat, and the moves are asked for."""

from collections.abc import Iterator, Sequence
from functools import partial

from rich.console import Console, RenderableType
from rich.text import Text

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.host.lesson_host import LessonHost
from vaultkit.host.orders import Action, Command, Order, Reply
from vaultkit.host.view_state import LessonPage
from vaultkit.scene.lesson import Ask, Begin, Cite, Pause, Result, Say, Tell
from vaultkit.session.seats import SeatSpec
from vaultkit.stdio import hold_terminal
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import ME
from vaultkit.terminal.move_prompt import MovePrompt
from vaultkit.terminal.note_text import plain_lines
from vaultkit.terminal.real_card_commands import TurnDialog
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.screen import Screen
from vaultkit.terminal.terminal_text import TerminalText

WELCOME = "Type the letter of a move, ? for the rule, hint for help, q to leave."
_OTHERWISE = {"hint": "the move of the example", "q": "leave; nothing of a lesson is kept"}
HELP = tuple((keys, _OTHERWISE.get(keys, meaning)) for keys, meaning in commands.HELP if keys not in {"u", "concede"})


class LessonView:
    """A lesson on a stage, with the example that lies on the table."""

    def __init__(self, host: LessonHost, stage: GameConsole) -> None:
        self.host, self.stage = host, stage

    @hold_terminal()
    def run(self) -> None:
        """Go through all of it, or until the person leaves. Raises KeyboardInterrupt for Ctrl+C."""
        stage = self.stage
        try:
            with stage.pages(is_whole=True):
                while self.host.page.stop:
                    self._go_through(self.host.page)
                stage.show(*self._beat_parts())
        except (EOFError, KeyboardInterrupt) as leaving:
            stage.show(Text("\nThat was a part of it. The rest is there whenever you like."))
            if isinstance(leaving, KeyboardInterrupt):
                raise

    def _go_through(self, page: LessonPage) -> None:
        """Show a page, and let the learner go on at its end. What stands before a question stays beside the table."""
        parts = [*self._beat_parts()]
        if page.number == 1:
            parts.append(Text(WELCOME, self.stage.look.style("faint")))
        if isinstance(page.stop, Ask):
            self._ask_move(page.stop, parts)
            return
        self.stage.show(*parts)
        rules = [renderables.passage(beat.passage, self.stage.look) for beat in page.beats if isinstance(beat, Cite)]
        if isinstance(page.stop, Pause):
            self.stage.wait(f"{'? shows the rule. ' if rules else ''}To {page.stop.go_on}, press Enter.", rules)
        else:
            self.stage.wait("That is not it. To take it back, press Enter.")
        self._order(Command.NEXT)

    def _beat_parts(self) -> Iterator[RenderableType]:
        """Yield what the beats of the open page show."""
        look = self.stage.look
        for beat in self.host.page.beats:
            match beat:
                case Begin(heading):
                    yield self.stage.make_heading(strip_controls(f"{self.host.lesson.title} {heading}"))
                case Say(words) if self.host.over and words == self.host.lesson.farewell:
                    yield Text(words)
                case Say(words, is_warning):
                    yield Text(strip_controls(words), look.style("warning" if is_warning else "notable"))
                case Tell(news):
                    yield from renderables.story(news, self._speaker)
                case Result(outcome):
                    yield from renderables.result(outcome, self._speaker)

    @property
    def _speaker(self) -> TerminalText:
        session = self.host.session
        assert session, "the cards lie on the table"
        return TerminalText(session.name, session.deck, self.stage.look)

    def _order(self, action: Action, is_confirmed: bool = False) -> Reply:
        return self.host.handle(ME, Order(self.host.view(ME).question, action, is_confirmed))

    def _ask_move(self, stop: Ask, parts: Sequence[RenderableType]) -> None:
        session, advice, page = self.host.session, self.host.advice, self.host.page
        assert session and advice, "the cards lie on the table"
        while self.host.page is page:
            seats = range(session.view(0).seats)
            dialog = TurnDialog(session, stop.turn, self.stage, self._speaker, advice, seats, self._order)
            MovePrompt(dialog, help=HELP, introduction=parts).ask()


def teach(notes: GameNotes, console: Console, script: str | None, *, plain: bool, ascii_only: bool) -> None:
    """Go through the examples of a game at this screen."""
    lesson = lesson_of(notes, partial(plain_lines, examples=False))
    screen = Screen.open(console, (SeatSpec(""),), script, plain=plain, ascii_only=ascii_only)
    deck = notes.deck_note.deck
    LessonView(LessonHost(lesson, deck), screen.stage(deck)).run()
