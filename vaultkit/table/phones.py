"""A game on the table with hands on phones: each seat sees its own page, the screen what every seat knows."""

from collections.abc import Callable
from dataclasses import replace

from vaultkit.errors import VaultkitError, WriteError
from vaultkit.games.turn import Prompt
from vaultkit.games.words import Seat
from vaultkit.scene.knowledge import told_to
from vaultkit.scene.scene import Scene, scene_of_screen
from vaultkit.session import Session, Step
from vaultkit.table.company import SCREEN
from vaultkit.table.consulting import Consulting
from vaultkit.table.door import Client
from vaultkit.table.ending import Close
from vaultkit.table.game import RECENT, GameOnTable, offer_at
from vaultkit.table.host import Refused, Words, new_question
from vaultkit.table.lobby import STAND_IN, Lobby, NoSeat
from vaultkit.table.sealed import Sealed
from vaultkit.table.sight import Cover, Ending, Sight

_OF_HOST = frozenset(
    {"begin", "pause", "go-on", "invite", "away", "bot", "person", "undo", "write-again", "finish", "uncover", "cover"}
)
_UNSAVED = "The move could not be saved, so nothing was played. The big screen says why."


class GameWithPhones(GameOnTable):
    """A session whose people sit down with phones; whoever has none plays behind a cover at the screen."""

    def __init__(self, session: Session, consulting: Consulting, seconds: float, close: Close, lobby: Lobby) -> None:
        self.lobby = lobby
        self._heard: dict[Seat | None, list[str]] = {None: [], **{seat: [] for seat in session.people}}
        self._sealed = Sealed(session)
        self._ids: dict[Seat, str] = {}
        self._ahead: dict[Seat, Scene | None] = {}
        self._chosen: dict[Seat, str] = {}
        self._screens: dict[str, tuple[Scene, str]] = {}
        super().__init__(session, consulting, seconds, close)
        lobby.hands = self

    @property
    def bots(self) -> set[Seat]:
        """The seats of people for whom bots play."""
        return set(self.lobby.people).difference(self._session.people)

    def sight(self, client: Client) -> Sight:
        """The game as this page may see it: a phone its own seat, the screen no more than every seat knows."""
        company = self.lobby.company(client)
        sight = replace(super().sight(client), company=company)
        if company.role == SCREEN:
            return replace(sight, notice=self._notice, deciding=self._deciding())
        notice = _UNSAVED if self._notice and not sight.ending else ""
        seat = self.lobby.seat_of(client)
        chosen = "" if seat is None or self._question_of(client) else self._chosen.get(seat, "")
        return replace(sight, notice=notice, ending=_of_hand(sight.ending), chosen=chosen)

    def _deciding(self) -> tuple[Seat, ...]:
        """All who have a choice to make now, at a phone or at the screen."""
        prompt = self._prompt
        return tuple(seat for seat in self._session.people if prompt and (prompt.seat == seat or self._ahead_of(seat)))

    def go_on(self, *, watched: bool) -> float | None:
        """Let the game go on once all have sat down, unless it is paused."""
        if self.lobby.tick():
            self._change()
        if self.lobby.is_open or (self.is_paused and not self._session.outcome):
            return None
        return super().go_on(watched=watched)

    def _obey(self, client: Client, order: Words) -> str:
        """Play for a seat from its phone, or do as the host says at the screen."""
        if client.seat == SCREEN:
            return self._obey_screen(client, order)
        if self.lobby.seat_of(client) is None:
            return self._obey_lost(client, order)
        if order["do"] in ("move", "stay"):
            return self._move(client, wants_code=order["do"] == "move")
        if order["do"] in _OF_HOST:
            raise Refused("Only the host can do that, at the big screen.")
        try:
            return super()._obey(client, order)
        except WriteError as error:
            raise Refused(_UNSAVED) from error

    def _obey_screen(self, client: Client, order: Words) -> str:
        deed = self._deeds().get(order["do"])
        if deed is None:
            return super()._obey(client, order)
        deed(order)
        self._change()
        return ""

    def _deeds(self) -> dict[str, Callable[[Words], object]]:
        """All that the host alone may do with seats."""
        lobby = self.lobby
        return {
            "begin": lambda _: self._begin(),
            "pause": lambda _: self.pause(on=True),
            "go-on": lambda _: self.pause(on=False),
            "invite": lambda order: lobby.invite(self._person(order)),
            "away": self._send_away,
            "bot": lambda order: self.lend(self._person(order), STAND_IN),
            "person": lambda order: self.give_back(self._person(order)),
        }

    def _obey_lost(self, client: Client, order: Words) -> str:
        if order["do"] != "object":
            raise Refused("This phone has no seat any more.")
        try:
            self.lobby.object(client)
        except NoSeat as no:
            raise Refused(str(no)) from no
        self._change()
        return ""

    def _move(self, client: Client, *, wants_code: bool) -> str:
        """Show the code by which this seat moves to another phone, on this phone alone, or withdraw it."""
        seat = self.lobby.seat_of(client)
        assert seat is not None
        if wants_code:
            self.lobby.invite(seat, on_phone=True)
        else:
            self.lobby.withdraw(seat, on_phone=True)
        self._change()
        return ""

    def _begin(self) -> None:
        if self.lobby.is_open:
            self.lobby.begin()
            self._ask()

    def lend(self, seat: Seat, strategy: str) -> None:
        """Let a bot decide for a person. Raises UsageError where that cannot be."""
        super().lend(seat, strategy)
        self._sealed.forget(seat)
        self._chosen.pop(seat, None)
        self.lobby.changed()

    def give_back(self, seat: Seat) -> None:
        """Let the person decide again. Raises UsageError where no bot does it for them."""
        super().give_back(seat)
        self.lobby.changed()

    def _send_away(self, order: Words) -> None:
        seat = self._person(order)
        if order.get("sure") is not True:
            name = self._session.name(seat)
            raise Refused(f"{name}'s phone loses its seat, until you give it a new code. Is that right?", sure=True)
        self.lobby.send_away(seat)

    def _person(self, order: Words) -> Seat:
        seat = order.get("seat")
        if type(seat) is not int or seat not in self.lobby.people:
            raise Refused("That is no seat of a person.")
        return seat

    def _play(self, client: Client, order: Words) -> str:
        prompt, seat = self._prompt, self.lobby.seat_of(client)
        if self.lobby.is_open:
            raise Refused("The game has not begun.")
        if seat is not None and self._ahead_of(seat):
            return self._seal(seat, order)
        if prompt and not self._answers(client, prompt):
            name = self._session.name(prompt.seat)
            raise Refused(f"{name} decides, on the own phone." if seat is None else f"{name} decides.")
        words = self._words_of(seat, order) if seat is not None and prompt and prompt.secret else ""
        html = super()._play(client, order)
        if seat is not None:
            self._ids.pop(seat, None)
        if seat is not None and words and self._is_secret:
            self._chosen[seat] = words
        return html

    def _words_of(self, seat: Seat, order: Words) -> str:
        return self._session.words(offer_at(self._scene(seat).offers, order.get("offer")).label)

    @property
    def _is_secret(self) -> bool:
        """Whether others still choose in secret."""
        prompt = self._session.prompt
        return prompt is not None and prompt.secret

    def _follow(self, step: Step) -> None:
        if step.chance or not self._is_secret:
            self._chosen.clear()
        super()._follow(step)

    def _session_ahead(self, client: Client) -> Session | None:
        seat = self.lobby.seat_of(client)
        return self._sealed.ahead(seat) if seat is not None and self._ahead_of(seat) else None

    def _seal(self, seat: Seat, order: Words) -> str:
        """Keep a secret choice until its turn comes."""
        scene = self._scene(seat)
        offer = offer_at(scene.offers, order.get("offer"))
        self._make_sure(offer, scene, order)
        self._sealed.keep(seat, offer.move)
        self._chosen[seat] = self._session.words(offer.label)
        self._ids.pop(seat, None)
        self._change()
        return ""

    def _answers(self, client: Client, prompt: Prompt) -> bool:
        """Whether this page may answer: the phone of the seat, or the screen where there is none or all decide."""
        if self.lobby.seat_of(client) == prompt.seat:
            return True
        return client.seat == SCREEN and (not self.lobby.has_phone(prompt.seat) or self._is_common(prompt))

    def _undo(self, order: Words) -> None:
        """Take back the last decision, if all agree; the host says so."""
        self._session.plan_undo(None)
        if order.get("sure") is not True:
            raise Refused("Everybody must agree to take the last decision back. Do they?", sure=True)
        super()._undo({**order, "seat": None})
        self._sealed.forget()
        self._chosen.clear()
        self._ids.clear()
        for heard in self._heard.values():
            heard.append("Taken back.")

    def _step(self) -> bool:
        return super()._step() or self._open_sealed()

    def _open_sealed(self) -> bool:
        """Submit the choice that a phone has made ahead of its turn; whether there was one."""
        move, prompt = self._sealed.due(), self._session.prompt
        if move is None or prompt is None:
            return False
        try:
            self._session.submit(move)
        except VaultkitError as error:
            self._wait_after(error)
        else:
            self._sealed.submitted(prompt.seat)
            self._follow(self._session.steps[-1])
        return True

    def _is_common(self, prompt: Prompt) -> bool:
        """Whether all decide together about what all see."""
        return prompt.party and not self._is_private(prompt)

    def _cover(self, client: Client) -> Cover | None:
        prompt = self._prompt
        is_there = client.seat == SCREEN and prompt is not None and not self.lobby.is_open
        if prompt is None or not is_there or self.lobby.has_phone(prompt.seat):
            return None
        return super()._cover(client)

    def _seat_of(self, client: Client) -> Seat | None:
        if client.seat != SCREEN:
            return self.lobby.seat_of(client)
        prompt, cover = self._prompt, self._cover(client)
        if prompt is None or self.lobby.is_open or not self._answers(client, prompt):
            return None
        return prompt.seat if cover is None or cover.is_open else None

    def _scene(self, seat: Seat | None) -> Scene:
        if self.lobby.is_open:
            return self._blank()
        ahead = self._ahead_of(seat) if seat is not None else None
        if ahead:
            return ahead
        if seat is None and seat not in self._scenes:
            since = max(0, len(self._session.steps) - RECENT)
            self._scenes[seat] = scene_of_screen(self._session, since, for_all=True)
        return super()._scene(seat)

    def _ahead_of(self, seat: Seat) -> Scene | None:
        """The Scene in which a phone chooses in secret while others have not yet chosen (G-3)."""
        if not self.lobby.has_phone(seat) or seat in self.bots or self.lobby.is_open or self.is_paused:
            return None
        if seat not in self._ahead:
            self._ahead[seat] = self._sealed.scene(seat)
        return self._ahead[seat]

    def _change(self) -> None:
        self._ahead.clear()
        super()._change()

    def _scene_of(self, client: Client) -> Scene:
        if client.seat != SCREEN and self.lobby.seat_of(client) is None:
            return self._blank()
        return super()._scene_of(client)

    def _blank(self) -> Scene:
        """A table on which nothing lies that can be seen."""
        return Scene(self._session.game.title, self.names, None, (), None, (), {}, (), ())

    def _question_of(self, client: Client) -> str | None:
        """A new id only when this page's own Scene is another one: else it would tell of what happens elsewhere."""
        if client.seat == SCREEN:
            return self._question_of_screen(client)
        prompt, seat = self._prompt, self.lobby.seat_of(client)
        if seat is None or self.lobby.is_open:
            return None
        if (prompt is None or prompt.seat != seat) and not self._ahead_of(seat):
            self._ids.pop(seat, None)
            return None
        if seat not in self._ids:
            self._ids[seat] = new_question()
        return self._ids[seat]

    def _question_of_screen(self, client: Client) -> str:
        scene = self._scene_of(client)
        known = self._screens.get(client.key)
        if known is None or known[0] != scene:
            known = self._screens[client.key] = (scene, new_question())
        return known[1]

    def _news(self, client: Client) -> list[str]:
        if client.seat != SCREEN and self.lobby.seat_of(client) is None:
            return []
        return self._heard[self.lobby.seat_of(client)]

    def _take_in(self, step: Step) -> list[str]:
        for seat, heard in self._heard.items():
            knowing = range(len(self._session.header.seats)) if seat is None else (seat,)
            heard += [self._session.words(event.sentence) for _, event in told_to(knowing, [step])]
        everybody = range(len(self._session.header.seats))
        return [self._session.words(event.sentence) for _, event in told_to(everybody, [step])]


def _of_hand(ending: Ending | None) -> Ending | None:
    """The end as a phone shows it: where notes lie is the host's business."""
    return replace(ending, written=(), unwritten=(), failure="", link="", remarks=()) if ending else None
