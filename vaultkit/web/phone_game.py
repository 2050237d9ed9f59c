"""A game on the table with hands on phones: each seat sees its own page, the screen what every seat knows."""

from collections.abc import Callable
from dataclasses import replace

from vaultkit.errors import VaultkitError, WriteError
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Prompt
from vaultkit.scene.knowledge import visible_events
from vaultkit.scene.scene import Scene, scene_of_screen
from vaultkit.session import Session, Step
from vaultkit.web.ending_page import CloseGame
from vaultkit.web.game_host import MAX_RECENT_STEP_COUNT, GameOnTable, find_offer
from vaultkit.web.help_requests import HelpAnswerer
from vaultkit.web.host_thread import OrderData, OrderRefused, new_question
from vaultkit.web.lobby import STAND_IN_STRATEGY, Lobby, SeatRefused
from vaultkit.web.page_model import EndingModel, HandCover, PageModel
from vaultkit.web.pending_choices import PendingChoices
from vaultkit.web.roster import SCREEN
from vaultkit.web.seat_sessions import Client

_HOST_ORDERS = frozenset(
    {"begin", "pause", "go-on", "invite", "away", "bot", "person", "undo", "write-again", "finish", "uncover", "cover"}
)
_UNSAVED_MESSAGE = "The move could not be saved, so nothing was played. The big screen says why."


