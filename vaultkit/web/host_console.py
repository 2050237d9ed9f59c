"""The desk of the host: what may be typed in the terminal while the table is open."""

import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.campaign.players import find_seats
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.messages import Seat
from vaultkit.text import join_words
from vaultkit.web.command_queue import CommandQueue, HostInput
from vaultkit.web.game_host import GameOnTable
from vaultkit.web.host_thread import OrderRefused, TableActivity

HELP = (
    "address       a new address, for another window",
    "who           who sits here, and for whom a bot plays",
    "pause         nothing happens, and hands are covered; go on ends that",
    "bot NAME      a bot plays for that person; bot NAME hard for a better one",
    "back NAME     the person plays again",
    "undo          take back the last decision",
    "end           close the table; the game is saved, as with Ctrl+C",
)
_STRATEGIES = ("easy", "fair", "hard")
_END_COMMANDS = ("end", "q", "quit", "exit")
_MAX_LINE_BYTES = 4096


def host_line_reader() -> Callable[[], str] | None:
    """Gives a line that the host types, "" at the end of all; None where standard input is no terminal."""
    try:
        terminal = sys.stdin.fileno() if sys.stdin.isatty() else None
    except (AttributeError, OSError, ValueError):
        terminal = None
    if terminal is None:
        return None
    # Not through sys.stdin: a thread that waits in there would keep the program from ending.
    return lambda: os.read(terminal, _MAX_LINE_BYTES).decode(errors="replace")


@dataclass(frozen=True)
class HostConsole:
    """Obeys the host, in the thread that holds the game. `leave` ends the table, `address` makes a new address."""

    line: Callable[[], str]
    activity: TableActivity
    tell: Callable[[str], object]
    leave: Callable[[], None]
    address: Callable[[], str]

    def listen(self, queue: CommandQueue) -> None:
        """Have each line obeyed, until there are no more."""
        threading.Thread(target=self._queue_lines, args=(queue,), name="desk", daemon=True).start()

    def run_line(self, text: str) -> None:
        """Do as the host says, and tell what came of it."""
        verb, _, rest = " ".join(text.split()).partition(" ")
        try:
            for line in self._run_command(verb.casefold(), rest).splitlines():
                self.tell(line)
        except VaultkitError as error:
            self.tell(error.message_with_hint)
        except OrderRefused as refusal:
            self.tell(str(refusal))

    def _queue_lines(self, queue: CommandQueue) -> None:
        while line := self.line():
            if line.strip():
                queue.put(HostInput(lambda typed=line: self.run_line(typed)))  # type: ignore[misc]

    def _run_command(self, verb: str, rest: str) -> str:
        if verb in _END_COMMANDS:
            self.leave()
            return "The table closes."
        if verb == "address":
            return f"The table: {self.address()}"
        if isinstance(self.activity, GameOnTable):
            return self._run_game_command(self.activity, verb, rest)
        return "Type address or end. Everything else is done on the page."

    def _run_game_command(self, game: GameOnTable, verb: str, rest: str) -> str:
        actions: Mapping[str, Callable[[GameOnTable, str], str]] = {
            "pause": _pause, "go": _go_on, "bot": _start_bot, "back": _give_back, "undo": _undo,
            "who": _describe_players,
        }  # fmt: skip
        return actions.get(verb, _help)(game, rest)


def _help(*_: object) -> str:
    return "\n".join(("This can be typed here:", *HELP))


def _pause(game: GameOnTable, rest: str) -> str:  # noqa: ARG001
    game.pause(on=True)
    return "Paused. Type go on."


def _go_on(game: GameOnTable, rest: str) -> str:  # noqa: ARG001
    game.pause(on=False)
    return "The game goes on."


def _undo(game: GameOnTable, rest: str) -> str:  # noqa: ARG001
    game.take_back()
    return "Taken back."


def _start_bot(game: GameOnTable, rest: str) -> str:
    *name, last = rest.split() or [""]
    is_named = bool(name) and last in _STRATEGIES
    seat = _find_seat(game.names, " ".join(name) if is_named else rest)
    game.lend(seat, last if is_named else "fair")
    return f"A bot plays for {game.names[seat]}. Type back {game.names[seat].split()[0]} once that is over."


def _give_back(game: GameOnTable, rest: str) -> str:
    seat = _find_seat(game.names, rest)
    game.give_back(seat)
    return f"{game.names[seat]} plays again."


def _find_seat(names: Sequence[str], name: str) -> Seat:
    seats = find_seats(names, name)
    if len(seats) != 1:
        raise UsageError(f"Whose seat? {join_words(names, 'or')}.")
    return seats[0]


def _describe_players(game: GameOnTable, rest: str) -> str:  # noqa: ARG001
    people = [game.names[seat] for seat in game.people]
    others = [name for name in game.names if name not in people]
    bots = f" Bots: {join_words(others)}." if others else ""
    return f"{join_words(people)} {'plays' if len(people) == 1 else 'play'}.{bots}"
