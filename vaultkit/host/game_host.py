"""A game as its clients see it: people and bots, hands behind covers or on phones, real cards, undo, pacing, saving."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import IllegalMove, Move, Prompt
from vaultkit.host.advice import Advice, AdviceQuery, Answer, explain_named_cards
from vaultkit.host.agreements import GameAgreements
from vaultkit.host.ending import EndingRecorder, build_game_ending
from vaultkit.host.game_views import PAUSED_MESSAGE
from vaultkit.host.orders import (
    Command,
    Concede,
    LendSeat,
    Name,
    OperatorAction,
    Order,
    OrderRefused,
    PauseGame,
    PlayMove,
    Reply,
    UndoMove,
    Viewer,
)
from vaultkit.host.view_state import Cover, Ending
from vaultkit.scene.bot_rounds import SummarizedRounds
from vaultkit.scene.consequence_text import warnings
from vaultkit.scene.knowledge import privately_seen_events
from vaultkit.scene.narration import asks_for_tale
from vaultkit.scene.real_cards import DEALER_SEAT_INDEX, Naming, create_naming, find_card_holder
from vaultkit.session import Session, Step
from vaultkit.vault.writing.escape import clean_line

_STEP_SLICE_SECONDS = 0.2
"""The time for steps of luck and bots in one call of `advance`."""
_NO_PEOPLE_DELAY_FACTOR = 0.3
"""The factor of the delay between moves of bots once all people are out."""
_RETRY_SECONDS = 3.0
"""The time after which a step that could not be saved is tried again."""
_ENDS_GAME = Sentence("That ends the game.")


class GameHost(GameAgreements):
    """A session and what each viewer may see of it.

    Bots take `delay_seconds` for a move, and play only while somebody looks. `recorder` logs the finished game.
    `phones` returns the seats whose players have a phone; None means that all people share one screen. `on_step` is
    called with each step once it is saved, and with whether a person made it. `open_again` begins another game of the
    same people once one is over; None if there is none.
    """

    def __init__(
        self,
        session: Session,
        advice: Advice,
        delay_seconds: float = 0.0,
        recorder: EndingRecorder | None = None,
        *,
        phones: Callable[[], Collection[Seat]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(session, recorder, phones)
        self.on_seats_changed: Callable[[], None] = lambda: None
        self.advice = advice
        self._delay_seconds = delay_seconds
        self.on_step: Callable[[Step, bool], None] = lambda *_: None
        self.open_again: Callable[[], tuple[Session, Advice, EndingRecorder]] | None = None
        self._clock = clock
        self._reset_players()

    @classmethod
    def from_notes(
        cls,
        session: Session,
        notes: GameNotes,
        to_plain_text: Callable[[str], str],
        delay_seconds: float,
        log: Callable[[], LogResult] | None,
        *,
        phones: Callable[[], Collection[Seat]] | None = None,
    ) -> "GameHost":
        """Return the host of a game with its notes; `log` is None if nothing is to be logged."""
        advice = Advice(session, notes.reference(session, to_plain_text))
        return cls(session, advice, delay_seconds, EndingRecorder.from_notes(log, notes), phones=phones)

    def advance(self, *, watched: bool, skip_pause: bool = False) -> float | None:
        """Take the steps of luck and bots that are due; a game that ends is logged."""
        if skip_pause:
            self._next_step_time = 0.0
        if self.is_paused and not self.session.outcome:
            return None
        until = self._clock() + _STEP_SLICE_SECONDS
        while self._can_step(watched):
            if not self._step():
                return None
            if self._clock() > until:
                return 0.0
        if self.session.outcome:
            if self._ending is None:
                self._end()
            return None
        waits = (self._is_bot_turn and not watched) or self.session.needs_person
        return None if waits else self.pause_seconds

    @property
    def story(self) -> tuple[str, ...]:
        """The sentences of the story of a finished game; empty if the vault's phrases are not valid."""
        names, deck = self.names, self.session.deck
        story = build_game_ending(self.session, Ending(), self._recorder.root).story
        return tuple(sentence.render(names.__getitem__, lambda card: deck[card].name) for sentence in story)

    @property
    def pause_seconds(self) -> float:
        """The seconds until the next step is due."""
        return max(self._next_step_time - self._clock(), 0.0)

    def _obey(self, viewer: Viewer, order: Order) -> Reply | None:
        match order.action:
            case PlayMove() | Name() | UndoMove() | Concede() | Command.UNCOVER if self.is_paused:
                raise OrderRefused(PAUSED_MESSAGE)
            case PlayMove(move):
                return self._play_move(viewer, move, order)
            case Command.SUBMIT if self._naming and self._naming.move and self._naming.is_whole:
                return self._submit(self._naming.move, self._cover(viewer), order.story)
            case Name(words):
                return self._name_cards(viewer, words, order)
            case UndoMove():
                return self._take_back(order.action, order)
            case Concede(seat, agrees):
                return self._concede(viewer, seat, order, agrees=agrees)
            case Command() | PauseGame() | LendSeat():
                self._run_command(viewer, order.action)
                return None
        raise OrderRefused("The table does not know this order.")

    def _run_command(self, viewer: Viewer, command: Command | OperatorAction) -> None:
        match command:
            case PauseGame(is_paused):
                self.is_paused, self._uncovered_hand, self._next_step_time = is_paused, None, 0.0
                self.invalidate()
            case LendSeat(seat, strategy):
                self.lend(seat, strategy)
            case Command.BACK:
                self._remove_last_name(viewer)
            case Command.UNCOVER:
                self._lift_cover(viewer)
            case Command.COVER:
                self.disconnect(viewer)
            case Command.NEXT:
                self._begin_next_game()
            case _:
                raise OrderRefused("The table does not know this order.")

    def answer(self, viewer: Viewer, query: AdviceQuery) -> Sequence[Answer]:
        """Answer a query as far as this viewer may know. Raises OrderRefused."""
        naming = self._naming
        if query.kind == "why" and naming and not self._is_gm_turn and self._is_open(viewer):
            answers = explain_named_cards(query.words, self.session, naming, self.advice.reference)
            if answers:
                return answers
        seat = self._phone_seat(viewer)
        session_ahead = self._pending.session_ahead(seat) if seat is not None and self._scene_ahead(seat) else None
        return self.advice.answer(query, self._scene_of(viewer), session_ahead)

    def close(self) -> None:
        """Release the journal."""
        self.session.close()

    def lend(self, seat: Seat, strategy: str | None) -> None:
        """Let a bot with a strategy decide for a person, or with None the person again.

        Raises UsageError if that is not possible.
        """
        if seat not in {*self.people, *self.bots}:
            raise UsageError("That is not a person's seat.")
        if strategy is None:
            self.session.give_back(seat)
        else:
            self.session.lend(seat, strategy)
        self._forget_choice(seat)
        self._reset_players()
        self.on_seats_changed()

    def _reset_players(self) -> None:
        self._uncovered_hand = None
        self._rounds = SummarizedRounds(self.session)
        self.renew_question()

    def _can_step(self, watched: bool) -> bool:
        waits = self._is_bot_turn and not watched
        return not (waits or self.session.outcome) and self._clock() >= self._next_step_time

    @property
    def _waits_for_player(self) -> bool:
        """Whether a person or a bot is to decide, or the game is over."""
        return self.session.outcome is not None or self.session.needs_person or self._is_bot_turn

    def _step(self) -> bool:
        """Take a step that needs no person; False if there is none. One that cannot be saved is due again later."""
        started = self._clock()
        try:
            step = next(self.session.advance(), None) or self._submit_pending()
        except VaultkitError as error:
            self._report_unsaved(error)
            self._next_step_time = self._clock() + _RETRY_SECONDS
            return True
        if step:
            self._handle_step(step, thinking_seconds=self._clock() - started)
        elif self._naming is None:
            self._ask_for_cards()
        return step is not None

    def _submit_pending(self) -> Step | None:
        """Submit the choice that a player has made ahead of the turn, and return the step if there was one."""
        move, prompt = self._pending.due_move(), self.session.prompt
        if move is None or prompt is None:
            return None
        self.session.submit(move)
        self._pending.remove_first(prompt.seat)
        return self.session.steps[-1]

    def _ask_for_cards(self) -> None:
        """Ask people for real cards, or a GM for a card, if the turn needs that."""
        holder = find_card_holder(self.session)
        seats = self.session.people if holder in (None, DEALER_SEAT_INDEX) else (holder,)
        self._naming = create_naming(self.session, seats)
        if self._naming:
            self._renew_question()

    def _handle_step(self, step: Step, *, by_person: bool = False, thinking_seconds: float = 0.0) -> None:
        self._notice, self.unsaved, self._naming = "", None, None
        if step.chance or not self._is_secret_turn:
            self._chosen_labels.clear()
        is_news = self._add_news(step)
        self._cover_hand_after(step)
        if self._delay_seconds and is_news and step.seat is not None and step.seat not in self.session.people:
            factor = _NO_PEOPLE_DELAY_FACTOR if self._rounds.are_people_out() else 1
            # The next bot is likely to think as long, which gives people time to read, too.
            self._next_step_time = self._clock() + self._delay_seconds * factor - thinking_seconds
        self.renew_question()
        self.on_step(step, by_person)

    def _play_move(self, viewer: Viewer, move: Move | None, order: Order) -> Reply:
        if move and self._naming and self._is_gm_turn:
            return self._name_cards(viewer, move.operands[0], order)
        prompt, cover, seat = self._person_prompt, self._cover(viewer), self._phone_seat(viewer)
        is_ahead = seat is not None and self._scene_ahead(seat) is not None
        if self._naming:
            raise OrderRefused("Say which card it is.")
        if prompt is None:
            raise OrderRefused("There is no question now.")
        if cover and not cover.is_open:
            raise OrderRefused(f"{cover.name} lifts the cover first.")
        if not is_ahead and not self._may_answer(viewer, prompt):
            name = self.session.name(prompt.seat)
            raise OrderRefused(f"{name} decides, on their own phone." if seat is None else f"{name} decides.")
        scene = self._scene(seat if is_ahead else prompt.seat)
        offer = next((offer for offer in scene.offers if offer.move == move), None)
        if offer is None:
            raise OrderRefused("That move is not possible now.")
        if confirm := () if order.is_confirmed else tuple(warnings(offer, scene)):
            return Reply(confirm)
        if is_ahead and seat is not None:
            self._pending.keep(seat, offer.move)
            self.invalidate()
            reply = Reply()
        else:
            reply = self._submit(offer.move, cover, order.story)
        if seat is not None and reply.story_about is None:
            self._question_ids.pop(seat, None)
            if prompt.secret and self._is_secret_turn:
                self._chosen_labels[seat] = self.session.words(offer.label)
        return reply

    def _submit(self, move: Move, cover: Cover | None, story: str | None) -> Reply:
        """Play a move of a person, and return the news that only the player behind the cover has seen."""
        tells = asks_for_tale(self.session, move)
        if tells and story is None:
            return Reply(story_about=move)
        with self._report_save_errors():
            self.session.submit(move, clean_line(story or "") if tells else "")
        submitted, seat = len(self.session.steps), cover.seat if cover else None
        self._handle_step(self.session.steps[-1], by_person=True)
        while cover and not (self._waits_for_player or self.unsaved) and self._step():
            pass  # what follows without a choice belongs to the move, since it may show the player cards
        turn = self.session.turn
        stays = isinstance(turn, Prompt) and turn.seat == seat
        names_on = find_card_holder(self.session) == seat
        if seat in (None, DEALER_SEAT_INDEX) or stays or names_on:
            return Reply(seat=seat)
        steps = self.session.steps[submitted - 1 :]
        return Reply(
            seat=seat, private=[event for step in steps for event in privately_seen_events(self.session, seat, step)]
        )

    def _name_cards(self, viewer: Viewer, words: str, order: Order) -> Reply:
        """Take in one answer about real cards, or the card of a GM."""
        naming, cover = self._open_naming(viewer), self._cover(viewer)
        old_cards, old_move = naming.named, naming.move
        if not words:
            raise OrderRefused("Touch a card, or type one.")
        with self._report_save_errors():
            try:
                naming.say(words)
            except IllegalMove as error:
                raise OrderRefused(error.message) from error
        if naming.move and not old_move and not order.is_confirmed and self.session.would_end_game(naming.move):
            naming.forget(old_cards)
            return Reply((_ENDS_GAME,))
        if naming.move and naming.is_whole:
            return self._submit(naming.move, cover, order.story)
        self._renew_question()
        return Reply()

    def _remove_last_name(self, viewer: Viewer) -> None:
        """Remove the card that was named last, or the move of which more is to be named."""
        naming = self._open_naming(viewer)
        if not naming.remove_last_card():
            naming.forget()
        self._renew_question()

    def _open_naming(self, viewer: Viewer) -> Naming:
        if self._naming is None or not self._is_open(viewer):
            raise OrderRefused("No card can be named now.")
        return self._naming

    def _lift_cover(self, viewer: Viewer) -> None:
        cover = self._cover(viewer)
        if cover is None:
            raise OrderRefused("There is nothing to uncover now.")
        self._uncovered_hand = (viewer.id, cover.seat)

    @property
    def _is_complete(self) -> bool:
        return self.session.outcome is not None

    def _end(self) -> None:
        self._uncovered_hand, self._notice = None, ""
        super()._end()
        self.renew_question()

    def _build_ending(self) -> Ending:
        ending = build_game_ending(self.session, self._recorder.write(), self._recorder.root)
        return replace(ending, plays_again=self.open_again is not None and not ending.failure)

    def _begin_next_game(self) -> None:
        if self.open_again is None or not self.over:
            raise OrderRefused("There is no next game now.")
        old_session = self.session
        session, self.advice, self._recorder = self.open_again()
        old_session.close()
        self._show_next_game(session)
        self.over = False

    def _show_next_game(self, session: Session) -> None:
        """Show a game in which bots play for the same people as in the last one."""
        for seat, strategy in self.bots.items():
            session.lend(session.header.names.index(self.names[seat]), strategy)
        self._show_session(session)
        self._reset_players()
