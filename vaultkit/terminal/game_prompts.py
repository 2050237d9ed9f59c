"""The questions by which a GM defines a game of their own, or changes it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from vaultkit.campaign.definition_check import describe_sheet
from vaultkit.campaign.new_game import WAYS_TO_WIN, NewGame
from vaultkit.errors import UsageError
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.line_prompt import LinePrompt
from vaultkit.text import join_words, parse_yes_no


def _parse_win(answer: str) -> str:
    choice = answer.casefold()
    rule = next((win for number, win in enumerate(WAYS_TO_WIN, 1) if choice in (win, str(number))), "")
    if not rule:
        raise UsageError(
            "That is not an accepted answer.", hint=f"Accepted: 1 to 4, or {join_words(WAYS_TO_WIN, 'or')}."
        )
    return rule


def _parse_negative(answer: str) -> bool | str:
    is_yes = parse_yes_no(answer)
    return answer if is_yes is None else is_yes


def _parse_ties(answer: str) -> tuple[str, ...]:
    return () if answer in ("-", "none") else tuple(filter(None, map(str.strip, answer.split(";"))))


def _parse_words(answer: str) -> str:
    return "" if answer in ("-", "none") else answer


def _is_by_score(game: NewGame) -> bool:
    return game.win in ("highest", "lowest")


@dataclass(frozen=True)
class GameQuestion:
    """A question about one field of a new game.

    `usual` is the answer that Enter stands for, in words. The question is asked only if `applies`.
    """

    field: str
    words: str
    help: str
    usual: str = ""
    read: Callable[[str], Any] = str
    applies: Callable[[NewGame], bool] = lambda _: True

    def text(self, current: str) -> str:
        """Return the line before the cursor: `How many play? [2-4] `."""
        usual = current or self.usual
        return f"{self.words} [{usual}] " if usual else f"{self.words} "


_COLUMNS_HELP = (
    'One line for each thing that is written down: "Points" takes a number, "Honest?" a yes or no, '
    '"Prize: ribbon, cake" one of these words, and "Score = 2 * points" is computed. An empty line ends the list.'
)
_QUESTIONS = (
    GameQuestion(
        "title", "What is it called?", "Any words. The printed sheet, the note and the statistics call the game so."
    ),
    GameQuestion(
        "players", "How many play, as 3 or 2-4?", "One number, or the fewest and the most with - between.", "2-4"
    ),
    GameQuestion(
        "rounds", "What is a round called?",
        "A word such as deal or hole: each column then has a line for every round, up to 12, or with deal 20 up to 20. "
        "- for no rounds.",
        "no rounds", _parse_words,
    ),
    GameQuestion("columns", "", _COLUMNS_HELP),
    GameQuestion(
        "win", "Who wins (1 to 4)?",
        "1 the highest score; 2 the lowest score; 3 all together or nobody; 4 those who say yes", "1", _parse_win,
    ),
    GameQuestion(
        "negative", "Can numbers be below 0 (y, n, or in which columns)?",
        "y if somebody may lose points, as in Skat; Points if only that column can be below 0.", "no", _parse_negative,
        _is_by_score,
    ),
    GameQuestion(
        "ties", "What decides between equal scores?",
        'A column, as in "most Food" or "fewest Cards"; several with ; between. - for nothing.', "nothing", _parse_ties,
        _is_by_score,
    ),
)  # fmt: skip


def ask_game(
    stage: GameConsole,
    draft: NewGame,
    known_fields: Collection[str] = (),
    refuse: Callable[[NewGame], None] = lambda _: None,
) -> NewGame:
    """Return the game with the fields asked for that are not in `known_fields`; an invalid answer is asked for again.

    `refuse` raises UsageError for a game whose name is taken. The sheet is shown at the end. Raises PlayerQuit if the
    person leaves or does not want it, EOFError at the end of input, UsageError if a known field is not valid.
    """
    lines, is_new = LinePrompt(stage, UsageError("That is not an accepted answer.")), not draft.base
    stage.heading("A game of your own" if is_new else draft.title)
    lines.say("q leaves without writing. ? explains a question.", "faint")
    # a whole game, so that each answer can be checked as soon as it is typed
    spare_columns = draft.columns if draft.columns or not is_new else ("Points",)
    title, players = draft.title or "Game", draft.players or "2-4"
    game = replace(draft, title=title, players=players, columns=spare_columns)
    if is_new and "win" not in known_fields:  # until it is known which column decides
        game = replace(game, win="co-op", ties=(), target="")
    game = game.checked
    if "title" in known_fields:
        refuse(game)
    for question in _QUESTIONS:
        if question.field in known_fields or not question.applies(game):
            continue
        if question.field == "columns":
            game = _ask_columns(lines, replace(game, columns=()))
        else:
            game = _ask_field(lines, game, question, draft, refuse if question.field == "title" else lambda _: None)
    return _confirm(lines, game)


def _ask_field(
    lines: LinePrompt, game: NewGame, question: GameQuestion, draft: NewGame, refuse: Callable[[NewGame], None]
) -> NewGame:
    """Return the game with the typed answer; Enter takes what stands in brackets."""
    current, is_win = _current_answer(getattr(game, question.field)) if draft.base else "", question.field == "win"

    def take(answer: str) -> NewGame:
        if is_win:  # only now can be said what decides between equal scores
            win = question.read(answer or current or question.usual)
            return replace(game, win=win, ties=draft.ties, target=draft.target).checked
        if not answer and (current or question.usual):
            return game
        new_game = replace(game, **{question.field: question.read(answer)}).checked
        refuse(new_game)
        return new_game

    if is_win:
        lines.say(question.help, "faint")
    return lines.ask_until_valid(question.text(current), take, partial(lines.say, question.help, "faint"))


def _current_answer(value: object) -> str:
    """Return an answer as it would be typed."""
    if isinstance(value, bool):
        return "yes" if value else ""
    return "; ".join(value) if isinstance(value, tuple) else str(value)


def _ask_columns(lines: LinePrompt, game: NewGame) -> NewGame:
    """Return the game with all columns up to an empty line; without any, a new game has one for points."""
    lines.say(_COLUMNS_HELP, "faint")
    titles = [str(column.get("title", column.get("id"))) for column in game.base.get("columns", ())]
    if titles:
        lines.say(f"Columns: {', '.join(titles)}. Type a line to add or change one, -{titles[0]} to delete it.")
    while True:
        number, usual = len(titles) + len(game.columns) + 1, " [done]" if titles else " [Points]"
        usual = "" if game.columns else usual
        take, explain = partial(_add_column, game), partial(lines.say, _COLUMNS_HELP, "faint")
        is_done, game = lines.ask_until_valid(f"Column {number}{usual}: ", take, explain)
        if is_done:
            return game


def _add_column(game: NewGame, line: str) -> tuple[bool, NewGame]:
    """Return whether the list has ended, and the game with the column of a line. Raises UsageError."""
    if line:
        return False, replace(game, columns=(*game.columns, line)).checked
    return True, game if game.columns or game.base else replace(game, columns=("Points",))


def _confirm(lines: LinePrompt, game: NewGame) -> NewGame:
    """Show the sheet and ask whether it is to be written. Raises PlayerQuit if not."""
    for sentence in describe_sheet(game.sheet):
        lines.say(sentence)

    def take(answer: str) -> bool:
        is_yes = parse_yes_no(answer or "y")
        if is_yes is None:
            raise UsageError("That is not an accepted answer.", hint="Type y for yes, n for no.")
        return is_yes

    if not lines.ask_until_valid(
        "Write it? [yes] ", take, partial(lines.say, "y writes the file, n does not.", "faint")
    ):
        raise PlayerQuit
    return game
