"""The console with the manners of a card table: what is public stays on it, what is private leaves no trace."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from vaultkit.play.look import Look
from vaultkit.play.sources import Source


class Stage:
    """Shows things on a console, publicly or behind a mask."""

    def __init__(self, console: Console, source: Source, look: Look) -> None:
        self.console = console
        self.source = source
        self.look = look
        self._warned = False

    @property
    def can_hide(self) -> bool:
        """Whether the terminal has an alternate screen, whose lines never come back by scrolling."""
        return self.console.is_terminal and not self.console.is_dumb_terminal and not self.console.legacy_windows

    @property
    def width(self) -> int:
        return self.console.width

    def show(self, *things: RenderableType) -> None:
        for thing in things:
            self.console.print(thing, soft_wrap=self.look.plain, highlight=False, markup=False)

    def gap(self) -> None:
        """A free line, except where each line is read aloud."""
        if not self.look.plain:
            self.console.print()

    def heading(self, text: str) -> None:
        """A line that says whose turn or what part begins."""
        self.gap()
        if self.look.plain:
            self.show(Text(text))
        else:
            bar = self.look.sign("─", "-")
            self.show(Rule(Text(text, "bold"), characters=bar, align="left", style="dim"))

    def pause(self, text: str) -> None:
        """Wait for Enter."""
        self.source.pause(Text(text + " "))

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Show things that are gone afterwards; where the terminal cannot do that, say so once."""
        if not self.can_hide:
            self._warn()
            yield
            return
        self.console.set_alt_screen(True)
        try:
            self.console.clear()
            yield
        finally:
            self.console.clear()
            self.console.set_alt_screen(False)

    def clear(self) -> None:
        """Begin the hidden screen anew."""
        if self.can_hide:
            self.console.clear()

    def _warn(self) -> None:
        if not self._warned:
            self.show(Text("This terminal cannot take back what it has shown: hands stay readable above."))
        self._warned = True
