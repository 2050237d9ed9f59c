"""Which game is played, where nobody has said it: whoever is at the terminal is asked."""

import sys
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from vaultkit.campaign.play_request import GameSetup
from vaultkit.campaign.players import split_names
from vaultkit.campaign.readiness import registered_game_readiness
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.session.seats import is_pronoun
from vaultkit.spelling import find_nearest
from vaultkit.terminal import commands
from vaultkit.terminal.answer_sources import PlayerQuit, TerminalSource
from vaultkit.terminal.confirmations import line_asker
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import format_range, parse_whole_number


def choose_game(workspace: Workspace, console: Console) -> str:
    """Return the id of the game that a person chooses.

    Raises UsageError if nobody can be asked, PlayerQuit if the person leaves.
    """
    rows = [row for row in registered_game_readiness(workspace) if row.ready]
    games = {row.id: row.title for row in rows}
    if not sys.stdin.isatty() or not games:
        ready = f"Ready here: {', '.join(games)}." if games else "To get one: vaultkit init --with dragon-citadel"
        raise UsageError("Which game?", hint=f"Name it: vaultkit play GAME. {ready}")
    width = max(map(len, games.values()))
    for number, row in enumerate(rows, 1):
        console.print(Text(f"  {number}  {row.title:<{width}}  {format_range(*row.seats, 'player')}"))
    terminal = TerminalSource(console)
    while True:
        answer = terminal.answer(Text("Which game? (q leaves) "), "Which game?", tuple(games.values())).casefold()
        if commands.is_leaving(answer):
            raise PlayerQuit
        if game := _find_game(answer, games):
            return game
        unknown_words = f"'{answer}' is none of them: type" if answer else "Type"
        console.print(Text(f"{unknown_words} a number or a name."))


def _find_game(answer: str, games: dict[str, str]) -> str:
    """Return the game with a number or name, or the only one with a similar name or beginning; "" for none."""
    if answer.isdecimal():
        return list(games)[number - 1] if 1 <= (number := parse_whole_number(answer) or 0) <= len(games) else ""
    names = {name.casefold(): game for game, title in games.items() for name in (game, title)}
    matches = {game for name, game in names.items() if answer and name.startswith(answer)}
    if len(matches) > 1:
        return ""
    return matches.pop() if matches else names.get(find_nearest(answer, names), "")


def choose_seats(setup: GameSetup, console: Callable[[], Console] | None, *, asks: bool) -> Sequence[str]:
    """Return the seats that are named for a game, none for the players of the settings.

    A person at the terminal is asked if `asks` and nobody is named, if so many cannot play, and for each person who
    is named by a word such as `me`. Raises KeyboardInterrupt where the person leaves.
    """
    words, ask = list(setup.seat_words), line_asker(console)
    if console is None or ask is None:
        return words
    words = [ask(f"What is the name of '{word}'? ") if is_pronoun(word) else word for word in words]
    usual = words or setup.notes.workspace.settings.players
    seats = setup.notes.seats(words) if usual else ()
    fault = setup.seat_fault(len(seats), are_named=bool(words))
    if not fault and (words or not asks):
        return words
    if fault and seats:
        _say(console, fault)
    proposal = setup.propose_seats(seats) if seats else []
    default = f", Enter = {', '.join(proposal)}" if proposal else ""
    while True:
        answer = ask(f"Who plays? Names with commas between, bot for a bot{default}: ")
        words = [
            "bot:fair" if word.casefold() == "bot" else word for word in split_names([answer] if answer else proposal)
        ]
        try:
            fault = setup.seat_fault(len(setup.notes.seats(words)), are_named=True)
        except VaultkitError as error:
            _say(console, f"{error.message} {error.hint}".strip())
            continue
        if not fault:
            return words
        _say(console, fault)


def _say(console: Callable[[], Console], sentence: str) -> None:
    console().print(Text(strip_controls(sentence)))
