"""The pages of a way of playing: views become pages, and orders of pages become actions."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from vaultkit.games.messages import Seat
from vaultkit.host.advice import AdviceQuery, Answer
from vaultkit.host.interface import Host
from vaultkit.host.orders import (
    Action,
    Command,
    Concede,
    LendSeat,
    Name,
    Order,
    OrderRefused,
    PauseGame,
    PlayMove,
    Reply,
    StaleQuestion,
    TurnCard,
    UndoMove,
    Viewer,
)
from vaultkit.host.view_state import ViewState
from vaultkit.text import parse_whole_number
from vaultkit.vault.writing.escape import clean_line
from vaultkit.web import page_html
from vaultkit.web.html_text import HtmlText
from vaultkit.web.lobby import STAND_IN_STRATEGY
from vaultkit.web.page_model import PageModel
from vaultkit.web.roster import Roster
from vaultkit.web.seat_sessions import Client

_MAX_QUERY_CHARS = 200
_TIMELESS_QUERY_KINDS = frozenset({"ask", "rule", "who"})
"""The kinds of queries whose answers do not depend on the question that is open."""
_QUERY_KINDS = _TIMELESS_QUERY_KINDS | {"hint", "why"}
NO_SEAT_INDEX = -1
_COMMANDS: Mapping[str, Action] = {
    "write": Command.SUBMIT, "uncover": Command.UNCOVER, "cover": Command.COVER, "next": Command.NEXT,
    "write-again": Command.SAVE, "rewards": Command.REWARDS, "finish": Command.FINISH, "pause": PauseGame(True),
    "go-on": PauseGame(False),
}  # fmt: skip

OrderData = Mapping[str, Any]
"""An order as a page sent it."""


class ConfirmationNeeded(Exception):
    """The question whether an order is right, which the page may then send again with `"sure": true`."""


class HostPage:
    """One way of playing, for all pages of one table. Only the host's thread calls it."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def sight(self, client: Client) -> PageModel:
        """Return everything that `client` may see now."""
        return self._build_page(client, self.host.view(self._viewer(client)))

    def go_on(self, *, watched: bool) -> float | None:
        """Do what needs no person, and return what `Host.advance` returns."""
        return self.host.advance(watched=watched)

    def disconnect(self, client: Client) -> None:
        """Tell the host that a client is disconnected; it may come back."""
        self.host.disconnect(self._viewer(client))

    def obey(self, client: Client, order: OrderData) -> str:
        """Carry out an order, and return HTML for this client alone, or "".

        Raises OrderRefused, StaleQuestion, ConfirmationNeeded and VaultkitError.
        """
        viewer = self._viewer(client)
        state = self.host.view(viewer)
        if order["do"] in _QUERY_KINDS:
            if order["do"] not in _TIMELESS_QUERY_KINDS and order.get("question") != state.question:
                raise StaleQuestion
            return page_html.render_answers(self.host.answer(viewer, _parse_query(client, order)))
        action = _parse_action(state, order)
        story = str(order.get("tale") or "")
        reply = self.host.handle(viewer, Order(order.get("question"), action, order.get("sure") is True, story))
        return _render_reply(reply, HtmlText(state))

    def _viewer(self, client: Client) -> Viewer:
        return Viewer(client.key, frozenset(self.host.people), is_operator=True)

    def _build_page(self, client: Client, state: ViewState, company: Roster | None = None) -> PageModel:
        client.marks.retain_cards(state.scene.cards)
        news, values = state.news, {entry.name: getattr(state, entry.name) for entry in fields(ViewState)}
        return PageModel(
            **values,
            marks=client.marks,
            fresh=tuple(news[client.steps if client.steps <= len(news) else 0 :]),
            steps=len(news),
            company=company,
        )


def clean_query(words: object) -> str:
    """Return words as somebody may have typed them."""
    return clean_line(words[:_MAX_QUERY_CHARS]) if isinstance(words, str) else ""


def _parse_query(client: Client, order: OrderData) -> AdviceQuery:
    kind, words, card = order["do"], clean_query(order.get("words")), order.get("card")
    if kind == "why":
        words = client.marks.find_card(card) or clean_query(card) or words
    return AdviceQuery(kind, words, whole=bool(order.get("more")))


def _parse_action(state: ViewState, order: OrderData) -> Action:
    """Return the action that an order means. Raises OrderRefused if it means none."""
    verb, place, seat = order["do"], order.get("card"), _parse_seat(order)
    can_go_back = state.draft is not None and state.draft.can_go_back
    actions: dict[str, Action] = {
        **_COMMANDS,
        "offer": _parse_offer(state, order),
        "name": Name(clean_query(order.get("words")), order.get("typed") is True),
        "turn": TurnCard(place if place is None or type(place) is int else 0),
        "undo": Command.BACK if can_go_back else UndoMove(seat),
        "concede": Concede(seat),
        "play-on": Concede(seat, agrees=False),
        "bot": LendSeat(NO_SEAT_INDEX if seat is None else seat, STAND_IN_STRATEGY),
        "person": LendSeat(NO_SEAT_INDEX if seat is None else seat, None),
    }
    if verb not in actions:
        raise OrderRefused("The table does not know this order.")
    return actions[verb]


def _parse_offer(state: ViewState, order: OrderData) -> PlayMove:
    place, offers = order.get("offer"), state.scene.offers
    number = parse_whole_number(place) if isinstance(place, str) else place
    return PlayMove(offers[number].move if type(number) is int and 0 <= number < len(offers) else None)


def _parse_seat(order: OrderData) -> Seat | None:
    seat = order.get("seat")
    return seat if type(seat) is int else None


def _render_reply(reply: Reply, voice: HtmlText) -> str:
    if reply.confirm:
        sentences = [voice.text(sentence).rstrip(".") for sentence in reply.confirm]
        raise ConfirmationNeeded(f"{'. '.join(sentences)}. Is that right?")
    if reply.seat is None or not reply.private:
        return ""
    lines = [voice.text(event.sentence) for _, event in reply.private]
    return page_html.render_answers([Answer(f"For {voice.seat(reply.seat)} alone", lines)])
