"""A game of the GM's own, asked for at the screen: what it is called, who plays, what is written down, who wins."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from vaultkit.campaign.new_game import WINS, NewGame
from vaultkit.errors import UsageError
from vaultkit.play.scoresheets.tallying import Lines
from vaultkit.play.stage import Stage

_ASKED = {
    "title": "What is it called? ",
    "players": "How many play, as 3 or 2-4? ",
    "rounds": "What is a round called? Enter = there are none: ",
}
_HOW = (
    'One line for each thing that is written down: "Points" takes a number, "Honest?" a yes or no, "Prize: ribbon, '
    'cake" one of these words, and "Score = 2 * points" is reckoned. An empty line ends the list.'
)
_WINS = "1 the highest score; 2 the lowest score; 3 all together or nobody; 4 whoever says yes"


def ask_game(stage: Stage, given: NewGame, win: str) -> NewGame:
    """The game, with what is not `given` yet asked for; an answer that no game can have is asked for anew.

    Raises Leave where a person leaves, EOFError at the end, UsageError where what was given cannot be.
    """
    lines = Lines(stage, UsageError("That is no answer."))
    stage.heading("A game of your own")
    lines.say("q leaves without writing.", "faint")
    # a whole game, so that each answer can be looked at as soon as it is typed
    whole = NewGame(given.title or "Game", given.players or "2", given.columns or ("Points",), "co-op", given.rounds)
    game = whole.checked
    for key, asked in _ASKED.items():
        if not getattr(given, key):
            game = _ask(lines, game, key, asked)
    if not given.columns:
        lines.say(_HOW, "faint")
        game = _ask_columns(lines, replace(game, columns=()))
    if win:
        return replace(game, win=win)
    lines.say(_WINS, "faint")
    return _ask(lines, game, "win", "Who wins (1 to 4)? Enter = 1: ", _win)


def _ask_columns(lines: Lines, game: NewGame) -> NewGame:
    """The game with all columns up to an empty line."""
    asked, had = f"Column {len(game.columns) + 1}: ", tuple(game.columns)
    more = _ask(lines, game, "columns", asked, lambda typed: (*had, typed) if typed or not had else had)
    return _ask_columns(lines, more) if more != game else game


def _win(typed: str) -> str:
    if typed not in ("", *"1234"):
        raise UsageError("That is no answer.")
    return WINS[int(typed or 1) - 1]


def _ask(lines: Lines, game: NewGame, key: str, asked: str, read: Callable[[str], Any] = str) -> NewGame:
    """The game with the typed line as what it has by this key, once it can be one."""

    def take(typed: str) -> NewGame:
        return replace(game, **{key: read(typed)}).checked

    return lines.settle(asked, take, lambda: lines.say(_HOW, "faint"))
