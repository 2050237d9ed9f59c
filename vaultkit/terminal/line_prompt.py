"""A prompt for lines that a person types in the terminal."""

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
    """The request to go back by one question."""


Parsed = TypeVar("Parsed")


@dataclass(frozen=True)
class LinePrompt:
    """A prompt for lines, without control characters in questions and answers.

    `back` is the exception for going back; a VaultkitError is shown as a refusal.
    """

    stage: GameConsole
    back: Exception | type[Exception] = GoBack

    def ask(self, question: str, words: Sequence[str] = ()) -> str:
        """Return the typed line. Raises `back`, PlayerQuit to quit, or EOFError at the end of input."""
        question = strip_controls(question)
        answer = strip_controls(self.stage.answer(Text(question), question, words)).strip()
        if commands.is_leaving(answer):
            raise PlayerQuit
        if answer.casefold() in {"b", "back"}:
            raise self.back
        return answer

    def ask_until_valid(
        self, question: str, parse: Callable[[str], Parsed], explain: Callable[[], None], words: Sequence[str] = ()
    ) -> Parsed:
        """Ask until `parse` accepts the line, and return its result; show each VaultkitError. Raises `back`."""
        while True:
            try:
                answer = self.ask(question, words)
                if not answer.startswith("?"):
                    return parse(answer)
                explain()
            except VaultkitError as error:
                self.warn(f"{error.message} {error.hint}".strip())

    def say(self, words: str, style: str = "") -> None:
        self.stage.show(Text(strip_controls(words, lines=True), self.stage.look.style(style) if style else ""))

    def warn(self, words: str) -> None:
        self.say(words, "warning")
