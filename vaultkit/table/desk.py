"""The desk of the host: what may be typed in the terminal while the table is open."""

import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vaultkit.campaign.players import find_seats
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.words import Seat
from vaultkit.table.errands import Errands, Typed
from vaultkit.table.game import GameOnTable
from vaultkit.table.host import Holding, Refused
from vaultkit.wording import listing

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
_ENDS = ("end", "q", "quit", "exit")
_LINE = 4096


def typing() -> Callable[[], str] | None:
    """Gives a line that the host types, "" at the end of all; None where standard input is no terminal."""
    try:
        terminal = sys.stdin.fileno() if sys.stdin.isatty() else None
    except (AttributeError, OSError, ValueError):
        terminal = None
    if terminal is None:
        return None
    # Not through sys.stdin: a thread that waits in there would keep the program from ending.
    return lambda: os.read(terminal, _LINE).decode(errors="replace")


@dataclass(frozen=True)
class Desk:
    """Obeys the host, in the thread that holds the game. `leave` ends the table, `address` makes a new address."""

    line: Callable[[], str]
    held: Holding
    tell: Callable[[str], object]
    leave: Callable[[], None]
    address: Callable[[], str]

    def listen(self, errands: Errands) -> None:
        """Have each line obeyed, until there are no more."""
        threading.Thread(target=self._listen, args=(errands,), name="desk", daemon=True).start()

    def obey(self, typed: str) -> None:
        """Do as the host says, and tell what came of it."""
        verb, _, rest = " ".join(typed.split()).partition(" ")
        try:
            for line in self._obey(verb.casefold(), rest).splitlines():
                self.tell(line)
        except VaultkitError as error:
            self.tell(error.in_full)
        except Refused as refused:
            self.tell(str(refused))

    def _listen(self, errands: Errands) -> None:
        while line := self.line():
            if line.strip():
                errands.put(Typed(lambda typed=line: self.obey(typed)))  # type: ignore[misc]

    def _obey(self, verb: str, rest: str) -> str:
        if verb in _ENDS:
            self.leave()
            return "The table closes."
        if verb == "address":
            return f"The table: {self.address()}"
        if isinstance(self.held, GameOnTable):
            return self._play(self.held, verb, rest)
        return "Type address or end. Everything else is done on the page."

    def _play(self, game: GameOnTable, verb: str, rest: str) -> str:
        deeds: Mapping[str, Callable[[GameOnTable, str], str]] = {
            "pause": _pause, "go": _go_on, "bot": _lend, "back": _give_back, "undo": _undo, "who": _sitting,
        }  # fmt: skip
        return deeds.get(verb, _help)(game, rest)


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


def _lend(game: GameOnTable, rest: str) -> str:
    *name, last = rest.split() or [""]
    is_named = bool(name) and last in _STRATEGIES
    seat = _seat(game.names, " ".join(name) if is_named else rest)
    game.lend(seat, last if is_named else "fair")
    return f"A bot plays for {game.names[seat]}. Type back {game.names[seat].split()[0]} once that is over."


def _give_back(game: GameOnTable, rest: str) -> str:
    seat = _seat(game.names, rest)
    game.give_back(seat)
    return f"{game.names[seat]} plays again."


def _seat(names: Sequence[str], wanted: str) -> Seat:
    found = find_seats(names, wanted)
    if len(found) != 1:
        raise UsageError(f"Whose seat? {listing(names, 'or')}.")
    return found[0]


def _sitting(game: GameOnTable, rest: str) -> str:  # noqa: ARG001
    people = [game.names[seat] for seat in game.people]
    others = [name for name in game.names if name not in people]
    bots = f" Bots: {listing(others)}." if others else ""
    return f"{listing(people)} {'plays' if len(people) == 1 else 'play'}.{bots}"
