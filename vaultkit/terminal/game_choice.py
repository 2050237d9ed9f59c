"""Which game is played, where nobody has said it: whoever is at the terminal is asked."""

import sys

from rich.console import Console
from rich.text import Text

from vaultkit.campaign.readiness import registered_game_readiness
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError
from vaultkit.spelling import find_nearest
from vaultkit.terminal import commands
from vaultkit.terminal.answer_sources import PlayerQuit, TerminalSource
from vaultkit.text import parse_whole_number


def choose_game(workspace: Workspace, console: Console) -> str:
    """The id of one of the games that can be played here.

    Raises UsageError where nobody is there to be asked, and Leave where the person leaves.
    """
    games = {row.id: row.title for row in registered_game_readiness(workspace) if row.ready}
    if not sys.stdin.isatty() or not games:
        ready = f"Ready here: {', '.join(games)}." if games else "To have one: vaultkit init --with dragon-citadel"
        raise UsageError("Which game?", hint=f"Name it: vaultkit play GAME. {ready}")
    for number, title in enumerate(games.values(), 1):
        console.print(Text(f"  {number}  {title}"))
    terminal = TerminalSource(console)
    while True:
        answer = terminal.answer(Text("Which game? (q leaves) "), "Which game?", tuple(games.values())).casefold()
        if commands.is_leaving(answer):
            raise PlayerQuit
        if game := _find_game(answer, games):
            return game
        console.print(Text(f"'{answer}' is none of them: type a number or a name."))


def _find_game(answer: str, games: dict[str, str]) -> str:
    """The game of that number or name, or whose name alone begins so or is nearly that; "" for none."""
    if answer.isdecimal():
        return list(games)[number - 1] if 1 <= (number := parse_whole_number(answer) or 0) <= len(games) else ""
    names = {name.casefold(): game for game, title in games.items() for name in (game, title)}
    matches = {game for name, game in names.items() if answer and name.startswith(answer)}
    if len(matches) > 1:
        return ""
    return matches.pop() if matches else names.get(find_nearest(answer, names), "")
