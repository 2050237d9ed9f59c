"""Choices that phones make in secret before it is their turn (G-3): kept here until the session asks for them.

They are not in the journal yet, so after a crash they are asked for again.
"""

from dataclasses import replace

from vaultkit.games.messages import Seat
from vaultkit.games.turn import Move
from vaultkit.scene.scene import Scene, scene_of_seat
from vaultkit.session import Session


class PendingChoices:
    """The choices of each seat that wait for its turn, and the Scene in which it makes the next one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._moves_by_seat: dict[Seat, list[Move]] = {}

    def scene(self, seat: Seat) -> Scene | None:
        """The Scene in which this seat chooses ahead of its turn, None where it is asked nothing or it is its turn."""
        session_ahead = self.session_ahead(seat)
        if session_ahead is None:
            return None
        ahead, now = scene_of_seat(session_ahead, seat), scene_of_seat(self._session, seat)
        zones = [zone for zone in ahead.zones if zone.owner == seat]
        zones += [zone for zone in now.zones if zone.owner != seat]
        standings = [standing for standing in ahead.standings if standing.seat == seat]
        standings += [standing for standing in now.standings if standing.seat != seat]
        return replace(ahead, zones=tuple(zones), standings=tuple(standings), news=now.news)

    def session_ahead(self, seat: Seat) -> Session | None:
        """The session as it will be then."""
        prompt = self._session.prompt
        if prompt is None or not prompt.secret or (prompt.seat == seat and not self._moves_by_seat.get(seat)):
            return None
        return self._session.look_ahead(seat, self._moves_by_seat.get(seat, ()))

    def keep(self, seat: Seat, move: Move) -> None:
        """Keep a choice until it is this seat's turn."""
        self._moves_by_seat.setdefault(seat, []).append(move)

    def due(self) -> Move | None:
        """The choice that was made for this turn before it came; one that is no move any more is forgotten."""
        prompt = self._session.prompt
        moves = self._moves_by_seat.get(prompt.seat) if prompt else None
        if prompt is None or not moves:
            return None
        if not prompt.secret or moves[0] not in prompt.moves:
            self.forget(prompt.seat)
            return None
        return moves[0]

    def remove_first(self, seat: Seat) -> None:
        """The first of this seat's choices is played."""
        self._moves_by_seat[seat].pop(0)

    def forget(self, seat: Seat | None = None) -> None:
        """Ask this seat again; without one all of them."""
        if seat is None:
            self._moves_by_seat.clear()
        else:
            self._moves_by_seat.pop(seat, None)
