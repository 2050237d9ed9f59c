"""Single lines asked and said at the screen while scores are typed."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.text import Text

from vaultkit.errors import VaultkitError
from vaultkit.play import commands
from vaultkit.play.plain import safe
from vaultkit.play.sources import Leave
from vaultkit.play.stage import Stage

HELP = "Enter takes what stands in brackets. b goes back one question, ? shows the rule, q leaves without writing."
Taken = TypeVar("Taken")
_BACK = frozenset({"b", "back"})


class Lines:
    """Lines of one stage, in which nothing that was typed or read can steer the terminal."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def ask(self, asked: str, words: Sequence[str] = ()) -> str | None:
        """The typed line; None to go back. Raises Leave where a person leaves, EOFError at the end of input."""
        typed = safe(self.stage.answer(Text(safe(asked)), safe(asked), words)).strip()
        if commands.is_leaving(typed):
            raise Leave
        return None if typed.casefold() in _BACK else typed

    def settle(
        self, asked: str, take: Callable[[str], Taken], explain: Callable[[], None], words: Sequence[str] = ()
    ) -> Taken | None:
        """The line as `take` takes it, asked for anew as long as that raises a VaultkitError; None to go back."""
        while True:
            typed = self.ask(asked, words)
            if typed is None:
                return None
            if typed.startswith("?"):
                explain()
                continue
            try:
                return take(typed)
            except VaultkitError as error:
                self.refuse(f"{error.message} {error.hint}".strip())

    def say(self, words: str, style: str = "") -> None:
        self.stage.show(Text(safe(words, lines=True), self.stage.look.style(style) if style else ""))

    def warn(self, words: str) -> None:
        self.say(words, "warning")

    def refuse(self, message: str) -> None:
        """Say why a line was no answer."""
        if self.stage.source.refuse(message, HELP):
            self.warn(message)
