"""Lines that are typed at the screen, and the questions by which a GM defines a game of their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from rich.text import Text

from vaultkit.campaign.new_game import WAYS_TO_WIN, NewGame
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.terminal import commands
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import join_words


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


_FIELD_QUESTIONS = {
    "title": "What is it called? ",
    "players": "How many play, as 3 or 2-4? ",
    "rounds": "What is a round called? Enter = there are none: ",
}
_FIELD_HELP = {
    "title": "Any words. The printed sheet, the note and the statistics call the game so.",
    "players": "One number, or the fewest and the most with - between.",
    "rounds": "A word such as deal or hole: each column then has a line for every round, up to 12.",
    "columns": 'One line for each thing that is written down: "Points" takes a number, "Honest?" a yes or no, '
    '"Prize: ribbon, cake" one of these words, and "Score = 2 * points" is reckoned. An empty line ends the list.',
    "win": "1 the highest score; 2 the lowest score; 3 all together or nobody; 4 whoever says yes",
}
"""Answers to `?`, by what is asked."""


def ask_game(stage: GameConsole, draft: NewGame, win: str) -> NewGame:
    """The game, with what is not `given` yet asked for; an answer that no game can have is asked for anew.

    Raises Leave where a person leaves, EOFError at the end, UsageError where what was given cannot be.
    """
    lines = LinePrompt(stage, UsageError("That is no answer."))
    stage.heading("A game of your own")
    lines.say("q leaves without writing.", "faint")
    # a whole game, so that each answer can be looked at as soon as it is typed
    whole = NewGame(draft.title or "Game", draft.players or "2", draft.columns or ("Points",), "co-op", draft.rounds)
    game = whole.checked
    for key, question in _FIELD_QUESTIONS.items():
        if not getattr(draft, key):
            game = _ask_field(lines, game, key, question)
    if not draft.columns:
        lines.say(_FIELD_HELP["columns"], "faint")
        game = _ask_columns(lines, replace(game, columns=()))
    if win:
        return replace(game, win=win)
    lines.say(_FIELD_HELP["win"], "faint")
    return _ask_field(lines, game, "win", "Who wins (1 to 4)? Enter = 1: ", _parse_win)


def _ask_columns(lines: LinePrompt, game: NewGame) -> NewGame:
    """The game with all columns up to an empty line."""
    question, old_columns = f"Column {len(game.columns) + 1}: ", tuple(game.columns)
    more = _ask_field(
        lines,
        game,
        "columns",
        question,
        lambda typed: (*old_columns, typed) if typed or not old_columns else old_columns,
    )
    return _ask_columns(lines, more) if more != game else game


def _parse_win(answer: str) -> str:
    choice = answer.casefold() or "1"
    rule = next((win for number, win in enumerate(WAYS_TO_WIN, 1) if choice in (win, str(number))), "")
    if not rule:
        raise UsageError("That is no answer.", hint=f"Accepted: 1 to 4, or {join_words(WAYS_TO_WIN, 'or')}.")
    return rule


def _ask_field(lines: LinePrompt, game: NewGame, key: str, question: str, read: Callable[[str], Any] = str) -> NewGame:
    """The game with the typed line as what it has by this key, once it can be one."""
    explain = partial(lines.say, _FIELD_HELP[key], "faint")
    return lines.settle(question, lambda said: replace(game, **{key: read(said)}).checked, explain)
