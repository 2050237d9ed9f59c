"""A match, game after game."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.matches import MatchNotes
from vaultkit.games.messages import Outcome
from vaultkit.host.advice import Advice, markdown_to_text
from vaultkit.host.ending import EndingRecorder, build_game_ending
from vaultkit.host.game_host import GameHost
from vaultkit.host.view_state import Ending
from vaultkit.session import Session
from vaultkit.session.match import seed_words


class MatchHost(GameHost):
    """The games of a match. `log` logs the match once it is over; None if nothing is to be logged."""

    def __init__(
        self,
        match_notes: MatchNotes,
        delay_seconds: float,
        now: Callable[[], datetime],
        log: Callable[[], LogResult] | None,
    ) -> None:
        self._match_notes = match_notes
        self._now = now
        notes = match_notes.notes
        self._recorder = EndingRecorder(log, notes.workspace.root, has_rewards=bool(notes.info.rewards))
        super().__init__(*self._begin_game(), delay_seconds, self._close_game, next_game=self._begin_game)

    def _begin_game(self) -> tuple[Session, Advice]:
        session = self._match_notes.next_game(self._now)
        return session, Advice(session, self._match_notes.notes.reference(session, markdown_to_text))

    def _close_game(self) -> tuple[LogResult | None, Ending]:
        """Return how the game ended, and how the match stands; of a match that is over, how it ended."""
        self.session.close()  # or it could not be read again
        self._match_notes.reload()
        match = self._match_notes.match
        notes_ending = self._recorder.write() if match.outcome else Ending()
        logged = self._recorder.logged
        ending = build_game_ending(self.session, notes_ending, self._match_notes.notes.workspace.root)
        standing = match.standing().with_names(lambda seat: match.header.names[seat])
        if match.outcome:
            outcome = self._outcome_by_seat(match.outcome)
            remarks = tuple(filter(None, (*ending.remarks, seed_words(match.header))))
            return logged, replace(ending, outcome=outcome, tables=(match.table(), standing), remarks=remarks)
        goes_on = f"Game {len(match.games) + 1} of at most {match.most}"
        return logged, replace(ending, tables=(*ending.tables, standing), goes_on=goes_on)

    def _outcome_by_seat(self, outcome: Outcome) -> Outcome:
        """Return the outcome of the match with the seats of the last game."""
        seats = [self.names.index(name) for name in self._match_notes.match.header.names]
        reason = replace(outcome.reason, seats=tuple(seats[seat] for seat in outcome.reason.seats))
        return replace(outcome, winners=tuple(seats[seat] for seat in outcome.winners), reason=reason)
