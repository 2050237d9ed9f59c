"""Lines that a person types at the screen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.text import Text

from vaultkit.errors import VaultkitError
from vaultkit.terminal import commands
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.safe_text import strip_controls


class GoBack(Exception):
    """The person goes back by one question."""


Taken = TypeVar("Taken")


@dataclass(frozen=True)
class LinePrompt:
    """Lines of one stage, in which nothing that was typed or read can steer the terminal.

    `back` is raised where a person goes back; a VaultkitError refuses to.
    """

    stage: GameConsole
    back: Exception | type[Exception] = GoBack

    def ask(self, question: str, words: Sequence[str] = ()) -> str:
        """The typed line. Raises `back` to go back, Leave where a person leaves, EOFError at the end of input."""
        question = strip_controls(question)
        answer = strip_controls(self.stage.answer(Text(question), question, words)).strip()
        if commands.is_leaving(answer):
            raise PlayerQuit
        if answer.casefold() in {"b", "back"}:
            raise self.back
        return answer

    def settle(
        self, question: str, take: Callable[[str], Taken], explain: Callable[[], None], words: Sequence[str] = ()
    ) -> Taken:
        """The line as `take` takes it, asked for anew as long as that raises a VaultkitError. Raises `back`."""
        while True:
            try:
                answer = self.ask(question, words)
                if not answer.startswith("?"):
                    return take(answer)
                explain()
            except VaultkitError as error:
                self.warn(f"{error.message} {error.hint}".strip())

    def say(self, words: str, style: str = "") -> None:
        self.stage.show(Text(strip_controls(words, lines=True), self.stage.look.style(style) if style else ""))

    def warn(self, words: str) -> None:
        self.say(words, "warning")
