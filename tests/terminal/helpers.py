"""The toy game on a recorded screen."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from tests.session.helpers import begin
from tests.terminal.playing import play
from vaultkit.games.messages import Outcome
from vaultkit.search.passages import Passage
from vaultkit.session import Session
from vaultkit.terminal.answer_sources import AnswerSource, ScriptSource, TerminalSource
from vaultkit.terminal.styles import terminal_style


class Notes:
    """A reference whose passages contain hostile text."""

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        return Passage(
            f"Rule {heading or rulings[0]}", "[bold]Play[/bold] a card.\x1b[2J\nOf Leaves or Roots.", "Toy.md"
        )

    def section(self, words: str) -> Passage | None:
        headings = ("Playing", "The Cheering")
        found = next((heading for heading in headings if words.casefold() in heading.casefold()), None)
        return Passage(found, f"Of {found}.", "Toy.md") if found else None

    def card(self, card_id: str) -> Passage | None:
        return Passage(card_id, f"Text of {card_id}.") if card_id != "8-roots" else None

    def ask(self, words: str) -> tuple[Passage, ...]:
        return (Passage(words, f"Answer\x1b[2J to {words}.", "[[Toy#Playing]]", heading=words),)


def screen(width: int = 80, **more: Any) -> Console:
    return Console(file=io.StringIO(), width=width, force_terminal=False, color_system=None, **more)


def screen_text(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def person(console: Console, *typed: str) -> TerminalSource:
    """Return a person who types these lines and then closes the input."""
    lines = iter(typed)

    def read() -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return TerminalSource(console, read)


def play_typed(folder: Path, *typed: str, seats: tuple[str, ...] = ("Ysolde", "bot:first"), **more: Any) -> str:
    """Return what the screen shows when people type these lines in a new toy game and then leave."""
    plain = more.pop("plain", False)
    console = screen()
    with begin(folder, *seats, **more) as session:
        play(session, console, person(console, *typed), Notes(), terminal_style(console, session.deck, plain=plain))
    return screen_text(console)


def play_script(session: Session, *lines: str) -> tuple[Outcome | None, str]:
    console = screen()
    source: AnswerSource = ScriptSource(console, "moves.txt", lines)
    return play(session, console, source, Notes()), screen_text(console)


class FirstMoves(TerminalSource):
    """A person who always makes the first move of the game's own list."""

    def __init__(self, console: Console, session: Session) -> None:
        super().__init__(console, read=lambda: "")
        self._session = session

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
        assert self._session.prompt
        self._console.print(question)
        return self._session.prompt.moves[0].id

    def confirm(self, *_: object) -> bool:
        return True
