"""A game of the GM's own, asked for at the screen: what it is called, who plays, what is written down, who wins."""

from collections.abc import Callable

from vaultkit.campaign.new_game import CROWD, WINS, NewGame
from vaultkit.play.scoresheets.tallying import Lines
from vaultkit.play.stage import Stage

_HOW = (
    "One line for each thing that is written down. Points: a number. Honest?: yes or no. Prize: ribbon, cake: one of "
    "these. Score = 2 * points: reckoned, and nobody is asked. An empty line ends the list."
)
_WINS = "1 the highest score; 2 the lowest score; 3 all together or nobody; 4 whoever says yes"


def ask_game(stage: Stage, told: NewGame, win: str) -> NewGame:
    """The game, with what is not `told` yet asked for. Raises Leave where a person leaves, EOFError at the end."""
    lines = Lines(stage)
    stage.heading("A game of your own")
    lines.say("q leaves without writing.", "faint")
    title = told.title or _ask(lines, "What is it called? ", bool)
    players = told.players or _ask(lines, "How many play, as 3 or 2-4? ", CROWD.fullmatch)
    rounds = told.rounds or _ask(lines, "What is a round called? Enter = there are none: ")
    columns = told.columns or _ask_columns(lines)
    if not win:
        lines.say(_WINS, "faint")
        numbers = ("", *map(str, range(1, len(WINS) + 1)))
        win = WINS[int(_ask(lines, "Who wins (1 to 4)? Enter = 1: ", numbers.__contains__) or 1) - 1]
    return NewGame(title, players, columns, win, rounds)


def _ask_columns(lines: Lines) -> tuple[str, ...]:
    lines.say(_HOW, "faint")
    columns = [_ask(lines, "Column 1: ", bool)]
    while typed := _ask(lines, f"Column {len(columns) + 1}: "):
        columns.append(typed)
    return tuple(columns)


def _ask(lines: Lines, asked: str, fits: Callable[[str], object] = lambda _: True) -> str:
    """The typed line, once it can be an answer; there is no way back from here but to leave."""
    while True:
        typed = lines.ask(asked)
        if typed is not None and fits(typed):
            return typed
        lines.refuse("That is no answer.")
