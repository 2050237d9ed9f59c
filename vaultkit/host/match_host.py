"""A match, game after game."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.matches import MatchNotes
from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Seat, Sentence
from vaultkit.host.advice import Advice
from vaultkit.host.ending import EndingRecorder, build_game_ending
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import OrderRefused, Viewer
from vaultkit.host.view_state import Ending, ViewState
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
        self._show_next_game(session)

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
        ending = replace(ending, match=self._by_seat(match.lead))
        standing = match.standing().with_names(lambda seat: match.header.names[seat])
        if match.outcome:
            winners = tuple(map(self._game_seat, match.outcome.winners))
            outcome = replace(match.outcome, winners=winners, reason=self._by_seat(match.outcome.reason))
            remarks = tuple(filter(None, (*ending.remarks, seed_words(match.header))))
            return replace(ending, outcome=outcome, tables=(match.table(), standing), remarks=remarks)
        goes_on = f"Game {self.match_notes.number} of at most {match.most}"
        return replace(ending, tables=(*ending.tables, standing), goes_on=goes_on)

    def view(self, viewer: Viewer) -> ViewState:
        """Return the game as a viewer may see it, and how the match stands."""
        state, match = super().view(viewer), self.match_notes.match
        number = Sentence("game {v0} of at most {v1}", (), (), (min(self.match_notes.number, match.most), match.most))
        lead = [self._by_seat(match.lead)] if match.games and self._ending is None else []
        return replace(state, headings=(*state.headings, number, *lead))

    def _by_seat(self, sentence: Sentence) -> Sentence:
        """Return a sentence on the match with the seats of the present game."""
        seats = tuple(map(self._game_seat, sentence.seats))
        return replace(sentence, words=sentence.words.removesuffix("."), seats=seats)

    def _game_seat(self, seat: Seat) -> Seat:
        """Return the seat in the present game of a seat of the match."""
        return self.names.index(self.match_notes.match.header.names[seat])
