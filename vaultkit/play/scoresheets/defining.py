"""A game of the GM's own, asked for at the screen: what it is called, who plays, what is written down, who wins."""

from collections.abc import Callable
from dataclasses import replace

from vaultkit.campaign.new_game import WINS, NewGame
from vaultkit.errors import UsageError
from vaultkit.play.scoresheets.tallying import Back, Lines
from vaultkit.play.stage import Stage

_HOW = (
    'One line for each thing that is written down: "Points" takes a number, "Honest?" a yes or no, "Prize: ribbon, '
    'cake" one of these words, and "Score = 2 * points" is reckoned. An empty line ends the list.'
)
_WINS = "1 the highest score; 2 the lowest score; 3 all together or nobody; 4 whoever says yes"


def ask_game(stage: Stage, told: NewGame, win: str) -> NewGame:
    """The game, with what is not `told` yet asked for; an answer that no game can have is asked for anew.

    Raises Leave where a person leaves, EOFError at the end, UsageError where what was told cannot be.
    """
    lines = Lines(stage)
    stage.heading("A game of your own")
    lines.say("q leaves without writing.", "faint")
    given = replace(told, title=told.title or "Game", players=told.players or "2", columns=told.columns or ("Points",))
    game = replace(given, win="co-op").checked
    if not told.title:
        game = _ask(lines, "What is it called? ", lambda typed: replace(game, title=typed))
    if not told.players:
        game = _ask(lines, "How many play, as 3 or 2-4? ", lambda typed: replace(game, players=typed))
    if not told.rounds:
        game = _ask(
            lines, "What is a round called? Enter = there are none: ", lambda typed: replace(game, rounds=typed)
        )
    if not told.columns:
        lines.say(_HOW, "faint")
        game = _ask_columns(lines, replace(game, columns=()))
    if win:
        return replace(game, win=win)
    lines.say(_WINS, "faint")
    return _ask(lines, "Who wins (1 to 4)? Enter = 1: ", lambda typed: replace(game, win=_win(typed or "1")))


def _ask_columns(lines: Lines, game: NewGame) -> NewGame:
    """The game with all columns up to an empty line."""
    asked, had = f"Column {len(game.columns) + 1}: ", tuple(game.columns)
    more = _ask(lines, asked, lambda typed: replace(game, columns=(*had, typed) if typed or not had else had))
    return _ask_columns(lines, more) if more != game else game


def _win(number: str) -> str:
    ways = dict(zip(map(str, range(1, len(WINS) + 1)), WINS, strict=True))
    if number not in ways:
        raise UsageError("That is no answer.")
    return ways[number]


def _ask(lines: Lines, asked: str, put: Callable[[str], NewGame]) -> NewGame:
    """The game with the typed line in it, once it can be one; there is no way back from here but to leave."""
    try:
        return lines.settle(asked, lambda typed: put(typed).checked, lambda: lines.say(_HOW, "faint"))
    except Back:
        lines.refuse("That is no answer.")
        return _ask(lines, asked, put)
