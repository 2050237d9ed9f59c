"""A game on the table: people and bots at one big screen, hands behind a cover."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from vaultkit.campaign.log import LogResult
from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Prompt
from vaultkit.scene.bot_rounds import SummarizedRounds
from vaultkit.scene.consequence_text import warnings
from vaultkit.scene.knowledge import StepEvent, is_private, privately_seen_events, secret_owners, visible_events
from vaultkit.scene.narration import asks_for_tale
from vaultkit.scene.scene import Offer, Scene, scene_of_screen, scene_of_seat
from vaultkit.session import Session, Step
from vaultkit.session.history import Undo
from vaultkit.text import join_words, parse_whole_number
from vaultkit.vault.writing.escape import clean_line
from vaultkit.web import page_html
from vaultkit.web.ending_page import CloseGame
from vaultkit.web.help_requests import HelpAnswerer
from vaultkit.web.host_thread import OrderData, OrderOutdated, OrderRefused, TableActivity, new_question
from vaultkit.web.page_model import EndingModel, HandCover, PageModel, PrivateAnswer
from vaultkit.web.seat_sessions import Client

MAX_RECENT_STEP_COUNT = 24
"""So many steps may have brought the news on the screen."""
_STEP_SLICE_SECONDS = 0.2
"""Seconds for steps of luck, one after the other, before anything else has its turn."""
_NO_PEOPLE_DELAY_FACTOR = 0.3
"""Of its pace a game keeps so much once no person plays on."""
_PAUSED_MESSAGE = "The game is paused. The host lets it go on, in the terminal."
_RETRY_SECONDS = 3.0
"""Seconds after which a step that could not be saved is tried again."""


class GameOnTable(TableActivity):
    """A session, and which page has lifted the cover of a hand. `close` writes the end down and tells of it.

    Bots take so many `seconds` for a move, and play only while somebody looks.
    """

    def __init__(self, session: Session, help_answerer: HelpAnswerer, seconds: float, close: CloseGame) -> None:
        self.is_paused = False
        self.logged: LogResult | None = None
        self._seconds = seconds
        self._close = close
        self._scenes: dict[Seat | None, Scene] = {}
        self._private: bool | None = None
        self._uncovered_hand: tuple[Client, Seat] | None = None
        self._next_step_time = 0.0
        self._notice = ""
        self._question: str | None = None
        self._start_session(session, help_answerer)

    def _start_session(self, session: Session, help_answerer: HelpAnswerer) -> None:
        """Lay this game on the table."""
        self._session = session
        self._help = help_answerer
        self._ending: EndingModel | None = None
        self._public_news: list[str] = []
        self._reset_players()

    def sight(self, client: Client) -> PageModel:
        """The game as all at the screen may see it; with a hand, where this page has lifted its cover."""
        scene = self._scene_of(client)
        client.marks.retain_cards(scene.cards)
        news = self._news(client)
        return PageModel(
            scene=scene,
            deck=self._session.deck,
            marks=client.marks,
            question=self._question_of(client),
            cover=self._cover(client),
            ending=self._ending,
            notice=self._notice or (_PAUSED_MESSAGE if self.is_paused else ""),
            fresh=tuple(news[client.steps if client.steps <= len(news) else 0 :]),
            steps=len(news),
            tales=self._tales(scene),
        )

    def go_on(self, *, watched: bool) -> float | None:
        """Take the steps of luck and bots that are due; the game is written down where it ends."""
        until = time.monotonic() + _STEP_SLICE_SECONDS
        while self._can_step(watched):
            if not self._step():
                return None
            if time.monotonic() > until:
                return 0.0
        if self._session.outcome:
            if self._ending is None:
                self._end()
            return None
        return max(self._next_step_time - time.monotonic(), 0.0) if watched or not self._is_bot_turn else None

    def obey(self, client: Client, order: OrderData) -> str:
        """Play a move with the luck that follows it at once, or say something to whoever asks."""
        html = self._obey(client, order)
        self.go_on(watched=False)
        return html

    def _obey(self, client: Client, order: OrderData) -> str:
        answer = self._help.answer(order, self._scene_of(client), client.marks, self._session_ahead(client))
        if answer is not None:
            return page_html.render_answers(answer)
        if order.get("question") != self._question_of(client):
            raise OrderOutdated
        match order["do"]:
            case "offer" | "uncover" | "undo" if self.is_paused:
                raise OrderRefused(_PAUSED_MESSAGE)
            case "offer":
                return self._play_offer(client, order)
            case "uncover":
                self._lift_cover(client)
            case "cover":
                self.gone(client)
            case "undo":
                self._undo(order)
            case "write-again":
                self._write_again()
            case "finish":
                self._finish()
            case _:
                raise OrderRefused("The table knows no such order.")
        return ""

    def _session_ahead(self, client: Client) -> Session | None:  # noqa: ARG002
        """The session in which this page chooses before it is its turn."""
        return None

    def gone(self, client: Client) -> None:
        """The hand that this page has uncovered is covered again."""
        if self._uncovered_hand and self._uncovered_hand[0] is client:
            self._uncovered_hand = None

    def pause(self, *, on: bool) -> None:
        """Let nothing happen any more, and no hand be seen; or go on."""
        self.is_paused, self._uncovered_hand, self._next_step_time = on, None, 0.0
        self._invalidate()

    @property
    def names(self) -> tuple[str, ...]:
        return self._session.header.names

    @property
    def people(self) -> tuple[Seat, ...]:
        return self._session.people

    def lend(self, seat: Seat, strategy: str) -> None:
        """Let a bot decide for a person. Raises UsageError where that cannot be."""
        self._session.lend(seat, strategy)
        self._reset_players()

    def give_back(self, seat: Seat) -> None:
        """Let the person decide again. Raises UsageError where no bot does it for them."""
        self._session.give_back(seat)
        self._reset_players()

    def take_back(self) -> None:
        """Take back the last decision of anybody who is there, for the host. Raises Refused and VaultkitError."""
        self._undo({"sure": True})

    def _reset_players(self) -> None:
        self._uncovered_hand = None
        self._rounds = SummarizedRounds(self._session)
        self._renew_question()

    def _can_step(self, watched: bool) -> bool:
        waits = self._is_bot_turn and not watched
        return not (self.is_paused or waits or self._session.outcome) and time.monotonic() >= self._next_step_time

    def _step(self) -> bool:
        """Take a step that needs no person; False if there is none. One that cannot be saved is due again later."""
        try:
            step = next(self._session.advance(), None)
        except VaultkitError as error:
            self._retry_after(error)
            return True
        if step:
            self._handle_step(step)
        return step is not None

    def _retry_after(self, error: VaultkitError) -> None:
        self._report_unsaved(error)
        self._next_step_time = time.monotonic() + _RETRY_SECONDS

    @property
    def _is_bot_turn(self) -> bool:
        """Whether a bot is to play."""
        prompt = self._session.prompt
        return prompt is not None and self._is_bot(prompt.seat)

    def _is_bot(self, seat: Seat) -> bool:
        """Whether nobody is asked what this seat does."""
        return seat not in self._session.people

    @property
    def _person_prompt(self) -> Prompt | None:
        """The decision that waits for a person, if one does."""
        prompt = self._session.prompt
        return prompt if prompt and not self._is_bot(prompt.seat) else None

    def _cover(self, client: Client) -> HandCover | None:
        prompt = self._person_prompt
        if prompt is None or not self._is_private(prompt):
            return None
        return HandCover(prompt.seat, self._session.name(prompt.seat), self._uncovered_hand == (client, prompt.seat))

    def _is_private(self, prompt: Prompt) -> bool:
        if self._private is None:
            self._private = is_private(self._session, prompt)
        return self._private

    def _seat_of(self, client: Client) -> Seat | None:
        """The seat whose knowledge this page may show now; None for what all at the screen may see."""
        prompt, people, cover = self._person_prompt, self._session.people, self._cover(client)
        if prompt is None:
            return people[0] if len(people) == 1 and not self._session.outcome else None
        return prompt.seat if cover is None or cover.is_open else None

    def _scene_of(self, client: Client) -> Scene:
        return self._scene(self._seat_of(client))

    def _scene(self, seat: Seat | None) -> Scene:
        if seat not in self._scenes:
            since = max(0, len(self._session.steps) - MAX_RECENT_STEP_COUNT)
            scene = scene_of_screen(self._session, since) if seat is None else scene_of_seat(self._session, seat)
            self._scenes[seat] = scene
        return self._scenes[seat]

    def _tales(self, scene: Scene) -> frozenset[int]:
        return frozenset(at for at, offer in enumerate(scene.offers) if asks_for_tale(self._session, offer.move))

    def _question_of(self, client: Client) -> str | None:  # noqa: ARG002
        """The id of what this page may order now."""
        return self._question

    def _news(self, client: Client) -> list[str]:  # noqa: ARG002
        """All that this page may have heard until now."""
        return self._public_news

    def _add_news(self, step: Step) -> list[str]:
        """Keep the news of a step; those that all at the screen may hear."""
        sentences = [self._session.words(event.sentence) for _, event in visible_events(self._session.people, [step])]
        self._public_news += sentences
        return sentences

    def _renew_question(self) -> None:
        """Something has changed: the question is another one, even if it has the same words."""
        self._invalidate()
        self._question = new_question() if self._person_prompt or self._session.outcome else None

    def _invalidate(self) -> None:
        self._scenes.clear()
        self._private = None
        self.changes += 1

    def _handle_step(self, step: Step) -> None:
        """A step was taken."""
        self._notice = ""
        sentences = self._add_news(step)
        if step.seat is not None and self._uncovered_hand and self._uncovered_hand[1] != step.seat:
            self._uncovered_hand = None
        if sentences and step.seat is not None and self._is_bot(step.seat):
            delay_seconds = self._seconds * (_NO_PEOPLE_DELAY_FACTOR if self._rounds.are_people_out() else 1)
            self._next_step_time = time.monotonic() + delay_seconds
        self._renew_question()

    def _play_offer(self, client: Client, order: OrderData) -> str:
        """Play the offer; HTML for whoever has seen something alone."""
        prompt, cover = self._person_prompt, self._cover(client)
        if prompt is None:
            raise OrderRefused("Nobody is asked anything now.")
        if cover and not cover.is_open:
            raise OrderRefused(f"{cover.name} lifts the cover first.")
        scene = self._scene(prompt.seat)
        self._submit_offer(find_offer(scene.offers, order.get("offer")), scene, order)
        step, turn = self._session.steps[-1], self._session.turn
        stays = isinstance(turn, Prompt) and turn.seat == prompt.seat
        private_news = privately_seen_events(self._session, prompt.seat, step) if cover and not stays else []
        self._handle_step(step)
        return self._render_private_news(prompt.seat, private_news)

    def _submit_offer(self, offer: Offer, scene: Scene, order: OrderData) -> None:
        self._confirm_warnings(offer, scene, order)
        tale = clean_line(str(order.get("tale") or "")) if asks_for_tale(self._session, offer.move) else ""
        with self._report_save_errors():
            self._session.submit(offer.move, tale)

    def _confirm_warnings(self, offer: Offer, scene: Scene, order: OrderData) -> None:
        """Ask once more about a move that ends the game, or the player's own part in it."""
        warning_texts = [self._session.words(warning).rstrip(".") for warning in warnings(offer, scene)]
        if warning_texts and order.get("sure") is not True:
            raise OrderRefused(f"{'. '.join(warning_texts)}. Is that right?", sure=True)

    def _render_private_news(self, seat: Seat, news: list[StepEvent]) -> str:
        """News for one player alone, who has seen something of others' cards before the screen goes on."""
        if not news:
            return ""
        lines = [self._session.words(event.sentence) for _, event in news]
        return page_html.render_answers([PrivateAnswer(f"For {self._session.name(seat)} alone", lines)])

    def _lift_cover(self, client: Client) -> None:
        cover = self._cover(client)
        if cover is None:
            raise OrderRefused("There is nothing to uncover now.")
        self._uncovered_hand = (client, cover.seat)

    def _undo(self, order: OrderData) -> None:
        """Take back the last decision, or that of the person who is named by a seat."""
        back = self._plan_undo(order.get("seat"))
        viewers = (self._uncovered_hand[1],) if self._uncovered_hand else self._session.people
        owners = secret_owners(self._session, self._session.steps[back.to :], viewers)
        if owners and order.get("sure") is not True:
            names = join_words(map(self._session.name, owners))
            raise OrderRefused(f"{names} would have to make a secret choice again. Is that right?", sure=True)
        with self._report_save_errors():
            self._session.go_back(back)
        self._public_news.append("Taken back.")
        self._uncovered_hand, self._next_step_time, self._notice = None, 0.0, ""
        self._renew_question()

    def _plan_undo(self, seat: object) -> Undo:
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
        self._uncovered_hand, self._notice = None, ""
        try:
            self.logged, self._ending = self._close()
        except VaultkitError as error:
            self._ending = EndingModel(self._session.outcome, failure=error.message_with_hint)
        self.over = not (self._ending.goes_on or self._ending.failure)
        self._renew_question()

    @contextmanager
    def _report_save_errors(self) -> Iterator[None]:
        """Tell everybody of what cannot be saved, and not only whoever ordered it."""
        try:
            yield
        except VaultkitError as error:
            self._report_unsaved(error)
            raise

    def _report_unsaved(self, error: VaultkitError) -> None:
        """Let everybody know that nothing was played, since nothing could be saved."""
        self._notice = f"Not saved, so nothing was played: {error.message_with_hint}"
        self._invalidate()


def find_offer(offers: tuple[Offer, ...], place: object) -> Offer:
    """The offer at a place, which is a number or its digits."""
    number = parse_whole_number(place) if isinstance(place, str) else place
    if type(number) is not int or not 0 <= number < len(offers):
        raise OrderRefused("That is no move that can be made now.")
    return offers[number]
