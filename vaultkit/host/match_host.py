"""A match, game after game."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.matches import MatchNotes
from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Outcome
from vaultkit.host.advice import Advice
from vaultkit.host.ending import EndingRecorder, build_game_ending
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import OrderRefused
from vaultkit.host.view_state import Ending
from vaultkit.session import Session
from vaultkit.session.match import seed_words


class MatchHost(GameHost):
    """The games of a match. `log` logs the match once it is over; None if nothing is to be logged."""

    def __init__(
        self,
        match_notes: MatchNotes,
        to_plain_text: Callable[[str], str],
        delay_seconds: float,
        now: Callable[[], datetime],
        log: Callable[[], LogResult] | None,
    ) -> None:
        self.match_notes = match_notes
        self._to_plain_text = to_plain_text
        self._now = now
        recorder = EndingRecorder.from_notes(log, match_notes.notes)
        super().__init__(*self._open_game(), delay_seconds, recorder)

    def _open_game(self) -> tuple[Session, Advice]:
        session = self.match_notes.next_game(self._now)
        return session, Advice(session, self.match_notes.notes.reference(session, self._to_plain_text))

    def _begin_next_game(self) -> None:
        if not (self._ending and self._ending.goes_on):
            raise OrderRefused("There is no next game now.")
        session, self.advice = self._open_game()
        self._show_session(session)
        self._reset_players()

    def _build_ending(self) -> Ending:
        """Return how the game ended, and how the match stands; of a match that is over, how it ended."""
        self.session.close()  # or it could not be read again
        try:
            self.match_notes.reload()
        except VaultkitError as error:
            self._recorder.error = error
            return Ending(self.session.outcome, failure=error.message_with_hint)
        match = self.match_notes.match
        notes_ending = self._recorder.write() if match.outcome else Ending()
        ending = build_game_ending(self.session, notes_ending, self._recorder.root)
        standing = match.standing().with_names(lambda seat: match.header.names[seat])
        if match.outcome:
            outcome = self._outcome_by_seat(match.outcome)
            remarks = tuple(filter(None, (*ending.remarks, seed_words(match.header))))
            return replace(ending, outcome=outcome, tables=(match.table(), standing), remarks=remarks)
        goes_on = f"Game {self.match_notes.number} of at most {match.most}"
        return replace(ending, tables=(*ending.tables, standing), goes_on=goes_on)

    def _outcome_by_seat(self, outcome: Outcome) -> Outcome:
        """Return the outcome of the match with the seats of the last game."""
        seats = [self.names.index(name) for name in self.match_notes.match.header.names]
        reason = replace(outcome.reason, seats=tuple(seats[seat] for seat in outcome.reason.seats))
        return replace(outcome, winners=tuple(seats[seat] for seat in outcome.winners), reason=reason)
