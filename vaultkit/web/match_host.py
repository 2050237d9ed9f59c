"""A match on the table: game after game on the same pages, and between them how everybody stands."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.matches import MatchNotes
from vaultkit.games.messages import Outcome
from vaultkit.session import Session
from vaultkit.session.match import seed_words
from vaultkit.web.ending_page import EndingRecorder, build_game_ending
from vaultkit.web.help_requests import HelpAnswerer, markdown_to_text
from vaultkit.web.host_thread import OrderData, OrderOutdated, OrderRefused
from vaultkit.web.page_model import EndingModel
from vaultkit.web.real_card_game import RealCardGame
from vaultkit.web.seat_sessions import Client


class MatchOnTable(RealCardGame):
    """The games of a match. `log` writes it down once it is over, None where nothing is to be written."""

    def __init__(
        self,
        match_notes: MatchNotes,
        seconds: float,
        clock: Callable[[], datetime],
        log: Callable[[], LogResult] | None,
    ) -> None:
        self._match_notes = match_notes
        self._clock = clock
        notes = match_notes.notes
        self._recorder = EndingRecorder(log, notes.workspace.root, has_rewards=bool(notes.info.rewards))
        super().__init__(*self._next_game(), seconds, self._close_game)

    def leave(self) -> None:
        """Let go of the game that is open."""
        self._session.close()

    def _next_game(self) -> tuple[Session, HelpAnswerer]:
        session = self._match_notes.next_game(self._clock)
        return session, HelpAnswerer(session, self._match_notes.notes.reference(session, markdown_to_text))

    def _obey(self, client: Client, order: OrderData) -> str:
        if order["do"] != "next":
            return super()._obey(client, order)
        if order.get("question") != self._question:
            raise OrderOutdated
        if self._ending is None or self._match_notes.match.outcome:
            raise OrderRefused("There is no next game now.")
        self._start_session(*self._next_game())
        return ""

    def _close_game(self) -> tuple[LogResult | None, EndingModel]:
        """How the game ended, and how the match stands; once that is over, how it ended."""
        self._session.close()  # or it could not be read again
        self._match_notes.reload()
        match = self._match_notes.match
        notes_ending = self._recorder.write() if match.outcome else EndingModel()
        logged = self._recorder.logged
        ending = build_game_ending(self._session, notes_ending, self._match_notes.notes.workspace.root)
        standing = match.standing().with_names(lambda seat: match.header.names[seat])
        if match.outcome:
            outcome = self._outcome_by_seat(match.outcome)
            remarks = tuple(filter(None, (*ending.remarks, seed_words(match.header))))
            return logged, replace(ending, outcome=outcome, tables=(match.table(), standing), remarks=remarks)
        goes_on = f"Game {len(match.games) + 1} of at most {match.most}"
        return logged, replace(ending, tables=(*ending.tables, standing), goes_on=goes_on)

    def _outcome_by_seat(self, outcome: Outcome) -> Outcome:
        """The outcome of the match, in which seats are those of the last game."""
        seats = [self.names.index(name) for name in self._match_notes.match.header.names]
        reason = replace(outcome.reason, seats=tuple(seats[seat] for seat in outcome.reason.seats))
        return replace(outcome, winners=tuple(seats[seat] for seat in outcome.winners), reason=reason)
