"""Choices that phones make in secret before it is their turn (G-3): kept here until the session asks for them.

They are not in the journal yet, so after a crash they are asked for again.
"""

from typing import Any, cast

from vaultkit.games.base import State, View
from vaultkit.games.turn import Move, Prompt, Turn
from vaultkit.games.words import Seat
from vaultkit.scene.scene import Scene, scene_of_seat
from vaultkit.session import Session


class Sealed:
    """The choices of each seat that wait for its turn, and the Scene in which it makes the next one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._made: dict[Seat, list[Move]] = {}

    def scene(self, seat: Seat) -> Scene | None:
        """The Scene in which this seat chooses ahead of its turn, None where it is asked nothing or it is its turn."""
        ahead = self.ahead(seat)
        return scene_of_seat(ahead, seat) if ahead else None

    def ahead(self, seat: Seat) -> Session | None:
        """The session as it will be then."""
        prompt = self._session.prompt
        if prompt is None or not prompt.secret or (prompt.seat == seat and not self._made.get(seat)):
            return None
        state = self._session.look_ahead(seat, self._made.get(seat, ()))
        return cast(Session, _Ahead(self._session, state)) if state else None

    def keep(self, seat: Seat, move: Move) -> None:
        """Keep a choice until it is this seat's turn."""
        self._made.setdefault(seat, []).append(move)

    def due(self) -> Move | None:
        """The choice that was made for this turn before it came; one that is no move any more is forgotten."""
        prompt = self._session.prompt
        made = self._made.get(prompt.seat) if prompt else None
        if prompt is None or not made:
            return None
        if not prompt.secret or made[0] not in prompt.moves:
            self.forget(prompt.seat)
            return None
        return made[0]

    def submitted(self, seat: Seat) -> None:
        """The first of this seat's choices is played."""
        self._made[seat].pop(0)

    def forget(self, seat: Seat | None = None) -> None:
        """Ask this seat again; without one all of them."""
        if seat is None:
            self._made.clear()
        else:
            self._made.pop(seat, None)


class _Ahead:
    """A session as it will be when a seat chooses: its own, but for the position."""

    def __init__(self, session: Session, state: State[Any]) -> None:
        self._session = session
        self._state = state

    def __getattr__(self, name: str) -> object:
        return getattr(self._session, name)

    @property
    def turn(self) -> Turn:
        return self._state.turn

    @property
    def prompt(self) -> Prompt | None:
        turn = self.turn
        return turn if isinstance(turn, Prompt) else None

    def view(self, seat: Seat) -> View:
        view: View = self._state.view(seat)
        return view
