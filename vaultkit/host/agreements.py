"""Orders to which people must agree: a decision is undone, or a player gives up."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from vaultkit.errors import VaultkitError
from vaultkit.games.concession import concession
from vaultkit.games.messages import Seat, Sentence
from vaultkit.host.game_views import GameViews
from vaultkit.host.orders import Order, OrderRefused, Reply, UndoMove, Viewer
from vaultkit.scene.knowledge import secret_owners, visible_events
from vaultkit.scene.real_cards import DEALER_SEAT_INDEX, HandNaming
from vaultkit.session import Step


class GameAgreements(GameViews):
    """The orders of a game to which more people than one must agree."""

    can_concede = True

    @abstractmethod
    def _handle_step(self, step: Step, *, by_person: bool = False) -> None:
        """Show a step that is saved."""

    def _concede(self, viewer: Viewer, named_seat: Seat | None, order: Order, *, agrees: bool = True) -> Reply:
        """Let a seat give up (G-14), once it is confirmed; a party gives up once all people agree."""
        prompt, is_party = self.session.prompt, self.session.is_party
        cover, phone_seat = self._cover(viewer), self._phone_seat(viewer)
        seats = (phone_seat, named_seat, prompt.seat if prompt else None, self.people[0])
        seat = next(seat for seat in seats if seat is not None)
        if not 0 <= seat < len(self.names):
            raise OrderRefused("That is not a seat.")
        if not (is_party and self._agreeing_seats):
            self.session.check_concession(seat)
        if not agrees:
            return self._decline_concession(seat)
        own_seats = set(self.people).difference(self.phone_seats) if phone_seat is None else {phone_seat}
        if not own_seats or (seat not in own_seats and not is_party):
            raise OrderRefused(f"{self.session.name(seat)} decides, on their own phone.")
        if cover and not cover.is_open and not is_party:
            raise OrderRefused(f"{cover.name} lifts the cover first.")
        if not order.is_confirmed:
            return Reply((self._warn_of_concession(seat),))
        self._agreeing_seats |= own_seats
        if is_party and not self._agreeing_seats.issuperset(self.people):
            self._notice = f"{self.session.name(seat)} wants to give up. The party concedes once all have agreed."
            self.invalidate()
            return Reply()
        return self._submit_concession(prompt.seat if prompt and is_party else seat)

    def _decline_concession(self, seat: Seat) -> Reply:
        """Let a party play on that was asked to give up."""
        if not self._agreeing_seats:
            raise OrderRefused("Nobody has asked to give up.")
        self._agreeing_seats.clear()
        self._notice = f"{self.session.name(seat)} plays on, so the party does not concede."
        self.invalidate()
        return Reply()

    def _submit_concession(self, seat: Seat) -> Reply:
        """Carry out a concession, unless real cards that it shows are to be named first."""
        if isinstance(self._naming, HandNaming):
            self._naming.forget()
            self._naming.move = concession(seat)
            if not self._naming.is_whole:
                self._renew_question()
                return Reply()
        with self._report_save_errors():
            self.session.concede(seat)
        self._forget_choice(seat)
        self._handle_step(self.session.steps[-1], by_person=True)
        return Reply()

    def _take_back(self, action: UndoMove, order: Order) -> Reply:
        """Undo the last decision, or that of the person in the seat, if its owners agree."""
        correction = None if action.is_named else self.session.plan_correction()
        undo = correction or self.session.plan_undo(action.seat if action.seat in self.session.people else None)
        if not order.is_confirmed and (warning := self._warn_of_undo(undo.to)):
            return Reply((warning,))
        undo_sentence = self._describe_undone_steps(self.session.steps[undo.to :])
        with self._report_save_errors():
            self.session.go_back(undo)
        for news in self._news_by_seat.values():
            news.append(undo_sentence)
        self._pending.forget()
        self._chosen_labels.clear()
        self._question_ids.clear()
        self._uncovered_hand, self._next_step_time, self._naming = None, 0.0, None
        self._notice = self.session.words(undo_sentence)
        self.unsaved = None
        self.renew_question()
        return Reply()

    def _describe_undone_steps(self, steps: Sequence[Step]) -> Sentence:
        """Return the sentence that tells everybody about an undo, with the words of the event that all saw."""
        first, *others = [step for step in steps if step.seat is not None] or steps
        events = visible_events(range(len(self.names)), [first])
        if not events:
            return Sentence("Taken back.")
        sentence = events[0][1].sentence
        end = " So is everything after it." if others else ""
        return replace(sentence, words=f"Taken back: {sentence.words}{end}")

    def _warn_of_undo(self, step_number: int) -> Sentence | None:
        """Return what people must agree to before the steps after `step_number` are undone, such as new secrets."""
        if self._phones is not None:
            return Sentence("Everybody agrees to take the last decision back.")
        hand = self._uncovered_hand
        viewers = (hand[1],) if hand and hand[1] != DEALER_SEAT_INDEX else self.session.people
        owners = secret_owners(self.session, self.session.steps[step_number:], viewers)
        names = " and ".join(f"{{s{at}}}" for at in range(len(owners)))
        return Sentence(f"This undoes the secret choice of {names}.", tuple(owners)) if owners else None

    def _warn_of_concession(self, seat: Seat) -> Sentence:
        """Return the sentence to confirm before a seat gives up (G-14), which tells nothing about hidden cards."""
        if self.session.is_party:
            if self._phones is not None:
                return Sentence("The game is lost once all people have agreed to give up.")
            return Sentence("The whole party gives up, and the game is lost. All people at the table agree.")
        is_end = self.session.would_end_game(concession(seat))
        return Sentence(f"{{s0}} gives up. {'The game ends at once.' if is_end else 'The others play on.'}", (seat,))

    @contextmanager
    def _report_save_errors(self) -> Iterator[None]:
        """Tell everybody about a failure to save, not only the player who gave the order."""
        try:
            yield
        except VaultkitError as error:
            self._report_unsaved(error)
            raise

    def _report_unsaved(self, error: VaultkitError) -> None:
        self.unsaved = error
        self._notice = f"Not saved, so nothing was played: {error.message_with_hint}"
        self.invalidate()
