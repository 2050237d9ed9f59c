"""Where answers come from: a person at a terminal, or a script."""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from rich.console import Console
from rich.text import Text

from vaultkit import files, stdio
from vaultkit.errors import InvalidError, UsageError
from vaultkit.spelling import missing_file
from vaultkit.stdio import hold_terminal
from vaultkit.terminal import terminal_mode
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.terminal_mode import hide_typing
from vaultkit.text import parse_yes_no


class PlayerQuit(EOFError):
    """The person leaves the table, as at the end of input; nothing is lost."""


class AnswerSource(Protocol):
    """Answers, one at a time. A source that has no more raises EOFError: the person leaves."""

    has_person: bool
    """Whether a person answers, who can try again after an error."""

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
        """Return the typed line without its line end. `about` describes the decision; `words` are completions."""

    def pause(self, text: Text) -> str:
        """Wait for Enter, and return the line typed before it; a script does not wait."""

    def confirm(self, question: Text, again: str) -> bool:
        """Return whether a person confirms with `y` or the words of `again` in any order; a script always confirms."""

    def refuse(self, message: str, hint: str) -> bool:
        """Say why the last answer was no good. True if a person is there who may try again; a script raises."""


class TerminalSource:
    """A person. `read` returns one typed line and raises EOFError at the end of input."""

    has_person = True

    def __init__(self, console: Console, read: Callable[[], str] = input) -> None:
        self._console = console
        self._read = read

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:  # noqa: ARG002
        return self._ask(question, words)

    @hold_terminal()
    def pause(self, text: Text) -> str:
        with hide_typing():  # the line editor would show it, or swallow the line end
            return self._read_plain_line(text, terminal_mode.read_unedited_line if self._can_edit() else self._read)

    def confirm(self, question: Text, again: str) -> bool:
        answer = self._ask(question)
        return _word_set(answer) == _word_set(again) or parse_yes_no(answer.casefold()) is True

    @hold_terminal()
    def _ask(self, question: Text, words: Sequence[str] = ()) -> str:
        if self._can_edit():
            with self._console.capture() as prompt:
                self._console.print(question, end="")
            return terminal_mode.ask_line(prompt.get(), words).strip()
        return self._read_plain_line(question, self._read)

    def _read_plain_line(self, question: Text, read: Callable[[], str]) -> str:
        self._console.print(question, end="")
        line = read().strip()
        if not self._console.is_terminal:
            self._console.print(Text(strip_controls(line)))  # a terminal has shown it already
        return line

    def refuse(self, message: str, hint: str) -> bool:  # noqa: ARG002
        return True

    def _can_edit(self) -> bool:
        console = self._console
        plain = not console.is_terminal or console.is_dumb_terminal or console.file is not sys.stdout
        return self._read is input and not plain and terminal_mode.can_edit_lines()


class ScriptSource:
    """Answers from a file, one a line; `#` begins a comment and blank lines are skipped."""

    has_person = False

    def __init__(self, console: Console, name: str, lines: Sequence[str]) -> None:
        self._console = console
        self._name = name
        self._lines = [(number, _strip_comment(line)) for number, line in enumerate(lines, 1) if _strip_comment(line)]
        self._last = len(lines)
        self._at = 0

    @classmethod
    def from_file(cls, console: Console, path: Path) -> "ScriptSource":
        """Return the script at `path`, `-` for stdin. Raises InvalidError if it cannot be read as text."""
        piped = str(path) == "-"
        name = "stdin" if piped else str(path)
        try:
            data = stdio.read_input(path, files.STATE_BYTES)
        except FileNotFoundError as error:
            raise missing_file(name) from error
        except OSError as error:
            raise files.unreadable_error("The script", error, name) from error
        try:
            text = files.decode_text(data)
        except UnicodeError as error:
            if not piped:
                hint = "Open it in an editor, and save it as UTF-8."
                raise InvalidError("The script cannot be read: it is not UTF-8.", where=name, hint=hint) from error
            text = data.decode(errors="replace")  # a line that is no text is refused when it is played
        return cls(console, name, text.splitlines())

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:  # noqa: ARG002
        if self._at == len(self._lines):
            raise UsageError(f"The script ends at line {self._last}, and the game does not: {about}", where=self._name)
        line = self._lines[self._at][1]
        self._at += 1
        self._console.print(Text.assemble(question, line))
        return line

    def pause(self, text: Text) -> str:  # noqa: ARG002
        return ""

    def confirm(self, question: Text, again: str) -> bool:  # noqa: ARG002
        return True

    def refuse(self, message: str, hint: str) -> bool:
        raise UsageError(message, where=f"{self._name}:{self._lines[self._at - 1][0]}", hint=hint)


def _word_set(answer: str) -> frozenset[str]:
    return frozenset(answer.casefold().replace(",", " ").split())


def _strip_comment(line: str) -> str:
    return re.sub(r"(^|\s)#.*$", "", line).strip()
