"""The pages of a game with phones: each phone shows its own seat, the screen what every seat knows."""

from vaultkit.errors import WriteError
from vaultkit.games.messages import Seat
from vaultkit.host.game_host import GameHost
from vaultkit.host.game_views import UNSAVED_MESSAGE
from vaultkit.host.orders import OrderRefused, Viewer, new_question
from vaultkit.host.view_state import ViewState
from vaultkit.scene.scene import Scene
from vaultkit.web.host_page import ConfirmationNeeded, HostPage, OrderData
from vaultkit.web.lobby import Lobby
from vaultkit.web.page_model import PageModel
from vaultkit.web.roster import SCREEN
from vaultkit.web.seat_sessions import Client

_HOST_ORDERS = frozenset(
    ("begin", "pause", "go-on", "invite", "away", "bot", "person", "undo", "write-again", "next", "rewards", "finish")
) | {"uncover", "cover"}


class PhonePage(HostPage):
    """The pages of a game with phones; people without a phone play at the screen, where a cover hides their cards."""

    def __init__(self, host: GameHost, lobby: Lobby) -> None:
        super().__init__(host)
        self.game = lobby.game = host
        self.lobby = lobby
        self._lobby_question = new_question()
        host.on_seats_changed = lambda: lobby.changed()  # noqa: PLW0108 - it is set when the table opens

    def sight(self, client: Client) -> PageModel:
        """Return what this page may see; before the game begins, and for a phone that lost its seat, no card."""
        company = self.lobby.company(client)
        if self._has_view(client):
            return self._build_page(client, self.host.view(self._viewer(client)), company)
        scene = Scene(self.game.session.game.title, self.game.names, None, (), None, (), {}, (), ())
        question = self._lobby_question if client.seat == SCREEN else None
        return self._build_page(client, ViewState(scene=scene, deck=self.game.session.deck, question=question), company)

    def go_on(self, *, watched: bool) -> float | None:
        """Let the game go on once all have sat down."""
        if self.lobby.refresh():
            self.game.invalidate()
        return None if self.lobby.is_open else super().go_on(watched=watched)

    def obey(self, client: Client, order: OrderData) -> str:
        """Play for a seat from its phone, or do as the host says at the screen."""
        if client.seat == SCREEN:
            return self._obey_screen(client, order)
        if self.lobby.seat_of(client) is None:
            return self._obey_lost_phone(client, order)
        if order["do"] in ("move", "stay"):
            return self._set_move_code(client, wants_code=order["do"] == "move")
        if order["do"] in _HOST_ORDERS:
            raise OrderRefused("Only the host can do that, at the big screen.")
        try:
            return self._obey_game(client, order)
        except WriteError as error:
            raise OrderRefused(UNSAVED_MESSAGE) from error

    def _obey_game(self, client: Client, order: OrderData) -> str:
        if self.lobby.is_open and order["do"] not in ("ask", "rule"):
            raise OrderRefused("The game has not begun.")
        return super().obey(client, order)

    def _obey_screen(self, client: Client, order: OrderData) -> str:
        """Do what only the host may do with seats, or play."""
        match order["do"]:
            case "begin" if self.lobby.is_open:
                self.lobby.begin()
                self.game.renew_question()
            case "invite":
                self.lobby.invite(self._person_seat(order))
            case "away":
                self._send_away(order)
            case "finish" if self.lobby.is_open:
                self.host.closed = True
            case verb if verb != "begin":
                return self._obey_game(client, order)
        self.game.invalidate()
        self.go_on(watched=False)
        return ""

    def _obey_lost_phone(self, client: Client, order: OrderData) -> str:
        if order["do"] != "object":
            raise OrderRefused("This phone no longer has a seat.")
        self.lobby.object(client)
        self.game.invalidate()
        return ""

    def _set_move_code(self, client: Client, *, wants_code: bool) -> str:
        """Show the code by which this seat moves to another phone, on this phone alone, or withdraw it."""
        seat = self.lobby.seat_of(client)
        assert seat is not None
        if wants_code:
            self.lobby.invite(seat, on_phone=True)
        else:
            self.lobby.withdraw_code(seat, on_phone=True)
        self.game.invalidate()
        return ""

    def _send_away(self, order: OrderData) -> None:
        seat = self._person_seat(order)
        if order.get("sure") is not True:
            name = self.game.names[seat]
            question = f"{name}'s phone loses its seat, until you give it a new code. Is that right?"
            raise ConfirmationNeeded(question)
        self.lobby.send_away(seat)

    def _person_seat(self, order: OrderData) -> Seat:
        seat = order.get("seat")
        if type(seat) is not int or seat not in self.lobby.people:
            raise OrderRefused("That is not a person's seat.")
        return seat

    def _has_view(self, client: Client) -> bool:
        return not self.lobby.is_open and (client.seat == SCREEN or self.lobby.seat_of(client) is not None)

    def _viewer(self, client: Client) -> Viewer:
        if client.seat == SCREEN:
            return Viewer(client.key, frozenset(self.host.people).difference(self.lobby.phone_seats), is_operator=True)
        seat = self.lobby.seat_of(client)
        return Viewer(client.key, frozenset() if seat is None else frozenset({seat}))