class PhoneGame(GameOnTable):
    """A session whose people sit down with phones; whoever has none plays behind a cover at the screen."""

    def __init__(
        self, session: Session, help_answerer: HelpAnswerer, seconds: float, close: CloseGame, lobby: Lobby
    ) -> None:
        self.lobby = lobby
        self._news_by_seat: dict[Seat | None, list[str]] = {None: [], **{seat: [] for seat in session.people}}
        self._pending = PendingChoices(session)
        self._question_ids: dict[Seat, str] = {}
        self._scenes_ahead: dict[Seat, Scene | None] = {}
        self._chosen_labels: dict[Seat, str] = {}
        self._screen_questions: dict[str, tuple[Scene, str]] = {}
        super().__init__(session, help_answerer, seconds, close)
        lobby.game = self

    @property
    def bots(self) -> set[Seat]:
        """The seats of people for whom bots play."""
        return set(self.lobby.people).difference(self._session.people)

    def sight(self, client: Client) -> PageModel:
        """The game as this page may see it: a phone its own seat, the screen no more than every seat knows."""
        company = self.lobby.company(client)
        sight = replace(super().sight(client), company=company)
        if company.role == SCREEN:
            return replace(sight, notice=self._notice, deciding=self._deciding_seats())
        notice = _UNSAVED_MESSAGE if self._notice and not sight.ending else ""
        seat = self.lobby.seat_of(client)
        choice_label = "" if seat is None or self._question_of(client) else self._chosen_labels.get(seat, "")
        return replace(sight, notice=notice, ending=_phone_ending(sight.ending), chosen=choice_label)

    def _deciding_seats(self) -> tuple[Seat, ...]:
        """All who have a choice to make now, at a phone or at the screen."""
        prompt = self._person_prompt
        people = self._session.people
        return tuple(seat for seat in people if prompt and (prompt.seat == seat or self._scene_ahead(seat)))

    def go_on(self, *, watched: bool) -> float | None:
        """Let the game go on once all have sat down, unless it is paused."""
        if self.lobby.refresh():
            self._invalidate()
        if self.lobby.is_open or (self.is_paused and not self._session.outcome):
            return None
        return super().go_on(watched=watched)

    def _obey(self, client: Client, order: OrderData) -> str:
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
            return super()._obey(client, order)
        except WriteError as error:
            raise OrderRefused(_UNSAVED_MESSAGE) from error

    def _obey_screen(self, client: Client, order: OrderData) -> str:
        action = self._host_actions().get(order["do"])
        if action is None:
            return super()._obey(client, order)
        action(order)
        self._invalidate()
        return ""

    def _host_actions(self) -> dict[str, Callable[[OrderData], object]]:
        """All that the host alone may do with seats."""
        lobby = self.lobby
        return {
            "begin": lambda _: self._begin(),
            "pause": lambda _: self.pause(on=True),
            "go-on": lambda _: self.pause(on=False),
            "invite": lambda order: lobby.invite(self._person_seat(order)),
            "away": self._send_away,
            "bot": lambda order: self.lend(self._person_seat(order), STAND_IN_STRATEGY),
            "person": lambda order: self.give_back(self._person_seat(order)),
        }

    def _obey_lost_phone(self, client: Client, order: OrderData) -> str:
        if order["do"] != "object":
            raise OrderRefused("This phone has no seat any more.")
        try:
            self.lobby.object(client)
        except SeatRefused as no:
            raise OrderRefused(str(no)) from no
        self._invalidate()
        return ""

    def _set_move_code(self, client: Client, *, wants_code: bool) -> str:
        """Show the code by which this seat moves to another phone, on this phone alone, or withdraw it."""
        seat = self.lobby.seat_of(client)
        assert seat is not None
        if wants_code:
            self.lobby.invite(seat, on_phone=True)
        else:
            self.lobby.withdraw_code(seat, on_phone=True)
        self._invalidate()
        return ""

    def _begin(self) -> None:
        if self.lobby.is_open:
            self.lobby.begin()
            self._renew_question()

    def lend(self, seat: Seat, strategy: str) -> None:
        """Let a bot decide for a person. Raises UsageError where that cannot be."""
        super().lend(seat, strategy)
        self._pending.forget(seat)
        self._chosen_labels.pop(seat, None)
        self.lobby.changed()

    def give_back(self, seat: Seat) -> None:
        """Let the person decide again. Raises UsageError where no bot does it for them."""
        super().give_back(seat)
        self.lobby.changed()

    def _send_away(self, order: OrderData) -> None:
        seat = self._person_seat(order)
        if order.get("sure") is not True:
            name = self._session.name(seat)
            question = f"{name}'s phone loses its seat, until you give it a new code. Is that right?"
            raise OrderRefused(question, sure=True)
        self.lobby.send_away(seat)

    def _person_seat(self, order: OrderData) -> Seat:
        seat = order.get("seat")
        if type(seat) is not int or seat not in self.lobby.people:
            raise OrderRefused("That is no seat of a person.")
        return seat

    def _play_offer(self, client: Client, order: OrderData) -> str:
        prompt, seat = self._person_prompt, self.lobby.seat_of(client)
        if self.lobby.is_open:
            raise OrderRefused("The game has not begun.")
        if seat is not None and self._scene_ahead(seat):
            return self._store_choice(seat, order)
        if prompt and not self._can_answer(client, prompt):
            name = self._session.name(prompt.seat)
            raise OrderRefused(f"{name} decides, on the own phone." if seat is None else f"{name} decides.")
        words = self._offer_label(seat, order) if seat is not None and prompt and prompt.secret else ""
        html = super()._play_offer(client, order)
        if seat is not None:
            self._question_ids.pop(seat, None)
        if seat is not None and words and self._is_secret_turn:
            self._chosen_labels[seat] = words
        return html

    def _offer_label(self, seat: Seat, order: OrderData) -> str:
        return self._session.words(find_offer(self._scene(seat).offers, order.get("offer")).label)

    @property
    def _is_secret_turn(self) -> bool:
        """Whether others still choose in secret."""
        prompt = self._session.prompt
        return prompt is not None and prompt.secret

    def _handle_step(self, step: Step) -> None:
        if step.chance or not self._is_secret_turn:
            self._chosen_labels.clear()
        super()._handle_step(step)

    def _session_ahead(self, client: Client) -> Session | None:
        seat = self.lobby.seat_of(client)
        return self._pending.session_ahead(seat) if seat is not None and self._scene_ahead(seat) else None

    def _store_choice(self, seat: Seat, order: OrderData) -> str:
        """Keep a secret choice until its turn comes."""
        scene = self._scene(seat)
        offer = find_offer(scene.offers, order.get("offer"))
        self._confirm_warnings(offer, scene, order)
        self._pending.keep(seat, offer.move)
        self._chosen_labels[seat] = self._session.words(offer.label)
        self._question_ids.pop(seat, None)
        self._invalidate()
        return ""

    def _can_answer(self, client: Client, prompt: Prompt) -> bool:
        """Whether this page may answer: the phone of the seat, or the screen where there is none or all decide."""
        if self.lobby.seat_of(client) == prompt.seat:
            return True
        return client.seat == SCREEN and (not self.lobby.has_phone(prompt.seat) or self._is_shared_decision(prompt))

    def _undo(self, order: OrderData) -> None:
        """Take back the last decision, if all agree; the host says so."""
        self._session.plan_undo(None)
        if order.get("sure") is not True:
            raise OrderRefused("Everybody must agree to take the last decision back. Do they?", sure=True)
        super()._undo({**order, "seat": None})
        self._pending.forget()
        self._chosen_labels.clear()
        self._question_ids.clear()
        for news in self._news_by_seat.values():
            news.append("Taken back.")

    def _step(self) -> bool:
        return super()._step() or self._submit_pending()

    def _submit_pending(self) -> bool:
        """Submit the choice that a phone has made ahead of its turn; whether there was one."""
        move, prompt = self._pending.due(), self._session.prompt
        if move is None or prompt is None:
            return False
        try:
            self._session.submit(move)
        except VaultkitError as error:
            self._retry_after(error)
        else:
            self._pending.remove_first(prompt.seat)
            self._handle_step(self._session.steps[-1])
        return True

    def _is_shared_decision(self, prompt: Prompt) -> bool:
        """Whether all decide together about what all see."""
        return prompt.party and not self._is_private(prompt)

    def _cover(self, client: Client) -> HandCover | None:
        prompt = self._person_prompt
        is_there = client.seat == SCREEN and prompt is not None and not self.lobby.is_open
        if prompt is None or not is_there or self.lobby.has_phone(prompt.seat):
            return None
        return super()._cover(client)

    def _seat_of(self, client: Client) -> Seat | None:
        if client.seat != SCREEN:
            return self.lobby.seat_of(client)
        prompt, cover = self._person_prompt, self._cover(client)
        if prompt is None or self.lobby.is_open or not self._can_answer(client, prompt):
            return None
        return prompt.seat if cover is None or cover.is_open else None

    def _scene(self, seat: Seat | None) -> Scene:
        if self.lobby.is_open:
            return self._empty_scene()
        ahead = self._scene_ahead(seat) if seat is not None else None
        if ahead:
            return ahead
        if seat is None and seat not in self._scenes:
            since = max(0, len(self._session.steps) - MAX_RECENT_STEP_COUNT)
            self._scenes[seat] = scene_of_screen(self._session, since, for_all=True)
        return super()._scene(seat)

    def _scene_ahead(self, seat: Seat) -> Scene | None:
        """The Scene in which a phone chooses in secret while others have not yet chosen (G-3)."""
        if not self.lobby.has_phone(seat) or seat in self.bots or self.lobby.is_open or self.is_paused:
            return None
        if seat not in self._scenes_ahead:
            self._scenes_ahead[seat] = self._pending.scene(seat)
        return self._scenes_ahead[seat]

    def _invalidate(self) -> None:
        self._scenes_ahead.clear()
        super()._invalidate()

    def _scene_of(self, client: Client) -> Scene:
        if client.seat != SCREEN and self.lobby.seat_of(client) is None:
            return self._empty_scene()
        return super()._scene_of(client)

    def _empty_scene(self) -> Scene:
        """A table on which nothing lies that can be seen."""
        return Scene(self._session.game.title, self.names, None, (), None, (), {}, (), ())

    def _question_of(self, client: Client) -> str | None:
        """A new id only when this page's own Scene is another one: else it would tell of what happens elsewhere."""
        if client.seat == SCREEN:
            return self._question_of_screen(client)
        prompt, seat = self._person_prompt, self.lobby.seat_of(client)
        if seat is None or self.lobby.is_open:
            return None
        if (prompt is None or prompt.seat != seat) and not self._scene_ahead(seat):
            self._question_ids.pop(seat, None)
            return None
        if seat not in self._question_ids:
            self._question_ids[seat] = new_question()
        return self._question_ids[seat]

    def _question_of_screen(self, client: Client) -> str:
        scene = self._scene_of(client)
        last_question = self._screen_questions.get(client.key)
        if last_question is None or last_question[0] != scene:
            last_question = self._screen_questions[client.key] = (scene, new_question())
        return last_question[1]

    def _news(self, client: Client) -> list[str]:
        if client.seat != SCREEN and self.lobby.seat_of(client) is None:
            return []
        return self._news_by_seat[self.lobby.seat_of(client)]

    def _add_news(self, step: Step) -> list[str]:
        for seat, news in self._news_by_seat.items():
            knowing_seats = range(len(self._session.header.seats)) if seat is None else (seat,)
            news += [self._session.words(event.sentence) for _, event in visible_events(knowing_seats, [step])]
        everybody = range(len(self._session.header.seats))
        return [self._session.words(event.sentence) for _, event in visible_events(everybody, [step])]


def _phone_ending(ending: EndingModel | None) -> EndingModel | None:
    """The end as a phone shows it: where notes lie is the host's business."""
    return replace(ending, written=(), unwritten=(), failure="", link="", remarks=()) if ending else None
