"""A game on the table: people and bots at one big screen, hands behind a cover."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from vaultkit.campaign.log import Logged
from vaultkit.errors import VaultkitError
from vaultkit.figures import whole_number
from vaultkit.games.turn import Prompt
from vaultkit.games.words import Seat
from vaultkit.scene.consequence_text import warnings
from vaultkit.scene.knowledge import Told, is_private, secret_owners, seen_alone, told_to
from vaultkit.scene.rounds import Rounds
from vaultkit.scene.scene import Offer, Scene, scene_of_screen, scene_of_seat
from vaultkit.scene.tales import asks_for_tale
from vaultkit.session import Session, Step
from vaultkit.session.undo import Undo
from vaultkit.table import drawing
from vaultkit.table.consulting import Consulting
from vaultkit.table.door import Client
from vaultkit.table.ending import Close
from vaultkit.table.host import Holding, Outdated, Refused, Words, new_question
from vaultkit.table.sight import Aside, Cover, Ending, Sight
from vaultkit.vault.writing.escape import clean
from vaultkit.wording import listing

RECENT = 24
"""So many steps may have brought the news on the screen."""
_SLICE = 0.2
"""Seconds for steps of luck, one after the other, before anything else has its turn."""
_HURRY = 0.3
"""Of its pace a game keeps so much once no person plays on."""
_PAUSED = "The game is paused. The host lets it go on, in the terminal."
_AGAIN = 3.0
"""Seconds after which a step that could not be saved is tried again."""


class GameOnTable(Holding):
    """A session, and which page has lifted the cover of a hand. `close` writes the end down and tells of it.

    Bots take so many `seconds` for a move, and play only while somebody looks.
    """

    def __init__(self, session: Session, consulting: Consulting, seconds: float, close: Close) -> None:
        self.is_paused = False
        self.logged: Logged | None = None
        self._seconds = seconds
        self._close = close
        self._scenes: dict[Seat | None, Scene] = {}
        self._private: bool | None = None
        self._lifted: tuple[Client, Seat] | None = None
        self._due = 0.0
        self._notice = ""
        self._question: str | None = None
        self._take_up(session, consulting)

    def _take_up(self, session: Session, consulting: Consulting) -> None:
        """Lay this game on the table."""
        self._session = session
        self._consulting = consulting
        self._ending: Ending | None = None
        self._told: list[str] = []
        self._change_hands()

    def sight(self, client: Client) -> Sight:
        """The game as all at the screen may see it; with a hand, where this page has lifted its cover."""
        scene = self._scene_of(client)
        client.marks.forget_all_but(scene.cards)
        news = self._news(client)
        return Sight(
            scene=scene,
            deck=self._session.deck,
            marks=client.marks,
            question=self._question_of(client),
            cover=self._cover(client),
            ending=self._ending,
            notice=self._notice or (_PAUSED if self.is_paused else ""),
            fresh=tuple(news[client.steps if client.steps <= len(news) else 0 :]),
            steps=len(news),
            tales=self._tales(scene),
        )

    def go_on(self, *, watched: bool) -> float | None:
        """Take the steps of luck and bots that are due; the game is written down where it ends."""
        until = time.monotonic() + _SLICE
        while self._may_step(watched):
            if not self._step():
                return None
            if time.monotonic() > until:
                return 0.0
        if self._session.outcome:
            if self._ending is None:
                self._end()
            return None
        return max(self._due - time.monotonic(), 0.0) if watched or not self._is_bots else None

    def obey(self, client: Client, order: Words) -> str:
        """Play a move with the luck that follows it at once, or say something to whoever asks."""
        html = self._obey(client, order)
        self.go_on(watched=False)
        return html

    def _obey(self, client: Client, order: Words) -> str:
        answer = self._consulting.answer(order, self._scene_of(client), client.marks, self._session_ahead(client))
        if answer is not None:
            return drawing.asides(answer)
        if order.get("question") != self._question_of(client):
            raise Outdated
        match order["do"]:
            case "offer" | "uncover" | "undo" if self.is_paused:
                raise Refused(_PAUSED)
            case "offer":
                return self._play(client, order)
            case "uncover":
                self._lift(client)
            case "cover":
                self.gone(client)
            case "undo":
                self._undo(order)
            case "write-again":
                self._write_again()
            case "finish":
                self._finish()
            case _:
                raise Refused("The table knows no such order.")
        return ""

    def _session_ahead(self, client: Client) -> Session | None:  # noqa: ARG002
        """The session in which this page chooses before it is its turn."""
        return None

    def gone(self, client: Client) -> None:
        """The hand that this page has uncovered is covered again."""
        if self._lifted and self._lifted[0] is client:
            self._lifted = None

    def pause(self, *, on: bool) -> None:
        """Let nothing happen any more, and no hand be seen; or go on."""
        self.is_paused, self._lifted, self._due = on, None, 0.0
        self._change()

    @property
    def names(self) -> tuple[str, ...]:
        return self._session.header.names

    @property
    def people(self) -> tuple[Seat, ...]:
        return self._session.people

    def lend(self, seat: Seat, strategy: str) -> None:
        """Let a bot decide for a person. Raises UsageError where that cannot be."""
        self._session.lend(seat, strategy)
        self._change_hands()

    def give_back(self, seat: Seat) -> None:
        """Let the person decide again. Raises UsageError where no bot does it for them."""
        self._session.give_back(seat)
        self._change_hands()

    def take_back(self) -> None:
        """Take back the last decision of anybody who is there, for the host. Raises Refused and VaultkitError."""
        self._undo({"sure": True})

    def _change_hands(self) -> None:
        self._lifted = None
        self._rounds = Rounds(self._session)
        self._ask()

    def _may_step(self, watched: bool) -> bool:
        waits = self._is_bots and not watched
        return not (self.is_paused or waits or self._session.outcome) and time.monotonic() >= self._due

    def _step(self) -> bool:
        """Take a step that needs no person; False if there is none. One that cannot be saved is due again later."""
        try:
            step = next(self._session.advance(), None)
        except VaultkitError as error:
            self._wait_after(error)
            return True
        if step:
            self._follow(step)
        return step is not None

    def _wait_after(self, error: VaultkitError) -> None:
        self._fail(error)
        self._due = time.monotonic() + _AGAIN

    @property
    def _is_bots(self) -> bool:
        """Whether a bot is to play."""
        prompt = self._session.prompt
        return prompt is not None and self._is_bot(prompt.seat)

    def _is_bot(self, seat: Seat) -> bool:
        """Whether nobody is asked what this seat does."""
        return seat not in self._session.people

    @property
    def _prompt(self) -> Prompt | None:
        """The decision that waits for a person, if one does."""
        prompt = self._session.prompt
        return prompt if prompt and not self._is_bot(prompt.seat) else None

    def _cover(self, client: Client) -> Cover | None:
        prompt = self._prompt
        if prompt is None or not self._is_private(prompt):
            return None
        return Cover(prompt.seat, self._session.name(prompt.seat), self._lifted == (client, prompt.seat))

    def _is_private(self, prompt: Prompt) -> bool:
        if self._private is None:
            self._private = is_private(self._session, prompt)
        return self._private

    def _seat_of(self, client: Client) -> Seat | None:
        """The seat whose knowledge this page may show now; None for what all at the screen may see."""
        prompt, people, cover = self._prompt, self._session.people, self._cover(client)
        if prompt is None:
            return people[0] if len(people) == 1 and not self._session.outcome else None
        return prompt.seat if cover is None or cover.is_open else None

    def _scene_of(self, client: Client) -> Scene:
        return self._scene(self._seat_of(client))

    def _scene(self, seat: Seat | None) -> Scene:
        if seat not in self._scenes:
            since = max(0, len(self._session.steps) - RECENT)
            self._scenes[seat] = (
                scene_of_screen(self._session, since) if seat is None else scene_of_seat(self._session, seat)
            )
        return self._scenes[seat]

    def _tales(self, scene: Scene) -> frozenset[int]:
        return frozenset(at for at, offer in enumerate(scene.offers) if asks_for_tale(self._session, offer.move))

    def _question_of(self, client: Client) -> str | None:  # noqa: ARG002
        """The id of what this page may order now."""
        return self._question

    def _news(self, client: Client) -> list[str]:  # noqa: ARG002
        """All that this page may have heard until now."""
        return self._told

    def _take_in(self, step: Step) -> list[str]:
        """Keep the news of a step; those that all at the screen may hear."""
        told = [self._session.words(event.sentence) for _, event in told_to(self._session.people, [step])]
        self._told += told
        return told

    def _ask(self) -> None:
        """Something has changed: the question is another one, even if it has the same words."""
        self._change()
        self._question = new_question() if self._prompt or self._session.outcome else None

    def _change(self) -> None:
        self._scenes.clear()
        self._private = None
        self.changes += 1

    def _follow(self, step: Step) -> None:
        """A step was taken."""
        self._notice = ""
        told = self._take_in(step)
        if step.seat is not None and self._lifted and self._lifted[1] != step.seat:
            self._lifted = None
        if told and step.seat is not None and self._is_bot(step.seat):
            pace = self._seconds * (_HURRY if self._rounds.are_watched() else 1)
            self._due = time.monotonic() + pace
        self._ask()

    def _play(self, client: Client, order: Words) -> str:
        """Play the offer; HTML for whoever has seen something alone."""
        prompt, cover = self._prompt, self._cover(client)
        if prompt is None:
            raise Refused("Nobody is asked anything now.")
        if cover and not cover.is_open:
            raise Refused(f"{cover.name} lifts the cover first.")
        scene = self._scene(prompt.seat)
        self._submit(offer_at(scene.offers, order.get("offer")), scene, order)
        step, turn = self._session.steps[-1], self._session.turn
        stays = isinstance(turn, Prompt) and turn.seat == prompt.seat
        alone = seen_alone(self._session, prompt.seat, step) if cover and not stays else []
        self._follow(step)
        return self._for_alone(prompt.seat, alone)

    def _submit(self, offer: Offer, scene: Scene, order: Words) -> None:
        self._make_sure(offer, scene, order)
        tale = clean(str(order.get("tale") or "")) if asks_for_tale(self._session, offer.move) else ""
        with self._saving():
            self._session.submit(offer.move, tale)

    def _make_sure(self, offer: Offer, scene: Scene, order: Words) -> None:
        """Ask once more about a move that ends the game, or the player's own part in it."""
        said = [self._session.words(one).rstrip(".") for one in warnings(offer, scene)]
        if said and order.get("sure") is not True:
            raise Refused(f"{'. '.join(said)}. Is that right?", sure=True)

    def _for_alone(self, seat: Seat, told: list[Told]) -> str:
        """News for one player alone, who has seen something of others' cards before the screen goes on."""
        if not told:
            return ""
        lines = [self._session.words(event.sentence) for _, event in told]
        return drawing.asides([Aside(f"For {self._session.name(seat)} alone", lines)])

    def _lift(self, client: Client) -> None:
        cover = self._cover(client)
        if cover is None:
            raise Refused("There is nothing to uncover now.")
        self._lifted = (client, cover.seat)

    def _undo(self, order: Words) -> None:
        """Take back the last decision, or that of the person who is named by a seat."""
        back = self._plan(order.get("seat"))
        looking = (self._lifted[1],) if self._lifted else self._session.people
        owners = secret_owners(self._session, self._session.steps[back.to :], looking)
        if owners and order.get("sure") is not True:
            names = listing(map(self._session.name, owners))
            raise Refused(f"{names} would have to make a secret choice again. Is that right?", sure=True)
        with self._saving():
            self._session.go_back(back)
        self._told.append("Taken back.")
        self._lifted, self._due, self._notice = None, 0.0, ""
        self._ask()

    def _plan(self, seat: object) -> Undo:
        return self._session.plan_undo(seat if type(seat) is int and seat in self._session.people else None)

    def _finish(self) -> None:
        """Close the table; a game that is not over can be resumed. One that is not logged yet is logged before."""
        if self._session.outcome and self._ending is None:
            self._end()
        else:
            self.closed = True

    def _write_again(self) -> None:
        """Write the missing notes again if writing failed."""
        if self._ending and self._ending.failure:
            self._end()

    def _end(self) -> None:
        self._lifted, self._notice = None, ""
        try:
            self.logged, self._ending = self._close()
        except VaultkitError as error:
            self._ending = Ending(self._session.outcome, failure=error.in_full)
        self.over = not (self._ending.goes_on or self._ending.failure)
        self._ask()

    @contextmanager
    def _saving(self) -> Iterator[None]:
        """Tell everybody of what cannot be saved, and not only whoever ordered it."""
        try:
            yield
        except VaultkitError as error:
            self._fail(error)
            raise

    def _fail(self, error: VaultkitError) -> None:
        """Let everybody know that nothing was played, since nothing could be saved."""
        self._notice = f"Not saved, so nothing was played: {error.in_full}"
        self._change()


def offer_at(offers: tuple[Offer, ...], place: object) -> Offer:
    """The offer at a place, which is a number or its digits."""
    number = whole_number(place) if isinstance(place, str) else place
    if type(number) is not int or not 0 <= number < len(offers):
        raise Refused("That is no move that can be made now.")
    return offers[number]
