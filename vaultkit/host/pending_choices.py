"""Choices that phones make in secret before it is their turn (G-3): kept here until the session asks for them.

They are not in the journal yet, so after a crash they are asked for again.
"""

from dataclasses import replace

from vaultkit.games.messages import Seat
from vaultkit.games.turn import Move
from vaultkit.scene.scene import Scene, scene_of_screen, scene_of_seat
from vaultkit.session import Session


def _look_at(session: Session, viewer: Seat | None) -> Scene:
    """Return the table as a seat sees it, or as all see it at the screen."""
    return scene_of_screen(session, for_all=True) if viewer is None else scene_of_seat(session, viewer)


class PendingChoices:
    """The choices of each seat that wait for its turn, and the Scene in which it makes the next one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._moves_by_seat: dict[Seat, list[Move]] = {}

    def scene(self, seat: Seat) -> Scene | None:
        """Return the Scene in which a seat chooses ahead of its turn, None if it cannot or it is its turn."""
        session_ahead = self.session_ahead(seat)
        return scene_of_seat(session_ahead, seat) if session_ahead else None

    def session_ahead(self, seat: Seat) -> Session | None:
        """Return the session as it will be after the seat's pending choices; None if it cannot choose ahead."""
        prompt = self._session.prompt
        if prompt is None or not prompt.secret or (prompt.seat == seat and not self._moves_by_seat.get(seat)):
            return None
        session_ahead = self._session.look_ahead(seat, self._moves_by_seat.get(seat, ()))
        return session_ahead if session_ahead and session_ahead.needs_person else None

    def show(self, scene: Scene) -> Scene:
        """Return the scene with the choices that seats have made ahead, as far as its viewer may see them.

        What belongs to other seats is shown as it is, even if the viewer chooses ahead.
        """
        prompt, viewer = self._session.prompt, scene.viewer
        if prompt is None or not prompt.secret:
            return scene
        table = _look_at(self._session, viewer)
        scenes = dict.fromkeys(range(len(scene.names)), table)
        for seat, moves in self._moves_by_seat.items():
            if session := self._session.place_ahead(seat, moves):
                scenes[seat] = _look_at(session, viewer)
        if viewer is not None and scene.offers:
            scenes[viewer] = scene
        shared = [zone for zone in table.zones if zone.owner is None]
        own = [zone for seat, owner_scene in scenes.items() for zone in owner_scene.zones if zone.owner == seat]
        standings = tuple(scenes[each.seat].standings[at] for at, each in enumerate(scene.standings))
        return replace(scene, zones=(*shared, *own), standings=standings)

    def keep(self, seat: Seat, move: Move) -> None:
        """Keep a choice until it is this seat's turn."""
        self._moves_by_seat.setdefault(seat, []).append(move)

    def due_move(self) -> Move | None:
        """Return the choice made ahead for this turn, None if there is none; drop choices that became illegal."""
        prompt = self._session.prompt
        moves = self._moves_by_seat.get(prompt.seat) if prompt else None
        if prompt is None or not moves:
            return None
        if not prompt.secret or moves[0] not in prompt.moves:
            self.forget(prompt.seat)
            return None
        return moves[0]

    def remove_first(self, seat: Seat) -> None:
        """Remove the first choice of a seat, since it has been played."""
        self._moves_by_seat[seat].pop(0)

    def forget(self, seat: Seat | None = None) -> None:
        """Ask this seat again; without one all of them."""
        if seat is None:
            self._moves_by_seat.clear()
        else:
            self._moves_by_seat.pop(seat, None)
