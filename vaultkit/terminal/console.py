"""The console with the manners of a card table: what is public stays on it, what is private leaves no trace."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from shutil import get_terminal_size

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.segment import Segment, Segments
from rich.text import Text

from vaultkit.errors import UsageError
from vaultkit.terminal import commands
from vaultkit.terminal.answer_sources import AnswerSource, PlayerQuit
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_mode import discard_typing, run_before_sigterm
from vaultkit.text import format_count

_DEFAULT_HEIGHT_LINES = 24
_PROMPT_LINES = 3
"""The lines of a page for what was typed, for how many pages follow, and for the prompt."""
_MORE_MESSAGE = "More: press Enter."
_LINES_AFTER_PAGES = 1
"""The lines for a prompt below the last page."""
_WAITING_MESSAGE = "Press only Enter to go on. Type q to leave. Nothing else shows what is hidden."


WaitFunction = Callable[[float], str]


class _PagesEnd(Exception):
    """The request to see no more pages of a text."""


@contextmanager
def announce_save_on_exit(say: Callable[[], None], script_hint: str) -> Iterator[None]:
    """Run a game; if people leave, or an error ends it, `say` tells that the game is saved.

    Only that they leave ends here; the error of a script gets a hint more.
    """
    try:
        yield
    except EOFError:
        say()
    except UsageError as error:  # of a script: what shows the game may go nowhere
        say()
        error.hint = f"{error.hint} {script_hint}".strip()
        raise
    except BaseException:
        say()
        raise


class GameConsole:
    """Shows things on a console, publicly or behind a mask.

    The hidden screen cannot be scrolled back, so what is taller than it is shown in pages.
    """

    def __init__(self, console: Console, source: AnswerSource, look: TerminalStyle) -> None:
        self.console = console
        self.source = source
        self.look = look
        self._warned = False
        self._paged = self._is_hidden = self._is_skippable = False
        self._lines = 0
        self._blank = False
        self._early_answer = ""
        self._pages: list[RenderableType] = []

    @property
    def can_hide(self) -> bool:
        """Whether the terminal has an alternate screen, whose lines never come back by scrolling."""
        return self.console.is_terminal and not self.console.is_dumb_terminal and not self.console.legacy_windows

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def height(self) -> int:
        """The lines of the screen; what is no terminal counts as one of the usual size."""
        return self.console.height if self.console.is_terminal else _DEFAULT_HEIGHT_LINES

    @property
    def is_screen(self) -> bool:
        """Whether everything for a decision is drawn on one screen, which is not read aloud or redirected."""
        return self.console.is_terminal and not self.look.plain

    def count_lines(self, thing: RenderableType) -> int:
        """Return the number of lines that something takes on this screen."""
        return len(self._render_lines(thing))

    def _render_lines(self, thing: RenderableType) -> list[list[Segment]]:
        options = self.console.options.update(highlight=False, markup=False)
        return self.console.render_lines(thing, options, pad=False)

    def show(self, *things: RenderableType) -> None:
        for thing in things:
            if self._paged:
                self._show_in_pages(thing)
            else:
                self.console.print(thing, soft_wrap=self.look.plain, highlight=False, markup=False)
            self._blank = False

    def show_pages(self, *parts: Sequence[RenderableType]) -> None:
        """Show the first page of some parts, each of which begins on a page of its own; `more` shows the next one."""
        room = max(self.height - _PROMPT_LINES, 1)
        self._pages = []
        for part in parts:
            lines = [[*line, Segment.line()] for thing in part for line in self._render_lines(thing)]
            pages = [Segments(chain.from_iterable(lines[at : at + room])) for at in range(0, len(lines), room)]
            self._pages += [Group(*part)] if self.look.plain and part else pages
        self.show_next_page()

    def show_next_page(self) -> None:
        """Show the next page of the last answer, or that there is none."""
        if not self._pages:
            self.show(Text("There is no more. Ask something first, such as: ask who begins"))
            return
        page, *self._pages = self._pages
        self.show(page)
        if self._pages:
            self.show(Text(f"more: {format_count(len(self._pages), 'page')}", self.look.style("faint")))

    def show_unbroken(self, text: str) -> None:
        """Show one faint line that only the terminal itself wraps, so that a command in it can be copied."""
        self.console.print(Text(text, self.look.style("faint")), soft_wrap=True, highlight=False)
        self._blank = False

    def show_gap(self) -> None:
        """Print an empty line, unless each line is read aloud."""
        if not self.look.plain and not self._blank:
            self.show(Text())
            self._blank = True

    def heading(self, text: str) -> None:
        """Print a line that says whose turn or what part begins."""
        self.show_gap()
        self.show(self.make_heading(text))

    def make_heading(self, text: str) -> RenderableType:
        """Return a heading for `show`."""
        if self.look.plain:
            return Text(text)
        return Rule(Text(text, "bold"), characters=self.look.sign("─", "-"), align="left", style="dim")

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
        """Return the typed line, as AnswerSource.answer does."""
        early_answer = self._early_answer
        self._mark_read()
        return early_answer or self.source.answer(question, about, words)

    def confirm(self, question: str, again: str) -> bool:
        """Return whether a person confirms, as AnswerSource.confirm does."""
        self._mark_read()
        return self.source.confirm(Text(question + " "), again)

    def pause(self, text: str) -> str:
        """Wait for Enter, and return the line typed before it."""
        self._mark_read()
        return self.source.pause(Text(text + " "))

    def wait(self, question: str, rules: Sequence[RenderableType] = ()) -> None:
        """Wait for an empty line before hidden things are shown; `?` shows `rules`.

        Raises PlayerQuit if the person leaves.
        """
        while answer := self.pause(question):
            if commands.is_leaving(answer):
                raise PlayerQuit
            command = commands.parse_command(answer)
            if command and command.verb in {"rule", "help"}:
                self.show(*rules or [Text(_WAITING_MESSAGE)])

    @contextmanager
    def show_thinking(self) -> Iterator[None]:
        """Show "Thinking …" at a terminal within the block, and discard keys typed there."""
        if not self.console.is_terminal:
            yield
            return
        self.show(Text(f"Thinking {self.look.sign('…', '...')}", self.look.style("faint")))
        with discard_typing():
            yield

    @contextmanager
    def pages(self, lines_after: int = _LINES_AFTER_PAGES, *, is_whole: bool = False) -> Iterator[None]:
        """Show things a screen at a time, so that the first line can be read.

        `q` ends them, or the game if they are to be shown whole (`is_whole`); so many `lines_after` come below them.
        """
        if self._paged or not self.is_screen or not self.source.has_person:
            yield
            return
        self._paged, self._lines, self._is_skippable = True, 0, not is_whole
        try:
            yield
            if self._lines + lines_after >= self.console.height and not is_whole:
                self._turn_page()
        except _PagesEnd:
            pass
        finally:
            self._paged, self._lines, self._is_skippable = False, 0, False

    @contextmanager
    def temporary_screen(self) -> Iterator[None]:
        """Show things that disappear after the block; if the terminal cannot hide them, say so once."""
        self._is_hidden = True
        if not self.can_hide:
            self._warn_once()
            yield
            self.end_hidden()
            return
        self.console.set_alt_screen(True)
        self._paged = True
        try:
            with run_before_sigterm(self.end_hidden):
                self.clear()
                yield
        finally:
            self.end_hidden()

    def end_hidden(self) -> None:
        """Remove hidden contents from the screen, if there are any."""
        if self._is_hidden:
            self._is_hidden = self._paged = False
            self._leave_hidden_screen()

    def clear(self) -> None:
        """Begin the hidden screen anew."""
        if self.can_hide:
            self.console.clear()
        else:
            self._scroll_away()
        self._mark_read()
        self._blank = True

    def _scroll_away(self) -> None:
        """Move what stands on a terminal that cannot be cleared out of view, as far as lines do that."""
        if self.console.is_terminal:
            self.console.print("\n" * max(self.console.height, get_terminal_size().lines), end="")
            self._blank = True

    def _leave_hidden_screen(self) -> None:
        if not self.can_hide:
            self._scroll_away()
            return
        self.console.clear()
        self.console.set_alt_screen(False)

    def _show_in_pages(self, thing: RenderableType) -> None:
        lines = self._render_lines(thing)
        if self._lines and self._lines + len(lines) >= self.console.height > len(lines):
            self._turn_page()  # rather than in the middle of a text
        for line in lines:
            if self._lines >= self.console.height - 1:
                self._turn_page()
            self.console.print(Segments([*line, Segment.line()]), end="")
            self._lines += 1

    def _turn_page(self) -> None:
        answer = self.pause(_MORE_MESSAGE)
        if commands.is_leaving(answer):
            raise _PagesEnd if self._is_skippable else PlayerQuit
        if answer and self._is_skippable:
            self._early_answer = answer
            raise _PagesEnd

    def _mark_read(self) -> None:
        """Record that the screen was read, since somebody types, and discard the early answer."""
        self._early_answer = ""
        self._lines = 0
        self._blank = False

    def _warn_once(self) -> None:
        if not self._warned:
            self.show(Text("This terminal cannot take back what it has shown: hands can be read by scrolling up."))
        self._warned = True
